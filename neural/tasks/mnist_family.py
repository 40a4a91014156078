"""Classification of small grey images: characters (OLR, FedDA), digits and clothes (LAMB, LA)."""

from __future__ import annotations

from functools import partial
from math import prod

from neural.tasks.family import Dims, Parts, Source, federated
from neural.tasks.losses import accuracy, cross_entropy
from neural.tasks.models.cnn import CNN, DropoutCNN, PooledCNN
from neural.tasks.models.dense import MLP, Logistic, softmax_gradients
from neural.tasks.models.inputs import narrow
from surrogate.kit.errors import problem

CHARACTERS, DIGITS = Dims((1, 28, 28), 62), Dims((1, 28, 28), 10)
SMOKE = Source("synthetic", DIGITS, "iid", 10)

classifier = partial(Parts, loss=cross_entropy, metrics={"accuracy": accuracy}, better={"accuracy": "max"})


@federated(
    "emnist-cnn",
    kind="images",
    batch=20,
    paper="FEMNIST, 3,400 writers; CNN 5x5x32, 5x5x64, dense 512 (OLR), or 3x3, 3x3, dropout, dense 128 (FedDA)",
    smoke=SMOKE,
    laptop=Source("emnist", CHARACTERS),
)
def emnist_cnn(dims: Dims, scale: str, *, model: str = "mcmahan", width: float | None = None) -> Parts:
    """Handwritten characters by their writers (OLR C, FedDA A.5). ``model``: mcmahan (OLR) or fedda.

    ``width``: filters and dense units as a part of the printed ones (1 at the paper's scale, 1/4 on a laptop).
    """
    networks = {"mcmahan": (CNN, 512), "fedda": (DropoutCNN, 128)}
    if model not in networks:
        raise problem("model", repr(model), f"one of {', '.join(networks)}", "a slip", 'pass model="mcmahan"')
    part = {"smoke": 0.125, "laptop": 0.25, "paper": 1.0}[scale] if width is None else _positive(width)
    network, dense = networks[model]
    filters = narrow(32, part), narrow(64, part)
    return classifier(
        partial(network, dims.shape[-1], dims.outputs, dims.shape[0], filters, narrow(dense, part)),
        random=model == "fedda",
    )


@federated(
    "mnist-mlp",
    kind="images",
    batch=128,
    paper="MNIST, 50 clients, i.i.d. or a class each; MLP of 200 cells with dropout (LAMB)",
    smoke=SMOKE,
    laptop=Source("mnist", DIGITS, "iid", 50),
)
def mnist_mlp(dims: Dims, scale: str, *, hidden: int = 200, dropout: float = 0.5) -> Parts:
    """Handwritten digits by a hidden layer with dropout (LAMB 5; the rate of dropout is our choice)."""
    network = partial(MLP, prod(dims.shape), dims.outputs, hidden, _rate(dropout))
    return classifier(network, random=dropout > 0)


def pooled_cnn(dims: Dims, scale: str, *, dropout: float = 0.5) -> Parts:
    """Images by LAMB's CNN (section 5; our reading of "320 and 50 cells" is in `models.cnn.PooledCNN`)."""
    network = partial(PooledCNN, dims.shape[-1], dims.outputs, dims.shape[0], rate=_rate(dropout))
    return classifier(network, random=dropout > 0)


for _name, _data, _title in (("mnist-cnn", "mnist", "MNIST"), ("fmnist-cnn", "fashion-mnist", "Fashion-MNIST")):
    federated(
        _name,
        kind="images",
        batch=128,
        paper=f"{_title}, 50 clients; two pooled convolutions, dropout, dense 320 and 50 (LAMB)",
        smoke=SMOKE,
        laptop=Source(_data, DIGITS, "iid", 50),
    )(pooled_cnn)


@federated(
    "mnist-logreg",
    kind="images",
    batch=20,
    paper="MNIST; logistic regression (LA Figure 4)",
    smoke=SMOKE,
    laptop=Source("mnist", DIGITS, "dirichlet", 100),
)
def mnist_logreg(dims: Dims, scale: str) -> Parts:
    """Handwritten digits by logistic regression from 0, a convex task; gradients by hand."""
    return classifier(partial(Logistic, prod(dims.shape), dims.outputs), by_hand=softmax_gradients(dims.outputs))


def _positive(width: float) -> float:
    if not 0 < width <= 8:
        raise problem("width", width, "a factor in (0, 8]", "a number of filters in its place", "pass width=0.25, say")
    return width


def _rate(dropout: float) -> float:
    if not 0 <= dropout < 1:
        raise problem("dropout", dropout, "a rate in [0, 1)", "a percentage", "pass dropout=0.5, say")
    return dropout

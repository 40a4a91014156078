"""Classification of photographs: ResNet with group norm (OLR, LA, DA, LADA, LAMB) and LADA's LeNet."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import torch

from neural.tasks.augment import crop
from neural.tasks.family import Dims, Parts, Source, federated
from neural.tasks.mnist_family import classifier
from neural.tasks.models.inputs import Look
from neural.tasks.models.lenet import LeNet
from neural.tasks.models.resnet import ResNet
from surrogate.kit.errors import problem

TEN, HUNDRED, TINY = Dims((3, 32, 32), 10), Dims((3, 32, 32), 100), Dims((3, 64, 64), 200)
HALVED = Dims((3, 32, 32), 200)
BYTES = {"dtype": torch.uint8}  # a quarter of the memory
SMOKE = Source("synthetic", Dims((3, 16, 16), 10), "iid", 10)
# Mean and deviation of CIFAR-10's channels: LADA's "common normalization".
MEAN, STD = (0.4914, 0.4822, 0.4465), (0.2470, 0.2435, 0.2616)


def seen(dims: Dims, augment: str) -> dict[str, Any]:
    """How images are looked at and changed while training: ``look`` and ``augment``.

    "crop24": windows of 24 x 24 and flips, each image standardised; the central window in tests (OLR C). "pad": padded
    by an eighth of the side and cropped back, channels normalised (LADA appendix A: 4 pixels of 32, 8 of 64). "none".
    """
    channels, side, _ = dims.shape
    plain = Look(mean=MEAN, std=STD) if channels == 3 else Look(standardize=True)
    if augment == "crop24":
        return {
            "look": Look(crop=24, standardize=True),
            "augment": partial(crop, size=min(24, side), flip=True),
        }
    if augment == "pad":
        return {"look": plain, "augment": partial(crop, padding=max(1, side // 8))}
    if augment == "none":
        return {"look": plain, "augment": None}
    raise problem("augment", repr(augment), "crop24, pad or none", "a slip", 'pass augment="pad"')


def residual(about: str, usual: str, sees: str = "") -> Callable[..., Parts]:
    """A family of ResNets, which wait at chance for some 200 steps: with the 7x7 stem a laptop takes them many times as
    quickly as with the 3x3. ``usual``: how it augments; ``sees``: what a laptop makes of its images."""

    def make(
        dims: Dims, scale: str, *, augment: str = usual, depth: int | None = None, width: int | None = None,
        stem: str | None = None,
    ) -> Parts:  # fmt: skip
        printed = scale == "paper"
        both = seen(dims, augment)
        network = partial(
            ResNet,
            dims.outputs,
            dims.shape[0],
            depth=(18 if printed else 8) if depth is None else depth,
            width=({"smoke": 8, "laptop": 16, "paper": 64}[scale]) if width is None else width,
            stem=("3x3" if scale == "smoke" else "7x7") if stem is None else stem,
            look=both["look"],
        )
        return classifier(network, augment=both["augment"])

    make.__doc__ = f"""{about}

``augment``: pad (LADA), crop24 (OLR) or none; here {usual}. ``depth`` 18 or 8, ``width`` filters of the first stage,
``stem`` 7x7 or 3x3: 18, 64, 7x7 at the paper's scale; 8, 16, 7x7 on a laptop{sees}."""
    return make


federated(
    "cifar10-resnet18",
    kind="images",
    batch=50,
    paper="CIFAR-10, 100 clients by Dirichlet(0.6); ResNet-18 with group norm (LADA, LAMB)",
    smoke=SMOKE,
    laptop=Source("cifar10", TEN, "dirichlet", 100, 0.6, more=BYTES),
)(residual("Photographs of 10 things (LADA 4.1, batch 50).", "pad"))

federated(
    "cifar100-resnet18",
    kind="images",
    batch=20,
    paper="CIFAR-100, 500 clients by Pachinko (OLR, LA, DA) or 100 by Dirichlet(0.6) (LADA); ResNet-18 with group norm",
    smoke=SMOKE,
    laptop=Source("cifar100", HUNDRED, "pachinko", 100, more=BYTES),
    published=Source("cifar100", HUNDRED, "pachinko", 500, more=BYTES),
)(residual("Photographs of 100 things (OLR C, batch 20).", "crop24"))

federated(
    "tinyimagenet-resnet18",
    kind="images",
    batch=50,
    paper="TinyImageNet, 100 clients by Dirichlet(0.6); ResNet-18 with group norm (LADA, LAMB)",
    smoke=SMOKE,
    laptop=Source("tinyimagenet", HALVED, "dirichlet", 100, 0.6, more=BYTES, shrink=2),
    published=Source("tinyimagenet", TINY, "dirichlet", 100, 0.6, more=BYTES),
)(residual("Photographs of 200 things (LADA 4.1).", "pad", ", which sees the means of 2 x 2 pixels"))


@federated(
    "cifar10-lenet",
    kind="images",
    batch=50,
    paper="CIFAR-10, 100 clients by Dirichlet(0.3); LeNet of 2 + 2 layers with ReLU, GELU or SMU (LADA)",
    smoke=SMOKE,
    laptop=Source("cifar10", TEN, "dirichlet", 100, 0.3, more=BYTES),
)
def cifar10_lenet(
    dims: Dims, scale: str, *, activation: str = "relu", augment: str = "pad", filters: tuple[int, int] = (20, 50),
    dense: int = 500,
) -> Parts:  # fmt: skip
    """Photographs of 10 things by LeNet (LADA A.2). ``activation``: relu, gelu or smu; sizes are in `models.lenet`."""
    both = seen(dims, augment)
    side = min(24, dims.shape[-1]) if augment == "crop24" else dims.shape[-1]
    if len(filters) != 2:
        raise problem("filters", tuple(filters), "two numbers", "one a stage left out, or too many", "pass [20, 50]")
    network = partial(
        LeNet, side, dims.outputs, dims.shape[0], (filters[0], filters[1]), dense, activation, both["look"]
    )
    return classifier(network, augment=both["augment"])

"""The autoencoder of FedDA's Table 4."""

from __future__ import annotations

from functools import partial
from math import prod

from neural.tasks.family import Dims, Parts, Source, federated
from neural.tasks.losses import mean_squared_error, squared_error
from neural.tasks.models.dense import Autoencoder

CHARACTERS = Dims((1, 28, 28), 62)


@federated(
    "autoencoder",
    kind="images",
    batch=20,
    paper="EMNIST by writers, MSE (FedDA Table 4, which prints no architecture; ours is FedOpt's)",
    smoke=Source("synthetic", Dims((1, 8, 8), 10), "iid", 10),
    laptop=Source("emnist", CHARACTERS),
)
def autoencoder(dims: Dims, scale: str, *, widths: tuple[int, ...] | None = None) -> Parts:
    """Images rebuilt from a few numbers, by mean squared error (FedDA Table 4).

    ``widths`` of the encoder's layers, mirrored by the decoder: 1000, 500, 250, 30 at the paper's scale, as in FedOpt
    (FedDA prints none); 250, 30 on a laptop, for deep stacks of sigmoids wait long at the mean image before they learn.
    A mean over 784 pixels has small gradients: client rates of 100 are not large here.
    """
    if widths is None:
        widths = {"smoke": (32, 8), "laptop": (250, 30), "paper": (1000, 500, 250, 30)}[scale]
    return Parts(
        partial(Autoencoder, prod(dims.shape), tuple(widths)),
        squared_error,
        {"mse": mean_squared_error},
        {"mse": "min"},
        reconstructs=True,
    )

"""Apple's pfl: its FederatedAveraging on its simulation in one process."""

from __future__ import annotations

from typing import Any

import torch
from pfl.aggregate.simulate import SimulatedBackend
from pfl.algorithm import FederatedAveraging, NNAlgorithmParams
from pfl.data import FederatedDataset
from pfl.data.dataset import Dataset
from pfl.hyperparam import NNTrainHyperParams
from pfl.internal.ops import pytorch_ops
from pfl.internal.ops.selector import set_framework_module
from pfl.metrics import Weighted
from pfl.model.pytorch import PyTorchModel
from torch import nn

from benchmarks.peers import work


class _Loss(nn.Module):
    """pfl asks the module for its loss."""

    def __init__(self, inner: nn.Module) -> None:
        super().__init__()
        self.inner = inner

    def forward(self, x: Any) -> Any:
        return self.inner(x)

    def loss(self, x: Any, y: Any, eval: bool = False) -> Any:
        return nn.functional.cross_entropy(self(x), y)

    @torch.no_grad()
    def metrics(self, x: Any, y: Any, eval: bool = True) -> dict[str, Any]:
        return {"loss": Weighted(self.loss(x, y).item() * len(y), len(y))}


def main() -> None:
    """One round after another, each from where the last one ended; evaluation is off."""
    name = work.chosen()
    set_framework_module(pytorch_ops)
    data = [tuple(torch.from_numpy(part) for part in own) for own in work.clients()]
    turn = iter(range(10**9))

    def sampler() -> int:
        return next(turn) % len(data)

    users = FederatedDataset(lambda i: Dataset(raw_data=list(data[i]), user_id=str(i)), sampler)
    inner = _Loss(work.module(name))
    model = PyTorchModel(inner, torch.optim.SGD, torch.optim.SGD(inner.parameters(), lr=1.0))
    train = NNTrainHyperParams(local_batch_size=work.BATCH, local_num_epochs=1, local_learning_rate=work.RATE)
    backend = SimulatedBackend(users, users)

    def round_() -> None:
        rounds = NNAlgorithmParams(
            central_num_iterations=1, evaluation_frequency=1000, train_cohort_size=work.CLIENTS, val_cohort_size=0
        )
        FederatedAveraging().run(rounds, backend, model, train, send_metrics_to_platform=False)

    work.race("pfl", name, round_)


if __name__ == "__main__":
    main()

"""Flower: its FedAvg strategy on its simulation engine (Ray), timed in the server from round to round.

A simulation starts and stops Ray, so rounds are timed by the server and the start is left out, in Flower's favour.
"""

from __future__ import annotations

import time
from itertools import pairwise
from typing import Any

import numpy as np
import torch
from flwr.client import Client, ClientApp, NumPyClient
from flwr.common import Context, ndarrays_to_parameters
from flwr.server import ServerApp, ServerAppComponents, ServerConfig
from flwr.server.strategy import FedAvg
from flwr.simulation import run_simulation
from torch import nn

from benchmarks.peers import work

ROUNDS = 12


class _Trainer(NumPyClient):
    """One epoch of SGD, as in Flower's tutorials."""

    def __init__(self, name: str, i: int) -> None:
        self.model = work.module(name)
        self.x, self.y = (torch.from_numpy(part) for part in work.clients()[i])

    def fit(self, parameters: Any, config: Any) -> tuple[Any, int, dict[str, Any]]:
        torch.set_num_threads(1)
        with torch.no_grad():
            for own, value in zip(self.model.parameters(), parameters, strict=True):
                own.copy_(torch.from_numpy(np.array(value)))
        optimizer = torch.optim.SGD(self.model.parameters(), lr=work.RATE)
        for index in torch.randperm(len(self.y)).split(work.BATCH):
            optimizer.zero_grad()
            nn.functional.cross_entropy(self.model(self.x[index]), self.y[index]).backward()
            optimizer.step()
        return [part.detach().numpy() for part in self.model.parameters()], len(self.y), {}


def main() -> None:
    """All rounds in one simulation; the best interval between two rounds is what counts."""
    name = work.chosen()
    moments: list[float] = []

    class Timed(FedAvg):
        def configure_fit(self, *given: Any, **named: Any) -> Any:
            moments.append(time.perf_counter())
            return super().configure_fit(*given, **named)

    def client(context: Context) -> Client:
        return _Trainer(name, int(context.node_config["partition-id"])).to_client()

    def server(context: Context) -> ServerAppComponents:
        first = ndarrays_to_parameters([part.detach().numpy() for part in work.module(name).parameters()])
        strategy = Timed(fraction_fit=1.0, fraction_evaluate=0.0, initial_parameters=first)
        return ServerAppComponents(strategy=strategy, config=ServerConfig(num_rounds=ROUNDS))

    run_simulation(
        ServerApp(server_fn=server), ClientApp(client_fn=client), work.CLIENTS,
        backend_config={"client_resources": {"num_cpus": 1, "num_gpus": 0.0}},
    )  # fmt: skip
    best = min(after - before for before, after in pairwise(moments[1:]))
    work.race("flwr", name, lambda: time.sleep(best))


if __name__ == "__main__":
    main()

"""fedjax: its federated averaging, compiled, clients one after another as its default backend does."""

from __future__ import annotations

from typing import Any

import fedjax
import jax
from fedjax.algorithms import fed_avg
from jax.example_libraries import stax

from benchmarks.peers import work


def network(name: str) -> Any:
    """The common models; images are (B, 28, 28, 1)."""
    if name == "logistic":
        return stax.serial(stax.Flatten, stax.Dense(62))
    return stax.serial(
        stax.Conv(32, (5, 5), padding="SAME"), stax.Relu, stax.MaxPool((2, 2), strides=(2, 2)),
        stax.Conv(64, (5, 5), padding="SAME"), stax.Relu, stax.MaxPool((2, 2), strides=(2, 2)),
        stax.Flatten, stax.Dense(512), stax.Relu, stax.Dense(62),
    )  # fmt: skip


def main() -> None:
    """Rounds from where the last one ended; each waits for its result."""
    name = work.chosen()
    start, apply = network(name)

    def loss(parameters: Any, batch: Any, key: Any) -> Any:
        scores = jax.nn.log_softmax(apply(parameters, batch["x"]))
        return -jax.numpy.take_along_axis(scores, batch["y"][:, None], axis=1).mean()

    algorithm = fed_avg.federated_averaging(
        jax.jit(jax.grad(loss)),
        fedjax.optimizers.sgd(work.RATE),
        fedjax.optimizers.sgd(1.0),
        fedjax.ShuffleRepeatBatchHParams(batch_size=work.BATCH, num_epochs=1, seed=0),
    )
    examples = [{"x": x.transpose(0, 2, 3, 1), "y": y.astype("int32")} for x, y in work.clients()]
    cohort = [(str(i).encode(), fedjax.ClientDataset(own), jax.random.PRNGKey(i)) for i, own in enumerate(examples)]
    state = algorithm.init(start(jax.random.PRNGKey(0), (-1, 28, 28, 1))[1])

    def round_() -> None:
        nonlocal state
        state, _ = algorithm.apply(state, cohort)
        jax.block_until_ready(state.params)

    work.race("fedjax", name, round_)


if __name__ == "__main__":
    main()

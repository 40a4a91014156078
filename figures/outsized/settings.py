"""What the training figures of OLR run (section 8, Table 1, appendices C and D), at each scale.

At ``paper``: K = 10, M = 10 (Stack Overflow 50), B = 20, 4, 16; the grids of gamma and of eta (23); one seed ("all
plots are made using the same seed"). The numbers of rounds are lost with the axes in our copy; those here are
FedOpt's, from which the paper takes its tasks. At ``laptop`` small models, fewer rounds and rates, three seeds.
"""

from __future__ import annotations

from typing import Any

__all__ = ["CIFAR", "IMAGES_AND_PLAYS", "TITLES", "fixed", "gammas", "local_update", "seeds"]

TITLES = {
    "emnist-cnn": "FEMNIST",
    "cifar100-resnet18": "CIFAR-100",
    "shakespeare-lstm": "Shakespeare",
    "tags-logreg": "Stack Overflow TP",
    "words-lstm": "Stack Overflow NWP",
}
IMAGES_AND_PLAYS = ("emnist-cnn", "cifar100-resnet18", "shakespeare-lstm")
CIFAR = "cifar100-resnet18"
STEPS = "sum(10)"  # theta_{1:10}

RATES = {
    "smoke": (0.0, 0.01, 0.1),
    "laptop": (0.0, 0.001, 0.01, 0.1, 1.0),  # 10 and 100 diverge, as in the paper
    "paper": (0.0, 0.001, 0.01, 0.1, 1.0, 10.0, 100.0),
}
SEEDS = {"smoke": (0,), "laptop": (0, 1, 2), "paper": (0,)}

FEW = {"clients_per_round": 5}  # half the paper's, for time
# Per task and scale: rounds, clients a round, how the loss is measured, options of the task.
RUNS: dict[str, dict[str, dict[str, Any]]] = {
    "emnist-cnn": {
        "laptop": {"rounds": 100, "eval_every": 10, "eval_clients": 50, "width": 0.125, **FEW},
        "paper": {"rounds": 1500, "eval_every": 50},
    },
    CIFAR: {
        "laptop": {"rounds": 60, "eval_every": 10, "eval_clients": 25, "width": 8, **FEW},
        "paper": {"rounds": 4000, "eval_every": 100},
    },
    "shakespeare-lstm": {
        "laptop": {"rounds": 60, "eval_every": 10, "eval_clients": 20, "limit": 10_000, "units": 32, **FEW},
        "paper": {"rounds": 1200, "eval_every": 50},
    },
}
SMOKE = {"rounds": 3, "eval_every": 1, "clients_per_round": 3}


def gammas(scale: str) -> tuple[float, ...]:
    """The client rates."""
    return RATES[scale]


def seeds(scale: str) -> tuple[int, ...]:
    """The seeds of each setting."""
    return SEEDS[scale]


def local_update(task: str, scale: str, gamma: float, eta: float, seed: int) -> dict[str, Any]:
    """LocalUpdate with theta_{1:10}; batch sizes are the tasks' own, which are the paper's."""
    clients = {"clients_per_round": 50 if task in ("tags-logreg", "words-lstm") else 10}
    how = SMOKE if scale == "smoke" else {**clients, **RUNS[task][scale]}
    rates = {"theta": STEPS, "gamma": gamma, "eta": eta, "seed": seed}
    return {"task": task, "method": "local-update", **rates, **how}


def fixed(tasks: Any, scale: str) -> list[dict[str, Any]]:
    """eta = 0.01 and every gamma: Figures 2 and 3."""
    return [
        local_update(task, scale, gamma, 0.01, seed)
        for task in tasks
        for seed in seeds(scale)
        for gamma in gammas(scale)
    ]

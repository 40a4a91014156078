"""What the training figures of OLR run (section 8, Table 1, appendices C and D), at each scale.

At ``paper``: K = 10, M = 10 (Stack Overflow 50), B = 20, 4, 16; the grids of gamma and of eta (23); one seed ("all
plots are made using the same seed"). The numbers of rounds are lost with the axes in our copy; those here are
FedOpt's, from which the paper takes its tasks. At ``laptop`` the paper's models, narrowed, fewer classes, rounds,
clients and rates (a narrow grid of eta around Tables 3 to 7), three seeds, W = P = C = 10 for LocalUpdateDecay.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from figures.records import Keys
from figures.scales import seeds

__all__ = [
    "CIFAR",
    "EMNIST",
    "IMAGES_AND_PLAYS",
    "OURS",
    "PLAYS",
    "POSTS",
    "TAGS",
    "TITLES",
    "WORDS",
    "decay",
    "etas",
    "fixed",
    "gammas",
    "grid",
    "local_update",
    "measure",
    "seeds",
    "starts",
    "tied",
    "with_decay",
]

EMNIST, CIFAR, PLAYS, TAGS, WORDS = "emnist-cnn", "cifar100-resnet18", "shakespeare-lstm", "tags-logreg", "words-lstm"
TITLES = {
    EMNIST: "FEMNIST",
    CIFAR: "CIFAR-100",
    PLAYS: "Shakespeare",
    TAGS: "Stack Overflow TP",
    WORDS: "Stack Overflow NWP",
}
IMAGES_AND_PLAYS = (EMNIST, CIFAR, PLAYS)  # the server takes plain steps; the loss is f(x_t)
POSTS = (TAGS, WORDS)  # the server is Yogi; the loss is that of the round's clients before they start
STEPS = "sum(10)"  # theta_{1:10}
ETA = 0.01  # where it is fixed
OURS = "rounds, and below paper scale clients and widths: ours."
YOGI = {"name": "yogi", "beta1": 0.9, "beta2": 0.99, "eps": 1e-5, "initial": 0}  # 8.4


def half_decades(low: int, high: int) -> tuple[float, ...]:
    """10^(low/2), ..., 10^(high/2), to four digits."""
    return tuple(float(f"{10 ** (k / 2):.4g}") for k in range(low, high + 1))


# Client rates where eta is fixed (10 and 100 diverge at the laptop's, as in the paper), and where it is tuned.
ALL = (0.0, 0.001, 0.01, 0.1, 1.0, 10.0, 100.0)
RATES = {"smoke": (0.0, 0.01, 0.1), "laptop": ALL[:5], "paper": ALL}
TUNED: dict[str, dict[str, Sequence[float]]] = {
    "smoke": dict.fromkeys(TITLES, (0.0, 0.1)),
    "laptop": {**dict.fromkeys((EMNIST, CIFAR, PLAYS, WORDS), (0.0, 0.01, 0.1, 1.0)), TAGS: (0.0, 1.0, 10.0, 100.0)},
    "paper": dict.fromkeys(TITLES, ALL),
}
# Server rates: (23) at the paper's scale. The laptop's hold each task's printed rates (appendix D) but the outermost.
ETAS: dict[str, dict[str, Sequence[float]]] = {
    "smoke": dict.fromkeys(TITLES, (0.01, 0.1)),
    "laptop": {
        EMNIST: half_decades(-4, -1),
        CIFAR: half_decades(-4, -1),
        PLAYS: half_decades(-2, 1),
        WORDS: half_decades(-4, -2),
        TAGS: half_decades(-2, 0),
    },
    "paper": dict.fromkeys(TITLES, half_decades(-6, 2)),
}
# LocalUpdateDecay: client rates from which the largest that does not diverge is taken, and W = P = C.
STARTS: dict[str, dict[str, Sequence[float]]] = {
    "smoke": dict.fromkeys(TITLES, (0.1,)),
    "laptop": {**dict.fromkeys((EMNIST, CIFAR, PLAYS, WORDS), (1.0, 0.1)), TAGS: (100.0, 10.0)},
    "paper": dict.fromkeys(TITLES, (100.0, 10.0, 1.0, 0.1, 0.01)),
}
PATIENCE = {"smoke": 1, "laptop": 10, "paper": 100}

FEW = {"clients_per_round": 5}  # half the paper's and less, for time
TEN = {"classes": 10, "clients": 20, "clients_per_round": 2}
# Per task and scale: rounds, clients a round, how the loss is measured, options of the task. On a laptop the networks
# for FEMNIST and CIFAR-100 would stay at chance with all classes for as many rounds as there is time for: they learn
# ten classes, of which each client has 40 examples, twice B. The rounds are those after which FedAvg (seed 0,
# gamma = 0.01, which is gamma = eta) had brought f(x_t) from 2.3 to 1.5 and 1.8, in 5 and 11 seconds of one core: 100
# and 120 then, of 3 clients each; fewer since for time alone. With CIFAR-100's images of 16 x 16 it has 1.6 after 60.
RUNS: dict[str, dict[str, dict[str, Any]]] = {
    EMNIST: {
        "laptop": {"rounds": 80, "eval_every": 5, "width": 0.125, **TEN},
        "paper": {"rounds": 1500, "eval_every": 50},
    },
    CIFAR: {
        "laptop": {"rounds": 60, "eval_every": 10, "width": 8, "shrink": 2, **TEN},
        "paper": {"rounds": 4000, "eval_every": 100},
    },
    PLAYS: {
        "laptop": {"rounds": 40, "eval_every": 5, "eval_clients": 50, "limit": 2000, "units": 32, **FEW},
        "paper": {"rounds": 1200, "eval_every": 50},
    },
    TAGS: {"laptop": {"rounds": 40, "limit": 5000, **FEW}, "paper": {"rounds": 1500}},
    WORDS: {"laptop": {"rounds": 40, "limit": 5000, "units": 32, "embedding": 16, **FEW}, "paper": {"rounds": 1500}},
}
SMOKE = {"rounds": 3, "clients_per_round": 3}
LOOKS: dict[str, dict[str, Any]] = {"laptop": {"eval_tests": 0}, "paper": {}}  # figures and tables show losses alone


def measure(task: str) -> str:
    """Which loss the paper looks at: f(x_t) itself, or that of the round's clients where there are too many."""
    return "loss_before" if task in POSTS else "loss"


def gammas(task: str, scale: str) -> Sequence[float]:
    """The client rates whose server rates are tuned."""
    return TUNED[scale][task]


def etas(task: str, scale: str) -> Sequence[float]:
    """The server rates to pick from."""
    return ETAS[scale][task]


def starts(task: str, scale: str) -> Sequence[float]:
    """The client rates that LocalUpdateDecay may start from, largest first."""
    return STARTS[scale][task]


def local_update(task: str, scale: str, gamma: float, eta: float, seed: int) -> Keys:
    """LocalUpdate with theta_{1:10}; batch sizes are the tasks' own, which are the paper's."""
    return {**_common(task, scale), "method": "local-update", "gamma": gamma, "eta": eta, "seed": seed}


def decay(task: str, scale: str, gamma: float, eta: float, seed: int) -> Keys:
    """LocalUpdateDecay: Delta = 1e-4, alpha = 0.1, beta = 0.9 (its defaults) and W = P = C (9.2)."""
    waits = dict.fromkeys(("window", "patience", "cooldown"), PATIENCE[scale])
    return {**_common(task, scale), "method": "local-update-decay", **waits, "gamma": gamma, "eta": eta, "seed": seed}


def _common(task: str, scale: str) -> Keys:
    clients = {"clients_per_round": 50 if task in POSTS else 10}
    how = SMOKE if scale == "smoke" else {**clients, **RUNS[task][scale], **LOOKS[scale]}
    if task in POSTS:
        return {"task": task, "theta": STEPS, "server": YOGI, "loss_before": True, "eval_every": 0, **how}
    return {"task": task, "theta": STEPS, "eval_every": 1, **how}


def fixed(tasks: Sequence[str], scale: str) -> list[Keys]:
    """eta = 0.01, every gamma, every seed: Figures 2, 3 and 6."""
    return [
        local_update(task, scale, gamma, ETA, seed)
        for task in tasks
        for seed in seeds(scale)
        for gamma in (gammas(task, scale) if task in POSTS else RATES[scale])
    ]


def grid(tasks: Sequence[str], scale: str) -> list[Keys]:
    """Every gamma and eta, the first seed: what server rates are picked from."""
    return [
        local_update(task, scale, gamma, eta, seeds(scale)[0])
        for task in tasks
        for gamma in gammas(task, scale)
        for eta in etas(task, scale)
    ]


def with_decay(tasks: Sequence[str], scale: str) -> list[Keys]:
    """The same, and LocalUpdateDecay from every start and eta: Figures 8 and 9, Table 2."""
    return grid(tasks, scale) + [
        decay(task, scale, gamma, eta, seeds(scale)[0])
        for task in tasks
        for gamma in starts(task, scale)
        for eta in etas(task, scale)
    ]


def tied(task: str, scale: str) -> list[Keys]:
    """eta = gamma > 0, every seed: Figure 4."""
    rates = (0.01, 0.1, 1.0) if scale == "smoke" else [gamma for gamma in RATES[scale] if gamma > 0]
    return [local_update(task, scale, rate, rate, seed) for seed in seeds(scale) for rate in rates]

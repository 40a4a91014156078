r"""What the training figures of LA run (section 6, Tables 4 and 5), at each scale.

At ``paper``: Table 4's clients a round, batches and rounds, and Table 5's rates and eps_s. Clients are weighted by
examples (section 2), P^(-1) = c is not printed: there AdaGrad's accumulator begins at 0.1 (Keras's default, as eps =
1e-7 is), for from 0 the first local step would move every weight by the printed rate. At ``laptop`` and ``smoke`` it
begins at 1e-6, as in Figure 1: our gradients are so small that from 0.1 AdaGrad runs as SGD does at 3.2 times the rate
(tried on words and plays). The correction is Algorithm 1's as printed, whose N_i leaves out the rate, as Table 5's
server rates do. The server's Adam is FedOpt's, 0.9 and 0.99 without bias correction; so are the clients' Adam and Yogi.
The laptop's 75 rounds of words and plays were 120 and 90 in whole runs, its 7 clients a round 10, and CIFAR-100's
images 32 x 32, not 16 x 16: all for time.

SO TP's losses are summed over a batch of 100 in FedOpt's tasks, ours are means: rates of SGD clients are times 100,
accumulators over 100^2, eps over 100, and so is eps_s of local correction, whose messages are gradients (its server
SGD's rate times 100). Table 4's limit of 1000 posts a client is not in our loader.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from figures.local_adaptivity import printed
from figures.records import Keys
from figures.scales import seeds

__all__ = ["CORRECTIONS", "MEASURES", "SERVER_RATES", "TITLES", "Variant", "rates", "run", "seeds"]

TITLES = {
    "words-lstm": "SO NWP",
    "shakespeare-lstm": "Shakes. NCP",
    "tags-logreg": "SO TP",
    "cifar100-resnet18": "CIFAR-100",
}
MEASURES = dict.fromkeys(TITLES, "accuracy") | {"tags-logreg": "recall_at_5"}
CORRECTIONS = ("none", "local", "joint")


class Variant(NamedTuple):
    """A row or column of LA's tables: both optimizers; ``states`` and ``correction`` are the clients'."""

    task: str
    server: str
    client: str
    correction: str = "none"
    states: str = "restart"
    epochs: int = 1

    @property
    def tuned(self) -> Variant:
        """The variant whose grid gives this one its rates: Table 5's are of one local epoch."""
        return self._replace(epochs=1)


TESTS = {"eval_tests": 2000}  # of the laptop's texts: more take up to a third of a run's time
# Per task and scale: rounds, clients a round, evaluations, options of the task.
HOW: dict[str, dict[str, dict[str, Any]]] = {
    "words-lstm": {
        "laptop": {"rounds": 75, "clients_per_round": 7, "limit": 5000, "units": 32, "embedding": 16, **TESTS},
        "paper": {"rounds": 1500, "clients_per_round": 50},
    },
    "shakespeare-lstm": {
        "laptop": {"rounds": 75, "clients_per_round": 7, "limit": 6000, "units": 32, **TESTS},
        "paper": {"rounds": 1500, "clients_per_round": 10},
    },
    "tags-logreg": {
        "laptop": {"rounds": 100, "clients_per_round": 7, "limit": 8000, "run.batch": 100, **TESTS},
        "paper": {"rounds": 1500, "clients_per_round": 10, "run.batch": 100},
    },
    "cifar100-resnet18": {
        "laptop": {"rounds": 100, "clients_per_round": 5, "width": 8, "shrink": 2},
        "paper": {"rounds": 8000, "clients_per_round": 10},
    },
}
SMOKE = {"rounds": 2, "clients_per_round": 3}
# Evaluations of a final run whose curve is drawn (Figure 2's), of others, of one on the grid; clients whose loss is
# measured.
FINE, ENDS, COARSE, LOOKS = 10, 5, 3, 20
DRAWN = ("words-lstm",)

# Base-10 logarithms of the rates that a laptop tries: of the clients, of the server. Chosen before any run, but for SO
# TP's AdaGrad on the server: (0, 0.5) were moved up to the printed 1, for a run at 0 ended where naming the five
# commonest tags does (0.38), and runs at 1, with SGD and with AdaGrad clients, seed 0, above 0.5.
SERVER_RATES = (-3.0, -2.5, -2.0, -1.5, -1.0, -0.5, 0.0)  # Figure 3: 4 x 7 cells
GRIDS: dict[tuple[str, str], dict[str, Sequence[float]]] = {
    ("words-lstm", "SGD"): {"SGD": (-1, -0.5, 0, 0.5), "adaptive": (-2.5, -2, -1.5, -1), "server": (0,)},
    ("words-lstm", "AdaGrad"): {"SGD": (-1, -0.5, 0, 0.5), "adaptive": (-2.5, -2, -1.5, -1), "server": SERVER_RATES},
    ("words-lstm", "Adam"): {"SGD": (-0.5, 0), "adaptive": (-2, -1.5), "server": (-2, -1.5)},
    ("shakespeare-lstm", "SGD"): {"SGD": (0, 0.5), "adaptive": (-2, -1.5), "server": (0,)},
    ("shakespeare-lstm", "AdaGrad"): {"SGD": (0, 0.5), "adaptive": (-2, -1.5), "server": (-1.5, -1)},
    ("tags-logreg", "SGD"): {"SGD": (0.5, 1), "adaptive": (-1, -0.5), "server": (0,)},
    ("tags-logreg", "AdaGrad"): {"SGD": (0, 0.5), "adaptive": (-1, -0.5), "server": (0.5, 1)},
    ("cifar100-resnet18", "Adam"): {"SGD": (-1.5, -1), "adaptive": (-2.5, -2), "server": (-1.5, -1)},
}
SUMMED = {"tags-logreg": 100}  # examples whose losses the printed rates take as a sum
CIFAR_RATES = (-1.5, 0.0, -1.0)  # FedOpt's for server Adam on CIFAR-100; LA prints none
SMALL, KERAS, EPS = 1e-6, 0.1, 1e-7  # where accumulators begin below paper scale, and there; the clients' eps


def rates(variant: Variant, scale: str) -> list[tuple[float, float]]:
    """Base-10 logarithms of (client rate, server rate) to choose from: at ``paper`` Table 5's alone."""
    if scale == "paper":
        gamma, eta, _ = _published(variant)
        return [(gamma, eta)]
    grid = GRIDS[variant.task, variant.server]
    gammas = grid["SGD" if variant.client == "SGD" else "adaptive"]
    pairs = [(float(gamma), float(eta)) for gamma in gammas for eta in grid["server"]]
    return pairs[len(pairs) // 2 : len(pairs) // 2 + 1] if scale == "smoke" else pairs


def run(variant: Variant, scale: str, gamma: float, eta: float, seed: int = 0, final: bool = True) -> Keys:
    """One run at these base-10 logarithms of the rates; ``final``: looked at often enough to draw its curve."""
    how = SMOKE if scale == "smoke" else HOW[variant.task][scale]
    rounds = how["rounds"]
    looks = 15 if scale == "paper" else COARSE if not final else FINE if variant.task in DRAWN else ENDS
    summed = SUMMED.get(variant.task, 1)
    gradients = variant.client == "SGD"  # else the clients' steps do not grow with the loss
    messages = variant.correction == "local"  # gradients, whatever the clients run
    config = {
        "task": variant.task,
        "epochs": variant.epochs,
        "weights": "examples",
        "eval_every": max(1, rounds // looks),
        "eval_clients": LOOKS,
        "seed": seed,
        "gamma": _power(gamma) * (summed if gradients else 1),
        "eta": _power(eta) * (summed if messages and variant.server == "SGD" else 1),
        **how,
    }
    eps = _published(variant)[2]
    server = _server(variant.server, None if eps is None else _power(eps) / (summed if messages else 1))
    return config | (_sgd(server) if gradients else _adaptive(variant, scale, server, summed))


def _sgd(server: Mapping[str, Any]) -> dict[str, Any]:
    """Clients that run SGD: FedOpt's methods."""
    settings = {key: value for key, value in server.items() if key != "name"}
    return {"method": f"fedopt-{server['name']}", **settings}


def _adaptive(variant: Variant, scale: str, server: Mapping[str, Any], summed: int) -> dict[str, Any]:
    start = KERAS if scale == "paper" and variant.client == "AdaGrad" else SMALL
    config = {
        "method": f"local-{variant.client.lower()}",
        "server": server,
        "initial": start / summed**2,
        "method.eps": EPS / summed,
    }
    if variant.states != "restart":
        config["states"] = variant.states
    if variant.correction != "none":
        config |= {"correction": variant.correction, "as_printed": True}
    return config


def _server(name: str, eps: float | None) -> dict[str, Any]:
    """The server's optimizer; its accumulator begins at 0, since eps_s is what was tuned."""
    if name == "SGD":
        return {"name": "sgd"}
    moments = {"beta1": 0.9, "beta2": 0.99} if name == "Adam" else {}
    return {"name": name.lower(), "eps": eps, "initial": 0.0, **moments}


def _published(variant: Variant) -> tuple[float, float, float | None]:
    """Table 5's triple. Not printed, so ours: CIFAR-100's; those of Adam and Yogi clients are AdaGrad's."""
    if variant.task == "cifar100-resnet18":
        return CIFAR_RATES
    column = 0 if variant.client == "SGD" else 1 + CORRECTIONS.index(variant.correction)
    return printed.RATES[variant.task][variant.server][column]


def _power(exponent: float) -> float:
    return float(f"{math.pow(10, exponent):.12g}")  # the same on every machine

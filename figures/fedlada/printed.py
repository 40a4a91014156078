"""What LADA prints: Tables 1 to 8 and 10 to 12. Infinity: never reached, as printed."""

from __future__ import annotations

from math import inf

from figures.fedlada.settings import C10, C100, METHODS, TASKS, TINY

__all__ = [
    "ACTIVATIONS", "ADDED", "ALPHA", "COMMUNICATION", "CONVERGED", "DATASETS", "FINAL", "INTERVALS", "RATIOS", "ROUNDS",
    "SCALED", "TARGETS", "TOTALS",
]  # fmt: skip

Numbers = dict[str, dict[str, float]]


def _columns(tasks: tuple[str, ...], *rows: tuple[float, ...]) -> Numbers:
    return {task: dict(zip(METHODS, row, strict=True)) for task, row in zip(tasks, rows, strict=True)}


# Table 2: training and test images, pixels, classes. Table 8: activations.
DATASETS = {
    "CIFAR-10": (50_000, 10_000, "32 x 32", 10),
    "CIFAR-100": (50_000, 10_000, "32 x 32", 100),
    "TinyImageNet": (100_000, 10_000, "64 x 64", 200),
}
ACTIVATIONS = {"GeLU": "x/2 (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3)))", "SMU": "(x + x erf(mu x)) / 2"}

# Table 1: rounds to 98 % on the training data, and to 84, 51, 38 % on the test data. Methods: FedAvg, FedProx,
# SCAFFOLD, FedCM, FedAdam, LocalAdam, FedLADA.
TRAIN = _columns(
    TASKS,
    (977, 913, 740, 1429, 2554, 575, 765),
    (1198, 1166, 1017, 966, 2778, 746, 618),
    (1474, 1508, 1338, 1754, 2834, 971, 878),
)
TEST = _columns(
    TASKS,
    (inf, inf, 1177, 1211, inf, inf, 598),
    (inf, inf, 677, 721, 1114, inf, 447),
    (inf, inf, 494, 455, 1397, inf, 269),
)
# Table 7: rounds to a first and to a second accuracy (%).
EARLY = _columns(
    TASKS,
    (94.0, 90.9, 85.1, 71.5, 96.1, 65.5, 44.6),
    (299.1, 289.5, 135.7, 120.5, 254.2, 169.1, 93.9),
    (207.7, 214.6, 191.3, 115.9, 242.1, 142.4, 110.2),
)
MIDDLE = _columns(
    TASKS,
    (536.9, 511.1, 262.5, 286.7, 611.2, inf, 186.4),
    (535.7, 501.6, 351.4, 200.0, 407.4, 361.9, 143.7),
    (421.1, 456.5, 362.2, 245.8, 618.7, inf, 170.2),
)
ROUNDS = {"train": TRAIN, "test": TEST, "early": EARLY, "middle": MIDDLE}
# The accuracies (%) that those rounds count to.
TARGETS = {
    "test": {C10: 84.0, C100: 51.0, TINY: 38.0},
    "early": {C10: 70.0, C100: 40.0, TINY: 28.0},
    "middle": {C10: 80.0, C100: 45.0, TINY: 35.0},
}

# Table 6: rounds to convergence on the training data and the test accuracy there; the accuracy after 1,500 rounds.
CONVERGED: dict[str, dict[str, tuple[int, float]]] = {
    C10: {"fedavg": (1511, 81.8), "fedcm": (2089, 86.8), "fedopt-adam": (3031, 86.4), "fedlada": (1313, 86.0)},
    C100: {"fedavg": (1664, 45.4), "fedcm": (1698, 52.5), "fedopt-adam": (2324, 52.6), "fedlada": (885, 51.4)},
    TINY: {"fedavg": (1474, 34.5), "fedcm": (1754, 41.1), "fedopt-adam": (2834, 41.3), "fedlada": (878, 41.9)},
}
FINAL: Numbers = {
    C10: {"fedavg": 81.8, "fedcm": 84.9, "fedopt-adam": 83.7, "fedlada": 86.1},
    C100: {"fedavg": 45.3, "fedcm": 52.0, "fedopt-adam": 51.3, "fedlada": 52.6},
    TINY: {"fedavg": 34.5, "fedcm": 40.6, "fedopt-adam": 38.8, "fedlada": 41.9},
}

# Table 3, TinyImageNet: accuracy (%) after 1,500 rounds above FedAvg's 34.5.
ADDED = {"fedcm": 6.6, "fedopt-adam": 4.3, "fedadam-amended": 0.5, "local-adam": -0.4, "fedlada": 7.4}

# Table 4, TinyImageNet: K (local epochs), best accuracy (%), and its round.
INTERVALS = {2: (41.9, 878), 4: (40.2, 614), 10: (36.2, 959), 20: (33.8, 1327)}

# Table 5, TinyImageNet: accuracy (%) of FedLADA by alpha. Table 10, CIFAR-10: of SCAFFOLD with its correction scaled.
ALPHA = {0.01: 29.5, 0.05: 41.9, 0.1: 40.1, 0.2: 38.8, 0.5: 36.5, 1.0: 34.1}
SCALED = {0.0: 78.32, 0.25: 80.74, 0.5: 81.09, 0.75: 81.72, 1.0: 81.77, 1.25: 81.05, 1.5: 80.62}

# Table 11: vectors of the model's size a client and round, and Table 12: that times the rounds to 70 and 80 %.
# Their rows come in an order of their own.
COMMUNICATION = {"fedavg": 1, "fedopt-adam": 1, "scaffold": 2, "fedcm": 2, "fedprox": 1, "local-adam": 2, "fedlada": 2}
TOTALS: Numbers = {
    "early": dict(zip(METHODS, (94, 91, 170, 142, 96, 130, 90), strict=True)),
    "middle": dict(zip(METHODS, (537, 511, 524, 572, 611, inf, 372), strict=True)),
}
RATIOS: Numbers = {
    "early": dict(zip(METHODS, (1, 0.97, 1.80, 1.51, 1.02, 1.38, 0.95), strict=True)),
    "middle": dict(zip(METHODS, (1, 0.95, 0.97, 1.06, 1.13, inf, 0.69), strict=True)),
}

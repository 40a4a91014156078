"""What OLR prints: Table 1 and the tuned rates of Tables 2 to 7 (base-10 logarithms of the rates)."""

from __future__ import annotations

__all__ = ["DATASETS", "DECAY", "ETAS"]

# Table 1: clients, examples.
DATASETS = {
    "CIFAR-100": (500, 50_000),
    "FEMNIST": (3_400, 671_585),
    "Shakespeare": (715, 16_068),
    "Stack Overflow": (342_477, 135_818_730),
}

# Table 2, LocalUpdateDecay: log10 of gamma, of eta.
DECAY = {
    "cifar100-resnet18": (0.0, -1.0),
    "emnist-cnn": (-1.0, -1.0),
    "shakespeare-lstm": (0.0, 1.5),
    "words-lstm": (-1.0, -1.5),
    "tags-logreg": (2.0, 0.0),
}

# Tables 3 to 7: gamma, and log10 of its best eta.
ETAS = {
    "cifar100-resnet18": {1.0: -1.0, 0.1: -1.0, 0.01: -1.5, 0.001: -1.5, 0.0: -1.5},
    "emnist-cnn": {0.1: -2.0, 0.01: -1.5, 0.001: -1.5, 0.0: -1.5},
    "shakespeare-lstm": {1.0: -0.5, 0.1: 0.0, 0.01: -1.0, 0.001: -1.0, 0.0: -1.0},
    "words-lstm": {0.1: -1.5, 0.01: -1.5, 0.001: -2.0, 0.0: -2.0},
    "tags-logreg": {100.0: -0.5, 10.0: -0.5, 1.0: -0.5, 0.1: -0.5, 0.01: -0.5, 0.0: -0.5},
}

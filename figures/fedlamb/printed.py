"""What LAMB prints: Tables 1 to 3, and the numbers that its text names."""

from __future__ import annotations

__all__ = ["FINAL", "GLOBAL", "GRIDS", "LAMBDA", "NOTATION", "TO_NINETY"]

# Table 1: test accuracy, %, and what stands behind its +-.
FINAL: dict[str, dict[str, tuple[float, float]]] = {
    "cifar10-resnet18": {
        "Fed-SGD": (90.75, 0.48),
        "Fed-AMS": (90.93, 0.22),
        "Adp-Fed": (91.57, 0.38),
        "FED-LAMB": (92.44, 0.53),
    },
    "tinyimagenet-resnet18": {
        "Fed-SGD": (67.58, 0.21),
        "Fed-AMS": (64.86, 0.83),
        "Adp-Fed": (74.17, 0.43),
        "FED-LAMB": (76.00, 0.26),
    },
}

# Table 2: the grids of the learning rate; Adp-Fed's is that of its clients.
GRIDS = {
    "Fed-SGD": (0.001, 0.003, 0.005, 0.01, 0.03, 0.05, 0.1, 0.3, 0.5),
    "Fed-AMS": (0.0001, 0.0003, 0.0005, 0.001, 0.003, 0.005, 0.01, 0.03, 0.05, 0.1),
    "FED-LAMB": (0.001, 0.003, 0.005, 0.01, 0.03, 0.05, 0.1, 0.3, 0.5),
    "Adp-Fed": (0.0001, 0.0003, 0.0005, 0.001, 0.003, 0.005, 0.01, 0.03, 0.05, 0.1, 0.3, 0.5),
}
GLOBAL = (0.0001, 0.0003, 0.0005, 0.001, 0.003, 0.005, 0.01, 0.03, 0.05, 0.1)  # of Adp-Fed's server
LAMBDA = (0.0, 0.01, 0.1)  # section 5

# Section 5.1, MNIST + CNN, one local epoch, i.i.d.: rounds to an accuracy of 90 %.
TO_NINETY = {"Fed-AMS": 20, "FED-LAMB": 5}

# Table 3: what the appendix calls things.
NOTATION = {
    "R, T": "rounds of communication, and local iterations",
    "n, D, i": "clients, the share of them that is drawn uniformly, and a client's index",
    "h, l": "layers of the network, and a layer's index",
    "phi": "the scaling factor in the update",
    "theta-bar": "the global model, after averaging",
    "p[t; r, i]": "the ratio of client i at round r and local iteration t; with l above, its part in layer l",
}

"""What DA prints: Tables 1 to 12, and the numbers that its text names."""

from __future__ import annotations

__all__ = [
    "CLIENT_RATES",
    "DATASETS",
    "EPS",
    "FINAL",
    "GAIN_SGDM",
    "OPTIMIZERS",
    "RATES",
    "SAVED",
    "SERVER_RATES",
    "STEPS",
]

# Table 1: clients that train and that test, examples to train and to test on.
DATASETS = {
    "CIFAR-100": (500, 100, 50_000, 10_000),
    "EMNIST-62": (3_400, 3_400, 671_585, 77_483),
    "Stack Overflow": (342_477, 204_088, 135_818_730, 16_586_035),
}

OPTIMIZERS = ("sgdm", "adam", "adagrad")

# Final accuracy with SGDM, Adam, AdaGrad (Tables 2, 3, 5), of the autoencoder the mean squared error (Table 4).
FINAL: dict[str, dict[str, tuple[float, float, float]]] = {
    "cifar100-resnet18": {
        "FedLocal": (0.384, 0.009, 0.113),
        "SCAFFOLD": (0.010, 0.010, 0.010),
        "FedLin": (0.440, 0.440, 0.440),
        "FedAvg": (0.324, 0.324, 0.324),
        "MFL": (0.293, 0.346, 0.135),
        "CLIMB": (0.010, 0.010, 0.010),
        "STEM": (0.014, 0.014, 0.014),
        "MimeLite": (0.427, 0.009, 0.009),
        "FedOpt": (0.425, 0.443, 0.301),
        "FedDA": (0.518, 0.510, 0.488),
    },
    "emnist-cnn": {
        "FedLocal": (0.834, 0.055, 0.806),
        "SCAFFOLD": (0.794, 0.794, 0.794),
        "FedLin": (0.805, 0.805, 0.805),
        "FedAvg": (0.850, 0.850, 0.850),
        "MFL": (0.848, 0.055, 0.047),
        "CLIMB": (0.843, 0.843, 0.843),
        "STEM": (0.051, 0.051, 0.051),
        "MimeLite": (0.835, 0.851, 0.821),
        "FedOpt": (0.838, 0.847, 0.840),
        "FedDA": (0.860, 0.853, 0.868),
    },
    "autoencoder": {
        "FedLocal": (0.0169, 0.0289, 0.0168),
        "FedAvg": (0.0171, 0.0171, 0.0171),
        "MFL": (0.0168, 0.0290, 0.0291),
        "MimeLite": (0.0183, 0.0307, 0.0287),
        "FedOpt": (0.0175, 0.0173, 0.0145),
        "FedDA": (0.0167, 0.0166, 0.0132),
    },
    "tags-logreg": {
        "FedLocal": (0.152, 0.576, 0.229),
        "SCAFFOLD": (0.250, 0.250, 0.250),
        "FedLin": (0.224, 0.224, 0.224),
        "FedAvg": (0.252, 0.252, 0.252),
        "MFL": (0.134, 0.101, 0.215),
        "CLIMB": (0.302, 0.302, 0.302),
        "STEM": (0.196, 0.196, 0.196),
        "MimeLite": (0.271, 0.211, 0.078),
        "FedOpt": (0.225, 0.642, 0.691),
        "FedDA": (0.273, 0.642, 0.674),
    },
}

# "Convergence improvement" in section 5 and A.4; of Table 5 with SGDM over the best competitors.
SAVED = {"cifar100-resnet18": 0.343, "emnist-cnn": 0.226, "tags-logreg": 0.754}
GAIN_SGDM = 0.223

# Tables 6 to 11: optimizer, the rate that varies, and per task the fixed one and (rate, final accuracy).
Line = tuple[float, tuple[tuple[float, float], ...]]
RATES: dict[int, tuple[str, str, dict[str, Line]]] = {
    6: (
        "sgdm",
        "client",
        {
            "cifar100-resnet18": (0.1, ((1, 0.521), (3.3, 0.448), (10, 0.236), (33, 0.099))),
            "emnist-cnn": (0.1, ((1, 0.778), (3.3, 0.819), (10, 0.783), (33, 0.052))),
            "tags-logreg": (0.1, ((1, 0.174), (10, 0.262), (100, 0.250), (1000, 0.002))),
        },
    ),
    7: (
        "adam",
        "client",
        {
            "cifar100-resnet18": (0.1, ((1, 0.179), (3.3, 0.317), (10, 0.269), (33, 0.179))),
            "emnist-cnn": (0.03, ((0.01, 0.488), (0.1, 0.836), (0.3, 0.842), (1, 0.804))),
            "tags-logreg": (0.3, ((0.1, 0.409), (1, 0.492), (10, 0.473), (100, 0.459))),
        },
    ),
    8: (
        "adagrad",
        "client",
        {
            "cifar100-resnet18": (0.1, ((0.03, 0.462), (0.1, 0.488), (0.3, 0.410), (1, 0.259))),
            "emnist-cnn": (0.1, ((0.00001, 0.055), (0.001, 0.055), (0.01, 0.055), (0.1, 0.868))),
            "tags-logreg": (10, ((1, 0.576), (10, 0.651), (30, 0.629), (100, 0.632))),
        },
    ),
    9: (
        "sgdm",
        "server",
        {
            "cifar100-resnet18": (0.03, ((1, 0.374), (3.3, 0.522), (10, 0.356), (33, 0.273))),
            "emnist-cnn": (0.1, ((0.3, 0.859), (1, 0.861), (3.3, 0.778), (10, 0.783))),
            "tags-logreg": (100, ((0.001, 0.191), (0.003, 0.256), (0.01, 0.204), (0.1, 0.292))),
        },
    ),
    10: (
        "adam",
        "server",
        {
            "cifar100-resnet18": (0.03, ((0.33, 0.510), (3.3, 0.183), (10, 0.010), (33, 0.010))),
            "emnist-cnn": (0.03, ((0.1, 0.546), (1, 0.803), (3.3, 0.051), (10, 0.051))),
            "tags-logreg": (100, ((0.1, 0.425), (0.3, 0.522), (1, 0.641), (10, 0.633))),
        },
    ),
    11: (
        "adagrad",
        "server",
        {
            "cifar100-resnet18": (0.03, ((0.03, 0.352), (0.1, 0.462), (0.3, 0.466), (1, 0.312))),
            "emnist-cnn": (0.03, ((0.1, 0.806), (3.3, 0.055), (10, 0.055), (33, 0.055))),
            "tags-logreg": (100, ((0.1, 0.227), (0.3, 0.306), (1, 0.397), (10, 0.632))),
        },
    ),
}

# Table 12, for SGDM, Adam, AdaGrad. beta_1 = 0.9 and beta_2 = 0.99 are the methods' own defaults.
CLIENT_RATES = {
    "cifar100-resnet18": (0.03, 0.03, 0.1),
    "emnist-cnn": (0.1, 0.1, 0.1),
    "tags-logreg": (100.0, 100.0, 100.0),
}
SERVER_RATES = {"cifar100-resnet18": (3.3, 0.3, 0.1), "emnist-cnn": (1.0, 0.1, 0.1), "tags-logreg": (10.0, 1.0, 10.0)}
STEPS = {"cifar100-resnet18": (5, 5, 5), "emnist-cnn": (10, 10, 5), "tags-logreg": (5, 1, 5)}
EPS = {"cifar100-resnet18": 0.1, "emnist-cnn": 0.1, "tags-logreg": 0.00001}

"""The numbers of DA's Tables 2 to 11: final accuracies (a mean squared error in Table 4), and sweeps of rates."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

OPTIMIZERS = ("SGDM", "Adam", "AdaGrad")
_CIFAR = """
FedLocal 0.384 0.009 0.113
SCAFFOLD 0.010 0.010 0.010
FedLin 0.440 0.440 0.440
FedAvg 0.324 0.324 0.324
MFL 0.293 0.346 0.135
CLIMB 0.010 0.010 0.010
STEM 0.014 0.014 0.014
MimeLite 0.427 0.009 0.009
FedOpt 0.425 0.443 0.301
FedDA 0.518 0.510 0.488
"""
_EMNIST = """
FedLocal 0.834 0.055 0.806
SCAFFOLD 0.794 0.794 0.794
FedLin 0.805 0.805 0.805
FedAvg 0.850 0.850 0.850
MFL 0.848 0.055 0.047
CLIMB 0.843 0.843 0.843
STEM 0.051 0.051 0.051
MimeLite 0.835 0.851 0.821
FedOpt 0.838 0.847 0.840
FedDA 0.860 0.853 0.868
"""
_AUTOENCODER = """
FedLocal 0.0169 0.0289 0.0168
FedAvg 0.0171 0.0171 0.0171
MFL 0.0168 0.0290 0.0291
MimeLite 0.0183 0.0307 0.0287
FedOpt 0.0175 0.0173 0.0145
FedDA 0.0167 0.0166 0.0132
"""
_STACK_OVERFLOW = """
FedLocal 0.152 0.576 0.229
SCAFFOLD 0.250 0.250 0.250
FedLin 0.224 0.224 0.224
FedAvg 0.252 0.252 0.252
MFL 0.134 0.101 0.215
CLIMB 0.302 0.302 0.302
STEM 0.196 0.196 0.196
MimeLite 0.271 0.211 0.078
FedOpt 0.225 0.642 0.691
FedDA 0.273 0.642 0.674
"""
TABLES = {"CIFAR-100": _CIFAR, "EMNIST": _EMNIST, "autoencoder": _AUTOENCODER, "Stack Overflow": _STACK_OVERFLOW}

# Tables 6 to 8 vary the client rate, Tables 9 to 11 the server rate; rows CIFAR-100, EMNIST, Stack Overflow
CLIENT_SWEEPS = """
0.521 0.448 0.236 0.099 0.778 0.819 0.783 0.052 0.174 0.262 0.250 0.002
0.179 0.317 0.269 0.179 0.488 0.836 0.842 0.804 0.409 0.492 0.473 0.459
0.462 0.488 0.410 0.259 0.055 0.055 0.055 0.868 0.576 0.651 0.629 0.632
"""
SERVER_SWEEPS = """
0.374 0.522 0.356 0.273 0.859 0.861 0.778 0.783 0.191 0.256 0.204 0.292
0.510 0.183 0.010 0.010 0.546 0.803 0.051 0.051 0.425 0.522 0.641 0.633
0.352 0.462 0.466 0.312 0.806 0.055 0.055 0.055 0.227 0.306 0.397 0.632
"""


def tests(table: str) -> list[Mapping[str, Any]]:
    """One row an optimizer: FedDA's number, and those of the other methods."""
    lines = [line.split() for line in TABLES[table].strip().splitlines()]
    return [
        {"name": f"{table}, {optimizer}", "ours": lines[-1][k + 1], "others": [line[k + 1] for line in lines[:-1]]}
        for k, optimizer in enumerate(OPTIMIZERS)
    ]

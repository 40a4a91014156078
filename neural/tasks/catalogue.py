"""In which file each task stands, so that a task is loaded when it is asked for, and no other.

A test holds this table against what the files register.
"""

from __future__ import annotations

import importlib

__all__ = ["FILES", "load"]

FILES = {
    name: file
    for file, listed in {
        "mnist_family": "emnist-cnn fmnist-cnn mnist-cnn mnist-logreg mnist-mlp",
        "cifar_family": "cifar10-lenet cifar10-resnet18 cifar100-resnet18 tinyimagenet-resnet18",
        "quadratic": "quadratic",
        "reconstruction": "autoencoder",
        "language": "shakespeare-lstm tags-logreg words-lstm",
    }.items()
    for name in listed.split()
}


def load(name: str) -> None:
    """Import the file that registers this task, if it is listed here."""
    if name in FILES:
        importlib.import_module(f"neural.tasks.{FILES[name]}")

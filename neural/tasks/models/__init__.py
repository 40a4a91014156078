"""The papers' models. Widths are arguments, so that a small model is of the same class as the printed one."""

from typing import TYPE_CHECKING

from surrogate.kit.lazy import lazy

if TYPE_CHECKING:
    from neural.tasks.models.cnn import CNN, DropoutCNN, PooledCNN
    from neural.tasks.models.dense import MLP, Autoencoder, Logistic
    from neural.tasks.models.inputs import Look
    from neural.tasks.models.lenet import LeNet
    from neural.tasks.models.lstm import LSTM, LanguageModel
    from neural.tasks.models.resnet import ResNet

__all__ = [
    "CNN",
    "LSTM",
    "MLP",
    "Autoencoder",
    "DropoutCNN",
    "LanguageModel",
    "LeNet",
    "Logistic",
    "Look",
    "PooledCNN",
    "ResNet",
]

__getattr__ = lazy(
    __name__,
    {
        "cnn": "CNN DropoutCNN PooledCNN",
        "dense": "MLP Autoencoder Logistic",
        "inputs": "Look",
        "lenet": "LeNet",
        "lstm": "LSTM LanguageModel",
        "resnet": "ResNet",
    },
)

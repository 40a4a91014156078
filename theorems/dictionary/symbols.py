"""Settings that stay free, and the dictionary's ring of rational functions in them, in d = 1."""

from __future__ import annotations

from surrogate.dictionary.rings import FloatRing
from theorems.vocabulary import *


class Free(str):
    """The name of a setting that stays free: ``Free("gamma")``."""

    __slots__ = ()


class SymbolRing(FloatRing):
    """d = 1: every matrix is a scalar of the field."""

    def __init__(self, clients: Instance) -> None:
        self.clients, self.n, self.d, self.shared = clients, clients.n, 1, False
        self.weights = list(clients.weights)
        self._one = 0 * self.weights[0] + 1

    def number(self, value: Any) -> Any:
        return self._one * value

    def positive(self, P: Any) -> None:
        """A symbol has no sign: what holds for all its values holds for the positive ones."""

    def curvature(self, i: int) -> Any:
        return self.clients.A[i, 0, 0]

    def matrix(self, M: Any) -> Any:
        return self._one * np.asarray(M, dtype=object).reshape(-1)[0]

    def diagonal(self, p: Any) -> Any:
        return self.matrix(p)

    def dense(self, i: int, element: Any) -> Any:
        return element

    def element(self, i: int, dense: bool) -> Any:
        return self.curvature(i)


def free_names(settings: Any) -> list[str]:
    """The free names that occur in settings, each once."""
    if isinstance(settings, Free):
        return [str(settings)]
    if isinstance(settings, Mapping):
        settings = list(settings.values())
    if isinstance(settings, (list, tuple, np.ndarray)):
        return list(dict.fromkeys(name for value in settings for name in free_names(value)))
    return []


def filled(settings: Any, values: Mapping[str, Any]) -> Any:
    """Settings with values in the place of free names."""
    if isinstance(settings, Free):
        return values[settings]
    if isinstance(settings, Mapping):
        return {key: filled(value, values) for key, value in settings.items()}
    if isinstance(settings, (list, tuple)):
        return [filled(value, values) for value in settings]
    return settings

"""Data sets and how they are split over clients: ``data.load(name, split=..., clients=..., seed=..., limit=...)``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from surrogate.kit.lazy import lazy

if TYPE_CHECKING:
    from neural.data.catalogue import names
    from neural.data.federated import FederatedData
    from neural.data.fetching import fetch
    from neural.data.loading import load, options

__all__ = ["FederatedData", "fetch", "load", "names", "options"]

__getattr__ = lazy(
    __name__, {"catalogue": "names", "federated": "FederatedData", "fetching": "fetch", "loading": "load options"}
)

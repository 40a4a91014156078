"""The linear part of a client optimizer: its momentum."""

from __future__ import annotations

from typing import NamedTuple

from surrogate._types import Scalar
from surrogate.dictionary.rings import Ring
from surrogate.dictionary.settings import Settings
from surrogate.kit.errors import problem
from surrogate.methods.optimizers import optimizer

__all__ = ["Momentum", "momentum_of"]


class Momentum(NamedTuple):
    """m <- beta m + new g; ``corrected``: divided by what a constant gradient 1 would have left in it."""

    beta: Scalar
    new: Scalar
    corrected: bool


def momentum_of(ring: Ring, s: Settings, heavy: bool | None = None) -> Momentum:
    """The momentum in a method's settings: its own, or that of its ``optimizer``.

    ``heavy``: whether ``beta`` alone means a heavy ball (None: ``dampened`` says so). A second moment is refused unless
    frozen preconditioners replace it.
    """
    if s.has("optimizer"):
        made = optimizer(s.optimizer, s.ops)
        if made.second is not None and not s.has("frozen"):
            raise _nonlinear(s.name, f"optimizer {made.name!r}")
        return _momentum(ring, made.beta, made.dampened, made.bias_correction)
    corrected = s.has("bias_correction") and s.bias_correction
    if s.has("beta"):
        return _momentum(ring, s.beta, s.dampened if heavy is None else not heavy, corrected)
    if not s.has("frozen"):
        raise _nonlinear(s.name, "its own second moment")
    return _momentum(ring, s.beta1, True, corrected)


def _momentum(ring: Ring, beta: Scalar | None, dampened: bool, corrected: bool) -> Momentum:
    if beta is None:
        return Momentum(ring.number(0), ring.number(1), False)
    beta = ring.number(beta)
    return Momentum(beta, 1 - beta if dampened else ring.number(1), corrected)


def _nonlinear(name: str, what: str) -> Exception:
    return problem(
        f"the preconditioner of {name}",
        f"computed from gradients ({what})",
        "given preconditioners (frozen or realised), with which clients are linear",
        "an adaptive client, whose resting point has no closed form",
        "run it to rest with record=True, then pass the preconditioners that it kept as realised=...",
    )

"""From the distortions of a method to its resting point, in float64 and in exact rationals."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from surrogate._types import Array, Matrices
from surrogate.dictionary.algebra import Element
from surrogate.dictionary.rings import RationalRing, Ring
from surrogate.fields import Field, sizes
from surrogate.kit.errors import problem
from surrogate.linear_fields import LinearField

if TYPE_CHECKING:
    from surrogate.dictionary.exact_rest import ExactRest

Maybe = Callable[[], Array | None]
_CANCELLED = 1e-2  # differences this much smaller than their terms have lost two digits
_STILL = "clients that send nothing: gamma or alpha of 0, or powers of I - gamma A that underflow to 0"
_CLIMBING = (
    "clients of which some climb while others descend (gamma L > 1)",
    "lower gamma, or ask for resting_point, which needs no normalisation",
)
_DIVERGING = (
    "local steps that diverge (gamma times an eigenvalue beyond 2, or a matrix that has no inverse)",
    "lower gamma, or take fewer steps",
)

__all__ = ["AtRest", "FloatRest", "rest"]


class AtRest(LinearField[Any, Any]):
    """The field sum_i w_i D_i A_i (x - c_i) whose zero is the resting point of ``method``."""

    method: str

    @cached_property
    def rest_weights(self) -> Matrices:
        """D_i normalised to a weighted mean of I, (n, d, d)."""
        mean = np.tensordot(self.clients.weights, self.distortion, 1)
        try:
            return self._linear.solve(mean, self.distortion)
        except (ZeroDivisionError, np.linalg.LinAlgError):
            expected = "an invertible mean, to normalise the rest weights with"
            raise problem(f"the mean distortion of {self.method}", "singular", expected, *_CLIMBING) from None

    def _name(self) -> str:
        return f"{self.method} at rest"

    def _singular_cause(self) -> str:
        return super()._singular_cause() if self.distortion.any() else _STILL


class FloatRest(AtRest, Field):
    """In float64, through differences of the D_i that keep their digits."""

    def __init__(
        self,
        method: str,
        ring: Ring,
        distortions: Sequence[Element],
        closed: Maybe,
        changes: Maybe,
        drifts: Callable[[], Array],
    ) -> None:
        """``closed()``: the bias by an engine for this formula, ``changes()``: the D_i - D_0 (n, d, d) at full relative
        accuracy, or None where they are not to be had; ``drifts()``: of the constants of the D_i, diagonals (n, d)."""
        super().__init__(ring.clients, np.stack([D.value for D in distortions]))
        self.method, self._parts = method, distortions
        self._closed, self._changes, self._drifts = closed, changes, drifts

    @cached_property
    def _bias(self) -> Array:
        """sum_i w_i (D_i - D_0) g_i, for sum_i w_i g_i = 0.

        The differences are taken between the parts that vanish with gamma (few or small steps) or between the values
        (many steps: these are small beside their constants), whichever has the smaller terms. Where clients are almost
        equal both cancel; then the differences are computed as such, by `Surrogate` or `Preconditioned` where the
        method is one of these, else by pairs.
        """
        g, w = self.clients.residuals, self.clients.weights
        drift = self._drifts()
        rests = np.stack([D.rest for D in self._parts])
        near = _terms(w, rests, g) + float(w @ np.linalg.norm(drift * g, axis=1))
        far = _terms(w, self.distortion, g)
        if near < far:
            apart = drift[:, :, None] * np.eye(self.clients.d) + (rests - rests[0])
        else:
            apart = self.distortion - self.distortion[0]
        if 0 < _terms(w, apart, g) < _CANCELLED * min(near, far):
            closed = self._closed()
            if closed is not None:
                return closed
            changes = self._changes()
            apart = apart if changes is None else changes
        return np.asarray(np.einsum("i,ijk,ik->j", w, apart, g))


def _terms(w: Array, D: Array, g: Array) -> float:
    return float(w @ (sizes(D) * np.linalg.norm(g, axis=1)))


def rest(
    method: str, ring: Ring, distortions: Sequence[Element], closed: Maybe, changes: Maybe, drifts: Callable[[], Array]
) -> FloatRest | ExactRest:
    """The resting field of the kind that goes with the ring; what overflowed is refused."""
    if isinstance(ring, RationalRing):
        from surrogate.dictionary.exact_rest import ExactRest

        return ExactRest(method, ring.clients, [D.value for D in distortions])
    for i, D in enumerate(distortions):
        if not np.isfinite(D.value).all():
            what = f"the distortion of client {i} under {method}"
            raise problem(what, "infinite", "a finite matrix D_i", *_DIVERGING)
    return FloatRest(method, ring, distortions, closed, changes, drifts)

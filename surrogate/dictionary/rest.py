"""From the distortions of a method to its resting point, in float64 and in exact rationals."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from surrogate._types import Array
from surrogate.dictionary.algebra import Element
from surrogate.dictionary.rings import RationalRing, Ring
from surrogate.fields import Field, sizes
from surrogate.kit.errors import ProblemError, problem

if TYPE_CHECKING:
    from surrogate.dictionary.exact_rest import ExactRest

Changes = Callable[[], Array | None]
Drifts = Callable[[], Array]
_CANCELLED = 1e-2  # differences this much smaller than their terms have lost two digits

__all__ = ["FloatRest", "cause", "no_mean", "rest"]


class FloatRest(Field):
    """The field sum_i w_i D_i A_i (x - c_i) whose zero is the resting point of ``method``."""

    def __init__(
        self, method: str, ring: Ring, distortions: Sequence[Element], changes: Changes, drifts: Drifts
    ) -> None:
        """``changes()``: the D_i - D_0 (n, d, d) at full relative accuracy, or None where that is not to be had;
        ``drifts()``: the same of their constants, diagonals (n, d)."""
        super().__init__(ring.clients, np.stack([D.value for D in distortions]))
        self._method, self._parts, self._changes, self._drifts = method, distortions, changes, drifts

    @cached_property
    def _bias(self) -> Array:
        """sum_i w_i (D_i - D_0) g_i, for sum_i w_i g_i = 0.

        The differences are taken between the parts that vanish with gamma (few or small steps) or between the values
        (many steps: these are small beside their constants), whichever has the smaller terms. Where clients are almost
        equal both cancel; then the differences are computed as such.
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
            changes = self._changes()
            apart = apart if changes is None else changes
        return np.asarray(np.einsum("i,ijk,ik->j", w, apart, g))

    @cached_property
    def rest_weights(self) -> Array:
        """D_i normalised to a weighted mean of I, (n, d, d)."""
        mean = np.tensordot(self.clients.weights, self.distortion, 1)
        try:
            return np.asarray(np.linalg.solve(mean[None], self.distortion))
        except np.linalg.LinAlgError:
            raise no_mean(self._method) from None

    def _name(self) -> str:
        return f"{self._method} at rest"

    def _singular_cause(self) -> str:
        return cause(self.distortion.any())


def _terms(w: Array, D: Array, g: Array) -> float:
    return float(w @ (sizes(D) * np.linalg.norm(g, axis=1)))


def cause(any_sent: Any) -> str:
    """Why an averaged Hessian may be singular."""
    if any_sent:
        return "distortions that cancel between clients"
    return "clients that send nothing: gamma or alpha of 0, or powers of I - gamma A that underflow to 0"


def no_mean(method: str) -> ProblemError:
    """The error where distortions have no mean to be normalised with."""
    return problem(
        f"the mean distortion of {method}",
        "singular",
        "an invertible mean, to normalise the rest weights with",
        "clients of which some climb while others descend (gamma L > 1)",
        "lower gamma, or ask for resting_point, which needs no normalisation",
    )


def rest(
    method: str, ring: Ring, distortions: Sequence[Element], changes: Changes, drifts: Drifts
) -> FloatRest | ExactRest:
    """The resting field of the kind that goes with the ring; what overflowed is refused."""
    if isinstance(ring, RationalRing):
        from surrogate.dictionary.exact_rest import ExactRest

        return ExactRest(method, ring, distortions)
    for i, D in enumerate(distortions):
        if not np.isfinite(D.value).all():
            raise problem(
                f"the distortion of client {i} under {method}",
                "infinite",
                "a finite matrix D_i",
                "local steps that diverge (gamma times an eigenvalue beyond 2, or a matrix that has no inverse)",
                "lower gamma, or take fewer steps",
            )
    return FloatRest(method, ring, distortions, changes, drifts)

"""From the distortions of a method to its resting point, in float64 and in exact rationals."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np

from surrogate._types import Array
from surrogate.dictionary.algebra import Element
from surrogate.dictionary.rings import RationalRing, Ring
from surrogate.errors import ProblemError, problem
from surrogate.fields import Field

__all__ = ["ExactRest", "FloatRest", "rest"]


class FloatRest(Field):
    """The field sum_i w_i D_i A_i (x - c_i) whose zero is the resting point of ``method``."""

    def __init__(self, method: str, ring: Ring, distortions: Sequence[Element]) -> None:
        super().__init__(ring.clients, np.stack([D.value for D in distortions]))
        self._method, self._parts = method, distortions

    @cached_property
    def _bias(self) -> Array:
        """sum_i w_i D_i g_i with sum_i w_i g_i = 0: a common shift of the D_i costs nothing.

        Either their constants are shifted away (few or small steps: what remains is small), or nothing is (many
        steps: the values are small beside the constants). The route with the smaller terms loses fewer digits.
        """
        g, w = self.clients.residuals, self.clients.weights
        drift = np.array([D.constant - self._parts[0].constant for D in self._parts])
        rests = np.stack([D.rest for D in self._parts])
        near = _terms(w, rests, g) + float(w @ (np.abs(drift) * np.linalg.norm(g, axis=1)))
        apart = (
            drift[:, None, None] * np.eye(self.clients.d) + (rests - rests[0])
            if near < _terms(w, self.distortion, g)
            else self.distortion - self.distortion[0]
        )
        return np.asarray(np.einsum("i,ijk,ik->j", w, apart, g))

    @cached_property
    def rest_weights(self) -> Array:
        """D_i normalised to a weighted mean of I, (n, d, d)."""
        mean = np.tensordot(self.clients.weights, self.distortion, 1)
        try:
            return np.asarray(np.linalg.solve(mean[None], self.distortion))
        except np.linalg.LinAlgError:
            raise _no_mean(self._method) from None

    def _name(self) -> str:
        return f"{self._method} at rest"

    def _singular_cause(self) -> str:
        return _cause(self.distortion.any())


def _terms(w: Array, D: Array, g: Array) -> float:
    return float(w @ (np.linalg.norm(D, axis=(1, 2)) * np.linalg.norm(g, axis=1)))


class ExactRest:
    """The same in rationals: object arrays of fmpq."""

    def __init__(self, method: str, ring: RationalRing, distortions: Sequence[Element]) -> None:
        self._method, self._ring, self._parts = method, ring, distortions
        self.clients = ring.clients

    @cached_property
    def distortion(self) -> Any:
        """D_i (n, d, d)."""
        return np.stack([_table(D.value) for D in self._parts])

    @cached_property
    def jacobian(self) -> Any:
        """sum_i w_i D_i A_i (d, d)."""
        return _table(self._jacobian.value)

    @cached_property
    def _jacobian(self) -> Element:
        ring = self._ring
        return ring.mean([D * ring.matrix(A) for D, A in zip(self._parts, self.clients.A, strict=True)])

    @cached_property
    def resting_point(self) -> Any:
        """J^-1 sum_i w_i D_i b_i (d,)."""
        from flint import fmpq_mat

        ring = self._ring
        pull = sum(
            (
                D.value * fmpq_mat(ring.d, 1, [ring.number(w) * v for v in b])
                for D, w, b in zip(self._parts, ring.weights, self.clients.b, strict=True)
            ),
            fmpq_mat(ring.d, 1),
        )
        try:
            return _table(self._jacobian.value.solve(pull))[:, 0]
        except ZeroDivisionError:
            raise problem(
                f"the averaged Hessian of {self._method} at rest",
                "singular",
                "an invertible matrix sum_i w_i D_i A_i",
                _cause(self.distortion.any()),
                "lower gamma below 1/L, where every client's part is positive",
            ) from None

    @cached_property
    def displacement(self) -> Any:
        """Resting point minus x*, exactly."""
        return self.resting_point - self.clients.minimizer

    @cached_property
    def rest_weights(self) -> Any:
        """D_i normalised to a weighted mean of I, (n, d, d)."""
        try:
            scale = self._ring.mean(self._parts).inverse()
        except ZeroDivisionError:
            raise _no_mean(self._method) from None
        return np.stack([_table((scale * D).value) for D in self._parts])


def _table(matrix: Any) -> Any:
    """A flint matrix as an object array."""
    table = np.empty((matrix.nrows(), matrix.ncols()), dtype=object)
    table[:] = matrix.tolist()
    return table


def _cause(any_sent: Any) -> str:
    if any_sent:
        return "distortions that cancel between clients"
    return "clients that send nothing: gamma or alpha of 0, or powers of I - gamma A that underflow to 0"


def _no_mean(method: str) -> ProblemError:
    return problem(
        f"the mean distortion of {method}",
        "singular",
        "an invertible mean, to normalise the rest weights with",
        "clients of which some climb while others descend (gamma L > 1)",
        "lower gamma, or ask for resting_point, which needs no normalisation",
    )


def rest(method: str, ring: Ring, distortions: Sequence[Element]) -> FloatRest | ExactRest:
    """The resting field of the kind that goes with the ring; what overflowed is refused."""
    if isinstance(ring, RationalRing):
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
    return FloatRest(method, ring, distortions)

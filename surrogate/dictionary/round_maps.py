"""The exact affine map of one round, read off by running the method's own code on basis vectors.

One round takes the stacked state s (the server's vectors, then what each client keeps) to M s + o: the column M e_j is
the round played from e_j with the linear terms b_i left out, and o the round played from 0. In rationals the map is
exact; a further round from a point off the axes checks that the method is affine. Cost: one round a coordinate, so many
local steps are dear.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from surrogate._types import Array, ArrayLike, Numbers, QuadraticClients
from surrogate.kit.errors import ProblemError, problem
from surrogate.methods.method import Method, State
from surrogate.methods.rounds import QuadraticClient, play, quadratic_clients
from surrogate.numbers import is_exact

__all__ = ["RoundMap", "probe"]

_EPS = float(np.finfo(float).eps)
_SLACK = 1e-9  # of the terms of M s + o: what rounding leaves when a linear method is probed in float64


@dataclass(frozen=True)
class RoundMap:
    """The affine map of one round on the stacked state, s+ = M s + o.

    ``method``: its name; ``matrix`` M (N, N); ``offset`` o (N,); ``names``: the slice of s that each vector takes ("x",
    "m", "client 0: c", ...); ``start`` (N,): the state in which the method begins, at x = 0.
    """

    method: str
    matrix: Numbers  # (N, N)
    offset: Numbers  # (N,)
    names: Mapping[str, slice]
    start: Numbers  # (N,), from x = 0

    @property
    def exact(self) -> bool:
        """In rationals?"""
        return is_exact(self.matrix)

    def apply(self, s: Numbers) -> Numbers:
        """The state M s + o after one round from ``s`` (N,)."""
        return self.matrix @ s + self.offset

    def solve(self) -> dict[str, Numbers]:
        """The fixed point that the method can reach, vector by vector.

        Where a combination of states is conserved (SCAFFOLD keeps c minus the mean of the c_i) there are many fixed
        points. s_t - start stays in the range of R = I - M, so the one reached is start + u with R u = o - R start, u
        in that range. In float64 R is taken for singular below rounding: rates under 1e-12 need rationals.
        """
        gap = self.apply(self.start) - self.start  # o - R start
        u = _rational_range_solution(self._fixing, gap, self.method) if self.exact else self._range_solution(gap)
        return {name: (self.start + u)[part] for name, part in self.names.items()}

    @cached_property
    def _fixing(self) -> Numbers:
        """R = I - M."""
        one, N = 1 + 0 * self.offset[0], len(self.offset)
        return np.array([[one * int(j == k) for k in range(N)] for j in range(N)]) - self.matrix

    @cached_property
    def _moving(self) -> Array:
        """An orthonormal basis of the range of R, (N, r), float64."""
        U, sizes, _ = np.linalg.svd(self._fixing)
        return np.asarray(U[:, sizes > 4 * len(U) * _EPS * max(1.0, float(sizes[0]))])

    def _range_solution(self, gap: Array) -> Array:
        """u = U z with R U z = gap, U the basis of the range."""
        reached = self._fixing @ self._moving
        z = np.linalg.lstsq(reached, gap)[0]
        if not np.linalg.norm(reached @ z - gap) <= 1e-8 * np.linalg.norm(gap):
            raise _no_fixed_point(self.method)
        return np.asarray(self._moving @ z)

    @cached_property
    def radius(self) -> float:
        """How fast s_t settles (float64): the largest |eigenvalue| of M on the range of I - M, where states move.

        Where eigenvectors coincide (a defective M) half of the digits are right.
        """
        if self.exact:
            raise problem(
                "radius",
                "asked of an exact round map",
                "a float64 round map (eigenvalues are irrational)",
                "clients of surrogate.exact",
                "build it from clients.to_float()",
            )
        inside = self._moving.T @ self.matrix @ self._moving
        return float(np.abs(np.linalg.eigvals(inside)).max(initial=0.0))


def probe(method: Method, clients: QuadraticClients) -> RoundMap:
    """The round map of a method whose round is affine; others are refused, with what broke linearity."""
    stack = _Stack(method, clients)
    try:
        with np.errstate(all="ignore"):  # an adaptive server without eps divides 0 by 0 on the way to being refused
            found, counts, affine = _played(stack, method.name)
    except ZeroDivisionError:  # the same in rationals
        counts, affine = False, False
    if counts:
        raise problem(
            f"the round of {method.name}",
            "another one in every round (its state counts them)",
            "a method whose round stays the same",
            "bias correction of momenta that are carried from round to round",
            "turn bias_correction off, or ask for resting_point",
        )
    if not affine:
        raise problem(
            f"the round of {method.name}",
            "not affine in (x, state)",
            "a linear method, or an adaptive one with frozen preconditioners",
            "preconditioners computed from gradients, or a rate so small that float64 loses the step",
            "freeze the preconditioners, take rationals, or ask for resting_point",
        )
    return found


def _played(stack: _Stack, name: str) -> tuple[RoundMap, bool, bool]:
    """The map; whether the state counts rounds; whether a further point lands where the map says."""
    clients = stack.clients
    linear = [QuadraticClient(A, 0 * b) for A, b in zip(clients.A, clients.b, strict=True)]
    full = quadratic_clients(clients)
    eye = [stack.unit(j) for j in range(stack.size)]
    matrix = np.stack([stack.play(e, linear) for e in eye], axis=1)
    found = RoundMap(name, matrix, stack.play(stack.unit(None), full), stack.names, stack.start)
    point = sum(((j + 2) * e for j, e in enumerate(eye)), stack.unit(None))
    gap = stack.play(point, full) - found.apply(point)
    if found.exact:
        return found, stack.counts_rounds(full), not any(g != 0 for g in gap)
    terms = np.abs(found.matrix) @ np.abs(point) + np.abs(found.offset)
    return found, stack.counts_rounds(full), bool((np.abs(gap) <= _SLACK * terms.max()).all())


class _Stack:
    """Which vectors a method keeps, laid end to end."""

    def __init__(self, method: Method, clients: QuadraticClients) -> None:
        self.method, self.clients = method, clients
        x = 0 * clients.b[0]
        self.server: State = method.start(x)
        self.kept: State = method.enrol(x)
        places: list[tuple[int | None, str]] = [(None, key) for key in self.server if self._holds(self.server[key])]
        places += [(i, key) for i in range(clients.n) for key in self.kept if self._holds(self.kept[key])]
        d = clients.d
        self.places = places
        self.size = d * len(places)
        self.names = {
            key if i is None else f"client {i}: {key}": slice(d * p, d * p + d) for p, (i, key) in enumerate(places)
        }
        self.start = np.concatenate([np.array(self._owner(i)[key]) for i, key in places])
        self.one = 1 + 0 * clients.b[0, 0]

    def _holds(self, value: ArrayLike) -> bool:
        return bool(np.shape(value) == (self.clients.d,))

    def _owner(self, i: int | None) -> State:
        return self.server if i is None else self.kept

    def unit(self, j: int | None) -> Numbers:
        """The j-th basis vector (0 for None)."""
        return np.array([self.one if k == j else 0 * self.one for k in range(self.size)])

    def counts_rounds(self, clients: Sequence[QuadraticClient]) -> bool:
        """Do numbers that are no vectors (the mass of a momentum) change in a round?"""
        state, own = play(self.method, self.server, {}, clients, self.clients.weights)
        return any(
            np.ndim(after[key]) == 0 and after[key] != value
            for before, after in ((self.server, state), *((self.kept, kept) for kept in own.values()))
            for key, value in before.items()
        )

    def play(self, s: Numbers, clients: Sequence[QuadraticClient]) -> Numbers:
        """One round from the stacked state s."""
        state, own = dict(self.server), {i: dict(self.kept) for i in range(self.clients.n)}
        for (i, key), part in zip(self.places, self.names.values(), strict=True):
            (state if i is None else own[i])[key] = s[part]
        state, own = play(self.method, state, own, clients, self.clients.weights)
        return np.concatenate([np.asarray((state if i is None else own[i])[key]) for i, key in self.places])


def _rational_range_solution(R: Numbers, gap: Numbers, method: str) -> Numbers:
    """The u in the range of R with R u = gap: u = R v with R^2 v = gap, through the reduced row echelon form."""
    from flint import fmpq, fmpq_mat

    N = len(gap)
    reduced, rank = fmpq_mat([[*row, g] for row, g in zip((R @ R).tolist(), gap.tolist(), strict=True)]).rref()
    v = [fmpq(0)] * N
    for r in range(rank):
        pivot = next(k for k in range(N + 1) if reduced[r, k] != 0)
        if pivot == N:
            raise _no_fixed_point(method)
        v[pivot] = reduced[r, N]
    return np.asarray(R @ np.array(v))


def _no_fixed_point(method: str) -> ProblemError:
    return problem(
        f"the round map of {method}",
        "without a fixed point",
        "states that settle",
        "a step so large that the average of the clients is singular",
        "lower gamma",
    )

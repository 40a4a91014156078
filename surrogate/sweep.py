"""Surrogate minimizers on a whole grid of client rates and local steps, at the price of a few client sums.

Pair p = (gamma, K) needs the averaged Hessian ``J_p = sum_i w_i V_i diag(l_i s_p(l_i)) V_i^T`` with the scalar filter
``s_p(l) = sum_{k<K} (1 - gamma l)^k``. The filters of a grid resemble each other: as functions of ``l`` on the clients'
spectrum they span, up to rounding, some tens of dimensions, whatever the number of pairs. A pivoted QR picks pairs r
that span the others, ``s_p = sum_r C_pr s_r``; then ``J_p = sum_r C_pr J_r`` costs client sums for the picked pairs
alone. The displacement solves ``J_p (x~_p - x*) = -sum_i w_i (D_i - a I) A_i (x* - c_i)`` for every a: the mean of the
client gradients vanishes at x*. We take a = K while gamma (K - 1) L <= 1, so that nothing cancels as gamma -> 0, and
a = 0 beyond. The right-hand side is compressed the same way.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np

from surrogate._types import Array
from surrogate.kit import checks
from surrogate.kit.errors import ProblemError, problem
from surrogate.linear import FLOAT64
from surrogate.quadratics import Quadratics
from surrogate.theta import Theta, each

__all__ = ["minimizers"]

_EPS = float(np.finfo(float).eps)
_FEWEST_PAIRS = 32  # below: a sum for every pair is as cheap
_MOST_PAIRS = 4096  # compressed together: bounds the memory
_SMOOTH = 1.75  # gamma l up to here: (1 - gamma l)^K has no layer thinner than the nodes resolve, and s_p > 0
_ACCURATE = 1e-13  # relative error of s_p, hence of every x^T J_p x
_CHECKS = 256  # eigenvalues of the clients at which the compression is checked
_NEGLIGIBLE = 1e-200  # rows that small have lost digits to underflow: they are not rescaled, and fail the check
_BATCH_BYTES = 10 * 2**20

Mask = np.ndarray[Any, np.dtype[np.bool_]]  # (p,)
Indices = np.ndarray[Any, np.dtype[np.int64]]


class Skeleton(NamedTuple):
    """Pairs that span the others: ``values[p] ~= coefficients[p] @ values[picked]``."""

    picked: Indices  # (r,)
    coefficients: Array  # (p, r)


class Pairs(NamedTuple):
    """Pairs (gamma, K), flat."""

    gamma: Array  # (p,)
    theta: list[Theta]  # p times Theta.sum(K)

    def take(self, index: Iterable[int]) -> Pairs:
        """The pairs at these positions."""
        index = list(index)
        return Pairs(self.gamma[index], [self.theta[p] for p in index])

    def filter(self, spectrum: Array) -> Array:
        """s_p(l) = sum_{k<K} (1 - gamma l)^k, (p, len(spectrum))."""
        return each(self.theta, Theta.filter, self.gamma[:, None] * spectrum)

    def force(self, spectrum: Array, L: float) -> Array:
        """s_p(l) - a, the smaller of the deficit (a = K) and the filter (a = 0), (p, len(spectrum))."""
        near = self.gamma * [theta.steps - 1 for theta in self.theta] * L <= 1
        return np.where(
            near[:, None], each(self.theta, Theta.deficit, self.gamma[:, None] * spectrum), self.filter(spectrum)
        )


def minimizers(clients: Quadratics, gammas: Iterable[float], Ks: Iterable[int]) -> Array:
    r"""Minimizers of the surrogates of local SGD on a grid, (len(gammas), len(Ks), d).

    .. math:: \tilde x(\gamma, K) = \arg\min_x \sum_i w_i \tilde f_i(x), \qquad
        \nabla \tilde f_i(x) = \sum_{k<K} (I - \gamma A_i)^k A_i (x - c_i)

    ``clients``: the quadratics. ``gammas``: client rates >= 0. ``Ks``: local steps >= 1, any size.
    Entry [g, k] is ``Surrogate(clients, gammas[g], Theta.sum(Ks[k])).minimizer`` up to rounding, and raises what that
    raises where the averaged Hessian is singular.

    >>> clients = Quadratics([[[1.0]], [[2.0]]], [[1.0], [0.5]])
    >>> minimizers(clients, [0.0, 0.25], [1, 2]).round(6)[..., 0].tolist()
    [[0.666667, 0.666667], [0.666667, 0.684211]]
    """
    clients = checks.clients(clients, Quadratics)
    rates, which_rate = np.unique(_rates(gammas), return_inverse=True)
    counts = [Theta.sum(K).steps for K in _listed(Ks, "Ks")]
    steps = sorted(set(counts))
    pairs = Pairs(np.repeat(rates, len(steps)), [Theta.sum(K) for K in steps] * len(rates))
    found = np.empty((len(pairs.gamma), clients.d))
    easy = np.flatnonzero(pairs.gamma * clients.L <= _SMOOTH)
    hard = np.setdiff1d(np.arange(len(pairs.gamma)), easy)
    for block in np.array_split(easy, -(-len(easy) // _MOST_PAIRS) or 1):
        found[block], failed = _compressed(clients, pairs.take(block))
        hard = np.concatenate([hard, block[failed]])
    frames = _side_by_side(clients)
    for p in np.sort(hard):  # in order: the first singular pair of the grid is the one to be named
        found[p] = _direct(clients, frames, pairs.take([p]))
    return found.reshape(len(rates), len(steps), clients.d)[which_rate][:, [steps.index(K) for K in counts]]


def _direct(clients: Quadratics, frames: Array, pair: Pairs) -> Array:
    """One sum over the clients for this pair alone; Surrogate has the say where the averaged Hessian looks singular."""
    s = pair.filter(clients.spectra.ravel())[0]
    with np.errstate(over="ignore", invalid="ignore"):
        parts = clients.spectra * s.reshape(clients.spectra.shape)  # eigenvalues of D_i A_i
        hessian = (frames * np.repeat(clients.weights, clients.d) * parts.ravel()) @ frames.T
        scale = float(clients.weights @ np.linalg.norm(parts, axis=1))
    if np.isfinite(hessian).all() and np.abs(np.linalg.eigvalsh(hessian)).min() > 4 * clients.d * _EPS * scale:
        force = _forces(clients, frames, pair)[0]
        return np.asarray(clients.minimizer + np.linalg.solve(hessian, force))
    from surrogate.local_update import Surrogate

    try:
        return np.asarray(Surrogate(clients, pair.gamma[0], pair.theta[0]).minimizer)
    except ProblemError as error:
        raise ProblemError(f"At gamma = {float(pair.gamma[0])!r}, K = {pair.theta[0].steps}: {error}") from error


def _side_by_side(clients: Quadratics) -> Array:
    """Eigenvectors of all clients, (d, n d)."""
    return clients.frames.transpose(1, 0, 2).reshape(clients.d, -1)


def _compressed(clients: Quadratics, pairs: Pairs) -> tuple[Array, Mask]:
    """Minimizers (p, d), and for which pairs (p,) they could not be had this way to full accuracy."""
    found = np.empty((len(pairs.gamma), clients.d))
    failed = np.ones(len(found), dtype=bool)
    if len(found) < _FEWEST_PAIRS:
        return found, failed
    nodes, checks = _nodes(clients, float(pairs.gamma.max()) * max(theta.steps for theta in pairs.theta))
    left = _skeleton(pairs.filter(nodes), np.sqrt(nodes))
    right = _skeleton(pairs.force(nodes, clients.L), np.sqrt(nodes))
    if 2 * len(left.picked) > len(found):
        return found, failed
    failed = ~(
        _left_is_accurate(pairs, left, checks)
        & _right_is_accurate(pairs, right, checks, clients.L)
        & _well_conditioned(clients, pairs, checks)
    )
    if 2 * len(left.picked) > np.count_nonzero(~failed):
        return found, np.ones_like(failed)
    for batch, displacements in _displacements(clients, pairs, left, right, np.flatnonzero(~failed)):
        found[batch] = clients.minimizer + displacements
    return found, failed


def _nodes(clients: Quadratics, horizon: float) -> tuple[Array, Array]:
    """Where filters are compared: all eigenvalues if they are few, else Chebyshev points in log l; and where checked.

    In log l the filters are as smooth as exp(-exp(.)); below 1e-17 / (gamma K) they are constant.
    """
    spectrum = np.unique(clients.spectra[clients.spectra > 0])  # l s_p(l) and s_p(l) - K vanish at 0 by themselves
    top = spectrum[-1]
    bottom = max(spectrum[0], 1e-17 * min(1 / horizon if horizon else np.inf, top))
    half_width = float(np.log(top / bottom)) / 2
    count = int(64 + 32 * half_width)
    if len(spectrum) <= count + _CHECKS:
        return spectrum, spectrum
    angles = np.pi * (np.arange(count) + 0.5) / count
    nodes = top * np.exp(half_width * (np.cos(angles) - 1))
    return nodes, spectrum[np.linspace(0, len(spectrum) - 1, _CHECKS).round().astype(int)]


def _skeleton(values: Array, weight: Array) -> Skeleton:
    """Rows of ``values`` (p, nodes) that span the others: Gram-Schmidt with pivoting on rows scaled to maximum 1.

    (numpy alone: scipy brings a second BLAS, whose threads would fight with numpy's for the cores.)
    """
    scale = np.abs(values * weight).max(axis=1)
    scale[scale < _NEGLIGIBLE] = 1.0
    rest = (values * weight / scale[:, None]).T
    basis, triangle, picked = np.zeros((len(rest), 0)), np.zeros((0, len(values))), np.zeros(0, dtype=np.int64)
    lengths = np.einsum("mp,mp->p", rest, rest)
    negligible = (8 * _EPS) ** 2 * lengths.max()
    while len(picked) < min(rest.shape) and lengths.max() > negligible:
        pivot = int(np.argmax(lengths))
        column = rest[:, pivot] - basis @ (basis.T @ rest[:, pivot])
        column /= np.linalg.norm(column)
        row = column @ rest
        rest -= column[:, None] * row
        rest[:, pivot] = 0.0  # not what rounding leaves: it must not be picked again
        basis, triangle = np.column_stack([basis, column]), np.vstack([triangle, row])
        picked = np.append(picked, pivot)
        lengths = np.einsum("mp,mp->p", rest, rest)
    coefficients = np.linalg.solve(triangle[:, picked], triangle).T
    coefficients[picked] = np.eye(len(picked))
    return Skeleton(picked, coefficients * scale[:, None] / scale[picked])


def _left_is_accurate(pairs: Pairs, skeleton: Skeleton, spectrum: Array) -> Mask:
    """Is J_p right to 1e-13 in every direction, up to the rounding that forming it directly leaves, too?

    |df| <= e f + e' on the spectrum gives |x^T dJ x| <= e x^T J x + e' |x|^2, also where clients are singular; the
    direct sum has e' = eps max f.
    """
    exact = pairs.filter(spectrum)
    error = np.abs(skeleton.coefficients @ exact[skeleton.picked] - exact) * spectrum
    exact *= spectrum
    return np.asarray((error <= _ACCURATE * exact + _EPS * exact.max(axis=1, keepdims=True)).all(axis=1))


def _right_is_accurate(pairs: Pairs, skeleton: Skeleton, spectrum: Array, L: float) -> Mask:
    """Is s_p - a right to 1e-13 of its largest value? Each times sqrt(l), as in the norm x^T A x of the solution."""
    exact = pairs.force(spectrum, L)
    error = np.abs(skeleton.coefficients @ exact[skeleton.picked] - exact) * np.sqrt(spectrum)
    size = np.abs(exact) * np.sqrt(spectrum)
    return np.asarray(error.max(axis=1) <= _ACCURATE * size.max(axis=1))


def _well_conditioned(clients: Quadratics, pairs: Pairs, spectrum: Array) -> Mask:
    """Is J_p >= min s_p sum_i w_i A_i far from where Surrogate would call it singular?"""
    s = pairs.filter(spectrum)
    least = s.min(axis=1) * np.linalg.eigvalsh(clients.hessian)[0]
    most = np.sqrt(clients.d) * (s * spectrum).max(axis=1)  # at least the mean of ||D_i A_i||_F
    return np.asarray(least > 8 * clients.d * _EPS * most)


def _displacements(
    clients: Quadratics, pairs: Pairs, left: Skeleton, right: Skeleton, wanted: Indices
) -> Iterator[tuple[Indices, Array]]:
    """x~_p - x* for the wanted pairs, some at a time so that their Hessians stay in the cache."""
    d, frames = clients.d, _side_by_side(clients)
    sums = _hessians(clients, frames, pairs.take(left.picked)).reshape(-1, d * d)
    forces = right.coefficients @ _forces(clients, frames, pairs.take(right.picked))
    size = max(1, _BATCH_BYTES // (8 * d * d))
    hessians = np.empty((size, d * d))
    for batch in (wanted[k : k + size] for k in range(0, len(wanted), size)):
        H = np.matmul(left.coefficients[batch], sums, out=hessians[: len(batch)]).reshape(-1, d, d)
        yield batch, np.asarray(np.linalg.solve(H, forces[batch, :, None])[..., 0], dtype=float)


def _hessians(clients: Quadratics, frames: Array, pairs: Pairs) -> Array:
    """J_r = sum_i w_i V_i diag(l s_r(l)) V_i^T as B B^T (s_r > 0), (r, d, d)."""
    mass = np.repeat(clients.weights, clients.d) * clients.spectra.ravel()
    sums = np.empty((len(pairs.theta), clients.d, clients.d))
    half = np.empty_like(frames)
    for r, s in enumerate(pairs.filter(clients.spectra.ravel())):
        np.multiply(frames, np.sqrt(mass * s), out=half)
        np.matmul(half, half.T, out=sums[r])
    return sums


def _forces(clients: Quadratics, frames: Array, pairs: Pairs) -> Array:
    """-sum_i w_i V_i diag(s_r(l) - a) V_i^T A_i (x* - c_i), (r, d)."""
    gradients = np.matmul(clients.residuals[:, None, :], clients.frames)[:, 0] * clients.weights[:, None]
    forces: Array = -(pairs.force(clients.spectra.ravel(), clients.L) * gradients.ravel()) @ frames.T
    return forces


def _rates(gammas: Iterable[float]) -> Array:
    rates = FLOAT64.array(_listed(gammas, "gammas"), "gammas", 1, "(number of rates,)")
    if rates.min(initial=0.0) < 0:
        g = int(np.argmin(rates))
        raise problem(f"gammas[{g}]", rates[g], "a rate >= 0", "a sign slip", "pass rates >= 0")
    return rates


def _listed(values: object, name: str) -> list[Any]:
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise problem(name, repr(values), "a list, one axis of the grid", "a single pair", f"pass [{values!r}]")
    return list(values)

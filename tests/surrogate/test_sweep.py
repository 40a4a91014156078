"""sweep.minimizers(clients, gammas, Ks)[g, k] == Surrogate(clients, gammas[g], Theta.sum(Ks[k])).minimizer."""

from __future__ import annotations

import mpmath
import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from benchmarks import exact_reference as reference
from surrogate import sweep, toys
from surrogate.kit.errors import ProblemError
from surrogate.local_update import Surrogate
from surrogate.quadratics import Quadratics
from surrogate.theta import Theta

EPS = np.finfo(float).eps
STEPS = [1, 2, 5, 10, 20, 50, 100, 1000]
GAMMAS = np.geomspace(1e-3, 1, 25)


def population(seed: int, n: int, d: int, mu: float = 0.01, L: float = 1.0, rank: int | None = None) -> Quadratics:
    """Random clients of random weights; with ``rank``, clients that are singular but whose mean is definite."""
    rng = np.random.default_rng(seed)
    A, c = reference.population(n, d, mu, L, seed)
    if rank is not None:
        X = rng.normal(size=(n, rank, d))
        A = X.transpose(0, 2, 1) @ X / (8 * d)
    weights = rng.uniform(0.1, 1, n)
    return Quadratics(A, c, weights / weights.sum())


def backward_error(clients: Quadratics, gamma: float, K: int, x: np.ndarray) -> float:
    """Size of F(x) relative to the sizes of the terms that make it: what rounding alone makes about d eps."""
    s = Surrogate(clients, gamma, Theta.sum(K))
    norms = np.linalg.norm(s.distortion, axis=(1, 2))
    gradients = np.linalg.norm(clients.residuals, axis=1) + np.linalg.norm(clients.A @ (x - clients.minimizer), axis=1)
    rounding = np.linalg.norm(clients.minimizer) * (norms * np.linalg.norm(clients.A, axis=(1, 2)))
    return float(np.linalg.norm(s.gradient(x)) / (clients.weights @ (norms * gradients + EPS * rounding)))


def one_by_one(clients: Quadratics, gammas, Ks) -> np.ndarray:
    return np.array([[Surrogate(clients, g, Theta.sum(K)).minimizer for K in Ks] for g in gammas])


@pytest.fixture
def direct_calls(monkeypatch):
    """The pairs that did not go through the compression."""
    calls, original = [], sweep._direct

    def spy(clients, frames, pair):
        calls.append((float(pair.gamma[0]), pair.theta[0].steps))
        return original(clients, frames, pair)

    monkeypatch.setattr(sweep, "_direct", spy)
    return calls


@given(
    seed=st.integers(0, 10**6),
    n=st.integers(1, 5),
    d=st.integers(1, 8),
    gammas=st.lists(st.floats(0, 4), min_size=1, max_size=10),
    Ks=st.lists(st.integers(1, 40), min_size=1, max_size=6),
)
@example(seed=0, n=2, d=3, gammas=[0.5] * 8 + [0.0, 2.0], Ks=[3, 3, 1, 2, 5])
@example(seed=0, n=1, d=1, gammas=[0.0, 1.0, 0.5, 0.75, 0.25, 5e-324], Ks=[1, 2, 3, 4, 5, 6])
@example(seed=1, n=3, d=2, gammas=np.linspace(0, 4, 20).tolist(), Ks=[1, 2, 3, 40])
def test_each_entry_is_the_minimizer_of_its_surrogate(seed, n, d, gammas, Ks):
    """Any grid, in any order, with duplicates, also past gamma L = 2, is Surrogate asked pair by pair, errors too."""
    clients = population(seed, n, d)
    try:
        expected = one_by_one(clients, gammas, Ks)
    except ProblemError:
        with pytest.raises(ProblemError, match=r"At gamma = .*, K = .*singular"):
            sweep.minimizers(clients, gammas, Ks)
        return
    found = sweep.minimizers(clients, gammas, Ks)
    assert found.shape == expected.shape == (len(gammas), len(Ks), d)
    for g, gamma in enumerate(gammas):
        for k, K in enumerate(Ks):
            assert backward_error(clients, gamma, K, found[g, k]) < 1e-12
            if gamma < 1.7:
                np.testing.assert_allclose(found[g, k], expected[g, k], rtol=0, atol=1e-11)


@given(seed=st.integers(0, 10**6), n=st.integers(1, 6), d=st.integers(1, 8), reach=st.floats(0.01, 1.7))
def test_compression_leaves_no_trace(seed, n, d, reach):
    """A grid large enough to be compressed agrees with one sum a pair to 1e-12 of the clients' spread."""
    clients = population(seed, n, d)
    gammas = reach * GAMMAS
    found = sweep.minimizers(clients, gammas, STEPS)
    spread = np.abs(clients.c).max()
    some = slice(seed % 8, None, 8)
    np.testing.assert_allclose(found[some], one_by_one(clients, gammas[some], STEPS), rtol=0, atol=1e-12 * spread)


def test_the_large_grid_is_compressed(direct_calls):
    """Pairs with gamma L <= 1.75 share their client sums; the others get one each."""
    clients = population(3, 12, 8)
    gammas = np.append(GAMMAS, [1.9, 2.5])
    found = sweep.minimizers(clients, gammas, STEPS[:4])
    assert sorted(set(direct_calls)) == [(g, K) for g in (1.9, 2.5) for K in STEPS[:4]]
    np.testing.assert_allclose(found, one_by_one(clients, gammas, STEPS[:4]), rtol=0, atol=1e-11)


def test_few_pairs_are_summed_one_by_one(direct_calls):
    clients = population(4, 3, 4)
    found = sweep.minimizers(clients, [0.5], [7])
    assert direct_calls == [(0.5, 7)]
    np.testing.assert_allclose(found[0, 0], Surrogate(clients, 0.5, Theta.sum(7)).minimizer, rtol=0, atol=1e-14)


def test_chebyshev_nodes_against_local_steps_in_long_doubles(direct_calls):
    """More eigenvalues than nodes: every pair is within 1e-11 of the point where the local steps cancel."""
    A, c = reference.population(12, 40, 0.01, 1.0, seed=5)
    clients = Quadratics(A, c)
    nodes, checks = sweep._nodes(clients, 1000.0)
    assert len(nodes) < len(np.unique(clients.spectra)) and len(checks) == sweep._CHECKS
    found = sweep.minimizers(clients, GAMMAS, STEPS[:7])
    assert not direct_calls
    errors = [
        reference.solution_error(A, c, float(GAMMAS[g]), STEPS[k], found[g, k])
        for g in range(0, len(GAMMAS), 6)
        for k in range(7)
    ]
    assert max(errors) < 1e-12


def test_many_neighbouring_steps_share_their_sums(direct_calls):
    """K = 1..59 up to gamma L = 1.74: the rank is high, and pivots meet rows of rounding that must not be picked."""
    clients = Quadratics(*reference.population(60, 20, 1e-4, 1.0))
    gammas, Ks = np.geomspace(1e-3, 1.74, 60), range(1, 60)
    found = sweep.minimizers(clients, gammas, Ks)
    assert not direct_calls
    for g, k in [(0, 0), (0, 58), (30, 20), (45, 58), (58, 1), (59, 0), (59, 1), (59, 2), (59, 57), (59, 58)]:
        expected = Surrogate(clients, gammas[g], Theta.sum(Ks[k])).minimizer
        assert np.linalg.norm(found[g, k] - expected) <= 1e-12 * np.linalg.norm(expected)


def in_sixty_digits(clients: Quadratics, gamma: float, K: int) -> np.ndarray:
    """x~ from the powers (I - gamma A)^K themselves."""
    with mpmath.workdps(60):
        eye, J, h = mpmath.eye(clients.d), mpmath.zeros(clients.d), mpmath.zeros(clients.d, 1)
        for w, A_i, c_i in zip(clients.weights.tolist(), clients.A.tolist(), clients.c.tolist(), strict=True):
            part = w * (eye - (eye - mpmath.mpf(gamma) * mpmath.matrix(A_i)) ** K)
            J, h = J + part, h + part * mpmath.matrix(c_i)
        return np.array(mpmath.lu_solve(J, h).tolist(), dtype=float).ravel()


@pytest.mark.parametrize("mu", [0.5, 0.01, 1e-6, 1e-10])
def test_against_sixty_digits(mu, direct_calls):
    """Relative error below the condition number times a few roundings, in compressed grids that reach K = 10^6."""
    tolerance = 16 * EPS * max(10.0, 1 / mu)
    clients = population(6, 3, 4, mu=mu)
    Ks = [1, 2, 30, 1000, 10**6]
    found = sweep.minimizers(clients, GAMMAS, Ks)
    assert not direct_calls
    for g in (0, 11, 24):
        for k, K in enumerate(Ks):
            exact = in_sixty_digits(clients, float(GAMMAS[g]), K)
            assert np.linalg.norm(found[g, k] - exact) <= tolerance * np.linalg.norm(exact)


def test_displacements_of_1e_9_keep_their_digits():
    """Around x* = 0 the minimizer is the displacement: it keeps its relative accuracy as gamma -> 0."""
    A, c = reference.population(4, 5, 0.1, 1.0, seed=7)
    b = np.einsum("ijk,ik->ij", A, c)
    clients = Quadratics.from_linear(A, b - b.mean(axis=0))
    gammas = np.geomspace(1e-12, 1e-3, 30)
    found = sweep.minimizers(clients, gammas, [2, 50])
    for g in (0, 10, 29):
        for k, K in enumerate([2, 50]):
            displacement = Surrogate(clients, gammas[g], Theta.sum(K)).displacement
            error = np.linalg.norm(found[g, k] - clients.minimizer - displacement)
            assert error <= 1e-11 * np.linalg.norm(displacement) + 2 * EPS * np.linalg.norm(clients.minimizer)


@pytest.mark.parametrize("rank", [1, 3])
def test_singular_clients(rank, direct_calls):
    """Least squares with fewer rows than unknowns a client."""
    clients = population(8, 9, 6, rank=rank)
    assert clients.mu == 0.0 or clients.mu < 1e-15
    gammas = GAMMAS / clients.L
    found = sweep.minimizers(clients, gammas, STEPS)
    expected = one_by_one(clients, gammas, STEPS)
    assert not direct_calls
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-11 * np.abs(expected).max())


def test_steps_of_zero_size_and_single_steps_rest_at_the_minimizer():
    clients = population(9, 4, 3)
    found = sweep.minimizers(clients, [0.0, *GAMMAS], [1, 4])
    assert (found[0] == clients.minimizer).all()
    assert (found[:, 0] == clients.minimizer).all()


def test_all_rates_zero():
    clients = population(9, 4, 3)
    found = sweep.minimizers(clients, [0.0] * 40, [1, 4])
    assert (found == clients.minimizer).all()


@pytest.mark.parametrize("gammas, Ks", [([], [1, 2]), ([0.1], []), ([], [])])
def test_an_empty_axis_gives_an_empty_table(gammas, Ks):
    assert sweep.minimizers(population(9, 4, 3), gammas, Ks).shape == (len(gammas), len(Ks), 3)


def test_one_client_and_equal_clients_rest_at_the_minimizer():
    alone = population(10, 1, 5)
    twins = Quadratics(np.repeat(alone.A, 3, axis=0), np.repeat(alone.c, 3, axis=0))
    for clients in (alone, twins):
        found = sweep.minimizers(clients, GAMMAS, STEPS)
        np.testing.assert_allclose(found, np.broadcast_to(alone.c[0], found.shape), rtol=0, atol=1e-13)


def test_a_single_eigenvalue_makes_all_filters_alike(direct_calls):
    """A_i = 1/2 I for all: rank one, and the minimizer is the mean of the c_i whatever gamma and K."""
    c = np.random.default_rng(11).normal(size=(4, 3))
    clients = Quadratics(np.repeat(np.eye(3)[None] / 2, 4, axis=0), c)
    found = sweep.minimizers(clients, GAMMAS, STEPS)
    assert not direct_calls
    np.testing.assert_allclose(found, np.broadcast_to(c.mean(axis=0), found.shape), rtol=0, atol=1e-14)


def test_order_and_duplicates_are_kept():
    clients = population(12, 3, 4)
    gammas, Ks = [*GAMMAS[::-1], GAMMAS[3]], [50, 1, 50, 2]
    found = sweep.minimizers(clients, gammas, Ks)
    tidy = sweep.minimizers(clients, GAMMAS, [1, 2, 50])
    assert (found[:-1] == tidy[::-1][:, [2, 0, 2, 1]]).all()
    assert (found[-1] == tidy[3][[2, 0, 2, 1]]).all()


def test_useless_restatements_change_nothing():
    """Rotated, with one client split in two and the order reversed, in units twice as large: the same answer."""
    clients = population(13, 4, 5)
    R = np.linalg.qr(np.random.default_rng(0).normal(size=(5, 5)))[0]
    A, c = clients.A[[3, 2, 2, 1, 0]], clients.c[[3, 2, 2, 1, 0]]
    weights = clients.weights[[3, 2, 2, 1, 0]] * [1, 0.25, 0.75, 1, 1]
    restated = Quadratics(2 * R @ A @ R.T, c @ R.T, weights)
    found = sweep.minimizers(restated, GAMMAS / 2, STEPS) @ R
    np.testing.assert_allclose(found, sweep.minimizers(clients, GAMMAS, STEPS), rtol=0, atol=1e-12)


def test_large_grids_are_cut_into_blocks(monkeypatch):
    clients = population(14, 3, 4)
    whole = sweep.minimizers(clients, GAMMAS, STEPS)
    monkeypatch.setattr(sweep, "_MOST_PAIRS", 70)
    monkeypatch.setattr(sweep, "_BATCH_BYTES", 5 * 8 * 16)
    np.testing.assert_allclose(sweep.minimizers(clients, GAMMAS, STEPS), whole, rtol=0, atol=1e-13)


def test_a_poor_compression_is_noticed(monkeypatch, direct_calls):
    """Were the skeleton too small, the check on the spectrum would see it, and every pair would be summed directly."""
    original = sweep._skeleton

    def too_small(values, weight):
        skeleton = original(values, weight)
        return sweep.Skeleton(skeleton.picked[:3], skeleton.coefficients[:, :3])

    clients = population(15, 6, 8)
    expected = sweep.minimizers(clients, GAMMAS, STEPS)
    monkeypatch.setattr(sweep, "_skeleton", too_small)
    found = sweep.minimizers(clients, GAMMAS, STEPS)
    assert len(direct_calls) == len(GAMMAS) * len(STEPS)
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-12)


@given(seed=st.integers(0, 10**6), rows=st.integers(1, 60), columns=st.integers(1, 60), rank=st.integers(0, 10))
def test_a_skeleton_spans_the_rows(seed, rows, columns, rank):
    """values = coefficients @ values[picked] for a matrix of low rank, with no more rows than the rank."""
    rng = np.random.default_rng(seed)
    values = rng.normal(size=(rows, rank)) @ rng.normal(size=(rank, columns))
    skeleton = sweep._skeleton(values, rng.uniform(0.5, 1, columns))
    assert len(set(skeleton.picked.tolist())) == len(skeleton.picked) <= min(rows, columns)
    size = max(1.0, np.abs(skeleton.coefficients).max(initial=0.0)) * np.abs(values).max(initial=0.0)
    assert np.abs(skeleton.coefficients @ values[skeleton.picked] - values).max() <= 1e-12 * size


def test_a_singular_pair_is_named():
    """gamma = 6/5, K = 2: the two clients of OLR section 4 cancel."""
    clients = Quadratics([[[1.0]], [[2.0]]], [[1.0], [0.5]])
    with pytest.raises(ProblemError, match=r"At gamma = 1\.2, K = 2: the averaged Hessian .*singular"):
        sweep.minimizers(clients, [0.1, 1.2], [1, 2, 3])


def test_diverging_local_steps_are_named():
    clients = population(16, 2, 3)
    with pytest.raises(ProblemError, match=r"At gamma = 9\.0, K = 1000: .*infinite"):
        sweep.minimizers(clients, [9.0], [1000])


@pytest.mark.parametrize(
    "gammas, Ks, message",
    [
        ([0.1, -0.2], [1], r"gammas\[1\] is -0.2"),
        ([0.1, float("nan")], [1], r"gammas\[1\] is nan"),
        (0.1, [1], r"gammas is 0.1, expected a list"),
        ([0.1], 5, r"Ks is 5, expected a list"),
        ([0.1], "12", r"Ks is '12', expected a list"),
        ([0.1], [0], r"K is 0"),
        ([0.1], [1.5], r"K is 1.5"),
        ([[0.1]], [1], r"gammas is of shape \(1, 1\)"),
    ],
)
def test_bad_input_is_named(gammas, Ks, message):
    with pytest.raises(ProblemError, match=message):
        sweep.minimizers(population(17, 2, 2), gammas, Ks)


def test_clients_in_rationals_are_refused():
    with pytest.raises(ProblemError, match=r"clients is .*expected surrogate\.Quadratics"):
        sweep.minimizers(toys.two_clients(exact=True), [0.1], [2])

"""OLR section 7's scalar recursions against surrogate.moments, and LocalUpdateDecay's listing on real losses."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from surrogate import Quadratics, Theta, moments
from surrogate.numbers import FLOATS
from theorems.domain import Cursor
from theorems.outsized import listing_decay, t29
from theorems.outsized.common_moments import ALONE, EVERY, PAIR, THREE, law, outer, resting, trace, with_noise


def problem(n, d, K, sampling, noise, B=2, seed=0):
    u = np.random.default_rng(seed).uniform(size=(1, 60))
    s = with_noise(Cursor(FLOATS, u), n, d, K, sampling, noise, B)
    s.p = replace(s.p, w=s.p.w * 0 + 1 / n)
    return s


def examples(s):
    """The same clients for surrogate.moments: client i holds c_i -+ A_i^-1 v_i, so that its gradient noise is v_i."""
    A, c, v = s.p.A[0], s.p.c[0], s.noise[0]
    off = np.linalg.solve(A, v[..., None])[..., 0]
    places = np.stack([c - off, c + off], 1).reshape(-1, s.p.d)
    return Quadratics.from_examples(np.repeat(A, 2, axis=0), places, np.repeat(np.arange(s.p.n), 2))


def drawn(s):
    """The sampling as surrogate.moments names it."""
    return {
        "clients_per_round": None if s.sampling == EVERY else s.M,
        "sampling": "uniform" if s.sampling == PAIR else "iid",
    }


@pytest.mark.parametrize(
    "n, d, K, sampling, noise",
    [(1, 1, 3, ALONE, 1), (2, 2, 1, ALONE, 0), (3, 2, 4, THREE, 1), (3, 2, 4, PAIR, 1), (3, 2, 5, EVERY, 1)],
)
def test_the_round_has_the_exact_moments(n, d, K, sampling, noise):
    """Hessians that do not commute, and noise in a direction of its own."""
    s = problem(n, d, K, sampling, noise)
    gamma, eta, x = np.array([0.3]), np.array([0.4]), np.full(d, 1.7)
    y = resting(s, gamma)
    around = law(s, gamma, y)
    m, S = x - y, outer(x - y)
    found = [trace(S)[0]]
    for _ in range(4):
        m, S = around.advance(m, S, eta)
        found.append(trace(S)[0])
    exact = moments.trajectory(examples(s), x, 4, gamma=0.3, eta=0.4, theta=Theta.sum(K), batch=s.B, **drawn(s))
    assert found == pytest.approx(list(exact.squared_distance(y[0])), rel=1e-10)
    update = moments.update(examples(s), x, 0.3, Theta.sum(K), batch=s.B, **drawn(s))
    assert around.variance(x - y)[0] == pytest.approx(np.trace(update.covariance), rel=1e-10, abs=1e-14)


def test_theorem_29_runs_its_own_schedule():
    s = problem(2, 1, 3, ALONE, 1, B=1)
    s.start, s.t = np.array([[0.5]]), 0
    found = t29.squares(s, t29.printed_rates)
    start = resting(s, t29.printed_rate(s, 1))[0] + 0.5
    gammas = [float(t29.printed_rate(s, t)[0]) for t in range(1, 8)]
    mus = [(1 - (1 - g * s.p.mu[0]) ** 3) / g for g in gammas]
    etas = [3 / mu / (float(t29.b_of(s)[0]) + t) for t, mu in enumerate(mus, 1)]
    m = moments.trajectory(
        examples(s), start, 7, gamma=gammas, eta=etas, theta=Theta.sum(3), batch=1, clients_per_round=1
    )
    exact = m.squared_distance(s.p.minimizer[0])
    assert {t: pytest.approx(v[0], rel=1e-9) for t, v in found.items()} == {t: exact[t - 1] for t in found}


def test_the_decay_listing_and_its_refinement_agree_on_real_losses():
    """Two quadratic clients in Fractions, a rate so large that the loss stalls: W = P = 1, C = 0 is Algorithm 3."""
    pairs = [(Fraction(1), Fraction(0)), (Fraction(3), Fraction(1))]
    clients = [(lambda x, a=a, c=c: a * (x - c), lambda x, a=a, c=c: a * (x - c) ** 2 / 2) for a, c in pairs]
    Delta, failures = Fraction(1, 50), []

    def printed(losses):
        failures.append(listing_decay.algorithm_3(losses, Delta))
        return failures[-1]

    def refined(losses):
        window = [listing_decay.window_mean(losses[: t + 1], 1) for t in range(len(losses))]
        failed = [listing_decay.algorithm_3(window[: t + 1], Delta) for t in range(len(losses))]
        return listing_decay.decisions(failed, P=1, C=0)[-1]

    settings = {"alpha": Fraction(1, 10), "beta": Fraction(9, 10), "rounds": 8}
    start = (clients, Fraction(5), Fraction(1, 2), Fraction(1, 4), (1, 1, 1))
    first = listing_decay.outer_loop(*start, **settings, decide=printed)
    second = listing_decay.outer_loop(*start, **settings, decide=refined)
    assert first == second
    assert any(failures) and not failures[0]
    assert listing_decay.decisions([False, True, True], P=1, C=1) == [False, True, False]
    assert listing_decay.decisions([True] * 5, P=2, C=1) == [False, True, False, True, False]

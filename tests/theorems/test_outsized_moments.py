"""OLR section 7's scalar recursions against surrogate.moments, and LocalUpdateDecay's listing on real losses."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from surrogate import Quadratics, Theta, moments
from surrogate.numbers import FLOATS
from theorems.domain import Cursor
from theorems.outsized import listing_decay, t29
from theorems.outsized.common_moments import law, resting, with_noise


def problem(n, K, M, noise, B=2, seed=0):
    u = np.random.default_rng(seed).uniform(size=(1, 40))
    return with_noise(Cursor(FLOATS, u), n, K, M, noise, B, weighted=False)


def examples(s):
    """The same clients for surrogate.moments: client i holds c_i -+ s_i / lam_i, so that its gradient noise is s_i."""
    lam, c = s.p.lam[0, :, 0], s.p.c[0, :, 0]
    spread = np.array([float(v[0]) for v in s.noise]) / lam
    A = np.repeat(lam, 2)[:, None, None]
    places = np.stack([c - spread, c + spread], 1).reshape(-1, 1)
    return Quadratics.from_examples(A, places, np.repeat(np.arange(len(lam)), 2))


@pytest.mark.parametrize("n, K, M, noise", [(1, 3, 1, 1), (2, 1, 1, 0), (3, 4, 2, 1), (3, 5, 0, 1)])
def test_the_round_has_the_exact_moments(n, K, M, noise):
    s = problem(n, K, M, noise)
    gamma, eta, x = np.array([0.3]), 0.4, 1.7
    y = resting(s, gamma)
    around = law(s, gamma, y)
    e, e2 = x - y, (x - y) ** 2
    squares = [e2[0]]
    for _ in range(4):
        e, e2 = around.advance(e, e2, eta)
        squares.append(e2[0])
    m = moments.trajectory(
        examples(s), [x], 4, gamma=0.3, eta=eta, theta=Theta.sum(K), batch=s.B, clients_per_round=M or None
    )
    assert squares == pytest.approx(list(m.squared_distance(y)), rel=1e-10)
    update = moments.update(examples(s), [x], 0.3, Theta.sum(K), batch=s.B, clients_per_round=M or None)
    assert around.variance(x - y)[0] == pytest.approx(update.covariance[0, 0], rel=1e-10, abs=1e-14)


def test_theorem_29_runs_its_own_schedule():
    s = problem(2, 3, 1, 1, B=1)
    s.e, s.frozen = np.array([0.5]), 0
    squares = t29.squares(s, t29.printed_rates)
    start = float(resting(s, t29.printed_rate(s, 1))[0] + 0.5)
    gammas = [float(t29.printed_rate(s, t)[0]) for t in range(1, 8)]
    mus = [(1 - (1 - g * s.p.mu[0]) ** 3) / g for g in gammas]
    etas = [3 / mu / (float(t29.b_of(s)[0]) + t) for t, mu in enumerate(mus, 1)]
    m = moments.trajectory(
        examples(s), [start], 7, gamma=gammas, eta=etas, theta=Theta.sum(3), batch=1, clients_per_round=1
    )
    exact = m.squared_distance(s.p.minimizer[0])
    assert {t: pytest.approx(v[0], rel=1e-9) for t, v in squares.items()} == {t: exact[t - 1] for t in squares}


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

"""OLR's Algorithms 1 and 2 as printed against the methods' own code, in rationals; section 4 against the toys."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from surrogate import Surrogate, Theta, methods, toys
from surrogate.methods import RATIONALS, play
from theorems.outsized import x2, x3
from theorems.outsized.common_equivalence import local_descent
from theorems.outsized.listing_local_update import draws, grads, inner_loop, outer_loop

A = [Fraction(1), Fraction(2, 3), Fraction(1, 5), Fraction(3, 2)]
C = [Fraction(0), Fraction(-1), Fraction(2), Fraction(1, 3)]
GAMMA, ETA, START = Fraction(1, 3), Fraction(3, 4), Fraction(5, 2)


class Minibatches:
    """The client that the listing draws: its k-th gradient is the mean over S_k."""

    def __init__(self, S):
        self.S = S

    def __call__(self, y, k):
        return sum(A[z] * (y - C[z]) for z in self.S[k]) * Fraction(1, len(self.S[k]))


def printed(theta, eta, rounds):
    gradient = grads(np.array([A], dtype=object), np.array([C], dtype=object))
    return outer_loop(gradient, np.array([START], dtype=object), eta, GAMMA, theta.weights, rounds)[0]


def coded(name, rounds, **settings):
    method = methods.build(name, ops=RATIONALS, **settings)
    state = method.start(np.array([START], dtype=object))
    for drawn in rounds:
        state, _ = play(method, state, {}, [Minibatches(S) for S in drawn], [Fraction(1, len(drawn))] * len(drawn))
    return state["x"][0]


@pytest.mark.parametrize("M, B", [(1, 1), (2, 1), (3, 2)])
@pytest.mark.parametrize("K", [1, 2, 4])
def test_the_listing_is_the_methods_code(M, B, K):
    """Three rounds in rationals, the same draws: equal to the last digit."""
    rounds = draws(3, M, K, B, len(A))
    same = {"gamma": GAMMA, "steps": K}
    by_theta = {theta: printed(theta, ETA, rounds) for theta in (Theta.sum(K), Theta.last(K))}
    for theta, x in by_theta.items():
        assert coded("local-update", rounds, gamma=GAMMA, theta=theta, eta=ETA) == x
    assert coded("reptile", rounds, eta=ETA, **same) == by_theta[Theta.sum(K)]
    assert coded("fomaml", rounds, eta=ETA, **same) == by_theta[Theta.last(K)]
    assert coded("fedavg", rounds, **same) == printed(Theta.sum(K), GAMMA, rounds)
    assert coded("lookahead", rounds, eta=ETA, **same) == printed(Theta.sum(K), ETA * GAMMA, rounds)
    if K == 1:
        assert coded("minibatch-sgd", rounds, eta=ETA) == by_theta[Theta.sum(1)]
    else:
        assert by_theta[Theta.sum(K)] != by_theta[Theta.last(K)]


def test_maml_is_the_listing_with_theta_2k_plus_1():
    rounds = draws(2, 2, 5, 1, len(A))
    ours = coded("maml", rounds, gamma=GAMMA, steps=2, eta=ETA, order="gradients")
    assert ours == printed(Theta.maml(2), ETA, rounds)


def test_descent_and_the_inner_loop_are_one_path():
    S = draws(1, 1, 4, 2, len(A))[0][0]
    gradient = grads(np.array([A], dtype=object), np.array([C], dtype=object))
    x = np.array([START], dtype=object)
    answer = inner_loop(gradient, x, GAMMA, (1,) * 4, S)
    assert (local_descent(gradient, x, GAMMA, S) == x - GAMMA * answer).all()


@pytest.mark.parametrize("K", [1, 2, 5, 20])
def test_two_clients_rest_where_section_4_says(K):
    rest = Surrogate(toys.two_clients(), 0.5, Theta.sum(K)).resting_point[0]
    assert rest == pytest.approx(float(x2.rest(K, Fraction(1))), rel=1e-12)


@pytest.mark.parametrize("gamma, K", [(0.5, 1), (0.5, 10), (0.2, 20), (1.0, 20), (1.05, 20)])
def test_the_density_problem_rests_where_its_integrals_say(gamma, K):
    s = Surrogate(toys.density_problem(64), gamma, Theta.sum(K))
    assert s.resting_point[0] == pytest.approx(x3.rest(gamma, K), rel=1e-9)


def test_the_density_problem_varies_as_the_exact_moments_say():
    """The closed form of the stationary variance against ``surrogate.moments``, one client a round."""
    from surrogate import moments

    for gamma in (0.2, 0.5, 1.0):
        law = moments.stationary(
            toys.density_problem(64), gamma=gamma, eta=1e-4, theta=Theta.sum(20), clients_per_round=1
        )
        assert law.covariance[0, 0] == pytest.approx(x3.variance(gamma, 20), rel=1e-6)

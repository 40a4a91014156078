"""LAMB's transcribed listings and closed forms against the methods' own code, and proofs that can fail."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from types import SimpleNamespace

import numpy as np
import pytest

from surrogate import methods
from surrogate.numbers import FLOATS
from surrogate.numbers import FRACTIONS as RATIONALS
from theorems import registry
from theorems.engines.certify import exact_instance
from theorems.fedlamb import common_gap, common_runs, d2
from theorems.fedlamb.listing_fedlamb import adp_fed_delta, local_round


def played(name, gradients, x, V, rounds, **settings):
    """Rounds of a method's own code in float64, from x with the second moment V: the models before each round."""
    method = methods.build(name, **settings)
    state, own = {**method.start(x), "V": V}, {}
    path = [x]
    for _ in range(rounds):
        state, own = methods.play(method, state, own, gradients, [1 / len(gradients)] * len(gradients))
        path.append(state["x"])
    return path


@pytest.mark.parametrize("T", [1, 2, 3])
def test_the_text_of_the_listing_is_fed_lamb(T):
    a, c, start, V = 0.7, -0.4, 1.3, 0.25
    s = SimpleNamespace(alpha=0.1, beta1=0.6, beta2=0.9, eps=0.01)
    ours, _, _ = local_round(FLOATS, lambda y: a * (y - c), start, 0.0, V, V**0.5, s, T, printed=False)
    code = played(
        "fed-lamb", [lambda y, k: a * (y - c)], np.array([start]), np.array([V]), 1, gamma=0.1, steps=T, beta1=0.6,
        beta2=0.9, eps=0.01, bias_correction=True,
    )  # fmt: skip
    assert code[1][0] == pytest.approx(ours, rel=1e-12)


@pytest.mark.parametrize("beta1", [0.0, 0.9])
def test_the_clients_of_theorem_1_stand_still_in_fed_lamb_itself(beta1):
    """T = 1, phi the identity: two quadratics around 0 and 1, for 50 rounds at x = 1/4, which is not stationary."""
    gradients = [lambda y, k: y, lambda y, k: y - 1.0]
    path = played(
        "fed-lamb", gradients, np.array([0.25]), np.array([1.0]), 50, gamma=0.1, steps=1, beta1=beta1, beta2=0.5
    )
    assert np.abs(np.array(path) - 0.25).max() < 1e-14
    assert abs(sum(g(path[-1], 0)[0] for g in gradients) / 2) == pytest.approx(0.25)


def test_the_gap_is_that_of_models_walked_step_by_step():
    rng = np.random.default_rng(0)
    domain = registry.find("LAMB.L1").domain
    for discrete in domain.choices[::5]:
        s = domain.instance(FLOATS, rng.uniform(0.05, 0.45, size=(1, domain.size(discrete))), discrete)
        models = []
        for client in s.g:
            layers = []
            for g, root in zip(client, s.root, strict=True):
                y, m = np.zeros(s.d), np.zeros(s.d)
                for _ in range(s.T):
                    m = 0.3 * m + 0.7 * g[0]
                    p = m / root[0]
                    y = y - s.alpha[0] * s.phi[0] * p / np.linalg.norm(p)
                layers.append(y)
            models.append(np.concatenate(layers))
        gap = np.linalg.norm(np.mean(models, axis=0) - models[0]) ** 2
        assert common_gap.local_gap(s)[0] == pytest.approx(gap, rel=1e-9, abs=1e-15)


def test_the_corrected_gap_is_attained():
    """One client against all others: equality, in rationals."""
    statement = registry.find("LAMB.L1")
    for n in (2, 3, 5):
        discrete = {"n": n, "h": 2, "d": 1, "T": 10}
        u = [Fraction(0)] * statement.domain.size(discrete)
        first = 4  # v0, M and the roots of two layers; then the two layers of client 0
        u[first], u[first + 1] = Fraction(1), Fraction(1)
        s = exact_instance(statement.domain, np.array([u], dtype=object), discrete)
        (comparison,) = statement.corrected.compare(s)
        assert comparison.lhs[0] == comparison.rhs[0]


def test_runs_step_along_the_signs_of_their_momenta():
    """Layers of one coordinate, one client: every step is alpha phi long, phi in [phi_m, phi_M], against sign(m)."""
    discrete = {"n": 1, "h": 1, "d": 1, "T": 1, "R": 3}
    u = np.random.default_rng(0).uniform(size=(20, common_runs.RUNS.size(discrete)))
    s = common_runs.RUNS.instance(FLOATS, u, discrete)
    for x, after, m in zip(s.path[:-1], s.path[1:], s.met, strict=True):
        length = (x - after)[:, 0] / s.alpha * np.sign(m[:, 0])
        assert ((length >= s.phi_m - 1e-12) & (length <= s.phi_M + 1e-12)).all()


def outcomes(count):
    """(probability, (xi, ...)) of ``count`` draws of -1 (2/3) and 5 (1/3)."""
    for draws in itertools.product(((Fraction(2, 3), -1), (Fraction(1, 3), 5)), repeat=count):
        yield math.prod(odds for odds, _ in draws), [xi for _, xi in draws]


@pytest.mark.parametrize(("n", "T", "rounds"), [(1, 1, 8), (2, 1, 4), (2, 2, 2), (1, 2, 4)])
def test_skewed_noise_is_unbiased_and_carries_equal_clients_uphill(n, T, rounds):
    """Line 8 to 16 with m kept or overwritten, for every outcome: E|f'|^2 stays above half, f'(x) = clip(x)."""
    assert sum(p * xi for p, (xi,) in outcomes(1)) == 1
    assert sum(p * (xi - 1) ** 2 for p, (xi,) in outcomes(1)) == 8
    step, beta1 = Fraction(1, 3), Fraction(1, 10)

    def slope(x):
        return max(min(x, Fraction(1)), Fraction(-1))

    for printed in (True, False):
        mean = [Fraction(0)] * (rounds + 1)
        for chance, noise in outcomes(n * T * rounds):
            x, momenta, drawn = 1 + step * (T + 1), [Fraction(0)] * n, iter(noise)
            mean[0] += chance * slope(x) ** 2
            for r in range(rounds):
                local = [x] * n
                for i in range(n):
                    for t in range(1, T + 1):
                        g = next(drawn) * slope(local[i])
                        momenta[i] = beta1 * momenta[i] + (1 - beta1) * g
                        if printed:
                            momenta[i] = momenta[i] / (1 - beta1**t)
                        local[i] -= step * (1 if momenta[i] > 0 else -1)
                x = sum(local) / n
                mean[r + 1] += chance * slope(x) ** 2
        assert min(mean) >= Fraction(1, 2)


def test_adp_fed_with_gradients_at_the_local_model_is_fedavg():
    code = methods.build("fedavg", gamma=0.2, steps=4)
    clients = [lambda y, k: 0.5 * (y - 1), lambda y, k: 2.0 * (y + 1)]
    state, _ = methods.play(code, code.start(np.array([0.3])), {}, clients, [0.5, 0.5])
    deltas = [adp_fed_delta(lambda y, g=g: g(y, 0), 0.3, 0.2, 4, printed=False) for g in clients]
    assert state["x"][0] - 0.3 == pytest.approx(np.mean(deltas))


def test_what_is_sent_is_counted_on_the_code():
    assert d2.sent("fed-lamb") == d2.sent("scaffold") == (2, 2)
    assert d2.sent("fedavg") == (1, 1)


def test_the_printed_momentum_overshoots_as_the_note_says():
    s = SimpleNamespace(alpha=Fraction(1, 10), beta1=Fraction(9, 10), beta2=Fraction(999, 1000), eps=Fraction(1))
    one = np.array([Fraction(1)], dtype=object)
    _, m, _ = local_round(RATIONALS, lambda y: one, 10 * one, 0 * one, one, one, s, 2, printed=True)
    assert m[0] == 1 / (1 - Fraction(81, 100))
    _, m, v = local_round(RATIONALS, lambda y: one, 10 * one, one, one, one, s, 1, printed=True)
    assert m[0] == 10 and v[0] == 1000

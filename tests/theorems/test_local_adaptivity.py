"""What the judge does not check of LA: the listing against the methods' code, and the finds by plain simulation."""

from __future__ import annotations

from fractions import Fraction
from types import SimpleNamespace

import numpy as np
import pytest

from surrogate import Preconditioned, Quadratics, methods
from surrogate.methods.rounds import play
from surrogate.numbers import FLOATS
from surrogate.numbers.balls import BALLS
from theorems import registry
from theorems.engines.certify import exact_instance
from theorems.local_adaptivity import common_rounds, common_sgd, e11b, t1
from theorems.local_adaptivity.common_correction import steps_of
from theorems.local_adaptivity.common_quadratic import gradients, minimizer
from theorems.local_adaptivity.listing_algorithm_1 import client, server

STATEMENTS = registry.all_statements("local_adaptivity")
H, C, START = np.array([1.0, 0.3, 0.6]), np.array([0.2, -1.0, 0.7]), 0.9
ADAM = {"beta1": 0.5, "beta2": 0.8, "eps": 0.0, "initial": 0.3}
ADAGRAD = {"beta1": 0.4, "eps": 0.0, "initial": 0.3}


def scale(name):
    """The listing's preconditioner of the gradients so far."""

    def P(seen):
        v = 0.3
        for g in seen:
            v = v + g * g if name == "local-adagrad" else 0.8 * v + 0.2 * g * g
        return 1 / np.sqrt(v)

    return (lambda seen: 1.0) if name == "local-sgdm" else P


SETTINGS = {"local-sgdm": {"beta": 0.5}, "local-adam": ADAM, "local-adagrad": ADAGRAD}


@pytest.mark.parametrize("name", SETTINGS)
@pytest.mark.parametrize("correction", ["none", "local", "joint"])
@pytest.mark.parametrize("drawn", [[0, 1, 2], [2], [0, 1]])
def test_algorithm_1_as_printed_is_the_methods_code(name, correction, drawn):
    """Four rounds; the listing's joint correction is lines 13 and 16 together."""
    options = {} if correction == "none" else {"correction": correction, "as_printed": True}
    method = methods.build(name, gamma=0.1, steps=3, eta=0.7, **SETTINGS[name], **options)
    beta1 = SETTINGS[name].get("beta1", SETTINGS[name].get("beta"))
    losses = [lambda y, k, i=i: H[i] * (y - C[i]) for i in range(3)]
    state, own, x = method.start(np.array([START])), {}, START
    for _ in range(4):
        state, own = play(method, state, own, losses, [1, 1, 1], drawn)
        messages = [client(losses[i], x, 0.1, 3, beta1, scale(name)) for i in drawn]
        x = server(messages, x, 0.7, correction != "none", correction == "joint")
        assert state["x"][0] == pytest.approx(x, rel=1e-12)


def test_one_sampled_client_undoes_local_correction():
    """LA.A2c in the methods' own code: joint correction of one client is no correction at all."""
    x = {}
    for correction in ("none", "local", "joint"):
        method = methods.build("local-adagrad", gamma=0.1, steps=4, eta=1.0, correction=correction, **ADAGRAD)
        state, own = method.start(np.array([START])), {}
        for t in range(6):
            state, own = play(
                method, state, own, [lambda y, k, i=i: H[i] * (y - C[i]) for i in range(3)], [1] * 3, [t % 3]
            )
        x[correction] = state["x"][0]
    assert x["none"] == pytest.approx(x["joint"], rel=1e-12)
    assert abs(x["none"] - x["local"]) > 0.05


def diverging_clients():
    """Found by the judge of LA.T2b, in nearby round numbers."""
    A = np.array([[[0.1, 0.28], [0.28, 0.9]], [[0.9, 0.28], [0.28, 0.1]]])
    return Quadratics(A, np.array([[0.0, 0.0], [1.0, -1.0]])), np.array([np.diag([1.0, 0.01]), np.diag([0.01, 1.0])])


@pytest.mark.parametrize("gamma", [1e-1, 1e-2, 1e-4])
@pytest.mark.parametrize("steps", [1, 7])
def test_diagonal_preconditioners_diverge_at_every_small_rate(gamma, steps):
    clients, P = diverging_clients()
    assert np.linalg.eigvalsh(clients.A).min() > 0
    field = Preconditioned(clients, gamma, steps, P)
    for eta in (0.1, 1.0, 3.0):
        assert field.contraction(eta).radius > 1
    corrected = Preconditioned(clients, gamma, steps, P, corrected=True)
    assert corrected.contraction(0.5).radius < 1


def definite(rng, n, d):
    """n symmetric positive definite matrices."""
    roots = rng.normal(size=(n, d, d))
    return roots @ roots.transpose(0, 2, 1) / d + 0.1 * np.eye(d)


def test_the_limit_of_theorem_2_in_three_dimensions():
    """LA.T2 in d = 3 with preconditioners that do not commute with the Hessians: x~ - lim falls like eta."""
    rng = np.random.default_rng(3)
    A, P, c, w, tau = definite(rng, 3, 3), definite(rng, 3, 3), rng.normal(size=(3, 3)), [0.2, 0.3, 0.5], (1, 2, 5)
    J = sum(w[i] * tau[i] * P[i] @ A[i] for i in range(3))
    limit = np.linalg.solve(J, sum(w[i] * tau[i] * P[i] @ A[i] @ c[i] for i in range(3)))
    gaps = []
    for eta in (1e-4, 1e-5, 1e-6):
        pulls = [np.eye(3) - np.linalg.matrix_power(np.eye(3) - eta * P[i] @ A[i], tau[i]) for i in range(3)]
        weighted = [v * Q for v, Q in zip(w, pulls, strict=True)]
        rest = np.linalg.solve(sum(weighted), sum(Q @ y for Q, y in zip(weighted, c, strict=True)))
        gaps.append(np.linalg.norm(rest - limit))
    assert gaps[0] / gaps[1] == pytest.approx(10, rel=1e-2) and gaps[1] / gaps[2] == pytest.approx(10, rel=1e-2)


def test_a_common_preconditioner_converges_in_any_dimension():
    """LA.T2b in d = 5: P sum w tau H has a real positive spectrum, and small rates contract."""
    rng = np.random.default_rng(4)
    H, P, w, tau = definite(rng, 4, 5), definite(rng, 1, 5)[0], np.array([0.1, 0.2, 0.3, 0.4]), (1, 2, 3, 7)
    values = np.linalg.eigvals(P @ sum(v * t * A for v, t, A in zip(w, tau, H, strict=True)))
    assert np.abs(values.imag).max() < 1e-12 * np.abs(values).max() and values.real.min() > 0
    kept = sum(v * np.linalg.matrix_power(np.eye(5) - 1e-3 * P @ A, t) for v, t, A in zip(w, tau, H, strict=True))
    for alpha in (0.5, 1.0, 2.0):
        assert np.abs(np.linalg.eigvals((1 - alpha) * np.eye(5) + alpha * kept)).max() < 1


def test_no_schedule_beats_the_lower_bound_of_theorem_1():
    """The last rate alone is optimised in LA.T1; schedules found by a crude optimiser stay above."""
    s = SimpleNamespace(nb=FLOATS, M=1, T=12, c=1, slope=np.array([[0.3]]), w=np.array([[1.0]]))
    s.bias, s.noise = np.array([0.7]), np.array([0.2])
    start = s.bias[0] / 0.3 ** (2 * s.T - 2)
    least = next(c.lhs[0] for c in t1.printed(s) if c.label.startswith("(7)"))
    rng = np.random.default_rng(0)
    alphas = np.concatenate([rng.uniform(size=(20_000, s.T)), rng.uniform(size=(20_000, s.T)) ** 0.05])
    for _ in range(40):
        r = np.full(len(alphas), start)
        for t in range(s.T):
            r = (1 - 0.7 * alphas[:, t]) ** 2 * r + alphas[:, t] ** 2 * 0.2
        assert r.min() >= least * (1 - 1e-12)
        best = alphas[np.argsort(r)[:200]]
        alphas = np.clip(np.repeat(best, 100, 0) + rng.normal(size=(20_000, s.T)) * 0.05, 0, 1)
    assert r.min() < 3 * least


def test_no_real_rates_beat_the_lower_bound_for_a_shift():
    """LA.T1b: rates from -1 to 3, and those that do best, for A = s times the shift in R^(T+1) with noise in e_0."""
    T, s, start, noise = 5, 0.3, 1e4, 0.2
    shift, h = s * np.eye(T + 1, k=-1), s * s
    rng = np.random.default_rng(0)

    def error(alphas):
        mean, covariance = np.eye(T + 1)[0] * np.sqrt(start), np.zeros((T + 1, T + 1))
        for alpha in alphas:
            step = (1 - alpha) * np.eye(T + 1) + alpha * shift
            mean, covariance = step @ mean, step @ covariance @ step.T
            covariance[0, 0] += alpha**2 * noise
        return mean @ mean + np.trace(covariance)

    left = (1 - h) * h ** (T - 1) * start
    least = left * noise / ((1 + s) ** 2 * left + noise)
    found = rng.uniform(-1, 3, size=(300, T))
    for width in (0.5, 0.2, 0.1, 0.05, 0.02):
        errors = np.array([error(a) for a in found])
        assert errors.min() >= least
        best = found[np.argsort(errors)[:10]]
        found = np.concatenate([best, np.repeat(best, 20, 0) + width * rng.normal(size=(200, T))])
    assert errors.min() < 3 * least


@pytest.mark.parametrize("tau", [1, 3])
def test_moments_of_noisy_rounds_by_enumeration(tau):
    """noisy_error against all outcomes of two-point noise, in rationals."""
    from itertools import product

    from surrogate.numbers import FRACTIONS as RATIONALS

    F = Fraction
    s = SimpleNamespace(nb=RATIONALS, tau=tau, eta=np.array([F(1, 2)]), sigma2=np.array([F(1)]))
    s.H, s.w, alpha, x = np.array([[F(1), F(1, 3)]]), np.array([[F(1, 4), F(3, 4)]]), F(2, 3), F(2)
    outcomes = []
    for signs in product((1, -1), repeat=2 * tau):
        ends = []
        for i in range(2):
            y = x
            for k in range(tau):
                y = y - F(1, 2) * (s.H[0, i] * y + signs[i * tau + k])
            ends.append(y)
        outcomes.append(((1 - alpha) * x + alpha * sum(w * e for w, e in zip(s.w[0], ends, strict=True))) ** 2)
    exact = common_rounds.noisy_error(s, np.array([alpha], dtype=object), np.array([x * x], dtype=object))
    assert exact[0] == sum(outcomes) / len(outcomes)


def test_decaying_rates_overshoot_in_simulation():
    """LA.E68 at its counterexample: one local step of eta = 1/mu, alpha_0 = 3/2."""
    s = SimpleNamespace(nb=FLOATS, M=1, tau=1, T=1)
    s.mu = s.eta = s.sigma2 = s.start = np.ones(1)
    rng = np.random.default_rng(1)
    alpha = 2 / (4 / 3)
    ends = 1 - alpha * (1 - rng.choice([-1.0, 1.0], size=200_000))
    assert np.mean(ends**2) == pytest.approx(common_sgd.end_error(s, np.array([4 / 3]))[0], rel=1e-2)


def test_local_correction_runs_as_the_methods_do():
    """LA (96)-(98) in steps_of against local-adagrad with frozen preconditioners and local correction."""
    s = SimpleNamespace(nb=FLOATS, n=2, tau=(3, 3), T=3, start=np.array([0.9]))
    s.H, s.w, s.x = np.array([[1.0, 0.4]]), np.array([[0.25, 0.75]]), np.array([[0.0, -1.0]])
    s.B = (np.array([[1.0, 0.5, 0.3]]), np.array([[0.2, 0.9, 0.6]]))
    frozen = [B.T for B in s.B]
    method = methods.build("local-adagrad", gamma=0.2, steps=3, eta=0.6, correction="local", frozen=frozen)
    state, own, squares = method.start(np.array([0.9])), {}, []
    for _ in range(s.T):
        squares.append(float((s.w * s.H * (state["x"][0] - s.x)).sum()) ** 2)
        losses = [lambda y, k, i=i: s.H[0, i] * (y - s.x[0, i]) for i in range(2)]
        state, own = play(method, state, own, losses, [0.25, 0.75])
    eta = np.array([0.2])
    mean, least, _ = steps_of(s, (eta, eta), 0.6)
    assert mean[0] == pytest.approx(np.mean(squares), rel=1e-12)
    assert least[0] == pytest.approx(min(squares), rel=1e-12)


def test_noise_that_depends_on_the_point_parts_two_runs_of_sgd():
    """LA.B2 by enumeration in plain rationals: slopes 1 and 1/2, eta = 2/3, x = 0 (noisy), y = 1/5 (quiet)."""
    F, eta = Fraction, Fraction(2, 3)

    def slope(t):
        return t if t > 0 else t / 2

    x1 = [-eta * (slope(F(0)) + sign) for sign in (1, -1)]
    mean_x2 = sum(t - eta * slope(t) for t in x1) / 2
    y1 = F(1, 5) - eta * slope(F(1, 5))
    gap = (mean_x2 - (y1 - eta * slope(y1))) ** 2
    assert gap == F(4, 225) and gap > (1 - eta * F(1, 2)) ** 4 * F(1, 25)


def test_adam_separates_points_in_the_methods_code():
    """LA.B4 at eta = 1, eps = 1/3: 0 and 1/7 end further apart."""
    method = methods.build(
        "local-adam", gamma=1.0, steps=1, eta=1.0, beta1=0.9, beta2=0.99, eps=1 / 3, bias_correction=True
    )
    ends = []
    for x in (0.0, 1 / 7):
        state, _ = play(method, method.start(np.array([x])), {}, [lambda y, k: y], [1])
        ends.append(state["x"][0])
    assert abs(ends[0] - ends[1]) == pytest.approx(11 / 70) and 11 / 70 > 1 / 7


def test_roots_of_balls_around_zero():
    """A square that a ball sees as [-r, r] has a root; a negative number has none."""
    from flint import arb

    nb = BALLS
    assert nb.sqrt(np.array([arb(0, 1e-20)], dtype=object))[0].contains(0)
    assert nb.sqrt(np.array([arb(4)], dtype=object))[0] == 2
    assert not nb.sqrt(np.array([arb(-1)], dtype=object))[0].is_finite()


@pytest.mark.parametrize(("correction", "eta"), [("none", 50.0), ("local", 0.3)])
def test_local_adagrad_leaves_the_minimizer(correction, eta):
    """LA.D5b in the methods' code: started next to x* = 0, local AdaGrad runs away; local correction brings it back.

    (The corrected update has no client rate in it, so the server's is smaller.)
    """
    a, b, c, g = 1 / 20, 2 / 5, 5.0, 30.0
    first, second = np.array([[a, b], [b, c]]), np.array([[c, b], [b, a]])
    pulls = [(first, [0, g]), (first, [0, -g]), (second, [g, 0]), (second, [-g, 0])]
    assert np.linalg.det(first) > 0
    losses = [lambda y, k, A=A, r=r: A @ y + np.array(r) for A, r in pulls]
    assert sum(loss(np.zeros(2), 0) for loss in losses) == pytest.approx(np.zeros(2))
    method = methods.build("local-adagrad", gamma=1e-3, steps=2, eta=eta, eps=0.0, initial=1.0, correction=correction)
    state, own = method.start(np.array([1e-3, -1e-3])), {}
    for _ in range(400):
        state, own = play(method, state, own, losses, [0.25] * 4)
    away = np.linalg.norm(state["x"])
    assert away > 0.05 if correction == "none" else away < 1e-4


@pytest.mark.parametrize("setting", STATEMENTS["LA.E11b"].domain.choices, ids=str)
def test_what_local_correction_loses_is_the_bias(setting):
    """The sum of E11b that does not cancel is, in rationals, the one that follows the clients' steps."""
    domain = STATEMENTS["LA.E11b"].domain
    u = np.array([[Fraction(1 + (7 * k) % 11, 13) for k in range(domain.size(setting))]], dtype=object)
    s = exact_instance(domain, u, setting)
    x = minimizer(s)
    g, sent = gradients(s, x), 0
    for i in range(s.n):
        y = x
        for B in s.B[i].T:
            y = y - s.eta[:, i] * B * s.H[:, i] * (y - s.x[:, i])
        sent = sent + s.w[:, i] * (x - y) / (s.eta[:, i] * s.B[i].sum(axis=-1))
    assert (s.w * g).sum() == 0
    assert -e11b.lost(s, g)[0] == sent[0]


@pytest.mark.parametrize("name", STATEMENTS)
def test_every_hypothesis_says_what_it_is_for(name):
    """Of every statement, not of the headlines alone: a domain without it, or why there is none."""
    assert all(h.role or h.without is not None for h in STATEMENTS[name].hypotheses)

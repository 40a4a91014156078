"""DA's transcriptions against the library's methods and dictionary; closed forms of its systems against integration."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from types import SimpleNamespace

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.linalg import expm

from surrogate import Quadratics, dictionary, methods
from surrogate.methods import rounds
from surrogate.numbers import FLOATS
from theorems.engines.search import search
from theorems.fedda import common_flow, common_pair, d3, e42, e45, e46, e47, e53
from theorems.fedda.common_rest import weighted_rest
from theorems.fedda.e39 import shares
from theorems.fedda.listing_fedda import algorithm_1, algorithm_2, local_sgdm, server, sgdm

WEIGHTS = [Fraction(1, 2), Fraction(1, 3), Fraction(1, 6)]
CURVATURES = [Fraction(1), Fraction(1, 3), Fraction(3, 4)]
CENTRES = [Fraction(0), Fraction(1), Fraction(-2)]
RATES = SimpleNamespace(
    eta=Fraction(1, 2), alpha=Fraction(3, 2), beta=Fraction(2, 3), beta2=Fraction(3, 4), eps=Fraction(1, 10)
)
START = Fraction(5, 7)
T, ROUNDS = 3, 3


def gradients(convert=lambda q: q):
    pairs = [(convert(a), convert(c)) for a, c in zip(CURVATURES, CENTRES, strict=True)]
    return [lambda w, a=a, c=c: a * (w - c) for a, c in pairs]


def played(method, x, convert=lambda q: q):
    """Three rounds of the library's method on the same clients."""
    clients = [lambda y, k, g=g: g(y) for g in gradients(convert)]
    state, own = method.start(x), {}
    for _ in range(ROUNDS):
        state, own = rounds.play(method, state, own, clients, [convert(w) for w in WEIGHTS])
    return state


def rates(convert=lambda q: q):
    return SimpleNamespace(**{k: convert(v) for k, v in vars(RATES).items()})


@pytest.mark.parametrize("mu", [Fraction(0), Fraction(1, 5)])
def test_algorithm_1_plays_the_librarys_fedda_sgdm(mu):
    method = methods.build("fedda-sgdm", gamma=RATES.eta, steps=T, eta=RATES.eta * RATES.alpha, beta=RATES.beta, mu=mu)
    state = played(method, np.array([START], dtype=object))
    W, m = START, Fraction(0)
    for _ in range(ROUNDS):
        W, m, _ = server(gradients(), WEIGHTS, W, m, RATES, T, mu)
    assert (state["x"][0], state["m"][0]) == (W, m)
    if mu == 0:
        assert algorithm_1(gradients(), WEIGHTS, START, Fraction(0), RATES, T, ROUNDS) == (W, m)


@pytest.mark.parametrize("adam", [True, False])
def test_algorithm_2_plays_the_librarys_adaptive_servers(adam):
    r = rates(float)
    settings = {"gamma": r.eta, "steps": T, "eta": r.eta * r.alpha, "beta1": r.beta, "eps": r.eps}
    if adam:
        settings["beta2"] = r.beta2
    method = methods.build("fedda-adam" if adam else "fedda-adagrad", **settings)
    state = played(method, np.array([float(START)]), float)
    p = [float(w) for w in WEIGHTS]
    W, m = algorithm_2(gradients(float), p, float(START), 0.0, 0.0, r, T, ROUNDS, np.sqrt, adam)
    assert state["x"][0] == pytest.approx(W, rel=1e-12)
    assert state["m"][0] == pytest.approx(m, rel=1e-12)


def instance(beta=0.6, eta=0.5):
    fields = {"a": np.array([CURVATURES], dtype=float), "c": np.array([CENTRES], dtype=float)}
    numbers = {"x": np.array([0.7]), "m": np.array([-0.4]), "eta": np.array([eta]), "alpha": np.array([1.5])}
    p = np.array([WEIGHTS], dtype=float)
    return SimpleNamespace(nb=FLOATS, p=p, **fields, **numbers, beta=np.array([beta]), n=3, T=4)


@pytest.mark.parametrize("name", ["fedda-sgdm", "fedda-adam", "fedda-adagrad"])
def test_resting_points_are_the_dictionarys(name):
    s = instance()
    clients = Quadratics(s.a[0][:, None, None], s.c[0][:, None], s.p[0])
    beta = {"beta" if name == "fedda-sgdm" else "beta1": 0.6}
    rest = dictionary.resting_point(name, clients, gamma=0.5, steps=4, eta=0.75, **beta)
    theta = shares(s) if name == "fedda-adagrad" else [1] * 4
    assert weighted_rest(s, theta)[0] == pytest.approx(rest, rel=1e-12)


def test_adam_and_adagrad_rest_apart():
    s = instance()
    assert abs(weighted_rest(s, [1] * 4)[0] - weighted_rest(s, shares(s))[0]) > 1e-3


def test_closed_forms_of_the_systems_solve_them():
    s = common_flow.flow(_cursor(8, 0.3), n=3, t=2)
    f, tau = common_flow.start(s), float(2 * s.eta[0])
    a, c, p, k = s.a[0], s.c[0], s.p[0], float(f.k[0])

    def slopes(_, v):
        W, m, own, momentum = v[0], v[1], v[2:5], v[6]
        central = k * (np.sum(p * a * (W - c)) - m)
        decoupled = k * (np.sum(p * a * (own - c)) - momentum)
        return [-m, central, *(-a * (own - c)), -momentum, decoupled]

    first = [1.0, float(f.m[0]), 1.0, 1.0, 1.0, 1.0, float(f.m[0])]
    end = solve_ivp(slopes, (0, tau), first, rtol=1e-11, atol=1e-13).y[:, -1]
    W, m = common_flow.sgdm_at(s, 2 * s.eta)
    other, momentum = common_flow.decoupled_at(s, 2 * s.eta)
    local = [common_flow.local_at(s, i, 2 * s.eta)[0] for i in range(3)]
    for i in range(3):  # (40), one client alone

        def alone(_, v, i=i):
            return [-v[1], k * (a[i] * (v[0] - c[i]) - v[1])]

        own = solve_ivp(alone, (0, tau), [1.0, float(f.m[0])], rtol=1e-11, atol=1e-13).y[1, -1]
        assert common_flow.local_momentum_at(s, i, 2 * s.eta)[0] == pytest.approx(own, rel=1e-8, abs=1e-9)
    assert np.array([W[0], m[0], *local, other[0], momentum[0]]) == pytest.approx(end, rel=1e-8, abs=1e-9)


@pytest.mark.parametrize("convex", [True, False])
@pytest.mark.parametrize("u", [0.15, 0.5, 0.85])
def test_the_pair_of_systems_is_solved_by_its_matrix_exponential(u, convex):
    domain = common_pair.pairs(zero=False)
    s = domain.instance(FLOATS, np.full((1, 7), u), {"t": 2, "convex": convex})
    k, tau = float((1 - s.beta[0]) / s.eta[0]), float(2 * s.eta[0])

    def solve(curvature, place, speed, push):
        M = np.array([[-k, curvature * k, push], [1, 0, 0], [0, 0, 0]])
        return (expm(M * tau) @ [speed, place, 1])[:2]

    a, L = k * (1 - s.x[0] ** 2) / 4, k * (s.y[0] ** 2 - 1) / 4
    E = solve(-a, s.E[0], -s.D[0], -k * s.R[0])
    assert [v[0] for v in common_pair.deviation_at(s)] == pytest.approx(np.abs(E), rel=1e-9)
    bound = solve(L, abs(s.E[0]), abs(s.D[0]), k * abs(s.R[0]))
    assert [v[0] for v in common_pair.bound_at(s)] == pytest.approx(bound, rel=1e-9)


def test_equal_curvatures_keep_the_mean_of_local_momenta_exact():
    grads = [lambda w, c=c: Fraction(3, 4) * (w - c) for c in CENTRES]
    for t, (local, central) in enumerate(
        zip(
            local_sgdm(grads, WEIGHTS, START, Fraction(1), RATES, 6),
            sgdm(grads, WEIGHTS, START, Fraction(1), RATES, 6),
            strict=True,
        )
    ):
        assert local == central, t


@pytest.mark.parametrize(
    ("statement", "claim"),
    [(d3, "corrected"), (e42, "printed"), (e45, "printed"), (e46, "printed"), (e47, "corrected"), (e53, "printed")],
    ids=lambda v: getattr(v, "__name__", v),
)
def test_tight_bounds_moved_one_per_cent_inward_are_broken(statement, claim):
    """The search reaches the instances where these bounds are attained."""
    judged = getattr(statement.STATEMENT, claim)

    def inward(s):
        return [c._replace(rhs=c.rhs - np.abs(c.rhs) / 100) for c in judged.compare(s) if c.relation == "<="]

    moved = replace(judged, compare=inward, prove=None)
    report = search(moved, statement.STATEMENT.where(judged), 4000)
    assert any(find.score > 1.004 for find in report.violations)
    assert not search(judged, statement.STATEMENT.where(judged), 4000).violations


def _cursor(m, u):
    from theorems.domain import Cursor

    return Cursor(FLOATS, np.full((1, 40), u) + 0.01 * np.arange(40))

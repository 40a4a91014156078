"""The moments equal, as rationals, those of the enumerated outcomes of every draw of clients and examples."""

from __future__ import annotations

from fractions import Fraction as F
from types import SimpleNamespace

import flint
import numpy as np
import pytest

from surrogate import ProblemError, Quadratics, Theta, exact, moments
from tests.helpers.surrogate import enumerate_rounds as brute

ONE_D = [  # three clients of two examples: Hessians and minimizers all different, one flat example
    [([[F(1)]], [F(1)]), ([[F(3, 2)]], [F(-1)])],
    [([[F(1, 2)]], [F(2)]), ([[F(0)]], [F(0)])],
    [([[F(2)]], [F(1, 2)]), ([[F(1)]], [F(1, 3)])],
]
TWO_D = [
    [([[F(1), F(1, 2)], [F(1, 2), F(1)]], [F(1), F(0)]), ([[F(2), F(0)], [F(0), F(1, 2)]], [F(0), F(1)])],
    [([[F(1, 2), F(0)], [F(0), F(1)]], [F(-1), F(2)]), ([[F(1), F(-1)], [F(-1), F(3)]], [F(1, 2), F(1)])],
    [([[F(1), F(0)], [F(0), F(0)]], [F(3), F(0)]), ([[F(1), F(1)], [F(1), F(1)]], [F(0), F(-1)])],
]
UNEVEN = [F(1, 2), F(1, 3), F(1, 6)]
EVEN = [F(1, 3)] * 3


def exact_clients(examples, weights, number=F):
    """The same clients as object arrays: what moments takes in the place of Quadratics."""
    flat = [(A, c, i) for i, own in enumerate(examples) for A, c in own]
    to = np.vectorize(lambda q: number(q.numerator, q.denominator), otypes=[object])
    A_z, c_z = to(np.array([z[0] for z in flat])), to(np.array([z[1] for z in flat]))
    owner = np.array([z[2] for z in flat])
    b_z = (A_z @ c_z[..., None])[..., 0]
    own = [owner == i for i in range(len(examples))]
    A = np.array([A_z[o].sum(axis=0) / int(o.sum()) for o in own])
    b = np.array([b_z[o].sum(axis=0) / int(o.sum()) for o in own])
    return SimpleNamespace(A=A, b=b, weights=to(np.array(weights)), examples=(A_z, c_z, owner))


SETTINGS = [  # clients, weights, theta, rounds, batch, clients per round, sampling
    (ONE_D, UNEVEN, [1, 1], 2, 1, None, "iid"),
    (ONE_D, UNEVEN, [1, 1], 2, 1, 1, "iid"),
    (ONE_D, UNEVEN, [1, 2], 2, 1, 2, "iid"),
    (ONE_D, UNEVEN, [F(1, 3), 1], 2, 1, 2, "uniform"),
    (ONE_D, EVEN, [0, 1], 2, 1, 2, "uniform"),
    (ONE_D, EVEN, [1], 3, 1, 2, "uniform"),
    (ONE_D, UNEVEN, [1], 3, 2, 1, "uniform"),
    (ONE_D, UNEVEN, [1, 1, 1], 3, None, 2, "iid"),
    (ONE_D, UNEVEN, [1, 1, 1], 3, None, 2, "uniform"),
    (ONE_D, UNEVEN, [0, 0, 1], 1, 2, 2, "iid"),
    (ONE_D, EVEN, [1, 0, 2], 1, 2, 3, "uniform"),
    (TWO_D, UNEVEN, [1, 1], 1, 2, 2, "uniform"),
    (TWO_D, UNEVEN, [1, 1], 2, 1, 1, "uniform"),
    (TWO_D, EVEN, [1, 3], 2, 1, 1, "iid"),
    (TWO_D, UNEVEN, [1], 2, 1, 2, "iid"),
    (TWO_D, UNEVEN, [1, 1], 2, None, 2, "uniform"),
]


@pytest.mark.parametrize("case", range(len(SETTINGS)))
def test_trajectory_equals_the_enumeration(case):
    """E x_t and Cov x_t as rationals, with rates that change from round to round."""
    examples, weights, theta, rounds, batch, count, sampling = SETTINGS[case]
    gammas, etas = [F(1, 3), F(1, 2), F(3)][:rounds], [F(1), F(1, 2), F(1, 5)][:rounds]
    x0 = [F(5, 7), F(-2)][: len(examples[0][0][1])]
    theta_list = [F(t) for t in theta]
    laws = brute.trajectory(examples, weights, x0, gammas, etas, theta_list, batch, count, sampling)
    clients = exact_clients(examples, weights)
    m = moments.trajectory(clients, x0, rounds, gammas, etas, Theta(theta), batch, count, sampling)
    for t, law in enumerate(laws):
        assert sum(law.values()) == 1
        assert m.mean[t].tolist() == brute.mean(law)
        assert m.covariance[t].tolist() == brute.covariance(law)
    y = [F(1, 9)] * len(x0)
    brute_distance = [
        sum(p * sum((a - b) ** 2 for a, b in zip(x, y, strict=True)) for x, p in law.items()) for law in laws
    ]
    assert m.squared_distance(y).tolist() == brute_distance


@pytest.mark.parametrize("case", [0, 2, 3, 8, 10, 11])
def test_update_equals_the_enumeration(case):
    """Mean and covariance of q_t, at a point and at a random x_t with two atoms."""
    examples, weights, theta, _, batch, count, sampling = SETTINGS[case]
    d = len(examples[0][0][1])
    atoms = [([F(1), F(2)][:d], F(1, 4)), ([F(-1), F(1, 2)][:d], F(3, 4))]
    law = {}
    for x, p in atoms:
        for q, chance in brute.update(
            examples, weights, tuple(x), F(2, 5), [F(t) for t in theta], batch, count, sampling
        ).items():
            law[q] = law.get(q, F(0)) + p * chance
    x_law = {tuple(x): p for x, p in atoms}
    got = moments.update(
        exact_clients(examples, weights),
        brute.mean(x_law),
        F(2, 5),
        Theta(theta),
        batch,
        count,
        sampling,
        covariance=brute.covariance(x_law),
    )
    assert got.mean.tolist() == brute.mean(law)
    assert got.covariance.tolist() == brute.covariance(law)


def test_fmpq_and_fraction_agree():
    """flint's rationals run through the same lines."""
    settings = dict(rounds=3, gamma=F(1, 3), eta=F(1, 2), theta=Theta(["1/2", 1, 1]), batch=2, clients_per_round=2)
    a = moments.trajectory(exact_clients(TWO_D, UNEVEN), [1, 2], sampling="uniform", **settings)
    b = moments.trajectory(exact_clients(TWO_D, UNEVEN, flint.fmpq), [1, 2], sampling="uniform", **settings)
    assert isinstance(b.covariance[3, 0, 1], flint.fmpq)
    assert [str(v) for v in a.covariance.ravel()] == [str(v) for v in b.covariance.ravel()]


@pytest.mark.parametrize("number", [F, flint.fmpq])
def test_whole_numbers_stay_whole_rationals(number):
    """Python ints among the rates are not turned into floats on the way."""
    m = moments.trajectory(exact_clients(TWO_D, UNEVEN, number), [0, 0], 2, 1, 1, Theta.last(2), 1, 2)
    assert all(isinstance(v, number) for v in m.covariance.ravel()), m.covariance


@pytest.mark.parametrize("sampling", ["iid", "uniform"])
@pytest.mark.parametrize("batch", [None, 1, 3])
def test_float_follows_the_rationals(sampling, batch):
    """float64 is within 1e-13 of the rational answer after six rounds (equal client weights, as from_examples has)."""
    A_z = [A for own in TWO_D for A, _ in own]
    c_z = [c for own in TWO_D for _, c in own]
    clients = Quadratics.from_examples(np.array(A_z, dtype=float), np.array(c_z, dtype=float), np.repeat([0, 1, 2], 2))
    args = (6, 0.25, 0.5, Theta.sum(3), batch, 2, sampling)
    m = moments.trajectory(clients, [1.0, -1.0], *args)
    exact = moments.trajectory(exact_clients(TWO_D, EVEN), [1, -1], 6, F(1, 4), F(1, 2), *args[3:])
    for got, want in ((m.mean, exact.mean), (m.covariance, exact.covariance)):
        want = want.astype(float)
        assert np.abs(got - want).max() <= 1e-13 * np.abs(want).max()


def test_clients_of_surrogate_exact():
    """surrogate.exact's clients, examples included, and rates as strings, are taken as they are."""
    flat = [z for own in TWO_D for z in own]
    clients = exact.Quadratics.from_examples([A for A, _ in flat], [c for _, c in flat], np.repeat([0, 1, 2], 2))
    m = moments.trajectory(clients, [1, "1/3"], 1, "1/3", ["3/4"], Theta([1, 2]), 2, 2, "uniform")
    laws = brute.trajectory(TWO_D, EVEN, [F(1), F(1, 3)], [F(1, 3)], [F(3, 4)], [F(1), F(2)], 2, 2, "uniform")
    assert [str(v) for v in m.mean[1]] == [str(v) for v in brute.mean(laws[1])]
    assert [str(v) for v in m.covariance[1].ravel()] == [str(v) for row in brute.covariance(laws[1]) for v in row]
    with pytest.raises(ProblemError, match=r"1/3"):
        moments.trajectory(clients, ["a", 1], 1, 1, 1, Theta.sum(1))

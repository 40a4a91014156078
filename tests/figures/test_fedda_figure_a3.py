"""DA A.3's flows against the numbers of the theorems' own solution and small steps; its checks can fail."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from figures.fedda import figure_a3
from figures.fedda.flows import Flow
from surrogate.numbers import FLOATS
from tests.helpers.figures.doctor import doctored, statuses
from tests.helpers.figures.exact import rows_of
from theorems.fedda import common_flow


@pytest.fixture(scope="module")
def rows() -> Any:
    return rows_of("DA.A3")


KINDS = pytest.mark.parametrize("kind", ["convex", "concave"])


@KINDS
def test_flows_are_the_limit_of_small_steps(kind: str) -> None:
    """Heun's steps of 1/1000 on (19), (22) and (40), written out."""
    flow, h, tau = figure_a3.population(kind), 1e-3, 2.0
    n, k = len(flow.A), (1 - figure_a3.BETA) / figure_a3.ETA

    def slope(z: np.ndarray) -> np.ndarray:
        """z: central (m, W), client 0 alone (m, W), FedDA (m, W), its clients' W."""
        g = [lambda W, i=i: flow.A[i] @ (W - flow.c[i]) for i in range(n)]
        mean = sum(own(z[1]) for own in g) / n
        pushed = sum(own(W) for own, W in zip(g, z[6:], strict=True)) / n
        inner = [-own(W) for own, W in zip(g, z[6:], strict=True)]
        return np.array([k * (mean - z[0]), -z[0], k * (g[0](z[3]) - z[2]), -z[2], k * (pushed - z[4]), -z[4], *inner])

    zero = np.zeros(2)
    z = np.array([zero, flow.start, zero, flow.start, zero, flow.start, *[flow.start] * n])
    for _ in range(round(tau / h)):
        ahead = z + h * slope(z)
        z = z + h * (slope(z) + slope(ahead)) / 2
    time = np.array([tau])
    central, alone, fedda = flow.central(time), flow.client(0, time), flow.fedda(time)
    exact = [central.m[0], central.W[0], alone.m[0], alone.W[0], fedda.m[0], fedda.W[0], *fedda.local[:, 0]]
    np.testing.assert_allclose(exact, z, atol=1e-5)


def test_flows_are_those_that_the_theorems_solve() -> None:
    """On the line, against the closed form of theorems/fedda, whose m(0) is 0 at mode = -slow / gap."""
    beta, eta, a, c = 0.5, 0.2, np.array([0.3, 0.5]), np.array([0.0, 1.0])
    start = 3.0
    s = SimpleNamespace(
        nb=FLOATS, p=np.array([[0.5, 0.5]]), a=a[None], c=c[None], n=2, t=7, x=np.array([start]),
        beta=np.array([beta]), eta=np.array([eta]), mode=np.array([0.0]),
    )  # fmt: skip
    f = common_flow.start(s)
    s.mode = -f.slow / (f.fast - f.slow)
    assert abs(common_flow.start(s).m[0]) < 1e-15
    flow = Flow(a[:, None, None], c[:, None], beta, eta, np.array([start]))
    times = np.array([0.5, 2.0, 9.0])
    central, fedda = flow.central(times), flow.fedda(times)
    for j, tau in enumerate(times):
        W, m = common_flow.sgdm_at(s, tau)
        other, momentum = common_flow.decoupled_at(s, tau)
        assert (central.W[j, 0], central.m[j, 0]) == (pytest.approx(W[0], rel=1e-12), pytest.approx(m[0], rel=1e-12))
        assert (fedda.W[j, 0], fedda.m[j, 0]) == (pytest.approx(other[0]), pytest.approx(momentum[0]))


def test_the_populations_are_what_they_say() -> None:
    convex, concave = (np.linalg.eigvalsh(figure_a3.population(kind).A) for kind in ("convex", "concave"))
    np.testing.assert_allclose(convex, [[0.1, 1.0]] * 3, rtol=1e-12)
    np.testing.assert_allclose(concave[-1], [-0.4, 0.5], rtol=1e-12)
    assert np.linalg.eigvalsh(figure_a3.population("concave").A.mean(axis=0)).min() > 0


@KINDS
def test_the_papers_bounds_hold_where_they_are_drawn(rows: Any, kind: str) -> None:
    """Not its conclusions: (47) is above the local deviation, (57) above FedDA's."""
    curves = figure_a3._curves(rows)
    for t in range(1, figure_a3.STEPS + 1):
        assert curves[kind, "local, largest"][t] <= curves[kind, "bound (47)"][t] * (1 + 1e-9)
        assert curves[kind, "FedDA"][t] <= curves[kind, "bound (57)"][t] * (1 + 1e-9)


@KINDS
def test_the_integral_of_the_exponential_bound_has_converged(kind: str) -> None:
    flow = figure_a3.population(kind)
    np.testing.assert_allclose(figure_a3.exponential(flow, 4)[5:], figure_a3.exponential(flow, 16)[5:], rtol=1e-4)


def test_what_the_paper_concludes_and_what_came_out(rows: Any) -> None:
    """Two of six: what is claimed of local momentum holds for a concave client only, FedDA's rate for convex ones."""
    found = statuses(figure_a3, rows)
    assert {name for name, status in found.items() if status == "reproduced"} == {"local, concave", "fedda, convex"}
    assert "inconclusive" not in found.values()


def as_claimed(row: dict[str, Any]) -> dict[str, Any]:
    """Local momentum exponential, FedDA's quadratic and smaller."""
    t = row["step"]
    return {"deviation": {"FedDA": 1e-4 * t**2, "local, largest": 10 * 1.03**t}.get(row["curve"], 1.0)}


@KINDS
@pytest.mark.parametrize(
    ("name", "curve", "step", "deviation"),
    [("local", "local, largest", 150, 2e5), ("fedda", "FedDA", 150, 1.0), ("slower", "FedDA", 40, 30.0)],
)
def test_checks_notice_other_numbers(rows: Any, kind: str, name: str, curve: str, step: int, deviation: float) -> None:
    good = doctored(rows, as_claimed)
    assert set(statuses(figure_a3, good).values()) == {"reproduced"}

    def other(row: dict[str, Any]) -> dict[str, Any]:
        return {"deviation": deviation} if (row["population"], row["curve"], row["step"]) == (kind, curve, step) else {}

    found = statuses(figure_a3, doctored(good, other))
    assert {key for key, status in found.items() if status == "not reproduced"} == {f"{name}, {kind}"}

"""LA Algorithm 1, lines 13 to 16: does global correction leave the fixed point?"""

from __future__ import annotations

from itertools import combinations
from types import SimpleNamespace
from typing import Any

import numpy as np

from theorems.domain import Cursor, Domain
from theorems.engines.prove import reals, smt
from theorems.local_adaptivity.common import matrices, noncommutative, positive, positives
from theorems.statement import Claim, Comparison, Hypothesis, Proof, Statement


def instance(cursor: Cursor, n: int, drawn: int, tau: int) -> SimpleNamespace:
    """n clients of equal weight, H x^2/2 and fixed preconditioners in (1/2, 1]; m of them are drawn each round."""
    H, P = positives(cursor, n, 1e-2), (1 + positives(cursor, n)) / 2
    x = np.stack([H[:, 0] * 0] + [-positive(cursor, 1e-2) for _ in range(n - 1)], -1)
    return SimpleNamespace(nb=cursor.nb, n=n, drawn=drawn, tau=tau, H=H, P=P, x=x, eta=positive(cursor, 1e-2))


def messages(s: Any, at: Any) -> tuple[Any, Any]:
    """(Delta_i / N_i, 1 / N_i) at a point, with N_i = tau P_i as Algorithm 1 sums it up."""
    z = s.eta[:, None] * s.P * s.H
    N = s.tau * s.P
    return z * s.nb.geometric(z, s.tau) * (at[:, None] - s.x) / N, 1 / N


def resting_point(s: Any) -> Any:
    """Where local correction rests: sum Delta_i / N_i = 0."""
    z = s.eta[:, None] * s.P * s.H
    pull = z * s.nb.geometric(z, s.tau) / s.P
    return (pull * s.x).sum(axis=-1) / pull.sum(axis=-1)


def update(s: Any, fixed: bool) -> Any:
    """The expected pseudo-gradient at the point where local correction rests; times eta^-1 for scale."""
    normalised, inverse = messages(s, resting_point(s))
    total = s.eta * 0
    samples = list(combinations(range(s.n), s.drawn))
    for S in samples:
        mean = sum(normalised[:, i] for i in S) / s.drawn
        scale = inverse.sum(axis=-1) / s.n if fixed else sum(inverse[:, i] for i in S) / s.drawn
        total = total + mean / scale
    return total / (len(samples) * s.eta)


def printed(s: Any) -> list[Comparison]:
    return [Comparison("at rest", 1 + update(s, False), "==", s.eta * 0 + 1)]


def corrected(s: Any) -> list[Comparison]:
    return [Comparison("at rest", 1 + update(s, True), "==", s.eta * 0 + 1)]


def prove() -> Proof:
    a, b, N = reals("a b N")
    smt([N > 0, a + b == 0], a / N + b / N == 0)
    smt([N > 0, (a + b) / N == 0], a + b == 0)
    Ns, u, v = matrices("Ns u v")
    noncommutative((Ns * u + Ns * v, Ns * (u + v)))
    return Proof(
        "z3 and sympy",
        "A matrix N_s that is the same whatever the sample leaves the expectation: E[N_s^-1 Delta] = N_s^-1 "
        "E[Delta], which vanishes exactly where E[Delta] does, as N_s, a mean of positive definite matrices, is "
        "invertible.",
    )


def fast(cursor: Cursor, n: int, drawn: int, tau: int) -> SimpleNamespace:
    """eta P H up to 2."""
    s = instance(cursor, n, drawn, tau)
    s.eta = 2 * s.eta
    return s


def _ranges(s: Any) -> list[Comparison]:
    z = s.eta[:, None] * s.H * s.P
    return [
        c
        for i in range(s.n)
        for c in (
            Comparison(f"positive {i}", z[:, i], ">", z[:, i] * 0),
            Comparison(f"at most 1, {i}", z[:, i], "<=", z[:, i] * 0 + 1),
        )
    ]


CHOICES = tuple(
    {"n": n, "drawn": m, "tau": t} for n, m in ((1, 1), (2, 2), (2, 1), (3, 3), (3, 2), (3, 1)) for t in (1, 2, 10)
)

STATEMENT = Statement(
    id="LA.A2",
    paper="local_adaptivity",
    kind="convergence",
    location="section 5, global correction; Algorithm 1, lines 13 to 17",
    says="As long as N_s does not depend on the client index it does not influence the fixed point: global "
    "correction rests where local correction rests.",
    reading="As Algorithm 1 runs: clients S^(t) drawn at random (uniformly, without replacement; all of them when "
    "drawn = n), N_s the mean of N_i^-1 over S^(t). Rest: the expected pseudo-gradient vanishes. Equal weights, d = "
    "1, fixed P_i.",
    severity="missing-hypothesis",
    headline=True,
    domain=Domain(instance, CHOICES, "one to three clients in d = 1, all or some drawn"),
    hypotheses=(
        Hypothesis(
            "0 < eta P H <= 1",
            _ranges,
            Domain(fast, ({"n": 1, "drawn": 1, "tau": 1}, {"n": 2, "drawn": 2, "tau": 2}), "eta P H up to 2"),
        ),
    ),
    printed=Claim(
        "the expected pseudo-gradient of global correction vanishes where local correction rests",
        r"\mathbb{E}_S\Big[\Big(\tfrac1{|S|}\sum_{i\in S}N_i^{-1}\Big)^{-1}\tfrac1{|S|}\sum_{i\in S}N_i^{-1}"
        r"\Delta_i(x)\Big]=0\iff\sum_iN_i^{-1}\Delta_i(x)=0",
        printed,
    ),
    corrected=Claim(
        "true if N_s does not depend on the sample: all clients take part, or N_s is of all clients or of an "
        "independent draw",
        r"\mathbb{E}_S[N_s^{-1}\Delta_S]=N_s^{-1}\,\mathbb{E}_S[\Delta_S]",
        corrected,
        prove,
    ),
    note="With one client a round global correction undoes local correction altogether: N_s^-1 N_i^-1 Delta_i "
    "= Delta_i, and the bias of section 4 is back in full. With few clients drawn most of it is. Line 14 "
    "also takes plain means over S where the text has w_i: right only if clients are drawn with "
    "probability proportional to w_i. Section 5's own N_s, over all clients, does leave the fixed points: "
    "it is Algorithm 1's, over the drawn, that moves.",
)

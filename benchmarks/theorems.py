"""The suite ``theorems``: how many instances of a spectral statement are judged a second, against one at a time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from benchmarks.harness import Result, race
from surrogate import Quadratics, Surrogate
from surrogate.numbers import FLOATS
from theorems.domain import Domain, grid
from theorems.engines.search import scores
from theorems.outsized import t17
from theorems.outsized.common import fedavg_instance

__all__ = ["BENCHMARKS"]

AT_LEAST = 20_000  # instances a second, d up to 4


def _domain(d: int) -> Domain:
    choices = grid(n=(3,), d=(d,), K=(1000,))
    return replace(t17.STATEMENT.domain, decode=lambda cursor, **s: fedavg_instance(cursor, **s), choices=choices)


def one_by_one(A: np.ndarray, c: np.ndarray, gamma: np.ndarray, theta: object) -> list[float]:
    """The left side of Theorem 17 through the public classes, instance after instance."""
    return [
        float(np.linalg.norm(Surrogate(Quadratics(a, b), g, theta).displacement))
        for a, b, g in zip(A, c, gamma, strict=True)
    ]


def batches(quick: bool) -> list[Result]:
    """Theorem 17 on batches (both sides, n = 3, K = 1000) against the public classes one instance at a time."""
    count, few = (2000, 20) if quick else (20_000, 200)
    results = []
    for d in (1, 2, 4):
        domain = _domain(d)
        u = np.random.default_rng(d).uniform(size=(count, domain.size(domain.choices[0])))
        s = domain.instance(FLOATS, u[:few], domain.choices[0])
        A, c = np.asarray(s.p.A), np.asarray(s.p.c)
        best = race(
            {
                "batch": lambda domain=domain, u=u: list(scores(t17.STATEMENT.printed, domain, u, domain.choices[0])),
                "one by one": lambda A=A, c=c, s=s: one_by_one(A, c, s.gamma, s.theta),
            },
            repeats=3,
        )
        rate = count / best["batch"]
        ratio = rate / (few / best["one by one"])
        details = {"instances a second": rate, "wanted instances a second": AT_LEAST}
        name = f"theorems.batches d={d}"
        results.append(Result(name, "instances a second: batch / one by one", ratio, "x", "at least", 10.0, details))
        results.append(Result(name, "instances a second / 20,000", rate / AT_LEAST, "x", "at least", 1.0))
    return results


BENCHMARKS: dict[str, Callable[[bool], list[Result]]] = {"batches": batches}

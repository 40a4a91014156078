"""The suite ``exact``: the speed of the exact core, as ratios against plain routes timed in the same run."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from benchmarks import exact_reference as reference
from benchmarks.harness import Result, exponent, isolated, race, seconds
from surrogate import sweep
from surrogate.local_update import Surrogate
from surrogate.quadratics import Quadratics
from surrogate.theta import Theta

__all__ = ["BENCHMARKS"]

STEPS = (1, 2, 5, 10, 20, 50, 100, 1000)


def _grid(quick: bool) -> tuple[int, int, np.ndarray]:
    return (10, 40, np.geomspace(1e-3, 1, 40)) if quick else (100, 200, np.geomspace(1e-3, 1, 200))


def sweep_once(quick: bool) -> np.ndarray:
    """The whole grid from cold: clients are built (checks, one eigh each) and swept."""
    n, d, gammas = _grid(quick)
    return sweep.minimizers(Quadratics(*reference.population(n, d, 0.01, 1.0)), gammas, STEPS)


def _idle(quick: bool) -> None:
    """What ``sweep_once`` has in memory before it starts: the interpreter, numpy, and the problem."""
    n, d, _ = _grid(quick)
    reference.population(n, d, 0.01, 1.0)


def grid(quick: bool) -> list[Result]:
    """All minimizers of a grid of client rates and local steps, against matrix powers client by client."""
    n, d, gammas = _grid(quick)
    A, c = reference.population(n, d, 0.01, 1.0)
    ours, plain, found = np.inf, dict.fromkeys(STEPS, np.inf), np.empty(0)
    rng = np.random.default_rng(1)
    solve = np.inf
    for _ in range(3):

        def cold() -> None:
            nonlocal found
            found = sweep.minimizers(Quadratics(A, c), gammas, STEPS)

        ours = min(ours, seconds(cold))
        for K in STEPS:  # the same number of samples for every K; per client and pair, then extrapolated
            draws = [(int(rng.integers(n)), float(rng.choice(gammas))) for _ in range(20)]
            spent = seconds(lambda K=K, draws=draws: [reference.client_term(A[i], c[i], g, K) for i, g in draws])
            plain[K] = min(plain[K], spent / len(draws))
        solve = min(solve, seconds(lambda: [np.linalg.solve(A[i], c[i]) for i in range(10)]) / 10)
    total = len(gammas) * sum(n * plain[K] + solve for K in STEPS)
    checked = [(g, k) for k in range(len(STEPS)) for g in (0, len(gammas) // 2, len(gammas) - 1)]
    errors = [reference.solution_error(A, c, float(gammas[g]), STEPS[k], found[g, k]) for g, k in checked]
    size = f"{n} clients, d = {d}, {len(gammas)} gammas x {len(STEPS)} Ks"
    times = {"ours, cold, seconds": ours, "matrix powers, extrapolated, seconds": total}
    return [
        Result("sweep", f"{size}: matrix_power route / sweep", total / ours, "x", "at least", 80.0, times),
        Result("sweep error", f"largest relative error of {len(checked)} pairs", max(errors), "", "at most", 1e-11),
        _memory(quick),
    ]


def _memory(quick: bool) -> Result:
    peak = isolated("exact", "sweep_once", repr(quick)) / 1e9
    idle = isolated("exact", "_idle", repr(quick)) / 1e9
    what = "peak resident memory of the sweep's process"
    return Result("sweep memory", what, peak, "GB", "at most", 1.5, {"before the sweep starts, GB": idle})


def million_steps(quick: bool) -> list[Result]:
    """K = 10^6 against K = 10: filters are closed forms, so steps are free."""
    clients = Quadratics(*reference.population(50, 20, 0.01, 1.0))
    results = []
    for make in (Theta.sum, Theta.last, Theta.maml):
        runs: dict[str, Callable[[], object]] = {
            f"K = {K}": lambda K=K, make=make: [Surrogate(clients, 1e-6, make(K)).minimizer for _ in range(20)]
            for K in (10, 10**6)
        }
        best = race(runs, 3 if quick else 15)
        ratio = best["K = 1000000"] / best["K = 10"]
        milliseconds = {f"{name}, ms": 1e3 * spent / 20 for name, spent in best.items()}
        what = "one minimizer with K = 10^6 / with K = 10; 50 clients, d = 20"
        results.append(Result(f"steps {make.__name__}", what, ratio, "x", "at most", 1.5, milliseconds))
    return results


def costs(quick: bool) -> list[Result]:
    """Seconds over n, d and the grid, each doubled a few times with the others fixed, with fitted exponents."""
    few = 2 if quick else 4

    def pair(n: int, d: int) -> Callable[[], object]:
        A, c = reference.population(n, d, 0.01, 1.0)
        return lambda: Surrogate(Quadratics(A, c), 0.5, Theta.sum(10)).minimizer

    swept = Quadratics(*reference.population(20, 60, 0.01, 1.0))

    def lines(rates: int) -> Callable[[], object]:
        return lambda: sweep.minimizers(swept, np.geomspace(1e-3, 1, rates), STEPS)

    tables = {
        "n": ("one minimizer from cold, d = 50, n clients", {25 * 2**k: (25 * 2**k, 50) for k in range(few)}, pair),
        "d": (
            "one minimizer from cold, 10 clients, dimension d",
            {40 * 2**k: (10, 40 * 2**k) for k in range(few)},
            pair,
        ),
        "gammas": ("sweep of 8 Ks, 20 clients, d = 60", {50 * 2**k: (50 * 2**k,) for k in range(few + 1)}, lines),
    }
    return [_cost(name, what, sizes, make, 3) for name, (what, sizes, make) in tables.items()]


def _cost(
    name: str,
    what: str,
    sizes: dict[int, tuple[int, ...]],
    make: Callable[..., Callable[[], object]],
    repeats: int,
) -> Result:
    """One column of the cost table; the value is the exponent e of seconds ~ size^e."""
    best = race({str(size): make(*arguments) for size, arguments in sizes.items()}, repeats)
    slope = exponent(list(sizes), list(best.values()))
    return Result(f"cost in {name}", f"exponent; {what}", slope, "", details={"seconds": best})


BENCHMARKS: dict[str, Callable[[bool], list[Result]]] = {
    "sweep": grid,
    "steps": million_steps,
    "costs": costs,
}

"""The suite ``exact``: the speed of the exact core, as ratios against plain routes timed in the same run."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from benchmarks import exact_reference as reference
from benchmarks.harness import Result, exponent, isolated, race, seconds
from surrogate import exact, moments, sweep
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
    clients = Quadratics(*reference.population(50, 50, 0.01, 1.0))
    results = []
    for make in (Theta.sum, Theta.last, Theta.maml):
        runs: dict[str, Callable[[], object]] = {
            f"K = {K}": lambda K=K, make=make: [Surrogate(clients, 1e-6, make(K)).minimizer for _ in range(20)]
            for K in (10, 10**6)
        }
        best = race(runs, 3 if quick else 15)
        ratio = best["K = 1000000"] / best["K = 10"]
        milliseconds = {f"{name}, ms": 1e3 * spent / 20 for name, spent in best.items()}
        what = "one minimizer with K = 10^6 / with K = 10; 50 clients, d = 50"
        results.append(Result(f"steps {make.__name__}", what, ratio, "x", "at most", 1.5, milliseconds))
    return results


def symbolic(quick: bool) -> list[Result]:
    """The minimizer as rational functions of gamma: 5 clients, d = 6, K = 10; sympy's matrices over Q[gamma]."""
    d = 3 if quick else 6
    A, c = reference.whole_numbers(5, d)
    routes: dict[str, Callable[[], object]] = {
        "ours": lambda: exact.Surrogate(exact.Quadratics(A, c), "gamma", Theta.sum(10)).minimizer,
        "sympy": lambda: reference.symbolic_minimizer(A, c, 10),
    }
    best = race(routes, 3)
    what, times = f"5 clients, d = {d}, K = 10", {"seconds": best}
    return [
        Result("symbolic", f"{what}: minimizer in gamma, from cold", best["ours"], "s", "at most", 1.0),
        Result("symbolic ratio", f"{what}: sympy / ours", best["sympy"] / best["ours"], "x", "at least", 1.0, times),
    ]


def fields(quick: bool) -> list[Result]:
    """Small exact fields: where one rests, against the same sums written out in flint's matrices."""
    n, d = (5, 3) if quick else (10, 4)
    A, c = reference.whole_numbers(n, d)
    D = [[[int(j == k) * (i + 1) for k in range(d)] for j in range(d)] for i in range(n)]
    clients = exact.Quadratics(A, c)
    x, found = clients.minimizer, clients.matrices
    routes: dict[str, Callable[[], object]] = {
        "ours": lambda: exact.Field(clients, D).displacement,
        "flint": lambda: reference.exact_displacement(found, c, D, x),
    }
    best = race(routes, 20 if quick else 100)
    what, times = f"{n} clients, d = {d}: displacement of an exact field / flint's sums", {"seconds": best}
    return [Result("fields", what, best["ours"] / best["flint"], "x", details=times)]


def _moments_problem(quick: bool) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    return reference.examples(10, 10, 4) if quick else reference.examples(50, 30, 4)


def _moments_idle(quick: bool) -> None:
    """What both routes have in memory before they start."""
    Quadratics.from_examples(*_moments_problem(quick))


def _moments_ours(quick: bool) -> None:
    clients = Quadratics.from_examples(*_moments_problem(quick))
    moments.trajectory(clients, np.ones(clients.d), 10, 0.1, 0.5, Theta.sum(10), batch=1)


def _moments_kronecker(quick: bool) -> None:
    A_z, c_z, owner = _moments_problem(quick)
    reference.kronecker_moments(A_z, c_z, owner, np.ones(len(c_z[0])), 10, 0.1, 0.5, 10, 1)


def moment_recursion(quick: bool) -> list[Result]:
    """Mean and covariance under minibatches: 50 clients, d = 30; against d^2 x d^2 operators written out."""
    routes = {"ours": lambda: _moments_ours(quick), "kronecker": lambda: _moments_kronecker(quick)}
    best = race(routes, 1 if quick else 3)
    names = {"idle": "_moments_idle", "ours": "_moments_ours", "kronecker": "_moments_kronecker"}
    peak = {name: isolated("exact", function, repr(quick)) / 1e6 for name, function in names.items()}
    own, theirs = peak["ours"] - peak["idle"], {"kronecker, MB": peak["kronecker"] - peak["idle"]}
    size = ("10 clients, d = 10" if quick else "50 clients, d = 30") + ", 4 random A_z each, K = 10, T = 10"
    ratio = best["kronecker"] / best["ours"]
    what = "working memory of ours (a d^2 x d^2 operator a client: 324 MB at d = 30)"
    return [
        Result("moments", f"{size}: kronecker / ours", ratio, "x", "at least", 1.0, {"seconds": best}),
        Result("moments memory", what, own, "MB", "at most", 50.0, theirs),
    ]


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
    "symbolic": symbolic,
    "fields": fields,
    "moments": moment_recursion,
    "costs": costs,
}

r"""Bias against speed: where local SGD rests and how fast it gets there, over client rates and local steps.

Ten clients with a least-squares problem each, in R^4, all heard each round with exact gradients. With
D_i = sum_{k<K} (I - gamma A_i)^k and J = sum_i w_i D_i A_i, symmetric, T rounds lead from x_0 to

    x_T - x* = (x~ - x*) + (I - eta J)^T (x_0 - x~),

bias plus what is left of the start; eta = gamma averages the clients' models, or eta is the one of smallest radius.
"""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

import numpy as np

from figures import style
from figures.figure import Figure
from figures.findings import Finding, judge
from figures.records import Axes, Columns, Drawing, Row, Table
from surrogate import Quadratics, Surrogate, Theta

CLAIMS = {
    "trade": "at the server's best rate a larger client rate is faster and more biased, whatever K >= 2",
    "few": "with few rounds many local steps pay",
    "many": "with rounds enough one local step is best",
    "careful": "the larger the budget, the smaller the bias of the best choice",
    "server": "the server's best rate is at least as good as averaging, for every budget",
}

GAMMAS = [2.0**-k for k in range(7, -1, -1)]
STEPS = [1, 2, 4, 8, 16, 32, 64, 128]
BUDGETS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000]
SERVERS = {"averages": "server averages", "best rate": "server at its best rate"}
DISTANCE = 10.0  # of the start from x*, along the diagonal
PAYS = 0.5  # few rounds: at T = 1 the best choice leaves at most half of what the best K = 1 leaves


def population() -> Quadratics:
    """Least squares on 8 examples a client; features of scale 1, 1/2, 1/4, 1/10; the largest eigenvalue L scaled to 1.

    Client i's answers are X_i u_i, u_i standard normal: it minimizes at u_i.
    """
    rng = np.random.default_rng(1)
    X = rng.standard_normal((10, 8, 4)) * [1, 1 / 2, 1 / 4, 1 / 10]
    A = np.einsum("imj,imk->ijk", X, X)
    return Quadratics(A / np.linalg.eigvalsh(A).max(), rng.standard_normal((10, 4)))


def table(scale: str) -> Columns:
    """One row a server, client rate, number of steps and budget: bias, radius, and the error after so many rounds."""
    clients = population()
    rows = [row for gamma in GAMMAS for K in STEPS for row in _setting(clients, gamma, K)]
    return {name: [row[name] for row in rows] for name in rows[0]}


def _setting(clients: Quadratics, gamma: float, K: int) -> list[Row]:
    field = Surrogate(clients, gamma, Theta.sum(K))
    rows = []
    for server in SERVERS:
        eta = gamma if server == "averages" else field.best_eta
        setting = {
            "server": server,
            "gamma": gamma,
            "steps": K,
            "eta": eta,
            "bias": float(np.linalg.norm(field.displacement)),
            "radius": field.contraction(eta).radius,
        }
        rows += [setting | {"rounds": T, "error": error(field, eta, T)} for T in BUDGETS]
    return rows


def error(field: Surrogate, eta: float, rounds: int) -> float:
    """||x_T - x*|| from DISTANCE along the diagonal, in an eigenbasis of J."""
    d = field.clients.d
    values, V = np.linalg.eigh(field.jacobian)
    start = DISTANCE / math.sqrt(d) * np.ones(d) - field.displacement
    left = V @ ((1 - eta * values) ** rounds * (V.T @ start))
    return float(np.linalg.norm(field.displacement + left))


def findings(rows: Table) -> list[Finding]:
    """Our expectations, on the grid."""
    every = rows.to_pylist()
    best = {(server, T): _best(every, server, T) for server in SERVERS for T in BUDGETS}
    one = {server: _best([row for row in every if row["steps"] == 1], server, BUDGETS[0]) for server in SERVERS}
    more, faster = _trade(every)
    first = {server: best[server, BUDGETS[0]]["error"] / one[server]["error"] for server in SERVERS}
    last = {server: best[server, BUDGETS[-1]] for server in SERVERS}
    growth = max(best[s, b]["bias"] - best[s, a]["bias"] for s in SERVERS for a, b in pairwise(BUDGETS))
    lead = [best["best rate", T]["error"] / best["averages", T]["error"] for T in BUDGETS]
    return [
        judge(
            CLAIMS["trade"],
            "for every K >= 2, from each client rate to the next: bias grows, radius falls, strictly",
            more > 1 and faster < 1,
            {"least growth of bias": more, "largest ratio of radii": faster},
        ),
        judge(
            CLAIMS["few"],
            "at T = 1 the best choice leaves at most half of what the best K = 1 leaves, for both servers",
            max(first.values()) <= PAYS,
            {SERVERS[server]: share for server, share in first.items()},
        ),
        judge(
            CLAIMS["many"],
            f"at T = {BUDGETS[-1]} the least error is that of K = 1, for both servers",
            all(row["steps"] == 1 for row in last.values()),
            {f"{SERVERS[server]}, K = {row['steps']}": row["error"] for server, row in last.items()},
        ),
        judge(
            CLAIMS["careful"],
            "the bias of the best choice never grows from one budget to the next, for both servers",
            growth <= 0,
            {"largest growth": growth},
        ),
        judge(
            CLAIMS["server"],
            "least error at the best rate over least error when averaging: at most 1 for every T",
            max(lead) <= 1,
            {f"T={T}": share for T, share in zip(BUDGETS, lead, strict=True)},
        ),
    ]


def _best(rows: list[Row], server: str, rounds: int) -> dict[str, Any]:
    """The row of least error; among equals the one with the fewest steps."""
    candidates = [row for row in rows if (row["server"], row["rounds"]) == (server, rounds)]
    return min(candidates, key=lambda row: (row["error"], row["steps"]))


def _trade(rows: list[Row]) -> tuple[float, float]:
    """The least ratio of biases and the largest ratio of radii, from one client rate to the next, K >= 2."""
    by_setting = {(row["steps"], row["gamma"]): row for row in rows if row["server"] == "best rate"}
    pairs = [(by_setting[K, low], by_setting[K, high]) for K in STEPS[1:] for low, high in pairwise(GAMMAS)]
    biases = np.array([high["bias"] / low["bias"] for low, high in pairs])
    return float(biases.min()), float(np.max([high["radius"] / low["radius"] for low, high in pairs]))


def draw(rows: Table) -> Drawing:
    """Above the trade-off for each server, below what a budget makes of it."""
    from matplotlib import pyplot

    figure = pyplot.figure(figsize=(8.2, 6.6))
    grid = figure.add_gridspec(2, 2)
    every = rows.to_pylist()
    left = figure.add_subplot(grid[0, 0])
    fronts = [left, figure.add_subplot(grid[0, 1], sharex=left, sharey=left)]
    for ax, server in zip(fronts, SERVERS, strict=True):
        _front(ax, [row for row in every if row["server"] == server and row["rounds"] == 1])
        ax.set(title=SERVERS[server], xlabel="rounds for a factor 10 (fewer: faster)")
    fronts[0].set_ylabel(r"bias of the limit, $\|\tilde x - x^*\|$")
    fronts[1].legend(title="local steps", ncols=2, loc="lower right", handlelength=1.4, columnspacing=1.0)
    _budgets(figure.add_subplot(grid[1, 0]), every)
    inner = grid[1, 1].subgridspec(2, 1)
    steps = figure.add_subplot(inner[0])
    _choices(steps, figure.add_subplot(inner[1], sharex=steps), every)
    style.footer(
        figure,
        "The same at every scale. Ten least-squares clients in $\\mathbb{R}^4$ with standard normal minimizers, "
        "largest eigenvalue 1; exact gradients, all clients,\n$x_0$ at distance 10 from $x^*$. Dots: client rates "
        "1/128, 1/64, ..., 1, from right to left. At its best rate a server with $K = 1$ does not feel $\\gamma$.",
    )
    return figure


def _front(ax: Axes, rows: list[Row]) -> None:
    for colour, K in zip(style.ordered(len(STEPS)), STEPS, strict=True):
        front = sorted((row for row in rows if row["steps"] == K), key=lambda row: row["gamma"])
        pace = [-1 / math.log10(row["radius"]) for row in front]
        if K == 1:  # no bias at all: below every logarithmic axis
            place = ax.get_xaxis_transform()
            ax.plot(pace, [0.03] * len(pace), "v", color=colour, markersize=5, transform=place, label="$K=1$ (no bias)")
        else:
            ax.plot(pace, [row["bias"] for row in front], "o-", color=colour, markersize=3, label=f"$K={K}$")
    ax.set(xscale="log", yscale="log")


def _budgets(ax: Axes, rows: list[Row]) -> None:
    colours = {"averages": style.COLOURS["blue"], "best rate": style.COLOURS["vermilion"]}
    alone = [row for row in rows if row["steps"] == 1]
    for server, colour in colours.items():
        least = [_best(rows, server, T)["error"] for T in BUDGETS]
        single = [_best(alone, server, T)["error"] for T in BUDGETS]
        ax.plot(BUDGETS, least, "o-", color=colour, markersize=3, label=SERVERS[server])
        ax.plot(BUDGETS, single, color=colour, linestyle=(0, (2, 2)), linewidth=1.0, label="the same, $K = 1$ only")
    ax.set(xscale="log", yscale="log", xlabel="budget of rounds $T$", title="least error on the grid")
    ax.set(ylabel=r"$\|x_T - x^*\|$", ylim=(1e-8, 20))
    ax.legend(loc="lower left")


def _choices(steps: Any, rates: Any, rows: list[Row]) -> None:
    looks = {"averages": ("blue", "o-"), "best rate": ("vermilion", "s--")}
    for server, (colour, line) in looks.items():
        chosen = [_best(rows, server, T) for T in BUDGETS]
        look = {"color": style.COLOURS[colour], "markersize": 3.5}
        steps.plot(BUDGETS, [row["steps"] for row in chosen], line, **look)
        felt = [row for row in chosen if server == "averages" or row["steps"] > 1]
        rates.plot([row["rounds"] for row in felt], [row["gamma"] for row in felt], line, **look)
    steps.set(title="the choice that reaches it", ylabel="steps $K$")
    steps.set_yscale("log", base=2)
    steps.set_xlabel("budget of rounds $T$")
    rates.set_yscale("log", base=2)
    rates.set(xscale="log", xlabel="budget of rounds $T$", ylabel=r"rate $\gamma$", ylim=(2**-7.5, 1.5))


FIGURE = Figure(
    module=__name__,
    id="B1",
    title="Bias of the limit against speed, and the best client rate and local steps for a budget",
    alt="Four panels. Above, one curve a number of local steps: the bias of the limit rises by orders of magnitude as "
    "the rounds a factor 10 takes fall, then levels off; left the server averages models, right it takes its best "
    "rate, where all curves nearly coincide. Below left: the least error after T rounds, for both servers and for one "
    "local step alone. Below right: the local steps and the client rate that reach it: 128 steps for few rounds, 1 for "
    "many.",
    claims=CLAIMS,
    statements=("OLR.T4", "OLR.T16", "OLR.D1"),
    table=table,
    findings=findings,
    draw=draw,
)

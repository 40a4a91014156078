r"""LocalUpdate on the density problem: where the iterates go as the number of local steps, or the client rate, grows.

Clients z in [1/2, 2] of density 8z/15 hold ``f(x; z) = z x^2 / 2 - x``. Each round hears one client (M = B = 1), the
server rate is 1e-4 (all printed). The paper simulates; here the mean and the standard deviation of x_t are exact, and
one simulated run, whose clients come from the density itself, is drawn pale. Ours, because the paper's legend and axes
are lost in our copy: the values of K and of gamma, the start x_0 = 0.6, and the number of rounds.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from figures import style
from figures.figure import Figure
from figures.findings import Finding, judge
from figures.records import Arrays, Axes, Drawing, Row, Table
from surrogate import Surrogate, Theta, moments, toys

CLAIMS = {
    "one_step": "with K = 1, LocalUpdate converges to x*",
    "no_rate": "with gamma = 0, LocalUpdate converges to x*",
    "steps": "as K increases, it converges to a point further from x*",
    "rate": "as gamma increases, it converges to a point further from x*",
    "many_steps": "as K goes to infinity, it converges to the average minimizer",
    "noise": "decreasing the local step size increases the variance",
}

ETA, START, ROUNDS, EVERY, SEED = 1e-4, 0.6, 80_000, 200, 1
STEPS = {"K varies": [(0.5, K) for K in (1, 2, 3, 5, 10, 50)]}
RATES = {"gamma varies": [(gamma, 20) for gamma in (0.0, 0.05, 0.1, 0.25, 0.5, 1.0)]}

SETTLED = 1e-3  # of the gap between x* and the average minimizer: closer than this counts as being there
LIMIT = 1e-2  # the same for the average minimizer, which only K -> infinity reaches


def table(scale: str) -> Arrays:
    """One row a panel, setting and drawn round: E x_t, its standard deviation, one path, the exact resting point."""
    clients = toys.density_problem()
    parts = [_run(panel, clients, *pair) for panel, pairs in (STEPS | RATES).items() for pair in pairs]
    columns = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
    size = len(columns["round"])
    columns["minimizer"] = np.full(size, clients.minimizer[0])
    columns["mean_minimizer"] = np.full(size, clients.mean_minimizer[0])
    return columns


def _run(panel: str, clients: Any, gamma: float, steps: int) -> dict[str, Any]:
    theta = Theta.sum(steps)
    mean, deviation = law(clients, gamma, theta, ROUNDS // EVERY)
    size = len(mean)
    return {
        "panel": np.full(size, panel),
        "gamma": np.full(size, gamma),
        "steps": np.full(size, steps),
        "round": np.arange(0, ROUNDS + 1, EVERY),
        "mean": mean,
        "deviation": deviation,
        "path": path(gamma, theta, ROUNDS)[::EVERY],
        "resting_point": np.full(size, Surrogate(clients, gamma, theta).resting_point[0]),
    }


def law(clients: Any, gamma: float, theta: Theta, blocks: int) -> tuple[np.ndarray, np.ndarray]:
    """Exact mean and standard deviation of x_t at t = 0, EVERY, 2 EVERY, ..., each (blocks + 1,).

    From x (counted from x*), EVERY rounds lead to the mean ``m + a x`` and the variance ``v0 + v1 x + v2 x^2``: three
    starts tell all five numbers. A random x of mean u and variance S then leads, by the law of total variance, to

        u' = m + a u,    S' = v0 + v1 u + v2 (u^2 + S) + a^2 S.
    """
    ends = []
    for start in clients.minimizer[0] + np.array([-1.0, 0.0, 1.0]):
        run = moments.trajectory(clients, [start], EVERY, gamma, ETA, theta, clients_per_round=1, sampling="iid")
        ends.append((run.mean[-1, 0] - clients.minimizer[0], run.covariance[-1, 0, 0]))
    (low, v_low), (m, v0), (high, v_high) = ends
    a, v1, v2 = (high - low) / 2, (v_high - v_low) / 2, (v_high + v_low) / 2 - v0
    u, S = START - clients.minimizer[0], 0.0
    means, variances = [u], [S]
    for _ in range(blocks):
        u, S = m + a * u, v0 + v1 * u + v2 * (u**2 + S) + a**2 * S
        means.append(u)
        variances.append(S)
    return clients.minimizer[0] + np.array(means), np.sqrt(variances)


def path(gamma: float, theta: Theta, rounds: int) -> np.ndarray:
    """One run on the continuum of clients, (rounds + 1,); every setting hears the same clients.

    z has the distribution function 4/15 (z^2 - 1/4), and K local steps of client z return filter(gamma z) (z x - 1).
    """
    u = np.random.default_rng(SEED).random(rounds)
    z = np.sqrt((1 + 15 * u) / 4)
    x = [START]
    for slope, pull in zip(*(ETA * theta.filter(gamma * z) * factor for factor in (z, 1.0)), strict=True):
        x.append(x[-1] - (slope * x[-1] - pull))
    return np.array(x)


def findings(rows: Table) -> list[Finding]:
    """The conclusions, at the last round. Distances are shares of the gap between x* and the average minimizer."""
    ends = _ends(rows)
    one, still = ends[("K varies", 0.5, 1)], ends[("gamma varies", 0.0, 20)]
    many = ends[("K varies", 0.5, 50)]
    near = f"|E x_T - x*| at most {SETTLED:g} of the gap between x* and the average minimizer"
    far = "|E x_T - x*| strictly increasing (numbers in shares of that gap)"
    by_steps = {f"K={end['steps']}": end["away"] for key, end in ends.items() if key[0] == "K varies"}
    by_rate = {f"gamma={end['gamma']:g}": end["away"] for key, end in ends.items() if key[0] == "gamma varies"}
    noise = {f"gamma={end['gamma']:g}": end["deviation"] for key, end in ends.items() if key[0] == "gamma varies"}
    return [
        judge(CLAIMS["one_step"], near, one["away"] <= SETTLED, {"distance": one["away"]}),
        judge(CLAIMS["no_rate"], near, still["away"] <= SETTLED, {"distance": still["away"]}),
        judge(CLAIMS["steps"], far, _increasing(list(by_steps.values())), by_steps),
        judge(CLAIMS["rate"], far, _increasing(list(by_rate.values())), by_rate),
        judge(
            CLAIMS["many_steps"],
            f"at K = 50, |E x_T - average minimizer| at most {LIMIT:g} of the gap",
            many["short"] <= LIMIT,
            {"distance": many["short"]},
        ),
        judge(
            CLAIMS["noise"],
            "standard deviation of x_T strictly decreasing in gamma",
            _increasing([-deviation for deviation in noise.values()]),
            noise,
        ),
    ]


def _increasing(values: list[float]) -> bool:
    return all(low < high for low, high in pairwise(values))


def _ends(rows: Table) -> dict[tuple[str, float, int], dict[str, Any]]:
    """The last row of each setting, with its distances from x* (away) and from the average minimizer (short)."""
    ends: dict[tuple[str, float, int], dict[str, Any]] = {}
    for row in sorted(rows.to_pylist(), key=lambda row: row["round"]):
        ends[row["panel"], row["gamma"], row["steps"]] = row
    for row in ends.values():
        gap = abs(row["mean_minimizer"] - row["minimizer"])
        row["away"] = abs(row["mean"] - row["minimizer"]) / gap
        row["short"] = abs(row["mean"] - row["mean_minimizer"]) / gap
    return {key: ends[key] for key in sorted(ends)}


def draw(rows: Table) -> Drawing:
    """Two panels that share the vertical axis: mean, one-deviation band and one path a setting."""
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(1, 2, figsize=(8.6, 3.9), sharey=True)
    titles = [r"client rate $\gamma = 0.5$, local steps $K$ vary", r"local steps $K = 20$, client rate $\gamma$ varies"]
    labels = [lambda row: f"$K={row['steps']}$", lambda row: rf"$\gamma={row['gamma']:g}$"]
    for ax, panel, title, label in zip(axes, STEPS | RATES, titles, labels, strict=True):
        ax.set(title=title, xlabel="rounds $t$ (thousands)", xlim=(0, ROUNDS / 1000), ylim=(START - 0.005, 0.845))
        _panel(ax, [row for row in rows.to_pylist() if row["panel"] == panel], label)
    axes[0].set_ylabel("server iterate $x_t$")
    style.footer(
        figure,
        "The same at every scale. Density problem, $\\eta = 10^{-4}$, $M = B = 1$: the paper's; values of $K$ and "
        f"$\\gamma$, $x_0 = {START}$: ours. Line and band: exact mean and standard deviation; thin: one simulated run.",
    )
    return figure


def _panel(ax: Axes, rows: list[Row], label: Any) -> None:
    settings = sorted({(row["gamma"], row["steps"]) for row in rows})
    ends = []
    for colour, setting in zip(style.ordered(len(settings)), settings, strict=True):
        drawn = [row for row in rows if (row["gamma"], row["steps"]) == setting]
        t, mean, spread, run = (
            np.array([row[name] for row in drawn]) for name in ("round", "mean", "deviation", "path")
        )
        ax.plot(t / 1000, run, color=colour, linewidth=0.5, alpha=0.45, zorder=1)
        ax.fill_between(t / 1000, mean - spread, mean + spread, color=colour, alpha=0.16, linewidth=0, zorder=2)
        ax.plot(t / 1000, mean, color=colour, zorder=3)
        ends.append((mean[-1], label(drawn[-1]), colour))
    for value, text, dash in (
        (rows[0]["minimizer"], "true minimizer $x^*$", (0, (5, 2))),
        (rows[0]["mean_minimizer"], "average minimizer", (0, (1, 1.5))),
    ):
        ax.axhline(value, color="black", linewidth=1.0, linestyle=dash, label=text, zorder=4)
    style.end_labels(ax, ends)
    ax.legend(loc="lower right", handlelength=2.6)


FIGURE = Figure(
    module=__name__,
    id="OLR.F1",
    title="LocalUpdate on the density problem as K, or gamma, varies",
    alt="Two panels of x_t against rounds. Left, client rate 0.5: with one local step the mean iterate settles on the "
    "true minimizer 5/7, with more steps above it, with 50 on the mean of the client minimizers, 4/5. Right, 20 local "
    "steps: with gamma = 0 it settles on 5/7 and fluctuates most; larger gamma settles higher (gamma = 1 above 4/5) "
    "and fluctuates less.",
    claims=CLAIMS,
    statements=("OLR.S3", "OLR.T16"),
    table=table,
    findings=findings,
    draw=draw,
)

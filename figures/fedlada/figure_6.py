r"""Matching dislocation, drawn from two real quadratics: what an adaptive server step does to the amended gradient.

The paper's figure is a schematic (m = 2, K = 3). Here two clients take the amended steps alpha g_i + (1 - alpha) p, and
p is the pseudo gradient at x^t: the mean local gradient of K plain steps. The server steps by eta_g p, or by
eta_g p / sqrt(v) with FedAdam's v = beta2 eps_v^2 + (1 - beta2) p^2 and the paper's eps_v^2 = 1e-2, beta2 = 0.99. At
either new point the next round amends with p, where another pseudo gradient holds. The rest is ours.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from figures import style
from figures.figure import Figure
from figures.findings import Finding, judge
from figures.records import Axes, Columns, Drawing, Look, Row, Table

CLAIMS = {
    "far": "under the same server rate, the adaptive server's x^(t+1) is far away from SGD's",
    "direction": "second moments change the global direction",
    "gap": "at the adaptive x^(t+1) there is a large gap between the pseudo gradient carried over and the true one",
    "sgd": "at SGD's x^(t+1) the last round's mean gradient tells the pseudo gradient (8)",
    "decay": "a smaller server rate reduces the estimation error",
}

A = ((1.0, 0.0), (0.0, 0.1)), ((0.35, 0.15), (0.15, 0.3))
C = (-1.2, 0.4), (1.4, -0.9)
START, RATE, STEPS, ALPHA, SERVER_RATE = (-1.8, 2.2), 0.8, 3, 0.7, 0.6
BETA2, INITIAL = 0.99, 1e-2
TIMES_FURTHER = 2.0  # far: the adaptive step at least twice as long; a large gap: at least twice SGD's
TURNED = 10.0  # degrees
SMALL = 0.5  # (8): the gap at most half of the pseudo gradient
DECAY = 10.0  # the smaller server rate: a tenth; its error: at most a fifth
SERVERS = {"sgd": "SGD server", "adaptive": "adaptive server"}
ORIGIN = np.zeros(2)


def table(scale: str) -> Columns:
    """One row a point. ``kind``: path (of a client), minimizer, server, slow (server at a tenth of the rate).

    x, y: the point; carried and true: the pseudo gradient of round t and the one at that point (their lengths, gap and
    components); the same 0 for paths and minimizers.
    """
    start, Hessians, centres = np.array(START), np.array(A), np.array(C)
    p = pseudo_gradient(start)
    rows = []
    for i in range(2):
        y = start
        rows.append(_row("path", f"client {i + 1}", 0, y))
        for k in range(STEPS):
            y = y - RATE * (ALPHA * (Hessians[i] @ (y - centres[i])) + (1 - ALPHA) * p)
            rows.append(_row("path", f"client {i + 1}", k + 1, y))
        rows.append(_row("minimizer", f"client {i + 1}", 0, centres[i]))
    rows.append(_row("minimizer", "global", 0, minimizer()))
    rows.append(_row("server", "start", 0, start, p, p))
    for kind, rate in (("server", SERVER_RATE), ("slow", SERVER_RATE / DECAY)):
        for name in SERVERS:
            new = start - rate * server_direction(name, p)
            rows.append(_row(kind, name, 1, new, p, pseudo_gradient(new)))
    return {name: [row[name] for row in rows] for name in rows[0]}


def pseudo_gradient(x: np.ndarray) -> np.ndarray:
    """The mean over clients and K plain local steps of the gradients met, (2,)."""
    met = []
    for H, c in zip(np.array(A), np.array(C), strict=True):
        y = x
        for _ in range(STEPS):
            met.append(H @ (y - c))
            y = y - RATE * met[-1]
    return np.asarray(np.mean(met, axis=0))


def server_direction(name: str, p: np.ndarray) -> np.ndarray:
    """p, or p / sqrt(v) with v = beta2 eps_v^2 + (1 - beta2) p^2."""
    return p if name == "sgd" else p / np.sqrt(BETA2 * INITIAL + (1 - BETA2) * p**2)


def minimizer() -> np.ndarray:
    """x*, (2,)."""
    Hessians = np.array(A)
    return np.asarray(np.linalg.solve(Hessians.sum(axis=0), np.einsum("ijk,ik->j", Hessians, np.array(C))))


def _row(kind: str, name: str, step: int, point: np.ndarray, p: np.ndarray = ORIGIN, true: np.ndarray = ORIGIN) -> Row:
    return {
        "kind": kind, "name": name, "step": step, "x": float(point[0]), "y": float(point[1]),
        "carried_x": float(p[0]), "carried_y": float(p[1]), "true_x": float(true[0]), "true_y": float(true[1]),
        "gap": float(np.linalg.norm(p - true)), "moved": float(np.linalg.norm(point - np.array(START))),
    }  # fmt: skip


def findings(rows: Table) -> list[Finding]:
    """Gaps between pseudo gradients, and the two server steps, in length and direction."""
    of = {(row["kind"], row["name"]): row for row in rows.to_pylist() if row["kind"] in ("server", "slow")}
    sgd, adaptive = of["server", "sgd"], of["server", "adaptive"]
    size = float(np.hypot(sgd["carried_x"], sgd["carried_y"]))
    slower = {SERVERS[name]: of["slow", name]["gap"] / of["server", name]["gap"] for name in SERVERS}
    start = of["server", "start"]
    angles = [np.arctan2(row["y"] - start["y"], row["x"] - start["x"]) for row in (sgd, adaptive)]
    turned = abs(float(np.degrees((angles[1] - angles[0] + np.pi) % (2 * np.pi) - np.pi))) + 0 * adaptive["moved"]
    return [
        judge(
            CLAIMS["far"],
            "length of the server's step: adaptive at least twice SGD",
            adaptive["moved"] >= TIMES_FURTHER * sgd["moved"],
            {"SGD": sgd["moved"], "adaptive": adaptive["moved"]},
        ),
        judge(
            CLAIMS["direction"],
            f"angle between the two server steps: at least {TURNED:g} degrees",
            turned >= TURNED,
            {"degrees": turned},
        ),
        judge(
            CLAIMS["gap"],
            "distance between the pseudo gradient carried over and the true one: adaptive at least twice SGD",
            adaptive["gap"] >= TIMES_FURTHER * sgd["gap"],
            {"SGD": sgd["gap"], "adaptive": adaptive["gap"]},
        ),
        judge(
            CLAIMS["sgd"],
            "that distance at SGD's point: at most half of the pseudo gradient",
            sgd["gap"] <= SMALL * size,
            {"gap": sgd["gap"], "pseudo gradient": size},
        ),
        judge(
            CLAIMS["decay"],
            "at a tenth of the server rate the distance is at most a fifth, for both servers",
            max(slower.values()) <= 2 / DECAY,
            slower,
        ),
    ]


def draw(rows: Table) -> Drawing:
    """The plane with paths, minimizers, both server steps and the gradients there."""
    from matplotlib import pyplot

    figure, ax = pyplot.subplots(figsize=(6.4, 6.6))
    every = rows.to_pylist()
    _levels(ax)
    looks = {"client 1": ("green", "x_1^*"), "client 2": ("purple", "x_2^*"), "global": ("black", "x^*")}
    for name, (colour, symbol) in looks.items():
        path = [row for row in every if (row["kind"], row["name"]) == ("path", name)]
        if path:
            label = f"{name}: three amended local steps"
            xs, ys = [row["x"] for row in path], [row["y"] for row in path]
            ax.plot(xs, ys, "o-", markersize=3, color=style.COLOURS[colour], label=label)
        rest = next(row for row in every if (row["kind"], row["name"]) == ("minimizer", name))
        ax.plot(rest["x"], rest["y"], "*", markersize=9, color=style.COLOURS[colour])
        ax.annotate(f"${symbol}$", (rest["x"], rest["y"]), (6, 4), textcoords="offset points")
    _servers(ax, [row for row in every if row["kind"] == "server"])
    ax.set(xlabel="$x_1$", ylabel="$x_2$", aspect="equal")
    arrow: dict[str, Any] = {"linestyle": "none", "marker": ">", "markersize": 7, "markeredgecolor": "black"}
    ax.plot([], [], color="white", label="minus the pseudo gradient carried over", **arrow)
    ax.plot([], [], color="black", label="minus the pseudo gradient that holds there", **arrow)
    figure.legend(loc="outside upper center", ncols=2)
    style.footer(
        figure,
        "The same at every scale. Two real quadratics in the plane, one round from $x^t$. $m = 2$, $K = 3$ and the\n"
        "initial second moment 0.01: the paper's; $\\eta_l = 0.8$, $\\alpha = 0.7$, $\\eta_g = 0.6$ and the quadratics "
        "are ours.",
    )
    return figure


def _levels(ax: Axes) -> None:
    xs, ys = np.linspace(-2.6, 2.4, 120), np.linspace(-1.5, 2.7, 120)
    grid = np.stack(np.meshgrid(xs, ys), -1)
    loss = sum(
        np.einsum("...j,jk,...k->...", grid - c, H, grid - c) / 4 for H, c in zip(np.array(A), np.array(C), strict=True)
    )
    ax.contour(xs, ys, loss, levels=12, colors="#d5d5d5", linewidths=0.7, zorder=0)


def _servers(ax: Axes, rows: list[Row]) -> None:
    start = next(row for row in rows if row["name"] == "start")
    ax.plot(start["x"], start["y"], "o", color="black", markersize=6, zorder=4)
    ax.annotate("$x^t$", (start["x"], start["y"]), (-6, 6), textcoords="offset points", ha="right")
    for name, colour in (("sgd", "blue"), ("adaptive", "vermilion")):
        row = next(row for row in rows if row["name"] == name)
        shade = style.COLOURS[colour]
        line: Look = {"color": shade, "linestyle": (0, (4, 2)), "marker": "s", "markersize": 5, "markevery": [1]}
        ax.plot([start["x"], row["x"]], [start["y"], row["y"]], label=f"{SERVERS[name]}: $x^{{t+1}}$", **line)
        for which, face in (("carried", "white"), ("true", shade)):
            ax.annotate(
                "",
                (row["x"] - row[f"{which}_x"], row["y"] - row[f"{which}_y"]),
                (row["x"], row["y"]),
                arrowprops={"arrowstyle": "simple,head_width=0.5,head_length=0.6,tail_width=0.12", "fc": face,
                            "ec": shade, "linewidth": 0.9, "shrinkA": 3, "shrinkB": 0},
            )  # fmt: skip


FIGURE = Figure(
    module=__name__,
    id="LADA.F6",
    title="Matching dislocation: SGD and adaptive server steps on two quadratics",
    alt="Level curves of the average of two quadratics, with both clients' minimizers and the global one. From x^t "
    "both clients take three amended steps. The SGD server step lands near x^t; the adaptive one lands much further "
    "along nearly the same line. Arrows at both points: the pseudo gradient that was carried over and the one that "
    "holds there; they nearly agree at the SGD point and differ at the adaptive one.",
    claims=CLAIMS,
    statements=("LADA.E8",),
    table=table,
    findings=findings,
    draw=draw,
)

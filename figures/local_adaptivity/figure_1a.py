r"""How far one round moves each point of the plane, ||x - A(x)||: SGD clients, local AdaGrad, and AdaGrad corrected.

Darker is closer to the fixed point. The problem, the rates and the window are ours (see `plane`).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from figures import style
from figures.figure import Figure
from figures.findings import Finding, judge
from figures.local_adaptivity import plane
from figures.records import Arrays, Axes, Drawing, Look, Row, Table

CLAIMS = {
    "conditioned": "under local AdaGrad, the optimization landscape is better conditioned",
    "displaced": "under local AdaGrad, the fixed point is inconsistent with the global minimum",
    "corrected": "correction methods correct the inconsistency",
    "retained": "corrected (jointly), the better conditioning is retained",
}

CENTRE, HALF_WIDTH, PIXELS = (0.0, -0.5), 3.0, 161
RADIUS, DIRECTIONS = 1.0, 360  # the circle on which conditioning is read off
TIMES_BETTER = 2.0  # better conditioned: the ratio at most 1/2 of the other
TIMES_FURTHER = 3.0  # displaced: at least 3 times as far from x* as FedAvg; corrected: at most 1/3 of AdaGrad


def table(scale: str) -> Arrays:
    """One row a method and point. ``kind``: map (the window), fixed (the fixed point), circle (around it)."""
    parts = [part for method in plane.LABELS for part in _method(method)]
    columns = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
    minimizer = plane.clients().minimizer
    size = len(columns["x"])
    return columns | {"minimizer_x": np.full(size, minimizer[0]), "minimizer_y": np.full(size, minimizer[1])}


def _method(method: str) -> list[Row]:
    rest = fixed_point(method)
    ticks = np.linspace(-HALF_WIDTH, HALF_WIDTH, PIXELS)
    window = np.stack([axis.ravel() for axis in np.meshgrid(CENTRE[0] + ticks, CENTRE[1] + ticks)])
    angles = 2 * np.pi * np.arange(DIRECTIONS) / DIRECTIONS
    circle = rest + RADIUS * np.stack([np.cos(angles), np.sin(angles)])
    return [_rows(method, kind, points) for kind, points in (("map", window), ("fixed", rest), ("circle", circle))]


def _rows(method: str, kind: str, points: np.ndarray) -> dict[str, Any]:
    size = points.shape[1]
    residual = np.linalg.norm(points - plane.advance(method, points), axis=0)
    return {
        "method": np.full(size, method),
        "kind": np.full(size, kind),
        "x": points[0],
        "y": points[1],
        "residual": residual,
    }


def fixed_point(method: str, rounds: int = 1000) -> np.ndarray:
    """Where x = A(x), (2, 1), by playing rounds from x*; the table holds its residual."""
    x = plane.clients().minimizer[:, None]
    for _ in range(rounds):
        x = plane.advance(method, x)
    return x


def findings(rows: Table) -> list[Finding]:
    """Conditioning: the largest residual over the smallest, on the circle of radius 1 around the fixed point."""
    of = _by_method(rows)
    ratio = {method: _ratio(own) for method, own in of.items()}
    away = {method: _away(own) for method, own in of.items()}
    return [
        judge(
            CLAIMS["conditioned"],
            f"largest over smallest residual, {RADIUS:g} around the fixed point: AdaGrad at most half of SGD",
            TIMES_BETTER * ratio["adagrad"] <= ratio["fedavg"],
            {"SGD": ratio["fedavg"], "AdaGrad": ratio["adagrad"]},
        ),
        judge(
            CLAIMS["displaced"],
            f"distance of the fixed point from x*: AdaGrad at least {TIMES_FURTHER:g} times SGD",
            away["adagrad"] >= TIMES_FURTHER * away["fedavg"],
            {"SGD": away["fedavg"], "AdaGrad": away["adagrad"]},
        ),
        judge(
            CLAIMS["corrected"],
            "distance of the fixed point from x*: both corrections at most a third of AdaGrad",
            TIMES_FURTHER * max(away["local"], away["joint"]) <= away["adagrad"],
            {"AdaGrad": away["adagrad"], "local": away["local"], "joint": away["joint"]},
        ),
        judge(
            CLAIMS["retained"],
            f"largest over smallest residual, {RADIUS:g} around the fixed point: joint at most half of SGD",
            TIMES_BETTER * ratio["joint"] <= ratio["fedavg"],
            {"SGD": ratio["fedavg"], "joint": ratio["joint"], "local": ratio["local"]},
        ),
    ]


def _by_method(rows: Table) -> dict[str, list[Row]]:
    every = rows.to_pylist()
    return {method: [row for row in every if row["method"] == method] for method in plane.LABELS}


def _ratio(rows: list[Row]) -> float:
    around = [row["residual"] for row in rows if row["kind"] == "circle"]
    return float(max(around) / min(around))


def _away(rows: list[Row]) -> float:
    rest = next(row for row in rows if row["kind"] == "fixed")
    return float(np.hypot(rest["x"] - rest["minimizer_x"], rest["y"] - rest["minimizer_y"]))


def draw(rows: Table) -> Drawing:
    """Four maps side by side, each on the scale of its own largest residual."""
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(1, 4, figsize=(10.4, 3.1), sharex=True, sharey=True)
    for ax, (method, own) in zip(axes, _by_method(rows).items(), strict=True):
        image = _map(ax, own)
        ax.set(title=plane.LABELS[method], xlabel="$x_1$ (steep)", aspect="equal")
    axes[0].set_ylabel("$x_2$ (flat)")
    axes[-1].legend(loc="lower left", handletextpad=0.1, borderaxespad=0.2)
    bar = figure.colorbar(image, ax=axes, shrink=0.85, pad=0.01)
    bar.set_label(r"$\|x - A(x)\|$, share of its largest")
    style.footer(
        figure,
        "The same at every scale. Exact gradients, one round of each method's own code. Problem, $K = 20$ local steps, "
        r"$\gamma = 1/20$, $\eta = 1$: ours, the paper prints none. Darker: closer to the fixed point.",
    )
    return figure


def _map(ax: Axes, rows: list[Row]) -> Any:
    window = [row for row in rows if row["kind"] == "map"]
    xs, ys = (sorted({row[name] for row in window}) for name in ("x", "y"))
    residual = np.array([row["residual"] for row in window]).reshape(len(ys), len(xs))
    share = residual / residual.max()
    image = ax.pcolormesh(xs, ys, share, vmin=0, vmax=1, cmap="Blues_r", shading="gouraud", rasterized=True)
    ax.contour(xs, ys, share, levels=[0.02, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8], colors="white", linewidths=0.6, alpha=0.8)
    rest = next(row for row in rows if row["kind"] == "fixed")
    ring: Look = {"color": "none", "markeredgecolor": style.COLOURS["orange"], "markeredgewidth": 1.6}
    star: Look = {"color": style.COLOURS["vermilion"], "markeredgecolor": "white", "markeredgewidth": 0.6}
    marks: Look = {"markersize": 9, "linestyle": "none"}
    ax.plot(rest["x"], rest["y"], marker="o", label="fixed point", **marks, **ring)
    ax.plot(rest["minimizer_x"], rest["minimizer_y"], marker="*", label="true minimizer $x^*$", **marks, **star)
    return image


FIGURE = Figure(
    module=__name__,
    id="LA.F1a",
    title="Residuals ||x - A(x)|| of local methods on a quadratic in the plane",
    alt="Four maps of the plane, dark where one round hardly moves the point. SGD clients: a long narrow valley "
    "through the true minimizer. Local AdaGrad: a compact basin, about as wide as high, whose fixed point lies well "
    "away from the true minimizer. AdaGrad with local correction: a narrow valley again, its fixed point next to the "
    "minimizer. With joint correction: a small round basin around the minimizer.",
    claims=CLAIMS,
    statements=("LA.D5", "LA.T2"),
    table=table,
    findings=findings,
    draw=draw,
)

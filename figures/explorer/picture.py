"""The explorer's four pictures as one matplotlib figure, for a talk."""

from __future__ import annotations

import io
from typing import Any

import numpy as np

from figures import style
from figures.explorer import menu
from figures.explorer.state import State
from figures.explorer.view import Scene, scene
from figures.records import Axes, Drawing

__all__ = ["draw", "rendered"]

_LEVELS, _WIDE = 7, 1.3
_F, _REST, _RUN, _PATH, _CLIENT = (style.COLOURS[c] for c in ("blue", "vermilion", "green", "purple", "grey"))


def draw(s: State, rows: int = 2) -> Drawing:
    """A matplotlib figure of the state: losses, truth against bounds, displacement against contraction, the run.

    ``rows=1``: the first two alone.

    >>> figure = draw(State(gamma=0.5, steps=2))
    >>> [ax.get_title(loc="left") for ax in figure.axes][:2]
    ['Losses and resting point', 'Truth against the theorems']
    """
    import matplotlib
    from matplotlib.figure import Figure

    message = scene(s)
    with matplotlib.rc_context(style.rc()):
        figure = Figure(figsize=(9.6, 3.6 * rows), layout="constrained")
        axes = figure.subplots(rows, 2).ravel()
        (_line if message["d"] == 1 else _plane)(axes[0], message)
        for ax, panel in zip(axes[1:], (_truth, _trade, _run), strict=False):
            panel(ax, message, s)
        style.footer(figure, _said(s, message))
    return figure


def rendered(s: State, kind: str, rows: int = 2) -> bytes:
    """The figure as a PNG or PDF, the same bytes each time."""
    import matplotlib

    held = io.BytesIO()
    with matplotlib.rc_context(style.rc()):
        draw(s, rows).savefig(
            held, format=kind, metadata={"CreationDate": None} if kind == "pdf" else {"Software": None}
        )
    return held.getvalue()


def _said(s: State, message: Scene) -> str:
    """What is looked at, in a line."""
    averaging = s.method == menu.LOCAL_UPDATE and s.theta == "sum"
    steps = f", Θ = {s.weights!r}" if s.method == menu.LOCAL_UPDATE and not averaging else f", K = {s.steps}"
    method = "FedAvg" if averaging else s.method
    noise = f", {s.per_round} clients a round" if s.per_round else ""
    noise += f", minibatches of {s.batch}" if s.batch else ""
    name = f"preset {s.problem.preset}" if s.problem.preset else "own clients"
    rates = f"γ = {s.gamma:.4g}, η = {message['eta']:.4g}{steps}"
    return f"{name}: {message['n']} clients, d = {message['d']}. {method}, {rates}{noise}."


def _points(message: Scene, d: int) -> Any:
    """What has to be in the picture, (m, d): a resting point far away is not."""
    sure = [c["c"] for c in message["clients"] if c["c"] is not None] + [message["loss"]["center"], message["start"]]
    low, high = np.min(sure, axis=0), np.max(sure, axis=0)
    rest = message["rest"]
    if rest is not None and np.all(np.abs(np.array(rest) - (low + high) / 2) < 2.5 * (high - low)):
        sure.append(rest)
    return np.array(sure)[:, :d]


def _line(ax: Axes, message: Scene) -> None:
    """Parabolas above their minima."""
    sure = _points(message, 1)
    margin = 0.15 * float(np.ptp(sure)) or 1.0
    x = np.linspace(sure.min() - margin, sure.max() + margin, 301)

    def parabola(q: dict[str, Any]) -> Any:
        return q["hessian"][0][0] / 2 * (x - q["center"][0]) ** 2

    for client in message["clients"]:
        if client["c"] is not None:
            ax.plot(x, client["A"][0][0] / 2 * (x - client["c"][0]) ** 2, color=_CLIENT, lw=0.7, alpha=0.5)
    f = parabola(message["loss"])
    ax.plot(x, f, color=_F, label="f")
    if message["surrogate"]:
        ax.plot(x, parabola(message["surrogate"]), "--", color=_REST, label="the surrogate loss")
    path = _below_edge(message)
    kept = [message["loss"]["center"][0], *(p[0] for p in path if p is not None)]
    ax.plot(kept, np.zeros(len(kept)), color=_PATH, label="rest for γ < 1/L")
    ax.set(ylim=(-0.06 * f.max(), 1.05 * f.max()), xlabel="x", ylabel="above its minimum")
    _marks(ax, message, lambda p: (p[0], 0.0))


def _below_edge(message: Scene) -> list[list[float] | None]:
    """The resting points at rates below 1/L."""
    points, gammas = message["path"]["points"], message["path"]["gammas"]
    return [point for point, gamma in zip(points, gammas, strict=True) if gamma < message["marks"]["L"]]


def _plane(ax: Axes, message: Scene) -> None:
    """Level sets; beyond two dimensions, of the first two coordinates."""
    sure = _points(message, 2)
    low, high = sure.min(axis=0), sure.max(axis=0)
    half = 0.65 * (high - low) + 0.1 * (high == low)
    half = np.maximum(half, half[::-1] * [_WIDE, 1 / _WIDE])  # the shape of the axes, with one unit for both
    a, b = (low + high) / 2 - half, (low + high) / 2 + half
    grid = np.meshgrid(np.linspace(a[0], b[0], 161), np.linspace(a[1], b[1], 161))
    _levels(ax, grid, message["loss"]["hessian"], message["loss"]["center"], _F, "solid", "f")
    if message["surrogate"]:
        q = message["surrogate"]
        _levels(ax, grid, q["hessian"], q["center"], _REST, "dashed", "the surrogate loss")
    if message["residual"]:
        q = message["residual"]
        _levels(ax, grid, q["square"], q["center"], _REST, "dashed", "‖F‖ (no loss)")
    path = _below_edge(message)
    kept = np.array([message["loss"]["center"], *(p for p in path if p is not None)])
    ax.plot(kept[:, 0], kept[:, 1], color=_PATH, label="rest for γ < 1/L")
    if message["run"]:
        run = np.array(message["run"]["points"])
        ax.plot(run[:, 0], run[:, 1], ".-", color=_RUN, ms=4, lw=0.9, label="run")
    ax.set(xlim=(a[0], b[0]), ylim=(a[1], b[1]), xlabel="first coordinate", ylabel="second coordinate")
    ax.set_aspect("equal")
    _marks(ax, message, lambda p: (p[0], p[1]))


def _levels(ax: Axes, grid: Any, H: Any, center: Any, colour: str, dash: str, label: str) -> None:
    u, v = grid[0] - center[0], grid[1] - center[1]
    value = (H[0][0] * u * u + 2 * H[0][1] * u * v + H[1][1] * v * v) / 2
    heights = value.max() * (np.arange(1, _LEVELS + 1) / _LEVELS) ** 2
    ax.contour(*grid, value, levels=heights, colors=colour, linestyles=dash, linewidths=0.8)
    ax.plot([], [], color=colour, ls=dash, lw=0.8, label=label)


def _marks(ax: Axes, message: Scene, at: Any) -> None:
    for client in message["clients"]:
        if client["c"] is not None:
            ax.plot(*at(client["c"]), "o", mfc="white", mec=_CLIENT, ms=6)
    if message["mean"] is not None:
        ax.plot(*at(message["mean"]), "x", color="black", label="mean of client minimizers")
    ax.plot(*at(message["loss"]["center"]), "o", color=_F, label="x*")
    if message["rest"] is not None:
        ax.plot(*at(message["rest"]), "D", color=_REST, ms=5, label="rests")
    ax.set_title("Losses and resting point")
    ax.legend(fontsize=6.5, frameon=True, framealpha=0.85, edgecolor="none")


def _floats(values: Any) -> Any:
    return np.array([np.nan if v is None else v for v in values], dtype=float)


def _truth(ax: Axes, message: Scene, s: State) -> None:
    gammas, distance = message["path"]["gammas"], _floats(message["path"]["distance"])
    ax.plot(gammas, np.where(distance > 0, distance, np.nan), color=_REST, label="truth")
    for row, colour, dash in zip(message["bounds"], (_F, _PATH, _RUN), ("--", ":", "-."), strict=False):
        if row["curve"] is not None:
            ax.plot(gammas, _floats(row["curve"]), dash, color=colour, label=f"{row['name']}: {row['verdict']}")
    ax.axvline(s.gamma, color=_CLIENT, lw=0.7, ls=":")
    if message["distance"]:
        ax.plot(s.gamma, message["distance"], "D", color=_REST, ms=5)
        ax.set_yscale("log")
    ax.set(xscale="log", xlabel="client rate γ", ylabel="distance of rest to x*", title="Truth against the theorems")
    ax.legend(fontsize=6.5)


def _trade(ax: Axes, message: Scene, s: State) -> None:
    radius, distance = _floats(message["path"]["radius"]), _floats(message["path"]["distance"])
    good = (radius < 1.5) & (distance > 0)
    ax.plot(np.where(good, radius, np.nan), np.where(good, distance, np.nan), ".-", color=_PATH, ms=3)
    now = next((value for label, _, value in message["table"] if label == "contraction (radius)"), None)
    if now is not None and now < 1.5 and message["distance"]:
        ax.plot(now, message["distance"], "D", color=_REST, ms=5)
    if good.any():
        ax.set_yscale("log")
    ax.set(xlabel="contraction of one round (radius)", ylabel="distance of rest to x*")
    ax.set_title("Displacement against contraction")


def _run(ax: Axes, message: Scene, s: State) -> None:
    ax.set(xlabel="round t", ylabel="E ‖x_t − x*‖²", title="Distance over the rounds")
    if not message["run"]:
        return
    total, bias = _floats(message["run"]["distance2"]), _floats(message["run"]["bias2"])
    t = np.arange(len(total))
    if message["run"]["covariance"] is not None:
        ax.fill_between(t, bias, total, color=_RUN, alpha=0.2, lw=0)
        ax.plot(t, bias, "--", color=_RUN, lw=0.9, label="‖E x_t − x*‖² (the band is noise)")
    ax.plot(t, total, color=_RUN, label="E ‖x_t − x*‖²")
    if message["distance"]:
        ax.axhline(message["distance"] ** 2, color=_REST, ls="--", lw=0.9, label="at rest")
    if (total > 0).all():
        ax.set_yscale("log")
    ax.legend(fontsize=6.5)

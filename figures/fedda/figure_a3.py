r"""DA, appendix A.3, on quadratics: how far local momentum and FedDA's strays from the centralized momentum.

The appendix bounds both and calls one rate exponential, the other algebraic; it draws nothing. Here the three systems
(19), (22) and (40) are solved exactly, beside the bounds (47) and (57), for three convex clients in the plane (those of
``toys.plane``), and with one of them bent concave. All settings are ours; the time is t steps of eta.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from figures import style
from figures.fedda.flows import Array, Flow
from figures.figure import Figure
from figures.findings import Finding, judge
from figures.records import Columns, Drawing, Row, Table

CLAIMS = {
    "local, convex": "local momentum deviates from the centralized one at an exponential rate (convex clients)",
    "fedda, convex": "FedDA's momentum deviates at the algebraic rate O(t^2) (convex clients)",
    "slower, convex": "FedDA's momentum deviates much more slowly than local momentum (convex clients)",
    "local, concave": "local momentum deviates from the centralized one at an exponential rate (one client concave)",
    "fedda, concave": "FedDA's momentum deviates at the algebraic rate O(t^2) (one client concave)",
    "slower, concave": "FedDA's momentum deviates much more slowly than local momentum (one client concave)",
}

BETA, ETA, STEPS, BEND = 0.9, 0.1, 300, 0.5
START = (2.0, 2.0)
QUADRATIC = 4.0  # t^2 grows by 4 from T/2 to T: more is not algebraic of that order, less not exponential
SLOWER = 0.5  # much more slowly: at most half, at every step from 2 on


def population(kind: str) -> Flow:
    """Three clients of eigenvalues 1 and 1/10; ``concave``: the last one's lowered by 1/2, the average stays convex."""
    from surrogate import toys

    clients = toys.plane()
    A = clients.A.copy()
    if kind == "concave":
        A[-1] -= BEND * np.eye(2)
    return Flow(A, clients.c, BETA, ETA, np.array(START))


def table(scale: str) -> Columns:
    """One row a population, curve and step t."""
    rows = [row for kind in ("convex", "concave") for row in _deviations(kind)]
    return {name: [row[name] for row in rows] for name in rows[0]}


def _deviations(kind: str) -> list[Row]:
    flow, steps = population(kind), np.arange(STEPS + 1)
    times = np.asarray(steps * ETA, dtype=np.float64)
    central, fedda = flow.central(times), flow.fedda(times)
    local = [flow.client(i, times).m for i in range(len(flow.A))]
    curves = {
        "local, largest": np.max([_norm(m - central.m) for m in local], axis=0),
        "local, mean": _norm(np.mean(local, axis=0) - central.m),
        "FedDA": _norm(fedda.m - central.m),
        "bound (47)": exponential(flow),
        "bound (57)": quadratic(flow, central.W, fedda.local) * ETA * steps**2 / 2,
    }
    return [
        {"population": kind, "curve": name, "step": int(t), "deviation": float(values[t])}
        for name, values in curves.items()
        for t in steps[1:]
    ]


def exponential(flow: Flow, fine: int = 8) -> Array:
    """(47)'s right side, the largest over the clients: (1 - beta) int_0^tau e^(l+ (tau - s)) |R_i(s)| / eta ds.

    l+ is the positive eigenvalue of the matrix A in (44) (the printed formula loses an eta), L_g the largest curvature.
    """
    from scipy.integrate import cumulative_simpson

    times = np.linspace(0, STEPS * ETA, STEPS * fine + 1)
    W, n, k = flow.central(times).W, len(flow.A), flow.k
    gradients = np.array([flow.gradient(i, W) for i in range(n)])
    L = float(np.abs(np.linalg.eigvalsh(flow.A)).max())
    rate = (-k + np.sqrt(k * k + 4 * k * L)) / 2
    bounds = []
    for i in range(n):
        R = _norm(gradients.mean(axis=0) - gradients[i])
        total = cumulative_simpson(np.exp(-rate * times) * R, x=times, initial=0.0)
        bounds.append(k * np.exp(rate * times) * total)
    return np.asarray(np.max(bounds, axis=0)[::fine])


def quadratic(flow: Flow, W: Array, local: Any) -> Array:
    """C* of (57) with suprema over the points visited until then: sup_i |grad g_i| (|g_i| + |m(0)| + |g|)."""
    mean = _norm(np.mean([flow.gradient(i, W) for i in range(len(flow.A))], axis=0))
    top = np.maximum.accumulate(mean)
    constants = []
    for i, A in enumerate(flow.A):
        own = np.maximum.accumulate(np.maximum(_norm(flow.gradient(i, local[i])), _norm(flow.gradient(i, W))))
        constants.append(np.abs(np.linalg.eigvalsh(A)).max() * (own + top))
    return np.asarray(np.max(constants, axis=0))


def _norm(vectors: Array) -> Array:
    return np.asarray(np.linalg.norm(vectors, axis=-1))


def findings(rows: Table) -> list[Finding]:
    """Growth from half of the steps to all of them; and FedDA's deviation in shares of the largest local one."""
    curve = _curves(rows)
    judged = []
    for kind in ("convex", "concave"):
        local, fedda = curve[kind, "local, largest"], curve[kind, "FedDA"]
        growth = {"local": local[STEPS] / local[STEPS // 2], "FedDA": fedda[STEPS] / fedda[STEPS // 2]}
        share = np.max([fedda[t] / local[t] for t in range(2, STEPS + 1)])
        doubled = f"growth from t = {STEPS // 2} to {STEPS}"
        judged += [
            judge(
                CLAIMS[f"local, {kind}"],
                f"{doubled} of the largest |m^i - m|: more than 4, which is t^2",
                growth["local"] > QUADRATIC,
                {"growth": growth["local"], "largest": max(local.values())},
            ),
            judge(
                CLAIMS[f"fedda, {kind}"],
                f"{doubled} of |mbar - m|: at most 4, which is t^2",
                growth["FedDA"] <= QUADRATIC,
                {"growth": growth["FedDA"], "largest": max(fedda.values())},
            ),
            judge(
                CLAIMS[f"slower, {kind}"],
                "|mbar - m| over the largest |m^i - m|: at most 1/2 at every step from 2 on",
                bool(share <= SLOWER),
                {"largest share": float(share), "at the end": fedda[STEPS] / local[STEPS]},
            ),
        ]
    return judged


def _curves(rows: Table) -> dict[tuple[str, str], dict[int, float]]:
    curves: dict[tuple[str, str], dict[int, float]] = {}
    for row in rows.to_pylist():
        curves.setdefault((row["population"], row["curve"]), {})[row["step"]] = row["deviation"]
    return curves


def draw(rows: Table) -> Drawing:
    """Deviations solid, bounds dashed, in the colour of what they bound."""
    from matplotlib import pyplot

    looks = {
        "local, largest": ("vermilion", "-", r"local, the client furthest off: $\|m^i - m\|$"),
        "local, mean": ("orange", "-", "local, the mean of the clients' momenta"),
        "FedDA": ("blue", "-", r"FedDA, $\|\bar m - m\|$"),
        "bound (47)": ("vermilion", (0, (4, 2)), "(47), bounds the local ones: exponential"),
        "bound (57)": ("blue", (0, (4, 2)), r"(57), bounds FedDA: $C^*\eta t^2/2$"),
    }
    figure, axes = pyplot.subplots(1, 2, figsize=(8.6, 4.1), sharey=True)
    curves = _curves(rows)
    for ax, kind, title in zip(axes, ("convex", "concave"), ("convex clients", "one client concave"), strict=True):
        for name, (colour, dash, label) in looks.items():
            values = curves[kind, name]
            ax.plot(list(values), list(values.values()), color=style.COLOURS[colour], linestyle=dash, label=label)
        ax.set(title=title, xlabel="steps $t$", xscale="log", yscale="log", xlim=(1, STEPS))
    axes[0].set(ylabel="deviation from centralized momentum", ylim=(1e-5, 1e9))
    handles, labels = axes[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper center", ncols=2)
    style.footer(
        figure,
        "The same at every scale. The systems (19), (22), (40) solved exactly; three clients in the plane, "
        r"$\beta = 0.9$, $\eta = 0.1$, $\alpha = 1$, $m(0) = 0$: ours; the paper draws nothing."
        "\nSuprema in (57) over the points visited. Where a client is concave, its Assumption 2 (bounded gradients) "
        "holds for no fixed constant.",
    )
    return figure


FIGURE = Figure(
    module=__name__,
    id="DA.A3",
    title="Deviations of local momentum and of FedDA's from the centralized one",
    alt="Two panels, deviation against steps, both logarithmic. Convex clients: local momenta and FedDA's deviate "
    "alike, reach about 1 near 20 steps and die out, while the paper's exponential and quadratic bounds go on rising. "
    "One client concave: all deviations grow exponentially in the end, FedDA's fastest.",
    claims=CLAIMS,
    statements=("DA.D2", "DA.E44", "DA.E47", "DA.E57"),
    table=table,
    findings=findings,
    draw=draw,
)

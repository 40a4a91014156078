r"""The surrogate dictionary on one population: where each method comes to rest, against x*.

Three clients in the plane (``toys.plane``), each flat along another direction; K = 10 local steps, all clients, exact
gradients. Methods with a closed form rest where sum_i w_i D_i A_i (x - c_i) = 0, D_i from `surrogate.dictionary`.
Adaptive clients are played until they rest, and the same formula with the preconditioners that they realised is held
against it. Rates are ours: 1/4, and for adaptive clients, whose steps are as long whatever the gradient, 1/20.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from figures import style
from figures.beyond import labels
from figures.figure import Figure
from figures.findings import Finding, judge
from figures.records import Axes, Columns, Drawing, Look, Row, Table
from surrogate import dictionary, methods, toys
from surrogate._types import Array

CLAIMS = {
    "unbiased": "minibatch SGD, the centralized methods, SCAFFOLD and FedLin rest at x*",
    "servers": "no server optimizer moves the point: all of FedOpt rests where FedAvg rests",
    "fedda": "FedDA rests where FedAvg rests, with SGDM and with Adam",
    "amended": "FedCM and the amended FedAdam rest closer to x* than FedAvg",
    "adaptive": "adaptive clients rest further from x* than FedAvg",
    "corrected": "local correction brings adaptive clients closer to x*",
}

RATE, ADAPTIVE_RATE, STEPS = 1 / 4, 1 / 20, 10
NEAR = 0.45  # from x*: shown again on a larger scale
SAME = 1e-9  # methods whose points are no further apart share a dot
UNBIASED = ("minibatch-sgd", "central-sgd", "central-sgdm", "central-adam", "central-adagrad", "scaffold", "fedlin")
SERVERS = tuple(f"fedopt-{name}" for name in ("sgd", "sgdm", "adagrad", "adam", "amsgrad", "yogi"))
ADAPTIVE = ("local-adagrad", "local-adam", "local-amsgrad", "local-yogi")
CORRECTED = tuple(f"{name} + local correction" for name in ("local-adagrad", "local-adam"))

# What a method needs besides rate and steps; adaptive clients are played to rest.
MORE: dict[str, dict[str, Any]] = {
    "fedprox": {"mu": 1 / 2},
    "fedlocal": {"optimizer": {"name": "adagrad"}},
    "fed-ams": {"eps": 1 / 2},  # from second moments of 0 its first steps would be of length gamma / eps
    "preconditioned": {"P": [[[1.0, 0.0], [0.0, 0.5]], [[0.75, 0.25], [0.25, 0.5]], [[0.5, 0.0], [0.0, 1.0]]]},
}
PLAYED = (*ADAPTIVE, "fedlocal", "fedlada", "fed-ams", "fed-lamb")
START, MOST_ROUNDS, SETTLED = (0.5, 0.5), 30_000, 1e-12


def table(scale: str) -> Columns:
    """One row a method: its resting point, how far it is from x* and from FedAvg's, and which dot it shares."""
    clients = toys.plane()
    points = {name: _rest(name) for name in dictionary.methods()}
    points |= {name: _rest(name.partition(" ")[0], correction="local") for name in CORRECTED}
    fedavg = points["fedavg"]
    names = sorted(points, key=lambda name: (round(float(np.linalg.norm(points[name] - clients.minimizer)), 9), name))
    return {
        "method": names,
        "played": [name.partition(" ")[0] in PLAYED for name in names],
        "dot": _shared([points[name] for name in names]),
        "x": [points[name][0] for name in names],
        "y": [points[name][1] for name in names],
        "distance": [float(np.linalg.norm(points[name] - clients.minimizer)) for name in names],
        "from_fedavg": [float(np.linalg.norm(points[name] - fedavg)) for name in names],
    }


def _rest(name: str, **more: Any) -> Array:
    """By the dictionary's formula; adaptive clients' with the preconditioners of a run that has come to rest."""
    clients, known = toys.plane(), methods.describe(name).settings
    rates = {"gamma": ADAPTIVE_RATE if name in PLAYED else RATE, "steps": STEPS}
    settings = {key: value for key, value in rates.items() if key in known and name != "local-update"}
    settings |= MORE.get(name, {}) | more
    if name == "local-update":
        settings |= {"gamma": RATE, "theta": _halved()}
    if name not in PLAYED:
        return np.asarray(dictionary.resting_point(name, clients, **settings))
    point, realised = played(name, settings)
    formula = dictionary.resting_point(name, clients, **settings, realised=realised)
    if not np.abs(formula - point).max() < SAME:
        raise ArithmeticError(f"{name} stopped at {point}, but its preconditioners rest at {formula}")
    return np.asarray(formula)


def _halved() -> Any:
    """Weights 1, 1/2, 1/4, ...: a Theta that is no other method's."""
    from surrogate import Theta

    return Theta([0.5**k for k in range(STEPS)])


def played(name: str, settings: dict[str, Any]) -> tuple[Array, Array]:
    """Where a run comes to rest (2,), and the preconditioners (n, K, 2) of its last round."""
    clients = toys.plane()
    method = methods.build(name, **settings, record=True)
    functions, own = methods.quadratic_clients(clients), dict[int, methods.State]()
    state = method.start(np.array(START))
    for _ in range(MOST_ROUNDS):
        before = state["x"]
        state, own = methods.play(method, state, own, functions, clients.weights.tolist())
        if np.abs(state["x"] - before).max() < SETTLED:
            return state["x"], np.array([own[i]["realised"] for i in range(clients.n)])
    raise ArithmeticError(f"{name} does not come to rest in {MOST_ROUNDS} rounds")


def _shared(points: list[Array]) -> list[int]:
    """The same number for points that coincide, counted from 0 in order of appearance."""
    seen: list[Array] = []
    groups = []
    for point in points:
        near = [k for k, other in enumerate(seen) if np.linalg.norm(point - other) <= SAME]
        if not near:
            seen.append(point)
        groups.append(near[0] if near else len(seen) - 1)
    return groups


def findings(rows: Table) -> list[Finding]:
    """What the dictionary's formulas lead us to expect; for adaptive clients, what the papers say of them."""
    away = dict(zip(rows["method"].to_pylist(), rows["distance"].to_pylist(), strict=True))
    apart = dict(zip(rows["method"].to_pylist(), rows["from_fedavg"].to_pylist(), strict=True))
    plain = away["fedavg"]
    pairs = {name: name.partition(" ")[0] for name in CORRECTED}
    return [
        judge(
            CLAIMS["unbiased"],
            "distance from x* at most 1e-9",
            max(away[name] for name in UNBIASED) <= SAME,
            {name: away[name] for name in UNBIASED},
        ),
        judge(
            CLAIMS["servers"],
            "distance from FedAvg's point at most 1e-9, and that is not x*",
            max(apart[name] for name in SERVERS) <= SAME < plain,
            {"furthest": max(apart[name] for name in SERVERS), "FedAvg from x*": plain},
        ),
        judge(
            CLAIMS["fedda"],
            "distance from FedAvg's point at most 1e-9",
            max(apart["fedda-sgdm"], apart["fedda-adam"]) <= SAME,
            {name: apart[name] for name in ("fedda-sgdm", "fedda-adam", "fedda-adagrad")},
        ),
        judge(
            CLAIMS["amended"],
            "distances from x*: at most half of FedAvg's",
            2 * max(away["fedcm"], away["fedadam-amended"]) <= plain,
            {name: away[name] for name in ("fedavg", "fedcm", "fedadam-amended")},
        ),
        judge(
            CLAIMS["adaptive"],
            "distances from x*: each larger than FedAvg's",
            min(away[name] for name in ADAPTIVE) > plain,
            {name: away[name] for name in ("fedavg", *ADAPTIVE)},
        ),
        judge(
            CLAIMS["corrected"],
            "distances from x*: each at most half of what it is without correction",
            all(2 * away[name] <= away[other] for name, other in pairs.items()),
            {name: away[name] for pair in pairs.items() for name in pair},
        ),
    ]


def draw(rows: Table) -> Drawing:
    """All dots, those around x* again on a larger scale, and which methods share a dot."""
    from matplotlib import pyplot
    from matplotlib.patches import Rectangle

    dots = _dots(rows)
    near = [dot for dot in dots if dot["distance"] < NEAR]
    far = [dot for dot in dots if dot not in near]
    figure = pyplot.figure(figsize=(9.6, 6.9))
    grid = figure.add_gridspec(2, 2, height_ratios=(1, 1.7), width_ratios=(1, 1.05))
    above, below = figure.add_subplot(grid[0, 0]), figure.add_subplot(grid[1, 0])
    words = figure.add_subplot(grid[:, 1])
    _map(above, dots, dots)
    frame = _map(below, dots, near)
    above.add_patch(Rectangle((frame[0], frame[1]), frame[2], frame[3], fill=False, linewidth=0.8))
    above.set_title("everywhere", fontsize=9)
    below.set_title("in the frame", fontsize=9)
    labels.listed(words, {_name(dot): f"({dot['distance']:.3f}) {', '.join(dot['methods'])}" for dot in dots})
    style.footer(
        figure,
        "The same at every scale. Three clients (toys.plane), $K = 10$, all clients, exact gradients: ours. Circles: "
        r"closed forms, $\gamma = 1/4$; squares: adaptive clients, played until they rest, $\gamma = 1/20$."
        "\nNumbers by distance from $x^*$ (in brackets; the star). Curves: levels of the average loss.",
    )
    labels.write(above, [(dot["x"], dot["y"], _name(dot)) for dot in far])
    labels.write(below, [(dot["x"], dot["y"], _name(dot)) for dot in near])
    return figure


def _name(dot: dict[str, Any]) -> str:
    return f"{dot['dot'] + 1}"


def _map(ax: Axes, dots: list[Row], framed: list[Row]) -> tuple[float, float, float, float]:
    """Dots and levels of the average loss in a window around ``framed``, returned as left, low, width, height."""
    spans = [(min(dot[axis] for dot in framed), max(dot[axis] for dot in framed)) for axis in ("x", "y")]
    margin = 0.12 * max(high - low for low, high in spans)
    (left, right), (low, high) = [(least - margin, most + margin) for least, most in spans]
    clients, xs, ys = toys.plane(), np.linspace(left, right, 80), np.linspace(low, high, 80)
    away = np.stack(np.meshgrid(xs, ys), -1) - clients.minimizer
    loss = np.sqrt(np.einsum("...j,jk,...k->...", away, clients.hessian, away))
    ax.contour(xs, ys, loss, levels=10, colors="#d5d5d5", linewidths=0.7, zorder=0)
    star: Look = {"markersize": 13, "color": style.COLOURS["orange"], "markeredgewidth": 0, "zorder": 2}
    ax.plot(*clients.minimizer, "*", **star)
    common: Look = {"markersize": 5, "markeredgewidth": 0, "alpha": 0.85, "zorder": 3, "linestyle": "none"}
    looks: dict[bool, Look] = {
        True: {"marker": "s", "color": style.COLOURS["vermilion"]},
        False: {"marker": "o", "color": style.COLOURS["blue"]},
    }
    for dot in dots:
        ax.plot(dot["x"], dot["y"], **common, **looks[dot["played"]])
    ax.set(xlabel="$x_1$", ylabel="$x_2$", aspect="equal", xlim=(left, right), ylim=(low, high))
    return left, low, right - left, high - low


def _dots(rows: Table) -> list[Row]:
    """The distinct points, with the methods that rest there."""
    dots: dict[int, dict[str, Any]] = {}
    for row in rows.to_pylist():
        dots.setdefault(row["dot"], row | {"methods": []})["methods"].append(row["method"])
    return [dots[number] for number in sorted(dots)]


FIGURE = Figure(
    module=__name__,
    id="B4",
    title="The dictionary: where every method rests on one heterogeneous population",
    alt="Two maps, the second a close-up around x*, with level curves of the average loss and numbered dots where "
    "methods rest, and a list that says which methods share a dot. Methods without drift share x*; FedAvg shares its "
    "dot with all server optimizers, FedDA with SGDM or Adam, and FedNova; FedCM lies close to x*; local Adam lies "
    "further away than FedAvg, MAML furthest.",
    claims=CLAIMS,
    statements=("DICT.fedavg", "DICT.fedda-sgdm", "DICT.fedopt-adam", "DICT.fedcm", "DICT.local-adagrad", "LA.D4"),
    table=table,
    findings=findings,
    draw=draw,
)

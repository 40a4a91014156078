r"""Theory against practice: where local methods rest on logistic regression, predicted from Hessians at its optimum.

At x* each client is replaced by the quadratic of its gradient and Hessian there (`logistic.model`). LocalUpdate then
rests where sum_i w_i Q_i (A_i x - b_i) = 0; local AdaGrad, restarted each round, where the same holds with the
preconditioners that it realises on these quadratics. Then the neural engine trains the real losses, in float64 with
full batches, from x* until nothing moves. The prediction neglects third derivatives, which clients feel on their way:
after k local steps they are of order k gamma |g_i(x*)| off x*, so that the error relative to the displacement is of
order gamma. Data are generated, or real digits that are kept with the code (see `logistic`), so that the table is the
same everywhere.
"""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np

from figures import style
from figures.beyond import logistic
from figures.figure import Figure
from figures.findings import Finding, judge
from figures.records import Axes, Columns, Drawing, Row, Table
from surrogate import Quadratics, Surrogate, Theta, dictionary, methods
from surrogate._types import Array

CLAIMS = {
    "local": "LocalUpdate rests where the Hessians at the optimum predict, if the rate is small",
    "order": "the relative error of the prediction vanishes with the client rate (LocalUpdate)",
    "adagrad": "local AdaGrad rests where they predict, up to a third, at every rate",
    "direction": "the predicted direction is right for both methods, at every rate",
    "further": "local AdaGrad rests further away than LocalUpdate, at every rate",
    "digits local": "on real digits LocalUpdate rests where the Hessians at the optimum predict, if the rate is small",
    "digits order": "on real digits the relative error of the prediction vanishes with the client rate (LocalUpdate)",
    "digits adagrad": "on real digits local AdaGrad rests where they predict, up to a third, at every rate",
    "digits direction": "on real digits the predicted direction is right for both methods, at every rate",
    "digits further": "on real digits local AdaGrad rests further away than LocalUpdate, at every rate",
}
READS = ("figures/beyond/digits.json",)

DATA = {"generated": logistic.generated, "digits": logistic.digits}
LABELS = {"local-update": "LocalUpdate", "local-adagrad": "local AdaGrad"}
GAMMAS, STEPS, MOST, STILL = (0.16, 0.08, 0.04, 0.02), (2, 8), 3000, 1e-9
CLOSE, HALF, THIRD, ALIGNED = 0.05, 0.5, 1 / 3, 0.95
INITIAL = 1e-2  # of AdaGrad's accumulator


def table(scale: str) -> Columns:
    """One row a data set, method, rate and number of steps: predicted and measured displacement, their agreement."""
    rows = [_row(data, method, gamma, K) for data, method, gamma, K in product(DATA, LABELS, GAMMAS, STEPS)]
    return {name: [row[name] for row in rows] for name in rows[0]}


def _row(data: str, method: str, gamma: float, K: int) -> dict[str, Any]:
    clients = DATA[data]()
    foreseen, eta = predicted(clients.model, method, gamma, K)
    x, last = clients.trained(method, MOST, STILL, **settings(method, gamma, K), eta=eta)
    displacement = x - clients.optimum
    apart = float(np.linalg.norm(displacement - foreseen))
    sizes = float(np.linalg.norm(foreseen)), float(np.linalg.norm(displacement))
    return {
        "data": data,
        "method": method,
        "gamma": gamma,
        "steps": K,
        "predicted": sizes[0],
        "measured": sizes[1],
        "error": apart / sizes[0],
        "cosine": float(foreseen @ displacement) / (sizes[0] * sizes[1]),
        "last_move": last,
    }


def settings(method: str, gamma: float, K: int) -> dict[str, Any]:
    """Of the method, without its server rate."""
    if method == "local-update":
        return {"gamma": gamma, "theta": Theta.sum(K)}
    return {"gamma": gamma, "steps": K, "initial": INITIAL, "eps": 0}


def predicted(clients: Quadratics, method: str, gamma: float, K: int) -> tuple[Array, float]:
    """The displacement on the quadratic models (d,), and the server rate that gets there fastest."""
    if method == "local-update":
        field = Surrogate(clients, gamma, Theta.sum(K))
        return field.displacement, field.best_eta
    chosen = settings(method, gamma, K)
    rest = dictionary.field(method, clients, **chosen, realised=_realised(clients, method, chosen))
    return np.asarray(rest.displacement), float(rest.best_eta)


def _realised(clients: Quadratics, method: str, chosen: dict[str, Any]) -> Array:
    """The preconditioners (n, K, d) of a run on the quadratic models that has come to rest."""
    built = methods.build(method, **chosen, record=True)
    functions, own = methods.quadratic_clients(clients), dict[int, methods.State]()
    state = built.start(clients.minimizer)
    for _ in range(MOST):
        before = state["x"]
        state, own = methods.play(built, state, own, functions, clients.weights.tolist())
        if np.abs(state["x"] - before).max() < STILL * 1e-3:
            return np.array([own[i]["realised"] for i in range(clients.n)])
    raise ArithmeticError(f"{method} with {chosen} does not come to rest in {MOST} rounds")


def findings(rows: Table) -> list[Finding]:
    """Relative errors |measured - predicted| / |predicted| of displacements, and their cosines; on both data."""
    return _judged(rows, "generated", "") + _judged(rows, "digits", "digits ")


def _judged(rows: Table, data: str, about: str) -> list[Any]:
    judged = [row for row in rows.to_pylist() if row["data"] == data]
    of = {(row["method"], row["gamma"], row["steps"]): row for row in judged}
    small = {f"K={K}": of["local-update", GAMMAS[-1], K]["error"] for K in STEPS}
    shrink = {f"K={K}": small[f"K={K}"] / of["local-update", GAMMAS[0], K]["error"] for K in STEPS}
    errors = {f"gamma={g:g}, K={K}": of["local-adagrad", g, K]["error"] for g in GAMMAS for K in STEPS}
    cosines = {LABELS[m]: float(np.min([of[m, g, K]["cosine"] for g in GAMMAS for K in STEPS])) for m in LABELS}
    least = np.min([of["local-adagrad", g, K]["measured"] / of["local-update", g, K]["measured"]
                    for g in GAMMAS for K in STEPS])  # fmt: skip
    return [
        judge(
            CLAIMS[about + "local"],
            f"relative error at the smallest rate, {GAMMAS[-1]:g}: at most 5 %",
            max(small.values()) <= CLOSE,
            small,
        ),
        judge(
            CLAIMS[about + "order"],
            "relative error at the smallest rate over that at the largest, 8 times as large: at most 1/2",
            max(shrink.values()) <= HALF,
            shrink,
        ),
        judge(CLAIMS[about + "adagrad"], "relative error: at most 1/3", max(errors.values()) <= THIRD, errors),
        judge(
            CLAIMS[about + "direction"],
            "least cosine between predicted and measured displacement: at least 0.95",
            min(cosines.values()) >= ALIGNED,
            cosines,
        ),
        judge(
            CLAIMS[about + "further"],
            "measured distance of local AdaGrad over that of LocalUpdate, least: above 1",
            bool(least > 1),
            {"least": float(least)},
        ),
    ]


def draw(rows: Table) -> Drawing:
    """A panel a data set, a mark a setting; the client rate grows along the thin lines, from left to right."""
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(1, 2, figsize=(9.6, 5.2))
    for ax, data, title in zip(axes, DATA, ("generated data", "handwritten digits"), strict=True):
        _panel(ax, [row for row in rows.to_pylist() if row["data"] == data])
        ax.set(title=title, xlabel="predicted distance from $x^*$")
    axes[0].set_ylabel("measured distance from $x^*$")
    axes[0].legend(loc="upper left")
    text = (
        "The same at every scale. Logistic regression, five clients of 40 examples, decay 0.2, full batches, trained "
        "by the neural engine until nothing moves. Rates 0.02, 0.04, 0.08, 0.16. Left: generated, in $\\mathbb{R}^4$. "
        "Right: UCI's digits as 16 grey blocks; each client has two digits, $k$ and $k + 5$, told apart. All ours."
    )
    style.footer(figure, style.wrapped(text, figure.get_figwidth()))
    return figure


def _panel(ax: Axes, every: list[Row]) -> None:
    looks = {("local-update", 2): "o", ("local-update", 8): "s", ("local-adagrad", 2): "^", ("local-adagrad", 8): "D"}
    for (method, K), marker in looks.items():
        own = [row for row in every if (row["method"], row["steps"]) == (method, K)]
        colour = style.COLOURS["blue" if method == "local-update" else "green"]
        look: dict[str, Any] = {"linewidth": 0.7, "markersize": 6, "markerfacecolor": colour if K == 8 else "white"}
        points = [row["predicted"] for row in own], [row["measured"] for row in own]
        ax.plot(*points, marker=marker, color=colour, label=f"{LABELS[method]}, $K={K}$", **look)
    sizes = [row[name] for row in every for name in ("predicted", "measured")]
    ends = [min(sizes) / 1.5, max(sizes) * 1.5]
    ax.plot(ends, ends, color="black", linewidth=0.8, zorder=0, label="as predicted")
    ax.set(xscale="log", yscale="log", xlim=ends, ylim=ends, aspect="equal")


FIGURE = Figure(
    module=__name__,
    id="B2",
    title="Measured against predicted displacement on logistic regression",
    alt="Measured against predicted distance of the resting point from x*, both logarithmic, with the diagonal; left "
    "on generated data, right on real digits. On the left LocalUpdate's points, for two numbers of local steps and "
    "four client rates, approach the diagonal from below as the rate falls; local AdaGrad's crowd together further "
    "out, measured distances about 1.6 times the predicted. On the right all points lie close to the diagonal, those "
    "of LocalUpdate the closer the smaller the rate, and local AdaGrad's again crowd together further out.",
    claims=CLAIMS,
    statements=("OLR.T4", "LA.T2", "DICT.local-update", "DICT.local-adagrad"),
    table=table,
    findings=findings,
    draw=draw,
)

r"""Table 11: what a round costs in communication, counted on the methods themselves.

Each plays two rounds on two quadratics in four dimensions. Down: the server's vectors that a client reads; up: the rank
of what it sends, for FedCM and FedLADA name the same direction twice (delta, and delta / (gamma K) for g_a). The paper
prints one number, which fits the larger of the two ways best.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from figures.fedlada import printed, settings
from figures.figure import Figure
from figures.findings import Finding, judge
from figures.records import Columns, Table
from figures.tables import Cell, Sheet

CLAIMS = {
    "double": "the methods with correction, SCAFFOLD, FedCM and FedLADA, require at least double FedAvg's cost",
    "exact": "SCAFFOLD, FedCM, LocalAdam and FedLADA cost twice FedAvg's, FedAdam and FedProx as much as FedAvg",
}

CORRECTED = ("scaffold", "fedcm", "fedlada")
A = (((2.0, 0.3, 0.0, 0.1), (0.3, 1.0, 0.2, 0.0), (0.0, 0.2, 1.5, 0.1), (0.1, 0.0, 0.1, 0.8)),
     ((1.0, 0.0, 0.4, 0.0), (0.0, 2.0, 0.0, 0.3), (0.4, 0.0, 1.2, 0.0), (0.0, 0.3, 0.0, 1.7)))  # fmt: skip
B = ((1.0, -0.5, 0.7, 0.2), (-0.3, 0.8, 0.1, -1.1))


class Watched(dict[str, Any]):
    """A state that remembers which of its entries were read."""

    def __init__(self, state: dict[str, Any]) -> None:
        super().__init__(state)
        self.read: set[str] = set()

    def __getitem__(self, key: str) -> Any:
        self.read.add(key)
        return super().__getitem__(key)


def table(scale: str) -> Columns:
    """A row a method and way: ``vectors`` counted, ``printed``."""
    rows = [
        {"method": name, "way": way, "vectors": float(vectors), "printed": float(printed.COMMUNICATION[name])}
        for name in settings.METHODS
        for way, vectors in zip(("down", "up"), counted(name), strict=True)
    ]
    return {key: [row[key] for row in rows] for key in rows[0]}


def counted(name: str) -> tuple[int, int]:
    """Vectors down and up in the second round of a client."""
    from surrogate import methods
    from surrogate.methods.rounds import QuadraticClient, play

    weight: dict[str, Any] = {"alpha": 0.1} if name in settings.WEIGHED else {}
    method = methods.build(name, gamma=0.1, steps=3, **settings.OWN.get(name, {}), **weight)
    clients = [QuadraticClient(np.array(a), np.array(b)) for a, b in zip(A, B, strict=True)]
    x = np.array([1.0, 2.0, -1.0, 0.5])
    states = {i: method.enrol(x) for i in range(len(clients))}
    state, states = play(method, method.start(x), states, clients, [1, 1])
    shared = Watched(state)
    message, _ = method.local(shared, states[0], clients[0], 0)
    down = sum(np.shape(state[key]) == x.shape for key in shared.read)
    return down, int(np.linalg.matrix_rank(np.array([v for v in message.values() if np.shape(v) == x.shape])))


def larger(rows: Table) -> dict[str, float]:
    """The larger of the two ways, of each method."""
    factors: dict[str, float] = {}
    for row in rows.to_pylist():
        factors[row["method"]] = max(factors.get(row["method"], row["vectors"]), row["vectors"])
    return factors


def findings(rows: Table) -> list[Finding]:
    """On the larger of the two ways."""
    factors = larger(rows)
    numbers = {settings.NAMES[name]: value for name, value in factors.items()}
    return [
        judge(
            CLAIMS["double"],
            "the larger of vectors received and sent: at least twice FedAvg's",
            all(factors[name] >= 2 * factors["fedavg"] for name in CORRECTED),
            numbers,
        ),
        judge(
            CLAIMS["exact"],
            "the larger of vectors received and sent, over FedAvg's: as printed for all seven",
            all(factors[row["method"]] == row["printed"] * factors["fedavg"] for row in rows.to_pylist()),
            numbers,
        ),
    ]


def sheet(rows: Table) -> Sheet:
    """Down, up, and the larger beside the printed."""
    ways = {(row["method"], row["way"]): row for row in rows.to_pylist()}
    factors = larger(rows)
    lines = [
        (
            settings.NAMES[name],
            [
                Cell(ways[name, "down"]["vectors"]),
                Cell(ways[name, "up"]["vectors"]),
                Cell(factors[name], ways[name, "down"]["printed"]),
            ],
        )
        for name in printed.COMMUNICATION
    ]
    notes = ["LocalAdam restarts its moments (Algorithm 2 sends the point alone)."]
    return Sheet(["Method", "received", "sent", "the larger"], lines, ".0f", notes=notes)


FIGURE = Figure(
    module=__name__,
    id="LADA.T11",
    title="Communication of a client in a round, in vectors of the model's size",
    alt="A table with a row a method: how many vectors of the model's size a client gets in a round, how many it "
    "sends, and the larger of the two, counted on the methods as they are written, beside the printed number.",
    claims=CLAIMS,
    statements=("LADA.K11",),
    table=table,
    findings=findings,
    sheet=sheet,
)

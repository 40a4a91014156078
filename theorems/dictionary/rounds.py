"""The fixed point of one round of a method's own code, in any exact numbers."""

from surrogate.methods.rounds import QuadraticClient, play, quadratic_clients
from theorems.vocabulary import *

_SECOND = {"v", "peak"}  # second moments: they reach the round through their root alone, which is held


def fixed_point(method: Any, clients: Any) -> Any:
    """The x (d,) of the fixed point that the method reaches from its start.

    (x, state) -> M (x, state) + o is read off by playing one round from each basis vector; a further point checks that
    it is affine. Where states are conserved (I - M singular) the point reached is start + u, u in the range of I - M.
    """
    stack = _Stack(method, clients)
    linear = [QuadraticClient(A, 0 * b) for A, b in zip(clients.A, clients.b, strict=True)]
    full = quadratic_clients(clients)
    eye = [stack.unit(j) for j in range(stack.size)]
    M = np.stack([stack.play(e, linear) for e in eye], axis=1)
    offset = stack.play(stack.unit(None), full)
    point = sum(((j + 2) * e for j, e in enumerate(eye)), stack.unit(None))
    if any(gap != 0 for gap in stack.play(point, full) - (M @ point + offset)):
        raise AssertionError(f"the round of {method.name} is not affine")
    R = np.stack(eye, axis=1) - M
    gap = M @ stack.start + offset - stack.start
    u, rank = _solved(R, gap)
    if rank < stack.size:
        v, _ = _solved(R @ R, gap)
        u = R @ v
    return (stack.start + u)[: clients.d]


class _Stack:
    """The vectors that a method keeps, end to end, x first; masses at their limit 1, second moments at their start."""

    def __init__(self, method: Any, clients: Any) -> None:
        self.method, self.clients = method, clients
        x = 0 * clients.b[0]
        self.server, self.kept = _settled(method.start(x)), _settled(method.enrol(x))
        places: list[tuple[int | None, str]] = [(None, key) for key in _vectors(self.server, clients.d)]
        places += [(i, key) for i in range(clients.n) for key in _vectors(self.kept, clients.d)]
        self.places = sorted(places, key=lambda place: place != (None, "x"))
        self.size = clients.d * len(places)
        self.start = np.concatenate([(self.server if i is None else self.kept)[key] for i, key in self.places])
        self.one = 1 + 0 * clients.b[0, 0]

    def unit(self, j: int | None) -> Any:
        return np.array([self.one if k == j else 0 * self.one for k in range(self.size)], dtype=object)

    def play(self, s: Numbers, clients: Any) -> Any:
        d = self.clients.d
        state, own = dict(self.server), {i: dict(self.kept) for i in range(self.clients.n)}
        for k, (i, key) in enumerate(self.places):
            (state if i is None else own[i])[key] = s[k * d : (k + 1) * d]
        state, own = play(self.method, state, own, clients, self.clients.weights)
        return np.concatenate([(state if i is None else own[i])[key] for i, key in self.places])


def _settled(state: Any) -> dict[str, Any]:
    return {key: 1 if key.endswith("_mass") else value for key, value in state.items()}


def _vectors(state: Any, d: int) -> list[str]:
    return [key for key, value in state.items() if np.shape(value) == (d,) and key not in _SECOND]


def _solved(R: Any, gap: Any) -> tuple[Any, int]:
    """Some u with R u = gap (free unknowns 0) and the rank, by elimination; AssertionError where there is none."""
    rows, n = [[*row, g] for row, g in zip(R, gap, strict=True)], len(gap)
    pivots: list[int] = []
    for column in range(n):
        top = len(pivots)
        found = next((r for r in range(top, n) if rows[r][column] != 0), None)
        if found is None:
            continue
        rows[top], rows[found] = rows[found], rows[top]
        rows[top] = [value / rows[top][column] for value in rows[top]]
        for r in range(n):
            if r != top and rows[r][column] != 0:
                factor = rows[r][column]
                rows[r] = [value - factor * above for value, above in zip(rows[r], rows[top], strict=True)]
        pivots.append(column)
    if any(row[n] != 0 for row in rows[len(pivots) :]):
        raise AssertionError("the round has no fixed point")
    u = np.array([0 * g for g in gap], dtype=object)
    for row, column in zip(rows, pivots, strict=False):
        u[column] = row[n]
    return u, len(pivots)

"""What LA's statements share: numbers in (0, 1], weights, hypotheses, identities of matrices that do not commute."""

from theorems.vocabulary import *


def batch_one(cursor: Cursor) -> Any:
    """A batch of ones."""
    return cursor.u[..., 0] * 0 + 1


def positive(cursor: Cursor, least: float = 1e-4) -> Any:
    """1 - u: a number in (0, 1]; floats stay above ``least``."""
    u = cursor.take()
    return 1 - u if cursor.nb.exact else np.maximum(1 - u, least)


def positives(cursor: Cursor, n: int, least: float = 1e-4) -> Any:
    return np.stack([positive(cursor, least) for _ in range(n)], -1)


def places(cursor: Cursor, n: int) -> Any:
    """n points in [-1, 1], the first at 0."""
    return np.stack([batch_one(cursor) * 0] + [2 * cursor.take() - 1 for _ in range(n - 1)], -1)


def shares(cursor: Cursor, n: int, weighted: bool = True) -> Any:
    """Weights that sum to 1: uniform, or anything with a ratio of at most 100."""
    one = batch_one(cursor)
    if not weighted or n == 1:
        return np.stack([one / n] * n, -1)
    raw = np.stack([1 - cursor.take() * cursor.nb.number(Fraction(99, 100)) for _ in range(n)], -1)
    return raw / raw.sum(axis=-1)[..., None]


def coordinates(label: str, lhs: Numbers, rhs: Numbers) -> list[Comparison]:
    """One equation a coordinate of vectors (batch, d)."""
    return [that(f"{label} {k + 1}", lhs[..., k]) == rhs[..., k] for k in range(lhs.shape[-1])]


def between(
    name: str,
    value: Callable[[Any], Any],
    low: Any = None,
    high: Any = None,
    ends: str = "()",
    without: Domain | None = None,
    role: str = "",
) -> Hypothesis:
    """low < value <= high and the like, for arrays (batch, ...): ``ends`` "(]" excludes low and includes high."""

    def holds(s: Instance) -> list[Comparison]:
        x = value(s)
        entries = [x] if x.ndim == 1 else [x[:, k] for k in range(x.shape[1])]
        found = []
        for k, entry in enumerate(entries, start=1):
            if low is not None:
                found.append(Comparison(f"low {k}", entry, ">" if ends[0] == "(" else ">=", entry * 0 + low))
            if high is not None:
                found.append(Comparison(f"high {k}", entry, "<" if ends[1] == ")" else "<=", entry * 0 + high))
        return found

    return Hypothesis(name, holds, without, role)


def shared_out(s: Instance) -> list[Comparison]:
    """Weights above 0 that sum to 1."""
    w = s.w if "w" in vars(s) else s.p.w
    positive_ones = [that(f"w {i}", w[:, i]) > w[:, i] * 0 for i in range(w.shape[1])]
    return [*positive_ones, that("sum", w.sum(axis=-1)) == w[:, 0] * 0 + 1]


WEIGHTS = Hypothesis("w_i > 0, sum w_i = 1", shared_out, role="w_i is the probability of client i (section 2)")


def identity_like(M: Numbers) -> Any:
    """The identity matrix, in M's arithmetic and of M's shape (batch, d, d)."""
    one, d = M[..., 0, 0] * 0 + 1, M.shape[-1]
    return np.stack([np.stack([one if a == b else one * 0 for b in range(d)], -1) for a in range(d)], -2)


def matrices(names: str) -> Any:
    """Symbols that do not commute."""
    return sympy.symbols(names, commutative=False)


def noncommutative(*pairs: tuple[Any, Any]) -> None:
    """Each pair of polynomials in matrices is equal term by term, in any dimension."""
    for lhs, rhs in pairs:
        difference = sympy.expand(sympy.expand(lhs - rhs), power_base=False)
        if difference != 0:
            raise AssertionError(f"not an identity of matrices: the difference is {difference}")

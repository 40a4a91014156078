"""What the statements of this paper share: boxes of numbers, hypotheses in one line."""

from theorems.vocabulary import *

Range = tuple[Any, ...]


def boxed(says: str, choices: Sequence[Mapping[str, Any]] = ({},), **ranges: Range) -> Domain:
    """Numbers low + (high - low) u by name: (low, high), or (low, high, count ...) for nested lists of them.

    A count is a whole number or the name of a discrete setting.
    """

    def decode(cursor: Cursor, **discrete: Any) -> Instance:
        values = {name: _drawn(cursor, discrete, *spec) for name, spec in ranges.items()}
        return Instance(nb=cursor.nb, **discrete, **values)

    return Domain(decode, tuple(choices), says)


def _drawn(cursor: Cursor, discrete: Mapping[str, Any], low: Any, high: Any, *counts: Any) -> Any:
    if counts:
        count = discrete[counts[0]] if isinstance(counts[0], str) else counts[0]
        return [_drawn(cursor, discrete, low, high, *counts[1:]) for _ in range(count)]
    number = cursor.nb.number
    return number(Fraction(low)) + number(Fraction(high) - Fraction(low)) * cursor.take()


def need(
    name: str, *holds: Callable[[Any], tuple[Any, Any, Any]], without: Domain | None = None, role: str = ""
) -> Hypothesis:
    """A hypothesis from functions that return (lhs, relation, rhs)."""
    return Hypothesis(name, lambda s: [Comparison(str(k), *h(s)) for k, h in enumerate(holds)], without, role)


def large_rates(cursor: Cursor, C: int) -> Instance:
    """S, K >= 1 up to some twenty times the constant C that O(.) hides, T from 1e6 C^2 on, and a precision."""
    S, K, T, precision = cursor.many(4)
    return Instance(
        nb=cursor.nb, C=C, S=1 + 20 * C * S, K=1 + 50 * C * K, T=C**2 * (10**6 + (10**10 - 10**6) * T),
        precision=1 - precision * cursor.nb.number(Fraction(999, 1000)),
    )  # fmt: skip


LARGE_RATES = Domain(
    large_rates, grid(C=(10, 10**3, 10**6)), "any constant C, S up to 20 C and K up to 50 C, T from 1e6 C^2 on"
)
LARGE_T = need(
    "S, K >= 1, and sqrt(SK/T) <= 1/4 as the theorem's rates need it (L = 1)",
    lambda s: (s.S, ">=", 1),
    lambda s: (s.K, ">=", 1),
    lambda s: (16 * s.S * s.K, "<=", s.T),
)


def below(name: str, high: Any = None) -> Callable[[Any], tuple[Any, Any, Any]]:
    """0 < name, or name < high."""
    return lambda s: (getattr(s, name), ">", 0) if high is None else (getattr(s, name), "<", high)


def dot(x: Sequence[Any], y: Sequence[Any]) -> Any:
    return sum(a * b for a, b in zip(x, y, strict=True))


def square(x: Sequence[Any]) -> Any:
    """Squared Euclidean norm of a vector that is a list of its entries."""
    return dot(x, x)


def mean(x: Sequence[Any]) -> Any:
    return sum(x[1:], x[0]) / len(x)

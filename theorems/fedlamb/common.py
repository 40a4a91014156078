"""What LAMB's statements share: numbers, hypotheses in one line, layers of one coordinate."""

from theorems.vocabulary import *


def batch_one(cursor: Cursor) -> Any:
    """A batch of ones."""
    return cursor.u[..., 0] * 0 + 1


def positive(cursor: Cursor, least: float = 1e-3) -> Any:
    """1 - u: a number in (0, 1]; floats stay above ``least``."""
    u = cursor.take()
    return 1 - u if cursor.nb.exact else np.maximum(1 - u, least)


LEAST_BETA, MOST_BETA = Fraction(1, 1000), Fraction(99, 100)


def share(cursor: Cursor, most: Fraction = MOST_BETA) -> Any:
    """A number in [1/1000, most]: line 1 of both listings asks for 0 < beta_1, beta_2."""
    return cursor.nb.number(LEAST_BETA) + cursor.take() * cursor.nb.number(most - LEAST_BETA)


def sign(nb: Any, x: Scalar) -> Any:
    """x / |x|: what a layer of one coordinate steps along (0/0 as printed: nan in floats)."""
    with np.errstate(invalid="ignore"):
        return x / nb.abs(x)


def total(values: Sequence[Any]) -> Any:
    """The sum of a list that is not empty."""
    result = values[0]
    for value in values[1:]:
        result = result + value
    return result


def boxed(says: str, choices: Sequence[Mapping[str, Any]] = ({},), **ranges: tuple[Any, ...]) -> Domain:
    """Numbers low + (high - low) u by name: (low, high), or (low, high, count) for lists of them.

    A count is a whole number or the name of a discrete setting.
    """

    def decode(cursor: Cursor, **discrete: Any) -> Instance:
        def draw(low: Any, high: Any, *counts: Any) -> Any:
            if counts:
                count = discrete[counts[0]] if isinstance(counts[0], str) else counts[0]
                return [draw(low, high, *counts[1:]) for _ in range(count)]
            return cursor.nb.number(Fraction(low)) + cursor.nb.number(Fraction(high) - Fraction(low)) * cursor.take()

        return Instance(nb=cursor.nb, **discrete, **{name: draw(*spec) for name, spec in ranges.items()})

    return Domain(decode, tuple(choices), says)


def need(
    name: str, *conditions: Callable[[Any], Sequence[tuple[Any, str, Any]]], without: Any = None, role: str = ""
) -> Hypothesis:
    """A hypothesis from functions that list (value, relation, value)."""

    def holds(s: Instance) -> list[Comparison]:
        found = []
        for k, condition in enumerate(conditions):
            for j, (lhs, relation, rhs) in enumerate(condition(s)):
                found.append(Comparison(f"{k + 1}.{j + 1}", lhs, relation, rhs))  # type: ignore[arg-type]
        return found

    return Hypothesis(name, holds, without, role)

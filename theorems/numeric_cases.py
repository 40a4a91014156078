"""Statements about tables of numbers: one instance a row, judged in rationals."""

import operator

from theorems.engines.certify import exact_instance
from theorems.vocabulary import *


def cases(says: str, *rows: Mapping[str, Any]) -> Domain:
    """One instance a row of exact decimals (texts such as "1.70" are fine); a row's "name" stays a text."""

    def decode(cursor: Cursor, case: int) -> Instance:
        def fill(x: Any) -> Any:
            if isinstance(x, (list, tuple)):
                return [fill(v) for v in x]
            return cursor.nb.number(np.full(len(cursor.u), Fraction(x), dtype=object))

        values = {key: value if key == "name" else fill(value) for key, value in rows[case].items()}
        return Instance(nb=cursor.nb, **values)

    return Domain(decode, tuple({"case": k} for k in range(len(rows))), says)


def each_exactly(compare: Callable[[Any], Sequence[Comparison]], domain: Domain) -> None:
    """Every comparison holds in rationals on every row of ``cases``."""
    ops = {"<=": operator.le, "<": operator.lt, "==": operator.eq, ">=": operator.ge, ">": operator.gt}
    for choice in domain.choices:
        for label, lhs, relation, rhs in compare(exact_instance(domain, np.zeros((1, 0), dtype=object), choice)):
            sides = [side.reshape(-1)[0] if hasattr(side, "reshape") else side for side in (lhs, rhs)]
            if not ops[relation](*sides):
                raise AssertionError(f"{label}: {sides[0]} {relation} {sides[1]} fails")


def near(s: Instance, label: str, value: Any, quoted: Any, slack: Fraction) -> Comparison:
    """|value - quoted| <= slack."""
    gap = s.nb.abs(value - (s.nb.number(Fraction(quoted)) if isinstance(quoted, str) else quoted))
    return Comparison(label, gap, "<=", gap * 0 + s.nb.number(slack))

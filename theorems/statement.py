"""What a statement file carries: the claim as printed, its domain and hypotheses, its correction, its proof's steps."""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from surrogate.kit.errors import problem
from theorems.catalogue import id_of_place, paper_of
from theorems.domain import Domain

if TYPE_CHECKING:
    from theorems.engines.derive import Derivation

__all__ = ["Claim", "Comparison", "Hypothesis", "Proof", "Statement", "Step", "claim_of", "that"]

Kind = Literal[
    "identity", "upper bound", "spectrum", "limit", "monotone", "equivalence", "convergence", "necessity", "existence"
]
Relation = Literal["<=", "<", "==", ">=", ">"]


class Comparison(NamedTuple):
    """One inequality or equation, on a batch: ``lhs relation rhs`` with sides of shape (batch,)."""

    label: str
    lhs: Any
    relation: Relation
    rhs: Any


class Side:
    """The left side of a comparison: ``that("bound", displacement) <= limit`` is the Comparison of both sides."""

    __slots__ = ("label", "value")
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, label: str, value: Any) -> None:
        self.label, self.value = label, value

    def __le__(self, other: Any) -> Comparison:
        return Comparison(self.label, self.value, "<=", other)

    def __lt__(self, other: Any) -> Comparison:
        return Comparison(self.label, self.value, "<", other)

    def __eq__(self, other: object) -> Comparison:  # type: ignore[override]
        return Comparison(self.label, self.value, "==", other)

    def __ge__(self, other: Any) -> Comparison:
        return Comparison(self.label, self.value, ">=", other)

    def __gt__(self, other: Any) -> Comparison:
        return Comparison(self.label, self.value, ">", other)


def that(*named: Any) -> Side:
    """``that(side)`` or ``that(label, side)``, to be compared with the other side.

    >>> that("bound", 1) <= 2
    Comparison(label='bound', lhs=1, relation='<=', rhs=2)
    """
    return Side(*named) if len(named) == 2 else Side("", *named)


@dataclass(frozen=True)
class Proof:
    """A proof that was carried out by a machine: what decided it, the argument, and what it covers."""

    decided_by: str  # "sympy identity", "z3", "exact rationals", "ball arithmetic" ...
    argument: str
    covers: str = ""  # empty: everything; else the family, as "K <= 5"


@dataclass(frozen=True)
class Claim:
    """``compare(instance)`` lists the comparisons that must hold; ``derive`` or ``prove`` shows them, or raises.

    A domain of its own meets the statement's hypotheses by construction, or names in ``given`` those that it does not.
    """

    says: str
    latex: str
    compare: Callable[[Any], Sequence[Comparison]] | None
    prove: Callable[[], Proof | None] | None = None
    domain: Domain | None = None  # where it differs from the statement's
    given: tuple[Hypothesis, ...] = ()  # for a domain of its own
    derive: Callable[[Derivation, Any], None] | None = None  # line by line, in place of ``prove``
    covers: str = ""  # the family that ``derive`` covers, where it is less than the claim


def claim_of(compare: Callable[[Any], Sequence[Comparison]], **options: Any) -> Claim:
    r"""The claim of a function whose docstring has what it says, and below it the formula in LaTeX.

    >>> def printed(s):
    ...     "The square is at least 0.\n\nx^2 \\ge 0"
    ...     return [that(s.x * s.x) >= s.x * 0]
    >>> claim_of(printed).says, claim_of(printed).latex
    ('The square is at least 0.', 'x^2 \\ge 0')
    """
    says, _, rest = (inspect.getdoc(compare) or "").partition("\n\n")
    latex = rest.partition("\n\n")[0]
    return Claim(" ".join(says.split()), _joined(latex), compare, **options)


def _joined(latex: str) -> str:
    r"""Formulas, one a line; a line that is set in goes on with the one above, which may end in % for no space between.

    >>> _joined("a\n  b%\n  c\nd")
    'a bc\nd'
    """
    return re.sub(r"\n\s+", " ", re.sub(r"(?<!\\)%\n\s+", "", latex))


@dataclass(frozen=True)
class Hypothesis:
    """A condition of the statement: how an instance shows it, and a domain without it.

    ``role`` says why there is none: without the condition the terms are undefined, or the instances something else.
    """

    name: str
    holds: Callable[[Any], Sequence[Comparison]]
    without: Domain | None = None
    role: str = ""


@dataclass(frozen=True)
class Step:
    """A displayed step of the printed proof; ``says`` quotes it in our words."""

    name: str
    claim: Claim
    correction: str = ""


@dataclass(frozen=True)
class Statement:
    """One statement of one paper. Everything a judge needs; nothing that a judge finds out."""

    kind: Kind
    location: str
    says: str
    printed: Claim
    id: str = ""  # of theorems/outsized/t17.py, OLR.T17: where it is left out, as the file's place says
    domain: Domain | None = None
    hypotheses: tuple[Hypothesis, ...] = ()
    corrected: Claim | None = None
    steps: tuple[Step, ...] = ()
    reading: str = ""
    severity: Literal["substantive", "missing-hypothesis", "typo", ""] = ""  # of the failure, where there is one
    not_checkable: str = ""  # why, where no finite check exists
    note: str = ""
    headline: bool = False
    paper: str = ""  # its folder: as the id says, where it is left out

    def __post_init__(self) -> None:
        object.__setattr__(self, "id", self.id or _id_of_caller())
        object.__setattr__(self, "paper", self.paper or paper_of(self.id))
        if self.printed.compare is None and self.printed.prove is None and not self.not_checkable:
            raise problem(
                f"statement {self.id}",
                "without a check",
                "compare, prove, or a reason why it is not checkable",
                "an unfinished statement file",
                "give the printed claim a compare function (see theorems/template.py)",
            )

    def assumed(self, claim: Claim) -> tuple[Hypothesis, ...]:
        """The hypotheses that a counterexample to a claim must meet."""
        return self.hypotheses if claim.domain is None else claim.given

    def where(self, claim: Claim) -> Domain:
        """The domain on which a claim is searched."""
        domain = claim.domain or self.domain
        if domain is None:
            raise problem(f"statement {self.id}", "without a domain", "a Domain", "compare without domain", "give one")
        return domain

    def _facts(self) -> list[tuple[str, str]]:
        """What a notebook shows."""
        rows = [("says", self.says), ("kind", self.kind), ("reading", self.reading)]
        rows += [("needs", ", ".join(each.name for each in self.hypotheses)), ("not checkable", self.not_checkable)]
        if self.corrected is not None:
            rows.append(("instead", self.corrected.says))
        return [(name, text) for name, text in rows if text]

    def _repr_html_(self) -> str:
        from theorems.cards import html

        return html(f"{self.id}: {self.location}", self._facts(), self.printed.latex)

    def _repr_markdown_(self) -> str:
        from theorems.cards import markdown

        return markdown(f"{self.id}: {self.location}", self._facts(), self.printed.latex)


def _id_of_caller() -> str:
    """The id by the place of the file that is being loaded: two frames above ``__post_init__``."""
    module = str(sys._getframe(3).f_globals.get("__name__", ""))
    found = id_of_place(*module.split(".")[-2:]) if module.count(".") >= 2 else ""
    if not found:
        raise problem(
            f"a statement of {module or 'no module'}",
            "without an id",
            'an id such as "MINE.1"',
            "a file of your own, whose place says nothing",
            'write Statement(id="MINE.1", ...)',
        )
    return found

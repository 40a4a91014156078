"""What a statement file carries: the claim as printed, its domain and hypotheses, its correction, its proof's steps."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from surrogate.kit.errors import problem
from theorems.catalogue import paper_of
from theorems.domain import Domain

if TYPE_CHECKING:
    from theorems.engines.derive import Derivation

__all__ = ["Claim", "Comparison", "Hypothesis", "Proof", "Statement", "Step"]

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
    prove: Callable[[], Proof] | None = None
    domain: Domain | None = None  # where it differs from the statement's
    given: tuple[Hypothesis, ...] = ()  # for a domain of its own
    derive: Callable[[Derivation, Any], None] | None = None  # line by line, in place of ``prove``
    covers: str = ""  # the family that ``derive`` covers, where it is less than the claim


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

    id: str
    kind: Kind
    location: str
    says: str
    printed: Claim
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

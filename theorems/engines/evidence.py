"""Which word a claim's proof has earned: ``certified``, ``argued`` or ``family``."""

from __future__ import annotations

import inspect
from dataclasses import dataclass

from theorems.engines.derive import derived
from theorems.engines.prove import proving
from theorems.statement import Claim, Proof, Statement

__all__ = ["Shown", "shown"]

_DECIDERS = ("z3", "sympy", "exact rationals", "a count")


@dataclass(frozen=True)
class Shown:
    """What a proof comes to: the word, what decided it, the bridges it crosses and the leaves it rests on."""

    evidence: str
    decided_by: str
    bridges: tuple[str, ...] = ()
    leaves: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()


def shown(statement: Statement, claim: Claim) -> Shown | None:
    """Run the claim's proof; None where it has none. A line or a step that fails raises AssertionError."""
    if claim.derive is not None:
        return _derived(statement, claim)
    if claim.prove is None:
        return None
    with proving() as used:
        proof = claim.prove() or _by_docstring(claim)
    covered = f" ({proof.covers})" if proof.covers else ""
    word = "family" if proof.covers else "argued"
    return Shown(word, f"{proof.decided_by}{covered}: {proof.argument}", leaves=tuple(leaf.hash for leaf in used))


def _by_docstring(claim: Claim) -> Proof:
    """A proof function that returns nothing opens its docstring with what decides it, a colon, and the argument.

    "z3: ...", or "z3, for K <= 5: ..." where a family is covered; without one of ``_DECIDERS`` all is the argument.
    """
    text = " ".join((inspect.getdoc(claim.prove) or "").partition("\n\n")[0].split())
    head, colon, argument = text.partition(": ")
    if colon and head.startswith(_DECIDERS):
        decided, _, covers = head.partition(", for ")
        return Proof(decided, argument, covers)
    return Proof("scalar steps decided by solvers", text)


def _derived(statement: Statement, claim: Claim) -> Shown:
    found = derived(statement, claim)
    word = "family" if claim.covers else "certified" if found.certified else "argued"
    covered = f", for {claim.covers}" if claim.covers else ""
    open_leaves = sum(not line.certified for line in found.lines)
    without = f", {open_leaves} without a certificate yet" if open_leaves else ""
    return Shown(
        word,
        f"a derivation of {len(found.lines)} lines carried out at {found.settings} settings: {len(found.leaves)} leaves"
        f"{without}, {len(found.bridges)} bridges{covered}",
        tuple(found.bridges),
        tuple(found.leaves),
        tuple(f"{line.says} [{line.by if line.kind == 'bridge' else line.kind}]" for line in found.lines),
    )

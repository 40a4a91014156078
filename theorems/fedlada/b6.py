"""LADA Lemma B.6: the second moment of a sum of zero-mean variables."""

from __future__ import annotations

from typing import Any

from theorems.domain import Domain
from theorems.engines.prove import identity
from theorems.fedlada.common import boxed
from theorems.statement import Claim, Comparison, Proof, Statement


def compare(s: Any) -> list[Comparison]:
    """x_1 = p e_1, x_2 = q e_2 with signs e of mean zero that agree with probability a."""
    together = s.a * (s.p + s.q) ** 2 + (1 - s.a) * (s.p - s.q) ** 2
    return [Comparison("", together, "==", s.p**2 + s.q**2)]


def uncorrelated(s: Any) -> list[Comparison]:
    """x_2 = q e_2 where e_2 is a fair sign given e_1; q depends on e_1 (u or v): a martingale difference."""
    cases = [(s.p, s.q), (s.p, -s.q), (-s.p, s.a), (-s.p, -s.a)]
    together = sum((x + y) ** 2 for x, y in cases) / 4
    return [Comparison("", together, "==", sum(x**2 + y**2 for x, y in cases) / 4)]


def prove() -> Proof:
    import sympy

    S, x = sympy.symbols("S x")
    identity(((S + x) ** 2, S**2 + 2 * S * x + x**2))
    return Proof(
        "sympy identity",
        "By induction E|S + x|^2 = E|S|^2 + 2 E<S, E[x | past]> + E|x|^2 coordinate by coordinate, and the middle "
        "term vanishes where x has mean zero given the past. Independent or uncorrelated variables make it vanish, "
        "too.",
    )


def box(says: str) -> Domain:
    return boxed(says, p=(0, 1), q=(0, 1), a=(0, 1))


STATEMENT = Statement(
    id="LADA.B6",
    paper="fedlada",
    kind="identity",
    location="Lemma B.6, appendix B.1",
    says="E|x_1 + ... + x_n|^2 = E[|x_1|^2 + ... + |x_n|^2] for a zero-mean sequence.",
    reading="Zero mean is all that the lemma asks for.",
    severity="missing-hypothesis",
    domain=box("two random signs with chosen correlation, times p and q"),
    printed=Claim("the identity", r"\mathbb E\|\sum_ix_i\|^2=\mathbb E\sum_i\|x_i\|^2", compare),
    corrected=Claim(
        "for a sequence whose members have mean zero given the earlier ones (or are uncorrelated)",
        r"\mathbb E[x_i\mid x_1,\dots,x_{i-1}]=0\Rightarrow\mathbb E\|\sum_ix_i\|^2=\mathbb E\sum_i\|x_i\|^2",
        uncorrelated,
        prove,
        box("a martingale difference of two members"),
    ),
    note="The proof writes E[x_i x_k] = E[x_i] E[x_k]. Where the lemma is used (LADA.M) the paper names the "
    "conditional form.",
)

"""DA (45): variation of constants for the differential inequality (44)."""

from theorems.fedda.common_pair import PAIR, bound_at, deviation_at, pairs, prove_comparison, prove_flow
from theorems.vocabulary import *


def compare(s: Instance) -> list[Comparison]:
    r"""both entries

    X(t\eta)\le e^{At\eta}X(0)+(1-\beta)\int_0^{t\eta}e^{A(t\eta-\tau)}b\,d\tau
    """
    momentum, model = deviation_at(s)
    bound = bound_at(s)
    return [that("momentum", momentum) <= bound[0], that("model", model) <= bound[1]]


def prove() -> None:
    """z3 and sympy: X' <= A X + b with A + k I >= 0 entrywise: Y = X - (right side) has Y' = A Y - f with f >= 0 and
    Y(0) = 0, so Y(t) is minus the integral of exp(A (t - s)) f, and exp(A t) >= 0 entrywise. (42) and (43) are DA.E42,
    DA.E43.
    """
    prove_comparison()
    prove_flow()


STATEMENT = Statement(
    kind="upper bound",
    location="(45), appendix A.3",
    says="(|m^i - m|, |W^i - W|) at t eta is at most exp(A t eta) of its start plus (1 - beta) times the integral of "
    "exp(A (t eta - s)) (|R|/eta, 0), entry by entry.",
    reading="A is the matrix of (44) (its printed eigenvalues are not used); an inequality entry by entry.",
    domain=pairs(zero=False),
    hypotheses=(PAIR,),
    printed=claim_of(compare, prove=prove),
    note="An inequality in two components does not integrate for every matrix: here it does, since A is non-negative "
    "off its diagonal. Attained by concave clients.",
)

"""LA (32)-(36): the induction step for the expected iterates."""

from theorems.local_adaptivity.common_sgd_steps import ONE_STEP, scaled_domain
from theorems.local_adaptivity.e29 import second
from theorems.vocabulary import *


def sides(s: Instance, below: Any) -> list[Comparison]:
    """|E[x - y]| = 1, F quadratic with curvature h; ``below`` divides 2 eta mu L."""
    first = 1 - 2 * s.eta * s.mu * s.L / below
    low = first + second(s) * s.h**2
    high = first + (s.eta * s.mu) ** 2 - 2 * s.eta * s.mu**2 / (s.mu + s.L)
    return [
        that("(33)", (1 - s.eta * s.h) ** 2) <= low,
        that("(34)", low) <= high,
        that("(35)", high) <= (1 - s.eta * s.mu) ** 2,
    ]


def derive(proof: Derivation, s: Instance) -> None:
    """As (29) to (31), for the means of quadratic clients."""
    mu, h, L, eta = reals("mu h L eta")
    at = {"mu": s.mu, "h": s.h, "L": s.L, "eta": s.eta}
    inside, small = [0 < mu, mu <= h, h <= L], [0 < eta, eta * (mu + L) < 2]
    first, factor = 1 - 2 * eta * mu * L / (mu + L), eta**2 - 2 * eta / (mu + L)
    low, high = first + factor * h**2, first + (eta * mu) ** 2 - 2 * eta * mu**2 / (mu + L)
    proof.leaf("(33)", [*inside, 0 < eta], (1 - eta * h) ** 2 <= low, **at)
    proof.leaf("(34)", [*inside, *small], low <= high, **at)
    proof.leaf("(35)", inside, high <= (1 - eta * mu) ** 2, **at)


STATEMENT = Statement(
    kind="upper bound",
    location="(32) to (36), Appendix B.2",
    says="|E[x_{k+1} - y_{k+1}]|^2 <= (1 - 2 eta mu L/(mu L)) |E[x_k - y_k]|^2 + (eta^2 mu^2 - 2 eta mu^2/(mu + L)) "
    "|E[x_k - y_k]|^2 <= (1 - eta mu)^2 |E[x_k - y_k]|^2.",
    reading="E[x_k - y_k] = 1 in d = 1, and grad F has the slope h between the means, as for quadratics.",
    severity="missing-hypothesis",
    domain=scaled_domain("0 < mu <= h <= L <= 2, eta < 2/(mu + L)"),
    hypotheses=ONE_STEP,
    printed=Claim(
        "(33) to (35) as printed",
        r"\Big(1-\frac{2\eta\mu L}{\mu L}\Big)+\Big(\eta^2\mu^2-\frac{2\eta\mu^2}{\mu+L}\Big)\le(1-\eta\mu)^2",
        lambda s: sides(s, s.mu * s.L),
    ),
    corrected=Claim(
        "for quadratic F, with mu + L for mu L",
        r"\Big(1-\frac{2\eta\mu L}{\mu+L}\Big)+\Big(\eta^2\mu^2-\frac{2\eta\mu^2}{\mu+L}\Big)\le(1-\eta\mu)^2",
        lambda s: sides(s, s.mu + s.L),
        derive=derive,
    ),
    note="The slip, mu L for mu + L, stands in (33) and (34). With it mended, (33) still rests on Lemma 2, which "
    "holds for quadratics (LA.L2): for other F and noise that depends on the point (35) is false, LA.B2.",
)

"""LAMB Theorem 1 as the appendix states it: at iteration tau, with a decreasing learning rate."""

from theorems.fedlamb import common_rate as cr
from theorems.fedlamb import common_runs as runs
from theorems.fedlamb.common import positive
from theorems.fedlamb.common_skewed import GIVEN, skewed, skewed_instance
from theorems.fedlamb.lemmas import derive_falls
from theorems.vocabulary import *


def instance(cursor: Cursor, n: int, root_h: int, T: int, R: int) -> Instance:
    """R is tau; rates fall from at most twice alpha to alpha, the last one, which stands in the bound."""
    return skewed_instance(cursor, n, root_h, T, positive(cursor) / round(R**0.5), swing=2, R=R)


def printed(s: Instance) -> list[Comparison]:
    r"""the average over tau iterations is at most the printed bound

    \frac1\tau\sum_{t=1}^\tau\mathbb E\Big\|\frac{\nabla f(\bar\theta_t)}{\hat v_t^{1/4}}\Big\|^2%
      \le\sqrt{\tfrac{M^2p}n}\frac{\Delta}{\mathsf h\alpha_r\tau}%
      +4\alpha\Big[\frac{\alpha^2L}{\sqrt{v_0}}M^2(T-1)^2\phi_M^2(1-\beta_2)p+\phi_M^2\sqrt{M^2+p\sigma^2}%
      +\frac{M^2}{\sqrt{v_0}}+\phi_M\frac{\mathsf h\sigma^2}{\sqrt n}\Big]%
      +\frac{\phi_M\sigma^2}{\tau n}\sqrt{\frac{1-\beta_2}{M^2p}}+cst
    """
    return [that("at iteration tau", s.at_least) <= cr.theorem_1(s)]


CHOICES = grid(n=(1, 2), root_h=(1, 2), T=(1, 2, 5), R=(10**4, 10**6, 10**10))

STATEMENT = Statement(
    kind="convergence",
    location="Theorem in B.2",
    says="The same bound with tau iterations in the place of R rounds, and a decreasing learning rate alpha.",
    reading="alpha is the last and least rate, rates fall from at most twice that; theta-bar_t is the average of the "
    "local models at iteration t. cst, clients and left side as in LAMB.T1.",
    severity="substantive",
    domain=skewed(instance, CHOICES, "tau iterations, falling rates"),
    hypotheses=GIVEN,
    printed=claim_of(printed),
    corrected=Claim(
        runs.STANDS + "at a constant rate, which the proof assumes from (8) on, " + runs.CORRECTED,
        runs.CORRECTED_LATEX,
        runs.falls,
        None,
        runs.RUNS,
        runs.GIVEN,
        derive=derive_falls,
    ),
    note="Section 4.1 says 'constant' and counts rounds, B.2 says 'decreasing' and counts iterations; with T > 1 "
    "these are different numbers (tau = R T). The clients of LAMB.T1 refute both: they walk uphill at any rates.",
)

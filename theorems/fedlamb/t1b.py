"""LAMB Theorem 1 as the appendix states it: at iteration tau, with a decreasing learning rate."""

from theorems.fedlamb import common_rate as cr
from theorems.fedlamb.common import need, positive, standing, standing_instance
from theorems.vocabulary import *


def instance(cursor: Cursor, n: int, h: int, T: int, R: int) -> Instance:
    """R is tau; rates fall from twice alpha to alpha, the last one, which stands in the bound."""
    return standing_instance(cursor, n, h, T, R=R, alpha=positive(cursor) / round(R**0.5))


def printed(s: Instance) -> list[Comparison]:
    return [Comparison("at iteration tau", s.lhs, "<=", cr.theorem_1(s))]


STATEMENT = Statement(
    id="LAMB.T1b",
    kind="convergence",
    location="Theorem in B.2",
    says="The same bound with tau iterations in the place of R rounds, and a decreasing learning rate alpha.",
    reading="alpha is the last and least rate, rates fall from at most twice that; theta-bar_t is the average of the "
    "local models at iteration t. cst as in LAMB.T1.",
    severity="substantive",
    domain=standing(grid(n=(2, 4), h=(1, 3), T=(1, 2, 5), R=(10**4, 10**6, 10**10)), "tau iterations", instance),
    hypotheses=(
        *cr.STANDING[:4],
        need(
            "local steps of length at most 2 alpha phi stay between 0 and 1",
            lambda s: [(2 * s.alpha * s.phi * s.T, "<", s.x), (2 * s.alpha * s.phi * s.T, "<", 1 - s.x)],
        ),
    ),
    printed=Claim(
        "the average over tau iterations is at most the printed bound",
        r"\frac1\tau\sum_{t=1}^\tau\mathbb E\Big\|\frac{\nabla f(\bar\theta_t)}{\hat v_t^{1/4}}\Big\|^2\le\sqrt{"
        r"\tfrac{M^2p}n}\frac{\Delta}{\mathsf h\alpha_r\tau}+\cdots+cst",
        printed,
    ),
    corrected=Claim(
        cr.CORRECTED + "; at a constant rate, which the proof assumes from (8) on",
        cr.CORRECTED_LATEX,
        cr.descent_bound,
        cr.prove_descent,
        cr.RUNS,
    ),
    note="Section 4.1 says 'constant' and counts rounds, B.2 says 'decreasing' and counts iterations; with T > 1 "
    "these are different numbers (tau = R T). The clients of LAMB.T1 refute both: they stand still at any sequence "
    "of rates.",
)

"""LAMB Theorem 1: the average of |grad f / v^(1/4)|^2 over the rounds."""

from theorems.fedlamb import common_rate as cr
from theorems.fedlamb import common_runs as runs
from theorems.fedlamb.common import boxed, need, positive, sign, total
from theorems.fedlamb.common_skewed import GIVEN, UPHILL, skewed, skewed_instance
from theorems.fedlamb.lemmas import derive_falls
from theorems.vocabulary import *


def instance(cursor: Cursor, n: int, root_h: int, T: int, R: int) -> Instance:
    """alpha = 1 / sqrt R up to a factor, so that all of (3) that depends on alpha and R is small."""
    return skewed_instance(cursor, n, root_h, T, positive(cursor) / round(R**0.5), R=R)


def printed(s: Instance) -> list[Comparison]:
    r"""the average is at most the right side of (3) with the appendix's terms for cst

    \frac1R\sum_{r=1}^R\mathbb E\Big\|\frac{\nabla f(\bar\theta_r)}{\hat v_r^{1/4}}\Big\|^2%
      \le\sqrt{\tfrac{M^2p}n}\frac{\Delta}{\mathsf h\alpha R}%
      +4\alpha\Big[\frac{\alpha^2L}{\sqrt{v_0}}M^2(T-1)^2\phi_M^2(1-\beta_2)p+\phi_M^2\sqrt{M^2+p\sigma^2}%
      +\frac{M^2}{\sqrt{v_0}}+\phi_M\frac{\mathsf h\sigma^2}{\sqrt n}\Big]%
      +\frac{\phi_M\sigma^2}{Rn}\sqrt{\frac{1-\beta_2}{M^2p}}+cst
    cst=\frac{\alpha\beta_1}{1-\beta_1}\sqrt{(1-\beta_2)p}\,\frac{\mathsf hM^2}{\sqrt{v_0}}%
      +\bar L\alpha^2M^2\phi_M^2\frac{(1-\beta_2)p}{Tv_0}%
      +\frac{\bar L\beta_1^2\mathsf h(1-\beta_2)M^2\phi_M^2n}{2(1-\beta_1)^2v_0}%
      +\frac{2\alpha^3Lp\phi_M^2}{\sqrt{v_0}}\frac{\beta_1^2}{(1-\beta_1)^2}
    """
    return [that("(3)", s.at_least) <= cr.theorem_1(s)]


def norm_of_mean(s: Instance) -> list[Comparison]:
    r"""the cross terms between clients are dropped

    \|\bar g\|^2=\frac1{n^2}\sum_i\|\bar g_i\|^2

    E|mean of the normalised gradients|^2 = 1/n^2 sum of their squares (of n clients, d = 1, at one point).
    """
    mean = total([s.phi * sign(s.nb, g) for g in s.g]) / s.n
    return [that(mean**2 / s.root) == s.phi**2 * s.n / s.n**2 / s.root]


def lower_bound(s: Instance) -> list[Comparison]:
    r"""normalised gradients of opposite clients cancel where the gradients do not

    \Big\|\frac{\bar g_t}{\hat v_t^{1/4}}\Big\|^2\ge\phi_m^2(1-\beta_2)\Big\|%
      \frac{\overline\nabla f(\theta_t)}{\hat v_t^{1/4}}\Big\|^2

    ... >= phi_m^2 (1 - beta_2) |mean of the gradients|^2; normalised gradients are phi sqrt(v) sign(g).
    """
    mean = total([s.phi * s.root * sign(s.nb, g) for g in s.g]) / s.n
    right = s.phi**2 * (1 - s.beta2) * (total(s.g) / s.n) ** 2 / s.root
    return [that(mean**2 / s.root) >= right]


CLIENTS = boxed(
    "n gradients in d = 1, normalised",
    grid(n=(1, 2, 3)),
    phi=(1, 2),
    root=(1, 2),
    beta2=("1/1000", "99/100"),
    g=(-1, 1, "n"),
)
SMALL = grid(n=(1, 2), root_h=(1, 2), T=(1, 2, 5), R=(10**4, 10**6, 10**10))

STATEMENT = Statement(
    kind="convergence",
    location="Theorem 1, section 4.1",
    says="With constant alpha and lambda = 0 the average of |grad f(theta-bar_r)/v-hat^(1/4)|^2 over R rounds is at "
    "most (3): sqrt(M^2 p/n) Delta/(h alpha R), terms of order alpha, a term of order 1/(R n), and 'cst'.",
    reading="cst stands for the terms that the proof's last inequality adds (if it may be any constant, M^2/sqrt(v0) "
    "makes (3) true of any sequence of points). v0: the least entry of v-hat, at which it starts. The clients are "
    "equal and their noise independent, so E[g] = grad f as H2 has it; phi is constant (H4). The left side is at least "
    "h s^2/(2 sqrt v0) (the step on walking uphill), which is compared with (3).",
    headline=True,
    severity="substantive",
    domain=skewed(instance, SMALL, "R rounds of T steps in h layers"),
    hypotheses=(
        *GIVEN,
        need("R >= 1", lambda s: [(s.alpha * 0 + s.R, ">=", 1)], role="the left side is a mean over R rounds"),
    ),
    printed=claim_of(printed),
    corrected=Claim(
        runs.STANDS + runs.CORRECTED,
        runs.CORRECTED_LATEX,
        runs.falls,
        None,
        runs.RUNS,
        runs.GIVEN,
        derive=derive_falls,
    ),
    steps=(
        Step(
            "E|g-bar/v^(1/4)|^2 = 1/n^2 sum_i sum_l |phi g_i^l/(v^(1/4) |p_i^l|)|^2",
            claim_of(norm_of_mean, domain=CLIENTS),
            "with the products <g-bar_i, g-bar_k>, which normalisation does not make positive",
        ),
        Step(
            "E|g-bar/v^(1/4)|^2 >= phi_m^2 (1 - beta_2) E|mean of grad f(theta_i)/v^(1/4)|^2",
            claim_of(lower_bound, domain=CLIENTS),
            "false for two clients already; for equal clients it is phi_m^2 v0/M^2 that stands in the place of "
            "phi_m^2 (1 - beta_2)",
        ),
        UPHILL,
    ),
    note="Normalised steps follow the sign of most gradients, not their mean: with noise that is -1 times the gradient "
    "in two draws of three and 5 times it in the third, two steps in three lead uphill, and the model leaves the "
    "minimizer for ever. With heterogeneous data (E[g_i] = grad f_i) no noise is needed: clients with minimizers 0 and "
    "1 stand still at 1/4 (a test plays FED-LAMB). Line by line the proof also needs LAMB.E6, LAMB.E8, LAMB.E10 to E13 "
    "and B2.",
)  # fmt: skip

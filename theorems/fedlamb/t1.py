"""LAMB Theorem 1: the average of |grad f / v^(1/4)|^2 over the rounds."""

from theorems.fedlamb import common_rate as cr
from theorems.fedlamb.common import boxed, need, positive, sign, standing, standing_instance, total
from theorems.vocabulary import *


def instance(cursor: Cursor, n: int, h: int, T: int, R: int) -> Instance:
    """alpha = 1 / sqrt R up to a factor, so that all of (3) that depends on alpha and R is small."""
    alpha = positive(cursor) / round(R**0.5)
    return standing_instance(cursor, n, h, T, R=R, alpha=alpha)


def printed(s: Instance) -> list[Comparison]:
    return [Comparison("(3)", s.lhs, "<=", cr.theorem_1(s))]


def norm_of_mean(s: Instance) -> list[Comparison]:
    """E|mean of the normalised gradients|^2 = 1/n^2 sum of their squares (of n clients, d = 1, at one point)."""
    mean = total([s.phi * sign(s.nb, g) for g in s.g]) / s.n
    return [Comparison("", mean**2 / s.root, "==", s.phi**2 * s.n / s.n**2 / s.root)]


def lower_bound(s: Instance) -> list[Comparison]:
    """... >= phi_m^2 (1 - beta_2) |mean of the gradients|^2; normalised gradients are phi sqrt(v) sign(g)."""
    mean = total([s.phi * s.root * sign(s.nb, g) for g in s.g]) / s.n
    right = s.phi**2 * (1 - s.beta2) * (total(s.g) / s.n) ** 2 / s.root
    return [Comparison("", 1 + mean**2 / s.root, ">=", 1 + right)]


CLIENTS = boxed(
    "n gradients in d = 1, normalised",
    grid(n=(1, 2, 3)),
    phi=(1, 2),
    root=(1, 2),
    beta2=("1/1000", "99/100"),
    g=(-1, 1, "n"),
)
SMALL = grid(n=(2, 4), h=(1, 3), T=(1, 2, 5), R=(10**4, 10**6, 10**10))

STATEMENT = Statement(
    id="LAMB.T1",
    kind="convergence",
    location="Theorem 1, section 4.1",
    says="With constant alpha and lambda = 0 the average of |grad f(theta-bar_r)/v-hat^(1/4)|^2 over R rounds is at "
    "most (3): sqrt(M^2 p/n) Delta/(h alpha R), terms of order alpha, a term of order 1/(R n), and 'cst'.",
    reading="cst stands for the terms that the proof's last inequality adds (if it may be any constant, M^2/sqrt(v0) "
    "makes (3) true of any sequence of points). v0: the least entry of v-hat, at which it starts. phi constant (H4), "
    "exact gradients (sigma is any positive number).",
    headline=True,
    severity="substantive",
    domain=standing(SMALL, "R rounds of T steps in h layers", instance),
    hypotheses=(
        *cr.standing_given(instance, SMALL),
        need("R >= 1", lambda s: [(s.alpha * 0 + s.R, ">=", 1)], role="the left side is a mean over R rounds"),
    ),
    printed=Claim(
        "the average is at most the right side of (3) with the appendix's terms for cst",
        r"\frac1R\sum_{r=1}^R\mathbb E\Big\|\frac{\nabla f(\bar\theta_r)}{\hat v_r^{1/4}}\Big\|^2\le\sqrt{\tfrac"
        r"{M^2p}n}\frac{\Delta}{\mathsf h\alpha R}+4\alpha[\cdots]+\cdots+cst",
        printed,
    ),
    corrected=Claim(
        cr.CORRECTED,
        cr.CORRECTED_LATEX,
        cr.standing_bound,
        cr.prove_descent,
    ),
    steps=(
        cr.ALONG_RUNS,
        Step(
            "E|g-bar/v^(1/4)|^2 = 1/n^2 sum_i sum_l |phi g_i^l/(v^(1/4) |p_i^l|)|^2",
            Claim(
                "the cross terms between clients are dropped",
                r"\|\bar g\|^2=\frac1{n^2}\sum_i\|\bar g_i\|^2",
                norm_of_mean,
                domain=CLIENTS,
            ),
            "with the products <g-bar_i, g-bar_k>, which normalisation does not make positive",
        ),
        Step(
            "E|g-bar/v^(1/4)|^2 >= phi_m^2 (1 - beta_2) E|mean of grad f(theta_i)/v^(1/4)|^2",
            Claim(
                "normalised gradients of opposite clients cancel where the gradients do not",
                r"\Big\|\frac{\bar g_t}{\hat v_t^{1/4}}\Big\|^2\ge\phi_m^2(1-\beta_2)\Big\|\frac{\overline\nabla f("
                r"\theta_t)}{\hat v_t^{1/4}}\Big\|^2",
                lower_bound,
                domain=CLIENTS,
            ),
            "false for two clients already; for equal clients it is phi_m^2 v0/M^2 that stands in the place of "
            "phi_m^2 (1 - beta_2)",
        ),
    ),
    note="Two clients with minimizers 0 and 1 stand still at any x between them, whatever alpha, T and beta_1 (for T "
    "= 1 also with phi the identity): normalised steps cancel where gradients do not. FED-LAMB rests where the signs "
    "balance, at a median of clients, not at stationary points. Line by line the proof also needs LAMB.E6, LAMB.E8, "
    "LAMB.E10 to E13 and B2.",
)  # fmt: skip

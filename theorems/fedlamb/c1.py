"""LAMB Corollary 1: the rate at alpha = O(1/sqrt(h R))."""

from theorems.fedlamb import common_runs as runs
from theorems.fedlamb.common import boxed
from theorems.fedlamb.common_corollary import LARGE, many_rounds
from theorems.fedlamb.common_skewed import GIVEN, skewed
from theorems.fedlamb.lemmas import derive_falls
from theorems.vocabulary import *


def order(s: Instance) -> Any:
    """The expression in O(.) of (4)."""
    root = s.nb.sqrt
    h, n, R, p = (s.alpha * 0 + v for v in (s.h, s.n, s.R, s.h))
    return root(p / n) / root(h * R) + s.sigma**2 / (R * n * root(p)) + (s.T - 1) ** 2 * p / (h**3 * R * root(R))


def printed(s: Instance) -> list[Comparison]:
    r"""the average is at most C times the rate (4)

    \frac1R\sum_r\mathbb E\Big\|\frac{\nabla f(\bar\theta_r)}{\hat v_t^{1/4}}\Big\|^2%
      \le C\Big(\sqrt{\tfrac pn}\frac1{\sqrt{\mathsf hR}}+\frac{\sigma^2}{Rn\sqrt p}%
      +\frac{(T-1)^2p}{\mathsf h^3R^{3/2}}\Big)
    """
    return [that("(4) with the constant C", s.at_least) <= s.C * order(s)]


def cube(s: Instance) -> list[Comparison]:
    r"""the term with (T-1)^2: (h R)^(-3/2) has h^(-3/2), not h^(-3); h = 4 C^2 layers break any C

    (\mathsf hR)^{-3/2}\le C\,\mathsf h^{-3}R^{-3/2}

    alpha^3 with alpha = 1/sqrt(h R), against C h^-3 R^(-3/2).
    """
    alpha = 1 / s.nb.sqrt(s.one * s.h * s.R)
    return [that(alpha**3) <= s.C / (s.one * s.h**3 * s.R * s.nb.sqrt(s.one * s.R))]


def number_of_clients(s: Instance) -> list[Comparison]:
    r"""the terms of (3) of order alpha do not fall with n: n = (8 C)^2 clients break any C

    4\alpha\phi_M^2\sqrt{M^2+p\sigma^2}\le C\sqrt{\tfrac pn}\tfrac1{\sqrt{\mathsf hR}}

    4 alpha phi_M^2 sqrt(M^2 + p sigma^2) <= C sqrt(p/n) / sqrt(h R), at n = (8 C)^2 clients.
    """
    root = s.nb.sqrt
    left = 4 / root(s.one * s.h * s.R) * root(s.M**2 + s.h * s.sigma**2)
    return [that(left) <= s.C * root(s.one * s.h / (8 * s.C) ** 2) / root(s.one * s.h * s.R)]


GRID = grid(n=(1, 2), root_h=(1, 2), T=(1, 2, 5), C=(1, 100, 10**6))

STATEMENT = Statement(
    kind="convergence",
    location="Corollary 1, section 4.1",
    says="With alpha = O(1/sqrt(h R)) the average of |grad f/v-hat^(1/4)|^2 is O(sqrt(p/n)/sqrt(h R) + sigma^2/(R n "
    "sqrt p) + (T-1)^2 p/(h^3 R^(3/2))).",
    reading="O(.) hides a constant C that does not depend on R, n, h, p, T, sigma. Every C is refuted by R = (1e4 T "
    "C)^2 rounds: the left side does not fall, and the rate does (C up to 1e6 is searched; the clients are LAMB.T1's, "
    "whose M, L, v0 and phi stay as they are).",
    headline=True,
    severity="substantive",
    domain=skewed(many_rounds, GRID, "R = (1e4 T C)^2 rounds, alpha about 1/sqrt(h R)"),
    hypotheses=(*GIVEN, LARGE),
    printed=claim_of(printed),
    corrected=Claim(
        "at alpha = 1/sqrt(h R) O(sqrt(h/R)) for one client or equal ones, exact gradients, T = 1 and beta_1 = 0 (zeta "
        "is 0), where (4) stands as printed while h^2 n = O(p); and O(zeta) more in general: " + runs.CORRECTED,
        runs.CORRECTED_LATEX,
        runs.falls,
        None,
        runs.RUNS,
        runs.GIVEN,
        derive=derive_falls,
    ),
    steps=(
        Step(
            "alpha^3 = O(h^-3 R^(-3/2)) at alpha = 1/sqrt(h R)",
            claim_of(
                cube,
                domain=boxed(
                    "h = 4 C^2 layers, R rounds",
                    tuple({"h": 4 * C * C, "R": R, "C": C} for C in (1, 10, 10**3) for R in (1, 100)),
                    one=(1, 1),
                ),
            ),
            "(T-1)^2 p / (h R)^(3/2)",
        ),
        Step(
            "4 alpha phi_M^2 sqrt(M^2 + p sigma^2) = O(sqrt(p/n)/sqrt(h R))",
            claim_of(
                number_of_clients,
                domain=boxed(
                    "n = (8 C)^2", grid(h=(1, 2), R=(100,), C=(1, 10**3, 10**6)), one=(1, 1), M=(1, 2), sigma=(1, 2)
                ),
            ),
            "sqrt p / sqrt(h R), without 1/sqrt n; cst, which does not vanish with beta_1 > 0, is dropped, too",
        ),
    ),
    note="It does not follow from Theorem 1 (the steps), and fails by itself: the clients of LAMB.T1 walk uphill.",
)

"""LAMB, the end of B.2: the rate at a learning rate of order 1/(L sqrt(tau))."""

from theorems.fedlamb import common_runs as runs
from theorems.fedlamb.common import boxed, need
from theorems.fedlamb.common_corollary import LARGE, many_rounds
from theorems.fedlamb.common_skewed import GIVEN, skewed
from theorems.fedlamb.lemmas import derive_falls
from theorems.vocabulary import *


def order(s: Instance) -> Any:
    """The expression in the last O(.), tau = R, L = a."""
    root = s.nb.sqrt
    h, n, R, p = (s.alpha * 0 + v for v in (s.h, s.n, s.R, s.h))
    return (
        root(s.M**2 * p / n) / root(h * R)
        + s.sigma**2 / (R * n * root(p))
        + (s.T - 1) ** 2 * p / (s.one * s.R) ** 3 / s.L**3
    )


def printed(s: Instance) -> list[Comparison]:
    r"""the average is at most C times the printed rate

    \frac1\tau\sum_{t=1}^\tau\mathbb E\Big\|\frac{\nabla f(\bar\theta_t)}{\hat v_t^{1/4}}\Big\|^2%
      \le C\Big(\sqrt{\tfrac{M^2p}n}\frac1{\sqrt{\mathsf h\tau}}+\frac{\sigma^2}{\tau n\sqrt p}%
      +\frac{(T-1)^2p}{\tau^3L^3}\Big)
    """
    s.one = s.alpha * 0 + 1
    return [that("with the constant C", s.at_least) <= s.C * order(s)]


def cube(s: Instance) -> list[Comparison]:
    r"""the exponent of tau is 3/2; tau = 4 C^2 breaks any C

    (L\sqrt\tau)^{-3}\le C\,\tau^{-3}L^{-3}

    alpha^3 with alpha = 1/(L sqrt tau), against C/(tau^3 L^3).
    """
    alpha = 1 / (s.L * s.nb.sqrt(s.one * s.tau))
    return [that(alpha**3) <= s.C / (s.one * s.tau**3 * s.L**3)]


def start(s: Instance) -> list[Comparison]:
    r"""the first term: L/(h sqrt tau)

    \frac{L}{\mathsf h\sqrt\tau}\le\frac1{\sqrt{\mathsf h\tau}}

    1/(h alpha tau) with alpha = 1/(L sqrt tau), against 1/sqrt(h tau): for L <= 1.
    """
    alpha = 1 / (s.L * s.nb.sqrt(s.one * s.tau))
    return [that(1 / (s.h * alpha * s.tau)) <= 1 / s.nb.sqrt(s.one * s.h * s.tau)]


def prove_start() -> None:
    """z3: L sqrt(tau)/(h tau) = L/(h sqrt tau) <= 1/(sqrt h sqrt tau) for L <= 1 <= h."""
    from theorems.engines.prove import reals, smt

    L, h, q, tau, root = reals("L h q tau root")
    smt(
        [0 < L, L <= 1, h >= 1, q > 0, q * q == h, tau > 0, root > 0, root * root == tau],
        L * root / (h * tau) <= 1 / (q * root),
    )


BOX = boxed("tau iterations, L <= 1", grid(h=(1, 2, 10), tau=(1, 2, 100)), one=(1, 1), L=("1/10", 1))

SMALL = need("0 < L <= 1", lambda s: [(s.L, ">", 0), (s.L, "<=", 1)], role="the step is about such losses")
GRID = grid(n=(1, 2), root_h=(1, 2), T=(1, 2, 5), C=(1, 100, 10**6))
STATEMENT = Statement(
    kind="convergence",
    location="end of B.2",
    says="With alpha of order 1/(L sqrt tau) the average is O(sqrt(M^2 p/n)/sqrt(h tau) + sigma^2/(tau n sqrt p) + "
    "(T-1)^2 p/(tau^3 L^3)).",
    reading="As LAMB.C1, with tau for R and L = a <= 1; the constant C does not depend on tau.",
    severity="substantive",
    domain=skewed(many_rounds, GRID, "tau = (1e4 T C)^2 rounds, alpha about 1/sqrt(h tau)"),
    hypotheses=(*GIVEN, LARGE),
    printed=claim_of(printed),
    corrected=Claim(runs.CORRECTED, runs.CORRECTED_LATEX, runs.falls, None, runs.RUNS, runs.GIVEN, derive=derive_falls),
    steps=(
        Step(
            "alpha^3 = O(1/(tau^3 L^3)) at alpha = 1/(L sqrt tau)",
            claim_of(
                cube,
                domain=boxed(
                    "tau = 4 C^2", tuple({"tau": 4 * C * C, "C": C} for C in (1, 10, 10**3)), one=(1, 1), L=("1/10", 1)
                ),
            ),
            "(T-1)^2 p / (tau^(3/2) L^3): Corollary 1 has R^(3/2) for the same term, and h^3 for L^3",
        ),
        Step(
            "1/(h alpha tau) <= 1/sqrt(h tau) at alpha = 1/(L sqrt tau), L <= 1",
            claim_of(start, prove=prove_start, domain=BOX, given=(SMALL,)),
        ),
    ),
    note="Both versions of the term disagree with each other and with Theorem 1.",
)  # fmt: skip

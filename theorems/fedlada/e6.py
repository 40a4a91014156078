"""LADA (6) and what follows from it: the bounds on G_theta."""

from theorems.fedlada.common import below, boxed, need
from theorems.vocabulary import *


def peak(s: Instance) -> Any:
    """vhat_K after K steps from v_0 = vhat_0 = eps^2."""
    v = top = s.eps**2
    for g in s.g:
        v = s.beta2 * v + (1 - s.beta2) * g * g
        top = s.nb.maximum(v, top)
    return top


def compare(s: Instance) -> list[Comparison]:
    r"""(6) and 1/G_g <= theta <= 1/eps_v

    \|\sqrt{(1-\beta_2^K)g^2}\|_\infty\le\|g\|_\infty,\quad\frac1{G_g}\le G_\vartheta\le\frac1{\epsilon_v}

    Squared, so that rationals suffice: theta^2 = 1/vhat between 1/G_g^2 and 1/eps_v^2.
    """
    g = s.g[-1]
    return [
        that("(6)", (1 - s.beta2**s.K) * g * g) <= g * g,
        that("theta <= 1/eps_v", 1 / peak(s)) <= 1 / s.eps**2,
        that("theta >= 1/G_g", 1 / peak(s)) >= peak(s) * 0 + 1,
    ]


def equality(s: Instance) -> list[Comparison]:
    r"""the second line of the display above (6), as an equality over the steps of a round

    \max_\tau\frac1{\hat v_\tau}=\max_\tau\frac1{\max((1-\beta_2^K)g_\tau^2,\epsilon_v^2)}

    max theta over the local steps tau >= 1 (that is theta_1), against the printed maximum over their gradients.
    """
    v = s.beta2 * s.eps**2 + (1 - s.beta2) * s.g[0] ** 2
    largest = 1 / s.nb.maximum(v, s.eps**2)
    right = None
    for g in s.g:
        term = 1 / s.nb.maximum((1 - s.beta2**s.K) * g * g, s.eps**2)
        right = term if right is None else s.nb.maximum(right, term)
    return [that("squared", largest) == right]


def prove() -> None:
    """z3: 1 - beta2^K lies in (0, 1); v is a convex combination of eps_v^2 and squared gradients, all at most G_g^2
    (scaled to 1), and so is its running maximum, which starts at eps_v^2.
    """
    b, p, g, v, e = reals("b p g v e")
    smt([0 < p, p < 1], (1 - p) * g * g <= g * g)
    smt([0 <= b, b <= 1, e > 0, e <= 1, v <= 1, g * g <= 1], b * v + (1 - b) * g * g <= 1)
    smt([e > 0, v >= e * e], v > 0)


def _bounded(s: Instance) -> list[Comparison]:
    return [that(s.nb.abs(g)) <= g * 0 + 1 for g in s.g]


def box(says: str, **other: tuple[Any, ...]) -> Domain:
    return boxed(says, grid(K=(1, 2, 3)), **{"beta2": (0, 1), "eps": (0, 1), "g": (-1, 1, "K"), **other})


STATEMENT = Statement(
    kind="upper bound",
    location="equation (6), section 3.4",
    says="sqrt((1 - beta2^K) g^2) <= |g|, and so every theta lies between 1/G_g and 1/eps_v.",
    reading="The lower end, printed as 1/G_theta, is 1/G_g; eps_v <= G_g (else theta = 1/eps_v < 1/G_g); G_g = 1, d = "
    "1.",
    domain=box("|g| <= 1, 0 < eps_v <= 1"),
    hypotheses=(
        need("0 < eps_v <= G_g = 1", below("eps"), lambda s: (s.eps, "<=", 1)),
        Hypothesis("|g| <= G_g", _bounded, box("|g| up to 2", g=(-2, 2, "K"))),
        need(
            "0 <= beta2 <= 1",
            lambda s: (s.beta2, ">=", 0),
            lambda s: (s.beta2, "<=", 1),
            without=box("beta2 from -1 to 2", beta2=(-1, 2)),
        ),
    ),
    printed=claim_of(compare, prove=prove),
    steps=(
        Step(
            "G_theta = max 1/max(sqrt((1 - beta2^K) g_tau^2), eps_v)",
            claim_of(equality),
            "v mixes all gradients and eps_v^2: (1 - beta2^K) g^2 is v only for a constant gradient from v_0 = 0",
        ),
    ),
)

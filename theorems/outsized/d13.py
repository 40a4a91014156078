"""OLR section 7.1: clients that share their minimizer rest in x*, whatever their Hessians and noise."""

from theorems.bridges import lengths
from theorems.outsized import t16
from theorems.outsized.common import ASSUMPTION_2, GAMMA_BELOW
from theorems.vocabulary import *


def decode(cursor: Cursor, n: int, d: int, theta: Theta, top: int = 1) -> Instance:
    p = clients(cursor, n, d, weighted=True, same="c")
    return Instance(p=p, gamma=rate(cursor, p.L) * top, theta=theta)


def compare(s: Instance) -> list[Comparison]:
    r"""clients that share c rest in x*, for every Theta, with SGD inside, too (Theorem 3)

    \sigma_c=0\ \Rightarrow\ x^*(\gamma,\Theta)=x^*
    """
    moved = s.p.nb.length(s.p.displacement(s.gamma, s.theta))
    return [that("discrepancy", moved) == moved * 0]


def derive(proof: Derivation, s: Instance) -> None:
    """Theorem 16 with sigma_c = 0."""
    p, nb = s.p, s.p.nb
    t16.derive(proof, s)
    q, a, m, g, e, x = reals("sigma_c sigma_A mu gap low moved")
    far = p.sigma_c * (1 + p.sigma_A / p.mu)
    bottom, total = nb.filter(s.gamma * p.L, s.theta), nb.number(s.theta.total)
    proof.leaf("sigma_c (1 + sigma_A / mu) = 0", [q == 0, m > 0], q * (1 + a / m) == 0 * q, sigma_c=p.sigma_c,
               sigma_A=p.sigma_A, mu=p.mu)  # fmt: skip
    proof.cross(lengths, "|x*(gamma, Theta) - x*| >= 0", nb=nb, v=p.displacement(s.gamma, s.theta))
    moved = nb.length(p.displacement(s.gamma, s.theta))
    proof.leaf("the bound vanishes", [0 <= x, q == 0, x <= q * g / e, e > 0], x == 0 * x,
               sigma_c=far, gap=p.L * (total - bottom), low=p.mu * bottom, moved=moved)  # fmt: skip


WEIGHTS = Hypothesis("theta >= 0, not all 0 (section 2.1)", t16.signs, role="else there may be no minimizer")
SHARED = Hypothesis(
    "sigma_c = 0",
    lambda s: [that(s.p.sigma_c) == s.p.sigma_c * 0],
    Domain(t16.instance, grid(n=(2,), d=(1,), theta=(Theta.sum(2),)), "clients with other minimizers"),
)

FASTER = Domain(
    lambda cursor, **discrete: decode(cursor, **discrete, top=2),
    grid(n=(2,), d=(1,), theta=t16.THETAS[:3]),
    "0 < gamma < 2/L",
)

STATEMENT = Statement(
    kind="identity",
    location="section 7.1, after Corollary 28, on beta_3; section 3, after Assumption 3",
    says="If sigma_c = 0, for instance when the data is completely homogeneous, the discrepancy is 0; as sigma_c -> 0 "
    "the "
    "clients take more steps towards a shared optimum.",
    reading="The discrepancy is that of the minimizers, beta_3. The two losses themselves differ, in their curvature.",
    domain=Domain(
        decode, grid(n=(1, 2, 3), d=(1, 2), theta=t16.THETAS), "weighted clients that share c, 0 < gamma < 1/L"
    ),
    hypotheses=(ASSUMPTION_2, replace(GAMMA_BELOW, without=FASTER), WEIGHTS, SHARED),
    printed=claim_of(compare, derive=derive),
    note="Homogeneity is not needed: the Hessians A_i and the noise of the clients' examples may differ. With sampled "
    "clients "
    "their spread at rest, V_gamma, is 0, too, so that Theorems 26 and 27 stand as printed (OLR.T26, OLR.T27).",
)

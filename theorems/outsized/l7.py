"""OLR Lemma 7: the extreme eigenvalues of Q_i(gamma, Theta_K), printed with exponent K."""

from theorems.bridges import extremes
from theorems.outsized.common import ASSUMPTION_2
from theorems.outsized.common_spectrum import GAMMA_SMALL, population_domain
from theorems.outsized.lemmas import column, powers_fall
from theorems.vocabulary import *

STEPS = (1, 2, 3, 5, 10, 50)


def compare(s: Instance, exponent: int) -> list[Comparison]:
    """The last client's extremes, then all clients' against mu and L."""
    nb, q, lam = s.p.nb, s.p.filter(s.gamma, s.theta), s.p.lam[..., -1, :]

    def ends(z: Scalar) -> Any:
        return (1 - s.gamma * z) ** exponent

    low, high = nb.smallest(q[..., -1, :]), nb.largest(q[..., -1, :])
    return [
        that("largest", high) == ends(nb.smallest(lam)),
        that("smallest", low) == ends(nb.largest(lam)),
        that("largest, any client", nb.largest(q, 2)) <= ends(s.p.mu),
        that("smallest, any client", ends(s.p.L)) <= nb.smallest(q, 2),
    ]


def derive(proof: Derivation, s: Instance) -> None:
    """(1 - gamma lambda)^(K-1) falls with lambda."""
    p, nb, n = s.p, s.p.nb, s.K - 1
    lam, q = p.lam[..., -1:, :], p.filter(s.gamma, s.theta)
    ends = nb.smallest(lam)[..., None], nb.largest(lam)[..., None]
    m, x, g, L, a, b = reals("mu lam gamma L a b")
    proof.leaf("lambda > 0", [m > 0, m <= x], 0 < x, mu=column(p.mu), lam=p.lam)
    proof.leaf(
        "gamma lambda <= 1", [g >= 0, x <= L, g * L < 1], g * x <= 1, gamma=column(s.gamma), lam=p.lam, L=column(p.L)
    )
    proof.cross(extremes, "mu_i and L_i", nb=nb, x=lam)
    proof.cross(extremes, "the extremes of Q_i", nb=nb, x=q[..., -1, :])
    for small, large in ((column(p.mu), p.lam), (p.lam, column(p.L)), (ends[0], lam), (lam, ends[1])):
        powers_fall(proof, column(s.gamma), n, small, large)
    for value, at in ((nb.largest(q[..., -1, :]), ends[0]), (nb.smallest(q[..., -1, :]), ends[1])):
        proof.leaf("an extreme of Q_i", [a <= b, a >= b], a == b,
                   a=value[..., None, None], b=(1 - column(s.gamma) * at) ** n)  # fmt: skip


STATEMENT = Statement(
    kind="spectrum",
    location="Lemma 7, section 5",
    says="For Theta_K the extreme eigenvalues of Q_i are (1 - gamma mu_i)^K and (1 - gamma L_i)^K.",
    reading="gamma >= 0. Judged on the last of n clients, and on all for the second half.",
    severity="typo",
    note="The exponent is K - 1: (3) and (8) give Q_i = (I - gamma A_i)^(K-1), and Lemma 12 has it right. Only the "
    "printed lower bound (1 - gamma L)^K survives, as a weaker one.",
    domain=population_domain(n=(1, 2), d=(1, 2), theta=tuple(Theta.last(K) for K in STEPS)),
    hypotheses=(ASSUMPTION_2, GAMMA_SMALL),
    printed=Claim(
        "with exponent K",
        r"\lambda_{\max}(Q_i(\gamma,\Theta_K))=(1-\gamma\mu_i)^K,\ \lambda_{\min}=(1-\gamma L_i)^K",
        lambda s: compare(s, s.K),
    ),
    corrected=Claim(
        "with exponent K - 1",
        r"\lambda_{\max}(Q_i(\gamma,\Theta_K))=(1-\gamma\mu_i)^{K-1},\ \lambda_{\min}=(1-\gamma L_i)^{K-1}",
        lambda s: compare(s, s.K - 1),
        derive=derive,
    ),
)

"""OLR Lemma 24: strong convexity and smoothness of FedAvg's surrogate."""

from theorems.bridges import averages
from theorems.outsized.common import ASSUMPTION_2, phis, rates_below
from theorems.outsized.lemmas import phi_bounds
from theorems.vocabulary import *


def instance(cursor: Cursor, n: int, d: int, K: int, top: int = 2) -> Instance:
    p = clients(cursor, n, d, weighted=True)
    return Instance(p=p, gamma=top * rate(cursor, p.L, zero=True), K=K, theta=Theta.sum(K))


def ends(s: Instance) -> list[Comparison]:
    values = s.p.nb.eigenvalues(s.p.hessian(s.p.filtered(s.gamma, s.theta)))
    low, high = phis(s)
    return [that("strongly convex", values[..., 0]) >= low, that("smooth", values[..., -1]) <= high]


def derive(proof: Derivation, s: Instance) -> None:
    """The Hessian is the mean of the Q_i A_i, whose eigenvalues phi_lam lie in [phi_mu, phi_L]."""
    phi_bounds(proof, s.p, s.gamma, s.K)
    low, high = phis(s)
    proof.cross(averages, p=s.p, values=s.p.filtered(s.gamma, s.theta), low=low, high=high)


STATEMENT = Statement(
    kind="spectrum",
    location="Lemma 24, section 7.1",
    says="Under Assumption 2, f~_gamma is mu_gamma = phi_mu strongly convex and L_gamma = phi_L smooth.",
    reading="No bound on gamma is stated in section 7.1 (Lemma 23 has 'for all gamma >= 0'); 0 <= gamma < 2/L is "
    "tried.",
    severity="missing-hypothesis",
    domain=Domain(instance, grid(n=(1, 2, 3), d=(1, 2), K=(1, 2, 3, 10, 1000, 10**5)), "weighted clients, gamma < 2/L"),
    hypotheses=(ASSUMPTION_2, rates_below(2)),
    printed=Claim(
        "for every gamma >= 0", r"\phi_{K,\mu}(\gamma)I\preceq\nabla^2\tilde f_\gamma\preceq\phi_{K,L}(\gamma)I", ends
    ),
    corrected=Claim(
        "for 0 <= gamma < 1/L, as in Lemma 11 and Corollary 13",
        r"\phi_{K,\mu}(\gamma)I\preceq\nabla^2\tilde f_\gamma\preceq\phi_{K,L}(\gamma)I,\quad 0\le\gamma<1/L",
        ends,
        derive=derive,
        domain=Domain(
            lambda cursor, **discrete: instance(cursor, **discrete, top=1),
            grid(n=(1, 2, 3), d=(1, 2), K=(1, 2, 3, 10, 1000, 10**5)),
            "weighted clients, gamma < 1/L",
        ),
        given=(ASSUMPTION_2, rates_below()),
    ),
    note="'for all t' in the lemma is left over: nothing in it depends on t. For gamma L > 1 phi is not monotone "
    "in lam.",
)

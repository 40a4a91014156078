"""OLR Lemma 33: the surrogate Hessians at two rates differ by a positive semidefinite matrix."""

from theorems.outsized.common import ASSUMPTION_2
from theorems.outsized.common_rates import phi_drop, two_rates_domain
from theorems.outsized.lemmas import column, drop_grows
from theorems.vocabulary import *

UP_TO = Hypothesis(
    "0 <= gamma_1 <= gamma_2 <= 1/L",
    lambda s: [
        that(s.gamma_2 * s.p.L) <= s.gamma_2 * 0 + 1,
        that("ordered", s.gamma_1) <= s.gamma_2,
        that("sign", s.gamma_1) >= s.gamma_1 * 0,
    ],
)


def ends(s: Instance) -> list[Comparison]:
    r"""both ends of the spectrum

    0\preceq C,\ \lambda_{\max}(C)\le\phi_{K,L}(\gamma_1)-\phi_{K,L}(\gamma_2)

    The eigenvalues of C, from the deficits (no cancellation).
    """
    p, nb, theta = s.p, s.p.nb, Theta.sum(s.K)
    C = p.lam * (p.deficit(s.gamma_1, theta) - p.deficit(s.gamma_2, theta))
    return [
        that("positive semidefinite", nb.smallest(C, 2)) >= s.gamma_1 * 0,
        that("largest eigenvalue", nb.largest(C, 2)) <= phi_drop(s),
    ]


def derive(proof: Derivation, s: Instance) -> None:
    """C's eigenvalues are phi_lam(gamma_1) - phi_lam(gamma_2) >= 0, which grow with lam."""
    p, (a, b, x, y) = s.p, reals("gamma_1 gamma_2 x y")
    proof.leaf("gamma_2 >= 0", [0 <= a, a <= b], 0 <= b, gamma_1=s.gamma_1, gamma_2=s.gamma_2)
    proof.leaf("0 < lambda", [x > 0, x <= y], 0 < y, x=column(p.mu), y=p.lam)
    drop_grows(proof, column(s.gamma_1), column(s.gamma_2), s.K, p.lam, column(p.L))


STATEMENT = Statement(
    kind="spectrum",
    location="Lemma 33, appendix B.3",
    says="For gamma_1 <= gamma_2 <= 1/L, C = Q_i(gamma_1) A_i - Q_i(gamma_2) A_i is positive semidefinite with "
    "lambda_max <= phi_L(gamma_1) - phi_L(gamma_2).",
    reading="0 <= gamma_1.",
    domain=two_rates_domain(),
    hypotheses=(ASSUMPTION_2, UP_TO),
    printed=claim_of(ends, derive=derive),
)

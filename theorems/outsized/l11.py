"""OLR Lemma 11: the spectrum of Q_i A_i for Theta_{1:K} lies between phi at mu_i and phi at L_i."""

from surrogate import bounds
from theorems.domain import STEPS
from theorems.outsized.common import ASSUMPTION_2
from theorems.outsized.common_spectrum import GAMMA_SMALL, filter_is, phi_increases, population_domain, spectral_mapping
from theorems.vocabulary import *


def beyond(cursor: Cursor, d: int, K: int) -> Instance:
    """gamma up to 2 / L."""
    p = clients(cursor, 1, d)
    return Instance(p=p, gamma=2 * rate(cursor, p.L, zero=True), K=K, theta=Theta.sum(K))


def compare(s: Instance) -> list[Comparison]:
    r"""extremes at mu_i and L_i, bounded by those at mu and L

    \phi_{K,\mu}(\gamma)\le\phi_{K,\mu_i}(\gamma)=\lambda_{\min}(Q_iA_i)\le\lambda_{\max}(Q_iA_i)=\phi_{K,L_i}(\gamma)%
      \le\phi_{K,L}(\gamma)

    The last client's extremes, then all clients' between phi_mu and phi_L.
    """
    nb, lam, values = s.p.nb, s.p.lam[:, -1, :], s.p.filtered(s.gamma, s.theta)
    own = bounds.lemma_11(nb.smallest(lam), nb.largest(lam), s.gamma, s.K)
    every = bounds.lemma_11(s.p.mu, s.p.L, s.gamma, s.K)
    return [
        that("2: largest", nb.largest(values[:, -1, :])) == own.smoothness,
        that("2: smallest", nb.smallest(values[:, -1, :])) == own.strong_convexity,
        that("3: largest", nb.largest(values, 2)) <= every.smoothness,
        that("3: smallest", every.strong_convexity) <= nb.smallest(values, 2),
    ]


def derivative(s: Instance) -> list[Comparison]:
    r"""the derivative of phi in lambda, positive for gamma lambda < 1

    g'(\lambda)=K(1-\gamma\lambda)^{K-1}>0

    g'(lambda) = K (1 - gamma lambda)^(K-1) by differentiating (18) term by term; positive.
    """
    K = min(s.K, 20)
    z = s.gamma * s.p.mu
    powers = [s.p.nb.power(1 - z, k) for k in range(K)]
    slope = sum(powers[k] - k * z * powers[max(k - 1, 0)] for k in range(K))
    return [that("g'", slope + K) == K * powers[K - 1] + K, that("positive", powers[K - 1]) > z * 0]


def prove() -> None:
    """z3 and sympy: Q_i A_i has the eigenvalues phi_K(lambda) (Horner's step and (18)), gamma phi_K(lambda) = 1 - (1 -
    gamma lambda)^K, and the powers of 0 <= 1 - gamma L <= 1 - gamma lambda stay ordered (induction on K, z3); at gamma
    = 0 phi is K lambda. So phi_K increases with lambda: extremes at mu_i and L_i, within those at mu and L.
    """
    spectral_mapping()
    filter_is(Theta.sum, lambda z, K: (1 - (1 - z) ** K) / z)
    phi_increases()


STATEMENT = Statement(
    kind="spectrum",
    location="Lemma 11, section 5; proof in B.2.4",
    says="For Theta_{1:K} and gamma < 1/L_i the extreme eigenvalues of Q_i A_i are phi_K at mu_i and L_i, between "
    "phi_K at mu and L.",
    reading="gamma >= 0. 'Fix gamma < L_i' at the start of the proof stands for 1/L_i, as two lines below.",
    note="For odd K the range of gamma is not needed: 1 - (1 - gamma lambda)^K then increases for all gamma; for even "
    "K it is.",
    domain=population_domain(n=(1, 2), d=(1, 2), theta=tuple(Theta.sum(K) for K in STEPS)),
    hypotheses=(
        ASSUMPTION_2,
        Hypothesis(GAMMA_SMALL.name, GAMMA_SMALL.holds, Domain(beyond, grid(d=(2,), K=(1, 2, 3)), "gamma < 2/L")),
    ),
    printed=claim_of(compare, prove=prove),
    steps=(Step("B.2.4: g'(lambda) = K (1 - gamma lambda)^(K-1) > 0", claim_of(derivative)),),
)

"""OLR Lemma 11: the spectrum of Q_i A_i for Theta_{1:K} lies between phi at mu_i and phi at L_i."""

from surrogate import bounds
from theorems.bridges import extremes
from theorems.domain import STEPS
from theorems.outsized.common import ASSUMPTION_2
from theorems.outsized.common_spectrum import GAMMA_SMALL, population_domain
from theorems.outsized.lemmas import column, phi_bounds, phi_grows, powers_fall
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


def derive(proof: Derivation, s: Instance) -> None:
    """phi grows with lambda, step by step: phi_(k+1) = lambda + (1 - gamma lambda) phi_k, gamma phi_k <= 1."""
    p, nb = s.p, s.p.nb
    lam, values = p.lam[..., -1:, :], p.filtered(s.gamma, s.theta)
    phi_bounds(proof, p, s.gamma, s.K)
    proof.cross(extremes, "mu_i and L_i", nb=nb, x=lam)
    proof.cross(extremes, "the extremes of Q_i A_i", nb=nb, x=values[..., -1, :])
    ends = nb.smallest(lam)[..., None], nb.largest(lam)[..., None]
    for small, large in ((ends[0], lam), (lam, ends[1])):
        powers_fall(proof, column(s.gamma), s.K, small, large)
        phi_grows(proof, column(s.gamma), s.K, small, large)
    a, b = reals("a b")
    for value, at in ((nb.largest(values[..., -1, :]), ends[1]), (nb.smallest(values[..., -1, :]), ends[0])):
        proof.leaf("an extreme of Q_i A_i", [a <= b, a >= b], a == b,
                   a=value[..., None, None], b=bounds.phi(s.K, at, column(s.gamma)))  # fmt: skip


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
    printed=claim_of(compare, derive=derive),
    steps=(Step("B.2.4: g'(lambda) = K (1 - gamma lambda)^(K-1) > 0", claim_of(derivative)),),
)

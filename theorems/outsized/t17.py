"""OLR Theorem 17: how far FedAvg rests from x*, in terms of phi."""

from surrogate import bounds
from theorems.bridges import averages, averages_norm, averages_of_vectors, cauchy_schwarz
from theorems.outsized.common import ASSUMPTION_2, GAMMA_BELOW, fedavg_domain, phis
from theorems.outsized.lemmas import column, phi_bounds
from theorems.outsized.lemmas_clients import distances, moved_by
from theorems.vocabulary import *


def bound(s: Instance) -> list[Comparison]:
    r"""the displacement is at most the bound

    \|x^*(\gamma,\Theta_{1:K})-x^*\|\le\sigma_c\left(1+\frac{\sigma_A}{\mu}\right)%
      \frac{LK-\phi_{K,L}(\gamma)}{\phi_{K,\mu}(\gamma)}
    """
    p = s.p
    displacement = p.nb.length(p.displacement(s.gamma, s.theta))
    return [that("bound", displacement) <= bounds.theorem_17(p.mu, p.L, p.sigma_A, p.sigma_c, s.gamma, s.K)]


def factors(s: Instance) -> list[Comparison]:
    r"""T1 <= K/phi_mu, T2 <= sigma_c (KL - phi_L)/K, |A~ - A| <= (KL - phi_L)/K, T4 <= sigma_A sigma_c

    T_1\le K\phi_{K,\mu}^{-1},\ T_2\le\sigma_c\frac{KL-\phi_{K,L}}{K},\ T_4\le\sigma_A\sigma_c

    The four factors of the printed proof, with tau = 1/K.
    """
    p, nb = s.p, s.p.nb
    low, _ = phis(s)
    gap = bounds.phi_deficit(s.K, p.L, s.gamma) / s.K
    spectrum = p.filtered(s.gamma, s.theta) / s.K
    difference = p.lam * p.deficit(s.gamma, s.theta) / s.K
    away = p.away[..., None]
    smallest = nb.eigenvalues(p.hessian(spectrum))[..., 0]
    return [
        that("T1", 1 / smallest) <= s.K / low,
        that("T2", nb.length(p.mean((p.spectral(difference) @ away)[..., 0]))) <= p.sigma_c * gap,
        that("averages", nb.opnorm(p.hessian(difference))) <= gap,
        that("T4", nb.length(p.mean((p.A @ away)[..., 0]))) <= p.sigma_A * p.sigma_c,
    ]


def derive(proof: Derivation, s: Instance) -> None:
    """M_i = Q_i A_i: phi_mu <= M_i <= phi_L and |M_i - K A_i| <= K L - phi_L."""
    p = s.p
    gap, ends = bounds.phi_deficit(s.K, p.L, s.gamma), phis(s)
    phi_bounds(proof, p, s.gamma, s.K)
    phi = p.filtered(s.gamma, s.theta)
    g, m = reals("gap m")
    proof.leaf("phi - K lambda >= -gap", [m <= g], -g <= -m, gap=column(gap), m=s.K * p.lam - phi)
    proof.leaf("phi - K lambda <= gap", [0 <= m, m <= g], -m <= g, gap=column(gap), m=s.K * p.lam - phi)
    distances(proof, p)
    steps, far = p.nb.number(s.K) + gap * 0, p.sigma_c * (1 + p.sigma_A / p.mu)
    moved_by(proof, p, phi, p.lam, steps, gap, ends, far)


def derive_factors(proof: Derivation, s: Instance) -> None:
    """phi_mu <= M_i and |M_i - K A_i| <= K L - phi_L, both divided by K; Cauchy-Schwarz for T4."""
    p, (low, high) = s.p, phis(s)
    gap = bounds.phi_deficit(s.K, p.L, s.gamma) / s.K
    phi_bounds(proof, p, s.gamma, s.K)
    proof.setting("K >= 1", s.K, 1)
    phi, K = p.filtered(s.gamma, s.theta), p.nb.number(s.K)
    a, b, c, d = reals("a b c K")
    here = {"a": column(low), "b": phi, "c": column(high), "K": K}
    proof.leaf("phi_mu / K", [a <= b, d >= 1], a / d <= b / d, **here)
    proof.leaf("phi_L / K", [b <= c, d >= 1], b / d <= c / d, **here)
    proof.cross(averages, "the averaged M / K", p=p, values=phi / s.K, low=low / s.K, high=high / s.K)
    smallest = p.nb.eigenvalues(p.hessian(phi / s.K))[..., 0]
    proof.leaf("T1", [0 < a, a / d <= b, d >= 1], 1 / b <= d / a, a=low, b=smallest, K=K)
    off = p.lam * p.deficit(s.gamma, s.theta) / s.K
    proof.leaf("(phi - K lambda) / K >= -gap", [a <= b, d >= 1], -b / d <= -a / d,
               a=s.K * p.lam - phi, b=column(gap) * s.K, K=K)  # fmt: skip
    proof.leaf("(phi - K lambda) / K <= gap", [0 <= a, a <= b, d >= 1], -a / d <= b / d,
               a=s.K * p.lam - phi, b=column(gap) * s.K, K=K)  # fmt: skip
    proof.cross(averages_of_vectors, "T2", p=p, values=off, v=p.away, most=gap)
    proof.cross(averages_norm, "averages", p=p, values=off, most=gap)
    apart = p.A - p.mean(p.A)[..., None, :, :]
    proof.cross(cauchy_schwarz, "T4", nb=p.nb, w=p.w, M=apart, v=p.away)


def beyond(cursor: Cursor, n: int, d: int, K: int) -> Instance:
    p = clients(cursor, n, d, weighted=True)
    return Instance(p=p, gamma=2 * rate(cursor, p.L), K=K, theta=Theta.sum(K))


STATEMENT = Statement(
    kind="upper bound",
    location="Theorem 17, section 6",
    says="FedAvg's resting point is within sigma_c (1 + sigma_A/mu) (L K - phi_L) / phi_mu of x*, for gamma < 1/L.",
    reading="0 <= gamma; E is over the clients' weights; sigma_A and sigma_c are taken with equality in Assumption 3.",
    headline=True,
    domain=fedavg_domain(K=(1, 2, 3, 5, 10, 30, 100, 1000, 10**5), weighted=True),
    hypotheses=(
        ASSUMPTION_2,
        replace(GAMMA_BELOW, without=Domain(beyond, grid(n=(1, 2), d=(1,), K=(2, 3, 10)), "0 < gamma < 2/L")),
    ),
    printed=claim_of(bound, derive=derive),
    steps=(Step("the four factors", claim_of(factors, derive=derive_factors)),),
    note="The proof says tau = K where it uses tau = 1/K (as Lemma 32's preamble has it). The bound is loose: a "
    "factor of 2 is lost at least (OLR.T17b), of about 9 wherever we looked, and it grows like K while the "
    "displacement stays bounded.",
)

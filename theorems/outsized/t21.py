"""OLR Theorem 21: how far FedAvg's resting point moves between two client rates, in terms of phi."""

from surrogate import bounds
from theorems.bridges import deviation_norm
from theorems.outsized.common import ASSUMPTION_2, phis
from theorems.outsized.common_rates import TWO_RATES, apart, phi_drop, two_rates_domain
from theorems.outsized.lemmas import column, drop_grows, phi_bounds, rates_in_order
from theorems.outsized.lemmas_clients import from_the_mean, moved_by, through_the_mean
from theorems.vocabulary import *


def bound(s: Instance) -> list[Comparison]:
    r"""the distance is at most the bound

    \|x^*(\gamma_1)-x^*(\gamma_2)\|\le\sigma_c\left(1+\frac{\phi_{K,L}(\gamma_2)}{\phi_{K,\mu}(\gamma_2)}\right)%
      \frac{\phi_{K,L}(\gamma_1)-\phi_{K,L}(\gamma_2)}{\phi_{K,\mu}(\gamma_1)}
    """
    p = s.p
    return [that("bound", apart(s)) <= bounds.theorem_21(p.mu, p.L, p.sigma_c, s.gamma_1, s.gamma_2, s.K)]


def diagonal(cursor: Cursor, n: int) -> Instance:
    """K = 1, B_i = A_i: clients diag(1, mu, .., 1), diag(mu, 1, .., 1), ... of weight q, and mu I; mu = 1/100."""
    nb = cursor.nb
    q = (1 - cursor.take()) / (n - 1)
    mu = q * 0 + nb.number(Fraction(1, 100))
    rows = [[mu * 0 + 1 if j in (i, n - 1) else mu for j in range(n)] for i in range(n - 1)]
    lam = np.stack([np.stack(row, -1) for row in (*rows, [mu] * n)], -2)
    return Instance(nb=nb, lam=lam, w=np.stack([*[q] * (n - 1), 1 - (n - 1) * q], -1))


def variance(s: Instance) -> list[Comparison]:
    r"""a second moment about the mean is at most the one about 0: not so for operator norms

    \mathbb E\|B_{i,2}-B_2\|^2\le\mathbb E\|B_{i,2}\|^2

    E|B_i - B|^2 <= E|B_i|^2 on commuting clients, where norms are largest moduli.
    """
    nb = s.nb
    mean = (s.w[..., None] * s.lam).sum(axis=-2)
    spread = nb.largest(nb.abs(s.lam - mean[..., None, :]), 1)
    size = nb.largest(s.lam, 1)
    return [that((s.w * spread**2).sum(axis=-1)) <= (s.w * size**2).sum(axis=-1)]


def _definite(s: Instance) -> list[Comparison]:
    least = [s.nb.smallest(s.lam, 2), s.nb.smallest(s.w)]
    return [that(f"positive {k + 1}", value) > value * 0 for k, value in enumerate(least)]


def attained(s: Instance) -> list[Comparison]:
    r"""with equality for every client

    \|B_{i,2}\|=\phi_{K,L}(\gamma_2)/K
    """
    spectrum = s.p.filtered(s.gamma_2, s.theta)
    return [that(s.p.nb.largest(spectrum, 1)[..., -1]) == phis(s, s.gamma_2)[1]]


def fourth(s: Instance) -> list[Comparison]:
    r"""the conclusion of T4, multiplied by K

    T_4\le\sigma_c\phi_{K,L}(\gamma_2)/K
    """
    p, (_, high) = s.p, phis(s, s.gamma_2)
    B = p.spectral(p.filtered(s.gamma_2, s.theta))
    away = p.away[..., None]
    return [
        that("T4", p.nb.length(p.mean((B @ away)[..., 0]))) <= p.sigma_c * high,
        that("|B_i - B|", p.nb.largest(p.nb.opnorm(B - p.mean(B)[..., None, :, :]))) <= high,
    ]


def derive(proof: Derivation, s: Instance) -> None:
    """B_i, M_i = Q_i A_i at gamma_2, gamma_1: 0 <= M_i - B_i <= (phi_L(gamma_1) - phi_L(gamma_2)) I."""
    p = s.p
    rates_in_order(proof, p, s.gamma_1, s.gamma_2)
    for gamma in (s.gamma_1, s.gamma_2):
        phi_bounds(proof, p, gamma, s.K)
    drop_grows(proof, column(s.gamma_1), column(s.gamma_2), s.K, p.lam, column(p.L))
    values, reference, drop = p.filtered(s.gamma_1, s.theta), p.filtered(s.gamma_2, s.theta), phi_drop(s)
    a, b = reals("drop most")
    proof.leaf("a drop >= -drop at L", [0 <= a, a <= b], -b <= a, drop=values - reference, most=column(drop))
    ends = phis(s, s.gamma_2)
    far = from_the_mean(proof, p, reference, ends)
    through_the_mean(proof, p, p.rest(reference), far)
    moved_by(proof, p, values, reference, p.nb.number(1) + drop * 0, drop, phis(s, s.gamma_1), far)


def derive_fourth(proof: Derivation, s: Instance) -> None:
    """0 <= B_i <= phi_L(gamma_2)."""
    p, (low, high) = s.p, phis(s, s.gamma_2)
    rates_in_order(proof, p, s.gamma_1, s.gamma_2)
    phi_bounds(proof, p, s.gamma_2, s.K)
    values = p.filtered(s.gamma_2, s.theta)
    from_the_mean(proof, p, values, (low, high))
    a, b = reals("a b")
    proof.leaf("B_i >= 0", [0 < a, a <= b], 0 <= b, a=column(low), b=values)
    proof.cross(deviation_norm, "|B_i - B|", p=p, values=values, most=high)


STATEMENT = Statement(
    kind="upper bound",
    location="Theorem 21, section 6",
    says="The resting points at gamma_1 <= gamma_2 < 1/L are within sigma_c (1 + phi_L(gamma_2)/phi_mu(gamma_2)) "
    "(phi_L(gamma_1) - phi_L(gamma_2))/phi_mu(gamma_1).",
    reading="0 <= gamma_1.",
    headline=True,
    domain=two_rates_domain(weighted=True),
    hypotheses=(ASSUMPTION_2, TWO_RATES),
    printed=claim_of(bound, derive=derive),
    steps=(
        Step(
            "T4: E|B_{i,2} - B_2|^2 <= E|B_{i,2}|^2",
            claim_of(
                variance,
                domain=Domain(diagonal, grid(n=(3, 4, 5)), "n diagonal clients in dimension n, K = 1"),
                given=(Hypothesis("B_i > 0, weights > 0", _definite),),
            ),
            "|B_{i,2} - B_2| <= max(|B_{i,2}|, |B_2|) <= phi_L(gamma_2)/K, as the matrices are positive semidefinite",
        ),
        Step(
            "T4: |B_{i,2}| = phi_L(gamma_2)/K",
            claim_of(attained),
            "<=: equality only for clients with the largest eigenvalue L",
        ),
        Step("T4 <= sigma_c phi_L(gamma_2)/K", claim_of(fourth, derive=derive_fourth)),
    ),
    note="OLR.T21b replaces the bound by sigma_c (kappa~(gamma_1) - kappa~(gamma_2)) / (2 sqrt kappa~(gamma_2)).",
)

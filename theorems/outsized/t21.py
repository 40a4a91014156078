"""OLR Theorem 21: how far FedAvg's resting point moves between two client rates, in terms of phi."""

from surrogate import bounds
from theorems.outsized.common import ASSUMPTION_2, phis
from theorems.outsized.common_rates import TWO_RATES, apart, prove_phi_spectrum, two_rates_domain
from theorems.outsized.l33 import prove as prove_lemma
from theorems.vocabulary import *


def bound(s: Instance) -> list[Comparison]:
    p = s.p
    return [Comparison("bound", apart(s), "<=", bounds.theorem_21(p.mu, p.L, p.sigma_c, s.low, s.high, s.K))]


def diagonal(cursor: Cursor, n: int) -> Instance:
    """K = 1, B_i = A_i: clients diag(1, mu, .., 1), diag(mu, 1, .., 1), ... of weight q, and mu I; mu = 1/100."""
    nb = cursor.nb
    q = (1 - cursor.take()) / (n - 1)
    mu = q * 0 + nb.number(Fraction(1, 100))
    rows = [[mu * 0 + 1 if j in (i, n - 1) else mu for j in range(n)] for i in range(n - 1)]
    lam = np.stack([np.stack(row, -1) for row in (*rows, [mu] * n)], -2)
    return Instance(nb=nb, lam=lam, w=np.stack([*[q] * (n - 1), 1 - (n - 1) * q], -1))


def variance(s: Instance) -> list[Comparison]:
    """E|B_i - B|^2 <= E|B_i|^2 on commuting clients, where norms are largest moduli."""
    nb = s.nb
    mean = (s.w[..., None] * s.lam).sum(axis=-2)
    spread = nb.largest(nb.abs(s.lam - mean[..., None, :]), 1)
    size = nb.largest(s.lam, 1)
    return [Comparison("", (s.w * spread**2).sum(axis=-1), "<=", (s.w * size**2).sum(axis=-1))]


def _definite(s: Instance) -> list[Comparison]:
    least = [s.nb.smallest(s.lam, 2), s.nb.smallest(s.w)]
    return [Comparison(f"positive {k}", value, ">", value * 0) for k, value in enumerate(least)]


def attained(s: Instance) -> list[Comparison]:
    spectrum = s.p.filtered(s.high, s.theta)
    return [Comparison("", s.p.nb.largest(spectrum, 1)[..., -1], "==", phis(s, s.high)[1])]


def fourth(s: Instance) -> list[Comparison]:
    p, (_, high) = s.p, phis(s, s.high)
    B = p.spectral(p.filtered(s.high, s.theta))
    away = p.away[..., None]
    return [
        Comparison("T4", p.nb.length(p.mean((B @ away)[..., 0])), "<=", p.sigma_c * high),
        Comparison("|B_i - B|", p.nb.largest(p.nb.opnorm(B - p.mean(B)[..., None, :, :])), "<=", high),
    ]


def prove() -> Proof:
    prove_phi_spectrum()
    prove_lemma()
    K, drop, low1, low2, high2, sc = sympy.symbols("K drop low1 low2 high2 sigma_c", positive=True)
    T1, T2, T4 = K / low1, sc * drop / K, sc * high2 / K
    identity((T1 * T2 + T1 * K / low2 * drop / K * T4, sc * (1 + high2 / low2) * drop / low1))
    b, m, top = reals("b m top")  # -top <= b - m <= top for Rayleigh quotients of B_i and B in [0, top]
    smt([0 <= b, b <= top, 0 <= m, m <= top], b - m <= top)
    smt([0 <= b, b <= top, 0 <= m, m <= top], m - b <= top)
    return Proof(
        "z3 and sympy",
        "As printed but for T4: |B_i - B| <= max(|B_i|, |B|) <= phi_L(gamma_2)/K, as both are positive semidefinite. "
        "T1 to T3 follow from Lemma 33 and phi_mu <= phi_lam <= phi_L (induction on K); the factors multiply up "
        "symbolically.",
    )


STATEMENT = Statement(
    id="OLR.T21",
    kind="upper bound",
    location="Theorem 21, section 6",
    says="The resting points at gamma_1 <= gamma_2 < 1/L are within sigma_c (1 + phi_L(gamma_2)/phi_mu(gamma_2)) "
    "(phi_L(gamma_1) - phi_L(gamma_2))/phi_mu(gamma_1).",
    reading="0 <= gamma_1.",
    headline=True,
    domain=two_rates_domain(weighted=True),
    hypotheses=(ASSUMPTION_2, TWO_RATES),
    printed=Claim(
        "the distance is at most the bound",
        r"\|x^*(\gamma_1)-x^*(\gamma_2)\|\le\sigma_c\left(1+\frac{\phi_{K,L}(\gamma_2)}{\phi_{K,\mu}(\gamma_2)}\right)"
        r"\frac{\phi_{K,L}(\gamma_1)-\phi_{K,L}(\gamma_2)}{\phi_{K,\mu}(\gamma_1)}",
        bound,
        prove,
    ),
    steps=(
        Step(
            "T4: E|B_{i,2} - B_2|^2 <= E|B_{i,2}|^2",
            Claim(
                "a second moment about the mean is at most the one about 0: not so for operator norms",
                r"\mathbb E\|B_{i,2}-B_2\|^2\le\mathbb E\|B_{i,2}\|^2",
                variance,
                domain=Domain(diagonal, grid(n=(3, 4, 5)), "n diagonal clients in dimension n, K = 1"),
                given=(Hypothesis("B_i > 0, weights > 0", _definite),),
            ),
            "|B_{i,2} - B_2| <= max(|B_{i,2}|, |B_2|) <= phi_L(gamma_2)/K, as the matrices are positive semidefinite",
        ),
        Step(
            "T4: |B_{i,2}| = phi_L(gamma_2)/K",
            Claim("with equality for every client", r"\|B_{i,2}\|=\phi_{K,L}(\gamma_2)/K", attained),
            "<=: equality only for clients with the largest eigenvalue L",
        ),
        Step(
            "T4 <= sigma_c phi_L(gamma_2)/K",
            Claim("the conclusion of T4, multiplied by K", r"T_4\le\sigma_c\phi_{K,L}(\gamma_2)/K", fourth, prove),
        ),
    ),
    note="OLR.T21b replaces the bound by sigma_c (kappa~(gamma_1) - kappa~(gamma_2)) / (2 sqrt kappa~(gamma_2)).",
)

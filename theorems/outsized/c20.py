"""OLR Corollary 20: FedAvg's displacement for a client rate that depends on eps."""

from surrogate import bounds
from theorems.bridges import root_mean_square
from theorems.outsized.common import ASSUMPTION_2
from theorems.outsized.l18 import POSITIVE
from theorems.outsized.lemmas import column, filter_at_least, phi_per_eigenvalue, powers_fall
from theorems.outsized.t17 import derive as derive_theorem
from theorems.vocabulary import *


def instance(cursor: Cursor, n: int, d: int, K: int, reach: int = 1, loose: int = 1) -> Instance:
    p = clients(cursor, n, d, weighted=True)
    x = (1 - cursor.take()) * K * reach
    return Instance(p=p, nb=p.nb, x=x, gamma=(1 - cursor.take()) * loose * x / (K * p.L), K=K, theta=Theta.sum(K))


def bound(s: Instance) -> list[Comparison]:
    r"""the displacement is at most the bound

    \|x^*(\gamma,\Theta_{1:K})-x^*\|\le\sigma_c\left(1+\frac{\sigma_A}\mu\right)\frac L\mu\frac\epsilon{1-\epsilon}
    """
    p = s.p
    moved = p.nb.length(p.displacement(s.gamma, s.theta))
    limit = bounds.corollary_20(p.mu, p.L, p.sigma_A, p.sigma_c, bounds.Epsilon(s.x))
    return [that("bound", moved) <= limit]


def inside(s: Instance) -> list[Comparison]:
    r"""gamma < 1/L

    \gamma<L^{-1}
    """
    return [that(s.gamma * s.p.L) < s.gamma * 0 + 1]


def derive(proof: Derivation, s: Instance) -> None:
    """Theorem 17, whose bound is at most this one: K L - phi_L <= phi_L (e^x - 1) and phi_mu >= phi_L mu / L."""
    p, K, k = s.p, s.p.nb.number(s.K), s.K
    g, x, n, m, y, F = reals("gamma x K mu L F")
    proof.setting("K >= 1", k, 1)
    proof.leaf("mu <= L", [m <= y, y <= F], m <= F, mu=column(p.mu), L=p.lam, F=column(p.L))
    proof.leaf("L > 0", [0 < m, m <= y], 0 < y, mu=p.mu, L=p.L)
    here = {"gamma": s.gamma, "x": s.x, "K": K, "L": p.L}
    proof.leaf("gamma K L <= x", [g <= x / (n * y), n >= 1, y > 0], g * y * n <= x, **here)
    proof.leaf("gamma L <= 1", [g * y * n <= x, x <= n, n >= 1], g * y <= 1, **here)
    proof.leaf("gamma L >= 0", [g >= 0, y > 0], 0 <= g * y, **here)
    derive_theorem(proof, s)
    powers_fall(proof, s.gamma, k, p.mu, p.L)
    phi_per_eigenvalue(proof, s.gamma, k, p.mu, p.L)
    top, bottom = (p.nb.geometric(s.gamma * lam, k) for lam in (p.L, p.mu))
    filter_at_least(proof, p.nb, s.gamma * p.L, s.x, k)
    E, gap, low = p.nb.exp(s.x), bounds.phi_deficit(k, p.L, s.gamma), bounds.phi(k, p.mu, s.gamma)
    e, a, b, q, far = reals("e gap low q far")
    proof.leaf("phi_mu >= mu phi_L / L", [m > 0, a <= b], m * a <= m * b, mu=p.mu, gap=top, low=bottom)
    proof.leaf("K L - phi_L <= phi_L (e^x - 1)", [n <= F * e, y > 0], y * (n - F) <= y * F * (e - 1),
               K=K, F=top, e=E, L=p.L)  # fmt: skip
    most = [0 <= a, a <= y * F * (e - 1), m * F <= b, m > 0, F > 0]
    proof.leaf("(K L - phi_L) / phi_mu", most, a / b <= y / m * (e - 1),
               gap=gap, low=low, L=p.L, F=top, e=E, mu=p.mu)  # fmt: skip
    bound_17 = p.sigma_c * (1 + p.sigma_A / p.mu)
    residuals = p.minimizer[..., None, :] - p.c
    proof.cross(root_mean_square, "distances to x*", nb=p.nb, w=p.w, v=residuals)
    size = p.nb.sqrt(p.mean((residuals**2).sum(axis=-1)))
    proof.leaf("their bound is at least 0", [0 <= a, a <= q], 0 <= q, gap=size, q=bound_17)
    moved = p.nb.length(p.displacement(s.gamma, s.theta))
    proof.leaf("together", [far <= q * a, a <= b, q >= 0], far <= q * b,
               far=moved, q=bound_17, gap=gap / low, low=p.L / p.mu * (E - 1))  # fmt: skip


STATEMENT = Statement(
    kind="upper bound",
    location="Corollary 20, section 6",
    says="For eps <= 1 - e^-K and gamma <= ln(1/(1-eps))/(K L), the displacement is at most "
    "sigma_c (1 + sigma_A/mu) (L/mu) eps/(1-eps).",
    reading="0 <= eps = 1 - e^-x, gamma >= 0.",
    headline=True,
    domain=Domain(
        instance,
        grid(n=(1, 2, 3), d=(1, 2), K=(1, 2, 3, 10, 100, 10**5)),
        "weighted clients, 0 <= gamma <= x/(K L) <= 1/L",
    ),
    hypotheses=(
        ASSUMPTION_2,
        replace(
            POSITIVE,
            without=Domain(
                lambda cursor, **discrete: instance(cursor, **discrete, reach=3),
                grid(n=(1, 2), d=(1,), K=(2, 3)),
                "eps up to 1 - e^-3K",
            ),
        ),
        Hypothesis(
            "0 <= gamma <= ln(1/(1 - eps)) / (K L)",
            lambda s: [
                that(s.gamma) <= bounds.lemma_18_rate(s.K, s.p.L, bounds.Epsilon(s.x)),
                that("sign", s.gamma) >= s.x * 0,
            ],
            Domain(
                lambda cursor, **discrete: instance(cursor, **discrete, loose=1000),
                grid(n=(1, 2), d=(1,), K=(2, 3, 10)),
                "gamma up to 1000 times as large",
            ),
        ),
    ),
    printed=claim_of(bound, derive=derive),
    steps=(
        Step(
            "'plugging these into Theorem 17', which asks gamma < 1/L",
            claim_of(inside),
            "gamma = 1/L is allowed at eps = 1 - e^-K; Theorem 17 holds there, too, by continuity",
        ),
    ),
    note="eps/(1-eps) grows like e^(gamma K L) while the displacement is bounded: OLR.T17b is sharper for all gamma.",
)

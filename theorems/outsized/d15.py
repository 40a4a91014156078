"""OLR section 6: Theorem 17's bound is tighter than Theorem 16's."""

from surrogate import bounds
from theorems.bridges import root_mean_square
from theorems.outsized.common import ASSUMPTION_2, GAMMA_BELOW, fedavg_domain
from theorems.outsized.lemmas import column, phi_bounds, phi_per_eigenvalue
from theorems.outsized.lemmas_clients import distances
from theorems.vocabulary import *


def compare(s: Instance) -> list[Comparison]:
    p = s.p
    first = bounds.theorem_16(p.mu, p.L, p.sigma_A, p.sigma_c, s.gamma, s.theta)
    second = bounds.theorem_17(p.mu, p.L, p.sigma_A, p.sigma_c, s.gamma, s.K)
    return [that("Theorem 17 against Theorem 16", second) <= first]


def derive(proof: Derivation, s: Instance) -> None:
    """phi_L / L <= phi_mu / mu (Lemma 35), and (1 - chi)/chi = (K L - phi_L)/phi_L."""
    p, nb, K = s.p, s.p.nb, s.K
    total = distances(proof, p)
    q, t, m, y, S, T, n = reals("q t mu L S T K")
    far = p.sigma_c * (1 + p.sigma_A / p.mu)
    proof.cross(root_mean_square, "distances are at least 0", nb=nb, w=p.w, v=p.minimizer[..., None, :] - p.c)
    proof.leaf("sigma_c (1 + sigma_A / mu) >= 0", [0 <= t, t <= q], 0 <= q, t=total, q=far)
    phi_bounds(proof, p, s.gamma, K)
    for small, large in ((column(p.mu), p.lam), (p.lam, column(p.L))):
        phi_per_eigenvalue(proof, column(s.gamma), K, small, large)
    top, bottom = (bounds.phi(K, x, s.gamma) / x for x in (p.L, p.mu))
    x = reals("x")
    here = {"mu": column(p.mu), "x": p.lam, "L": column(p.L)}
    proof.leaf("L > 0", [m > 0, m <= x, x <= y], 0 < y, **here)
    proof.leaf("phi_L / L <= phi_mu / mu", [S <= x, x <= T], S <= T, S=column(top), T=column(bottom),
               x=nb.filter(column(s.gamma) * p.lam, s.theta))  # fmt: skip
    proof.leaf("phi_L / L <= K", [0 <= x, x <= n * y - y * S, y > 0], S <= n,
               x=K * p.lam - p.filtered(s.gamma, s.theta), L=column(p.L), S=column(top), K=nb.number(K))  # fmt: skip
    proof.leaf("phi_L > 0", [m > 0, m <= x, x <= y], 0 < y, mu=column(bounds.phi(K, p.mu, s.gamma)),
               x=p.filtered(s.gamma, s.theta), L=column(bounds.phi(K, p.L, s.gamma)))  # fmt: skip
    proof.leaf("phi_L / L > 0", [y > 0, y * S > 0], 0 < S, L=p.L, S=top)
    proof.setting("K >= 1", K, 1)
    proof.leaf(
        "together",
        [q >= 0, m > 0, y > 0, 0 < S, S <= T, S <= n, n >= 1],
        q * (y * (n - S)) / (m * T) <= y * q / m * ((n - S) / S),
        q=far,
        mu=p.mu,
        L=p.L,
        S=top,
        T=bottom,
        K=nb.number(K),
    )


def faster(cursor: Cursor, n: int, d: int, K: int) -> Instance:
    p = clients(cursor, n, d)
    return Instance(p=p, gamma=2 * rate(cursor, p.L), K=K, theta=Theta.sum(K))


STATEMENT = Statement(
    kind="upper bound",
    location="section 6, before Theorem 17",
    says="When Theta = Theta_{1:K} an even tighter bound than Theorem 16's is derived, which omits the direct "
    "dependency on "
    "L/mu.",
    domain=fedavg_domain(),
    hypotheses=(
        ASSUMPTION_2,
        replace(GAMMA_BELOW, without=Domain(faster, grid(n=(2,), d=(1,), K=(2, 3, 4, 10)), "0 < gamma < 2/L")),
    ),
    printed=Claim(
        "Theorem 17's bound is at most Theorem 16's",
        r"\sigma_c\left(1+\frac{\sigma_A}\mu\right)\frac{LK-\phi_{K,L}(\gamma)}{\phi_{K,\mu}(\gamma)}\le\frac{L"
        r"\sigma_c}\mu"
        r"\left(1+\frac{\sigma_A}\mu\right)\frac{1-\chi(\gamma,\Theta_{1:K})}{\chi(\gamma,\Theta_{1:K})}",
        compare,
        derive=derive,
    ),
    note="(1 - chi)/chi is (K L - phi_L)/phi_L for Theta_{1:K}, so that the two differ by the factor (L/mu) "
    "phi_mu/phi_L, "
    "which is at least 1 (Lemma 35). Either grows like K; OLR.T17b is bounded.",
)

"""OLR section 7.1: smaller client rates lead to a larger effective initial suboptimality gap, beta_2."""

from surrogate import bounds
from theorems.bridges import root_mean_square, roots, triangle
from theorems.outsized.common import ASSUMPTION_2
from theorems.outsized.common_rates import TWO_RATES, two_rates
from theorems.outsized.lemmas_clients import resting_points_move
from theorems.vocabulary import *


def decode(cursor: Cursor, n: int, d: int, K: int) -> Instance:
    """Two rates, and a start x_1 anywhere."""
    s = two_rates(cursor, n, d, K)
    s.x = np.stack([3 - 6 * u for u in cursor.many(d)], -1)
    return s


def far(cursor: Cursor, n: int, d: int, K: int) -> Instance:
    """Two rates, and a start that is far off by construction: sigma_c sqrt(kappa) <= |c| (1 + kappa)/2."""
    s = two_rates(cursor, n, d, K, weighted=True)
    p = s.p
    spread = p.nb.abs(p.away).sum(axis=-1).sum(axis=-1)
    reach = (1 + cursor.take()) * spread * (1 + p.L / p.mu) / 2
    s.x = p.rest(p.filtered(s.gamma_1, s.theta)) + np.stack([reach] + [reach * u for u in cursor.many(d - 1)], -1)
    return s


def conditions(s: Instance) -> list[Any]:
    """kappa~ at both rates."""
    pairs = [bounds.corollary_13(s.p.mu, s.p.L, gamma, s.K) for gamma in (s.gamma_1, s.gamma_2)]
    return [smooth / strong for smooth, strong in pairs]


def distances(s: Instance) -> list[Any]:
    """|x_1 - x*_gamma| at both rates."""
    return [s.p.nb.length(s.x - s.p.rest(s.p.filtered(gamma, s.theta))) for gamma in (s.gamma_1, s.gamma_2)]


def compare(s: Instance) -> list[Comparison]:
    r"""beta_2 falls as gamma grows

    \gamma_1\le\gamma_2\ \Rightarrow\ (b_{\gamma_2}+1)\|x_1-x_{\gamma_2}^*\|^2\le(b_{\gamma_1}+1)%
      \|x_1-x_{\gamma_1}^*\|^2
    """
    (k1, k2), (far_off, moved) = conditions(s), distances(s)
    return [that("beta_2", (2 * k2 * k2 + 1) * (moved * moved)) <= (2 * k1 * k1 + 1) * (far_off * far_off)]


def corrected(s: Instance) -> list[Comparison]:
    r"""it does for every start with |x_1 - x*_gamma_1| >= 3/4 sigma_c sqrt kappa~(gamma_1): for every start where
    clients share a minimizer, sigma_c = 0

    \|x_1-x_{\gamma_1}^*\|\ge\tfrac34\sigma_c\sqrt{\tilde\kappa(\gamma_1)}\ \Rightarrow\ (b_{\gamma_2}+1)\|x_1-%
      x_{\gamma_2}^*\|^2\le(b_{\gamma_1}+1)\|x_1-x_{\gamma_1}^*\|^2
    """
    return compare(s)


def derive(proof: Derivation, s: Instance) -> None:
    """With k = kappa~: |x*_1 - x*_2| <= sigma_c (k_1 - k_2)/(2 sqrt k_2) (OLR.T21b) is at most 2/3 (k_1 - k_2)/k_2 of
    the distance, and (2 k_2^2 + 1)(1 + 2/3 h/k_2)^2 <= 2 (k_2 + h)^2 + 1, as 2 k^2 + 1 <= 3 k^2.
    """
    p, nb, K = s.p, s.p.nb, s.K
    resting_points_move(proof, p, s.gamma_1, s.gamma_2, K)
    m1, m2, L1, L2, q, x = reals("m_1 m_2 L_1 L_2 q x")
    phi = [[bounds.phi(K, e, gamma)[..., None, None] for gamma in (s.gamma_1, s.gamma_2)] for e in (p.mu, p.L)]
    here = {"m_1": phi[0][0], "m_2": phi[0][1], "L_1": phi[1][0], "L_2": phi[1][1]}
    ours = p.filtered(s.gamma_1, s.theta) / p.filtered(s.gamma_2, s.theta)
    proof.leaf("kappa~ falls", [m1 > 0, m2 > 0, L2 > 0, m1 / m2 <= q, q <= L1 / L2], L2 / m2 <= L1 / m1, q=ours, **here)
    proof.leaf("kappa~ >= 1", [m2 > 0, m2 <= x, x <= L2], 1 <= L2 / m2, m_2=phi[0][1], L_2=phi[1][1],
               x=p.filtered(s.gamma_2, s.theta))  # fmt: skip
    (k1, k2), (D_, F_) = conditions(s), distances(s)
    first, second = (p.rest(p.filtered(gamma, s.theta)) for gamma in (s.gamma_1, s.gamma_2))
    apart, r1, r2 = nb.length(first - second), nb.sqrt(k1), nb.sqrt(k2)
    proof.cross(triangle, "by way of x*_1", nb=nb, vectors=[s.x - first, first - second])
    proof.cross(triangle, "lengths", nb=nb, vectors=[s.x - second])
    proof.cross(triangle, "lengths", nb=nb, vectors=[s.x - first])
    proof.cross(triangle, "lengths", nb=nb, vectors=[first - second])
    k, h, r, D, F, e, c, u, v = reals("k h r D F e c u v")
    proof.leaf("kappa~(gamma_1) >= 0", [1 <= u, u <= v], 0 <= v, u=k2, v=k1)
    proof.leaf("kappa~(gamma_2) >= 0", [1 <= u], 0 <= u, u=k2)
    for value in (k1, k2):
        proof.cross(roots, "sqrt kappa~", nb=nb, x=value)
    proof.leaf("sqrt kappa~(gamma_2) > 0", [r * r == k, 1 <= k, r >= 0], 0 < r, r=r2, k=k2)
    proof.leaf("sqrt kappa~ falls", [r * r == k, u * u == v, k <= v, u >= 0], r <= u, r=r2, k=k2, u=r1, v=k1)
    proof.cross(root_mean_square, "sigma_c >= 0", nb=nb, w=p.w, v=p.away)
    proof.leaf("far off, at gamma_2", [c >= 0, r <= u, 3 * c * u / 4 <= D], 3 * c * r <= 4 * D,
               c=p.sigma_c, r=r2, u=r1, D=D_)  # fmt: skip
    proof.leaf("how far the resting point moves", [e <= c * (v - k) / (2 * r), r > 0], 2 * r * e <= c * (v - k),
               e=apart, c=p.sigma_c, v=k1, k=k2, r=r2)  # fmt: skip
    proof.leaf("against the distance", [2 * r * e <= c * (v - k), 3 * c * r <= 4 * D, r * r == k, r > 0, k <= v],
               3 * k * e <= 2 * D * (v - k), e=apart, c=p.sigma_c, v=k1, k=k2, r=r2, D=D_)  # fmt: skip
    now = {"k": k2, "h": k1 - k2, "D": D_, "e": apart}
    proof.leaf("h >= 0", [u <= v], 0 <= v - u, u=k2, v=k1)
    order = [k >= 1, h >= 0, D >= 0, e >= 0]
    proof.leaf("3 k^2 (2 D e + e^2)", [3 * k * e <= 2 * D * h, *order],
               3 * k * k * (2 * D * e + e * e) <= (4 * k * h + 2 * h * h) * D * D, **now)  # fmt: skip
    proof.leaf("(2 k^2 + 1)(2 D e + e^2)", order,
               (2 * k * k + 1) * (2 * D * e + e * e) <= 3 * k * k * (2 * D * e + e * e), **now)  # fmt: skip
    gained, room = 2 * D_ * apart + apart * apart, 4 * k2 * (k1 - k2) + 2 * (k1 - k2) * (k1 - k2)
    proof.leaf("both", [u <= v, v <= x], u <= x,
               u=(2 * k2 * k2 + 1) * gained, v=3 * k2 * k2 * gained, x=room * D_ * D_)  # fmt: skip
    proof.leaf("the square of the sum", [F >= 0, F <= D + e], F * F <= D * D + (2 * D * e + e * e), F=F_, D=D_, e=apart)
    proof.leaf("times 2 k^2 + 1", [F * F <= D * D + (2 * D * e + e * e)],
               (2 * k * k + 1) * (F * F) <= (2 * k * k + 1) * (D * D) + (2 * k * k + 1) * (2 * D * e + e * e),
               F=F_, k=k2, D=D_, e=apart)  # fmt: skip
    proof.leaf("together", [u <= (2 * k * k + 1) * (D * D) + x, x <= (4 * k * (v - k) + 2 * (v - k) * (v - k)) * D * D],
               u <= (2 * v * v + 1) * (D * D), u=(2 * k2 * k2 + 1) * (F_ * F_), k=k2, v=k1, D=D_,
               x=(2 * k2 * k2 + 1) * gained)  # fmt: skip


FAR = Hypothesis(
    "|x_1 - x*_gamma_1| >= 3/4 sigma_c sqrt kappa~(gamma_1)",
    lambda s: [that(3 * s.p.sigma_c * s.p.nb.sqrt(conditions(s)[0]) / 4) <= distances(s)[0]],
)
ORDERED = Hypothesis(TWO_RATES.name, TWO_RATES.holds)

STATEMENT = Statement(
    kind="monotone",
    location="section 7.1, after Corollary 28, on beta_2",
    says="beta_2 = (b + 1)|x_1 - x*_gamma|^2: smaller gamma lead to a larger effective initial suboptimality gap.",
    reading="b = 2 L_gamma^2/mu_gamma^2, the least of Theorem 27, and the square that Corollary 28 has (OLR.D3).",
    severity="missing-hypothesis",
    domain=Domain(decode, grid(n=(1, 2), d=(1,), K=(2, 3, 10)), "one or two clients in d = 1, any x_1"),
    hypotheses=(ASSUMPTION_2, ORDERED),
    printed=claim_of(compare),
    corrected=claim_of(
        corrected,
        domain=Domain(far, grid(n=(1, 2, 3), d=(1, 2), K=(1, 2, 3, 10, 100, 1000)), "weighted clients, starts far off"),
        given=(ASSUMPTION_2, ORDERED, FAR),
        derive=derive,
    ),
    note="b alone does fall as gamma grows (OLR.D3). A start near the surrogate's minimizer at the smaller rate, x* "
    "itself "
    "for one, has the smaller gap there.",
)

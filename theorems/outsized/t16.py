"""OLR Theorem 16: how far any Theta rests from x*."""

from surrogate import bounds
from theorems.bridges import averages, averages_of_vectors, extremes
from theorems.outsized.common import ASSUMPTION_2, GAMMA_BELOW
from theorems.outsized.lemmas import column, filter_bounds
from theorems.outsized.lemmas_clients import distances, moved_by, squeezed
from theorems.vocabulary import *

THETAS = (
    Theta.sum(1),
    Theta.sum(2),
    Theta.last(2),
    Theta([0, 1, 100]),
    Theta.sum(5),
    Theta.maml(3),
    Theta.sum(100),
    Theta.last(30),
    Theta.sum(10**5),
)


SIGNED = (Theta([2, -1], signed=True), Theta([-1, 2], signed=True), Theta([3, -5, 3], signed=True))


def signs(s: Instance) -> list[Comparison]:
    """Each weight that occurs is at least 0, and their sum is positive."""
    zero, nb = s.gamma * 0, s.p.nb
    least = [that(zero + nb.number(w)) >= zero for w in sorted(set(s.theta.given) | {1, 0})]
    return [*least, that("sum", zero + nb.number(s.theta.total)) > zero]


def instance(cursor: Cursor, n: int, d: int, theta: Theta, top: int = 1) -> Instance:
    p = clients(cursor, n, d, weighted=True)
    return Instance(p=p, gamma=rate(cursor, p.L) * top, theta=theta)


def bound(s: Instance) -> list[Comparison]:
    r"""the displacement is at most the bound

    \|x^*(\gamma,\Theta)-x^*\|\le\frac{L\sigma_c}{\mu}\left(1+\frac{\sigma_A}{\mu}\right)\frac{1-\chi}{\chi}
    """
    p = s.p
    moved = p.nb.length(p.displacement(s.gamma, s.theta))
    return [that("bound", moved) <= bounds.theorem_16(p.mu, p.L, p.sigma_A, p.sigma_c, s.gamma, s.theta)]


def sharper(s: Instance) -> list[Comparison]:
    r"""with q_lam = sum theta_k (1 - gamma lam)^(k-1)

    \|x^*(\gamma,\Theta)-x^*\|\le\frac{\sigma_c}2\sqrt{\tfrac L\mu}\left(\frac{q_\mu}{q_L}-1\right)

    Ours: sigma_c sqrt(kappa)/2 (q_mu/q_L - 1), q = Theta's filter.
    """
    p, nb = s.p, s.p.nb
    top, low = nb.filter(s.gamma * p.mu, s.theta), nb.filter(s.gamma * p.L, s.theta)
    rise = (nb.deficit(s.gamma * p.mu, s.theta) - nb.deficit(s.gamma * p.L, s.theta)) / low
    moved = nb.length(p.displacement(s.gamma, s.theta))
    return [
        that("ours", moved) <= p.sigma_c * nb.sqrt(p.L / p.mu) * rise / 2 + moved * 0,
        that("below the printed one", rise) <= -nb.deficit(s.gamma * p.L, s.theta) / low + top * 0,
    ]


def factors(s: Instance) -> list[Comparison]:
    r"""the factors of the proof

    \|\tau Q_i-I\|\le1-\lambda_{\min}(\tau Q_i),\ \chi\le\tau\lambda_{\min}(Q_i)

    (34) and the factors T1, T2 with tau = 1 / sum theta.
    """
    p, nb, total = s.p, s.p.nb, s.theta.total
    chi, rest = bounds.chi(s.gamma, p.L, s.theta), bounds.one_minus_chi(s.gamma, p.L, s.theta)
    Q = p.filter(s.gamma, s.theta) / total
    away = p.away[..., None]
    off = p.spectral(p.lam * p.deficit(s.gamma, s.theta) / total)
    smallest = nb.eigenvalues(p.hessian(p.lam * Q))[..., 0]
    return [
        that("(34)", nb.largest(1 - Q, 2)) <= 1 - nb.smallest(Q, 2),
        that("chi", chi) <= nb.smallest(Q, 2),
        that("T1", 1 / smallest) <= 1 / (p.mu * chi),
        that("T2", nb.length(p.mean((off @ away)[..., 0]))) <= p.L * p.sigma_c * rest,
    ]


def derive(proof: Derivation, s: Instance) -> None:
    """M_i = Q_i A_i, t = sum theta: mu q_L <= M_i <= L t and |M_i - t A_i| <= L (t - q_L) = L t (1 - chi)."""
    p, nb = s.p, s.p.nb
    filter_bounds(proof, p, s.gamma, s.theta)
    q, bottom = p.filter(s.gamma, s.theta), nb.filter(s.gamma * p.L, s.theta)
    total = bottom * 0 + nb.number(s.theta.total)
    x, m, a, b, t, top = reals("lam mu q q_L t L")
    here = {"lam": p.lam, "q": q, "q_L": column(bottom), "t": column(total), "mu": column(p.mu), "L": column(p.L)}
    proof.leaf("lam q >= mu q_L", [0 < m, m <= x, 0 < b, b <= a], m * b <= x * a, **here)
    proof.leaf("lam q <= L t", [0 < x, x <= top, 0 < b, b <= a, a <= t], x * a <= top * t, **here)
    proof.leaf(
        "lam (q - t) >= -L (t - q_L)", [0 < x, x <= top, b <= a, a <= t], -(top * (t - b)) <= x * (a - t), **here
    )
    proof.leaf("lam (q - t) <= L (t - q_L)", [0 < x, x <= top, b <= a, a <= t], x * (a - t) <= top * (t - b), **here)
    proof.leaf("mu q_L > 0", [0 < m, 0 < b], 0 < m * b, mu=p.mu, q_L=bottom)
    distances(proof, p)
    gap, ends, far = p.L * (total - bottom), (p.mu * bottom, p.L * total), p.sigma_c * (1 + p.sigma_A / p.mu)
    moved_by(proof, p, p.lam * q, p.lam, total, gap, ends, far)


def derive_factors(proof: Derivation, s: Instance) -> None:
    """q_L <= q_lam <= t, and mu q_L <= lam q_lam, all divided by t."""
    p, nb = s.p, s.p.nb
    filter_bounds(proof, p, s.gamma, s.theta)
    q, bottom = p.filter(s.gamma, s.theta), nb.filter(s.gamma * p.L, s.theta)
    total = bottom * 0 + nb.number(s.theta.total)
    chi, rest = bounds.chi(s.gamma, p.L, s.theta), bounds.one_minus_chi(s.gamma, p.L, s.theta)
    Q = q / column(total)
    x, m, a, b, t, top = reals("lam mu q q_L t L")
    here = {"lam": p.lam, "q": q, "q_L": column(bottom), "t": column(total), "mu": column(p.mu), "L": column(p.L)}
    proof.leaf("chi <= q / t", [b <= a, t > 0], b / t <= a / t, **here)
    proof.cross(extremes, "the least q / t", nb=nb, x=Q.reshape(*Q.shape[:-2], -1))
    proof.leaf("1 - q / t", [m <= a], 1 - a <= 1 - m, q=Q, mu=column(nb.smallest(Q, 2)))
    values = p.lam * Q
    proof.leaf("mu chi <= lam q / t", [0 < m, m <= x, 0 < b, b <= a, t > 0], m * (b / t) <= x * (a / t), **here)
    proof.leaf("lam q / t <= L", [0 < x, x <= top, a <= t, 0 < b, b <= a], x * (a / t) <= top, **here)
    proof.cross(averages, "the averaged M / t", p=p, values=values, low=p.mu * chi, high=p.L)
    proof.leaf("T1", [0 < m, 0 < b, t > 0, m * (b / t) <= a], 1 / a <= 1 / (m * (b / t)),
               mu=p.mu, q_L=bottom, t=total, q=nb.eigenvalues(p.hessian(values))[..., 0])  # fmt: skip
    off = [0 < x, x <= top, b <= a, a <= t, 0 < b]
    proof.leaf("lam (q - t) / t >= -L (1 - chi)", off, -(top * ((t - b) / t)) <= x * (a - t) / t, **here)
    proof.leaf("lam (q - t) / t <= L (1 - chi)", off, x * (a - t) / t <= top * ((t - b) / t), **here)
    apart = p.lam * (q - column(total)) / column(total)
    proof.cross(averages_of_vectors, "T2", p=p, values=apart, v=p.away, most=p.L * rest)


def derive_sharper(proof: Derivation, s: Instance) -> None:
    """``squeezed`` with S_i = Q_i, B_i = A_i: q_L <= Q_i <= q_mu."""
    p, nb = s.p, s.p.nb
    filter_bounds(proof, p, s.gamma, s.theta)
    low, high = nb.filter(s.gamma * p.L, s.theta), nb.filter(s.gamma * p.mu, s.theta)
    squeezed(proof, p, p.filter(s.gamma, s.theta), p.lam, (low, high), (p.mu, p.L))
    a, b, c = reals("q_mu q_L t")
    total = low * 0 + nb.number(s.theta.total)
    proof.leaf(
        "q_mu / q_L - 1 <= (t - q_L) / q_L", [b > 0, a <= c], (a - b) / b <= (c - b) / b, q_mu=high, q_L=low, t=total
    )


STATEMENT = Statement(
    kind="upper bound",
    location="Theorem 16, section 6",
    says="For gamma < 1/L any Theta rests within L sigma_c/mu (1 + sigma_A/mu) (1 - chi)/chi of x*, with chi the "
    "weighted mean of (1 - gamma L)^(k-1).",
    reading="gamma >= 0 and theta >= 0 (section 2.1 has theta_i >= 0).",
    headline=True,
    domain=Domain(
        instance, grid(n=(1, 2, 3), d=(1, 2), theta=THETAS), "weighted clients, 0 < gamma < 1/L, nine Thetas"
    ),
    hypotheses=(
        ASSUMPTION_2,
        Hypothesis(
            "theta >= 0, not all 0 (section 2.1)",
            signs,
            Domain(instance, grid(n=(1, 2), d=(1,), theta=SIGNED), "weights of both signs with a positive sum"),
        ),
        replace(
            GAMMA_BELOW,
            without=Domain(
                lambda cursor, **discrete: instance(cursor, **discrete, top=2),
                grid(n=(1, 2), d=(1,), theta=(Theta.sum(2), Theta.last(2), Theta.last(3))),
                "0 < gamma < 2/L",
            ),
        ),
    ),
    printed=claim_of(bound, derive=derive),
    steps=(
        Step("(34), chi, T1 and T2", claim_of(factors, derive=derive_factors)),
        Step(
            "sharper (ours): sigma_c sqrt(L/mu) (q_mu/q_L - 1) / 2, without sigma_A",
            claim_of(sharper, derive=derive_sharper),
        ),
    ),
    note="Our sharper bound needs no sigma_A and gains at least a factor 2 sqrt(L/mu).",
)

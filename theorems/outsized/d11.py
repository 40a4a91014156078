"""OLR section 9: a decay of both rates, gamma by alpha and eta by beta, and whether a stable run stays stable."""

from surrogate import bounds
from theorems.bridges import form, forms_grow, geometric_sum, powers, sums
from theorems.outsized.common import ASSUMPTION_2, GAMMA_BELOW
from theorems.outsized.lemmas import bernoulli, column, phi_bounds, quotient_grows, rates_in_order
from theorems.vocabulary import *

ALPHA, BETA, STEPS = Fraction(1, 10), Fraction(9, 10), 10  # section 9.2; K of section 8


def decode(cursor: Cursor, n: int) -> Instance:
    """Clients in d = 1, K = 10, and a server rate of at most 1 over the surrogate's curvature."""
    p = clients(cursor, n, 1, weighted=True)
    s = Instance(p=p, gamma=rate(cursor, p.L), K=STEPS, theta=Theta.sum(STEPS))
    s.eta = (1 - cursor.take() * cursor.nb.number(Fraction(99, 100))) / curvature(s, s.gamma)
    return s


def curvature(s: Instance, gamma: Any) -> Any:
    """The surrogate's second derivative, in d = 1."""
    return s.p.hessian(s.p.filtered(gamma, s.theta))[..., 0, 0]


def printed(s: Instance) -> list[Comparison]:
    r"""with alpha = 0.1 and beta = 0.9 the decayed run is stable

    \eta\tilde L(\gamma)\le1\ \Rightarrow\ \tfrac9{10}\eta\,\tilde L(\tfrac\gamma{10})<2
    """
    nb = s.p.nb
    after = nb.number(BETA) * s.eta * curvature(s, nb.number(ALPHA) * s.gamma)
    return [that("stable after the decay", after) < s.eta * 0 * after + 2]


def decayed(cursor: Cursor, n: int, d: int, K: int) -> Instance:
    """Clients, a decay 0 < alpha < 1, the largest beta, and a direction."""
    p = clients(cursor, n, d, weighted=True)
    gamma, u = rate(cursor, p.L), cursor.take() * cursor.nb.number(Fraction(99, 100))
    v = np.stack([1 - 2 * a for a in cursor.many(d)], -1)
    return Instance(p=p, gamma=gamma, alpha=1 - u, K=K, theta=Theta.sum(K), v=v)


def most(s: Instance) -> Any:
    """phi_L(gamma) / phi_L(alpha gamma)."""
    return bounds.phi(s.K, s.p.L, s.gamma) / bounds.phi(s.K, s.p.L, s.alpha * s.gamma)


def along(s: Instance, gamma: Any) -> Any:
    """v^T H(gamma) v, H the surrogate's Hessian."""
    v = np.broadcast_to(s.v[..., None, :], s.p.c.shape)
    return form(s.p, s.p.filtered(gamma, s.theta), v, v)


def corrected(s: Instance) -> list[Comparison]:
    r"""the server's step grows in no direction, so that every stable run stays stable, for beta <=
    phi_L(gamma)/phi_L(alpha gamma) (attained by a single client); this is at least alpha, 1/K and 1 - (K-1) gamma L/2,
    so that beta <= max{alpha, 1/K} is safe always, and beta = 0.9 where (K-1) gamma L <= 0.2

    \beta\,\nabla^2\tilde f_{\alpha\gamma}\preceq\nabla^2\tilde f_\gamma\text{ for }\beta%
      \le\frac{\phi_{K,L}(\gamma)}{\phi_{K,L}(\alpha\gamma)},\quad\frac{\phi_{K,L}(\gamma)}{\phi_{K,L}(\alpha\gamma)}%
      \ge\max\left\{\alpha,\frac1K,1-\tfrac{K-1}2\gamma L\right\}
    """
    room = (s.K - 1) * s.gamma * s.p.L / 2
    return [
        that("in every direction", most(s) * along(s, s.alpha * s.gamma)) <= along(s, s.gamma),
        that("beta = alpha is enough", s.alpha) <= most(s),
        that("beta = 1/K is enough", 1 / (s.K + s.alpha * 0)) <= most(s),
        that("so is beta = 1 - (K-1) gamma L/2", 1 - room) <= most(s),
    ]


def derive(proof: Derivation, s: Instance) -> None:
    """phi_lam(alpha gamma) phi_L(gamma) <= phi_L(alpha gamma) phi_lam(gamma), as the quotient of phi grows with lam."""
    p, K, low, high = s.p, s.K, s.alpha * s.gamma, s.gamma
    a, g = reals("alpha gamma")
    proof.leaf("alpha gamma >= 0", [a > 0, g > 0], 0 <= a * g, alpha=s.alpha, gamma=high)
    proof.leaf("alpha gamma <= gamma", [a < 1, g > 0], a * g <= g, alpha=s.alpha, gamma=high)
    rates_in_order(proof, p, low, high)
    for gamma in (low, high):
        phi_bounds(proof, p, gamma, K)
    quotient_grows(proof, column(low), column(high), K, p.lam, column(p.L))
    after, before = (bounds.phi(K, column(p.L), column(gamma)) for gamma in (low, high))
    small, large = p.filtered(low, s.theta), p.filtered(high, s.theta)
    c, e, u, v, m = reals("c e u v m")
    proof.leaf("phi_L(alpha gamma) > 0", [m > 0, m <= u, u <= c], 0 < c,
               m=column(bounds.phi(K, p.mu, low)), u=small, c=after)  # fmt: skip
    proof.leaf("phi_L(gamma) > 0", [m > 0, m <= v, v <= e], 0 < e,
               m=column(bounds.phi(K, p.mu, high)), v=large, e=before)  # fmt: skip
    proof.leaf("beta phi_lam(alpha gamma) <= phi_lam(gamma)", [c > 0, u * e <= c * v], e / c * u <= v,
               c=after, e=before, u=small, v=large)  # fmt: skip
    direction = np.broadcast_to(s.v[..., None, :], p.c.shape)
    proof.cross(forms_grow, "in every direction", p=p, low=before / after * small, high=large, v=direction)
    _enough(proof, s, after[..., 0, 0], before[..., 0, 0])


def _enough(proof: Derivation, s: Instance, after: Any, before: Any) -> None:
    """alpha, 1/K and 1 - (K-1) gamma L/2 are at most phi_L(gamma) / phi_L(alpha gamma)."""
    nb, K, L = s.p.nb, s.K, s.p.L
    g, a, y, P, Q, u, v, n, z, S = reals("gamma alpha L P Q after before K z S")
    first, second = 1 - s.alpha * s.gamma * L, 1 - s.gamma * L
    proof.leaf("1 - gamma L >= 0", [g * y < 1], 0 <= 1 - g * y, gamma=s.gamma, L=L)
    proof.leaf("1 - gamma L <= 1 - alpha gamma L", [a < 1, g > 0, y > 0], 1 - g * y <= 1 - a * g * y,
               gamma=s.gamma, alpha=s.alpha, L=L)  # fmt: skip
    proof.cross(powers, "(1 - gamma L)^k <= (1 - alpha gamma L)^k", low=second, high=first, exponents=range(K + 1))
    for base in (first, second):
        proof.cross(geometric_sum, "gamma phi_L = 1 - (1 - gamma L)^K", ratio=base, count=K)
    proof.leaf("(1 - gamma L)^K <= (1 - alpha gamma L)^K gives beta = alpha",
               [g * y * P == 1 - u, a * g * y * Q == 1 - v, u <= v, g > 0, y > 0, y * Q > 0], a <= (y * P) / (y * Q),
               gamma=s.gamma, alpha=s.alpha, L=L, P=before / L, Q=after / L, after=second**K,
               before=first**K)  # fmt: skip
    rest = np.stack([second * 0, *(second**k for k in range(1, K))], -1)
    proof.cross(sums, "the powers after the first", low=rest * 0, high=rest)
    proof.leaf("phi_L(gamma) >= L", [y > 0, S >= 0], y <= y * (1 + S), L=L, S=rest.sum(axis=-1))
    proof.setting("K >= 1", K, 1)
    count = nb.number(K)
    proof.leaf("phi_L(alpha gamma) <= K L", [0 <= n * y - u], u <= n * y, L=L, K=count, after=after)
    proof.leaf(
        "beta = 1/K", [u <= n * y, y <= v, u > 0, n >= 1], 1 / n <= v / u, K=count, L=L, after=after, before=before
    )
    bernoulli(proof, nb, s.gamma * L, K)
    room = [n * (1 - (n - 1) * z / 2) <= S, u <= n * y, u > 0, S * y > 0, y > 0, n >= 1]
    proof.leaf("beta = 1 - (K-1) gamma L/2", room,
               1 - (n - 1) * z / 2 <= (S * y) / u, z=s.gamma * L, K=count, S=before / L, L=L, after=after)  # fmt: skip


STABLE = Hypothesis(
    "before the decay eta is at most 1/L~, L~ the smoothness of the surrogate (half of what gradient descent allows)",
    lambda s: [
        that(s.eta * curvature(s, s.gamma)) <= s.eta * curvature(s, s.gamma) * 0 + 1,
        that("positive", s.eta) > s.eta * 0,
    ],
)
DECAY = Hypothesis(
    "0 < alpha < 1", lambda s: [that(s.alpha) < s.alpha * 0 + 1, that("positive", s.alpha) > s.alpha * 0]
)

STATEMENT = Statement(
    kind="upper bound",
    location="section 9, before Algorithm 3; section 9.2",
    says="Decreasing gamma necessitates a decrease in eta: LocalUpdateDecay decays them by alpha, beta in (0, 1), in "
    "the "
    "experiments by alpha = 0.1 and beta = 0.9.",
    reading="eta's decrease is needed to keep a stable run stable. Theta_{1:10}, as in section 8. Stable: the mean of "
    "the "
    "iterates contracts, eta L~ < 2 for the surrogate's largest curvature L~; before the decay with room, eta L~ <= 1.",
    severity="missing-hypothesis",
    domain=Domain(decode, grid(n=(1, 2)), "one or two clients in d = 1, K = 10, 0 < gamma < 1/L, eta <= 1/L~"),
    hypotheses=(ASSUMPTION_2, GAMMA_BELOW, STABLE),
    printed=claim_of(printed),
    corrected=claim_of(
        corrected,
        domain=Domain(
            decayed, grid(n=(1, 2, 3), d=(1, 2), K=(1, 2, 3, 5, 10, 100, 1000)), "weighted clients, 0 < gamma < 1/L"
        ),
        given=(ASSUMPTION_2, GAMMA_BELOW, DECAY),
        derive=derive,
    ),
    note="That gamma's decrease necessitates one of eta is right: L~ grows as gamma falls (OLR.D9), with K = 10 and "
    "gamma "
    "near 1/L by the factor 6.5 at the first decay. beta = 0.9 needs some twenty decays to make up for it.",
)

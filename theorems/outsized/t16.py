"""OLR Theorem 16: how far any Theta rests from x*."""

from surrogate import bounds
from theorems.outsized.common import ASSUMPTION_2, GAMMA_BELOW
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


def least_weight(theta: Theta) -> Any:
    """min theta_k: 0 or 1 for Theta_K and Theta_{1:K}."""
    return min(theta.given) if theta.kind == "weights" else 0


def instance(cursor: Cursor, n: int, d: int, theta: Theta, top: int = 1) -> Instance:
    p = clients(cursor, n, d, weighted=True)
    return Instance(p=p, gamma=rate(cursor, p.L) * top, theta=theta)


def bound(s: Instance) -> list[Comparison]:
    p = s.p
    moved = p.nb.length(p.displacement(s.gamma, s.theta))
    return [Comparison("bound", moved, "<=", bounds.theorem_16(p.mu, p.L, p.sigma_A, p.sigma_c, s.gamma, s.theta))]


def sharper(s: Instance) -> list[Comparison]:
    """Ours: sigma_c sqrt(kappa)/2 (q_mu/q_L - 1), q = Theta's filter."""
    p, nb = s.p, s.p.nb
    top, low = nb.filter(s.gamma * p.mu, s.theta), nb.filter(s.gamma * p.L, s.theta)
    rise = (nb.deficit(s.gamma * p.mu, s.theta) - nb.deficit(s.gamma * p.L, s.theta)) / low
    moved = nb.length(p.displacement(s.gamma, s.theta))
    return [
        Comparison("ours", moved, "<=", p.sigma_c * nb.sqrt(p.L / p.mu) * rise / 2 + moved * 0),
        Comparison("below the printed one", rise, "<=", -nb.deficit(s.gamma * p.L, s.theta) / low + top * 0),
    ]


def factors(s: Instance) -> list[Comparison]:
    """(34) and the factors T1, T2 with tau = 1 / sum theta."""
    p, nb, total = s.p, s.p.nb, s.theta.total
    chi, rest = bounds.chi(s.gamma, p.L, s.theta), bounds.one_minus_chi(s.gamma, p.L, s.theta)
    Q = p.filter(s.gamma, s.theta) / total
    away = p.away[..., None]
    off = p.spectral(p.lam * p.deficit(s.gamma, s.theta) / total)
    smallest = nb.eigenvalues(p.hessian(p.lam * Q))[..., 0]
    return [
        Comparison("(34)", nb.largest(1 - Q, 2), "<=", 1 - nb.smallest(Q, 2)),
        Comparison("chi", chi, "<=", nb.smallest(Q, 2)),
        Comparison("T1", 1 / smallest, "<=", 1 / (p.mu * chi)),
        Comparison("T2", nb.length(p.mean((off @ away)[..., 0])), "<=", p.L * p.sigma_c * rest),
    ]


def prove() -> Proof:
    p, q, r, s, t = reals("p q r s t")  # p = (1 - gamma lam)^k, q = (1 - gamma L)^k
    smt([0 <= s, s <= r, r <= 1, 0 <= q, q <= p, p <= 1], q * s <= p * r)
    smt([0 <= r, r <= 1, 0 <= p, p <= 1], p * r <= 1)
    lo, lo2, mid, mid2 = reals("lo lo2 mid mid2")  # sums with weights theta >= 0 keep the order
    smt([t >= 0, lo <= mid, q <= p, lo2 == lo + t * q, mid2 == mid + t * p], lo2 <= mid2)
    L, mu, sA, sc, chi = sympy.symbols("L mu sigma_A sigma_c chi", positive=True)
    T1, T2, T4 = 1 / (mu * chi), L * sc * (1 - chi), sA * sc
    T3 = T1 / mu * L * (1 - chi)
    identity((T1 * T2 + T3 * T4, L * sc / mu * (1 + sA / mu) * (1 - chi) / chi))
    return Proof(
        "z3 and sympy",
        "As printed. tau Q_i has eigenvalues sum theta_k (1 - gamma lam)^(k-1) / sum theta_k in [chi, 1]: term by term "
        "by induction on k, and weights >= 0 keep the order. Cauchy-Schwarz and Jensen for the inverse give T1 to T4 "
        "in chi; their products add up to the bound symbolically.",
    )


def prove_sharper() -> Proof:
    qm, qL, L, mu = sympy.symbols("q_mu q_L L mu", positive=True)
    identity((((qm - qL) / 2) ** 2 / (qL**2 * mu) * L, (L / mu) * (qm / qL - 1) ** 2 / 4))
    top, low, total = reals("top low total")
    smt([0 < low, low <= top, top <= total], (top - low) / low <= (total - low) / low)
    return Proof(
        "z3 and sympy",
        "x~ - x* = A~^-1 E[(Q_i - s) A_i (c_i - x*)] for every s; Cauchy-Schwarz in the metric A_i with s midway "
        "between q_L and q_mu, A~ >= q_L A and E (c_i-x*)'A_i(c_i-x*) <= L sigma_c^2.",
    )


STATEMENT = Statement(
    id="OLR.T16",
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
            "theta >= 0 (section 2.1)",
            lambda s: [Comparison("", s.gamma * 0 + least_weight(s.theta), ">=", s.gamma * 0)],
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
    printed=Claim(
        "the displacement is at most the bound",
        r"\|x^*(\gamma,\Theta)-x^*\|\le\frac{L\sigma_c}{\mu}\left(1+\frac{\sigma_A}{\mu}\right)\frac{1-\chi}{\chi}",
        bound,
        prove,
    ),
    steps=(
        Step(
            "(34), chi, T1 and T2",
            Claim(
                "the factors of the proof",
                r"\|\tau Q_i-I\|\le1-\lambda_{\min}(\tau Q_i),\ \chi\le\tau\lambda_{\min}(Q_i)",
                factors,
                prove,
            ),
        ),
        Step(
            "sharper (ours): sigma_c sqrt(L/mu) (q_mu/q_L - 1) / 2, without sigma_A",
            Claim(
                "with q_lam = sum theta_k (1 - gamma lam)^(k-1)",
                r"\|x^*(\gamma,\Theta)-x^*\|\le\frac{\sigma_c}2\sqrt{\tfrac L\mu}\left(\frac{q_\mu}{q_L}-1\right)",
                sharper,
                prove_sharper,
            ),
        ),
    ),
    note="Our sharper bound needs no sigma_A and gains at least a factor 2 sqrt(L/mu).",
)

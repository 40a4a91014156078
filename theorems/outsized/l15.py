"""OLR Lemma 15: FedAvg's surrogate is at most, and as K grows tends to, the mean squared distance to the clients."""

from theorems.outsized.common import ASSUMPTION_2, GAMMA_BELOW
from theorems.outsized.common_rates import prove_phi_spectrum
from theorems.vocabulary import *


def instance(cursor: Cursor, n: int, d: int, K: int) -> Instance:
    p = clients(cursor, n, d, weighted=True)
    x = np.stack([4 * cursor.take() - 2 for _ in range(d)], -1)
    return Instance(p=p, gamma=rate(cursor, p.L), K=K, theta=Theta.sum(K), x=x)


def limit(s: Instance) -> Any:
    """f~^oo(x) = E |x - c_i|^2 / (2 gamma)."""
    return s.p.quadratic(s.p.lam * 0 + 1, s.x) / s.gamma


def squeezed(s: Instance) -> list[Comparison]:
    """Both parts for all K at once: the gap to the limit is at most (1 - gamma mu)^K of it."""
    p = s.p
    value = p.quadratic(p.filtered(s.gamma, s.theta), s.x)
    return [
        that("upper bound", value) <= limit(s),
        that("convergence", limit(s) * (1 - p.nb.power(1 - s.gamma * p.mu, s.K))) <= value,
    ]


def unique_minimizer(s: Instance) -> list[Comparison]:
    p = s.p
    spread = p.mean((p.away**2).sum(axis=-1))
    away = ((s.x - p.mean(p.c)) ** 2).sum(axis=-1)
    return [that("Pythagoras", limit(s)) == (away + spread) / (2 * s.gamma)]


def without_gamma(s: Instance) -> list[Comparison]:
    r"""without 1/gamma

    \tilde f^\infty=\mathbb E[\tfrac12\|x-c_i\|^2]
    """
    return [that(limit(s)) == limit(s) * s.gamma]


def dominated(s: Instance) -> list[Comparison]:
    r"""the dominating constant

    \tilde f^\infty(x,\gamma)\le\|x-c\|^2+\sigma_c^2

    As displayed: f~^oo(x) <= |x - c|^2 + sigma_c^2.
    """
    p = s.p
    away = ((s.x - p.mean(p.c)) ** 2).sum(axis=-1)
    return [that(limit(s)) <= away + p.mean((p.away**2).sum(axis=-1))]


def prove() -> None:
    """z3 and sympy: In the frame of A_i the surrogate's eigenvalues are (1 - (1 - gamma lam)^K)/gamma, between (1 - (1
    - gamma mu)^K)/gamma and 1/gamma, so f~ lies between (1 - (1-gamma mu)^K) f~^oo and f~^oo: bound and limit at once.
    f~^oo = (|x - c|^2 + E|c_i - c|^2)/(2 gamma) has the one minimizer c.
    """
    prove_phi_spectrum()
    lam, mu, gamma, p, q = reals("lam mu gamma p q")  # p = (1 - gamma lam)^K <= q = (1 - gamma mu)^K
    smt([0 < mu, mu <= lam, gamma > 0, 0 <= p, p <= q, q <= 1], (1 - q) / gamma <= (1 - p) / gamma)
    smt([gamma > 0, 0 <= p, p <= 1], (1 - p) / gamma <= 1 / gamma)
    w, x, a, b = sympy.symbols("w x a b")
    c = w * a + (1 - w) * b
    spread = w * (a - c) ** 2 + (1 - w) * (b - c) ** 2
    identity((w * (x - a) ** 2 + (1 - w) * (x - b) ** 2, (x - c) ** 2 + spread))


STATEMENT = Statement(
    kind="limit",
    location="Lemma 15, section 6",
    says="For 0 < gamma < 1/L, f~(x, gamma, Theta_{1:K}) <= E|x - c_i|^2 / (2 gamma), and it tends to this as K -> oo; "
    "the limit's unique minimizer is c = E c_i.",
    reading="The limit is judged as the stronger (1 - (1 - gamma mu)^K) f~^oo <= f~ <= f~^oo for every K.",
    domain=Domain(
        instance, grid(n=(1, 2, 3), d=(1, 2), K=(1, 2, 5, 20, 1000, 10**5)), "weighted clients, any x, 0 < gamma < 1/L"
    ),
    hypotheses=(ASSUMPTION_2, GAMMA_BELOW),
    printed=Claim(
        "the bound, the limit, its minimizer",
        r"\tilde f(x,\gamma,\Theta_{1:K})\le\frac1{2\gamma}\mathbb E\|x-c_i\|^2,\quad \tilde "
        r"f\to\frac1{2\gamma}\mathbb E\|x-c_i\|^2",
        lambda s: [*squeezed(s), *unique_minimizer(s)],
        prove,
    ),
    steps=(
        Step(
            "f~^oo(x, gamma) = E[|x - c_i|^2 / 2]",
            claim_of(without_gamma),
            "f~^oo is defined as E|x - c_i|^2 / (2 gamma) two lines above: 1/gamma is lost",
        ),
        Step(
            "f~^oo <= |x - c|^2 + sigma_c^2",
            claim_of(dominated),
            "(|x - c|^2 + sigma_c^2)/(2 gamma), with equality; finite all the same, which is all that dominance needs",
        ),
    ),
)

"""OLR Lemma 15: FedAvg's surrogate is at most, and as K grows tends to, the mean squared distance to the clients."""

from theorems.bridges import form, forms_grow, geometric_sum, parallel_axes
from theorems.outsized.common import ASSUMPTION_2, GAMMA_BELOW
from theorems.outsized.lemmas import column, powers_fall
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


def derive(proof: Derivation, s: Instance) -> None:
    """gamma phi_lam = 1 - (1 - gamma lam)^K is between 1 - (1 - gamma mu)^K and 1; squares have their centre in c."""
    p, v = s.p, s.x[..., None, :] - s.p.c
    g, m, x, y, P, Q, S, a, b, c = reals("gamma mu lam L P Q S a b c")
    gamma, mu = column(s.gamma), column(p.mu)
    proof.leaf("lambda > 0", [m > 0, m <= x], 0 < x, mu=mu, lam=p.lam)
    proof.leaf("gamma lambda <= 1", [g > 0, x <= y, g * y < 1], g * x <= 1, gamma=gamma, lam=p.lam, L=column(p.L))
    powers_fall(proof, gamma, s.K, mu, p.lam)
    base, ends = 1 - gamma * p.lam, (1 - gamma * mu) ** s.K
    proof.cross(geometric_sum, "gamma phi = 1 - (1 - gamma lambda)^K", ratio=base, count=s.K)
    total = sum(base**k for k in range(s.K))
    here = {"gamma": gamma, "lam": p.lam, "P": base**s.K, "S": total}
    closed = [g * x * S <= 1 - P, g * x * S >= 1 - P, g > 0]
    proof.leaf("phi <= 1/gamma", [*closed, P >= 0], x * S <= 1 / g, **here)
    proof.leaf("phi >= (1 - (1 - gamma mu)^K)/gamma", [*closed, P <= Q], (1 - Q) / g <= x * S, Q=ends, **here)
    phi = p.filtered(s.gamma, s.theta)
    above, below = 1 / gamma + phi * 0, (1 - ends) / gamma + phi * 0
    proof.cross(forms_grow, "f~ <= f~^oo", p=p, low=phi, high=above, v=v)
    proof.cross(forms_grow, "(1 - (1 - gamma mu)^K) f~^oo <= f~", p=p, low=below, high=phi, v=v)
    for low, high in ((phi, above), (below, phi)):
        proof.leaf("halves", [a <= b], a / 2 <= b / 2, a=form(p, low, v, v), b=form(p, high, v, v))
    ones = p.lam * 0 + 1
    proof.leaf("1 > 0", [], 0 * x < 0 * x + 1, lam=p.lam)
    proof.cross(parallel_axes, "the squares about c", p=p, values=ones, x=s.x)
    around = p.mean((v * v).sum(axis=-1))
    away, spread = ((s.x - p.mean(p.c)) ** 2).sum(axis=-1), p.mean((p.away**2).sum(axis=-1))
    equal = [a <= b + c, a >= b + c, g > 0]
    proof.leaf("divided by 2 gamma", equal, a / (2 * g) == (b + c) / (2 * g), a=around, b=away, c=spread, gamma=s.gamma)


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
        derive=derive,
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

"""OLR section 7.2: x*_1 tends to the one-shot average of the clients' minimizers as K grows."""

from surrogate import bounds
from theorems.bridges import exponential, logarithm, powers, root_mean_square
from theorems.outsized.common import ASSUMPTION_2, GAMMA_BELOW
from theorems.outsized.lemmas import bernoulli, column, phi_bounds
from theorems.outsized.lemmas_clients import moved_by
from theorems.vocabulary import *

LARGE = (100, 1000, 10**4, 10**5)


def decode(cursor: Cursor, n: int, d: int, K: int) -> Instance:
    """Clients at the first client rate of Theorem 29."""
    p = clients(cursor, n, d, weighted=True)
    return Instance(p=p, K=K)


def pair(cursor: Cursor, K: int) -> Instance:
    """Two clients in d = 1, equally likely, with A_2 = A_1/2."""
    p = clients(cursor, 2, 1)
    c = np.concatenate([p.c[..., :1, :], p.c[..., :1, :] + 1 + cursor.take()[..., None, None]], -2)
    return Instance(p=replace(p, lam=np.concatenate([p.lam[..., :1, :], p.lam[..., :1, :] / 2], -2), c=c), K=K)


def fixed(cursor: Cursor, n: int, d: int, K: int, top: int = 1) -> Instance:
    """Clients at any one client rate."""
    p = clients(cursor, n, d, weighted=True)
    return Instance(p=p, gamma=rate(cursor, p.L) * top, K=K, theta=Theta.sum(K))


def first_rate(s: Instance) -> Any:
    """gamma_1 = min{1/(L (b + 1)), ln 2/(K mu)}, b = 3 kappa^2."""
    return bounds.theorem_29_rates(s.p.mu, s.p.L, s.K, 1).gamma


def off(s: Instance, gamma: Any) -> Any:
    """|x*_gamma - c| = |B^-1 sum w_i P_i (c - c_i)|, P_i = (I - gamma A_i)^K, B = I - sum w_i P_i."""
    p = s.p
    power = p.nb.power(1 - column(gamma) * p.lam, s.K)
    pulled = p.mean((p.spectral(power) @ p.away[..., None])[..., 0])
    return p.nb.length(p.nb.solve(p.hessian(1 - power), pulled))


def printed(s: Instance) -> list[Comparison]:
    return [that("near the average", off(s, first_rate(s))) <= s.p.sigma_c / 10]


def stays(s: Instance) -> list[Comparison]:
    r"""at least a tenth of sigma_c, for every K from 19 on

    \|x_1^*-c\|\ge\sigma_c/10
    """
    return [that("never nearer", off(s, first_rate(s))) >= s.p.sigma_c / 10]


def _logarithm(proof: Derivation, nb: Any, log: Any) -> None:
    """1/2 <= ln 2 <= 8/11, as ln t <= t - 1 at t = 1/2 and at t = 12/11, and 2 <= (12/11)^8."""
    c, e = reals("c e")
    half, part, power = (log * 0 + nb.number(t) for t in (Fraction(1, 2), Fraction(12, 11), Fraction(12, 11) ** 8))
    proof.leaf("1/2 > 0", [], 0 * c < 0 * c + Fraction(1, 2), c=log)
    proof.leaf("12/11 > 0", [], 0 * c < 0 * c + Fraction(12, 11), c=log)
    proof.leaf("2 > 0", [], 0 * c < 0 * c + 2, c=log)
    proof.leaf("1/2 <= 12/11", [], 0 * c + Fraction(1, 2) <= 0 * c + Fraction(12, 11), c=log)
    proof.leaf("12/11 <= 2", [], 0 * c + Fraction(12, 11) <= 0 * c + 2, c=log)
    proof.leaf("2 <= (12/11)^8", [], 0 * c + 2 <= 0 * c + Fraction(12, 11) ** 8, c=log)
    proof.cross(logarithm, "ln(1/2) <= -1/2", nb=nb, x=half, y=part)
    proof.cross(logarithm, "ln(12/11) <= 1/11", nb=nb, x=part, y=log * 0 + 2)
    proof.cross(logarithm, "ln 2 <= ln (12/11)^8", nb=nb, x=log * 0 + 2, y=power)
    proof.leaf("ln 2 >= 1/2", [-c <= 0 * c - Fraction(1, 2)], 0 * c + Fraction(1, 2) <= c, c=log)
    proof.leaf(
        "ln 2 <= 8/11", [c <= 8 * e, e <= 0 * e + Fraction(1, 11)], c <= 0 * c + Fraction(8, 11), c=log, e=nb.log(part)
    )


def derive_stays(proof: Derivation, s: Instance) -> None:
    """P = (1 - ln 2/K)^K and Q = (1 - 2 ln 2/K)^K: x*_1 is (P - Q)/(2 - P - Q) sigma_c away, 1/4 <= P <= 1/2, Q <= P^2.

    1 - ln 2 <= P (Bernoulli), P <= e^(-ln 2), and 1 - 2 z <= (1 - z)^2.
    """
    p, nb, K = s.p, s.p.nb, s.K
    z = first_rate(s) * p.mu
    P, Q, log = (1 - z) ** K, (1 - 2 * z) ** K, nb.log(z * 0 + 2)
    _logarithm(proof, nb, log)
    proof.setting("K >= 2", K, 2)
    t, c, n, a, b, w = reals("z log K P Q sigma_c")
    count = nb.number(K)
    proof.define("gamma_1 mu = ln 2/K", z, log / count)
    proof.leaf("ln 2/K > 0", [c >= 0 * c + Fraction(1, 2), n >= 2], 0 < c / n, log=log, K=count)
    proof.leaf(
        "ln 2/K <= 1/2", [c <= 0 * c + Fraction(8, 11), n >= 2], c / n <= 0 * c + Fraction(1, 2), log=log, K=count
    )
    proof.leaf("1 - z >= 0", [t <= 0 * t + Fraction(1, 2)], 0 <= 1 - t, z=z)
    proof.leaf("1 - 2 z >= 0", [t <= 0 * t + Fraction(1, 2)], 0 <= 1 - 2 * t, z=z)
    proof.leaf("1 - 2 z <= (1 - z)^2", [], 1 - 2 * t <= (1 - t) * (1 - t), z=z)
    proof.leaf("-z <= 0", [0 < t], -t <= 0 * t, z=z)
    proof.cross(exponential, "1 - z <= e^-z", nb=nb, x=-z, y=z * 0)
    proof.cross(powers, "P <= (e^-z)^K", low=1 - z, high=nb.exp(-z), exponents=(K,))
    proof.cross(powers, "Q <= (1 - z)^(2 K)", low=1 - 2 * z, high=(1 - z) * (1 - z), exponents=(K,))
    proof.define("e^(-ln 2) = 1/2", nb.exp(-z) ** K, z * 0 + nb.number(Fraction(1, 2)))
    bernoulli(proof, nb, z, K)
    proof.leaf("P >= 1/4", [1 - c <= a, c <= 0 * c + Fraction(8, 11)], 0 * c + Fraction(1, 4) <= a, log=log, P=P)
    proof.leaf("at least a tenth", [a >= 0 * a + Fraction(1, 4), a <= 0 * a + Fraction(1, 2), 0 <= b, b <= a * a],
               0 * a + Fraction(1, 10) <= (a - b) / (2 - a - b), P=P, Q=Q)  # fmt: skip
    proof.cross(root_mean_square, "sigma_c >= 0", nb=nb, w=p.w, v=p.away)
    ratio = (P - Q) / (2 - P - Q)
    proof.define("two clients in one dimension, in closed form", off(s, first_rate(s)), ratio * p.sigma_c)
    proof.leaf("times sigma_c", [0 * a + Fraction(1, 10) <= a, w >= 0], w / 10 <= a * w, P=ratio, sigma_c=p.sigma_c)


def corrected(s: Instance) -> list[Comparison]:
    left = s.p.nb.power(1 - s.gamma * s.p.mu, s.K)
    return [that("distance from the average", off(s, s.gamma)) <= s.p.sigma_c * left / (1 - left)]


def derive(proof: Derivation, s: Instance) -> None:
    """B_i = I - (I - gamma A_i)^K: 1 - r <= B_i <= 1, r = (1 - gamma mu)^K; c is where B_i = I rests."""
    p, nb = s.p, s.p.nb
    phi_bounds(proof, p, s.gamma, s.K)
    power, r = nb.power(1 - column(s.gamma) * p.lam, s.K), nb.power(1 - s.gamma * p.mu, s.K)
    a, b, m, q, g = reals("a b m q gamma")
    proof.leaf("1 - gamma mu < 1", [g > 0, m > 0], 1 - g * m < 1, gamma=s.gamma, m=p.mu)
    proof.leaf("r <= 1 - gamma mu", [0 <= a, a <= 1, 0 <= b, b <= 1], a * b <= a,
               a=1 - s.gamma * p.mu, b=nb.power(1 - s.gamma * p.mu, s.K - 1))  # fmt: skip
    proof.leaf("r < 1", [a <= b, b < 1], a < 1, a=r, b=1 - s.gamma * p.mu)
    proof.leaf("1 - r > 0", [a < 1], 0 < 1 - a, a=r)
    here = {"a": power, "b": column(r)}
    proof.leaf("B_i >= 1 - r", [a <= b], 1 - b <= 1 - a, **here)
    proof.leaf("B_i <= 1", [0 <= a], 1 - a <= 1, a=power)
    proof.leaf("B_i - 1 >= -r", [a <= b], -b <= (1 - a) - 1, **here)
    proof.leaf("B_i - 1 <= r", [0 <= a, a <= b], (1 - a) - 1 <= b, **here)
    proof.leaf("the spread about the average", [], q <= q, q=p.sigma_c)
    ones = p.lam * 0 + 1
    moved_by(proof, p, 1 - power, ones, p.L * 0 + 1, r, (1 - r, p.L * 0 + 1), p.sigma_c)
    ours = nb.length(p.rest(1 - power) - p.rest(ones))
    proof.define("both ways to write the distance from the average", off(s, s.gamma), ours)
    proof.leaf("the bound", [a == b, b <= m], a <= m, a=off(s, s.gamma), b=ours, m=p.sigma_c * r / (1 - r))


STATEMENT = Statement(
    kind="limit",
    location="section 7.2, comparison to mini-batch SGD",
    says="Theorem 29 depends on |x_1 - x*_1|^2, which may be much smaller than |x_1 - x*|^2: 'if gamma_1 > 0, then as "
    "K "
    "tends to infinity, x*_1 tends to the one-shot average of the client minimizers', c.",
    reading="gamma_1 is Theorem 29's, min{1/(L (b + 1)), ln 2/(K mu)}. 'Tends to' is judged as: from some K on within "
    "a "
    "tenth of sigma_c; K = 100 to 10^5. The step shows for two clients that this happens for no K.",
    severity="missing-hypothesis",
    domain=Domain(decode, grid(n=(2,), d=(1,), K=LARGE), "two weighted clients in d = 1, K = 100 to 1e5"),
    hypotheses=(ASSUMPTION_2,),
    printed=Claim(
        "x*_1 is near the average for large K",
        r"x_1^*\to c\quad(K\to\infty),\qquad\gamma_1=\min\left\{\frac1{L(b+1)},\frac{\ln2}{K\mu}\right\}",
        printed,
    ),
    corrected=Claim(
        "for a client rate gamma_1 < 1/L that does not depend on K: |x*_1 - c| <= sigma_c r/(1 - r), r = (1 - gamma_1 "
        "mu)^K",
        r"\|x_1^*-c\|\le\sigma_c\frac{(1-\gamma_1\mu)^K}{1-(1-\gamma_1\mu)^K}",
        corrected,
        domain=Domain(
            fixed,
            grid(n=(2, 3), d=(1, 2), K=(1, 2, 3, 5, 20, 1000)),
            "weighted clients, 0 < gamma < 1/L, K up to 1000",
        ),
        given=(ASSUMPTION_2, GAMMA_BELOW),
        derive=derive,
    ),
    steps=(
        Step(
            "ours: with gamma_1 = ln 2/(K mu) two clients with A_2 = A_1/2 are never nearer than sigma_c/10",
            claim_of(
                stays,
                domain=Domain(
                    pair, grid(K=(19, 20, 30, 100, 1000, 10**4, 10**5)), "two clients in d = 1 with A_2 = A_1/2"
                ),
                given=(ASSUMPTION_2,),
                derive=derive_stays,
            ),
        ),
    ),
    note="As K grows Theorem 29's x*_1 tends to E[B_i]^-1 E[B_i c_i] with B_i = I - 2^(-A_i/mu): K gamma_1 stays "
    "bounded, so "
    "that the clients never come to their minimizers within a round.",
)

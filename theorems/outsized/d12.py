"""OLR section 7.2: x*_1 tends to the one-shot average of the clients' minimizers as K grows."""

from surrogate import bounds
from theorems.outsized.common import ASSUMPTION_2, GAMMA_BELOW
from theorems.outsized.lemmas import column, phi_bounds
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
    return [that("never nearer", off(s, first_rate(s))) >= s.p.sigma_c / 10]


def prove_stays() -> Proof:
    """p = (1 - l/K)^K and q = (1 - 2 l/K)^K, l = ln 2 < 3/4: x*_1 - c = (p - q)/(2 - p - q) sigma_c up to the sign."""
    p, q, c, e = sympy.symbols("p q c e")
    rest = ((1 - q) * c + (1 - p) * e) / (2 - p - q)
    identity((rest - (c + e) / 2, (p - q) / (2 - p - q) * (c - e) / 2))
    z, P, Q, n = reals("z P Q n")
    smt([0 <= z, 2 * z <= 1], 1 - 2 * z <= (1 - z) * (1 - z))
    smt([0 <= z, z <= 1, 1 - n * z <= P, n >= 0], 1 - (n + 1) * z <= P * (1 - z))
    smt([4 * P >= 1, 2 * P <= 1, 0 <= Q, Q <= P * P], 10 * (P - Q) >= 2 - P - Q)
    return Proof(
        "z3 and sympy",
        "gamma_1 = ln 2/(K mu) for K >= 19. With p = (1 - ln 2/K)^K and q = (1 - 2 ln 2/K)^K the resting point is (p - "
        "q)/(2 - p - q) sigma_c from the average (sympy); 1/4 <= 1 - ln 2 <= p (Bernoulli, induction), p <= e^(-ln 2) "
        "= "
        "1/2, and q <= p^2, as 1 - 2 z <= (1 - z)^2; so it is at least sigma_c/10 (z3).",
    )


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
            Claim(
                "at least a tenth of sigma_c, for every K",
                r"\|x_1^*-c\|\ge\sigma_c/10",
                stays,
                prove_stays,
                Domain(pair, grid(K=(19, 20, 30, 100, 1000, 10**4, 10**5)), "two clients in d = 1 with A_2 = A_1/2"),
                (ASSUMPTION_2,),
            ),
        ),
    ),
    note="As K grows Theorem 29's x*_1 tends to E[B_i]^-1 E[B_i c_i] with B_i = I - 2^(-A_i/mu): K gamma_1 stays "
    "bounded, so "
    "that the clients never come to their minimizers within a round.",
)

"""Shared by OLR sections 3 to 5: clients with a theta, minibatch paths written out, and the facts about powers."""

from theorems.outsized.common import rates_below
from theorems.vocabulary import *

THETAS = (
    Theta.sum(1),
    Theta.sum(2),
    Theta.last(2),
    Theta([2, 1]),
    Theta.last(3),
    Theta([0, 3, 0, 1]),
    Theta.sum(20),
    Theta.last(50),
    Theta.sum(10**5),
)

GAMMA_SMALL = rates_below()


def population_domain(
    n: Sequence[int] = (1,), d: Sequence[int] = (1, 2), theta: Sequence[Theta] = THETAS, says: str = "", **options: Any
) -> Domain:
    """Clients with mu I <= A_i <= L I, a client rate (0 included) below 1/L, and a theta."""

    def decode(cursor: Cursor, n: int, d: int, theta: Theta) -> Instance:
        p = clients(cursor, n, d, **options)
        return Instance(p=p, gamma=rate(cursor, p.L, zero=True), K=theta.steps, theta=theta)

    return Domain(decode, grid(n=n, d=d, theta=theta), says or "clients with mu I <= A_i <= L I, 0 <= gamma < 1/L")


def distortion(p: Population, gamma: Numbers, theta: Theta) -> Any:
    """Q_i = sum_k theta_k (I - gamma A_i)^(k-1) by (8), as matrices (..., n, d, d), by Horner."""
    eye = p.spectral(p.lam * 0 + 1)
    step = eye - gamma[..., None, None, None] * p.A
    Q = eye * theta.weights[-1]
    for weight in reversed(theta.weights[:-1]):
        Q = Q @ step + eye * weight
    return Q


def ordered_powers() -> None:
    """0 <= a <= b gives 0 <= a^k <= b^k for every k: the step from k to k + 1, with p = a^k and q = b^k."""
    a, b, p, q = reals("a b p q")
    smt([0 <= a, a <= b, 0 <= p, p <= q], p * a <= q * b)
    smt([0 < a, a <= b, 0 < p, p <= q], p * a > 0)


def geometric_sum_is_closed() -> None:
    """z sum_{k<K} (1 - z)^k = 1 - (1 - z)^K for every K: the step, with S the sum and P = (1 - z)^K."""
    z, P = sympy.symbols("z P")
    S = (1 - P) / z
    identity((z * 1, 1 - (1 - z)), (z * (S + P), 1 - P * (1 - z)))


def spectral_mapping() -> None:
    """A v = lam v gives Q v = q(lam) v: Horner's step Q <- Q (I - gamma A) + theta_k I, with Q v = q v."""
    gamma, lam, q, theta, v = sympy.symbols("gamma lambda q theta v")
    identity((q * (v - gamma * (lam * v)) + theta * v, (q * (1 - gamma * lam) + theta) * v))


def last_eigenvalue_increases() -> None:
    """lam (1 - gamma lam)^(K-1) has the slope (1 - gamma lam)^(K-2) (1 - K gamma lam), positive for K gamma lam < 1."""
    lam, gamma = sympy.symbols("lambda gamma", positive=True)
    K = sympy.Symbol("K", positive=True)
    slope = sympy.diff(lam * (1 - gamma * lam) ** (K - 1), lam)
    identity((sympy.powsimp(sympy.expand(slope / (1 - gamma * lam) ** (K - 2))), 1 - K * gamma * lam))
    z, n = reals("z n")
    smt([n >= 1, 0 < z, n * z < 1], z < 1)

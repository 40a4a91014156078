"""OLR section 7.1: f~_gamma converges to f as gamma tends to 0, uniformly on R^d."""

from theorems.outsized.common import ASSUMPTION_2, GAMMA_BELOW
from theorems.outsized.common_moments import squares
from theorems.outsized.l18 import prove_sharper
from theorems.vocabulary import *


def instance(cursor: Cursor, n: int, d: int, K: int) -> Instance:
    """0 < gamma < 1/L, x up to 10 away, a bound epsilon in (0, 1]."""
    p = clients(cursor, n, d, weighted=True)
    x = np.stack([10 * cursor.take() for _ in range(d)], -1)
    epsilon = 1 - cursor.take() * cursor.nb.number(Fraction(999, 1000))
    return Instance(p=p, gamma=rate(cursor, p.L), x=x, epsilon=epsilon, K=K, theta=Theta.sum(K))


def gap(s: Instance) -> Any:
    """f(x) - f~_gamma(x)/K."""
    deficit = s.p.deficit(s.gamma, s.theta)
    return -s.p.quadratic(s.p.lam * deficit, s.x) / s.K


def uniform(s: Instance) -> list[Comparison]:
    r"""uniformly on R^d

    \sup_x|\tilde f_\gamma(x)/K-f(x)|\to0
    """
    return [that("f - f~/K <= epsilon", gap(s)) <= s.epsilon]


def pointwise(s: Instance) -> list[Comparison]:
    r"""f~_gamma <= 3/2 f for small gamma

    \tilde f_\gamma\to f

    f~ <= 3/2 f for small gamma would follow from f~ -> f > 0.
    """
    value = s.p.quadratic(s.p.filtered(s.gamma, s.theta), s.x)
    return [that("f~ <= 3/2 f", value) <= 3 * s.p.quadratic(s.p.lam, s.x) / 2]


def relative(s: Instance) -> list[Comparison]:
    r"""to K f, uniformly on bounded sets and relative to f: gamma mu/K f <= f - f~_gamma/K <= (K-1)/2 gamma L f for K
    >= 2, so that the supremum over R^d is infinite for every gamma > 0; as printed for K = 1

    \frac{\gamma\mu}Kf\le f-\tilde f_\gamma/K\le\tfrac{K-1}2\gamma L\,%
      f\le\tfrac{K-1}2\gamma L\left(f(x^*)+\tfrac L2\|x-x^*\|^2\right)
    """
    loss, least = s.p.quadratic(s.p.lam, s.x), s.p.quadratic(s.p.lam, s.p.minimizer)
    most, away = (s.K - 1) * s.gamma * s.p.L / 2, squares(s.x - s.p.minimizer)
    rows = [
        that("relative to f", gap(s)) <= most * loss,
        that("on bounded sets", gap(s)) <= most * (least + s.p.L * away / 2),
    ]
    below = s.gamma * s.p.mu / s.K * loss if s.K > 1 else loss * 0
    return [*rows, that("not less than", below) <= gap(s)]


def prove() -> None:
    """z3: K lam - phi_lam lies between gamma mu lam (K >= 2) and K(K-1)/2 gamma lam^2 <= K(K-1)/2 gamma L lam, by
    induction on K, for every eigenvalue of every client; sum up with the weights. f(x) = f(x*) + (x - x*)'A(x - x*)/2.
    """
    prove_sharper()
    z, m, P, total = reals("z m P total")  # 1 - (1 - z)^k >= z from k = 1 on, and >= 0 before: K - sum (1-z)^k >= z
    smt([0 <= m, m <= z, z <= 1, 0 <= P, P <= 1, total >= m], total + 1 - P >= m)
    smt([0 <= m, m <= z], 1 - (1 - z) >= m)
    a, L, r, f, e = reals("a L r f e")
    smt([0 <= a, a <= L, r >= 0, f == e + a * r / 2], f <= e + L * r / 2)


STATEMENT = Statement(
    kind="limit",
    location="Before Assumption 4, section 7.1",
    says="As gamma tends to 0, f~_gamma converges to f; under Assumption 2 uniformly on R^d.",
    reading="Up to the factor K (f~_0 = K f, see the step). Uniform convergence asks, for every epsilon, for a "
    "gamma_0 > 0 with |f~_gamma/K - f| <= epsilon for all 0 < gamma <= gamma_0 and all x.",
    severity="substantive",
    domain=Domain(
        instance, grid(n=(1, 2, 3), d=(1, 2), K=(1, 2, 3, 10, 1000)), "0 < gamma < 1/L, x in [0, 10]^d, epsilon <= 1"
    ),
    hypotheses=(ASSUMPTION_2, GAMMA_BELOW),
    printed=claim_of(uniform),
    corrected=claim_of(relative, prove=prove),
    steps=(Step("f~_gamma converges to f", claim_of(pointwise), "to f/tau = K f, as section 6 has it"),),
    note="For K >= 2 f - f~_gamma/K is at least gamma mu/K f, and f exceeds every bound on R^d: no gamma_0 works for "
    "any epsilon.",
)

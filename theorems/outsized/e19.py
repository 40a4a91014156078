"""OLR equation (19) and the text around it: without local drift the surrogate is the loss, with it in general not."""

from theorems.outsized.common import ASSUMPTION_2
from theorems.outsized.d8 import prove as prove_moves
from theorems.vocabulary import *


def instance(cursor: Cursor, n: int, d: int, K: int) -> Instance:
    """gamma = 0 with K local steps, and any gamma with Theta = (theta_1)."""
    p = clients(cursor, n, d, weighted=True)
    return Instance(p=p, gamma=rate(cursor, p.L, zero=True), weight=1 + cursor.take(), K=K)


def same_minimizer(s: Instance) -> list[Comparison]:
    r"""the surrogate is a multiple of the loss where gamma = 0 or only theta_1 is there

    \gamma=0\ \text{or}\ \Theta=(\theta_1)\ \Rightarrow\ Q_i=\tau^{-1}I,\ x^*(\gamma,\Theta)=x^*
    """
    p, theta, none = s.p, Theta([k % 3 for k in range(1, s.K + 1)]), s.gamma * 0
    rest = p.rest(p.filtered(none, theta)) - p.minimizer
    tau = 1 / (p.mu * 0 + theta.total)
    single = s.weight[..., None, None] * p.filter(s.gamma, Theta.sum(1))
    return [
        that("x*(0, Theta) = x*", p.nb.length(rest)) == none,
        that("Q = I / tau at gamma = 0", p.filter(none, theta)[..., 0, 0] * tau) == none + 1,
        that("Q = theta_1 I for theta = (theta_1)", single[..., -1, -1]) == s.weight,
    ]


def two_that_differ(cursor: Cursor, K: int) -> Instance:
    """Clients 1 and lam in (0, 1) with minimizers 0 and 1: section 4's example, any gamma in (0, 1/L)."""
    p = clients(cursor, 2, 1)
    gap = cursor.nb.number(Fraction(1, 10)) + p.lam[..., 1:, :] * cursor.nb.number(Fraction(4, 5))
    lam = np.concatenate([p.lam[..., :1, :], gap], -2)
    far = np.concatenate([p.c[..., :1, :], p.c[..., 1:, :] * 0 + 1], -2)
    gamma = cursor.nb.number(Fraction(1, 100)) + rate(cursor, p.L) * cursor.nb.number(Fraction(98, 100))
    return Instance(p=replace(p, lam=lam, c=far), gamma=gamma, K=K)


def moves(s: Instance) -> list[Comparison]:
    r"""two clients with different A_i and c_i, K >= 2, any gamma in (0, 1/L)

    x^*(\gamma,\Theta_{1:K})\ne x^*
    """
    moved = s.p.displacement(s.gamma, Theta.sum(s.K))
    return [that("x*(gamma, Theta) != x*", s.p.nb.length(moved)) > s.gamma * 0]


def prove() -> None:
    """sympy identity: At gamma = 0 every term of the spectrum of Q_i loses its power of 1 - gamma lam, whatever K; with
    one weight only the first term is left. So Q_i = (sum theta) I for all clients, f~ = (sum theta) f, and x*(0, Theta)
    = x*.
    """
    K, k, lam = sympy.Symbol("K", integer=True, positive=True), sympy.Symbol("k", integer=True), sympy.Symbol("lam")
    theta = sympy.IndexedBase("theta")
    gamma = sympy.Symbol("gamma")
    terms = (theta[k] * (1 - gamma * lam) ** (k - 1)).subs(gamma, 0).simplify()
    identity((sympy.Sum(terms, (k, 1, K)) - sympy.Sum(theta[k], (k, 1, K)), 0))
    identity((sympy.Sum(theta[k] * (1 - gamma * lam) ** (k - 1), (k, 1, 1)).doit(), theta[1]))


STATEMENT = Statement(
    kind="identity",
    location="Equation (19), section 6",
    says="With tau = 1 / sum theta, gamma = 0 or theta_k = 0 for k >= 2 gives Q_i = I/tau, f~ = f/tau, x*(0, Theta) = "
    "x*; for general gamma and Theta, x*(gamma, Theta) differs from x*.",
    domain=Domain(instance, grid(n=(1, 2, 3), d=(1, 2), K=(1, 2, 5)), "weighted clients, 0 <= gamma < 1/L"),
    hypotheses=(ASSUMPTION_2,),
    printed=claim_of(same_minimizer, prove=prove),
    steps=(
        Step(
            "'for general gamma and Theta, x*(gamma, Theta) != x*'",
            claim_of(
                moves,
                prove=prove_moves,
                domain=Domain(two_that_differ, grid(K=(2, 3, 10, 1000)), "two clients in d = 1 that differ in A and c"),
            ),
        ),
    ),
)

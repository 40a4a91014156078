"""LAMB section 4.3: linear speed-up in the number of clients."""

from theorems.fedlamb import common_rate as cr
from theorems.fedlamb.common import LEAST_BETA, need, positive
from theorems.vocabulary import *


def instance(cursor: Cursor, C: int, T: int, h: int) -> Instance:
    """The quantities in (3), beta_1 and beta_2 small, and k = (100 C)^2 times as many clients for 1/k of the rounds."""
    a, root, tiny = 1 - cursor.take() / 2, 1 + cursor.take(), cursor.nb.number(LEAST_BETA)
    return Instance(
        nb=cursor.nb, C=C, T=T, h=h, k=(100 * C) ** 2, n=2, L=a, sqrt_v0=root, M=1 + cursor.take(),
        phi=1 - cursor.take() / 2, sigma=positive(cursor), beta1=0 * a + tiny, beta2=0 * a + tiny, Delta=cursor.take(),
    )  # fmt: skip


def right(s: Instance, k: int) -> Any:
    """(3) without cst at k n clients, (1000 C)^2 100/k rounds and alpha = 1/sqrt(h R)."""
    R = 100 * (1000 * s.C) ** 2 // k
    alpha = 1 / s.nb.sqrt(s.L * 0 + s.h * R)
    at = Instance(**{**vars(s), "n": s.n * k, "R": R, "alpha": alpha})
    return cr.theorem_1(at) - cr.appendix_constant(at)


def printed(s: Instance) -> list[Comparison]:
    r"""k n clients and R/k rounds have at most C times the bound of n clients and R rounds

    B(kn,R/k)\le C\,B(n,R)
    """
    return [that("k clients for one, 1/k of the rounds", right(s, s.k)) <= s.C * right(s, 1)]


def corrected(s: Instance) -> list[Comparison]:
    r"""B(n, R) >= 4 M^2/sqrt(v0)/sqrt(h R) for every n: by B no fewer rounds do, however many clients there are

    B(n,R)\ge\frac{4M^2}{\sqrt{v_0}}\frac1{\sqrt{\mathsf hR}}\quad\forall n

    The terms that do not fall with n, at alpha = 1/sqrt(h R): so R rounds are needed whatever n.
    """
    R = 100 * (1000 * s.C) ** 2 // s.k
    floor = 4 * s.M**2 / s.sqrt_v0 / s.nb.sqrt(s.L * 0 + s.h * R)
    return [that("not below 4 alpha M^2/sqrt v0", floor) <= right(s, s.k)]


def prove() -> None:
    """z3: All terms of (3) are products of what is not negative, and 4 alpha M^2/sqrt v0 is one of them; with alpha =
    1/sqrt(h R) it does not depend on n. Only the first term depends on n R alone.

    (3) is a sum of terms that are not negative, 4 alpha M^2/sqrt v0 among them.
    """
    start, alpha, drift, scale, size, layers, noise = names = reals("start alpha drift scale size layers noise")
    smt([v >= 0 for v in names], 4 * alpha * size <= start + 4 * alpha * (drift + scale + size + layers) + noise)
    # k-fold clients and R/k rounds keep the first term: n R is the same
    n, R, k = reals("n R k")
    smt([n > 0, R > 0, k >= 1], (n * k) * (R / k) == n * R)


STATEMENT = Statement(
    kind="limit",
    location="section 4.3 and section 6",
    says="The 1/sqrt n in the rate implies a linear speed-up in the number of workers.",
    reading="Linear speed-up: with k times the clients 1/k of the rounds give the same bound up to a constant C, for "
    "all k; bound: (3) without cst at alpha = 1/sqrt(h R).",
    severity="substantive",
    domain=Domain(instance, grid(C=(1, 10, 1000), T=(1, 2), h=(1, 3)), "k = (100 C)^2 times the clients"),
    hypotheses=(
        need("M, sigma, phi, L, v0 > 0", lambda s: [(v, ">", 0) for v in (s.M, s.sigma, s.phi, s.L, s.sqrt_v0)]),
        need("Delta >= 0", lambda s: [(s.Delta, ">=", 0)]),
    ),
    printed=claim_of(printed),
    corrected=claim_of(corrected, prove=prove),
    note="Only the first term of (3) has 1/sqrt n; 4 alpha M^2/sqrt v0 and 4 alpha phi_M^2 sqrt(M^2 + p sigma^2) do "
    "not depend on n. They come from bounding each client's normalised gradient alone (LAMB.B2): no averaging is "
    "used.",
)

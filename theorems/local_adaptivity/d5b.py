"""LA section 4 (ours): local AdaGrad can rest at x* and yet be driven away from it, at every small client rate."""

from theorems.local_adaptivity.common import between, positive
from theorems.vocabulary import *


def instance(cursor: Cursor, tau: int) -> Instance:
    """Four clients around x* = 0: Hessians [[a, b], [b, c]] twice, [[c, b], [b, a]] twice, c = (1 + e) b^2/a.

    Their gradients at 0 are (0, g), (0, -g), (g, 0), (-g, 0); AdaGrad starts from v_0 = 1 (P^(-1) = I).
    """
    b = (1 + positive(cursor)) / 4
    a = b / (8 * (1 + cursor.take()))
    e, g = positive(cursor, 1e-3), 20 * (1 + cursor.take())
    return Instance(nb=cursor.nb, tau=tau, a=a, b=b, e=e, g=g)


def slopes(s: Instance) -> tuple[Any, Any]:
    """d/dg of sum_{k<tau} g (1 + (k+1) g^2)^(-1/2), the change over eta as eta -> 0, at 0 and at g."""
    at_g = sum(1 / (s.nb.sqrt(1 + (k + 1) * s.g**2) * (1 + (k + 1) * s.g**2)) for k in range(s.tau))
    return s.g * 0 + s.tau, at_g


def printed(s: Instance) -> list[Comparison]:
    r"""the Jacobian of the limiting field at x* has a negative eigenvalue

    \lambda_{\min}\Big(\sum_iw_i\,\mathrm{diag}\,\psi'(\nabla F_i(x^*))\,H_i\Big)<0,\ %
      \psi(g)=\sum_{k\le\tau}\frac{g}{\sqrt{v_0+kg^2}}

    The Jacobian of the mean change at 0 is [[p, q], [q, p]]/2: negative eigenvalue (p - q)/2 on (1, -1).
    """
    steep, flat = slopes(s)
    c = (1 + s.e) * s.b**2 / s.a
    p, q = steep * s.a + flat * c, (steep + flat) * s.b
    return [that("driven away along (1, -1)", p) < q]


def prove() -> None:
    """z3 and sympy: AdaGrad's change over eta tends to sum_k g_i (v_0 + (k+1) g_i^2)^(-1/2), entry by entry, with slope
    v_0 (v_0 + (k+1) g^2)^(-3/2): 1 where g = 0, tiny where g is large. Opposite gradients cancel, so A rests at 0 = x*;
    the Jacobian's eigenvalue on (1, -1) is negative for the whole family, so I - alpha eta J expands for small eta.
    """
    g, v, k, a, b, c, p, q = sympy.symbols("g v k a b c p q", positive=True)
    root = sympy.sqrt(v + k * g**2)
    identity((sympy.diff(g / root, g) * root * (v + k * g**2), v))
    matrix = sympy.Matrix([[p * a + q * c, (p + q) * b], [(p + q) * b, q * c + p * a]])
    gap = matrix * sympy.Matrix([1, -1]) - (p * a + q * c - (p + q) * b) * sympy.Matrix([1, -1])
    if gap.applyfunc(sympy.expand) != sympy.zeros(2, 1):
        raise AssertionError("(1, -1) is not an eigenvector")
    A, B, E, S, F, T, G, r = reals("A B E S F T G r")
    # flat <= tau / (r (1 + g^2)) with r = sqrt(1 + g^2) >= 20, so flat <= tau/8000; a <= b/8 <= 16 a and e <= 1.
    smt([G >= 20, r > 0, r * r >= 1 + G * G], r * r * r >= 8000)
    family = [B > 0, 8 * A <= B, 16 * A >= B, 0 < E, E <= 1, T >= 1, S == T, 0 <= F, 8000 * F <= T]
    smt(family, both((1 + E) * B * B <= 2 * B * 16 * A, S * A * 8 <= S * B))
    smt([B > 0, 0 <= F, 8000 * F <= T, T >= 1, r <= 32 * B, r >= 0, 8 * A <= B], T * A + F * r < (T + F) * B)


def _family(s: Instance) -> list[Comparison]:
    ranges = [that("a", 8 * s.a) <= s.b, that("a low", 16 * s.a) >= s.b]
    return [*ranges, that("b", s.b) > s.b * 0]


def gentle(cursor: Cursor, tau: int) -> Instance:
    s = instance(cursor, tau)
    s.g = s.g / 40
    return s


STATEMENT = Statement(
    kind="existence",
    location="not in the paper: about section 4 and Theorem 1",
    says="There are four quadratic clients in d = 2 for which local AdaGrad (restarted) rests at x*, but every start "
    "near it is driven away, for every small client rate and every server rate.",
    reading="The field that a round follows as eta -> 0; an eigenvalue of its Jacobian on the wrong side of 0.",
    domain=Domain(instance, grid(tau=(1, 2, 10)), "a family of four clients in d = 2, tau <= 10"),
    hypotheses=(
        Hypothesis("b > 0, b/16 <= a <= b/8", _family, role="the family"),
        between("0 < e <= 1", lambda s: s.e, 0, 1, "(]", role="the Hessians are positive definite; the family"),
        between("g >= 20", lambda s: s.g, 20, None, "[]", Domain(gentle, grid(tau=(1, 2)), "g up to 1")),
    ),
    printed=claim_of(printed, prove=prove),
    note="So restarted local AdaGrad can fail not only by bias: Theorem 1's contraction (Assumption 1) fails for it, "
    "and decaying the client rate does not help (compare LA.T2b). It is seen in the methods' own code "
    "(test_local_adaptivity).",
)

"""LA Lemma 1: a difference of gradients is a mean Hessian times the difference of the points."""

from theorems.vocabulary import *


def instance(cursor: Cursor, degree: int) -> Instance:
    """F'(t) = sum_k a_k t^k up to t^degree, a_k in [0, 1], between points of [-1, 1]."""
    x, y = 1 - 2 * cursor.take(), 1 - 2 * cursor.take()
    a = tuple(1 - cursor.take() for _ in range(degree + 1))
    return Instance(nb=cursor.nb, degree=degree, x=x, y=y, a=a)


def printed(s: Instance) -> list[Comparison]:
    r"""(12)

    \nabla F(x)-\nabla F(y)=\int_0^1\nabla^2F(y+s(x-y))\,ds\,(x-y)

    The integral of a_k k (y + s (x - y))^(k-1) over [0, 1] is a_k sum_{j<k} x^j y^(k-1-j).
    """
    difference, H = s.x * 0, s.x * 0
    for k, a in enumerate(s.a):
        difference = difference + a * (s.x**k - s.y**k) if k else difference
        H = H + a * sum(s.x**j * s.y ** (k - 1 - j) for j in range(k))
    return [that("(12)", difference) == H * (s.x - s.y)]


def prove() -> Proof:
    """F = (a.z)^k: any other coordinates of z enter through r alone, so that d is free, and k is a symbol."""
    k, r, p, q, y, z = sympy.symbols("k r p q y z", positive=True)
    ridge = r + p * y + q * z  # a.z, written for the two coordinates y and z
    slope = sympy.diff(ridge**k, y)
    identity((slope / ridge ** (k - 1), k * p))
    identity((sympy.diff(slope, z) / ridge ** (k - 2), k * (k - 1) * p * q))
    s, u, v, a = sympy.symbols("s u v a", positive=True)  # u = a.x, v = a.y; a stands for one coordinate of a
    along = v + s * (u - v)
    gradient = k * a * along ** (k - 1)
    identity((sympy.diff(gradient, s) / along ** (k - 2), k * (k - 1) * a * (u - v)))
    identity((gradient.subs(s, 1) - gradient.subs(s, 0), k * a * (u ** (k - 1) - v ** (k - 1))))
    return Proof(
        "sympy",
        "For F = (a.z)^k with any a, d and k the gradient is k (a.z)^(k-1) a and the Hessian k (k-1) (a.z)^(k-2) a a'; "
        "along the segment d/ds grad F(y + s (x - y)) = Hess F(..) (x - y), and the fundamental theorem of calculus "
        "integrates it. Powers of linear forms span all polynomials, which are dense in C^2 on a ball, and both sides "
        "of (12) are continuous in F there.",
    )


STATEMENT = Statement(
    kind="identity",
    location="Lemma 1, Appendix B",
    says="If F is twice differentiable, grad F(x) - grad F(y) = H (x - y) with H the integral of the Hessian over "
    "the segment.",
    reading="The Hessian is continuous.",
    domain=Domain(instance, grid(degree=(1, 2, 3, 5)), "polynomials F' up to degree 5 in d = 1"),
    printed=claim_of(printed, prove=prove),
    note="'Twice differentiable' alone is not enough: F'(t) = t^2 sin(1/t^2) has a derivative everywhere that has no "
    "(Lebesgue) integral near 0. Every use is on L-smooth F, whose Hessian is bounded: Lebesgue's form of the "
    "fundamental theorem then does without continuity.",
)

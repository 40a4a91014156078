"""LA Lemma 1: a difference of gradients is a mean Hessian times the difference of the points."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from theorems.domain import Cursor, Domain, grid
from theorems.local_adaptivity.common import between
from theorems.statement import Claim, Comparison, Proof, Statement


def instance(cursor: Cursor, degree: int) -> SimpleNamespace:
    """F'(t) = sum_k a_k t^k up to t^degree, a_k in [0, 1], between points of [-1, 1]."""
    x, y = 1 - 2 * cursor.take(), 1 - 2 * cursor.take()
    a = tuple(1 - cursor.take() for _ in range(degree + 1))
    return SimpleNamespace(nb=cursor.nb, degree=degree, x=x, y=y, a=a)


def printed(s: Any) -> list[Comparison]:
    """The integral of a_k k (y + s (x - y))^(k-1) over [0, 1] is a_k sum_{j<k} x^j y^(k-1-j)."""
    difference, H = s.x * 0, s.x * 0
    for k, a in enumerate(s.a):
        difference = difference + a * (s.x**k - s.y**k) if k else difference
        H = H + a * sum(s.x**j * s.y ** (k - 1 - j) for j in range(k))
    return [Comparison("(12)", 9 + difference, "==", 9 + H * (s.x - s.y))]


def prove() -> Proof:
    import sympy

    s = sympy.symbols("s", real=True)
    x, y, a = (sympy.Matrix(sympy.symbols(f"{name}1:4", real=True)) for name in "xya")
    wave = sympy.exp((a.T * (y + s * (x - y)))[0])
    gradient, hessian = a * wave, a * a.T * wave
    if (gradient.diff(s) - hessian * (x - y)).applyfunc(sympy.expand) != sympy.zeros(3, 1):
        raise AssertionError("d/ds grad F(y + s (x - y)) is not the Hessian times x - y")
    t, u, v = sympy.symbols("t u v", real=True)
    for k in range(1, 7):
        integral = sympy.integrate(k * (v + t * (u - v)) ** (k - 1), (t, 0, 1)) * (u - v)
        if sympy.expand(integral - u**k + v**k) != 0:
            raise AssertionError(f"the mean Hessian of t^{k} is off")
    return Proof(
        "sympy",
        "Along the segment d/ds grad F(y + s (x - y)) = Hess F(..) (x - y): checked for F = exp(a.z) with any a (d = "
        "3; sums of these are dense in C^2). The fundamental theorem of calculus integrates it, for continuous or "
        "bounded Hessians; powers up to 6 are also integrated outright.",
    )


STATEMENT = Statement(
    id="LA.L1",
    paper="local_adaptivity",
    kind="identity",
    location="Lemma 1, Appendix B",
    says="If F is twice differentiable, grad F(x) - grad F(y) = H (x - y) with H the integral of the Hessian over "
    "the segment.",
    reading="The Hessian is integrable along the segment (continuous, or bounded as for L-smooth F).",
    domain=Domain(instance, grid(degree=(1, 2, 3, 5)), "polynomials F' up to degree 5 in d = 1"),
    hypotheses=(between("points in [-1, 1]", lambda s: s.x, -1, 1, "[]"),),
    printed=Claim(
        "(12)",
        r"\nabla F(x)-\nabla F(y)=\int_0^1\nabla^2F(y+s(x-y))\,ds\,(x-y)",
        printed,
        prove,
    ),
    note="'Twice differentiable' alone is not enough: F'(t) = t^2 sin(1/t^2) has a derivative everywhere that has no "
    "(Lebesgue) integral near 0. Every use is on L-smooth F, where the Hessian is bounded.",
)

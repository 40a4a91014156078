"""LA (45)-(49): the variance of a gradient against its covariance with the point."""

from theorems.local_adaptivity.common_sgd_steps import CHANCES, SMOOTH, distribution
from theorems.vocabulary import *


def moments(s: Instance) -> tuple[Any, Any]:
    """Var F'(X) and Cov(X, F'(X))."""
    x, f = (v - (s.w * v).sum(axis=-1)[..., None] for v in (s.t, s.f))
    return (s.w * f * f).sum(axis=-1), (s.w * x * f).sum(axis=-1)


def printed(s: Instance) -> list[Comparison]:
    r"""(49)

    \mathbb{E}\|\nabla F(X)-\mathbb{E}\nabla F(X)\|^2\le L\,\mathbb{E}\langle X-\mathbb{E}X,%
      \nabla F(X)-\mathbb{E}\nabla F(X)\rangle
    """
    variance, covariance = moments(s)
    return [that("(49)", variance) <= s.L * covariance]


def pointwise(s: Instance) -> list[Comparison]:
    r"""(15) of Lemma 2 for every epsilon: |E_zeta g|^2 <= L <epsilon, E_zeta g>

    \|\mathbb{E}_\zeta[\cdot]\|^2\le L\langle\epsilon,\mathbb{E}_\zeta[\cdot]\rangle

    (46) to (47) for each epsilon by itself, as (15) of Lemma 2 would give it: at the second value of X.
    """
    x, f = (v[:, 1] - (s.w * v).sum(axis=-1) for v in (s.t, s.f))
    return [that("at one epsilon", f * f) <= s.L * x * f]


def prove() -> None:
    """z3 and sympy: For an independent copy X' of X, Var grad F(X) = 1/2 E|grad F(X) - grad F(X')|^2 and likewise the
    covariance (checked for three points and free weights; the identity is bilinear). Cocoercivity, |g|^2 <= L <x - x',
    g>, holds between any two points.
    """
    d, g, L = reals("d g L")
    smt([L > 0, d >= 0, 0 <= g, g <= L * d], g * g <= L * d * g)
    w = sympy.symbols("w1:4", positive=True)
    x, f = sympy.symbols("x1:4"), sympy.symbols("f1:4")
    total = sum(w)
    pairs = sum(w[i] * w[j] * (x[i] - x[j]) * (f[i] - f[j]) for i in range(3) for j in range(3)) / 2
    cross = sum(a * b * c for a, b, c in zip(w, x, f, strict=True)) * total
    product = sum(a * b for a, b in zip(w, x, strict=True)) * sum(a * c for a, c in zip(w, f, strict=True))
    identity((pairs, cross - product))


DOMAIN = Domain(distribution, grid(n=(2, 3, 5)), "X of two to five values in d = 1, any nondecreasing L-Lipschitz F'")

STATEMENT = Statement(
    kind="upper bound",
    location="(45) to (49), Appendix B.3",
    says="E|grad F(X) - E grad F(X)|^2 <= L E<X - E X, grad F(X) - E grad F(X)> for convex L-smooth F.",
    reading="As displayed, with E over epsilon outside.",
    domain=DOMAIN,
    hypotheses=(CHANCES, SMOOTH),
    printed=claim_of(printed, prove=prove),
    steps=(Step("(47) by Lemma 2", claim_of(pointwise), "symmetrise: compare with an independent copy"),),
    note="The displayed inequality is true, but not by Lemma 2, which fails for single values of epsilon.",
)

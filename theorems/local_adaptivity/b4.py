"""LA Appendix B.4: does Adam satisfy Assumption 1?"""

from theorems.local_adaptivity.common import between, positive
from theorems.vocabulary import *


def instance(cursor: Cursor, k: int) -> Instance:
    """F = lam t^2/2; restarted, bias-corrected Adam: its first step is eta g/(|g| + eps), whatever beta_1, beta_2."""
    lam, eta, eps = positive(cursor, 1e-2), positive(cursor, 1e-3), positive(cursor, 1e-7)
    return Instance(nb=cursor.nb, k=k, lam=lam, eta=eta, eps=eps, x=positive(cursor, 1e-4), y=1 - 2 * cursor.take())


def cautious(cursor: Cursor, k: int) -> Instance:
    """eps from 1/2 to 3/2 of eta lam."""
    s = instance(cursor, k)
    s.eps = s.eta * s.lam * (cursor.nb.number(Fraction(1, 2)) + s.eps)
    return s


def adam(s: Instance, t: Scalar) -> Any:
    g = s.lam * t
    return t - s.eta * g / (s.nb.abs(g) + s.eps)


def printed(s: Instance) -> list[Comparison]:
    r"""|A(x) - A(y)| < |x - y|

    \|\mathcal{A}(x)-\mathcal{A}(y)\|<\|x-y\|
    """
    return [that("contracts", s.nb.abs(adam(s, s.x) - adam(s, s.y))) < s.nb.abs(s.x - s.y)]


def contracting(s: Instance) -> list[Comparison]:
    r"""for eps > eta lam/2, on |grad F| <= R: contraction by max{eta lam/eps - 1, 1 - eta lam eps/(R + eps)^2}, which
    tends to 1 as R grows

    \epsilon>\tfrac12\eta\lambda,\ |\nabla F|\le R:\ \|\mathcal{A}(x)-\mathcal{A}(y)\|\le\max\Big\{\frac{\eta\lambda}%
      \epsilon-1,\,1-\frac{\eta\lambda\epsilon}{(R+\epsilon)^2}\Big\}\|x-y\|

    R is the larger |grad F| of the two points.
    """
    R = s.lam * s.nb.maximum(s.nb.abs(s.x), s.nb.abs(s.y))
    apart = s.nb.abs(s.x - s.y)
    factor = s.nb.maximum(s.eta * s.lam / s.eps - 1, 1 - s.eta * s.lam * s.eps / (R + s.eps) ** 2)
    return [
        that("on |grad F| <= R", s.nb.abs(adam(s, s.x) - adam(s, s.y))) <= factor * apart,
        that("a contraction", factor) < factor * 0 + 1,
    ]


def prove() -> None:
    """z3, for one local step, quadratics in d = 1: phi(g) = g/(|g| + eps) has difference quotients between eps/(R +
    eps)^2 and 1/eps on [-R, R] (both signs by z3), so t - eta phi(lam t) has them between 1 - eta lam/eps and 1 - eta
    lam eps/(R + eps)^2.
    """
    g, h, e, R, c = reals("g h e R c")
    slope = [e > 0, 0 <= g, g <= h, h <= R]  # both of one sign: a/(|a| + e) rises by at least e (h - g)/(R + e)^2
    smt(slope, both((h * (g + e) - g * (h + e)) == e * (h - g), (g + e) * (h + e) <= (R + e) * (R + e)))
    smt(slope, both((g + e) * (h + e) >= e * e))
    a, b = reals("a b")  # opposite signs: -a < 0 < b
    smt(
        [e > 0, a > 0, b > 0, a <= R, b <= R],
        both(a * (R + e) * (R + e) >= e * a * (a + e), (R + e) * (R + e) >= e * (b + e)),
    )
    q, low = reals("q low")  # q: a difference quotient of t - c phi(t), c = eta lam
    smt([e > 0, c > 0, low <= q, q * e <= 1], both(1 - c * q <= 1 - c * low, (1 - c * q) * e >= e - c))
    smt([e > 0, 2 * e > c, c > 0], both(c < 2 * e, c / e - 1 < 1))


def _apart(s: Instance) -> list[Comparison]:
    return [that("x != y", s.nb.abs(s.x - s.y)) > s.x * 0]


VALID = (
    between("eta > 0", lambda s: s.eta, 0, role="a rate"),
    between("eps > 0", lambda s: s.eps, 0, role="Adam's eps keeps its root from 0"),
    between("lam > 0", lambda s: s.lam, 0, role="F is strongly convex"),
    Hypothesis("x != y", _apart, role="points that agree cannot come nearer"),
)
CAUTIOUS = Hypothesis("eps > eta lam/2", lambda s: [that(2 * s.eps) > s.eta * s.lam])

STATEMENT = Statement(
    kind="upper bound",
    location="section 4 (after Assumption 1); Appendix B.4",
    says="Adaptive optimizers such as Adam also satisfy Assumption 1: |A(x) - A(y)|^2 <= h |x - y|^2 with some h < 1.",
    reading="The weakest form: A brings any two different points strictly nearer. One local step on a quadratic in d "
    "= 1, no noise, eta and eps in (0, 1] (the paper's experiments use eps = 1e-7).",
    severity="missing-hypothesis",
    domain=Domain(instance, grid(k=(1,)), "F = lam t^2/2 in d = 1, one step"),
    hypotheses=VALID,
    printed=claim_of(printed),
    corrected=claim_of(
        contracting,
        prove=prove,
        domain=Domain(cautious, grid(k=(1,)), "F = lam t^2/2 in d = 1, one step, eta lam/2 < eps <= 3/2 eta lam"),
        given=(*VALID, CAUTIOUS),
    ),
    note="Missing are a bound on the gradients and an eps that is not small: with eps < eta lam/2 points near "
    "the minimum move apart, as Adam's step has nearly one length. Even with large eps no h < 1 serves all "
    "x, y in R^d, as Assumption 1 asks: far out all points move alike. The paper's evidence is one ratio measured "
    "between two starting points.",
)

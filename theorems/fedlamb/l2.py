"""LAMB Lemma 2: from the average of local gradients to the gradient at the average model."""

from theorems.fedlamb.common import need, positive, share, sign, total
from theorems.fedlamb.common_gap import prove_gap
from theorems.vocabulary import *


def instance(cursor: Cursor, n: int, T: int) -> Instance:
    """d = 1: f_i' = a_i (x - c_i), T steps of length alpha phi along -sign(f_i'), from x; v-hat = root^2 >= v0."""
    nb = cursor.nb
    L = 2 * positive(cursor)
    a = [L * positive(cursor) for _ in range(n)]
    c = [4 * cursor.take() - 2 for _ in range(n)]
    x, root_0 = cursor.take() - 2 * cursor.take(), positive(cursor)
    root = root_0 * (1 + cursor.take())
    alpha, phi, beta2 = positive(cursor), positive(cursor), share(cursor)
    y, sizes, gradients = [], [], []
    for a_i, c_i in zip(a, c, strict=True):
        here = x
        for _ in range(T):
            gradients.append(a_i * (here - c_i))
            here = here - alpha * phi * sign(nb, gradients[-1])
        y.append(here)
        sizes.append(nb.abs(a_i * (here - c_i)))
    M = total([nb.abs(g) for g in gradients] + sizes)
    return Instance(
        nb=nb, n=n, T=T, L=L, a=a, c=c, x=x, root=root, root_0=root_0, alpha=alpha, phi=phi, beta2=beta2, y=y, M=M,
        met=[g * g for g in gradients],
    )  # fmt: skip


def sides(s: Instance) -> tuple[Any, Any]:
    """|average of the local gradients / sqrt(v)|^2 and |gradient at the average / sqrt(v)|^2."""
    mean = total(s.y) / s.n
    local = total([a * (y - c) for a, y, c in zip(s.a, s.y, s.c, strict=True)]) / s.n
    average = total([a * (mean - c) for a, c in zip(s.a, s.c, strict=True)]) / s.n
    return local**2 / s.root**2, average**2 / s.root**2


def printed(s: Instance) -> list[Comparison]:
    r"""the printed lower bound

    \Big\|\frac{\bar\nabla f(\theta_r)}{\sqrt{v_r^t}}\Big\|^2%
      \ge\frac12\Big\|\frac{\nabla f(\bar\theta_r)}{\sqrt{v_r^t}}\Big\|^2%
      -\bar L\alpha^2M^2\phi_M^2\frac{(1-\beta_2)p}{v_0}
    """
    local, average = sides(s)
    slack = s.L * s.alpha**2 * s.M**2 * s.phi**2 * (1 - s.beta2) / s.root_0**2
    return [that(average / 2) <= local + slack]


def corrected(s: Instance) -> list[Comparison]:
    r"""with L^2 alpha^2 T^2 phi_M^2 h / v0 subtracted; so the printed bound stands where M^2 (1 - beta_2) p >= L T^2 h

    \Big\|\frac{\bar\nabla f(\theta_r)}{\sqrt{v_r^t}}\Big\|^2%
      \ge\frac12\Big\|\frac{\nabla f(\bar\theta_r)}{\sqrt{v_r^t}}\Big\|^2%
      -\frac{\bar L^2\alpha^2T^2\phi_M^2\mathsf h}{v_0}
    """
    local, average = sides(s)
    return [that(average / 2) <= local + (s.L * s.alpha * s.T * s.phi) ** 2 / s.root_0**2]


def young(s: Instance) -> list[Comparison]:
    r"""Young's inequality

    \|a\|^2\ge\tfrac12\|b\|^2-\|a-b\|^2
    """
    mean = total(s.y) / s.n
    apart = total([a * (y - mean) for a, y in zip(s.a, s.y, strict=True)]) / s.n / s.root
    local, average = sides(s)
    return [that(average / 2) <= local + apart**2]


def smooth(s: Instance) -> list[Comparison]:
    r"""the second step with Lemma 1's gap itself: L is not squared and 1/v is lost

    \Big\|\frac{\bar\nabla f(\theta_r)-\nabla f(\bar\theta_r)}{\sqrt{v}}\Big\|^2\le\bar L\|\bar\theta_r-\theta_{r,i}\|^2

    The difference of gradients by the gap itself, with L-bar and one v0 as printed.
    """
    mean = total(s.y) / s.n
    apart = total([a * (y - mean) for a, y in zip(s.a, s.y, strict=True)]) / s.n / s.root
    gap = total([(y - mean) ** 2 for y in s.y]) / s.n
    return [that(apart**2) <= s.L * gap]


def prove_young() -> None:
    """z3: b^2 <= 2 a^2 + 2 (a - b)^2, coordinate by coordinate."""
    a, b = reals("a b")
    smt([], a * a >= b * b / 2 - (a - b) * (a - b))


def prove() -> None:
    """z3: Young's inequality; Jensen and smoothness bound |mean_i (grad f_i(theta_i) - grad f_i(theta-bar))|^2 by L^2
    times the mean of |theta_i - theta-bar|^2, which is at most the mean square distance from the round's start, alpha^2
    T^2 phi_M^2 h; division by v-hat >= v0.
    """
    prove_young()
    prove_gap()
    L, apart, gap, v, v0, R, e = reals("L apart gap v v0 R e")
    smt([L >= 0, gap >= 0, v >= v0, v0 > 0, apart <= L * L * gap, e * v == apart, apart >= 0], e * v0 <= L * L * gap)
    smt([L >= 0, gap <= R, e * v0 <= L * L * gap, v0 > 0], e * v0 <= L * L * R)


STATEMENT = Statement(
    kind="upper bound",
    location="Lemma 2, section 4.1 (and B.1)",
    says="|average of local gradients / sqrt v|^2 >= 1/2 |grad f(theta-bar) / sqrt v|^2 - L alpha^2 M^2 phi_M^2 "
    "(1 - beta_2) p / v0.",
    reading="The left side is the average of grad f_i at the local models; v0 as in LAMB.L1; one layer of one "
    "coordinate, phi constant. M bounds every gradient that occurs.",
    severity="substantive",
    domain=Domain(instance, grid(n=(1, 2, 3), T=(1, 2, 4)), "quadratics in d = 1, phi constant"),
    hypotheses=(
        need("no gradient on the way is 0 (else 0/0)", lambda s: [(square, ">", 0) for square in s.met]),
        need("alpha, phi, v0, a_i > 0", lambda s: [(v, ">", 0) for v in (s.alpha, s.phi, s.root_0, *s.a)]),
        need("a_i <= L (H1)", lambda s: [(a, "<=", s.L) for a in s.a]),
        need("gradients stay below M (H2)", lambda s: [(square, "<=", s.M * s.M) for square in s.met]),
        need("0 < beta_2 < 1", lambda s: [(s.beta2, ">", 0), (s.beta2, "<", 1)]),
    ),
    printed=claim_of(printed),
    corrected=claim_of(corrected, prove=prove),
    steps=(
        Step(
            "|a|^2 >= |b|^2/2 - |a - b|^2, 'due to the Cauchy-Schwarz inequality'", claim_of(young, prove=prove_young)
        ),
        Step(
            "|mean of grad f_i(theta_i) - grad f_i(theta-bar)|^2 / v <= L times the gap",
            claim_of(smooth),
            "L^2 times the gap, over v0",
        ),
    ),
    note="The appendix prints the same expression on both sides (bars lost). It inherits Lemma 1's error, too.",
)

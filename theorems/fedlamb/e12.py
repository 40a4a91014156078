"""LAMB (12): the distance of the gradient to the clients' normalised gradients, in two parts."""

from theorems.fedlamb.common import boxed, need, total
from theorems.vocabulary import *

POINTS: Domain = boxed(
    "one coordinate: gradients at theta~, at theta-bar, at the local models, and normalised ones",
    grid(n=(1, 2, 3)),
    ahead=(1, -1),
    here=(-1, 1),
    local=(1, -1, "n"),
    bent=(0, 2, "n"),
    root=(1, "1/10"),
    L=(2, "1/10"),
    apart=(1, "1/10"),
)


def printed(s: Instance) -> list[Comparison]:
    r"""at most 4/n (B_1 + B_2)

    \frac2n\sum_i\Big\|\frac{\nabla f(\bar\theta_t)-\bar g_{t,i}}{\hat v_t^{1/4}}\Big\|^2\le\frac4n(B_1+B_2),\ %
      B_1=\sum_i\Big\|\frac{\nabla f(\bar\theta_t)-\nabla f(\theta_{t,i})}{\hat v_t^{1/4}}\Big\|^2,\ %
      B_2=\sum_i\Big\|\frac{\nabla f(\theta_{t,i})-\bar g_{t,i}}{\hat v_t^{1/4}}\Big\|^2
    """
    left = 2 * total([(s.here - g) ** 2 for g in s.bent]) / s.n
    B1 = total([(s.here - f) ** 2 for f in s.local])
    B2 = total([(f - g) ** 2 for f, g in zip(s.local, s.bent, strict=True)])
    return [that("(12)", left / s.root) <= 4 * (B1 + B2) / (s.n * s.root)]


def jensen(s: Instance) -> list[Comparison]:
    r"""Jensen, then Young

    \|\nabla f-\bar g\|^2\le\frac1n\sum_i\|\nabla f-\bar g_i\|^2
    """
    mean = total([s.ahead - g for g in s.bent]) / s.n
    squares = total([(s.ahead - g) ** 2 for g in s.bent]) / s.n
    parts = 2 * (s.ahead - s.here) ** 2 + 2 * total([(s.here - g) ** 2 for g in s.bent]) / s.n
    return [that("mean", mean**2) <= squares, that("parts", squares) <= parts]


def smooth(s: Instance) -> list[Comparison]:
    r"""smoothness gives L^2

    \|\nabla f_i(\bar\vartheta)-\nabla f_i(\bar\theta)\|^2\le L\|\bar\vartheta-\bar\theta\|^2

    Curvature L everywhere: |f'(theta~) - f'(theta-bar)|^2 = L^2 |theta~ - theta-bar|^2.
    """
    return [that(2 * (s.L * s.apart) ** 2 / s.root) <= 2 * s.L * s.apart**2 / s.root]


def prove() -> None:
    """z3: (x + y)^2 <= 2 x^2 + 2 y^2 for each client and coordinate."""
    x, y = reals("x y")
    smt([], (x + y) * (x + y) <= 2 * x * x + 2 * y * y)


def prove_jensen() -> None:
    """z3: Jensen (two points, more by induction), then (x + y)^2 <= 2 x^2 + 2 y^2."""
    prove()
    x, y, w = reals("x y w")
    smt([0 <= w, w <= 1], (w * x + (1 - w) * y) ** 2 <= w * x * x + (1 - w) * y * y)


STATEMENT = Statement(
    kind="upper bound",
    location="(12) and the displays before it, B.2",
    says="2/n sum |grad f(theta-bar) - g-bar_i|^2 <= 4/n (B_1 + B_2), all over v^(1/2).",
    reading="4/n multiplies both sums (the printed bracket closes behind B_1).",
    domain=POINTS,
    hypotheses=(need("v > 0", lambda s: [(s.root, ">", 0)]),),
    printed=claim_of(printed, prove=prove),
    steps=(
        Step(
            "|grad f - g-bar|^2 <= 1/n sum |grad f - g-bar_i|^2 <= 2/n sum (... + ...)",
            claim_of(jensen, prove=prove_jensen),
        ),
        Step(
            "beside the proof: 2/n sum |(grad f_i(theta~) - grad f_i(theta-bar))/v^(1/4)|^2 <= 2/(n sqrt v0) sum L "
            "|theta~ - theta-bar|^2",
            claim_of(smooth),
            "L^2 in the place of L",
        ),
    ),
)

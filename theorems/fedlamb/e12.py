"""LAMB (12): the distance of the gradient to the clients' normalised gradients, in two parts."""

from theorems.bridges import mean_square, sums
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


def _young(proof: Derivation, s: Instance, far: Any, near: Any, bent: Any) -> tuple[Any, Any]:
    """sum |far - g_i|^2 <= 2 sum |far - near_i|^2 + 2 sum |near_i - g_i|^2: the last two sums."""
    x, y = reals("x y")
    first, second = far - near, near - bent
    proof.leaf("Young", [], (x + y) * (x + y) <= 2 * (x * x) + 2 * (y * y), x=first, y=second)
    proof.cross(sums, "over clients", low=(far - bent) * (far - bent), high=2 * (first * first) + 2 * (second * second))
    return (first * first).sum(axis=-1), (second * second).sum(axis=-1)


def derive(proof: Derivation, s: Instance) -> None:
    """(x + y)^2 <= 2 x^2 + 2 y^2 for each client and coordinate."""
    X, P, Q, r, n = reals("X P Q root n")
    here, local, bent = s.here[..., None], np.stack(s.local, -1), np.stack(s.bent, -1)
    B1, B2 = _young(proof, s, here, local, bent)
    proof.setting("n >= 1", s.n, 1)
    proof.leaf("over sqrt v", [X <= 2 * P + 2 * Q, 0 < r, n >= 1], 2 * X / n / r <= 4 * (P + Q) / (n * r), P=B1, Q=B2,
               X=((here - bent) * (here - bent)).sum(axis=-1), root=s.root, n=s.nb.number(s.n))  # fmt: skip


def derive_jensen(proof: Derivation, s: Instance) -> None:
    """Jensen, then (x + y)^2 <= 2 x^2 + 2 y^2."""
    X, P, Q, n = reals("X P Q n")
    ahead, here, bent = s.ahead[..., None], s.here[..., None], np.stack(s.bent, -1)
    proof.cross(mean_square, "Jensen", values=ahead - bent)
    first, second = _young(proof, s, ahead, here + 0 * bent, bent)
    proof.setting("n >= 1", s.n, 1)
    proof.leaf("divided", [X <= 2 * P + 2 * Q, n >= 1], X / n <= 2 * (P / n) + 2 * Q / n, P=first, Q=second,
               X=((ahead - bent) * (ahead - bent)).sum(axis=-1), n=s.nb.number(s.n))  # fmt: skip


STATEMENT = Statement(
    kind="upper bound",
    location="(12) and the displays before it, B.2",
    says="2/n sum |grad f(theta-bar) - g-bar_i|^2 <= 4/n (B_1 + B_2), all over v^(1/2).",
    reading="4/n multiplies both sums (the printed bracket closes behind B_1).",
    domain=POINTS,
    hypotheses=(need("v > 0", lambda s: [(s.root, ">", 0)]),),
    printed=claim_of(printed, derive=derive),
    steps=(
        Step(
            "|grad f - g-bar|^2 <= 1/n sum |grad f - g-bar_i|^2 <= 2/n sum (... + ...)",
            claim_of(jensen, derive=derive_jensen),
        ),
        Step(
            "beside the proof: 2/n sum |(grad f_i(theta~) - grad f_i(theta-bar))/v^(1/4)|^2 <= 2/(n sqrt v0) sum L "
            "|theta~ - theta-bar|^2",
            claim_of(smooth),
            "L^2 in the place of L",
        ),
    ),
)

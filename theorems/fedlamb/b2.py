"""LAMB B.2: the bound on E[B_2], the distance of gradients to normalised gradients."""

from theorems.fedlamb.common import need, positive, share, sign, total
from theorems.vocabulary import *


def instance(cursor: Cursor, n: int, h: int) -> Instance:
    """n equal clients, h layers of one coordinate; g_l = F_l +- nu (each with probability 1/2); v-hat = v0 <= M^2."""
    F = [1 - 2 * cursor.take() for _ in range(h)]
    nu = cursor.take()
    M = total([cursor.nb.abs(f) + nu for f in F])
    return Instance(
        nb=cursor.nb, n=n, h=h, F=F, nu=nu, sigma=nu + (1 + cursor.take()) / 20, M=M, root=M * positive(cursor),
        phi=10 * positive(cursor), beta2=share(cursor),
    )  # fmt: skip


def outcomes(s: Instance, f: Scalar) -> list[Any]:
    return [f + s.nu, f - s.nu]


def B_2(s: Instance) -> Any:
    """In d = 1 the normalised gradient phi g/|p| is phi sqrt(v) sign(g)."""
    each = [(f - s.phi * s.root * sign(s.nb, g)) ** 2 / s.root for f in s.F for g in outcomes(s, f)]
    return s.n * total(each) / 2


def printed(s: Instance) -> list[Comparison]:
    r"""the printed bound

    \mathbb E[B_2]\le\frac{nM^2}{\sqrt{v_0}}+n\phi_M^2\sqrt{M^2+p\sigma^2}%
      -2\phi_m\sqrt{\tfrac{1-\beta_2}{M^2p}}\sum_i\mathbb E\|\nabla f(\theta_{t,i})\|^2%
      +\phi_M\frac{\mathsf h\sigma^2}{\sqrt n}
    """
    root, p, n = s.nb.sqrt, s.h, s.n
    gain = 2 * s.phi * root((1 - s.beta2) / (s.M**2 * p)) * n * total([f * f for f in s.F])
    size = n * s.M**2 / s.root + n * s.phi**2 * root(s.M**2 + p * s.sigma**2)
    noise = s.phi * s.h * s.sigma**2 / root(s.M * 0 + n)
    return [that("E[B_2]", B_2(s) + gain) <= size + noise]


def corrected(s: Instance) -> list[Comparison]:
    r"""2 n (M^2/sqrt v0 + h phi_M^2 max sqrt(v-hat))

    \mathbb E[B_2]\le2n\Big(\frac{M^2}{\sqrt{v_0}}+\mathsf h\phi_M^2\max_j\sqrt{\hat v^j}\Big)
    """
    return [that("E[B_2]", B_2(s)) <= 2 * s.n * (s.M**2 / s.root + s.h * s.phi**2 * s.root)]


def sizes(s: Instance) -> list[Comparison]:
    r"""h normalised layers give h terms

    \sum_i\mathbb E\|\bar g_{t,i}/\hat v^{1/4}\|^2\le n\phi_M^2\sqrt{M^2+p\sigma^2}

    sum_i E|g-bar_i/v^(1/4)|^2 = n h phi^2 sqrt v.
    """
    bound = s.n * s.phi**2 * s.nb.sqrt(s.M**2 + s.h * s.sigma**2)
    return [that(s.n * s.h * s.phi**2 * s.root) <= bound]


def wrong_sign(s: Instance) -> list[Comparison]:
    r"""the modulus of the gradient and the factor sqrt v are lost

    -\mathbb E[\phi\nabla f\tfrac g{\|p\|}1(\cdot)]\le\phi_M\nabla f\,\mathbb P[\cdot]

    Layer 1: -E[phi F g/|p| 1(signs differ)] = phi |F| sqrt v P, against phi F P, P = 1/2 (nu > |F|).
    """
    f = s.F[0]
    return [that(s.phi * s.nb.abs(f) * s.root / 2) <= s.phi * f / 2]


def probability(s: Instance) -> list[Comparison]:
    r"""P <= sigma/|grad f| gives n p sigma; one client's sign is not helped by the others (no 1/sqrt n)

    \sum_i\sum_{\ell,j}\phi_M|\nabla f^j|\,\mathbb P[\cdot]\le\phi_M\frac{\mathsf h\sigma^2}{\sqrt n}

    n sum_l phi |F_l| P[signs differ] <= phi h sigma^2/sqrt n, where nu > |F_l|: P = 1/2.
    """
    left = s.n * total([s.phi * s.nb.abs(f) for f in s.F]) / 2
    return [that(left) <= s.phi * s.h * s.sigma**2 / s.nb.sqrt(s.M * 0 + s.n)]


def noisy(cursor: Cursor, n: int, h: int) -> Instance:
    s = instance(cursor, n, h)
    F = [f * s.nu * 9 / 10 for f in s.F]
    M = total([s.nb.abs(f) + s.nu for f in F])
    return Instance(**{**vars(s), "F": F, "M": M, "root": M * s.root / s.M})


def prove() -> None:
    """z3: (x - y)^2 <= 2 x^2 + 2 y^2; |grad f/v^(1/4)|^2 <= M^2/sqrt v0; and in each layer |g/v^(1/4)|^2 <= V
    |g/v^(1/2)|^2, so that the normalised layer has at most phi_M^2 V, V the largest sqrt(v-hat); h layers add up.
    """
    x, y, r, V, g = reals("x y r V g")
    smt([], (x - y) * (x - y) <= 2 * x * x + 2 * y * y)
    smt([0 < r, r <= V], g * g / r <= V * (g * g / (r * r)))


GIVEN = (
    need("gradients are not 0", lambda s: [(g * g, ">", 0) for f in s.F for g in outcomes(s, f)]),
    need("phi, sigma - nu, v0 > 0", lambda s: [(v, ">", 0) for v in (s.phi, s.sigma - s.nu, s.root)]),
    need(
        "gradients are at most M (H2)",
        lambda s: [(total([s.nb.abs(f) + s.nu for f in s.F]), "<=", s.M), (s.nu, ">=", 0)],
        role="what M is",
    ),
    need("0 < beta_2 < 1, v-hat <= M^2", lambda s: [(s.beta2, ">", 0), (s.beta2, "<", 1), (s.root, "<=", s.M)]),
)
NOISY = Domain(noisy, grid(n=(1, 2), h=(1, 2)), "noise larger than the gradient: signs differ with probability 1/2")

STATEMENT = Statement(
    kind="upper bound",
    location="E[B_2], B.2",
    says="E[B_2] <= n M^2/sqrt v0 + n phi_M^2 sqrt(M^2 + p sigma^2) - 2 phi_m sqrt((1-beta_2)/(M^2 p)) sum E|grad "
    "f|^2 + phi_M h sigma^2/sqrt n, for beta_1 = 0.",
    reading="phi constant; layers of one coordinate, where phi g/|p| = phi sqrt(v) sign(g); two-point noise; v-hat = "
    "v0 <= M^2.",
    severity="substantive",
    domain=Domain(instance, grid(n=(1, 2, 5), h=(1, 2, 4, 10)), "equal clients, h layers of one coordinate, noise +- "
                                                                "nu"),
    hypotheses=GIVEN,
    printed=claim_of(printed),
    corrected=claim_of(corrected, prove=prove),
    steps=(
        Step(
            "sum E|g-bar_i/v^(1/4)|^2 <= n phi_M^2 sqrt(M^2 + p sigma^2)",
            claim_of(sizes),
            "n h phi_M^2 max sqrt(v-hat)",
        ),
        Step(
            "-E[phi grad f g/|p| 1(signs differ)] <= phi_M grad f P[signs differ]",
            claim_of(wrong_sign, domain=NOISY, given=GIVEN),
            "phi_M |grad f| sqrt(v-hat) P[signs differ]",
        ),
        Step(
            "sum over clients and coordinates of phi |grad f| P[signs differ] <= phi_M h sigma^2/sqrt n",
            claim_of(probability, domain=NOISY, given=GIVEN),
            "phi_M n p sigma",
        ),
    ),
    note="In the next display of the paper the B_1 term has alpha^4 and the bracket has lost alpha. Also with v-hat = "
    "g^2 the h layers add up to sum |g_l| > |g|. B_2 does not become small: its two parts have unrelated lengths, so "
    "that (11) cannot give a rate.",
)  # fmt: skip

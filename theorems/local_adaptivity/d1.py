"""LA section 4: one differing factor, and a gap that does not vanish."""

from theorems.local_adaptivity.common import WEIGHTS, batch_one, positive
from theorems.local_adaptivity.common_quadratic import (
    POSITIVE,
    STABLE,
    gradients,
    limit_point,
    limit_weights,
    minimizer,
)
from theorems.vocabulary import *


def instance(cursor: Cursor, n: int, factor: str) -> Instance:
    """Equal curvature 1; only ``factor`` differs between clients. With n = 3 the third factor lies in between."""
    one = batch_one(cursor)
    first, second = one, positive(cursor, 1e-3) / 2
    if n == 3:  # weights 1/4, 1/4, 1/2: x* = 0, and these weighted gradients cancel
        t = cursor.take()
        third = t * first + (1 - t) * second
        x = np.stack([2 * t, 2 - 2 * t, -one], -1)
        values = np.stack([first, second, third], -1)
    else:
        x = np.stack([one * 0, -positive(cursor, 1e-3)], -1)
        values = np.stack([first, second], -1)
    rest = np.stack([one] * n, -1)
    tau = (1, 2) if factor == "tau" and n == 2 else (1, 3, 2) if factor == "tau" else (1,) * n
    if factor == "tau" and n == 3:
        x = np.stack([one, one, -one], -1)
    w = np.stack([one / 4, one / 4, one / 2] if n == 3 else [one / 2, one / 2], -1)
    fields = {name: values if name == factor else rest for name in ("P", "eta")}
    return Instance(nb=cursor.nb, n=n, tau=tau, steps=str(tau), H=rest, x=x, w=w, **fields)


def printed(s: Instance) -> list[Comparison]:
    r"""the limit is not x*

    \lim_{\eta\to0}\tilde x\ne x^*
    """
    x = minimizer(s)
    return [that("gap as eta -> 0", s.nb.abs(limit_point(s) - x)) > x * 0]


def corrected(s: Instance) -> list[Comparison]:
    r"""with two clients in d = 1 whose minimizers differ: a gap exactly if the products gamma_i tau_i P_i differ

    \lim_{\eta\to0}\tilde x-x^*=\frac{w_1w_2H_1H_2(b_2-b_1)(x_2^*-x_1^*)}{\sum w_ib_iH_i\sum w_iH_i},\ %
      b_i=\gamma_i\tau_iP_i

    Two clients: lim - x* = (b_2 - b_1) w_1 w_2 H_1 H_2 (x_2 - x_1) / (sum w b H sum w H).
    """
    b, x = limit_weights(s), minimizer(s)
    g = gradients(s, x)
    pull = (s.w * b * s.H).sum(axis=-1) * (s.w * s.H).sum(axis=-1)
    spread = s.w[:, 0] * s.w[:, 1] * s.H[:, 0] * s.H[:, 1] * (s.x[:, 1] - s.x[:, 0])
    return [
        that("gap", pull * (limit_point(s) - x)) == (b[:, 1] - b[:, 0]) * spread,
        that("gradients cancel", (s.w * g).sum(axis=-1)) == x * 0,
    ]


def prove() -> None:
    """sympy and z3: For two clients in d = 1 the limit of x~ differs from x* by (b_2 - b_1)(x_2* - x_1*) times a
    positive number, b_i = gamma_i tau_i P_i: the gap vanishes only if the products b_i agree or the minimizers do.
    """
    w, H1, H2, x1, x2, b1, b2 = sympy.symbols("w H1 H2 x1 x2 b1 b2", positive=True)
    v = 1 - w
    low, mean = w * H1 + v * H2, w * b1 * H1 + v * b2 * H2
    gap = (w * b1 * H1 * x1 + v * b2 * H2 * x2) / mean - (w * H1 * x1 + v * H2 * x2) / low
    identity((gap * mean * low, (b2 - b1) * w * v * H1 * H2 * (x2 - x1)))
    p, q, r = reals("p q r")
    smt([p != 0, q > 0, r > 0], p * q * r != 0)


def _heterogeneous(s: Instance) -> list[Comparison]:
    g = s.nb.abs(gradients(s, minimizer(s)))
    b = limit_weights(s)
    return [
        *(that(f"gradient {i}", g[:, i]) > g[:, i] * 0 for i in range(s.n)),
        that("one factor differs", s.nb.abs(b[:, 0] - b[:, 1])) > b[:, 0] * 0,
    ]


def choices(*sizes: int) -> tuple[dict[str, Any], ...]:
    return tuple({"n": n, "factor": f} for n in sizes for f in ("P", "eta", "tau"))


def fast(cursor: Cursor, n: int, factor: str) -> Instance:
    s = instance(cursor, n, factor)
    s.eta = 3 * s.eta
    return s


def alike(cursor: Cursor, n: int, factor: str) -> Instance:
    s = instance(cursor, n, factor)
    s.x = s.x * 0
    return s


STATEMENT = Statement(
    kind="necessity",
    location="section 4, after Theorem 2",
    says="As long as one of the factors (client rate, number of local steps, preconditioner) differs across clients, "
    "there is a gap between x~ and x* that does not vanish as eta -> 0.",
    reading="Exactly one factor differs; the clients are heterogeneous (no grad F_i(x*) is 0). d = 1, H_i = 1. The "
    "third of three clients is put where the weighted gradients may cancel.",
    severity="missing-hypothesis",
    headline=True,
    domain=Domain(instance, choices(2, 3), "two or three clients in d = 1 with H = 1, one factor differs"),
    hypotheses=(
        POSITIVE,
        WEIGHTS,
        replace(STABLE, without=Domain(fast, choices(2), "eta P H up to 3")),
        Hypothesis(
            "heterogeneous, and one factor differs", _heterogeneous, Domain(alike, choices(2), "equal minimizers")
        ),
    ),
    printed=claim_of(printed),
    corrected=claim_of(corrected, prove=prove, domain=Domain(instance, choices(2), "two clients in d = 1")),
    note="True for almost all clients; what is missing is that the weighted gradients do not cancel. In general the "
    "gap vanishes exactly if sum w gamma_i tau_i P_i grad F_i(x*) = 0: a set of measure zero, "
    "which three clients in d = 1, or two in d = 2 with (P_1 - P_2) grad F_1(x*) = 0, can meet. Two factors can also "
    "balance: gamma_1 tau_1 = gamma_2 tau_2. See LA.D1b (M_i = M_j), LA.D1c (ideal) and LA.D1d (common "
    "preconditioners).",
)

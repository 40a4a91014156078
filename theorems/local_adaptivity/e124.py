"""LA (124): how far a local iterate is from the global one, with and without momentum."""

from theorems.local_adaptivity.a1 import weights
from theorems.local_adaptivity.common import between, coordinates
from theorems.local_adaptivity.common_optimizers import (
    OPTIMIZERS,
    against_vectors,
    gradient,
    local_steps,
    optimizer_instance,
)
from theorems.vocabulary import *


def moves(s: Instance) -> tuple[list[Any], list[Any]]:
    """(x - x^(k), B^(k) grad F(x^(k))) for every k, B^(k) as (96) has it: of the whole round."""
    s = against_vectors(s)
    found = [local_steps(Instance(**{**vars(s), "tau": k}), lambda y, _: gradient(s, y)) for k in range(s.tau + 1)]
    gradients, scales, _ = found[-1]
    return [change for _, _, change in found[1:]], [b * g for b, g in zip(weights(s, scales), gradients, strict=True)]


def printed(s: Instance) -> list[Comparison]:
    r"""the local change is the sum of the first k terms of (96), and at most k eta G

    \Delta_i^{(t,k)}=\eta_i\sum_{s=0}^{k-1}B_i^{(t,s)}\nabla F_i(x_i^{(t,s)}),\quad%
      \|\Delta_i^{(t,k)}\|^2\le k^2\eta_i^2G^2
    """
    changes, terms = moves(s)
    equal = [
        c
        for k, change in enumerate(changes, start=1)
        for c in coordinates(f"k = {k}:", change, s.eta[:, None] * sum(terms[:k]))
    ]
    return [*equal, *corrected(s)]


def corrected(s: Instance) -> list[Comparison]:
    r"""the bound alone: with momentum the change after k steps has smaller weights than (96)'s, except for k = tau

    \|\Delta_i^{(t,k)}\|^2\le k^2\eta_i^2G^2
    """
    changes, terms = moves(s)
    sizes = np.stack([(term**2).sum(axis=-1) for term in terms], -1)
    G2 = s.nb.largest(sizes)
    return [
        that(f"bound, k = {k}", (change**2).sum(axis=-1)) <= k**2 * s.eta**2 * G2
        for k, change in enumerate(changes, start=1)
    ]


def prove() -> None:
    """z3: The change after k steps is eta sum_{s < k} B' g_s with the weights B' = sum_{s <= j < k} (1 - beta)
    beta^(j-s) P_j, the first of the sum that makes B^(s): diagonal and 0 <= B' <= B^(s), so |B' g_s| <= |B^(s) g_s| <=
    G, and the triangle inequality adds k of them.
    """
    b, more, g, total, G, k = reals("b more g total G k")
    smt([b >= 0, more >= 0], b * b * g * g <= (b + more) * (b + more) * g * g)
    smt([0 <= total, total <= k * G, 0 <= g, g <= G], total + g <= (k + 1) * G)
    smt([0 <= total, total <= k * G, k >= 0, G >= 0], total * total <= (k * G) * (k * G))


def _ranges(s: Instance) -> list[Comparison]:
    return [that("beta1 < 1", s.beta1) < s.beta1 * 0 + 1, that("beta1", s.beta1) >= s.beta1 * 0]


def overdone(cursor: Cursor, optimizer: str, tau: int, d: int) -> Instance:
    """beta1 up to 3."""
    s = optimizer_instance(cursor, optimizer, tau, d)
    s.beta1 = 3 * s.beta1
    return s


CHOICES = tuple({"optimizer": o, "tau": t, "d": d} for d in (1, 2) for t in (1, 2, 3) for o in OPTIMIZERS)
ADAM = grid(optimizer=("adam", "momentum"), tau=(2, 3), d=(1,))

STATEMENT = Statement(
    kind="upper bound",
    location="(124), Appendix F, with (96)",
    says="|x^(t) - x_i^(t,k)|^2 = eta^2 |sum_{s < k} B^(t,s) grad F_i(x^(t,s))|^2 <= k^2 eta^2 G^2, for every "
    "optimizer whose change over the round is (96).",
    reading="B^(t,s) is (96)'s, of the whole round, and G bounds the |B^(t,s) grad F_i(x^(t,s))| (Assumption 5). "
    "Optimizers: those of Algorithm 1.",
    severity="missing-hypothesis",
    domain=Domain(optimizer_instance, CHOICES, "one client in d <= 2 running SGD, AdaGrad, momentum or Adam, tau <= 3"),
    hypotheses=(
        Hypothesis("0 <= beta1 < 1", _ranges, Domain(overdone, ADAM, "beta1 up to 3")),
        between("eta > 0", lambda s: s.eta, 0, role="a rate"),
        between("v_0 > 0", lambda s: s.v0, 0, role="the first preconditioner is 1/sqrt(v)"),
        between("0 <= beta2 <= 1", lambda s: s.beta2, 0, 1, "[]", role="v, a mean of squares, must not be negative"),
    ),
    printed=claim_of(printed),
    corrected=claim_of(corrected, prove=prove),
    note="As printed it is true without momentum (SGD, AdaGrad): then B^(t,s) is the preconditioner of step s alone. "
    "With momentum a gradient's weight goes on growing until the round ends. Theorem 3 uses the bound only, which "
    "stands for diagonal preconditioners.",
)

"""LA section 4: one differing factor, and a gap that does not vanish."""

from theorems.local_adaptivity.common import WEIGHTS, batch_one, coordinates, positive
from theorems.local_adaptivity.common_matrices import (
    LIMIT,
    POSITIVE,
    apply,
    first_order,
    preconditioned,
    rest,
    slopes,
)
from theorems.local_adaptivity.lemmas import gap_of_two, gap_stays
from theorems.vocabulary import *

ALONE = ("eta", "tau")  # factors whose difference is a number times the common preconditioner


def instance(cursor: Cursor, n: int, factor: str, d: int) -> Instance:
    """Only ``factor`` differs between clients ("all": everything does)."""
    if n == 3:
        return cancelling(cursor, factor)
    s = preconditioned(cursor, (1, 2) if factor in ("tau", "all") else (2, 2), d)
    P, frames, eta = (x[:, :1] + 0 * x for x in (s.P, s.frames.R, s.eta))
    common = {"P": P, "frames": Instance(R=frames)} if factor in ALONE else {}
    common |= {} if factor in ("eta", "all") else {"eta": eta}
    return Instance(**{**vars(s), **common, "factor": factor})


def cancelling(cursor: Cursor, factor: str) -> Instance:
    """Three clients in d = 1, curvature 1, weights 1/4, 1/4, 1/2: x* = 0, and the weighted gradients cancel there."""
    one, t, half = batch_one(cursor), cursor.take(), positive(cursor, 1e-3) / 2
    values = np.stack([one, half, t + (1 - t) * half], -1)
    c = np.stack([one, one, -one] if factor == "tau" else [2 * t, 2 - 2 * t, -one], -1)
    w, ones = np.stack([one / 4, one / 4, one / 2], -1), np.stack([one] * 3, -1)
    R = ones[..., None, None]
    p = Population(cursor.nb, ones[..., None], R, c[..., None], w)
    tau = (1, 3, 2) if factor == "tau" else (1, 1, 1)
    P, eta = (values if factor == name else ones for name in ("P", "eta"))
    settings = {"nb": cursor.nb, "n": 3, "d": 1, "tau": tau, "steps": str(tau), "factor": factor}
    return Instance(**settings, p=p, P=P[..., None], frames=Instance(R=R), eta=eta)


def limit(s: Instance) -> Any:
    """The limit (8)."""
    return rest(s, first_order(s) @ s.p.A)


def printed(s: Instance) -> list[Comparison]:
    r"""the limit is not x*

    \lim_{\eta\to0}\tilde x\ne x^*
    """
    gap = s.nb.length(limit(s) - s.p.minimizer)
    return [that("gap as eta -> 0", gap) > gap * 0]


def corrected(s: Instance) -> list[Comparison]:
    r"""with two clients: a gap wherever their rates or numbers of steps differ alone, and else exactly if
    (gamma_1 tau_1 P_1 - gamma_2 tau_2 P_2) grad F_1(x*) is not 0

    \Big(\sum_iw_i\gamma_i\tau_iP_iH_i\Big)\big(\lim_{\eta\to0}\tilde x-x^*\big)%
      =-w_1(\gamma_1\tau_1P_1-\gamma_2\tau_2P_2)\nabla F_1(x^*)
    """
    B, x, far = first_order(s), s.p.minimizer, limit(s)
    turned = apply(B[:, 0] - B[:, 1], slopes(s, x)[:, 0])
    gap = s.nb.length(far - x)
    return [
        *coordinates("gap", apply(s.p.mean(B @ s.p.A), far - x), -s.p.w[:, 0][..., None] * turned),
        *([that("rates or steps alone", gap) > gap * 0] if s.factor in ALONE else []),
    ]


def derive(proof: Derivation, s: Instance) -> None:
    """w_2 grad F_2(x*) = -w_1 grad F_1(x*) in x~'s equation; a common P leaves no direction out."""
    gap_of_two(proof, s)
    if s.factor in ALONE:
        gap_stays(proof, s)


def _heterogeneous(s: Instance) -> list[Comparison]:
    g = s.nb.length(slopes(s, s.p.minimizer))
    B, rates = first_order(s), s.eta * np.array(s.tau, dtype=object if s.nb.exact else float)
    apart = s.nb.abs(rates[:, 0] - rates[:, 1]) if s.factor in ALONE else s.nb.largest(s.nb.abs(B[:, 0] - B[:, 1]), 2)
    return [
        *(that(f"gradient {i}", g[:, i]) > g[:, i] * 0 for i in range(s.n)),
        that("one factor differs", apart) > apart * 0,
    ]


def alike(cursor: Cursor, n: int, factor: str, d: int) -> Instance:
    s = instance(cursor, n, factor, d)
    return Instance(**{**vars(s), "p": replace(s.p, c=s.p.c * 0)})


HETEROGENEOUS = Hypothesis(
    "heterogeneous, and one factor differs",
    _heterogeneous,
    Domain(alike, grid(n=(2,), factor=("P", *ALONE), d=(1,)), "equal minimizers"),
)
FACTORS = ("P", *ALONE)

STATEMENT = Statement(
    kind="necessity",
    location="section 4, after Theorem 2",
    says="As long as one of the factors (client rate, number of local steps, preconditioner) differs across clients, "
    "there is a gap between x~ and x* that does not vanish as eta -> 0.",
    reading="Exactly one factor differs; the clients are heterogeneous (no grad F_i(x*) is 0). The third of three "
    "clients is put where the weighted gradients may cancel.",
    severity="missing-hypothesis",
    headline=True,
    domain=Domain(
        instance,
        grid(n=(2, 3), factor=FACTORS, d=(1,)) + grid(n=(2,), factor=FACTORS, d=(2,)),
        "two clients in d <= 2, or three in d = 1, one factor differs",
    ),
    hypotheses=(POSITIVE, WEIGHTS, LIMIT, HETEROGENEOUS),
    printed=claim_of(printed),
    corrected=claim_of(
        corrected,
        domain=Domain(instance, grid(n=(2,), factor=(*FACTORS, "all"), d=(1, 2)), "two clients in d <= 2"),
        given=(POSITIVE, WEIGHTS, LIMIT, HETEROGENEOUS),
        derive=derive,
    ),
    note="True for almost all clients; what is missing is that the weighted gradients do not cancel. In general the "
    "gap vanishes exactly if sum w gamma_i tau_i P_i grad F_i(x*) = 0: a set of measure zero, "
    "which three clients in d = 1, or two in d = 2 with (P_1 - P_2) grad F_1(x*) = 0, can meet. Two factors can also "
    "balance: gamma_1 tau_1 = gamma_2 tau_2. See LA.D1b (M_i = M_j), LA.D1c (ideal) and LA.D1d (common "
    "preconditioners).",
)

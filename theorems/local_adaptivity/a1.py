"""LA Algorithm 1: does the printed N_i undo the weights of the local gradients?"""

from theorems.local_adaptivity.common import between
from theorems.local_adaptivity.common_optimizers import (
    OPTIMIZERS,
    local_steps,
    optimizer_instance,
    preconditioner,
)
from theorems.local_adaptivity.listing_algorithm_1 import client
from theorems.vocabulary import *


def weights(s: Instance, scales: list[Any]) -> list[Any]:
    """B^(j) of section 5: the weight of g_j in sum_k P_k m_k is sum_{k >= j} (1 - beta) beta^(k-j) P_k."""
    return [
        sum(((1 - s.beta1) * s.beta1 ** (k - j) * scales[k] for k in range(j, s.tau)), start=scales[0] * 0)
        for j in range(s.tau)
    ]


def expanded(s: Instance) -> tuple[Any, Any, Any]:
    """(change, eta sum B_j g_j, sum B_j)."""
    gradients, scales, change = local_steps(s, lambda y, k: s.H * y)
    B = weights(s, scales)
    return change, s.eta * sum(b * g for b, g in zip(B, gradients, strict=True)), sum(B)


def frozen(s: Instance) -> Any:
    """(change)/eta over the gradient when that stays what it is at x: the limit eta -> 0."""
    slow = type(s)(**{**vars(s), "eta": s.eta * 0 + 1})
    return local_steps(slow, lambda y, k: s.H * s.x)[2] / (s.H * s.x)


def printed(s: Instance) -> list[Comparison]:
    change, total, B = expanded(s)
    _, N = client(lambda y, k: s.H * y, s.x, s.eta, s.tau, s.beta1, preconditioner(s))
    _, at_rest = client(lambda y, k: s.H * s.x, s.x, s.eta, s.tau, s.beta1, preconditioner(s))
    return [
        Comparison("change = eta sum B g", change, "==", total),
        Comparison("N = sum B", N, "==", B),
        Comparison("no bias as eta -> 0", at_rest, "==", frozen(s)),
    ]


def mended(s: Instance) -> list[Comparison]:
    """N = sum_k c_k P_k with c_k = beta c_{k-1} + 1 - beta: the momentum of a constant 1."""
    change, total, B = expanded(s)

    def N(scales: list[Any]) -> Any:
        c, tally = s.beta1 * 0, scales[0] * 0
        for p in scales:
            c = s.beta1 * c + 1 - s.beta1
            tally = tally + c * p
        return tally

    at_rest = local_steps(s, lambda y, k: s.H * s.x)[1]
    return [
        Comparison("change = eta sum B g", change, "==", total),
        Comparison("N = sum B", N(local_steps(s, lambda y, k: s.H * y)[1]), "==", B),
        Comparison("no bias as eta -> 0", N(at_rest), "==", frozen(s)),
    ]


def prove() -> Proof:
    beta, P, S, c, g = sympy.symbols("beta P S c g", positive=True)
    # Step k adds sum_{j<=k} (1 - beta) beta^(k-j) = 1 - beta^(k+1) times P_k to sum B; c_k is the same number.
    q = sympy.symbols("q")  # beta^k
    identity((beta * (1 - q) + 1 - beta, 1 - beta * q))
    identity((beta * (c * g) + (1 - beta) * g, (beta * c + 1 - beta) * g), (S * g + P * c * g, (S + P * c) * g))
    for tau in range(1, 7):
        scales = sympy.symbols(f"p0:{tau}")
        B = sum((1 - beta) * beta ** (k - j) * scales[k] for j in range(tau) for k in range(j, tau))
        identity((B, sum((1 - beta ** (k + 1)) * scales[k] for k in range(tau))))
    return Proof(
        "sympy",
        "sum_j B_j = sum_k P_k (1 - beta^(k+1)): step k adds P_k sum_{j <= k} (1 - beta) beta^(k-j) (checked for tau "
        "<= 6, and the recursion c_k = beta c_{k-1} + 1 - beta keeps c_k = 1 - beta^(k+1) for every k). With "
        "constant gradient g, m_k = c_k g by the same recursion, so change = eta N g: no bias as eta -> 0.",
    )


def overdone(cursor: Any, optimizer: str, tau: int) -> Any:
    s = optimizer_instance(cursor, optimizer, tau)
    s.beta1 = 2 * s.beta1
    return s


def _ranges(s: Instance) -> list[Comparison]:
    return [Comparison("beta1 < 1", s.beta1, "<", s.beta1 * 0 + 1), Comparison("beta1", s.beta1, ">=", s.beta1 * 0)]


CHOICES = tuple({"optimizer": o, "tau": t} for t in (1, 2, 3, 6) for o in OPTIMIZERS)

STATEMENT = Statement(
    id="LA.A1",
    kind="equivalence",
    location="Algorithm 1, lines 4 to 13, Appendix A.3; section 5, local correction",
    says="For SGD, AdaGrad and Adam, with or without momentum, Algorithm 1 computes N_i = sum_k B_i^(k), where the "
    "local change is eta sum_k B_i^(k) g_k; dividing by it removes the bias as eta -> 0.",
    reading="N_i up to the factor eta, which section 5 includes and the listing does not (one rate for all clients: "
    "only a scale). F = H x^2/2 in d = 1; Adam without bias correction, as in the listing.",
    severity="substantive",
    headline=True,
    domain=Domain(optimizer_instance, CHOICES, "one client in d = 1 running SGD, AdaGrad, momentum or Adam, tau <= 6"),
    hypotheses=(
        Hypothesis(
            "0 <= beta1 < 1",
            _ranges,
            Domain(overdone, ({"optimizer": "adam", "tau": 2}, {"optimizer": "adam", "tau": 5}), "beta1 up to 2"),
        ),
        between("eta, H, x > 0", lambda s: np.stack([s.eta, s.H, s.x], -1), 0, role="a client that moves, in d = 1"),
        between("v_0 > 0", lambda s: s.v0, 0, role="the first preconditioner is 1/sqrt(v)"),
        between("0 <= beta2 <= 1", lambda s: s.beta2, 0, 1, "[]", role="v, a mean of squares, must not be negative"),
    ),
    printed=Claim(
        "the printed N_i is sum_k B_i^(k), and normalises the change as eta -> 0",
        r"N_i=\sum_kM_k,\ M_k=\beta_1M_{k-1}+(1-\beta_1)P_k\ \Rightarrow\ N_i=\sum_kB_i^{(k)}",
        printed,
    ),
    corrected=Claim(
        "with c_k = beta_1 c_{k-1} + 1 - beta_1, c_{-1} = 0, and N_i = sum_k c_k P_k",
        r"N_i=\sum_kc_kP_k,\ c_k=1-\beta_1^{k+1}",
        mended,
        prove,
    ),
    note="The printed N_i is sum_k P_k (1 - beta1^(tau-k)): it weighs P_k as if momentum ran backwards. Equal where "
    "beta1 = 0 (SGD, AdaGrad) or P_k is constant (momentum SGD), wrong for Adam and Yogi, the case it is printed "
    "for: a bias remains as eta -> 0. Line 13's Delta also keeps a factor eta, so alpha must grow as 1/eta.",
)

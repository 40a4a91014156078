"""LA (64), (65): what Stich's lemma gives for FedOpt."""

from theorems.bridges import larger, larger_below, powers
from theorems.local_adaptivity.common import between
from theorems.local_adaptivity.common_rounds import averaging, recursion, recursion_instance
from theorems.local_adaptivity.lemmas_rounds import rates_between, schedule
from theorems.vocabulary import *


def expansive(cursor: Cursor, T: int) -> Instance:
    s = recursion_instance(cursor, T)
    s.rho = 2 * s.rho
    return s


def printed(s: Instance) -> list[Comparison]:
    r"""(64) and (65)

    \mathbb{E}\|x^{(T+1)}-\tilde x\|^2\le\frac{32\|x^{(0)}-\tilde x\|^2}{1-\rho}\rho^{T/2}%
      +\frac{36\sigma^2\sum_iw_i^2q_i}{T(1-\rho)^2}

    Squares of rho^(T/2) are avoided: T is even.
    """
    a, half = 1 - s.rho, s.T // 2
    return [
        that("(64)", recursion(s, s.T + 1)) <= 32 * s.rho**half * s.start / a + 36 * s.noise / (a * a * s.T),
        that("(65) with c = 36", 32 * s.rho**half * s.start / a + 36 * s.noise / (a * a * s.T))
        <= 36 * (s.rho**half * s.start / a + s.noise / (a * a * s.T)),
    ]


def derive(proof: Derivation, s: Instance) -> None:
    """LA.T1's schedule for T + 1 rounds: rho^(T/2 + 1) r_0 + 8 N/(a^2 (T + 1)), below (64) term by term."""
    rounds, p, N = s.T + 1, s.rho, s.noise
    rates = [averaging(s, t, rounds) for t in range(rounds)]
    errors = recursive(s, rates)
    a, r, u, D, m, w, x, q, R, n = reals("rho r alpha N m w x q R T")
    proof.leaf("the rate 1", [], 0 * a + 1 == 1, rho=p)
    rates_between(proof, s.nb, p, rates)
    for before, alpha in zip(errors, rates, strict=False):
        kept, squared = (1 - alpha) + p * alpha, (1 - alpha) * (1 - alpha)
        proof.leaf("x <= x", [], (1 - u) + a * u <= (1 - u) + a * u, rho=p, alpha=alpha)
        proof.leaf("(1 - alpha)^2 <= 1 - alpha + rho alpha", [0 <= u, u <= 1, 0 <= a],
                   (1 - u) * (1 - u) <= (1 - u) + a * u, rho=p, alpha=alpha)  # fmt: skip
        proof.cross(larger_below, "what is kept", nb=s.nb, x=kept, y=squared, most=kept)
        top = s.nb.maximum(kept, squared)
        proof.leaf("a round", [m <= (1 - u) + a * u, 0 <= r],
                   m * r + u * u * D <= (1 - u) * r + u * (a * r) + u * u * D,
                   m=top, r=before, alpha=alpha, rho=p, N=N)  # fmt: skip
        proof.cross(larger, "what is kept is not negative", nb=s.nb, x=kept, y=squared)
        proof.leaf("r >= 0", [(1 - u) * (1 - u) <= m, 0 <= r, 0 <= D], 0 <= m * r + u * u * D,
                   m=top, r=before, alpha=alpha, N=N)  # fmt: skip
    schedule(proof, s.nb, p, N, errors, rates)
    half, number = p ** (s.T // 2), s.nb.number(s.T)
    proof.cross(powers, "rho^(T/2) >= 0", low=p, high=p * 0 + 1, exponents=[s.T // 2])
    proof.setting("T >= 1", s.T, 1)
    proof.leaf(
        "the start", [0 <= a, a < 1, 0 <= q, 0 <= R], q * a * R <= 32 * q * R / (1 - a), rho=p, q=half, R=s.start
    )
    proof.leaf("the noise", [0 <= D, a < 1, n >= 1],
               8 * D / ((1 - a) * (1 - a) * (n + 1)) <= 36 * D / ((1 - a) * (1 - a) * n),
               rho=p, N=N, T=number)  # fmt: skip
    b = (1 - p) * (1 - p)
    start, noise = 32 * half * s.start / (1 - p), 36 * N / (b * s.T)
    proof.leaf("(64)", [r <= x + w, x <= m, w <= D], r <= m + D, r=errors[-1], x=half * p * s.start,
               w=8 * N / (b * (s.T + 1)), m=start, N=noise)  # fmt: skip
    proof.leaf("(65)", [0 <= a, a < 1, 0 <= q, 0 <= R], 32 * q * R / (1 - a) + 36 * D <= 36 * (q * R / (1 - a) + D),
               rho=p, q=half, R=s.start, N=N / (b * s.T))  # fmt: skip


def recursive(s: Instance, rates: list[Any]) -> list[Any]:
    """r_0, .., as ``recursion`` goes."""
    found = [s.start]
    for alpha in rates:
        kept = s.nb.maximum((1 - alpha) + s.rho * alpha, (1 - alpha) * (1 - alpha))
        found.append(kept * found[-1] + alpha * alpha * s.noise)
    return found


STATEMENT = Statement(
    kind="upper bound",
    location="(64) and (65), Appendix C",
    says="With suitable server rates E||x^(T+1) - x~||^2 <= 32 ||x^(0) - x~||^2 (sum w h)^(T/2) / (1 - sum w h) + 36 "
    "sigma^2 sum w^2 q / (T (1 - sum w h)^2), hence (65) with c = 36.",
    reading="The rates are those whose existence Lemma 3 should assert (LA.L3); we show it for the schedule of "
    "LA.T1. T >= 1. (65) bounds x^(T+1); T even, so that all powers are whole.",
    domain=Domain(recursion_instance, grid(T=(2, 4, 6, 10, 20, 100)), "the recursion (61) with 0 < rho < 1"),
    hypotheses=(
        between(
            "0 <= rho < 1", lambda s: s.rho, 0, 1, "[)", Domain(expansive, grid(T=(2, 4)), "rho = sum w h up to 2")
        ),
        between("noise >= 0", lambda s: s.noise, 0, None, "[]", role="a variance"),
        between("r_0 >= 0", lambda s: s.start, 0, None, "[]", role="a square"),
    ),
    printed=claim_of(printed, derive=derive),
    note="(65) contradicts Theorem 1, which it is to prove: exponent T/2, not T (LA.T1, LA.T1b).",
)

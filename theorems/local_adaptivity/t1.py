"""LA Theorem 1: FedOpt converges to the fixed point of E[A] at the rate (7)."""

from surrogate import bounds
from theorems.local_adaptivity.common import WEIGHTS, between, positive, positives, shares
from theorems.local_adaptivity.common_operators import (
    ASSUMPTION_1,
    ASSUMPTION_2,
    FIXED,
    RATES,
    error,
    images,
    noise,
    operators,
    paths,
    rho,
    start,
)
from theorems.local_adaptivity.common_rounds import averaging, recursion_instance
from theorems.local_adaptivity.lemmas_rounds import rounds, schedule
from theorems.vocabulary import *


def instance(cursor: Cursor, M: int, T: int, c: int) -> Instance:
    """Clients A_i(x) = x_i + slope_i (x - x_i) + noise in d = 1, so that h_i = slope_i^2."""
    slope = 1 - positives(cursor, M, 1e-6) * cursor.nb.number(1)
    bias, variance = cursor.take(), positive(cursor, 1e-9)
    w = shares(cursor, M)
    return Instance(
        nb=cursor.nb, M=M, T=T, c=c, slope=slope, bias=bias, noise=variance, w=w, top_rate=cursor.u[..., 0] * 0 + 1
    )


def expansive(cursor: Cursor, **discrete: int) -> Instance:
    """Slopes up to 2."""
    s = operators(cursor, **discrete)
    s.slope = 2 * s.slope
    return s


def fast_server(cursor: Cursor, **discrete: int) -> Instance:
    """Server rates up to 4."""
    s = operators(cursor, **discrete)
    s.top_rate = 4 * s.top_rate
    return s


def printed(s: Instance) -> list[Comparison]:
    r"""contraction, and the rate (7) with c = 36, for some server rates in [0, 1]

    \mathbb{E}\|x^{(T)}-\tilde x\|^2\le c\left(\Big[\sum_iw_ih_i\Big]^T\frac{\|x^{(0)}-\tilde x\|^2}{1-\sum_iw_ih_i}%
      +\frac1T\frac{\sigma^2\sum_iw_i^2q_i}{(1-\sum_iw_ih_i)^2}\right)

    The least E|x^(T) - x~|^2 over the last server rate alpha, the rates before anywhere in [0, 1], against (7).
    """
    mean, h_mean = (s.w * s.slope).sum(axis=-1), (s.w * s.slope**2).sum(axis=-1)
    least = s.bias * s.noise / ((1 - mean) ** 2 * s.bias + s.noise)
    weights = [s.w[..., i] for i in range(s.M)]
    h = [s.slope[..., i] ** 2 for i in range(s.M)]
    q = [s.noise / (s.M * w * w) for w in weights]  # sigma = 1
    bound = bounds.la_theorem_1(s.c, h, q, weights, 1, s.T, s.bias * mean**2, scale=mean**2)
    return [that("E[A] contracts", mean**2) <= h_mean, that("(7) for some server rates in [0, 1]", least) <= bound]


def corrected(s: Instance) -> list[Comparison]:
    r"""with server rates alpha_t = 1 for t < T/2 and 2/(2 + a j) after, a = 1 - sum w h, and independent clients: at
    most (sum w h)^(T/2) ||x^(0) - x~||^2 + 8 sigma^2 sum w^2 q / (T a^2)

    \mathbb{E}\|x^{(T)}-\tilde x\|^2\le\Big[\sum_iw_ih_i\Big]^{T/2}\|x^{(0)}-\tilde x\|^2%
      +\frac{8}{T}\frac{\sigma^2\sum_iw_i^2q_i}{(1-\sum_iw_ih_i)^2}

    E over all equally likely values of all noises; x~ is the fixed point of E[A], Banach's, as E[A] contracts.
    """
    found, w = paths(s), s.w[..., None]
    moved = (w * (images(s, found[0])[:, 0] - images(s, s.fixed[:, None])[:, 0])).sum(axis=1)
    return [
        that("E[A] contracts", (moved * moved).sum(axis=-1)) <= rho(s) * start(s),
        that("rate", error(s, found[-1])) <= bounds.corrected_la_1(rho(s), noise(s), s.T, start(s)),
    ]


def worst(s: Instance) -> list[Comparison]:
    r"""the recursion (61) with equality, at these server rates

    r_{t+1}=[1-\alpha_t(1-\rho)]r_t+\alpha_t^2N\ \Rightarrow\ r_T\le\rho^{T/2}r_0+\frac{8N}{(1-\rho)^2T}
    """
    return [that("rate", recursive(s)[-1]) <= bounds.corrected_la_1(s.rho, s.noise, s.T, s.start)]


def recursive(s: Instance) -> list[Any]:
    """r_0, .., r_T."""
    found = [s.start]
    for t in range(s.T):
        alpha, r = averaging(s, t, s.T), found[-1]
        found.append((1 - alpha) * r + alpha * (s.rho * r) + alpha * alpha * s.noise)
    return found


def derive_worst(proof: Derivation, s: Instance) -> None:
    """The rounds of the recursion are what they are; the schedule does the rest."""
    errors, rates = recursive(s), [averaging(s, t, s.T) for t in range(s.T)]
    r, p, u, N = reals("r rho alpha N")
    proof.leaf("the rate 1", [], 0 * p + 1 == 1, rho=s.rho)
    for before, alpha in zip(errors, rates, strict=False):
        after = (1 - u) * r + u * (p * r) + u * u * N
        proof.leaf("a round", [], after <= after, r=before, rho=s.rho, alpha=alpha, N=s.noise)
    schedule(proof, s.nb, s.rho, s.noise, errors, rates)


SLOPES = between(
    "0 < h_i < 1 (Assumption 1)",
    lambda s: s.slope,
    0,
    1,
    without=Domain(expansive, grid(M=(1,), T=(1, 2, 4), d=(1,), points=(2,)), "slopes up to 2"),
)
VARIANCE = between("q_i sigma^2 >= 0 (Assumption 2)", noise, 0, None, "[]", role="a variance is not negative")
START = between(
    "||x^(0) - x~||^2 >= 0",
    lambda s: s.bias if "bias" in vars(s) else start(s),
    0,
    None,
    "[]",
    role="a square is not negative",
)

STATEMENT = Statement(
    kind="convergence",
    location="Theorem 1, section 4; proof in Appendix C",
    says="E[A] is a contraction, and FedOpt converges to its fixed point: E||x^(T) - x~||^2 is at most c ((sum w h)^T "
    "||x^(0) - x~||^2 / (1 - sum w h) + sigma^2 sum w^2 q / (T (1 - sum w h)^2)) for a constant c, with server rates "
    "in [0, 1] (which the theorem does not name).",
    reading="The server rates are not named: we add that they are a sequence in [0, 1] (Mann's iteration; (56) needs "
    "it), even one chosen with knowledge of everything; for all real rates see LA.T1b. c = 36 is the constant of the "
    "proof, (64). Instances: A_i(x) = x_i + slope_i (x - x_i) + independent noise in d = 1; bias = mean slope^(2T-2) "
    "||x^(0) - x~||^2 stands for the start, noise for sigma^2 sum w^2 q.",
    severity="substantive",
    headline=True,
    domain=Domain(
        instance,
        grid(M=(1, 2, 3), T=(1, 2, 5, 20, 80, 100, 1000, 10**5), c=(36,)),
        "one to three noisy affine clients in d = 1, any server rates in [0, 1]",
    ),
    hypotheses=(
        SLOPES,
        between(
            "server rates in [0, 1] (ours)",
            lambda s: s.top_rate,
            0,
            1,
            "[]",
            Domain(fast_server, grid(M=(1,), T=(1, 2, 4), d=(1,), points=(2,)), "server rates up to 4"),
        ),
        VARIANCE,
        START,
        WEIGHTS,
    ),
    printed=claim_of(printed),
    corrected=claim_of(
        corrected,
        domain=Domain(
            operators,
            grid(d=(1, 2), M=(1,), T=(1, 2, 3, 4), points=(2, 3)) + grid(d=(1, 2), M=(2,), T=(1, 2, 3), points=(2,)),
            "one or two nonlinear contractions in d <= 2, noise that depends on the point, T <= 4",
        ),
        given=(SLOPES, RATES, VARIANCE, START, WEIGHTS, ASSUMPTION_1, ASSUMPTION_2, FIXED),
        derive=rounds,
    ),
    steps=(
        Step(
            "(7) from (65)",
            Claim(
                "(65) has the exponent T/2, (7) has T: [sum w h]^(T/2) <= c [sum w h]^T for c = 36",
                r"\rho^{T/2}\le c\rho^T",
                lambda s: [that("exponents", s.rho ** (s.T // 2)) <= 36 * s.rho**s.T],
                domain=Domain(recursion_instance, grid(T=(2, 10, 20, 100)), "0 < rho < 1"),
                given=(between("0 < rho < 1", lambda s: s.rho, 0, 1),),
            ),
            "keep the exponent T/2 of (65)",
        ),
        Step(
            "(61) over T rounds (ours)",
            claim_of(
                worst,
                domain=Domain(
                    recursion_instance, grid(T=(1, 2, 3, 4, 5, 10, 100)), "all rho, noise and starts of (61)"
                ),
                given=(
                    between("0 <= rho < 1", lambda s: s.rho, 0, 1, "[)"),
                    between("N >= 0", lambda s: s.noise, 0, None, "[]"),
                    between("r_0 >= 0", lambda s: s.start, 0, None, "[]"),
                ),
                derive=derive_worst,
            ),
        ),
    ),
    note="No constant c mends it, whatever the server rates, those above 1 or below 0 included (LA.T1b): a rate small "
    "enough to average the noise cannot also contract at full speed. The proof itself ends with exponent T/2. Ours is "
    "stronger than (65): no 1/(1 - sum w h) on the bias, 8 for 36, and one schedule that does not depend on r_0 or "
    "sigma. (58) also needs that clients' noises are independent, which no assumption says, and (56) that alpha <= 1: "
    "LA.E61.",
)

"""LA Theorem 1: FedOpt converges to the fixed point of E[A] at the rate (7)."""

from surrogate import bounds
from theorems.local_adaptivity.common import WEIGHTS, between, positive, positives, shares
from theorems.local_adaptivity.common_rounds import prove_decreasing, recursion, recursion_instance
from theorems.vocabulary import *


def instance(cursor: Cursor, M: int, T: int, c: int) -> Instance:
    """Clients A_i(x) = x_i + slope_i (x - x_i) + noise in d = 1, so that h_i = slope_i^2."""
    slope = 1 - positives(cursor, M, 1e-6) * cursor.nb.number(1)
    bias, noise = cursor.take(), positive(cursor, 1e-9)
    w = shares(cursor, M)
    return Instance(
        nb=cursor.nb, M=M, T=T, c=c, slope=slope, bias=bias, noise=noise, w=w, top_rate=cursor.u[..., 0] * 0 + 1
    )


def recursive(cursor: Cursor, T: int, top_rate: int = 1) -> Instance:
    """The recursion (61), with what the printed claim and the hypotheses read; server rates up to ``top_rate``."""
    s = recursion_instance(cursor, T)
    s.bias, s.top_rate = s.start, s.start * 0 + top_rate
    s.M, s.c, s.slope, s.w = 1, 36, s.rho[:, None], s.rho[:, None] * 0 + 1
    return s


def expansive(cursor: Cursor, T: int) -> Instance:
    """rho up to 2."""
    s = recursive(cursor, T)
    s.rho = 2 * s.rho
    s.slope = s.rho[:, None]
    return s


def fast_server(cursor: Cursor, T: int) -> Instance:
    """Server rates up to 4."""
    return recursive(cursor, T, 4)


def printed(s: Instance) -> list[Comparison]:
    r"""contraction, and the rate (7) with c = 36, for some server rates in [0, 1]

    \mathbb{E}\|x^{(T)}-\tilde x\|^2\le c\left(\Big[\sum_iw_ih_i\Big]^T\frac{\|x^{(0)}-\tilde x\|^2}{1-\sum_iw_ih_i}%
      +\frac1T\frac{\sigma^2\sum_iw_i^2q_i}{(1-\sum_iw_ih_i)^2}\right)

    The least E|x^(T) - x~|^2 over the last server rate alpha, the rates before anywhere in [0, 1], against (7).
    """
    mean, rho = (s.w * s.slope).sum(axis=-1), (s.w * s.slope**2).sum(axis=-1)
    least = s.bias * s.noise / ((1 - mean) ** 2 * s.bias + s.noise)
    weights = [s.w[..., i] for i in range(s.M)]
    h = [s.slope[..., i] ** 2 for i in range(s.M)]
    q = [s.noise / (s.M * w * w) for w in weights]  # sigma = 1
    bound = bounds.la_theorem_1(s.c, h, q, weights, 1, s.T, s.bias * mean**2, scale=mean**2)
    return [that("E[A] contracts", mean**2) <= rho, that("(7) for some server rates in [0, 1]", least) <= bound]


def corrected(s: Instance) -> list[Comparison]:
    r"""with server rates alpha_t = 1 for t < T/2 and 2/(2 + a j) after, a = 1 - sum w h, and independent clients: at
    most (sum w h)^(T/2) ||x^(0) - x~||^2 + 12 sigma^2 sum w^2 q / (T a^2)

    \mathbb{E}\|x^{(T)}-\tilde x\|^2\le\Big[\sum_iw_ih_i\Big]^{T/2}\|x^{(0)}-\tilde x\|^2%
      +\frac{12}{T}\frac{\sigma^2\sum_iw_i^2q_i}{(1-\sum_iw_ih_i)^2}
    """
    bound = bounds.corrected_la_1(s.rho, s.noise, s.T, s.start)
    return [that("rate", recursion(s, s.T, s.top_rate)) <= bound]


def prove() -> None:
    """z3: E[A] is a mean of maps with Lipschitz constants sqrt(h_i), so Banach gives x~ (LA.E54). For 0 <= alpha <= 1
    the error obeys r+ <= (1 - a alpha) r + alpha^2 N with a = 1 - sum w h (LA.E61). By induction alpha = 1 gives r <=
    rho^t r_0 + N/a, and alpha = 2/(2 + a j) afterwards gives R (2/a)^2/k^2 + 4N/(a^2 k) with k = 2/a + j; both steps
    and the sum of both halves are decided by z3 for all real a, k, T.
    """
    prove_decreasing()


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
        between(
            "0 < h_i < 1 (Assumption 1)",
            lambda s: s.slope,
            0,
            1,
            without=Domain(expansive, grid(T=(2, 4, 10)), "sum w h up to 2"),
        ),
        between(
            "server rates in [0, 1] (ours)",
            lambda s: s.top_rate,
            0,
            1,
            "[]",
            Domain(fast_server, grid(T=(1, 2, 4)), "server rates up to 4"),
        ),
        between("q_i sigma^2 >= 0 (Assumption 2)", lambda s: s.noise, 0, None, "[]", role="a variance is not negative"),
        between("||x^(0) - x~||^2 >= 0", lambda s: s.bias, 0, None, "[]", role="a square is not negative"),
        WEIGHTS,
    ),
    printed=claim_of(printed),
    corrected=claim_of(
        corrected,
        prove=prove,
        domain=Domain(recursive, grid(T=(1, 2, 3, 4, 5, 10, 100)), "all rho, noise and starts of (61)"),
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
    ),
    note="No constant c mends it, whatever the server rates, those above 1 or below 0 included (LA.T1b): a rate small "
    "enough to average the noise cannot also contract at full speed. The proof itself ends with exponent T/2. Ours is "
    "stronger than (65): no 1/(1 - sum w h) on the bias, 12 for 36, and one schedule that does not depend on r_0 or "
    "sigma. (58) also needs that clients' noises are independent, which no assumption says, and (56) that alpha <= 1 "
    "(Table 5 uses 3.16): LA.E61.",
)

"""LAMB, the last display of B.2: its noise term, from one line to the next."""

from theorems.fedlamb.common import need
from theorems.vocabulary import *


def instance(cursor: Cursor, C: int, k: int, n: int) -> Instance:
    """tau = (k C)^2 iterations at a rate from 1/(2 sqrt tau) to 1/sqrt tau; |m| from M/2 to M."""
    number, M = cursor.nb.number, 1 + cursor.take()
    phi, sigma, m = 1 - cursor.take() / 2, 2 - cursor.take(), M * (1 - cursor.take() / 2)
    beta2 = number(Fraction(1, 1000)) + cursor.take() * number(Fraction(998, 1000))
    alpha = (1 - cursor.take() / 2) * number(Fraction(1, k * C))
    return Instance(nb=cursor.nb, C=C, tau=(k * C) ** 2, n=n, alpha=alpha, phi=phi, sigma=sigma, M=M, m=m, beta2=beta2)


def left(s: Instance) -> Any:
    """alpha/n^2 sum_{r<=tau} sum_i sigma^2 |phi/(sqrt v |p|)|^2, |p| = |m|/sqrt v in a layer of one coordinate."""
    return s.alpha / s.n**2 * s.tau * s.n * s.sigma**2 * (s.phi / s.m) ** 2


def right(s: Instance) -> Any:
    return s.phi * s.sigma**2 / (s.tau * s.n) * s.nb.sqrt((1 - s.beta2) / s.M**2)


def printed(s: Instance) -> list[Comparison]:
    r"""The noise of tau iterations is at most phi_M sigma^2/(tau n) sqrt((1 - beta_2)/(M^2 p)), up to a constant C.

    \frac{\alpha}{n^2}\sum_{r=1}^\tau\sum_{i=1}^n\sigma_i^2\,\mathbb E\Big\|\frac{\phi}{\sqrt{v}\,\|p\|}\Big\|^2\le C
      \frac{\phi_M\sigma^2}{\tau n}\sqrt{\frac{1-\beta_2}{M^2p}}
    """
    return [that("the noise term", left(s)) <= s.C * right(s)]


def corrected(s: Instance) -> list[Comparison]:
    r"""It is at least alpha tau phi_m^2 sigma^2/(n M^2) (p = 1): over tau it is of order alpha, and does not vanish.

    \frac{\alpha}{n^2}\sum_{r,i}\sigma^2\Big\|\frac{\phi}{\sqrt v\,\|p\|}\Big\|^2\ge\frac{\alpha\tau\phi_m^2
      \sigma^2}{nM^2}
    """
    return [that("the noise term", left(s)) >= s.alpha * s.tau * s.phi**2 * s.sigma**2 / (s.n * s.M**2)]


def derive(proof: Derivation, s: Instance) -> None:
    a, t, n, f, d, m, M = reals("a t n f d m M")
    proof.setting("n >= 1", s.n, 1)
    proof.setting("tau >= 1", s.tau, 1)
    proof.leaf("M > 0", [0 < m, m <= M], 0 < M, m=s.m, M=s.M)
    proof.leaf("1/M <= 1/|m|", [0 < m, m <= M], 1 / M <= 1 / m, m=s.m, M=s.M)
    proof.leaf("1/M > 0", [0 < M], 0 < 1 / M, M=s.M)
    proof.leaf("squares", [0 < m, m <= M], m * m <= M * M, m=1 / s.M, M=1 / s.m)
    proof.leaf(
        "alpha tau/n > 0", [0 < a, n >= 1, t >= 1], 0 < a * t / n, a=s.alpha, t=s.nb.number(s.tau), n=s.nb.number(s.n)
    )
    proof.leaf("sigma^2 phi^2 >= 0", [], 0 <= f * d * (f * d), f=s.phi, d=s.sigma)
    square = s.phi * s.sigma * (s.phi * s.sigma)
    proof.leaf(
        "all factors", [0 < a, 0 <= f, m <= M], a * f * m <= a * f * M,
        a=s.alpha * s.tau / s.n, f=square, m=1 / s.M**2, M=1 / s.m**2,
    )  # fmt: skip


STATEMENT = Statement(
    kind="upper bound",
    location="the last display of B.2, first to second inequality",
    says="alpha/n^2 sum_r sum_i sigma_i^2 E|phi/(sqrt v |p|)|^2 is at most phi_M sigma^2/(tau n) sqrt((1 - "
    "beta_2)/(M^2 p)), the term that (3) and (4) have.",
    reading="One layer of one coordinate (p = 1), where sqrt v |p| = |m| <= M; up to a constant C, as the line before "
    "says '<~'. alpha = 1/sqrt tau.",
    severity="substantive",
    domain=Domain(instance, grid(C=(1, 100, 10**6), k=(4, 1000), n=(1, 5)), "tau = (4 C)^2 and more iterations"),
    hypotheses=(
        need(
            "alpha, phi, sigma > 0, 0 < beta_2 < 1",
            lambda s: [*((v, ">", 0) for v in (s.alpha, s.phi, s.sigma, s.beta2)), (s.beta2, "<", 1)],
        ),
        need("0 < |m| <= M (H2)", lambda s: [(s.m, ">", 0), (s.m, "<=", s.M)]),
    ),
    printed=claim_of(printed),
    corrected=claim_of(corrected, derive=derive),
)  # fmt: skip

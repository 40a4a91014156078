"""A statement file to copy: one statement, its domain, its hypotheses, its correction. Try `surrogate check` on a copy.

The example, false as printed: "FedAvg's surrogate has condition number at most L/mu (1 - gamma mu)".
"""

from surrogate import bounds
from theorems.vocabulary import *


def instance(cursor: Cursor, n: int, K: int) -> Instance:
    """From coordinates in [0, 1] to an instance that meets the hypotheses by construction: nothing is rejected."""
    p = clients(cursor, n, d=1)  # p.lam, p.c, p.w; p.mu, p.L, p.sigma_A, p.sigma_c; p.nb is the arithmetic
    return Instance(p=p, gamma=rate(cursor, p.L), K=K, theta=Theta.sum(K))


def printed(s: Instance) -> list[Comparison]:
    r"""at most (L/mu) (1 - gamma mu)

    \phi_L/\phi_\mu \le \frac{L}{\mu}(1-\gamma\mu)

    What the claim says, its LaTeX, and notes as here. Both sides run on float batches, on balls, and into certificates.
    """
    high, low = bounds.corollary_13(s.p.mu, s.p.L, s.gamma, s.K)  # phi_L and phi_mu
    return [that("bound", high / low) <= s.p.L / s.p.mu * (1 - s.gamma * s.p.mu)]


def corrected(s: Instance) -> list[Comparison]:
    r"""at most L/mu

    \phi_L/\phi_\mu \le L/\mu
    """
    high, low = bounds.corollary_13(s.p.mu, s.p.L, s.gamma, s.K)
    return [that("bound", high / low) <= s.p.L / s.p.mu]


STATEMENT = Statement(
    id="MINE.1",
    kind="upper bound",
    location="my notebook, page 1",
    says="The bound phi_L/phi_mu on the surrogate's condition number is at most (L/mu) (1 - gamma mu).",
    severity="substantive",
    domain=Domain(instance, grid(n=(1, 2), K=(1, 2, 5, 100)), "one or two clients in d = 1, 0 < gamma < 1/L"),
    hypotheses=(
        Hypothesis("mu > 0", lambda s: [that(s.p.mu) > s.p.mu * 0]),
        Hypothesis(
            "0 < gamma < 1/L",
            lambda s: [that(s.gamma * s.p.L) < s.gamma * 0 + 1, that("positive", s.gamma) > s.gamma * 0],
        ),
    ),
    printed=claim_of(printed),
    corrected=claim_of(corrected),
)

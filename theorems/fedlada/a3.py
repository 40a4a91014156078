"""LADA Algorithm 3: how many local steps it takes."""

from theorems.fedlada.common_rounds import RATES, T, played, rounds, symbols
from theorems.vocabulary import *


def offset(s: Instance, last: int) -> tuple[Any, Any]:
    """x^0 - x^1 against eta_g/S sum_{i, tau = 1..K} eta_l (alpha m theta + (1 - alpha) g_a), g_a^0 = 0."""
    full, run = played(s), played(s, last)
    return run.xs[0] - run.xs[1], s.eta_g * s.eta_l * s.steps * s.alpha * full.path[0]


def printed(s: Instance) -> list[Comparison]:
    r"""tau runs from 1 to K - 1

    \tau=1,2,\dots,K-1
    """
    left, right = offset(s, s.steps - 1)
    return [that("x_{i,K}", left) == right]


def corrected(s: Instance) -> list[Comparison]:
    r"""tau runs from 1 to K

    \tau=1,2,\dots,K
    """
    left, right = offset(s, s.steps)
    return [that("x_{i,K}", left) == right]


def prove() -> None:
    """sympy identity, for K <= 3, S <= 2, three rounds, any losses: The listing with tau = 1, ..., K is played on free
    updates: it sends the K steps that the proof of Lemma B.8 sums, and x moves as it says; as printed, nothing moves
    for K = 1.
    """
    for S in (1, 2):
        for K in (1, 2, 3):
            s = symbols(S, K)
            identity(offset(s, K))
            run, short = played(s), played(s, K - 1)
            identity(*((run.z[t + 1], run.z[t] - K * s.eta_g * s.eta_l * run.path[t]) for t in range(T)))
            if K == 1:
                identity((short.xs[T], s.x))  # no step at all


STATEMENT = Statement(
    kind="equivalence",
    location="Algorithm 3, lines 6 and 14",
    says="The local loop tau = 1, ..., K-1 yields the x_{i,K} that line 14 sends and that appendix B.2 sums over K "
    "steps.",
    reading="x_{i,K} is where the loop ends. g_{i,tau} is taken at x_{i,tau-1}; at x_{i,tau}, as the proof has it, "
    "line 12 would be implicit.",
    severity="typo",
    domain=rounds(),
    hypotheses=(RATES,),
    printed=claim_of(printed),
    corrected=claim_of(corrected, prove=prove),
    note="The listing also leaves out v_{i,0} (v^t serves) and the sending of g_a^t, which a newly drawn client "
    "cannot compute (LADA.K11); vhat^0 = eps_v^2 should be v^0.",
)

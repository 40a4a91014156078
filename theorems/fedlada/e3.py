"""LADA (3): which round's change g_a^t is."""

from theorems.fedlada.common_rounds import RATES, T, played, rounds, symbols
from theorems.vocabulary import *


def change(s: Instance, run: Any, t: int) -> Any:
    """(x^t - x^{t+1}) / (eta_g eta_l K)."""
    return (run.xs[t] - run.xs[t + 1]) / (s.eta_g * s.eta_l * s.steps)


def printed(s: Instance) -> list[Comparison]:
    r"""(3)

    g_a^t=\frac1{\eta_g\eta_lK}(x^t-x^{t+1})
    """
    run = played(s)
    return [that("g_a of the first round", run.g_a[0]) == change(s, run, 0)]


def corrected(s: Instance) -> list[Comparison]:
    r"""g_a^{t+1} = (x^t - x^{t+1}) / (eta_g eta_l K), as line 18 has it

    g_a^{t+1}=\frac1{\eta_g\eta_lK}(x^t-x^{t+1})
    """
    run = played(s)
    return [that(f"t = {t}", run.g_a[t + 1]) == change(s, run, t) for t in range(T)]


def prove() -> None:
    """sympy identity: Line 18 sets g_a^{t+1} to this change, and round t + 1 is the first to use it: the listing is
    played on free updates, and the change of round t is alpha times its mean update plus (1 - alpha) g_a^t.
    """
    for S in (1, 2):
        for K in (1, 2):
            s = symbols(S, K)
            run = played(s)
            identity(*((run.g_a[t + 1], change(s, run, t)) for t in range(T)))
            later = s.alpha * run.path[1] + (1 - s.alpha) * run.g_a[1]
            identity((change(s, run, 1), later))  # what round t uses is the change of round t - 1


STATEMENT = Statement(
    kind="identity",
    location="equation (3), section 3.3",
    says="g_a^t = (x^t - x^{t+1}) / (eta_g eta_l K), where g_a^t is what amends the local steps of round t.",
    reading="g_a^t is the term of Algorithm 3's line 12 in round t ('the average of the global change in round t - "
    "1').",
    severity="typo",
    domain=rounds(),
    hypotheses=(RATES,),
    printed=claim_of(printed),
    corrected=claim_of(corrected, prove=prove),
    note="As printed, round t would need its own result. Algorithm 3, the text above (3) and Lemma B.8 use g_a^{t+1}.",
)

"""OLR Algorithm 3 and section 9.1: for which W, P, C the refined LocalUpdateDecay is the printed listing."""

from itertools import product

from theorems.outsized.listing_decay import State, decisions, refined_round
from theorems.vocabulary import *

PATTERNS = tuple("0" + "".join(rest) for T in (1, 2, 3, 4) for rest in product("01", repeat=T))


def instance(cursor: Cursor, failed: str) -> Instance:
    """Rates after T rounds; "1" in ``failed`` marks those where (25) held (never round 1)."""
    gamma, eta, alpha, beta = (1 - cursor.take() / 2 for _ in range(4))
    return Instance(nb=cursor.nb, gamma=gamma, eta=eta, alpha=alpha / 2, beta=beta / 2, failed=failed)


def compared(s: Instance, P: int, C: int, reset: bool = True) -> list[Comparison]:
    failed = [mark == "1" for mark in s.failed]
    listing, refined = sum(failed), sum(decisions(failed, P, C, reset))
    power = s.nb.power
    return [
        that("gamma", s.gamma * power(s.alpha, listing)) == s.gamma * power(s.alpha, refined),
        that("eta", s.eta * power(s.beta, listing)) == s.eta * power(s.beta, refined),
    ]


def tie(s: Instance) -> list[Comparison]:
    r"""l_t >= min l_j - Delta implies l_t > min l_j - Delta

    \ell_t\not<\min_{j<t}\ell_j-\Delta\Rightarrow\ell_t>\min_{j<t}\ell_j-\Delta

    Where l_t >= min l_j - Delta, section 9 sees no progress; Algorithm 3 decays for l_t > min l_j - Delta.
    """
    return [that(s.excess) > s.excess * 0]


def prove() -> Proof:
    start = State(0, 0)
    for failed in (False, True):  # with P = 1 and C = 0 the state never leaves its start, whatever happens
        after, decay = refined_round(start, failed, P=1, C=0)
        if after != start or decay != failed:
            raise AssertionError(f"from {start}, failed = {failed}: {after}, decay = {decay}")
    N, M, W = reals("N M W")  # the default W = ceil(N/M) is the least window that sees N sampled clients
    window = [N >= 1, M >= 1, W * M >= N, (W - 1) * M < N]
    smt(window, W > 0)  # W is whole: at least 1
    smt(window, W * M < N + M)
    return Proof(
        "exhaustion of a finite automaton, z3",
        "With W = 1 the estimate is l_t itself. With P = 1 and C = 0 the pair (counter, cooldown) returns to (0, 0) "
        "after every round, and the round decays exactly when l_t > min l_j - Delta: Algorithm 3, for every sequence "
        "of losses. W = ceil(N/M) is the least window with W M >= N.",
    )


STATEMENT = Statement(
    kind="equivalence",
    location="Algorithms 3 and 4, section 9.1",
    says="LocalUpdateDecay with a window W, a counter P and a cooldown C; Algorithm 3 corresponds to W = 1 and P = 1. "
    "W = P = C = ceil(N/M) is a sensible default.",
    reading="C = 0, which the text leaves open: no cooldown, not even at the start. The counter starts again after a "
    "decay, which the text does not say.",
    domain=Domain(instance, grid(failed=PATTERNS), "all patterns of success and failure over up to 5 rounds"),
    hypotheses=(Hypothesis("0 < gamma, eta", lambda s: [that(s.gamma) > s.gamma * 0]),),
    printed=Claim("W = P = 1 and C = 0 give Algorithm 3", r"W=P=1,\ C=0", lambda s: compared(s, P=1, C=0), prove),
    steps=(
        Step(
            "beside the proof: the counter as the text has it: reset only where (25) fails",
            Claim(
                "P = 1, C = 0, decay when the counter 'reaches' P",
                r"P=1,\ C=0",
                lambda s: compared(s, P=1, C=0, reset=False),
            ),
            "after a decay the counter must start again, else a run of failures decays once and never again",
        ),
        Step(
            "beside the proof: no progress (section 9) means decay (Algorithm 3)",
            claim_of(
                tie,
                domain=Domain(
                    lambda cursor: Instance(nb=cursor.nb, excess=cursor.take()), grid(), "l_t - min l_j + Delta >= 0"
                ),
            ),
            "at l_t = min l_j - Delta the text sees no progress and the listing does not decay (9.1 sides with the "
            "listing)",
        ),
    ),
    note="With C = 1 the listing would not be met: no decay in round 1, nor in the round after one. l^_t is not "
    "defined before round W, nor is the minimum over j < 1 in round 1 (taken as infinite). The text writes f_t for "
    "l_t in two places.",
)

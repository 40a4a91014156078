"""LA Lemma 3 (quoted from Stich): the rate of a perturbed contraction."""

from theorems.local_adaptivity.common import between, positive
from theorems.local_adaptivity.common_rounds import prove_decreasing, recursion
from theorems.vocabulary import *


def instance(cursor: Cursor, T: int) -> Instance:
    """r_{t+1} = (1 - a gamma_t) r_t + c gamma_t^2, s_t = 0, with any stepsizes gamma_t <= 1/d (d = 1)."""
    a, c, start = positive(cursor), cursor.take(), positive(cursor)
    gammas = tuple(cursor.take() for _ in range(T + 1))
    return Instance(nb=cursor.nb, T=T, a=a, c=c, start=start, gammas=gammas)


def printed(s: Instance) -> list[Comparison]:
    r"""(63) for all stepsizes up to 1/d

    \frac{b}{W_T}\sum_{t=0}^Ts_tw_t+ar_{T+1}\le32dr_0\left(1-\frac ad\right)^{T/2}+\frac{36c}{aT}
    """
    r = s.start
    for gamma in s.gammas:
        r = (1 - s.a * gamma) * r + s.c * gamma**2
    bound = 32 * s.start * (1 - s.a) ** (s.T // 2) + 36 * s.c / (s.a * s.T)
    return [that("(63)", s.a * r) <= bound]


def chosen(s: Instance) -> list[Comparison]:
    r"""there are stepsizes gamma_t <= 1/d such that, for s = 0, r_{T+1} <= (1 - a/d)^((T+1)/2) r_0 + 12c/(a^2 (T+1))

    r_{T+1}\le\left(1-\frac ad\right)^{(T+1)/2}r_0+\frac{12c}{a^2(T+1)}

    With the stepsizes of LA.T1's correction, T + 1 of them.
    """
    run = Instance(nb=s.nb, rho=1 - s.a, start=s.start, noise=s.c)
    bound = s.a * s.start * (1 - s.a) ** ((s.T + 2) // 2) + 12 * s.c / (s.a * (s.T + 1))
    return [that("rate", s.a * recursion(run, s.T + 1)) <= bound]


def prove() -> None:
    """z3: Scale to d = 1 (gamma -> gamma d, a -> a/d, c -> c/d^2) and take the two-phase schedule of LA.T1: gamma =
    1/d, then 2/(a (2d/a + j)). z3 decides the induction step of each phase and that they add up, for all reals.
    """
    prove_decreasing()


def _stepsizes(s: Instance) -> list[Comparison]:
    return [c for g in s.gammas for c in (that("low", g) >= g * 0, that("high", g) <= g * 0 + 1)]


CHOICES = grid(T=(2, 4, 10, 20))

STATEMENT = Statement(
    kind="convergence",
    location="Lemma 3, Appendix C, after Stich 2019",
    says="If r_{t+1} <= (1 - a gamma_t) r_t - b gamma_t s_t + c gamma_t^2 with 0 <= gamma_t <= 1/d, d >= a, then for "
    "some weights b/W sum w_t s_t + a r_{T+1} <= 32 d r_0 (1 - a/d)^(T/2) + 36 c/(aT).",
    reading="T >= 1 and a > 0 (both sides divide by aT). As printed the stepsizes are given and only the weights may "
    "be chosen. s_t = 0, as in its use here; d = 1, to which all scales.",
    severity="missing-hypothesis",
    domain=Domain(instance, CHOICES, "s = 0, d = 1, 0 < a <= 1, all stepsizes in [0, 1]"),
    hypotheses=(
        between("0 < a <= d", lambda s: s.a, 0, 1, "(]"),
        between("c >= 0", lambda s: s.c, 0, None, "[]"),
        Hypothesis("0 <= gamma_t <= 1/d", _stepsizes),
    ),
    printed=claim_of(printed),
    corrected=claim_of(
        chosen,
        prove=prove,
        domain=Domain(instance, CHOICES, "the same sequences; their stepsizes are replaced by ours"),
    ),
    note="Stich proves his rate for carefully chosen stepsizes; as printed they are given, and with gamma_t = 0 "
    "nothing moves. Our constants are smaller (1 and 12 for 32 d/a and 36), for s = 0.",
)

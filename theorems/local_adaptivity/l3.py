"""LA Lemma 3 (quoted from Stich): the rate of a perturbed contraction."""

from theorems.local_adaptivity.common import between, positive
from theorems.local_adaptivity.lemmas_perturbed import perturbed_rate
from theorems.vocabulary import *


def instance(cursor: Cursor, T: int) -> Instance:
    """r_{t+1} = (1 - a gamma_t) r_t + c gamma_t^2, s_t = 0, with any stepsizes gamma_t <= 1/d, d = 1."""
    a, c, start = positive(cursor), cursor.take(), positive(cursor)
    gammas = tuple(cursor.take() for _ in range(T + 1))
    return Instance(nb=cursor.nb, T=T, a=a, c=c, d=a * 0 + 1, start=start, gammas=gammas)


def printed(s: Instance) -> list[Comparison]:
    r"""(63) for all stepsizes up to 1/d

    \frac{b}{W_T}\sum_{t=0}^Ts_tw_t+ar_{T+1}\le32dr_0\left(1-\frac ad\right)^{T/2}+\frac{36c}{aT}
    """
    r = s.start
    for gamma in s.gammas:
        r = (1 - s.a * gamma) * r + s.c * gamma**2
    bound = 32 * s.start * (1 - s.a) ** (s.T // 2) + 36 * s.c / (s.a * s.T)
    return [that("(63)", s.a * r) <= bound]


def perturbed(cursor: Cursor, T: int, top: int = 1) -> Instance:
    """r_{t+1} = (1 - a gamma_t) r_t - b gamma_t s_t + c gamma_t^2 >= 0: s_t takes a share of what it may at most."""
    d = 4 * positive(cursor)
    a, b, c, start = top * d * positive(cursor, 1e-3), positive(cursor, 1e-2), cursor.take(), positive(cursor)
    return Instance(
        nb=cursor.nb, T=T, a=a, b=b, c=c, d=d, start=start, shares=tuple(cursor.take() for _ in range(T + 1))
    )


def chosen(s: Instance) -> list[Comparison]:
    r"""for some stepsizes gamma_t <= 1/d and weights w_t, whatever s_t; also with 2 for 32 and 20 for 36

    \exists\gamma_t\le\tfrac1d,w_t\ge0:\ \frac{b}{W_T}\sum_{t=0}^Ts_tw_t+ar_{T+1}\le2dr_0\left(1-\frac ad\right)^{T/2}+%
      \frac{20c}{aT}

    gamma_t = 1/d in the first half of the T + 1 rounds, then 2/(a k), k = 2d/a + j; weights 0, then k.
    """
    half, r, W, spent = (s.T + 2) // 2, s.start, s.a * 0, s.a * 0
    for t in range(s.T + 1):
        k = 2 * s.d / s.a + (t - half)
        gamma, weight = (1 / s.d, s.a * 0) if t < half else (2 / (s.a * k), k)
        room = (1 - s.a * gamma) * r + s.c * gamma**2
        s_t = s.shares[t] * room / (s.b * gamma)
        r, W, spent = room - s.b * gamma * s_t, W + weight, spent + weight * s_t
    bound = 2 * s.d * s.start * (1 - s.a / s.d) ** (s.T // 2) + 20 * s.c / (s.a * s.T)
    return [that("(63) with 2 and 20", s.b * spent / W + s.a * r) <= bound]


def _stepsizes(s: Instance) -> list[Comparison]:
    gammas = getattr(s, "gammas", ())  # the correction chooses its own
    return [c for g in gammas for c in (that("low", g) >= g * 0, that("high", g * s.d) <= g * 0 + 1)]


CHOICES = grid(T=(2, 4, 10, 20))
VALID = (
    Hypothesis(
        "0 < a <= d",
        lambda s: [that("low", s.a) > s.a * 0, that("high", s.a) <= s.d],
        Domain(lambda cursor, T: perturbed(cursor, T, 4), grid(T=(2, 4)), "a up to 4d"),
    ),
    between("c >= 0, r_0 >= 0", lambda s: np.stack([s.c, s.start], -1), 0, None, "[]", role="Lemma 3 has them so"),
)

BELOW = Hypothesis(
    "b > 0, s_t >= 0, and s_t leaves r_t >= 0",
    lambda s: (
        [that("b", s.b) > s.b * 0]
        + [c for h in s.shares for c in (that("least", h) >= h * 0, that("most", h) <= h * 0 + 1)]
    ),
)

STATEMENT = Statement(
    kind="convergence",
    location="Lemma 3, Appendix C, after Stich 2019",
    says="If r_{t+1} <= (1 - a gamma_t) r_t - b gamma_t s_t + c gamma_t^2 with 0 <= gamma_t <= 1/d, d >= a, then for "
    "some weights b/W sum w_t s_t + a r_{T+1} <= 32 d r_0 (1 - a/d)^(T/2) + 36 c/(aT).",
    reading="T >= 1 and a > 0 (both sides divide by aT). As printed the stepsizes are given and only the weights may "
    "be chosen. s_t = 0, as in its use here; d = 1.",
    severity="missing-hypothesis",
    domain=Domain(instance, CHOICES, "s = 0, d = 1, 0 < a <= 1, all stepsizes in [0, 1]"),
    hypotheses=(
        *VALID,
        Hypothesis("0 <= gamma_t <= 1/d", _stepsizes, role="the correction chooses them so"),
    ),
    printed=claim_of(printed),
    corrected=claim_of(
        chosen,
        derive=perturbed_rate,
        domain=Domain(perturbed, CHOICES, "any s_t >= 0 that leaves r_t >= 0, 0 < a <= d, T even"),
        given=(*VALID, BELOW),
    ),
    note="Stich proves his rate for carefully chosen stepsizes; as printed they are given, and with gamma_t = 0 "
    "nothing moves. Ours: gamma_t = 1/d in the first half of the rounds, then 2/(a k), k = 2d/a + j, with weights 0, "
    "then k.",
)

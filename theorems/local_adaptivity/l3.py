"""LA Lemma 3 (quoted from Stich): the rate of a perturbed contraction."""

from theorems.local_adaptivity.common import between, positive
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


def prove() -> None:
    """z3 and sympy: Scale to d = 1 (gamma -> gamma d, a -> a/d, c -> c/d^2). In the first half r <= (1 - a)^t r_0 +
    c/a. In the second, with k = 2/a + j, k^2 r+ + (2b/a) k s <= (k - 1)^2 r + 4c/a^2 telescopes: b sum k s + a/2
    (k_J)^2 r_{T+1} <= a/2 (2/a - 1)^2 r + 2cJ/a; W = sum k is at most k_J^2, at least 2J/a and J^2/2. So b/W sum k s +
    a/2 r_{T+1} <= (1 - a)^(T/2) r_0/J + 5c/(aJ), J >= T/2; twice that is the bound.
    """
    a, k, r, s, c, b, R, W, J, q, V, f = reals("a k r s c b R W J q V f")  # d = 1, to which all scales; V = 2/a
    # First half, gamma = 1: r <= q R + c/a is kept, q = (1 - a)^t.
    smt([0 < a, a <= 1, 0 <= c, 0 <= s, 0 < b, r <= q * R + c / a], (1 - a) * r - b * s + c <= (1 - a) * q * R + c / a)
    # Second half: k^2 r+ + (2b/a) k s <= (k - 1)^2 r + 4c/a^2, to be summed from k = V to k = V + J - 1.
    smt([k >= 2, r >= 0], k * (k - 2) * r <= (k - 1) * (k - 1) * r)
    identity_in_rounds()
    # W = J V + J (J - 1)/2, and (V + J - 1)^2 >= W: both sides over 2W/a.
    smt([V >= 2, J >= 1], both((V + J - 1) * (V + J - 1) >= J * V + J * (J - 1) / 2, J * V + J * (J - 1) / 2 >= J * V))
    smt([V >= 2, J >= 1, W == J * V + J * (J - 1) / 2], both(2 * W >= J * J, (V - 1) * (V - 1) <= V * V))
    # What is left: (V - 1)^2 r a / (2W) <= r / J, c V^2 / (2 W) <= c V / (2 J), and 2 c J / (a W) <= 4 c / (a J).
    smt([V >= 2, J >= 1, W >= J * V, r >= 0], (V - 1) * (V - 1) * r * J <= V * W * r)
    smt([V >= 2, J >= 1, W >= J * V, c >= 0], c * V * V * J <= c * V * W)
    smt([2 * W >= J * J, J >= 1, c >= 0], 2 * c * J * J <= 4 * c * W)
    smt([c >= 0, 2 * J >= q, q >= 1, f == c], 2 * (5 * c) * q <= 20 * f * J)


def identity_in_rounds() -> None:
    k, r, s, c, a, b = sympy.symbols("k r s c a b", positive=True)
    after = (1 - 2 / k) * r - b * 2 / (a * k) * s + c * 4 / (a * k) ** 2
    identity((k**2 * after + 2 * b / a * k * s, k * (k - 2) * r + 4 * c / a**2))


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
        prove=prove,
        domain=Domain(perturbed, CHOICES, "any s_t >= 0 that leaves r_t >= 0, 0 < a <= d, T even"),
        given=VALID,
    ),
    note="Stich proves his rate for carefully chosen stepsizes; as printed they are given, and with gamma_t = 0 "
    "nothing moves. Ours: gamma_t = 1/d in the first half of the rounds, then 2/(a k), k = 2d/a + j, with weights 0, "
    "then k.",
)

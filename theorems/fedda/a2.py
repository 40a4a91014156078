"""DA Algorithm 2 against (34), (35), (38), (39)."""

from theorems.fedda.common import BETA, RATES, numeric, setting, symbolic, vanishes
from theorems.fedda.common_rest import gradients
from theorems.fedda.listing_fedda import adam_round
from theorems.vocabulary import *


def hats(s: Instance, late: int) -> list[Comparison]:
    """Lines 13 and 15 divide by 1 - beta^(r + late): they must be positive from the first round on."""
    return [
        that("line 13 divides by more than 0", 1 - s.beta ** (s.r + late)) > s.beta * 0,
        that("line 15 divides by more than 0", 1 - s.beta2 ** (s.r + late)) > s.beta * 0,
    ]


def second_moments(r: Any) -> tuple[Any, Any, Any, Any]:
    """V^_{r+1} of line 15 and of (35) with V_r = x^2, without their common denominator; and V of lines 14, 18."""
    P, _, _ = gradients(r)
    V = r.x * r.x
    G, kept = adam_round(P, r.m, V, r.beta, r.beta2)
    return kept, V, G, P


def v_hat(s: Instance) -> list[Comparison]:
    """V_{r+1}/(1 - beta_2^r) = V(E)/(1 - beta_2^E)

    V_{r+1}=V(E)
    """
    listed, text, _, _ = second_moments(numeric(s))
    return [that("V^", listed) == text]


def adagrad(s: Instance) -> list[Comparison]:
    r"""with the same rate

    \eta\alpha=\eta
    """
    return [that("the rate of AdaGrad's step", s.eta * s.alpha) == s.eta]


def corrected(s: Instance) -> list[Comparison]:
    r"""with r + 1 for r they are, and for T = 1 the listing has the moments of centralized Adam

    \hat m_{r+1}=\frac{\beta_1m_r+(1-\beta_1)\mathcal G_r}{1-\beta_1^{r+1}},\ %
      \hat V_{r+1}=\frac{V_{r+1}}{1-\beta_2^{r+1}}

    With r + 1 for r; and for T = 1 the moments of centralized Adam (30) at the total gradient.
    """
    r = numeric(s)
    listed, V, G, P = second_moments(r)
    g = sum(p * grad(r.x) for p, grad in zip(r.p, r.grads, strict=True))
    return [
        *hats(s, late=1),
        that("G", G) == g,
        that("m of Adam", P) == s.beta * s.m + (1 - s.beta) * g,
        that("v of Adam", listed) == s.beta2 * V + (1 - s.beta2) * g * g,
    ]


def prove() -> None:
    """z3 and sympy, for any losses; n <= 3: beta^(r+1) = beta beta^r < 1 by induction; for T = 1 lines 9 to 14 are
    Adam's moments at the total gradient, for unknown gradients.
    """
    beta, power = reals("beta power")
    smt([0 <= beta, beta < 1, 0 <= power, power <= 1], 1 - beta * power > 0)
    smt([0 <= beta, beta < 1, 0 <= power, power <= 1], beta * power <= 1)
    for n in (1, 2, 3):
        r = symbolic(n, 1)
        listed, V, G, P = second_moments(r)
        g = sum(p * grad(r.x) for p, grad in zip(r.p, r.grads, strict=True))
        vanishes(G - g, "G")
        vanishes(P - (r.beta * r.m + (1 - r.beta) * g), "m")
        vanishes(listed - (r.beta2 * V + (1 - r.beta2) * g**2), "v")


def decode(cursor: Any, r: int, n: int) -> Any:
    s = setting(cursor, n, 1, extras=("beta2",))
    s.r = r
    return s


STATEMENT = Statement(
    kind="equivalence",
    location="Algorithm 2, appendix A.2",
    says="Algorithm 2 computes (34), (35) and (38), (39), for r = 0, ..., R - 1.",
    reading="First of all its lines must be defined.",
    severity="typo",
    domain=Domain(decode, grid(r=(0, 1, 2, 10), n=(1, 2)), "quadratic clients in d = 1, T = 1, rounds r = 0, 1, 2, 10"),
    hypotheses=(BETA, RATES, Hypothesis("beta_2 < 1", lambda s: [that(s.beta2) < s.beta * 0 + 1])),
    printed=Claim(
        "1 - beta_1^r and 1 - beta_2^r, by which lines 13 and 15 divide, are positive",
        r"1-\beta_1^r>0,\ 1-\beta_2^r>0\quad(r=0,\dots,R-1)",
        lambda s: hats(s, late=0),
    ),
    corrected=claim_of(corrected, prove=prove),
    steps=(
        Step(
            "beside the proof: line 15 is (35)'s V^(E+1)",
            claim_of(v_hat),
            "the listing is right ((30) has v(t+1)); (35) is not",
        ),
        Step(
            "beside the proof: line 19 is (39)'s step",
            claim_of(adagrad),
            "the listing has alpha, (39) has not; (39)'s V^ is the listing's V_{r+1}",
        ),
    ),
    note="(30) and (35) have the same exponents. m_{r+1} of line 10 is not the momentum of the Adam of lines 13 to "
    "16 unless T = 1 (DA.E35). With r + 1 our fedda-adam and fedda-adagrad play the listing's rounds (tests).",
)

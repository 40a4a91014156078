"""DA (47): the bound that grows like exp(lambda+ t eta), and what is concluded from it."""

from theorems.fedda.common_pair import PAIR, bound_at, deviation_at, lipschitz, pairs, prove_comparison, prove_flow
from theorems.vocabulary import *


def growth(s: Instance) -> Any:
    """(1 - beta) integral of exp(lambda+ (t eta - s)) |R|/eta, with lambda+ of A (not the printed one)."""
    k, tau = (1 - s.beta) / s.eta, s.t * s.eta
    fast = (s.y - 1) * k / 2
    return k * s.nb.abs(s.R) * (s.nb.exp(fast * tau) - 1) / fast


def constant(s: Instance) -> Any:
    """sup_t |exp(A t) e_1|_1 exp(-lambda+ t) = max(1, (1 + lambda+)/(lambda+ - lambda-))."""
    k = (1 - s.beta) / s.eta
    return s.nb.maximum(s.x * 0 + 1, (1 + (s.y - 1) * k / 2) / (s.y * k))


def middle(s: Instance) -> list[Comparison]:
    (momentum, model), one = deviation_at(s), s.eta * 0 + 1
    return [that("the middle expression", momentum + model) <= s.nb.maximum(one, s.eta) * growth(s) / (1 - s.beta)]


def bound(s: Instance, C: Scalar) -> list[Comparison]:
    momentum, model = deviation_at(s)
    return [that("bound", momentum + model) <= C * growth(s)]


def equality(s: Instance) -> list[Comparison]:
    r"""both expressions agree

    \int e^{\lambda^+(t\eta-\tau)}\|R\|/\eta=(1-\beta)\int\cdots

    The middle of (47) lacks the 1 - beta of its end.
    """
    return [that("middle and end", growth(s) / (1 - s.beta)) == growth(s)]


def grows(s: Instance) -> list[Comparison]:
    r"""it grows from t to 2 t

    \|m^i-m\|(2t\eta)\ge\|m^i-m\|(t\eta)

    The deviation at 2 t against that at t.
    """
    later = Instance(**{**vars(s), "t": 2 * s.t})
    return [that("grows", deviation_at(later)[0]) >= deviation_at(s)[0]]


def sharper(s: Instance) -> list[Comparison]:
    """(1 + lambda+)/(lambda+ - lambda-) and 1 suffice; lambda+ <= L_g."""
    k = (1 - s.beta) / s.eta
    momentum, model = bound_at(s)
    return [
        that("the integral of (46)", momentum + model) <= constant(s) * growth(s),
        that("lambda+ <= L_g", (s.y - 1) * k / 2) <= lipschitz(s),
    ]


def prove() -> None:
    """z3 and sympy: From (46): exp(A t) e_1 = ((l+ e^{l+ t} - l- e^{l- t}), (e^{l+ t} - e^{l- t}))/(l+ - l-); the sum
    of the entries over e^{l+ t} is linear in rho = e^{(l- - l+) t}, so at most its value at rho = 1, which is 1, or at
    rho = 0.
    """
    prove_comparison()
    prove_flow()
    low, high, rho, C = reals("low high rho C")
    roots = [low < 0, high > 0, 0 < rho, rho <= 1]  # rho = exp((low - high) t)
    value = (1 + high) - (1 + low) * rho  # |exp(A t) e_1|_1 exp(-high t) (high - low)
    smt([*roots, C >= 1, C * (high - low) >= 1 + high], value <= C * (high - low))
    keep, eta = reals("keep eta")  # -low - high = k = keep/eta: (1 - beta) C_A <= max(1, eta)
    rates = [0 < keep, keep <= 1, 0 < eta, eta * (-low - high) == keep, low < 0, high > 0]
    smt([*rates, eta <= 1], keep * (1 + high) <= high - low)
    smt([*rates, 1 <= eta], keep * (1 + high) <= eta * (high - low))


START = Hypothesis(
    "m^i = m and W^i = W at the start",
    lambda s: [that("momenta", s.D) == s.x * 0, that("models", s.E) == s.x * 0],
    role="(47) leaves out the terms of (46) with the deviations at the start",
)
STATEMENT = Statement(
    kind="upper bound",
    location="(47) and after, appendix A.3",
    says="|m^i - m| + |W^i - W| <= (1 - beta) exp(lambda+ t eta) integral of exp(-lambda+ s) |R|/eta, 'which implies "
    "that |m^i - m| is exponentially growing'.",
    reading="lambda+ is A's eigenvalue, not the printed formula (DA.E44). Assumption 2 is granted: the gradients may "
    "be bent outside the points visited.",
    severity="substantive",
    domain=pairs(zero=True),
    hypotheses=(PAIR, START),
    printed=Claim(
        "the sum is at most the last expression",
        r"\|m^i-m\|+\|W^i-W\|\le e^{\lambda^+t\eta}(1-\beta)\int_0^{t\eta}e^{-\lambda^+\tau}(\|R\|/\eta)d\tau",
        lambda s: bound(s, s.x * 0 + 1),
    ),
    corrected=Claim(
        "as printed for (1 - beta)/eta >= 1; else with the constant C_A = max(1, (1 + lambda+)/(lambda+ - lambda-)) "
        "that the line before announces; the middle expression, without 1 - beta, times max(1, eta) is a bound, too, "
        "since (1 - beta) C_A <= max(1, eta)",
        r"\|m^i-m\|+\|W^i-W\|\le C_A(1-\beta)\int_0^{t\eta}e^{\lambda^+(t\eta-\tau)}(\|R\|/\eta)d\tau",
        lambda s: [*bound(s, constant(s)), *sharper(s), *middle(s)],
        prove,
    ),
    steps=(
        Step("the equality in (47)", claim_of(equality), "the middle needs the factor 1 - beta"),
        Step(
            "beside the proof: 'which implies that |m^i - m| is exponentially growing'",
            claim_of(grows),
            "an upper bound implies no growth: for convex clients the deviation dies out, and under Assumption 2 no "
            "deviation exceeds 2 (|m(0)| + sup |g|) (DA.D2)",
        ),
    ),
    note="The printed bound fails where beta is near 1 and eta is not small; for (1 - beta)/eta >= 1 lambda- is at "
    "most -1, and C_A = 1.",
)

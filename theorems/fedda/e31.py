"""DA (31): the system whose numerical solution Adam is to be."""

from theorems.fedda.common import below_one, vanishes
from theorems.vocabulary import *


def decode(cursor: Cursor, t: int) -> Instance:
    """Before step t + 1 of Adam, at tau = t eta: m, v, the gradient g."""
    nb = cursor.nb
    eta, beta1, beta2 = 1 - below_one(cursor), 1 - below_one(cursor) / 2, 1 - below_one(cursor) / 2
    m, v, g = 1 - 2 * cursor.take(), cursor.take(), 1 - 2 * cursor.take()
    return Instance(nb=nb, eta=eta, beta1=beta1, beta2=beta2, m=m, v=1 - v, g=g, eps=1 - below_one(cursor), t=t)


def move(s: Instance, extra: bool) -> list[Comparison]:
    """W(t+1) - W(t): a step of (31)'s last line (``extra``: with its factor eta), and (30), at equal m^, v^."""
    direction = s.m / (s.nb.sqrt(s.v) + s.eps)
    return [that("W moves", s.eta * -(direction * s.eta if extra else direction)) == -(direction * s.eta)]


def mass(s: Instance, scaled: bool) -> list[Comparison]:
    """1 - beta_1^tau at tau = t eta (``scaled``: beta_1^(tau/eta)) against (30)'s 1 - beta_1^t."""
    tau = s.t * s.eta
    exponent = tau / s.eta if scaled else tau
    return [that("mass", 1 - s.nb.exp(exponent * s.nb.log(s.beta1))) == 1 - s.beta1**s.t]


def moments(s: Instance) -> list[Comparison]:
    step = s.m + s.eta * (-(1 - s.beta1) * s.m + (1 - s.beta1) * s.g) / s.eta
    second = s.v + s.eta * (-(1 - s.beta2) * s.v + (1 - s.beta2) * s.g * s.g) / s.eta
    return [
        that("m", step) == s.beta1 * s.m + (1 - s.beta1) * s.g,
        that("v", second) == s.beta2 * s.v + (1 - s.beta2) * s.g * s.g,
    ]


def prove() -> None:
    """sympy identity: One Euler step of each line, with D = m^/(sqrt(v^) + eps) taken at the new moments."""
    eta, beta, m, g, D, t = sympy.symbols("eta beta m g D t", positive=True)
    vanishes(m + eta * (-(1 - beta) * m + (1 - beta) * g) / eta - (beta * m + (1 - beta) * g), "moments")
    vanishes(eta * -D + D * eta, "W")
    vanishes(t * eta / eta - t, "the exponent")


def prove_equilibria() -> None:
    """z3: W' = 0 asks for m = 0; then m' = 0 asks for g(W) = 0 and v' = 0 for v = 0. g(W*) = 0 makes W* critical, not a
    minimum: saddles and maxima are equilibria, too.
    """
    m, v, g, k, rate = reals("m v g k rate")
    smt([k > 0, rate > 0, k * (g - m) == 0, rate * (g * g - v) == 0, m == 0], v == 0)
    smt([k > 0, k * (g - m) == 0, m == 0], g == 0)


STATEMENT = Statement(
    kind="equivalence",
    location="(30) and (31), appendix A.2",
    says="Adam (30) is the numerical solution of (31), W' = - m^/(sqrt(v^) + eps) eta with m^ = m/(1 - beta_1^tau).",
    reading="Euler's scheme with step eta at tau = t eta, as (18) is for (19); equal m^ and v^ in the line of W. The "
    "slip of (30), t for t + 1, is not counted again.",
    severity="typo",
    domain=Domain(decode, grid(t=(1, 2, 5)), "moments, a gradient, 1/2 < beta_1, beta_2 <= 1, 0 < eta, eps <= 1"),
    hypotheses=(
        Hypothesis(
            "0 < beta < 1, eta, eps > 0",
            lambda s: [
                that("beta_1", s.beta1) < s.eta * 0 + 1,
                that("beta_2", s.beta2) < s.eta * 0 + 1,
                that("beta_1 positive", s.beta1) > s.eta * 0,
                that("eta", s.eta) > s.eta * 0,
                that("eps", s.eps) > s.eta * 0,
            ],
        ),
    ),
    printed=Claim(
        "an Euler step of (31) is a step of (30)",
        r"\dot W=-\frac{\hat m}{\sqrt{\hat v}+\epsilon}\,\eta,\quad\hat m=\frac m{1-\beta_1^\tau}",
        lambda s: [*move(s, extra=True), *mass(s, scaled=False), *moments(s)],
    ),
    corrected=Claim(
        "without the eta in the line of W, and with 1 - beta^(tau/eta)",
        r"\dot W=-\frac{\hat m}{\sqrt{\hat v}+\epsilon},\quad\hat m=\frac m{1-\beta_1^{\tau/\eta}}",
        lambda s: [*move(s, extra=False), *mass(s, scaled=True), *moments(s)],
        prove,
    ),
    steps=(
        Step(
            "the equilibria are (0, 0, W*) with g(W*) = 0",
            Claim("m = v = 0 and g(W) = 0", r"(m,v,W)=(0,0,W^*),\ g(W^*)=0", None, prove_equilibria),
        ),
        Step(
            "1 - beta^tau at tau = t eta",
            Claim("the mass of the moments alone", r"1-\beta_1^{\tau}", lambda s: mass(s, scaled=False)),
            "1 - beta^(tau/eta)",
        ),
    ),
    note="(37), AdaGrad's system, has no eta in that line. 'Therefore Adam converges' does not follow from its "
    "equilibria.",
)

"""DA (30): centralized Adam and its corrections of the bias."""

from theorems.bridges import powers
from theorems.fedda.common import below_one
from theorems.vocabulary import *


def decode(cursor: Cursor, t: int) -> Instance:
    beta1, beta2 = below_one(cursor), below_one(cursor)
    return Instance(nb=cursor.nb, beta1=beta1, beta2=beta2, g=1 - cursor.take() / 2, t=t)


def moments(s: Instance) -> tuple[Any, Any]:
    """m(t+1) and v(t+1) after t + 1 steps with the same gradient g, from 0."""
    m, v = s.g * 0, s.g * 0
    for _ in range(s.t + 1):
        m = s.beta1 * m + (1 - s.beta1) * s.g
        v = s.beta2 * v + (1 - s.beta2) * s.g * s.g
    return m, v


def compare(s: Instance, exponent: int) -> list[Comparison]:
    m, v = moments(s)
    return [that("m^", m / (1 - s.beta1**exponent)) == s.g, that("v^", v / (1 - s.beta2**exponent)) == s.g * s.g]


def derive(proof: Derivation, s: Instance) -> None:
    """By induction on t: m(t) = g (1 - beta_1^t) from m(0) = 0 at a constant gradient; v(t) likewise."""
    b, p, g, M = reals("beta power g M")
    for beta, slope in ((s.beta1, s.g), (s.beta2, s.g * s.g)):
        proof.cross(powers, "beta^t <= 1", low=beta, high=beta * 0 + 1, exponents=range(s.t + 1))
        proof.leaf("the first step", [], b * (0 * g) + (1 - b) * g == (1 - b) * g, beta=beta, g=slope)
        moment, power = (1 - beta) * slope, beta
        for _ in range(s.t):
            proof.leaf("one step more", [M == (1 - p) * g], b * M + (1 - b) * g == (1 - b * p) * g, beta=beta,
                       power=power, g=slope, M=moment)  # fmt: skip
            moment, power = beta * moment + (1 - beta) * slope, beta * power
        proof.leaf("beta^(t+1) < 1", [0 <= b, b < 1, p <= 1, 0 <= p], b * p < 1, beta=beta, power=beta**s.t)
        proof.leaf("the bias divided out", [M == (1 - p) * g, p < 1], M / (1 - p) == g, power=power, g=slope, M=moment)


STATEMENT = Statement(
    kind="identity",
    location="(30), appendix A.2",
    says="Adam's m^(t+1) = m(t+1)/(1 - beta_1^t) and v^(t+1) = v(t+1)/(1 - beta_2^t) correct the bias of the moments.",
    reading="Judged at a constant gradient g, from m = v = 0: what they correct to must be g and g^2 (Kingma and "
    "Ba). t = 0, where the printed formula divides by 0, is left to DA.A2.",
    severity="typo",
    domain=Domain(decode, grid(t=(1, 2, 3, 10, 100)), "a constant gradient g, 0 <= beta_1, beta_2 < 1"),
    hypotheses=(
        Hypothesis(
            "0 <= beta < 1",
            lambda s: [c for b in (s.beta1, s.beta2) for c in (that("", b) >= b * 0, that("", b) < b * 0 + 1)],
        ),
    ),
    printed=Claim(
        "m(t+1)/(1 - beta_1^t) = g and v(t+1)/(1 - beta_2^t) = g^2",
        r"\hat m(t+1)=\frac{m(t+1)}{1-\beta_1^t}",
        lambda s: compare(s, s.t),
    ),
    corrected=Claim(
        "m(t+1)/(1 - beta_1^(t+1)) = g and v(t+1)/(1 - beta_2^(t+1)) = g^2",
        r"\hat m(t+1)=\frac{m(t+1)}{1-\beta_1^{t+1}}",
        lambda s: compare(s, s.t + 1),
        derive=derive,
    ),
    note="The slip returns in (35) and in lines 13 and 15 of Algorithm 2. At t = 1 and beta_1 = 0.9 m^ is 1.9 g.",
)

"""DA A.2: 'the expectation of each component of m^/sqrt(v^) is approximately +-1'."""

from theorems.fedda.common import below_one
from theorems.vocabulary import *


def draws(cursor: Cursor, t: int, loose: int = 1) -> Instance:
    """t gradients s (probability q) or -s, drawn anew: all 2^t outcomes with their chances; g^2 is s^2 always."""
    s, q = 1 - cursor.take() * cursor.nb.number(Fraction(999, 1000)), cursor.take()
    beta1, beta2 = below_one(cursor), below_one(cursor)
    outcomes = [(q * 0 + 1, q * 0, q * 0)]
    for _ in range(t):
        outcomes = [
            (chance * odds, beta1 * m + (1 - beta1) * g, beta2 * v + (1 - beta2) * g * g)
            for chance, m, v in outcomes
            for odds, g in ((q, s), (1 - q, -s))
        ]
    return Instance(nb=cursor.nb, t=t, s=s, q=q, beta1=beta1, beta2=beta2, outcomes=outcomes)


def ratio(s: Instance) -> Any:
    """E m^/sqrt(v^), hats with the exponents of Adam's own paper."""
    hat_m, hat_v = 1 - s.beta1**s.t, 1 - s.beta2**s.t
    terms = [chance * m / hat_m / s.nb.sqrt(v / hat_v) for chance, m, v in s.outcomes]
    return sum(terms[1:], terms[0])


def printed(s: Instance) -> list[Comparison]:
    r"""At least 1/2 in absolute value.

    \big|\mathbb E\,\hat m/\sqrt{\hat v}\big|\ge\tfrac12
    """
    return [that("|E m^/sqrt(v^)|", s.nb.abs(ratio(s))) >= s.q * 0 + s.nb.number(Fraction(1, 2))]


def corrected(s: Instance) -> list[Comparison]:
    r"""With gradients of one size E m^/sqrt(v^) is E g/|g|: +-1 only where their sign never changes.

    \mathbb E\,\frac{\hat m}{\sqrt{\hat v}}=\mathbb E\frac g{|g|}=2q-1
    """
    return [that("E m^/sqrt(v^)", ratio(s)) == 2 * s.q - 1]


def prove() -> None:
    """sympy identity: By induction on t, E m = (1 - beta_1^t) E g and v = (1 - beta_2^t) s^2 for certain: hats divide
    both out.
    """
    beta, power, s, q = sympy.symbols("beta power s q")  # power = beta^t
    identity(
        (beta * (1 - power) * (2 * q - 1) * s + (1 - beta) * (2 * q - 1) * s, (1 - beta * power) * (2 * q - 1) * s)
    )
    identity((beta * (1 - power) * s**2 + (1 - beta) * s**2, (1 - beta * power) * s**2))


STATEMENT = Statement(
    kind="identity",
    location="A.2, before (34)",
    says="For centralized Adam, the expectation of each component of m^/sqrt(v^) is approximately +-1.",
    reading="Approximately: at least 1/2 in absolute value. Gradients s or -s, of one size.",
    severity="missing-hypothesis",
    domain=Domain(draws, grid(t=(1, 2, 3, 6)), "gradients s (probability q) or -s, up to six steps, all outcomes"),
    hypotheses=(
        Hypothesis(
            "0 <= beta_1, beta_2 < 1",
            lambda s: [r for b in (s.beta1, s.beta2) for r in (that(b) >= b * 0, that(b) < b * 0 + 1)],
            role="Adam's",
        ),
        Hypothesis(
            "s > 0, 0 <= q <= 1",
            lambda s: [that(s.s) > s.s * 0, that(s.q) >= s.q * 0, that(s.q) <= s.q * 0 + 1],
            role="a size and a probability",
        ),
    ),
    printed=claim_of(printed),
    corrected=claim_of(corrected, prove=prove),
    note="True where gradients keep their sign, far from a minimum; near one, where signs are even, it is 0. What (35) "
    "makes of it at steady gradients is a step of DA.E35.",
)

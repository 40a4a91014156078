"""OLR section 4, two clients: every formula, and every range of gamma that the text names."""

from theorems.vocabulary import *


def decode(cursor: Cursor) -> Instance:
    """0 <= low <= gamma < 6/5; 0 <= small < 1/2; 1/2 < beyond < 1; 0 < gap <= 3/5 below 6/5; a point x."""
    nb = cursor.nb
    inside = nb.number(Fraction(6 * (10**6 - 1), 5 * 10**6))
    gamma, x = inside * cursor.take(), 2 - 4 * cursor.take()
    low, small = gamma * cursor.take(), (1 - nb.number(Fraction(1, 10**6))) * cursor.take() / 2
    beyond = (3 + (cursor.take() - cursor.take()) * nb.number(Fraction(98, 100))) / 4
    gap = (1 + 599 * cursor.take()) / 1000
    return Instance(nb=nb, gamma=gamma, x=x, low=low, small=small, beyond=beyond, gap=gap)


def past_the_end(cursor: Cursor) -> Instance:
    """gamma from 0 to 2, all else as it was."""
    s = decode(cursor)
    return Instance(**{**vars(s), "gamma": 2 * cursor.take()})


def distortions(gamma: Scalar) -> tuple[Any, Any]:
    """Q_1, Q_2 = sum_{k<2} (1 - gamma i)^k by (8)."""
    return 1 + (1 - gamma), 1 + (1 - 2 * gamma)


def surrogate(q1: Scalar, q2: Scalar, x: Scalar) -> Any:
    """Half the sum of 1/2 Q_i A_i (x - c_i)^2, by (9) (with its square) and (10)."""
    return (q1 * (x - 1) ** 2 / 2 + q2 * 2 * (2 * x - 1) ** 2 / 8) / 2


def rest(q1: Scalar, q2: Scalar) -> Any:
    """E[Q_i A_i c_i] / E[Q_i A_i]."""
    return (q1 + q2) / (q1 + 2 * q2)


def distance(gamma: Any) -> Any:
    """|argmin f~ - argmin f| on [0, 6/5), as a sign-free difference with 2/3 = rest(0)."""
    q1, q2 = distortions(gamma)
    return (3 * (q1 + q2) - 2 * (q1 + 2 * q2)) / (3 * (q1 + 2 * q2))


def compare(s: Instance) -> list[Comparison]:
    r"""all formulas and ranges, f~_2 negative definite for gamma > 1/2

    \|\operatorname{argmin}\tilde f-\operatorname{argmin}f\|=\frac{\gamma}{3(6-5\gamma)};\quad%
      \tilde f_2\prec0\text{ for }\gamma>\tfrac12
    """
    g, x, zero = s.gamma, s.x, s.gamma * 0
    q1, q2 = distortions(g)
    s1, s2 = distortions(s.small)
    _, past = distortions(s.beyond)
    near = -s.gap + s.nb.number(Fraction(6, 5))
    printed = (2 - g) * (x - 1) ** 2 / 4 + (1 - g) * (2 * x - 1) ** 2 / 4
    return [
        that("f is minimized at 2/3", rest(*distortions(zero)) * 3) == zero + 2,
        that("Q_1 = 2 - gamma", q1) == 2 - g,
        that("Q_2 = 2 - 2 gamma", q2) == 2 - 2 * g,
        that("Q_1 > 0 on [0, 1/2)", s1) > zero,
        that("Q_2 > 0 on [0, 1/2)", s2) > zero,
        that("the surrogate", surrogate(q1, q2, x)) == printed,
        that("positive definite on [0, 6/5)", q1 + 2 * q2) > zero,
        that("its minimizer", rest(q1, q2) * (6 - 5 * g)) == 4 - 3 * g,
        that("the distance", distance(g) * 3 * (6 - 5 * g)) == g,
        that("gamma -> 0: below gamma/3 at gamma <= 1", distance(s.small) * 3) <= s.small,
        that("grows with gamma", distance(s.low)) <= distance(g),
        that("unbounded at 6/5", distance(near) * 25 * s.gap) >= zero + 1,
        that("f~_2 negative definite for gamma > 1/2", past) < zero,
    ]


def corrected(s: Instance) -> list[Comparison]:
    r"""all formulas and ranges, f~_2 negative definite for gamma > 1

    \tilde f_2\prec0\iff\gamma>1

    For gamma = 1 + gap in (1, 6/5]: 2 (1 - gamma) < 0, by Q_2 itself.
    """
    q2 = distortions(1 + s.gap / 3)[1]
    kept = compare(s)[:-1]
    return [*kept, that("f~_2 negative definite for gamma > 1", q2) < s.gamma * 0]


def derive(proof: Derivation, s: Instance) -> None:
    """Identities in gamma and x, and linear inequalities: 6 - 5 gamma > 0 below 6/5, and the distance grows."""
    g, x, a, e = reals("gamma x low gap")
    q1, q2 = distortions(g)
    here, inside = {"gamma": s.gamma}, [0 <= g, 5 * g < 6]
    proof.leaf("gamma >= 0", [0 <= a, a <= g], 0 <= g, low=s.low, **here)
    proof.leaf("f is minimized at 2/3", [], rest(*distortions(0 * g)) * 3 == 2 + 0 * g, **here)
    proof.leaf("Q_1 = 2 - gamma", [], q1 == 2 - g, **here)
    proof.leaf("Q_2 = 2 - 2 gamma", [], q2 == 2 - 2 * g, **here)
    for q in distortions(g):
        proof.leaf("Q_i > 0 on [0, 1/2)", [0 <= g, 2 * g < 1], q > 0, gamma=s.small)
    printed = (2 - g) * (x - 1) * (x - 1) / 4 + (1 - g) * (2 * x - 1) * (2 * x - 1) / 4
    proof.leaf("the surrogate", [], surrogate(q1, q2, x) == printed, **here, x=s.x)
    proof.leaf("positive definite on [0, 6/5)", inside, q1 + 2 * q2 > 0, **here)
    proof.leaf("its minimizer", inside, rest(q1, q2) * (6 - 5 * g) == 4 - 3 * g, **here)
    proof.leaf("the distance", inside, distance(g) * 3 * (6 - 5 * g) == g, **here)
    proof.leaf("at most gamma/3", [0 <= g, 2 * g < 1], distance(g) * 3 <= g, gamma=s.small)
    proof.leaf("grows with gamma", [*inside, 0 <= a, a <= g], distance(a) <= distance(g), **here, low=s.low)
    near = -e + Fraction(6, 5)
    proof.leaf("unbounded at 6/5", [0 < e, 5 * e <= 3], distance(near) * 25 * e >= 1, gap=s.gap)
    proof.leaf("Q_2 < 0 beyond 1", [0 < e], distortions(1 + e / 3)[1] < 0, gap=s.gap)


STATEMENT = Statement(
    kind="identity",
    location="section 4, analytic examples (gamma varies)",
    says="For A = 1, 2 and c = 1, 1/2, Theta_{1:2}: x* = 2/3; Q_i = 2 - gamma i, positive for gamma in [0, 1/2); the "
    "surrogate, positive definite for gamma < 6/5, has its minimizer at (4 - 3 gamma)/(6 - 5 gamma), gamma/(3 (6 - 5 "
    "gamma)) from x*, which grows without bound towards 6/5; f~_2 is negative definite for gamma > 1/2.",
    headline=True,
    reading="'As long as gamma is in [0, 1/2)' is a sufficient range. Unbounded: at gamma = 6/5 - e the distance is "
    "at least 1/(25 e) for e <= 3/5.",
    severity="typo",
    note="f~_2 = (1 - gamma)(x - 1/2)^2 up to a factor: positive definite up to gamma = 1, not 1/2 (which is 1/L, "
    "where the paper's general theory ends). Every other formula and range stands. Q_1 and Q_2 are positive for gamma "
    "< 1, and the second client's own gradient descent, with factor 1 - 2 gamma, diverges beyond 1 as well.",
    domain=Domain(decode, grid(), "0 <= gamma < 6/5, and points in the ranges that the text names"),
    hypotheses=(
        Hypothesis(
            "0 <= gamma < 6/5",
            lambda s: [
                that(5 * s.gamma) < s.gamma * 0 + 6,
                that("sign", s.low) >= s.gamma * 0,
                that("ordered", s.low) <= s.gamma,
            ],
            Domain(past_the_end, grid(), "0 <= gamma <= 2"),
        ),
        Hypothesis(
            "1/2 < beyond < 1",
            lambda s: [that(2 * s.beyond) > s.gamma * 0 + 1, that("end", s.beyond) < s.gamma * 0 + 1],
            role="the rates past 1/2 at which the last claim is judged",
        ),
        Hypothesis(
            "0 <= small < 1/2 and 0 < gap <= 3/5",
            lambda s: [
                that("small", s.small) >= s.gamma * 0,
                that("small", 2 * s.small) < s.gamma * 0 + 1,
                that("gap", s.gap) > s.gamma * 0,
                that("gap", 5 * s.gap) <= s.gamma * 0 + 3,
            ],
            role="the rates in [0, 1/2) and below 6/5 at which the text's ranges are judged",
        ),
    ),
    printed=claim_of(compare),
    corrected=claim_of(corrected, derive=derive),
)

"""Equal clients with unbiased, skewed noise, which FED-LAMB's normalised steps carry away from the minimizer.

f is a sum over h layers of one coordinate with f_0'(x) = s clip(x/delta, -1, 1). Every stochastic derivative is xi
f_0'(x) with xi = -1 (probability 2/3) or 5 (1/3), drawn anew: its mean is f_0'(x), its variance 8 f_0'(x)^2. A layer of
one coordinate steps along the sign of its momentum, which is that of the last gradient for beta_1 <= 1/10 (in the
listing with its repeated corrections, too). So two steps in three lead uphill. Once all models are beyond delta, 2^(-n
(theta - theta_1)/(alpha phi)) of the mean theta is a martingale (2/3 / 2 + 1/3 * 2 = 1): it doubles, and the model
comes back, with probability 1/2 at most (Ville's inequality). Half of E|f_0'|^2 stays s^2 / 2 for ever.
"""

from theorems.fedlamb.common import need, positive, sign, total
from theorems.vocabulary import *

UP, DOWN = Fraction(2, 3), Fraction(1, 3)
LEAST, MOST = Fraction(1, 1000), Fraction(1, 10)


def skewed_instance(cursor: Cursor, n: int, root_h: int, T: int, alpha: Any, swing: int = 1, **more: Any) -> Instance:
    """h = root_h^2 layers; rates of at most ``swing`` times alpha. The models start so far beyond delta that a whole
    round cannot lead them below it from where the martingale has not doubled.

    Delta is at most h (s delta/2 + s (start - delta + a round)), as f is met at theta-bar_1, one round after the start.
    """
    nb, h = cursor.nb, root_h**2
    s, delta, phi = positive(cursor), 1 + cursor.take(), positive(cursor)
    loose, beta1, beta2 = 1 + cursor.take(), _between(cursor, LEAST, MOST), _between(cursor, LEAST, Fraction(999, 1000))
    reach = swing * alpha * phi  # the longest step
    return Instance(
        nb=nb, n=n, h=h, T=T, s=s, delta=delta, phi=phi, beta1=beta1, beta2=beta2, alpha=alpha,
        L=s / delta, sigma=3 * s, M=5 * root_h * s, sqrt_v0=5 * s * loose,
        Delta=h * s * (delta / 2 + (2 * T + 1) * reach), at_least=h * s / (10 * loose), **more,
    )  # fmt: skip


def _between(cursor: Cursor, low: Fraction, high: Fraction) -> Any:
    return cursor.nb.number(low) + cursor.nb.number(high - low) * cursor.take()


def skewed(decode: Any, choices: Sequence[Mapping[str, Any]], says: str) -> Domain:
    return Domain(decode, tuple(choices), f"equal clients with unbiased skewed noise; {says}")


GIVEN = (
    need(
        "f has an s/delta-Lipschitz gradient (H1)",
        lambda s: [(s.s, "<=", s.L * s.delta), (s.delta, ">", 0)],
        role="L stands in (3)",
    ),
    need("|g| <= M (H2)", lambda s: [(25 * s.s**2 * s.h, "<=", s.M**2)], role="M stands in (3)"),
    need(
        "the variance 8 s^2 is below sigma^2 (H3)",
        lambda s: [(8 * s.s**2, "<", s.sigma**2)],
        role="sigma stands in (3)",
    ),
    need("phi > 0 is constant (H4)", lambda s: [(s.phi, ">", 0)], role="phi_m and phi_M are phi"),
    need(
        "alpha > 0, 0 < beta_1 <= 1/10, 0 < beta_2 < 1",
        lambda s: [(v, ">", 0) for v in (s.alpha, s.beta1, s.beta2)] + [(10 * s.beta1, "<=", 1), (s.beta2, "<", 1)],
        role="line 1 of Algorithm 1; up to 1/10 momentum keeps the last gradient's sign, and the clients are these",
    ),
    need(
        "sqrt(v0) >= 5 s > 0, so that v-hat stays v0",
        lambda s: [(s.sqrt_v0, ">=", 5 * s.s), (s.s, ">", 0)],
        role="else v-hat moves, and v0 with it",
    ),
)


def walk(cursor: Cursor, R: int, wide: int) -> Instance:
    """One client, T = 1: f_0'(x)^2/s^2 averaged over R rounds and all 2^R outcomes; delta is wide + 1/2 steps."""
    nb = cursor.nb
    step = positive(cursor)
    delta = step * nb.number(Fraction(2 * wide + 1, 2))
    states = [(nb.number(Fraction(1)) + 0 * step, delta + 2 * step)]
    seen = []
    for _ in range(R):
        seen += [chance * nb.minimum(1 + 0 * x, (x / delta) ** 2) for chance, x in states]
        states = [
            (chance * nb.number(odds), x + way * step * sign(nb, x))
            for chance, x in states
            for odds, way in ((UP, 1), (DOWN, -1))
        ]
    return Instance(nb=nb, R=R, step=step, delta=delta, mean=total(seen) / R, z=1 + cursor.take())


def stays(s: Instance) -> list[Comparison]:
    """The mean over all outcomes, and what makes z^(-steps away) a supermartingale for 1 <= z <= 2."""
    return [
        that("E f_0'^2 / s^2", s.mean) >= s.mean * 0 + s.nb.number(Fraction(1, 2)),
        that("E z^(-sign)", 2 / (3 * s.z) + s.z / 3) <= s.z * 0 + 1,
    ]


def prove_stays() -> None:
    """z3: (z - 1)(z - 2) <= 0 is 2/(3 z) + z/3 <= 1: with z = 2^(rate/largest rate) z^(-n (theta - theta_1)/step) is a
    supermartingale as long as all models are beyond delta, and exceeds 2 where their mean has lost a longest step; by
    Ville's inequality that has probability at most 1/2. Until then |f_0'| = s.
    """
    z, mean = reals("z mean")
    smt([z >= 1, z <= 2, mean * 3 * z == 2 + z * z], mean <= 1)


UPHILL_LATEX = r"\mathbb E f_0'(\bar\theta_r)^2\ge\tfrac12s^2,\quad\tfrac23z^{-1}+\tfrac13z\le1\ (1\le z\le2)"
UPHILL = Step(
    "such clients walk uphill (ours): E|f_0'|^2 >= s^2/2 at every round",
    Claim(
        "half of s^2 stays, for every number of rounds, clients and local steps",
        UPHILL_LATEX,
        stays,
        prove_stays,
        Domain(walk, grid(R=(1, 2, 5, 8), wide=(0, 3)), "one client, all outcomes of up to 8 rounds"),
    ),
)

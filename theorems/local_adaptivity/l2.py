"""LA Lemma 2: smoothness and strong convexity for expected gradients."""

from theorems.local_adaptivity.common import between, positive
from theorems.local_adaptivity.common_sgd_steps import bent_losses
from theorems.vocabulary import *


def instance(cursor: Cursor, outcomes: int, bends: bool = False) -> Instance:
    """y = 0; x is ``up`` > 0 or -``down`` < 0, each with probability 1/2; F' has slopes ``right``, ``left``."""
    up, down = positive(cursor, 1e-3), cursor.take()
    return Instance(nb=cursor.nb, outcomes=outcomes, up=up, down=down, **bent_losses(cursor, bends))


def _means(s: Instance) -> tuple[Any, Any]:
    if s.outcomes == 1:
        return s.up, s.right * s.up
    return (s.up - s.down) / 2, (s.right * s.up - s.left * s.down) / 2


def printed(s: Instance) -> list[Comparison]:
    x, g = _means(s)
    return [
        that("(14)", g**2) >= s.mu**2 * x**2,
        that("(15)", g**2) <= s.L * x * g,
        that("(16)", (s.mu + s.L) * x * g) >= g**2 + s.mu * s.L * x**2,
    ]


def step_19(s: Instance) -> list[Comparison]:
    r"""mu I <= H <= L I gives mu <E d, E[Hd]> <= E<Hd, E[Hd]> <= L <E d, E[Hd]>

    \mu\langle\mathbb{E}[d],\mathbb{E}[Hd]\rangle\le\mathbb{E}\langle Hd,%
      \mathbb{E}[Hd]\rangle\le L\langle\mathbb{E}[d],\mathbb{E}[Hd]\rangle

    (19): mu <E d, E[H d]> <= E <H d, E[H d]> <= L <E d, E[H d]>.
    """
    x, g = _means(s)
    return [that("(19) low", s.mu * x * g) <= g * g, that("(19) high", g * g) <= s.L * x * g]


def quadratic(cursor: Cursor, outcomes: int, bends: bool = False) -> Instance:
    """F quadratic: one slope on both sides; mu and L its bounds."""
    s = instance(cursor, outcomes, bends)
    s.right = s.left = s.mu + (s.L - s.mu) * cursor.take()
    return s


def prove() -> None:
    """z3: For quadratic F, E[grad F(x) - grad F(y)] = A E[x - y]; in A's eigenbasis each coordinate d of E[x - y] gives
    the three inequalities with an eigenvalue lam in [mu, L], decided by z3, and they add up.
    """
    lam, mu, L, d = reals("lam mu L d")
    given = [0 < mu, mu <= lam, lam <= L]
    smt(given, (lam * d) * (lam * d) >= mu * mu * d * d)
    smt(given, (lam * d) * (lam * d) <= L * d * (lam * d))
    smt(given, (mu + L) * d * (lam * d) >= (lam * d) * (lam * d) + mu * L * d * d)


STATEMENT = Statement(
    kind="upper bound",
    location="Lemma 2, Appendix B",
    says="For random x, y and F L-smooth and mu-strongly convex: |E[grad F(x) - grad F(y)]|^2 >= mu^2 |E[x - y]|^2, "
    "<= L <E[x - y], E[grad F(x) - grad F(y)]>, and (16).",
    reading="x and y are functions of one random xi. F' bends at 0; smoothing the bend changes nothing at the three "
    "points.",
    severity="substantive",
    domain=Domain(instance, grid(outcomes=(1, 2)), "d = 1, y = 0, x of one or two outcomes"),
    hypotheses=(
        between(
            "mu > 0",
            lambda s: s.mu,
            0,
            without=Domain(lambda c, outcomes: quadratic(c, outcomes, True), grid(outcomes=(1,)), "slopes of -1 to 1"),
        ),
        between("up > 0", lambda s: s.up, 0, role="x takes two signs"),
        between("down >= 0", lambda s: s.down, 0, None, "[]", role="x takes two signs"),
    ),
    printed=Claim(
        "(14), (15) and (16)",
        r"\|\mathbb{E}[\nabla F(x)-\nabla F(y)]\|^2\ge\mu^2\|\mathbb{E}[x-y]\|^2,\quad\|\mathbb{E}[\cdot]\|^2\le L"
        r"\langle\mathbb{E}[x-y],\mathbb{E}[\nabla F(x)-\nabla F(y)]\rangle",
        printed,
    ),
    corrected=Claim(
        "for quadratic F (or for x, y that are not random) all three hold",
        r"F(x)=\tfrac12(x-c)^\top A(x-c)",
        printed,
        prove,
        Domain(quadratic, grid(outcomes=(1, 2)), "the same, with a quadratic F"),
    ),
    steps=(
        Step(
            "(19)",
            claim_of(step_19),
            "H is random and correlated with d = x - y: needs H fixed, or squares inside the expectation",
        ),
    ),
    note="The expected gradient can vanish between points whose means differ, and not vanish between points of equal "
    "means. Lemma 2 is used for h_i of SGD (LA.B2, false for general F) and inside (47), which survives by symmetry "
    "(LA.E47).",
)

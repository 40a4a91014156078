"""OLR (9): the client's surrogate loss, printed without its square."""

from theorems.outsized.common import ASSUMPTION_2
from theorems.vocabulary import *


def decode(cursor: Cursor, d: int) -> Instance:
    p = clients(cursor, 1, d)
    x = np.stack([1 - 3 * u for u in cursor.many(d)], -1)
    return Instance(p=p, x=x, theta=Theta.sum(1))


def compare(s: Instance, square: bool) -> list[Comparison]:
    """Theta_1: Q_i = I, and the surrogate is to be f_i itself (Lemma 5 with a = 1)."""
    f = s.p.quadratic(s.p.lam, s.x)
    norm = s.p.nb.length((s.p.nb.sqrt(s.p.lam) * s.p.turned(s.x))[..., 0, :])
    return [that("Theta_1", norm * norm / 2 if square else norm / 2) == f]


def prove() -> None:
    """sympy identity, for d <= 2: With the square, 1/2 |B v|^2 = 1/2 v^T B^2 v for the symmetric root B of Q_i A_i and
    its gradient is Q_i A_i v, as Theorem 3 uses; with Theta_1 B^2 = A_i.

    |B v|^2 = v^T B^2 v for a symmetric root B, and its gradient, entry by entry for d = 2.
    """
    a, b, c, x, y = sympy.symbols("a b c x y")
    B, v = sympy.Matrix([[a, b], [b, c]]), sympy.Matrix([x, y])
    value, field = ((B * v).T * (B * v))[0] / 2, B * B * v
    identity((value, (v.T * B * B * v)[0] / 2), (sympy.diff(value, x), field[0]), (sympy.diff(value, y), field[1]))


STATEMENT = Statement(
    kind="identity",
    location="(9), section 3",
    says="The client's surrogate loss is 1/2 |(Q_i A_i)^(1/2) (x - c_i)|.",
    reading="Judged by what the paper says of it: with Theta_1 there is no distortion and the surrogate is f_i.",
    severity="typo",
    note="The square is missing: (1), Theorem 3's proof and B.2.1 have it. (Q_i A_i)^(1/2) exists for gamma <= 1/L_i; "
    "beyond, the surrogate is the quadratic form 1/2 (x - c_i)^T Q_i A_i (x - c_i), as section 4 uses it.",
    domain=Domain(decode, grid(d=(1, 2)), "one client, Theta_1"),
    hypotheses=(ASSUMPTION_2,),
    printed=Claim(
        "with Theta_1 it is f_i", r"\tilde f_i=\tfrac12\|(Q_iA_i)^{1/2}(x-c_i)\|", lambda s: compare(s, square=False)
    ),
    corrected=Claim(
        "with the square and Theta_1 it is f_i",
        r"\tilde f_i=\tfrac12\|(Q_iA_i)^{1/2}(x-c_i)\|^2",
        lambda s: compare(s, square=True),
        prove,
    ),
)

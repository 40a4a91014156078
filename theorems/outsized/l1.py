"""OLR Lemma 1: up to a constant, a client's loss is the quadratic with its mean Hessian and its own minimizer."""

from theorems.bridges import form, parallel_axes
from theorems.outsized.common_examples import apply, client
from theorems.vocabulary import *


def decode(cursor: Cursor, m: int, d: int) -> Instance:
    """One client with m weighted examples, and two points."""
    p = clients(cursor, m, d, weighted=True)
    x, y = (np.stack([1 - 3 * u for u in cursor.many(d)], -1) for _ in range(2))
    return Instance(nb=cursor.nb, p=p, x=x, y=y)


def square(s: Instance, x: Scalar) -> Any:
    """1/2 (x - c_i)^T A_i (x - c_i)."""
    step = x - s.p.minimizer
    return (step * apply(client(s.p)[0], step)).sum(axis=-1) / 2


def compare(s: Instance) -> list[Comparison]:
    r"""the difference of loss and square is the same at any two points

    f_i(x)=\tfrac12\|A_i^{1/2}(x-c_i)\|^2+\tau_i

    f_i - 1/2 |A_i^(1/2) (x - c_i)|^2 is the same at x and at y.
    """
    at_x, at_y = s.p.quadratic(s.p.lam, s.x), s.p.quadratic(s.p.lam, s.y)
    return [that("constant", at_x + square(s, s.y)) == at_y + square(s, s.x)]


def constants(s: Instance) -> tuple[Any, Any]:
    """c_i^T A_i c_i and E[c_z^T A_z c_z]."""
    _, b = client(s.p)
    return (s.p.minimizer * b).sum(axis=-1), s.p.mean((s.p.c * apply(s.p.A, s.p.c)).sum(axis=-1))


def with_constant(s: Instance, factor: int) -> list[Comparison]:
    """f_i(x) + factor/2 c^T A c = square + 1/2 E[c_z^T A_z c_z]."""
    own, mean = constants(s)
    return [that("completed square", 2 * s.p.quadratic(s.p.lam, s.x) + factor * own) == 2 * square(s, s.x) + mean]


def expanded(s: Instance) -> list[Comparison]:
    r"""f_i = 1/2 x^T A_i x - x^T A_i c_i + 1/2 E[c_z^T A_z c_z]

    f_i=\tfrac12x^TA_ix-x^TA_ic_i+\tfrac12\mathbb E[c_z^TA_zc_z]
    """
    A, b = client(s.p)
    linear = (s.x * apply(A, s.x)).sum(axis=-1) / 2 - (s.x * b).sum(axis=-1)
    return [that("expanded", s.p.quadratic(s.p.lam, s.x)) == linear + constants(s)[1] / 2]


def derive(proof: Derivation, s: Instance) -> None:
    """Twice the loss is twice the square and what is left at c_i, at x as at y."""
    m, z, a, b, c, d, e = reals("mu z a b c d e")
    p = s.p
    proof.leaf("A_z > 0", [m > 0, m <= z], 0 < z, mu=p.mu[..., None, None], z=p.lam)
    for point in (s.x, s.y):
        proof.cross(parallel_axes, "completing the square", p=p, values=p.lam, x=point)
    around = [point[..., None, :] - p.c for point in (s.x, s.y, p.minimizer)]
    f, g, least = (form(p, p.lam, v, v) for v in around)
    equal = [a <= b + c, a >= b + c, d <= e + c, d >= e + c]
    proof.leaf("the same constant", equal, a / 2 + e / 2 == d / 2 + b / 2,
               a=f, b=2 * square(s, s.x), c=least, d=g, e=2 * square(s, s.y))  # fmt: skip


STATEMENT = Statement(
    kind="identity",
    location="Lemma 1, section 3; proof in B.1.1",
    says="f_i(x) = 1/2 |A_i^(1/2) (x - c_i)|^2 + tau_i with a constant tau_i.",
    reading="A_z is positive semidefinite (needed for A_z^(1/2) in (1), assumed only as symmetric in section 2).",
    note="The lemma stands with tau_i = 1/2 (E[c_z^T A_z c_z] - c_i^T A_i c_i) >= 0; the proof prints the second term "
    "without its 1/2, so that its tau_i can be negative.",
    domain=Domain(decode, grid(m=(1, 2, 3), d=(1, 2)), "one client with m weighted examples, two points"),
    hypotheses=(Hypothesis("A_i is positive definite", lambda s: [that(s.p.mu) > s.p.mu * 0]),),
    printed=claim_of(compare, derive=derive),
    steps=(
        Step("B.1.1, line 6: the expanded mean", claim_of(expanded)),
        Step(
            "B.1.1, last line: tau_i = -c_i^T A_i c_i + 1/2 E[c_z^T A_z c_z]",
            Claim(
                "completing the square costs c_i^T A_i c_i",
                r"\tau_i=-c_i^TA_ic_i+\tfrac12\mathbb E[c_z^TA_zc_z]",
                lambda s: with_constant(s, 2),
            ),
            "tau_i = -1/2 c_i^T A_i c_i + 1/2 E[c_z^T A_z c_z]",
        ),
        Step(
            "B.1.1, last line, corrected",
            Claim(
                "completing the square costs 1/2 c_i^T A_i c_i",
                r"\tau_i=-\tfrac12c_i^TA_ic_i+\tfrac12\mathbb E[c_z^TA_zc_z]",
                lambda s: with_constant(s, 1),
            ),
        ),
    ),
)

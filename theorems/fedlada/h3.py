"""LADA Assumption 3.3: what bounded stochastic gradients give."""

from theorems.fedlada.common import below, boxed, need, square
from theorems.vocabulary import *


def compare(s: Instance) -> list[Comparison]:
    r"""the three bounds

    \|m\|_\infty\le G_g,\ \|\nabla F\|_\infty\le G_g,\ \|\nabla F\|^2\le dG_g^2

    G_g = 1; g[tau][j] are the stochastic gradients; the mean of two equally likely ones is a full gradient.
    """
    nb, found = s.nb, []
    m = [s.beta1 * 0] * s.d
    for g in s.g:
        m = [s.beta1 * a + (1 - s.beta1) * b for a, b in zip(m, g, strict=True)]
    full = [(a + b) / 2 for a, b in zip(s.g[0], s.g[-1], strict=True)]
    for j in range(s.d):
        found.append(that(f"m[{j}]", nb.abs(m[j])) <= s.beta1 * 0 + 1)
        found.append(that(f"grad F[{j}]", nb.abs(full[j])) <= s.beta1 * 0 + 1)
    return [*found, that("|grad F|^2 <= d G_g^2", square(full)) <= s.beta1 * 0 + s.d]


def chain(s: Instance) -> list[Comparison]:
    r"""the bracket's first equality

    \|\nabla F\|^2=\sum_j(\nabla F)_j

    The bracket: |grad F|^2 = sum_j (grad F)_j.
    """
    return [that(square(s.g[0])) == sum(s.g[0])]


def prove() -> None:
    """z3 and sympy: In units of G_g and by symmetry: m is a convex combination of 0 and gradients (weights sum to 1 -
    beta1^k), a full gradient is a mean of stochastic ones, and each of the d squared entries of grad F is at most
    G_g^2.
    """
    b, p = sympy.symbols("b p")
    identity((b * (1 - p) + (1 - b), 1 - b * p))  # the weights of m after one more step sum to 1 - beta^(k+1)
    beta, m, g, w, h = reals("beta m g w h")
    smt([0 <= beta, beta <= 1, m <= 1, m >= -1, g <= 1, g >= -1], beta * m + (1 - beta) * g <= 1)
    smt([0 <= w, w <= 1, g <= 1, g >= -1, h <= 1, h >= -1], w * g + (1 - w) * h <= 1)
    smt([g <= 1, g >= -1], g * g <= 1)


def _bounded(s: Instance) -> list[Comparison]:
    return [that(s.nb.abs(entry)) <= entry * 0 + 1 for g in s.g for entry in g]


def box(says: str, **other: tuple[Any, ...]) -> Domain:
    return boxed(says, grid(d=(1, 2), K=(2, 3)), **{"beta1": (0, 1), "g": (-1, 1, "K", "d"), **other})


STATEMENT = Statement(
    kind="upper bound",
    location="after Assumption 3.4, section 3.4",
    says="With stochastic gradients bounded by G_g entry by entry, |m|_inf <= G_g, |grad F|_inf <= G_g, |grad F|^2 <= "
    "d G_g^2.",
    reading="The assumption is about the gradient (a nabla is missing in its second term); sigma_u^2 is any bound on "
    "|grad F|^2.",
    domain=box("entries in [-1, 1], G_g = 1"),
    hypotheses=(
        need(
            "0 <= beta1 < 1",
            lambda s: (s.beta1, ">=", 0),
            below("beta1", 1),
            without=box("beta1 from -1 to 1", beta1=(-1, 1)),
        ),
        Hypothesis(
            "gradients are at most G_g = 1, entry by entry", _bounded, box("entries up to 2", g=(-2, 2, "K", "d"))
        ),
    ),
    printed=claim_of(compare, prove=prove),
    steps=(
        Step(
            "|grad F|^2 = sum_j (grad F)_j <= sum_j |grad F|_inf",
            claim_of(chain),
            "squares are missing: sum_j (grad F)_j^2 <= sum_j |grad F|_inf^2 = d G_g^2 at most",
        ),
    ),
)

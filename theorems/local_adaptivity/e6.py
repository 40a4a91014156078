"""LA (6): FedOpt is a stochastic fixed-point iteration."""

from theorems.local_adaptivity.common import matrices, noncommutative, shares
from theorems.vocabulary import *


def instance(cursor: Cursor, M: int) -> Instance:
    """What the clients return this round, and what they return on average: any numbers."""
    x, alpha = 4 * cursor.take() - 2, 4 * cursor.take()
    realised = np.stack([4 * a - 2 for a in cursor.many(M)], -1)
    expected = np.stack([4 * a - 2 for a in cursor.many(M)], -1)
    return Instance(nb=cursor.nb, M=M, x=x, alpha=alpha, realised=realised, expected=expected, w=shares(cursor, M))


def heavy(cursor: Cursor, M: int) -> Instance:
    s = instance(cursor, M)
    s.w = 2 * s.w
    return s


def printed(s: Instance) -> list[Comparison]:
    r"""(5) equals (6)

    x^{(t+1)}=(1-\alpha)x^{(t)}+\alpha\mathbb{E}[\mathcal{A}(x^{(t)})]+\alpha(\mathcal{A}(x^{(t)})-\mathbb{E}[%
      \mathcal{A}(x^{(t)})])
    """
    step = s.x - s.alpha * (s.w * (s.x[..., None] - s.realised)).sum(axis=-1)
    A, mean = (s.w * s.realised).sum(axis=-1), (s.w * s.expected).sum(axis=-1)
    return [that("(5) = (6)", step) == (1 - s.alpha) * s.x + s.alpha * mean + s.alpha * (A - mean)]


def prove() -> None:
    """sympy: sum w (x - A_i) = x - A because the weights sum to 1; the mean E[A] is added and taken away."""
    alpha, W = sympy.symbols("alpha W")
    x, A, E = matrices("x A E")  # A = sum w A_i, so that sum w (x - A_i) = W x - A with W = sum w
    noncommutative((x - alpha * (W * x - A).subs(W, 1), (1 - alpha) * x + alpha * E + alpha * (A - E)))
    if sympy.expand(x - alpha * (2 * x - A) - ((1 - alpha) * x + alpha * A)) == 0:
        raise AssertionError("the identity must need weights that sum to 1")


STATEMENT = Statement(
    kind="identity",
    location="(6), section 4",
    says="With restarted states the update (5) is x+ = (1 - alpha) x + alpha E[A(x)] + alpha (A(x) - E[A(x)]).",
    reading="A(x) and E[A(x)] are any vectors: nothing is used but that the weights of the participating clients sum "
    "to 1.",
    domain=Domain(instance, grid(M=(1, 2, 3, 10)), "one to ten clients, any answers, 0 <= alpha <= 4"),
    hypotheses=(
        Hypothesis(
            "weights sum to 1",
            lambda s: [that(s.w.sum(axis=-1)) == s.x * 0 + 1],
            Domain(heavy, grid(M=(1, 2)), "weights that sum to 2"),
        ),
    ),
    printed=claim_of(printed, prove=prove),
    note="Of sampled clients it holds with E over the sample too, if the sampled weights are an unbiased estimate of "
    "w.",
)

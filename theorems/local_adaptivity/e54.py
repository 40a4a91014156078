"""LA (52)-(54): the average of contractions is a contraction."""

from theorems.bridges import convexity
from theorems.local_adaptivity.common import WEIGHTS, between, positives, shares
from theorems.local_adaptivity.lemmas_rounds import below_1
from theorems.vocabulary import *


def instance(cursor: Cursor, M: int, d: int, top: int = 1) -> Instance:
    """|x - y| = 1; client i answers with any vector E[A_i](x) - E[A_i](y), of squared length h_i < ``top``^2."""
    length, t = top * (1 - positives(cursor, M, 1e-6)), positives(cursor, M, 1e-6)
    turns = [(1 - t * t) / (1 + t * t), 2 * t / (1 + t * t)][:d] if d == 2 else [2 * t - 1]
    return Instance(nb=cursor.nb, M=M, d=d, moved=np.stack([length * turn for turn in turns], -1), w=shares(cursor, M))


def printed(s: Instance) -> list[Comparison]:
    r"""contraction constant sum w h

    \|\mathbb{E}[\mathcal{A}(x)]-\mathbb{E}[\mathcal{A}(y)]\|^2\le\sum_iw_ih_i\|x-y\|^2,\quad\sum_iw_ih_i<1
    """
    h = (s.moved**2).sum(axis=-1)
    mean, bound = (s.w[..., None] * s.moved).sum(axis=1), (s.w * h).sum(axis=-1)
    return [
        that("(54)", (mean**2).sum(axis=-1)) <= bound,
        that("a contraction", bound) < bound * 0 + 1,
    ]


def derive(proof: Derivation, s: Instance) -> None:
    """Jensen's inequality for the square of a length; a mean of numbers below 1 is below 1."""
    proof.cross(convexity, "(54)", w=s.w, v=s.moved)
    below_1(proof, s.nb, s.w, (s.moved**2).sum(axis=-1))


STATEMENT = Statement(
    kind="upper bound",
    location="(52) to (54), Appendix C",
    says="||E[A](x) - E[A](y)||^2 <= sum w_i h_i ||x - y||^2 with sum w_i h_i < 1: E[A] has exactly one fixed point.",
    domain=Domain(instance, grid(M=(1, 2, 3, 5), d=(1, 2)), "one to five clients in d <= 2, any answers with h_i < 1"),
    hypotheses=(
        WEIGHTS,
        between(
            "h_i < 1 (Assumption 1)",
            lambda s: (s.moved**2).sum(axis=-1),
            None,
            1,
            without=Domain(lambda c, **k: instance(c, top=2, **k), grid(M=(1, 2), d=(1,)), "h_i up to 4"),
        ),
    ),
    printed=claim_of(printed, derive=derive),
    note="Sharper: (sum w_i sqrt(h_i))^2, by the triangle inequality alone. All clients must take part, or the "
    "weights be those of the expected mean.",
)

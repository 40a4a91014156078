"""DA (8): gradient flow splits over the clients, all of them evaluated at the global parameters."""

from theorems.fedda.common import agreement, numeric, setting
from theorems.fedda.lemmas import means_descend
from theorems.vocabulary import *


def decode(cursor: Cursor, n: int, T: int, apart: bool) -> Instance:
    """Clients start anywhere with sum_i p_i W^i(0) = W(0) (``apart``: anywhere at all)."""
    s = setting(cursor, n, T)
    starts = [1 - 2 * cursor.take() for _ in range(n)]
    if not apart:  # shift the clients together, so that their mean is x
        mean = sum(s.p[..., i] * starts[i] for i in range(n))
        starts = [w + s.x - mean for w in starts]
    s.starts = np.stack(starts, -1)
    return s


def sides(r: Any) -> list[tuple[str, Any, Any]]:
    """T Euler steps of (8), any step length: their mean against (5)."""
    y = [r.starts[..., i] for i in range(r.n)]
    W = r.x
    for _ in range(r.T):
        mean = sum(p * w for p, w in zip(r.p, y, strict=True))
        y = [w - r.eta * g(mean) for w, g in zip(y, r.grads, strict=True)]
        W = W - r.eta * sum(p * g(W) for p, g in zip(r.p, r.grads, strict=True))
    return [("mean", sum(p * w for p, w in zip(r.p, y, strict=True)), W)]


def derive(proof: Derivation, s: Instance) -> None:
    """Averaging commutes with a step, and every client is evaluated at the same W, from any starts with mean W(0)."""
    r = numeric(s)
    means_descend(proof, r, [s.starts[..., i] for i in range(s.n)])


def together(s: Instance) -> list[Comparison]:
    mean = sum(s.p[..., i] * s.starts[..., i] for i in range(s.n))
    return [that(mean) == s.x]


STATEMENT = Statement(
    kind="identity",
    location="(8), section 3",
    says="If every W^i follows - grad L^i at the global W = sum_i p_i W^i, then W follows gradient flow on L.",
    reading="sum_i p_i W^i(0) = W(0), which (8) does not say but needs. Judged on Euler steps of any length: their "
    "limit is the flow.",
    domain=Domain(
        lambda cursor, **discrete: decode(cursor, **discrete, apart=False),
        grid(n=(1, 2, 3), T=(1, 2, 3, 10)),
        "quadratic clients in d = 1, any weights, any starts with mean x, T Euler steps",
    ),
    hypotheses=(
        Hypothesis(
            "sum_i p_i W^i(0) = W(0)",
            together,
            Domain(
                lambda cursor, **discrete: decode(cursor, **discrete, apart=True),
                grid(n=(1, 2), T=(1, 2)),
                "any starts",
            ),
        ),
    ),
    printed=agreement(
        "the mean of the clients is gradient flow on the total loss",
        r"\tfrac{d}{d\tau}W^i=-\nabla L^i(W),\ W=\sum_i\tfrac{N^i}{N}W^i\ \Rightarrow\ "
        r"\tfrac{d}{d\tau}W=-\nabla\mathcal L(W)",
        sides,
        derive=derive,
    ),
)

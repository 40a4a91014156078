"""DA (32) and (33): the momentum of Adam, decoupled and split over the clients."""

from theorems.fedda.common import BETA, RATES, numeric, setting
from theorems.fedda.listing_fedda import average
from theorems.vocabulary import *


def decode(cursor: Cursor, n: int) -> Instance:
    """W = x, W^i = x - eta g^i(x) after one local step, and any momenta m^i with mean m."""
    s = setting(cursor, n, 1)
    s.y = np.stack([s.x - s.eta * g(s.x) for g in numeric(s).grads], -1)
    s.momenta = np.stack([1 - 2 * cursor.take() for _ in range(n)], -1)
    return s


def slopes(r: Any, y: list[Any], momenta: list[Any], local: bool) -> tuple[Any, Any]:
    """The derivative of sum_i p_i m^i by (33), and of m by (32), driven by g(W) or by the local gradients."""
    k = (1 - r.beta) / r.eta
    gradients = [g(w) for g, w in zip(r.grads, y, strict=True)]
    driven = gradients if local else [g(r.x) for g in r.grads]
    split = [k * (g - m) for g, m in zip(gradients, momenta, strict=True)]
    return average(r.p, split), k * (average(r.p, driven) - average(r.p, momenta))


def compare(s: Instance, local: bool) -> list[Comparison]:
    y, momenta = ([v[..., i] for i in range(s.n)] for v in (s.y, s.momenta))
    left, right = slopes(numeric(s), y, momenta, local)
    return [that("m'", left) == right]


def derive(proof: Derivation, s: Instance) -> None:
    """With the local gradients in (32), as (22) has them, both derivatives agree wherever m = sum_i p_i m^i."""
    p, k, g, m, A, B, S = reals("p k g m A B S")
    r = numeric(s)
    rate, momenta = (1 - r.beta) / r.eta, [s.momenta[..., i] for i in range(s.n)]
    gradients = [grad(s.y[..., i]) for i, grad in enumerate(r.grads)]
    split = [rate * (v - w) for v, w in zip(gradients, momenta, strict=True)]
    proof.leaf("the first client", [], p * (k * (g - m)) == k * (p * g - p * m), p=r.p[0], k=rate, g=gradients[0],
               m=momenta[0])  # fmt: skip
    for n in range(1, r.n):
        proof.leaf("one client more", [S == k * (A - B)], S + p * (k * (g - m)) == k * ((A + p * g) - (B + p * m)),
                   p=r.p[n], k=rate, g=gradients[n], m=momenta[n], S=average(r.p[:n], split[:n]),
                   A=average(r.p[:n], gradients[:n]), B=average(r.p[:n], momenta[:n]))  # fmt: skip


def square(s: Instance) -> list[Comparison]:
    r"""it is at most that, with equality where the clients agree

    \Big(\sum_i\tfrac{N^i}{N}g^i\Big)^2\le\sum_i\tfrac{N^i}{N}(g^i)^2

    (sum p g)^2 is at most sum p g^2: v of the total gradient is at most the mean of the clients' v.
    """
    r = numeric(s)
    g = [grad(r.x) for grad in r.grads]
    return [that("squares", average(r.p, g) * average(r.p, g)) <= average(r.p, [v * v for v in g])]


def prove_square() -> None:
    """z3: Two clients at a time: equality only where their gradients agree, so that v cannot be split."""
    a, b, w = reals("a b w")
    smt([0 <= w, w <= 1], (w * a + (1 - w) * b) * (w * a + (1 - w) * b) <= w * a * a + (1 - w) * b * b)
    smt([0 < w, w < 1, a != b], (w * a + (1 - w) * b) * (w * a + (1 - w) * b) != w * a * a + (1 - w) * b * b)


STATEMENT = Statement(
    kind="equivalence",
    location="(32) and (33), appendix A.2",
    says="The m of (32), driven by g(W), is 'decomposed precisely' into m^i driven by g^i(W^i).",
    severity="typo",
    domain=Domain(decode, grid(n=(1, 2, 3)), "quadratic clients in d = 1 after one local step, W where it was"),
    hypotheses=(RATES, BETA),
    printed=Claim(
        "sum_i p_i m^i moves as m does",
        r"\sum_i\tfrac{N^i}{N}\dot m^i=\dot m,\ \eta\dot m=-(1-\beta_1)m+(1-\beta_1)g(W)",
        lambda s: compare(s, local=False),
    ),
    corrected=Claim(
        "it does if (32) has sum_i p_i g^i(W^i) for g(W), as (22)",
        r"\eta\dot m=-(1-\beta_1)m+(1-\beta_1)\sum_i\tfrac{N^i}{N}g^i(W^i)",
        lambda s: compare(s, local=True),
        derive=derive,
    ),
    steps=(Step("(sum_i p_i g^i)^2 is not sum_i p_i (g^i)^2", claim_of(square, prove=prove_square)),),
    note="W is not W^i, not even at first order in tau: one client is enough. (22) has the local gradients.",
)

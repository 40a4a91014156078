"""DA (10) and after: one minibatch step, all clients or some of them, is centralized SGD."""

from itertools import combinations, product

from theorems.bridges import independent_draws, random_sample
from theorems.fedda.common import numeric, setting
from theorems.vocabulary import *


def decode(cursor: Cursor, n: int, M: int, equal: bool = False) -> Instance:
    s = setting(cursor, n, 1)
    if equal:
        s.p = s.p * 0 + cursor.nb.number(Fraction(1, n))
    s.M = min(M, n)
    return s


def uniform(r: Any) -> tuple[Any, Any]:
    """M of the n clients drawn without replacement, their models averaged with weights N^i: the mean of W(t+1)."""
    sets = list(combinations(range(r.n), r.M))
    moved = sum(sum(r.p[i] * r.grads[i](r.x) for i in S) / sum(r.p[i] for i in S) for S in sets) / len(sets)
    return r.x - r.eta * moved, _central(r)


def weighted(r: Any) -> tuple[Any, Any]:
    """M clients drawn one after the other by their weights, with a plain mean."""
    total: Any = 0
    for drawn in product(range(r.n), repeat=r.M):
        chance: Any = 1
        for i in drawn:
            chance = chance * r.p[i]
        total = total + chance * sum(r.grads[i](r.x) for i in drawn) / r.M
    return r.x - r.eta * total, _central(r)


def _central(r: Any) -> Any:
    return r.x - r.eta * sum(p * g(r.x) for p, g in zip(r.p, r.grads, strict=True))


def full(s: Instance) -> list[Comparison]:
    r"""the mean step is the gradient step

    \mathbb E\,W(t+1)=W(t)-\eta\nabla\mathcal L(W(t))
    """
    left, right = uniform(numeric(s))
    return [that("mean of W(t+1)", left) == right]


def corrected(s: Instance) -> list[Comparison]:
    r"""it is for equal N^i, or if clients are drawn by N^i/N and averaged plainly

    \mathbb E\Big[\frac1M\sum_{i\in S}g^i\Big]=\nabla\mathcal L,\quad P(i)=\tfrac{N^i}{N}
    """
    (drawn, right), (equal, plain) = weighted(numeric(s)), uniform(_equal(s))
    return [that("mean of W(t+1)", drawn) == right, that("with equal N^i", equal) == plain]


def _equal(s: Instance) -> Instance:
    """The clients with equal weights."""
    r = numeric(s)
    return Instance(**{**vars(r), "p": [(s.eta * 0 + 1) / s.n] * s.n})


def derive(proof: Derivation, s: Instance) -> None:
    """The mean of M independent draws by weight has the weighted mean; a simple random sample's the plain one."""
    r = numeric(s)
    w, e, X, Y = reals("W eta X Y")
    slopes = [g(r.x) for g in r.grads]
    proof.cross(independent_draws, "M draws by N^i/N", w=s.p, answers=np.stack(slopes, -1)[..., None], M=r.M)
    step = r.x - weighted(r)[0]
    proof.leaf("a step along the mean", [X == Y], w - e * X == w - e * Y, W=r.x, eta=r.eta, X=step / r.eta,
               Y=sum(p * g for p, g in zip(r.p, slopes, strict=True)))  # fmt: skip
    n = reals("n")
    values = np.stack(slopes, -1)[..., None]
    proof.cross(random_sample, "M of n, all sets alike", values=values, M=r.M)
    proof.setting("n >= 1", r.n, 1)
    moved = r.x - uniform(_equal(s))[0]
    proof.leaf("a step along the plain mean", [X == Y, n >= 1], w - e * (X / n) == w - e * (Y / n), W=r.x, eta=r.eta,
               n=r.nb.number(r.n), X=moved / r.eta * r.n, Y=values[..., 0].sum(axis=-1))  # fmt: skip


def variance(s: Instance) -> list[Comparison]:
    r"""B examples of one client vary like B examples of all clients

    \tfrac1B\sigma_w^2+\sigma_b^2=\tfrac1B(\sigma_w^2+\sigma_b^2)

    B examples of one drawn client against B examples of all: two examples g_i -+ h a client (in gradients at x).
    """
    r = numeric(s)
    g = [grad(r.x) for grad in r.grads]
    centre = sum(p * v for p, v in zip(r.p, g, strict=True))
    between = sum(p * (v - centre) ** 2 for p, v in zip(r.p, g, strict=True))
    within = r.m * r.m
    return [that("variance", within / r.M + between) == (within + between) / r.M]


STATEMENT = Statement(
    kind="equivalence",
    location="(10) and the paragraph after it, section 3",
    says="With minibatch gradients, and with some of the clients each round, one local step 'is indistinguishable to "
    "centralized SGD'.",
    reading="Clients are drawn uniformly without replacement (Algorithms 1 and 2 'sample a subset'), and aggregated "
    "with weights N^i over the drawn; 'indistinguishable' is judged by the mean of W(t+1), the least that SGD needs.",
    severity="missing-hypothesis",
    domain=Domain(decode, grid(n=(1, 2, 3), M=(1, 2, 3)), "quadratic clients in d = 1, any weights, M of n drawn"),
    hypotheses=(
        Hypothesis(
            "N^i/N >= 0, weights sum to 1",
            lambda s: [that(s.p.sum(axis=-1)) == s.eta * 0 + 1, *(that(s.p[..., i]) >= s.eta * 0 for i in range(s.n))],
        ),
    ),
    printed=claim_of(full),
    corrected=claim_of(corrected, derive=derive),
    steps=(
        Step(
            "beside the proof: 'indistinguishable' in the variance, too (ours)",
            claim_of(
                variance,
                domain=Domain(
                    lambda cursor, n, B: decode(cursor, n, B), grid(n=(2, 3), B=(2, 3)), "minibatches of B = 2, 3"
                ),
            ),
            "the variance between clients is not divided by the batch",
        ),
    ),
    note="Drawn uniformly, a small client's gradient counts as much as a large one's whenever they are drawn alone: "
    "the mean step follows another loss. All clients taking part with minibatches is exact in the mean.",
)

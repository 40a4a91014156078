"""LAMB (2): with phi the identity and lambda = 0 the norm of each update is precisely alpha |theta|."""

from theorems.fedlamb.common import need, positive, total
from theorems.vocabulary import *


def instance(cursor: Cursor, h: int, d: int, still: int = 0) -> Instance:
    """h layers of d coordinates; ``still``: the last layer's ratio p is 0 and its 0/0 step is read as 0."""
    layers = []
    for layer in range(h):
        theta = np.stack([4 * cursor.take() - 2 for _ in range(d)], -1)
        p = np.stack([positive(cursor) if k == 0 else 2 * cursor.take() - 1 for k in range(d)], -1)
        gone = still if layer == h - 1 else 0
        layers.append(Instance(theta=theta, p=p * (1 - gone), gone=gone))
    return Instance(nb=cursor.nb, h=h, d=d, still=still, alpha=positive(cursor), layers=layers)


def lengths(s: Instance) -> tuple[list[Any], list[Any]]:
    """Of each layer: the length of its update, and its own length."""
    moved = []
    for layer in s.layers:
        size = s.nb.length(layer.p) + layer.gone
        moved.append(s.nb.length(s.alpha[:, None] * s.nb.length(layer.theta)[:, None] * layer.p / size[:, None]))
    return moved, [s.nb.length(layer.theta) for layer in s.layers]


def printed(s: Instance) -> list[Comparison]:
    r"""the update's norm is alpha |theta|, of every layer and of the model

    \Big\|\tfrac{\alpha\|\theta^\ell\|}{\|p^\ell\|}p^\ell\Big\|=\alpha\|\theta^\ell\|
    """
    moved, sizes = lengths(s)
    whole = s.nb.sqrt(total([m * m for m in moved])), s.alpha * s.nb.sqrt(total([r * r for r in sizes]))
    each = [that(f"layer {k + 1}", m) == s.alpha * r for k, (m, r) in enumerate(zip(moved, sizes, strict=True))]
    return [*each, that("the model", whole[0]) == whole[1]]


def prove() -> None:
    """sympy identity: |alpha |theta| p / |p|| = alpha |theta| |p| / |p|, layer by layer, wherever p is not 0; the
    squares add up over layers to alpha^2 |theta|^2.
    """
    alpha, r, q = sympy.symbols("alpha r q", positive=True)  # q = |p|^2
    identity(((alpha * r) ** 2 * q / sympy.sqrt(q) ** 2, (alpha * r) ** 2))
    a, b = sympy.symbols("a b", real=True)  # two layers; more by induction
    identity((alpha**2 * a**2 + alpha**2 * b**2, alpha**2 * (a**2 + b**2)))


STATEMENT = Statement(
    kind="identity",
    location="(2) and below Algorithm 1, section 3.2",
    says="With phi the identity and lambda = 0 the update of a layer is -alpha |theta| p / |p|, of norm precisely "
    "alpha |theta|.",
    reading="Layer by layer, and for the whole model.",
    domain=Domain(instance, grid(h=(1, 2, 3), d=(1, 2)), "up to three layers of up to two coordinates"),
    hypotheses=(
        need(
            "p is not 0 in any layer (not stated; the listing's v-hat is 0 at first)",
            lambda s: [((layer.p * layer.p).sum(axis=-1), ">", 0) for layer in s.layers],
            without=Domain(
                instance, grid(h=(1, 2), d=(1, 2), still=(1,)), "a layer with p = 0, whose 0/0 is read as 0"
            ),
        ),
        need("alpha > 0", lambda s: [(s.alpha, ">", 0)]),
    ),
    printed=claim_of(printed, prove=prove),
    note="Weight decay does not change the norm (p + lambda theta is normalised, too). A layer that is 0 never moves, "
    "and a layer never comes to rest: steps do not shrink with the gradient, only with the layer.",
)

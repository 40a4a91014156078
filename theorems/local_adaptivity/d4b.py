"""LA section 4 (ours): with noise or sampled clients an adaptive server does move the resting point."""

from theorems.local_adaptivity.common import between, positive
from theorems.vocabulary import *


def instance(cursor: Cursor, server: str) -> Instance:
    """At x~ the pseudo-gradient is ``up`` or ``-down``, with mean 0; eps is the server's."""
    up, down, eps = positive(cursor, 1e-2), positive(cursor, 1e-2), cursor.take()
    return Instance(nb=cursor.nb, server=server, up=up, down=down, eps=eps)


def drift(s: Instance) -> Any:
    """The expected step at x~: of server SGD, or the first step of RMSProp or Adam, delta / (|delta| + eps)."""
    chance = s.down / (s.up + s.down)
    if s.server == "sgd":
        return chance * s.up - (1 - chance) * s.down
    return chance * s.up / (s.up + s.eps) - (1 - chance) * s.down / (s.down + s.eps)


def printed(s: Instance) -> list[Comparison]:
    r"""the expected step at x~

    \mathbb{E}\Big[\frac{\Delta}{|\Delta|+\epsilon}\Big]=\frac{ud\,(d-u)}{(u+d)(u+\epsilon)(d+\epsilon)},\ \Delta\in%
      \{u,-d\},\ \mathbb{E}[\Delta]=0
    """
    if s.server == "sgd":
        return [that("linear server", drift(s)) == s.up * 0]
    size = s.up * s.down / ((s.up + s.down) * (s.up + s.eps) * (s.down + s.eps))
    return [that("adaptive server", drift(s)) == size * (s.down - s.up)]


def derive(proof: Derivation, s: Instance) -> None:
    """The chance of up is down/(up + down)."""
    u, d, e = reals("u d e")
    at, signs, chance = {"u": s.up, "d": s.down}, [0 < u, 0 < d], d / (u + d)
    proof.leaf("a linear server", signs, chance * u - (1 - chance) * d == 0, **at)
    step, size = chance * u / (u + e) - (1 - chance) * d / (d + e), u * d / ((u + d) * (u + e) * (d + e))
    proof.leaf("an adaptive server", [*signs, 0 <= e], step == size * (d - u), **at, e=s.eps)


STATEMENT = Statement(
    kind="identity",
    location="not in the paper: about section 4, after (6), and section 2 ('naturally extended to ...')",
    says="With noise or sampled clients an adaptive server's expected step at x~ is not 0, unless the pseudo-gradient "
    "is as far up as down: it has the sign of the smaller side. A linear server's (SGD, momentum) is 0.",
    reading="The first step of an adaptive server (RMSProp, or Adam with bias correction) from x~, where the "
    "pseudo-gradient is up or -down with mean 0, as with two sampled clients.",
    domain=Domain(instance, grid(server=("sgd", "adam")), "a pseudo-gradient of two values with mean 0"),
    hypotheses=(
        between("up, down > 0", lambda s: np.stack([s.up, s.down], -1), 0, role="two values on both sides of 0"),
        between("eps >= 0", lambda s: s.eps, 0, None, "[]", role="Adam's eps"),
    ),
    printed=claim_of(printed, derive=derive),
    note="Section 4 is right that the fixed points of E[A] are what they are, whatever the server (LA.D4). But a "
    "normalised step rests nearer a median than a mean: with an adaptive server and sampled clients the iteration does "
    "not hover around x~.",
)

"""LA section 4 (ours): with noise or sampled clients an adaptive server does move the resting point."""

from theorems.local_adaptivity.common import between, positive
from theorems.vocabulary import *


def instance(cursor: Cursor, server: str) -> Instance:
    """At x~ the pseudo-gradient is ``up`` or ``-down``, with mean 0; eps is the server's."""
    up, down, eps = positive(cursor, 1e-2), positive(cursor, 1e-2), cursor.take()
    return Instance(nb=cursor.nb, server=server, up=up, down=down, eps=eps)


def _drift(s: Instance) -> Any:
    chance = s.down / (s.up + s.down)
    if s.server == "sgd":
        return chance * s.up - (1 - chance) * s.down
    return chance * s.up / (s.up + s.eps) - (1 - chance) * s.down / (s.down + s.eps)


def printed(s: Instance) -> list[Comparison]:
    """The first step of RMSProp or Adam divides by |delta| + eps."""
    return [that("no drift", _drift(s)) == s.up * 0]


def prove() -> None:
    """z3: A linear server (SGD, momentum) has E[step] = E[delta]; equal sizes balance by symmetry."""
    up, down, eps = reals("up down eps")
    smt([up > 0, down > 0], down / (up + down) * up - up / (up + down) * down == 0)
    given = [up == down, up > 0, eps >= 0]
    smt(given, down / (up + down) * up / (up + eps) - up / (up + down) * down / (down + eps) == 0)


STATEMENT = Statement(
    kind="equivalence",
    location="section 4, after (6); section 2 ('naturally extended to ... sampled clients')",
    says="With noise, too, another server optimizer does not influence where FedOpt rests: at x~ its expected step "
    "vanishes.",
    reading="The first step of an adaptive server (RMSProp, or Adam with bias correction) from x~, where the "
    "pseudo-gradient takes two values with mean 0, as with two sampled clients.",
    severity="missing-hypothesis",
    domain=Domain(instance, grid(server=("sgd", "adam")), "a pseudo-gradient of two values with mean 0"),
    hypotheses=(
        between("up > 0", lambda s: s.up, 0),
        between("down > 0", lambda s: s.down, 0),
        between("eps >= 0", lambda s: s.eps, 0, None, "[]"),
    ),
    printed=Claim(
        "the expected step at x~ is 0",
        r"\mathbb{E}[\Delta]=0\Rightarrow\mathbb{E}\Big[\frac{\Delta}{|\Delta|+\epsilon}\Big]=0",
        printed,
    ),
    corrected=Claim(
        "for linear server optimizers (SGD, momentum)",
        r"\mathbb{E}[\Delta]=0",
        printed,
        prove,
        Domain(instance, grid(server=("sgd",)), "server SGD (momentum alike)"),
    ),
    note="A normalised step rests nearer a median than a mean. The fixed points of E[A] are what they are; the "
    "iteration with an adaptive server and sampled clients does not rest there.",
)

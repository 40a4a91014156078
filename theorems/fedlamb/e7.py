"""LAMB (7): the auxiliary sequence, and the first line of (8)."""

from theorems.fedlamb.common import boxed, need
from theorems.vocabulary import *

THREE: Domain = boxed("three averages in a row", beta1=("1/1000", "99/100"), old=(-1, 1), here=(1, -1), then=(0, 1))


def sides(s: Instance) -> tuple[Any, Any]:
    b = s.beta1 / (1 - s.beta1)
    change = s.then + b * (s.then - s.here) - (s.here + b * (s.here - s.old))
    return change, (s.then - s.here) / (1 - s.beta1) - b * (s.here - s.old)


def printed(s: Instance) -> list[Comparison]:
    r"""the change of the auxiliary sequence

    \bar\vartheta_{r+1}-\bar\vartheta_r=\frac1{1-\beta_1}(\bar\theta_{r+1}-\bar\theta_r)%
      -\frac{\beta_1}{1-\beta_1}(\bar\theta_r-\bar\theta_{r-1})
    """
    left, right = sides(s)
    return [that("change", left) == right]


def derive(proof: Derivation, s: Instance) -> None:
    """1 + beta_1/(1 - beta_1) = 1/(1 - beta_1)."""
    b, x, y, z = reals("beta1 old here then")
    left, right = sides(Instance(beta1=b, old=x, here=y, then=z))
    proof.leaf("(7)", [b < 1], left == right, beta1=s.beta1, old=s.old, here=s.here, then=s.then)


STATEMENT = Statement(
    kind="identity",
    location="(7) and the first line of (8), B.2",
    says="With theta~_r = theta-bar_r + beta_1/(1 - beta_1) (theta-bar_r - theta-bar_(r-1)) its change is 1/(1 - "
    "beta_1) (theta-bar_(r+1) - theta-bar_r) - beta_1/(1 - beta_1) (theta-bar_r - theta-bar_(r-1)).",
    domain=THREE,
    hypotheses=(need("0 < beta_1 < 1", lambda s: [(s.beta1, ">", 0), (s.beta1, "<", 1)]),),
    printed=claim_of(printed, derive=derive),
)

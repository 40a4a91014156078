"""DA (41): how the difference between local and centralized SGDM moves."""

from theorems.fedda.common import BETA, RATES, WEIGHTS, numeric, setting
from theorems.fedda.listing_fedda import average
from theorems.vocabulary import *


def decode(cursor: Cursor, n: int) -> Instance:
    """The first client's (W^i, m^i) = (y, v) anywhere, against the centralized (x, m)."""
    s = setting(cursor, n, 1)
    s.y, s.v = 1 - 2 * cursor.take(), 1 - 2 * cursor.take()
    return s


def sides(r: Any, sign: int) -> list[tuple[str, Any, Any]]:
    """eta d/dtau (m^i - m) from (40) and (19); and (41) with sign * R, R = sum_{j != i} p_j (g^j(W) - g^i(W))."""
    own = r.grads[0]
    local = -(1 - r.beta) * r.v + (1 - r.beta) * own(r.y)
    total = -(1 - r.beta) * r.m + (1 - r.beta) * average(r.p, [g(r.x) for g in r.grads])
    R = r.x * 0
    for p, g in zip(r.p[1:], r.grads[1:], strict=True):
        R = R + p * (g(r.x) - own(r.x))
    right = (1 - r.beta) * (-(r.v - r.m) + (own(r.y) - own(r.x)) + sign * R)
    return [("momentum", local - total, right), ("model", -r.v + r.m, -(r.v - r.m))]


def compare(s: Instance, sign: int) -> list[Comparison]:
    return [that(label, left) == right for label, left, right in sides(numeric(s), sign)]


def derive(proof: Derivation, s: Instance) -> None:
    """g^i(W) - g(W) = sum_{j != i} p_j (g^i(W) - g^j(W)), since the weights sum to 1: induction on n."""
    b, p, g, o, P, G, R, v, m, u = reals("beta p g own P G R v m at_own")
    r = numeric(s)
    own, mean, share = r.grads[0](r.x), r.p[0] * r.grads[0](r.x), r.p[0]
    others = r.x * 0
    proof.leaf("the client itself", [], p * o == p * o + 0 * o, p=share, own=own)
    for weight, grad in zip(r.p[1:], r.grads[1:], strict=True):
        slope = grad(r.x)
        proof.leaf("one client more", [G == P * o + R], G + p * g == (P + p) * o + (R + p * (g - o)), p=weight, g=slope,
                   own=own, P=share, G=mean, R=others)  # fmt: skip
        mean, share, others = mean + weight * slope, share + weight, others + weight * (slope - own)
    proof.leaf(
        "(41)", [G == P * o + R, P == 1],
        -(1 - b) * v + (1 - b) * u - (-(1 - b) * m + (1 - b) * G) == (1 - b) * (-(v - m) + (u - o) - R), beta=r.beta,
        v=r.v, m=r.m, at_own=r.grads[0](r.y), own=own, P=share, G=mean, R=others,
    )  # fmt: skip
    proof.leaf("the model", [], -v + m == -(v - m), v=r.v, m=r.m)


STATEMENT = Statement(
    kind="identity",
    location="(41), appendix A.3",
    says="eta (m^i - m)' = (1 - beta)(-(m^i - m) + g^i(W^i) - g^i(W) + R), R = sum_{j != i} p_j (g^j(W) - g^i(W)).",
    severity="typo",
    domain=Domain(decode, grid(n=(1, 2, 3)), "quadratic clients in d = 1 at any two states"),
    hypotheses=(RATES, BETA, replace(WEIGHTS, without=None, role="shares of the data")),
    printed=Claim("with + R", r"R=\sum_{j\ne i}\tfrac{N_j}{N}(g^j(W)-g^i(W))", lambda s: compare(s, 1)),
    corrected=Claim(
        "with - R", r"R=\sum_{j\ne i}\tfrac{N_j}{N}(g^i(W)-g^j(W))", lambda s: compare(s, -1), derive=derive
    ),
    note="Only |R| is used after (41), so that the sign has no consequence: (42) holds.",
)

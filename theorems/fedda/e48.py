"""DA (48): how the difference between FedDA's and centralized momentum moves."""

from theorems.fedda.common import BETA, RATES, numeric, setting
from theorems.fedda.listing_fedda import average
from theorems.vocabulary import *


def decode(cursor: Cursor, n: int) -> Instance:
    """Clients at y_i, FedDA's momentum v and the centralized (x, m) anywhere."""
    s = setting(cursor, n, 1)
    s.v = 1 - 2 * cursor.take()
    s.y = np.stack([1 - 2 * u for u in cursor.many(n)], -1)
    return s


def sides(r: Any, y: list[Any], sign: int) -> tuple[Any, Any]:
    """eta d/dtau (mbar - m) from (22) and (19); and (48) with sign * the sum inside its bracket."""
    local = average(r.p, [g(w) for g, w in zip(r.grads, y, strict=True)])
    total = average(r.p, [g(r.x) for g in r.grads])
    left = -(1 - r.beta) * r.v + (1 - r.beta) * local - (-(1 - r.beta) * r.m + (1 - r.beta) * total)
    return left, -(1 - r.beta) * ((r.v - r.m) + sign * (local - total))


def compare(s: Instance, sign: int) -> list[Comparison]:
    left, right = sides(numeric(s), [s.y[..., i] for i in range(s.n)], sign)
    return [that("momentum", left) == right]


def derive(proof: Derivation, s: Instance) -> None:
    """The second equation of (22) minus the first of (19), term by term."""
    r = numeric(s)
    b, v, m, g, G = reals("beta v m local total")
    at_own = average(r.p, [grad(s.y[..., i]) for i, grad in enumerate(r.grads)])
    proof.leaf("(48)", [], -(1 - b) * v + (1 - b) * g - (-(1 - b) * m + (1 - b) * G) == -(1 - b) * (v - m - (g - G)),
               beta=r.beta, v=r.v, m=r.m, local=at_own, total=average(r.p, [g(r.x) for g in r.grads]))  # fmt: skip


STATEMENT = Statement(
    kind="identity",
    location="(48), appendix A.3",
    says="eta (mbar - m)' = -(1 - beta)((mbar - m) + sum_i p_i (g^i(Wbar^i) - g^i(W))).",
    severity="typo",
    domain=Domain(decode, grid(n=(1, 2, 3)), "quadratic clients in d = 1 at any states"),
    hypotheses=(RATES, BETA),
    printed=Claim(
        "with + the sum in the bracket",
        r"\eta\tfrac{d}{d\tau}(\bar m-m)=-(1-\beta)\Big((\bar m-m)+\sum_i\tfrac{N_i}{N}(g^i(\bar W^i)-g^i(W))\Big)",
        lambda s: compare(s, 1),
    ),
    corrected=Claim(
        "with - the sum",
        r"\eta\tfrac{d}{d\tau}(\bar m-m)=-(1-\beta)\Big((\bar m-m)-\sum_i\tfrac{N_i}{N}(g^i(\bar W^i)-g^i(W))\Big)",
        lambda s: compare(s, -1),
        derive=derive,
    ),
    note="(49) takes norms, so that the sign has no consequence.",
)

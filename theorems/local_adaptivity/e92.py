"""LA (86)-(92): the averaged operator is affine, and contracts if its matrix does."""

from theorems.local_adaptivity.common import WEIGHTS, coordinates, identity_like, matrices, noncommutative
from theorems.local_adaptivity.common_matrices import POSITIVE, fast_clients, played, pulls
from theorems.vocabulary import *


def printed(s: Instance) -> list[Comparison]:
    r"""(92)

    \mathcal{A}(x)-\mathcal{A}(y)=\Big[\sum_iw_i(I-\eta_iP_iH_i)^{\tau_i}\Big](x-y)

    x = the first unit vector, y = 0.
    """
    one = s.eta[:, 0] * 0 + 1
    x = np.stack([one] + [one * 0] * (s.d - 1), -1)
    image = s.p.mean(np.stack([played(s, i, x) - played(s, i, x * 0) for i in range(s.n)], 1))
    kept = identity_like(s.p.A[:, 0]) - s.p.mean(pulls(s))
    return [*coordinates("(92)", image, kept[..., 0]), that("contracts", s.nb.length(image)) <= s.nb.opnorm(kept)]


def prove() -> None:
    """sympy (symbols that do not commute): (88), (90) by induction over the steps, (92) client by client; two clients
    are written out, more by induction. A matrix of operator norm below 1 contracts, and Banach's theorem gives the one
    fixed point.
    """
    eta, w = sympy.symbols("eta w")
    x, y, c, e, P, H, K, J = matrices("x y c e P H K J")
    noncommutative((x - eta * P * H * (x - c), (1 - eta * P * H) * (x - c) + c))
    noncommutative((K * (x - c) + c - K * (y - c) - c, K * (x - y)))
    both = w * (K * (x - c) + c) + (1 - w) * (J * (x - e) + e)
    moved = w * (K * (y - c) + c) + (1 - w) * (J * (y - e) + e)
    noncommutative((both - moved, (w * K + (1 - w) * J) * (x - y)))


STATEMENT = Statement(
    kind="identity",
    location="(86) to (92), Appendix E",
    says="A(x) - A(y) = [sum w (I - eta_i P_i H_i)^tau_i] (x - y): if this matrix has operator norm below 1, A "
    "contracts and has a unique fixed point.",
    reading="(88)'s left side is x^(k+1), as printed.",
    domain=Domain(fast_clients, grid(tau=((1,), (1, 2), (3, 2, 1)), d=(1, 2)), "one to three clients in d <= 2"),
    hypotheses=(WEIGHTS, POSITIVE),
    printed=claim_of(printed, prove=prove),
    note="The condition is not empty: LA.T2b has clients where no small rate meets it. A spectral radius below 1 is "
    "enough.",
)

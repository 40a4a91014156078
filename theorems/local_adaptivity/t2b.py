"""LA Theorem 2 (ours): preconditioned clients can make FedOpt diverge at every small client rate."""

from theorems.local_adaptivity.common import WEIGHTS, between, positives, shares
from theorems.vocabulary import *


def instance(cursor: Cursor, n: int, d: int) -> Instance:
    """H_i = [[a, b], [b, b^2/a + e]] with a, e > 0; diagonal preconditioners, as AdaGrad's are: P_i = diag(scale_i)."""
    a, e = positives(cursor, n, 1e-2), positives(cursor, n, 1e-2)
    b = np.stack([2 * cursor.take() - 1 for _ in range(n)], -1)
    scale = np.stack([positives(cursor, d, 1e-3) for _ in range(n)], -2)
    return Instance(nb=cursor.nb, n=n, d=d, a=a, b=b, e=e, scale=scale, w=shares(cursor, n))


def variant(name: str, says: str) -> Domain:
    """What is positive may be negative, down to -1."""

    def decode(cursor: Cursor, n: int, d: int) -> Instance:
        s = instance(cursor, n, d)
        setattr(s, name, 2 * getattr(s, name) - 1)
        return s

    return Domain(decode, grid(n=(1, 2), d=(2,)), says)


def _average(s: Instance, scale: Numbers) -> Any:
    """sum w diag(scale_i) H_i."""
    entries = [[s.a, s.b], [s.b, s.b**2 / s.a + s.e]]
    rows = [np.stack([(s.w * scale[..., j] * entries[j][k]).sum(axis=-1) for k in (0, 1)], -1) for j in (0, 1)]
    return np.stack(rows, -2)


def _determinant(J: Numbers) -> Any:
    return J[..., 0, 0] * J[..., 1, 1] - J[..., 0, 1] * J[..., 1, 0]


def printed(s: Instance) -> list[Comparison]:
    r"""sum w P_i H_i has no negative eigenvalue

    \det\sum_iw_iP_iH_i>0

    sum w P_i H_i: were its determinant negative, it would have an eigenvalue -nu < 0.
    """
    J = _average(s, s.scale)
    return [that("det > 0", _determinant(J)) > J[..., 0, 0] * 0]


def shared(s: Instance) -> list[Comparison]:
    r"""if all clients share P (or all P_i H_i are symmetric), FedOpt converges for small rates

    P_i=P:\quad\mathrm{spec}(P\textstyle\sum_iw_i\gamma_i\tau_iH_i)\subset(0,\infty)
    """
    J = _average(s, s.scale[:, :1] + 0 * s.scale)
    return [
        that("det > 0", _determinant(J)) > J[..., 0, 0] * 0,
        that("trace > 0", J[..., 0, 0] + J[..., 1, 1]) > J[..., 0, 0] * 0,
        that("real spectrum", (J[..., 0, 0] - J[..., 1, 1]) ** 2) >= -4 * J[..., 0, 1] * J[..., 1, 0],
    ]


def prove() -> None:
    """z3: In any dimension: S = sum w gamma_i tau_i H_i is positive definite, and from P S v = lam v follows lam v*P^-1
    v = v*S v, so that lam is real and positive. P S is symmetric in the metric of P^-1, where |I - alpha eta P S| <= 1
    - alpha eta m; the remainder alpha eta^2 E (LA.T2) leaves this below 1 for eta < m/|E|. With symmetric P_i H_i each
    has positive spectrum by the same argument (one client), so their sum is positive definite.
    """
    a, b, p, h, g, w = reals("a b p h g w")  # P S v = (a + ib) v, p = v*P^-1 v, h = v*S v: both real and positive
    smt([p > 0, h > 0, a * p == h, b * p == 0], both(a > 0, b == 0))
    smt([h > 0, w > 0, g > 0], h + w * g > 0)
    m, top, lam, e, C, alpha = reals("m top lam e C alpha")
    smt([0 < m, m <= lam, lam <= top, e > 0, e * top <= 1], both(1 - e * lam >= 0, 1 - e * lam <= 1 - e * m))
    smt([m > 0, C > 0, alpha > 0, e > 0, e * C < m], 1 - alpha * e * m + alpha * C * e * e < 1)


STATEMENT = Statement(
    kind="convergence",
    location="Theorem 2 and Appendix E ('as long as the operator norm ... is smaller than 1'), section 4",
    says="For positive definite H_i and P_i and small eta the averaged operator A has the fixed point x~, to which "
    "FedOpt converges.",
    reading="As eta -> 0, A = I - eta sum w gamma_i tau_i P_i H_i + O(eta^2). Convergence for some server rate alpha "
    "> 0 needs every eigenvalue of sum w P_i H_i to the right of 0 (take gamma_i tau_i = 1); in d = 2 a negative "
    "determinant is a negative eigenvalue, at which I - alpha eta (...) expands for every alpha > 0.",
    severity="missing-hypothesis",
    domain=Domain(instance, grid(n=(1, 2, 3), d=(2,)), "one to three clients in d = 2, diagonal preconditioners"),
    hypotheses=(
        WEIGHTS,
        between("H_i > 0: a > 0", lambda s: s.a, 0, without=variant("a", "a from -1")),
        between("H_i > 0: det = a e > 0", lambda s: s.e, 0, without=variant("e", "e from -1")),
        between("P_i > 0", lambda s: s.scale.reshape(len(s.a), -1), 0, without=variant("scale", "P_i from -1")),
    ),
    printed=claim_of(printed),
    corrected=claim_of(shared, prove=prove),
    note="Sums of products P_i H_i of positive matrices need not have positive spectrum, even with the diagonal P_i "
    "that adaptive clients form: FedOpt then runs away from x~, and decaying the client rate does not help. Assumption "
    "1 fails there. Local correction (N_i^-1) restores sum w H_i. Local AdaGrad itself shows the same: LA.D5b.",
)

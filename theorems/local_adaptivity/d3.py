"""LA section 4: smaller h_i, faster convergence."""

from theorems.local_adaptivity.common import WEIGHTS, between, positive, shares
from theorems.vocabulary import *


def instance(cursor: Cursor, M: int, T: int) -> Instance:
    """Client 1's constant falls from h to h (1 - drop); the others keep theirs."""
    h = np.stack([1 - positive(cursor, 1e-4) for _ in range(M)], -1)
    drop = positive(cursor, 1e-3)
    noise, start = cursor.take(), cursor.take()
    return Instance(nb=cursor.nb, M=M, T=T, h=h, drop=drop, noise=noise, start=start, w=shares(cursor, M))


def bound(s: Instance, rho: Scalar, T: int) -> Any:
    """(7) without c."""
    return rho**T * s.start / (1 - rho) + s.noise / (T * (1 - rho) ** 2)


def expansive(cursor: Cursor, M: int, T: int) -> Instance:
    s = instance(cursor, M, T)
    s.h = 2 * s.h
    return s


def printed(s: Instance) -> list[Comparison]:
    r"""the bound at smaller h_1 is at most the bound at h_1

    \rho\mapsto\frac{\rho^T\|x^{(0)}-\tilde x\|^2}{1-\rho}+\frac{\sigma^2\sum w_i^2q_i}{T(1-\rho)^2}\ \text{increases}
    """
    rho = (s.w * s.h).sum(axis=-1)
    better = rho - s.w[:, 0] * s.h[:, 0] * s.drop
    return [
        that("(7)", bound(s, better, s.T)) <= bound(s, rho, s.T),
        that("(65), T even", bound(s, better, s.T // 2)) <= bound(s, rho, s.T // 2),
    ]


def prove() -> None:
    """z3: rho^T, 1/(1 - rho) and 1/(1 - rho)^2 grow with rho = sum w h on [0, 1), by induction on T."""
    a, b, p, q, r, N = reals("a b p q r N")
    smt([0 <= a, a <= b, 0 <= p, p <= q], a * p <= b * q)  # powers: rho^(T+1) = rho rho^T
    smt([0 <= a, a <= b, b < 1, 0 <= p, p <= q, r >= 0], p * r / (1 - a) <= q * r / (1 - b))
    smt([0 <= a, a <= b, b < 1, N >= 0, p == 1 / (1 - a), q == 1 / (1 - b), p <= q, p >= 1], N * p * p <= N * q * q)
    smt([0 <= a, a <= b, b < 1], both(1 / (1 - a) <= 1 / (1 - b), 1 / (1 - a) >= 1))


STATEMENT = Statement(
    kind="monotone",
    location="section 4, after Theorem 1",
    says="The error bound (7) grows with each h_i: clients with smaller h_i and equal q_i improve the worst case.",
    reading="About the bounds, as the paper says ('worst-case').",
    domain=Domain(instance, grid(M=(1, 2, 3), T=(2, 4, 10, 100)), "one to three clients, T <= 100"),
    hypotheses=(
        WEIGHTS,
        between(
            "0 <= h_i < 1",
            lambda s: s.h,
            0,
            1,
            "[)",
            Domain(expansive, grid(M=(1, 2), T=(2, 4)), "h_i up to 2"),
        ),
        between("0 <= drop <= 1", lambda s: s.drop, 0, 1, "[]", role="h_1 falls, and stays at least 0"),
        between("sigma^2 sum w^2 q >= 0", lambda s: s.noise, 0, None, "[]", role="a variance"),
        between("||x^(0) - x~||^2 >= 0", lambda s: s.start, 0, None, "[]", role="a square"),
    ),
    printed=claim_of(printed, prove=prove),
    note="The error itself need not fall: h_i measures |slope|, and slopes of opposite signs cancel in the mean (two "
    "clients with slopes s and -s converge in one round; lowering one h_i ends that). (7) itself is false (LA.T1), "
    "(65) is not.",
)

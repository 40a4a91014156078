"""OLR Lemma 6: the spectrum of the distortion; the multiplicities need gamma > 0 and a second step."""

from theorems.outsized.common import ASSUMPTION_2
from theorems.outsized.common_spectrum import GAMMA_SMALL, THETAS, distortion, ordered_powers, spectral_mapping
from theorems.vocabulary import *


def decode(cursor: Cursor, theta: Theta) -> Instance:
    """One client in the plane with two different eigenvalues 1 > lam >= 1/100, turned; a shear for a step."""
    nb = cursor.nb
    low = (1 - cursor.take() * nb.number(Fraction(98, 100))) / 2
    t, shear = cursor.many(2)
    cos, sin = (1 - t * t) / (1 + t * t), 2 * t / (1 + t * t)
    R = np.stack([np.stack([cos, -sin], -1), np.stack([sin, cos], -1)], -2)[..., None, :, :]
    lam = np.stack([low * 0 + 1, low], -1)[..., None, :]
    c = np.stack([2 * u - 1 for u in cursor.many(2)], -1)[..., None, :]
    p = Population(nb, lam, R, c, low[..., None] * 0 + 1)
    return Instance(p=p, gamma=rate(cursor, p.L, zero=True), theta=theta, shear=shear)


def decode_spread(cursor: Cursor, theta: Theta) -> Instance:
    """gamma L from 1/100 to 99/100: floats see that the eigenvalues differ."""
    s = decode(cursor, theta)
    edge = s.p.nb.number(Fraction(98, 100)) * s.gamma + s.p.nb.number(Fraction(1, 100))
    return Instance(**{**vars(s), "gamma": edge})


def values(s: Instance) -> Any:
    """(batch, 2): q(L_i) and q(mu_i)."""
    return s.p.filter(s.gamma, s.theta)[..., 0, :]


def parts(s: Instance) -> list[Comparison]:
    q, Q, nb = values(s), distortion(s.p, s.gamma, s.theta)[..., 0, :, :], s.p.nb
    turned = np.swapaxes(s.p.R[..., 0, :, :], -1, -2) @ Q @ s.p.R[..., 0, :, :]
    zero = s.gamma * 0
    low, high = nb.minimum(q[..., 0], q[..., 1]), nb.maximum(q[..., 0], q[..., 1])
    return [
        that("1: symmetric", Q[..., 0, 1]) == Q[..., 1, 0],
        that("1: positive definite", low) > zero,
        *(that(f"2: field at c, {k + 1}", _at_minimizer(s)[..., k]) == zero for k in range(2)),
        *(that(f"3: eigenvalue {k + 1}", turned[..., k, k]) == q[..., k] for k in range(2)),
        that("3: eigenvectors", turned[..., 0, 1]) == zero,
        that("4: largest", high) == q[..., 1],
        that("4: smallest", low) == q[..., 0],
    ]


def _at_minimizer(s: Instance) -> Any:
    """The surrogate's gradient at x = c_i."""
    return (distortion(s.p, s.gamma, s.theta)[..., 0, :, :] @ (s.p.c - s.p.c)[..., 0, :, None])[..., 0]


def same_multiplicity(s: Instance) -> list[Comparison]:
    """Two simple eigenvalues of A_i go to two simple eigenvalues of Q_i."""
    q = values(s)
    return [that("3: simple eigenvalues stay simple", q[..., 1]) > q[..., 0]]


def product(s: Instance) -> list[Comparison]:
    r"""the product of two symmetric positive definite matrices is symmetric

    P,S\succ0\Rightarrow PS=(PS)^\top

    A_i and another positive definite matrix [[2, b], [b, 1]]: is their product symmetric?
    """
    A, b = s.p.A[..., 0, :, :], s.shear
    left = A[..., 0, 0] * b + A[..., 0, 1] * 1
    right = A[..., 1, 0] * 2 + A[..., 1, 1] * b
    return [that("symmetric", left) == right]


def prove() -> None:
    """z3 and sympy: Q_i is a polynomial in A_i: symmetric, same eigenvectors, eigenvalue q(lambda) (Horner's step). For
    0 < gamma lambda < 1 the powers (1 - gamma lambda)^(k-1), k >= 2, are positive and strictly decreasing in lambda
    (induction on k, z3), so q is positive, and strictly decreasing as soon as some theta_k > 0 with k >= 2: extremes at
    L_i and mu_i, and different eigenvalues stay different. Q_i A_i is then positive definite and c_i its only zero.

    Strictly ordered powers, Horner, and positivity of the weighted sum.
    """
    spectral_mapping()
    ordered_powers()
    a, b, p, q, s, t, theta = reals("a b p q s t theta")
    smt([0 < a, a < b, 0 < p, p <= q], p * a < q * b)
    smt([s < t, 0 <= theta, p <= q], s + theta * p < t + theta * q)
    smt([0 <= s, 0 < theta, 0 < p], s + theta * p > 0)
    g, lam, mu = reals("g lam mu")
    smt([0 < mu, mu < lam, 0 < g, g * lam < 1], 1 - g * lam < 1 - g * mu)
    x, y, z, w, r = sympy.symbols("x y z w r")  # a polynomial in a symmetric matrix is symmetric: one Horner step
    M, N = sympy.Matrix([[x, y], [y, z]]), sympy.Matrix([[1, 0], [0, 1]])
    step = (w * M + r * N) * M
    identity((step[0, 1], step[1, 0]))


STATEMENT = Statement(
    kind="spectrum",
    location="Lemma 6, section 5; proof in B.2.2",
    says="For gamma < 1/L_i: Q_i is symmetric positive definite; the surrogate has the minimizer c_i; each eigenvalue "
    "of A_i gives one of Q_i 'with the same multiplicity'; the extremes of Q_i sit at mu_i and L_i.",
    reading="theta_k >= 0 (section 2.1), Assumption 1, gamma >= 0.",
    severity="missing-hypothesis",
    note="At gamma = 0, or with K(Theta) = 1, Q_i = a I: every eigenvalue of A_i goes to a, with multiplicity d. Part "
    "3 holds with 'at least the same multiplicity', or for gamma > 0 and K(Theta) >= 2; parts 1, 2 and 4 stand as "
    "printed. Part 4 fails for gamma < 0, which nothing forbids in so many words.",
    domain=Domain(
        decode, grid(theta=THETAS[:-2]), "one client in d = 2 with two different eigenvalues, 0 <= gamma < 1/L"
    ),
    hypotheses=(ASSUMPTION_2, GAMMA_SMALL),
    printed=Claim(
        "all four parts",
        r"\lambda\in\sigma(A_i)\Rightarrow\sum_k\theta_k(1-\gamma\lambda)^{k-1}\in\sigma(Q_i)\text{ with the same "
        r"multiplicity}",
        lambda s: parts(s) + same_multiplicity(s),
    ),
    corrected=Claim(
        "all four parts, the multiplicities for gamma > 0 and K(Theta) >= 2",
        r"\gamma>0,\ K(\Theta)\ge2:\ \text{the same multiplicity}",
        lambda s: parts(s) + same_multiplicity(s),
        prove,
        Domain(decode_spread, grid(theta=THETAS[1:-2]), "0 < gamma < 1/L and K(Theta) >= 2"),
    ),
    steps=(
        Step(
            "B.2.2, property 2: symmetric positive definite, 'so too is their product'",
            claim_of(product),
            "Q_i is a polynomial in A_i and commutes with it; without that the product need not be symmetric",
        ),
    ),
)

"""LA (50): why SGD's steps do not amplify a variance."""

from theorems.local_adaptivity.common_sgd_steps import CHANCES, SMOOTH, distribution
from theorems.local_adaptivity.e47 import moments
from theorems.local_adaptivity.e47 import prove as prove_covariance
from theorems.vocabulary import *


def instance(cursor: Cursor, n: int, top: int = 2, beyond: int = 0) -> Instance:
    s = distribution(cursor, n, beyond)
    s.eta = top * cursor.take() / s.L
    return s


def printed(s: Instance) -> list[Comparison]:
    r"""(50)

    \eta\,\mathbb{E}\|\nabla F(X)-\mathbb{E}\nabla F(X)\|^2\le2\eta\,\mathbb{E}\langle X-\mathbb{E}X,%
      \nabla F(X)-\mathbb{E}\nabla F(X)\rangle
    """
    variance, covariance = moments(s)
    return [that("(50)", s.eta * variance) <= 2 * s.eta * covariance]


def corrected(s: Instance) -> list[Comparison]:
    r"""with eta^2 on the left

    \eta^2\,\mathbb{E}\|\nabla F(X)-\mathbb{E}\nabla F(X)\|^2\le2\eta\,\mathbb{E}\langle X-\mathbb{E}X,%
      \nabla F(X)-\mathbb{E}\nabla F(X)\rangle
    """
    variance, covariance = moments(s)
    return [that("(50)", s.eta**2 * variance) <= 2 * s.eta * covariance]


def prove() -> None:
    """z3 and sympy: (49), shown as LA.E47, then eta L <= 2 and Cov >= 0, times eta."""
    prove_covariance()
    v, c, L, eta = reals("v c L eta")
    smt([L > 0, v >= 0, v <= L * c, eta >= 0, eta * L <= 2], eta * v <= 2 * c)
    smt([eta >= 0, eta * v <= 2 * c], eta**2 * v <= 2 * eta * c)


def _rate(s: Instance) -> list[Comparison]:
    return [that("low", s.eta) > s.eta * 0, that("high", s.eta * s.L) < s.eta * 0 + 2]


CHOICES = grid(n=(2, 3, 5))

STATEMENT = Statement(
    kind="upper bound",
    location="(50), Appendix B.3",
    says="When eta L < 2: eta E|grad F(X) - E grad F(X)|^2 <= 2 eta E<X - E X, grad F(X) - E grad F(X)>.",
    severity="typo",
    domain=Domain(instance, CHOICES, "X of two to five values in d = 1, any F' of slopes in [0, L], 0 < eta < 2/L"),
    hypotheses=(
        CHANCES,
        replace(SMOOTH, without=Domain(lambda c, n: instance(c, n, beyond=1), CHOICES, "slopes of F' from -L to 2L")),
        Hypothesis("0 < eta L < 2", _rate, Domain(lambda c, n: instance(c, n, 4), CHOICES, "eta up to 4/L")),
    ),
    printed=claim_of(printed),
    corrected=claim_of(corrected, prove=prove),
    note="As printed it is true while L <= 2, by (49), and otherwise compares two units. (44), into which it is put, "
    "has eta^2 on the left. The correction holds at eta L = 2, too, where linear gradients attain it.",
)

"""LA (50): why SGD's steps do not amplify a variance."""

from theorems.local_adaptivity.common_sgd_steps import distribution
from theorems.local_adaptivity.e47 import VALID, moments
from theorems.local_adaptivity.e47 import prove as prove_covariance
from theorems.vocabulary import *


def instance(cursor: Cursor, n: int, top: int = 2) -> Instance:
    s = distribution(cursor, n)
    s.eta = top * cursor.take() / s.L
    return s


def printed(s: Instance) -> list[Comparison]:
    variance, covariance = moments(s)
    return [Comparison("(50)", s.eta * variance, "<=", 2 * covariance)]


def prove() -> Proof:
    proof = prove_covariance()
    v, c, L, eta = reals("v c L eta")
    smt([L > 0, v >= 0, v <= L * c, eta >= 0, eta * L <= 2], eta * v <= 2 * c)
    return Proof(proof.decided_by, "(49), then eta L <= 2 and Cov >= 0. " + proof.argument)


def _rate(s: Instance) -> list[Comparison]:
    return [Comparison("low", s.eta, ">=", s.eta * 0), Comparison("high", s.eta * s.L, "<=", s.eta * 0 + 2)]


STATEMENT = Statement(
    id="LA.E50",
    kind="upper bound",
    location="(50), Appendix B.3",
    says="When eta L < 2: eta E|grad F(X) - E grad F(X)|^2 <= 2 E<X - E X, grad F(X) - E grad F(X)>.",
    reading="eta L <= 2 suffices.",
    domain=Domain(instance, grid(n=(2, 3, 5)), "X of two to five values in d = 1, 0 <= eta <= 2/L"),
    hypotheses=(
        *VALID,
        Hypothesis(
            "0 <= eta <= 2/L",
            _rate,
            Domain(lambda c, n: instance(c, n, 4), grid(n=(2, 3)), "eta up to 4/L"),
        ),
    ),
    printed=Claim(
        "(50)",
        r"\eta\,\mathbb{E}\|\nabla F(X)-\mathbb{E}\nabla F(X)\|^2\le2\,\mathbb{E}\langle X-\mathbb{E}X,\nabla F(X)-"
        r"\mathbb{E}\nabla F(X)\rangle",
        printed,
        prove,
    ),
    note="Tight at eta = 2/L for linear gradients.",
)

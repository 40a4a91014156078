"""OLR section 2.1: K-MAML is Theta_{2K+1} on quadratics, but not where Hessian and gradient share a minibatch."""

from theorems.outsized.common_examples import INVERTIBLE, coordinates, expected_inner, instance, maml_gradient
from theorems.vocabulary import *


def decode(cursor: Cursor, m: int, d: int, K: int) -> Instance:
    """The client of the equality, and another with A_z = 1, a < 1 and c_z = 0, where minibatches are biased."""
    s = instance(cursor, m, d, Theta.maml(K))
    a, rate = cursor.many(2)
    s.other = Instance(a=a * cursor.nb.number(Fraction(9, 10)), rate=(1 + 9 * rate) / 10)
    return Instance(**{**vars(s), "K": K})


def compare(s: Instance) -> list[Comparison]:
    r"""equal with gradient descent inside; different by gamma^2 A Cov with a shared minibatch

    \nabla m_K=(I-\gamma A_i)^{2K}A_i(x-c_i);\quad\mathbb E[\nabla\hat m_1]-\nabla m_1%
      =\gamma^2A_i\operatorname{Cov}(A_z,\nabla f(x;z))
    """
    o = s.other
    lam = np.stack([o.a * 0 + 1, o.a], -1)[..., None]
    p = Population(s.nb, lam, lam[..., None] * 0 + 1, lam * 0, lam[..., 0] * 0 + s.nb.number(Fraction(1, 2)))
    biased = Instance(nb=s.nb, p=p, x=lam[..., 0] * 0 + 1, gamma=o.rate, theta=s.theta, B=1, shared=1)
    biased.x = biased.x[..., :1]
    exact = Instance(**{**vars(biased), "shared": 0})
    gap = maml_gradient(biased, 1) - maml_gradient(exact, 1)
    a, variance = (1 + o.a) / 2, (1 - o.a) ** 2 / 4
    return [
        *coordinates("gradient descent inside", maml_gradient(s, s.K), expected_inner(s, s.theta)),
        that("shared minibatches: bias", gap[..., 0]) == o.rate**2 * a * variance,
        that("shared minibatches: biased", gap[..., 0]) > a * 0,
    ]


def prove() -> None:
    """sympy identity, for K <= 6; for the bias d = 1, K = 1, two examples: With gradient descent inside, diff of
    f(X_K(x)) is (1 - gamma a)^(2K) a (x - c), the answer to Theta_{2K+1}; in dimension d all factors are polynomials in
    A_i and diagonal together. With Hessian and gradient from the same minibatch (K = 1, B = 1) the expectation exceeds
    it by gamma^2 A_i Cov(A_z, grad f(x; z)), not 0 in general.

    K-MAML for K <= 6 in d = 1 by differentiating; the bias of one shared minibatch for two examples.
    """
    x, gamma, a, c = sympy.symbols("x gamma a c")
    X = x
    for K in range(1, 7):
        X = sympy.expand(X - gamma * a * (X - c))
        identity((sympy.diff(a * (X - c) ** 2 / 2, x), (1 - gamma * a) ** (2 * K) * a * (x - c)))
    a1, a2, b1, b2 = sympy.symbols("a1 a2 b1 b2")
    mean, b = (a1 + a2) / 2, (b1 + b2) / 2
    one = [(1 - gamma * s) * (mean * (x - gamma * (s * x - t)) - b) for s, t in ((a1, b1), (a2, b2))]
    covariance = (a1 * (a1 * x - b1) + a2 * (a2 * x - b2)) / 2 - mean * (mean * x - b)
    identity((sum(one) / 2, (1 - gamma * mean) ** 2 * (mean * x - b) + gamma**2 * mean * covariance))


STATEMENT = Statement(
    kind="equivalence",
    location="section 2.1, eighth bullet; end of section 3.1",
    says="On quadratics K-MAML with gradient descent inside is Theta_{2K+1}; with Hessian and gradient estimated on "
    "one minibatch it need not be.",
    reading="The second half claims existence: with examples A_z = 1, a and c_z = 0 the expectations differ.",
    note="The bias of one shared minibatch is gamma^2 A_i Cov(A_z, grad f(x; z)): it vanishes where all examples of a "
    "client have the same Hessian.",
    domain=Domain(decode, grid(m=(1, 2), d=(1, 2), K=(1, 2)), "one client with m examples, 0 <= gamma <= 2/L"),
    hypotheses=(INVERTIBLE,),
    printed=claim_of(compare, prove=prove),
)

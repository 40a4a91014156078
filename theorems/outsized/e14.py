"""OLR (14): what a MAML client's answer estimates, printed with the loss of a single example."""

from theorems.outsized.common_examples import INVERTIBLE, apply, coordinates, instance, maml_gradient, polynomial
from theorems.outsized.common_examples import client as mean_client
from theorems.vocabulary import *


def decode(cursor: Cursor, m: int, d: int, K: int) -> Instance:
    return Instance(**{**vars(instance(cursor, m, d, Theta.maml(K))), "K": K})


def of_example(s: Instance) -> list[Comparison]:
    r"""E[q_i(x)] is the gradient for one example

    \mathbb E[q^i(x)]=\nabla m_K(x;z)

    E[q_i(x)] against the gradient of f(X_K(x); z) for the last example z.
    """
    A, b = mean_client(s.p)
    power = polynomial(A, s.gamma, Theta.last(s.K + 1))
    adapted = s.x - apply(polynomial(A, s.gamma, Theta.sum(s.K)), apply(A, s.x) - b) * s.gamma[..., None]
    own = apply(power, apply(s.p.A[..., -1, :, :], adapted - s.p.c[..., -1, :]))
    return coordinates("q", maml_gradient(s, s.K), own)


def of_client(s: Instance) -> list[Comparison]:
    r"""E[q_i(x)] = grad m_K^i(x)

    \mathbb E[q^i(x)]=\nabla m_K^i(x)

    The mean over z of the gradients of f(X_K(x); z).
    """
    A, b = mean_client(s.p)
    power = polynomial(A, s.gamma, Theta.last(s.K + 1))
    adapted = s.x - apply(polynomial(A, s.gamma, Theta.sum(s.K)), apply(A, s.x) - b) * s.gamma[..., None]
    own = s.p.mean(apply(s.p.A, adapted[..., None, :] - s.p.c))
    return coordinates("q", maml_gradient(s, s.K), apply(power, own))


def prove() -> None:
    """sympy, free algebra: m_K^i is the mean of m_K^i(.; z) over z and differentiation is linear: the mean of J^T A_z
    (X_K - c_z) is J^T (A_i X_K - E[A_z c_z]), checked with non-commuting symbols for two examples of any weights.

    The mean of J^T A_z (X - c_z) over examples is J^T (A_i X - E[A_z c_z]), in the free algebra.
    """
    J, X, A, B, u, v = sympy.symbols("J X A B u v", commutative=False)
    w = sympy.Symbol("w")
    mean = w * J * A * (X - u) + (1 - w) * J * B * (X - v)
    if sympy.expand(mean - J * ((w * A + (1 - w) * B) * X - (w * A * u + (1 - w) * B * v))) != 0:
        raise AssertionError("the mean over examples is not the client's gradient")


STATEMENT = Statement(
    kind="identity",
    location="(14), section 3.1",
    says="E[q_i(x)] = grad m_K(x; z).",
    reading="Gradient descent inside; q_i an unbiased estimate of grad m_K^i(x), as the line above (14) says; z any "
    "example.",
    severity="typo",
    note="The client's index is missing, and z is left over: an expectation over z cannot depend on z.",
    domain=Domain(decode, grid(m=(1, 2), d=(1, 2), K=(1, 2)), "one client with m examples, 0 <= gamma <= 2/L"),
    hypotheses=(INVERTIBLE,),
    printed=claim_of(of_example),
    corrected=claim_of(of_client, prove=prove),
)

"""OLR (14): what a MAML client's answer estimates, printed with the loss of a single example."""

from theorems.bridges import affine_mean
from theorems.outsized import t4
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


def derive(proof: Derivation, s: Instance) -> None:
    """The mean over z of A_z (X_K - c_z) is A_i X_K - b_i; with P^K before it, it is the gradient of K-MAML's loss."""
    p = s.p
    A, b = mean_client(p)
    adapted = s.x - apply(polynomial(A, s.gamma, Theta.sum(s.K)), apply(A, s.x) - b) * s.gamma[..., None]
    proof.cross(affine_mean, "the mean over z", A=p.A, b=apply(p.A, p.c), points=adapted[..., None, :])
    t4.derive(proof, s)


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
    corrected=claim_of(of_client, derive=derive),
)

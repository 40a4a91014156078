"""OLR Theorem 4: K-MAML with gradient descent inside answers as LocalUpdate with Theta_{2K+1} does."""

from theorems.bridges import gradient_step, symmetric_powers
from theorems.outsized.common_examples import (
    INVERTIBLE,
    apply,
    client,
    coordinates,
    expected_inner,
    full_gradient,
    instance,
    maml_gradient,
    polynomial,
    singular,
)
from theorems.outsized.lemmas_examples import expected_answer
from theorems.vocabulary import *


def decode(cursor: Cursor, m: int, d: int, K: int, shared: bool = False) -> Instance:
    s = instance(cursor, m, d, Theta.maml(K), shared=shared)
    return Instance(**{**vars(s), "K": K})


def flat(cursor: Cursor, K: int) -> Instance:
    return Instance(**{**vars(singular(cursor, Theta.maml(K))), "K": K})


def compare(s: Instance) -> list[Comparison]:
    gradient = maml_gradient(s, s.K)
    field = apply(polynomial(client(s.p)[0], s.gamma, s.theta), full_gradient(s.p, s.x))
    return [*coordinates("InnerLoop", gradient, expected_inner(s, s.theta)), *coordinates("surrogate", gradient, field)]


def power_times_gradient(s: Instance, exponent: int) -> Any:
    """(I - gamma A_i)^exponent A_i (x - c_i)."""
    return apply(polynomial(client(s.p)[0], s.gamma, Theta.last(exponent + 1)), full_gradient(s.p, s.x))


def adapted(s: Instance) -> Any:
    """X_K(x): K steps of gradient descent."""
    x = s.x
    for _ in range(s.K):
        x = x - s.gamma[..., None] * full_gradient(s.p, x)
    return x


def after(s: Instance, steps: int) -> Any:
    """The gradient of f_i after so many steps."""
    x = s.x
    for _ in range(steps):
        x = x - s.gamma[..., None] * full_gradient(s.p, x)
    return full_gradient(s.p, x)


def derive(proof: Derivation, s: Instance) -> None:
    """r_k = A X_k - b and the Jacobian of X_k gain a factor P = I - gamma A a step; (P^K)^T P^K = P^(2K)."""
    (A, b), x = client(s.p), s.x
    for _ in range(s.K):
        proof.cross(gradient_step, "r_(k+1) = (I - gamma A) r_k", A=A, b=b, x=x, gamma=s.gamma)
        x = x - s.gamma[..., None] * (apply(A, x) - b)
    P = np.eye(A.shape[-1], dtype=int) - s.gamma[..., None, None] * A
    proof.define("A is symmetric", P, np.swapaxes(P, -1, -2))
    field = full_gradient(s.p, s.x)
    proof.cross(symmetric_powers, "grad m_K = (P^K)^T P^K grad f(x) = P^(2K) grad f(x)", P=P, v=field, k=s.K)
    expected_answer(proof, s, s.theta)
    a, c, e = reals("a c e")
    proof.leaf("both are P^(2K) grad f(x)", [a == c, e == c], a == e, a=maml_gradient(s, s.K),
               c=power_times_gradient(s, 2 * s.K), e=expected_inner(s, s.theta))  # fmt: skip


def _step(name: str, says: str, latex: str, compare: Any, correction: str = "") -> Step:
    return Step(name, Claim(says, latex, compare), correction)


STATEMENT = Statement(
    kind="identity",
    location="Theorem 4, section 3.1; proof in B.1.3",
    says="With gradient descent inside, the gradient of K-MAML's loss is E[InnerLoop] for Theta_{2K+1}, the gradient "
    "of the surrogate loss.",
    headline=True,
    reading="f_i up to its constant (Lemma 1). In (30) and the last display the factor A_i (x - c_i), without which a "
    "vector equals a matrix, is restored: it is the exponents that are judged.",
    note="The theorem is right and its proof is not: (30) and the last display carry one factor I - gamma A_i too "
    "many, and would give Theta_{2K+2}. The text after the theorem is off by one as well.",
    domain=Domain(decode, grid(m=(1, 2), d=(1, 2), K=(1, 2)), "one client with m examples, 0 <= gamma <= 2/L"),
    hypotheses=(
        Hypothesis(
            "the inner steps are full gradient descent",
            lambda s: [that(s.gamma * 0 + s.shared) == s.gamma * 0],
            Domain(
                decode, grid(m=(2,), d=(1,), K=(1,), shared=(True,)), "minibatch steps, Jacobian on the same examples"
            ),
        ),
        Hypothesis(
            INVERTIBLE.name, INVERTIBLE.holds, Domain(flat, grid(K=(1, 2)), "a client blind to the second coordinate")
        ),
    ),
    printed=Claim(
        "the gradient of f_i(X_K(x)) is E[InnerLoop] with Theta_{2K+1} and the surrogate's gradient",
        r"\nabla m_K^i(x)=\mathbb E[\mathrm{InnerLoop}(x,\gamma,\Theta_{2K+1})]=\nabla_x\tilde f_i(x,\gamma,"
        r"\Theta_{2K+1})",
        compare,
        derive=derive,
    ),
    steps=(
        _step(
            "B.1.3 (30): grad f_i(X_K) = (I - gamma A_i)^(K+1)",
            "the gradient after K steps is (I - gamma A_i)^(K+1) A_i (x - c_i)",
            r"\nabla_{X_K}f_i(X_K)=(I-\gamma A_i)^{K+1}A_i(x-c_i)",
            lambda s: coordinates("(30)", full_gradient(s.p, adapted(s)), power_times_gradient(s, s.K + 1)),
            "exponent K, and the factor A_i (x - c_i): grad f_i(X_K) = (I - gamma A_i)^K A_i (x - c_i)",
        ),
        _step(
            "B.1.3, last display: grad m_K = (I - gamma A_i)^(K+1) prod_{k=1}^K (I - gamma A_i)",
            "the gradient of K-MAML's loss is (I - gamma A_i)^(2K+1) A_i (x - c_i)",
            r"\nabla m_K^i(x)=(I-\gamma A_i)^{2K+1}A_i(x-c_i)",
            lambda s: coordinates("last", maml_gradient(s, s.K), power_times_gradient(s, 2 * s.K + 1)),
            "grad m_K = (I - gamma A_i)^(2K) A_i (x - c_i)",
        ),
        _step(
            "text: the gradient of the loss after K+1 additional steps",
            "grad m_K is the gradient of f_i after K + (K + 1) steps",
            r"\nabla m_K^i(x)=\nabla f_i(X_{2K+1}(x))",
            lambda s: coordinates("additional", maml_gradient(s, s.K), after(s, 2 * s.K + 1)),
            "after K additional steps: g_{2K+1} is taken at x_{2K+1}, which 2K steps have led to",
        ),
        _step(
            "corrected (30)",
            "the gradient after K steps is (I - gamma A_i)^K A_i (x - c_i)",
            r"\nabla_{X_K}f_i(X_K)=(I-\gamma A_i)^{K}A_i(x-c_i)",
            lambda s: coordinates("(30)", full_gradient(s.p, adapted(s)), power_times_gradient(s, s.K)),
        ),
    ),
)

"""OLR Lemma 2: the expected local gradients follow (I - gamma A_i), however noisy the minibatches are."""

from theorems.outsized.common_examples import (
    INVERTIBLE,
    apply,
    client,
    coordinates,
    examples_domain,
    expected_inner,
    singular,
)
from theorems.outsized.lemmas_examples import expected_answer
from theorems.vocabulary import *


def gradient(s: Instance, k: int) -> Any:
    """E[g_k]."""
    return expected_inner(s, Theta.last(k))


def iterate(s: Instance, k: int) -> Any:
    """E[x_k] = x - gamma E[g_1 + ... + g_(k-1)], along the same paths."""
    return s.x if k == 1 else s.x - s.gamma[..., None] * expected_inner(s, Theta.sum(k - 1))


def recurrence(s: Instance) -> list[Comparison]:
    r"""one more step multiplies the expected gradient by I - gamma A_i

    \mathbb E[g_{k+1}]=(I-\gamma A_i)\,\mathbb E[g_k]
    """
    k = s.K
    before = gradient(s, k)
    after = before - s.gamma[..., None] * apply(client(s.p)[0], before)
    return coordinates(f"E[g_{k + 1}]", gradient(s, k + 1), after)


def linear(s: Instance) -> list[Comparison]:
    A, b = client(s.p)
    return coordinates("(26)", gradient(s, s.K), apply(A, iterate(s, s.K)) - b)


def inverted(s: Instance) -> list[Comparison]:
    A, b = client(s.p)
    return coordinates("(27)", iterate(s, s.K), s.nb.solve(A, gradient(s, s.K) + b))


def forward(s: Instance) -> list[Comparison]:
    A, b = client(s.p)
    right = s.nb.solve(A, gradient(s, s.K) + b) - s.gamma[..., None] * gradient(s, s.K)
    return coordinates("(28)", iterate(s, s.K + 1), right)


def derive(proof: Derivation, s: Instance) -> None:
    """E[g_k] = A m_k - b, as the k-th minibatch is independent of x_k, and m_(k+1) = m_k - gamma E[g_k]."""
    for k in (s.K, s.K + 1):
        expected_answer(proof, s, Theta.last(k))


def derive_linear(proof: Derivation, s: Instance) -> None:
    expected_answer(proof, s, Theta.last(s.K))


def prove_inverted() -> Proof:
    """A^-1 (A x - b + b) = x, and x - gamma g is what the next step reaches."""
    A, x, b = sympy.symbols("A x b", commutative=False)
    if sympy.expand(A**-1 * (A * x - b + b) - x) != 0:
        raise AssertionError("(26) does not give (27)")
    return Proof("sympy, free algebra", "(26) times A_i^-1, where A_i is invertible; (28) takes gamma E[g_k] off.")


def _step(name: str, latex: str, compare: Any, prove: Any = None, derive: Any = None) -> Step:
    return Step(f"B.1.2 {name}", Claim(name, latex, compare, prove, derive=derive))


STATEMENT = Statement(
    kind="identity",
    location="Lemma 2, section 3; proof in B.1.2",
    says="E[g_{k+1}] = (I - gamma A_i) E[g_k] for the minibatch gradients of Algorithm 2.",
    reading="Minibatches are drawn with replacement, independently of one another (so (5) and the text say).",
    note="The lemma does not need A_i invertible: only (27) does, and it can be skipped. The proof combines (26) with "
    "(28), not with (27) as it says. Independent minibatches are needed: an epoch without replacement correlates "
    "steps.",
    domain=examples_domain((Theta.last(1), Theta.last(2), Theta.last(3)), B=(1, 2)),
    hypotheses=(
        type(INVERTIBLE)(
            INVERTIBLE.name,
            INVERTIBLE.holds,
            Domain(singular, grid(theta=(Theta.last(1), Theta.last(2))), "singular A_i"),
        ),
    ),
    printed=claim_of(recurrence, derive=derive),
    steps=(
        _step("(26): E[g_k] = A_i E[x_k] + b_i", r"\mathbb E[g_k]=A_i\mathbb E[x_k]+b_i", linear, derive=derive_linear),
        _step(
            "(27): E[x_k] = A_i^-1 (E[g_k] - b_i)",
            r"\mathbb E[x_k]=A_i^{-1}(\mathbb E[g_k]-b_i)",
            inverted,
            prove_inverted,
        ),
        _step(
            "(28): E[x_{k+1}] = A_i^-1 (E[g_k] - b_i) - gamma E[g_k]",
            r"\mathbb E[x_{k+1}]=A_i^{-1}(\mathbb E[g_k]-b_i)-\gamma\mathbb E[g_k]",
            forward,
            prove_inverted,
        ),
    ),
)

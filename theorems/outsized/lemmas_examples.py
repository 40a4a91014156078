"""Lemmas on one client's local steps that derivations of this paper share: expected gradients, expected answers."""

from itertools import product

from theorems.bridges import affine_mean, equal_sums, gradient_step
from theorems.outsized.common_examples import apply, client
from theorems.vocabulary import *


def expected_answer(proof: Derivation, s: Instance, theta: Theta) -> None:
    """E[sum theta_k g_k] = sum theta_k (I - gamma A)^(k-1) grad f(x), coordinate by coordinate.

    With m_k the expected k-th point: E[g_k] = A m_k - b, as the k-th minibatch is drawn independently of it, and the
    next is m_k - gamma (A m_k - b), so that each step multiplies by I - gamma A.
    """
    p, (A, b), A_z, gamma = s.p, client(s.p), s.p.A, s.gamma[..., None]
    b_z = apply(A_z, p.c)
    drawn = [list(batch) for batch in product(range(p.n), repeat=s.B)]
    A_batch, b_batch = (np.stack([z.take(batch, axis=1).sum(axis=1) / s.B for batch in drawn], 1) for z in (A_z, b_z))
    points, expected, powers = [s.x], [], []
    field = apply(A, s.x) - b
    for _ in theta.weights:
        centre = sum(points) / len(points)
        proof.cross(affine_mean, "E[g_k] = A m_k - b", A=A_batch, b=b_batch, points=np.stack(points, -2))
        proof.cross(gradient_step, "a step of m_k", A=A, b=b, x=centre, gamma=s.gamma)
        gradients = [[apply(M, y) - v for M, v in zip(*_split(A_batch, b_batch), strict=True)] for y in points]
        expected.append(sum(sum(row) for row in gradients) / (len(points) * len(drawn)))
        powers.append(field)
        points = [y - gamma * g for y, row in zip(points, gradients, strict=True) for g in row]
        field = field - gamma * apply(A, field)
    weights = np.array([p.nb.number(weight) for weight in theta.weights], dtype=object)
    proof.cross(
        equal_sums, "weighted with theta", low=np.stack(expected, -1), high=np.stack(powers, -1), weights=weights
    )


def _split(A: Any, b: Any) -> tuple[list[Any], list[Any]]:
    """The minibatches, one by one."""
    return [A[:, k] for k in range(A.shape[1])], [b[:, k] for k in range(b.shape[1])]

"""One client and its examples (OLR section 3): minibatch paths enumerated, expectations exact, MAML by dual numbers."""

from itertools import product

from theorems.outsized.common_spectrum import distortion
from theorems.vocabulary import *

INVERTIBLE = Hypothesis(
    "A_i is invertible", lambda s: [that("det", s.nb.abs(_determinant(s.p.hessian(s.p.lam)))) > s.gamma * 0]
)


def instance(cursor: Cursor, m: int, d: int, theta: Theta, B: int = 1, shared: bool = False) -> Instance:
    """One client with m equally likely examples (A_z, c_z), a start x, a rate 0 <= gamma <= 2 / L."""
    p = clients(cursor, m, d)
    x = np.stack([1 - 3 * u for u in cursor.many(d)], -1)
    gamma = (1 - cursor.take() + 3 * cursor.take()) / (2 * p.L)
    return Instance(nb=cursor.nb, p=p, x=x, gamma=gamma, theta=theta, K=theta.steps, B=B, shared=int(shared))


def singular(cursor: Cursor, theta: Theta) -> Instance:
    """A client that does not see the second coordinate: A_i is singular, its gradients are not."""
    s = instance(cursor, 2, 2, theta)
    flat = s.p.lam * np.array([1, 0])
    turned = Population(s.p.nb, flat, s.p.R * 0 + _unturned(s.p.R), s.p.c, s.p.w)
    return Instance(**{**vars(s), "p": turned})


def examples_domain(
    theta: Sequence[Theta], m: Sequence[int] = (1, 2), d: Sequence[int] = (1, 2), B: Sequence[int] = (1,)
) -> Domain:
    return Domain(
        instance, grid(m=m, d=d, theta=theta, B=B), "one client with m examples, mu I <= A_z <= L I, 0 <= gamma <= 2/L"
    )


def client(p: Population) -> tuple[Any, Any]:
    """(A_i, A_i c_i): the means of A_z and of A_z c_z."""
    return p.hessian(p.lam), p.mean((p.A @ p.c[..., None])[..., 0])


def apply(M: Scalar, v: Numbers) -> Any:
    return (M @ v[..., None])[..., 0]


def full_gradient(p: Population, x: Numbers) -> Any:
    """grad f_i(x) = E[A_z (x - c_z)]."""
    return p.mean(apply(p.A, x[..., None, :] - p.c))


def example_gradients(p: Population) -> Any:
    A = p.A
    return lambda x, z: apply(A[..., z, :, :], x - p.c[..., z, :])


def expected_inner(s: Instance, theta: Theta) -> Any:
    """E[InnerLoop]: Algorithm 2 along every sequence of minibatches drawn with replacement, averaged."""
    grad, total = example_gradients(s.p), s.x * 0
    weights, gamma = theta.weights, s.gamma[..., None]
    for path in _paths(s.p.n, s.B, len(weights)):
        y = s.x
        for weight, drawn in zip(weights, path, strict=True):
            g = sum(grad(y, z) for z in drawn) / s.B
            total = total + g * weight
            y = y - gamma * g
    return total / s.p.n ** (s.B * len(weights))


def polynomial(A: Any, gamma: Any, theta: Theta) -> Any:
    """sum_k theta_k (I - gamma A)^(k-1) of one matrix (batch, d, d), by Horner."""
    eye = A * 0 + _unturned(A)
    step = eye - gamma[..., None, None] * A
    Q = eye * theta.weights[-1]
    for weight in reversed(theta.weights[:-1]):
        Q = Q @ step + eye * weight
    return Q


def maml_gradient(s: Instance, K: int) -> Any:
    """Gradient in x of f_i(X_K(x)), by carrying the Jacobian of X_k along.

    ``s.shared``: X_k takes minibatch steps, and the Jacobian comes from the same minibatches; then averaged.
    """
    A, b = client(s.p)
    if not s.shared:
        return _backward(s, [(A, b)] * K, A, b)
    batches = [(s.p.A[..., z, :, :], apply(s.p.A[..., z, :, :], s.p.c[..., z, :])) for z in range(s.p.n)]
    return sum(_backward(s, path, A, b) for path in product(batches, repeat=K)) / s.p.n**K


def _backward(s: Instance, steps: Sequence[tuple[Any, Any]], A: Any, b: Any) -> Any:
    X, J = s.x, A * 0 + _unturned(A)
    for H, h in steps:
        X, J = X - s.gamma[..., None] * (apply(H, X) - h), J - s.gamma[..., None, None] * (H @ J)
    return apply(np.swapaxes(J, -1, -2), apply(A, X) - b)


def coordinates(label: str, lhs: Numbers, rhs: Numbers) -> list[Comparison]:
    """One equation a coordinate of vectors (batch, d)."""
    return [that(f"{label} {k + 1}", lhs[..., k]) == rhs[..., k] for k in range(lhs.shape[-1])]


def _paths(count: int, batch: int, steps: int) -> Iterator[tuple[tuple[int, ...], ...]]:
    yield from product(product(range(count), repeat=batch), repeat=steps)


def _unturned(M: Any) -> Any:
    return np.eye(M.shape[-1], dtype=int)


def _determinant(A: Numbers) -> Any:
    return A[..., 0, 0] if A.shape[-1] == 1 else A[..., 0, 0] * A[..., 1, 1] - A[..., 0, 1] * A[..., 1, 0]


def server_field(p: Population, gamma: Any, theta: Theta, x: Numbers) -> Any:
    """Q_i A_i (x - c_i) of every client, (..., n, d)."""
    return apply(distortion(p, gamma, theta) @ p.A, x[..., None, :] - p.c)

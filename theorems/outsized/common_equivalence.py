"""Equivalences of trajectories (OLR section 2.1, Appendix A): the same draws, the same iterates, for any losses."""

from theorems.outsized.listing_local_update import draws, grads
from theorems.vocabulary import *

EXAMPLES = 4
ROUNDS = 3
Sides = Callable[[Any, Any], tuple[Any, Any]]  # (gradient, instance) -> the two end points

RATES = Hypothesis(
    "gamma, eta >= 0", lambda s: [that("gamma", s.gamma) >= s.gamma * 0, that("eta", s.eta) >= s.eta * 0]
)


def _instance(cursor: Cursor, M: int, K: int, B: int, examples: int) -> Instance:
    A = np.stack([2 * a for a in cursor.many(examples)], -1)
    c = np.stack([2 * a - 1 for a in cursor.many(examples)], -1)
    x, gamma, eta, alpha = cursor.many(4)
    fields = {"x": 4 * x - 2, "gamma": 2 * gamma, "eta": 2 * eta, "alpha": 2 * alpha}
    return Instance(nb=cursor.nb, T=ROUNDS, A=A, c=c, M=M, K=K, B=B, examples=examples, **fields)


def trajectories(
    M: Sequence[int] = (1, 2, 3), K: Sequence[int] = (1, 2, 4), B: Sequence[int] = (1, 2), examples: int = EXAMPLES
) -> Domain:
    """Three rounds in d = 1 of M drawn clients, K steps and minibatches of B, all draws fixed."""
    return Domain(
        _instance,
        grid(M=M, K=K, B=B, examples=(examples,)),
        "quadratic examples in d = 1, 0 <= gamma, eta, alpha <= 2, three rounds with fixed draws",
    )


def rounds_of(s: Instance) -> list[list[list[list[int]]]]:
    return draws(s.T, s.M, s.K, s.B, s.examples)


def local_descent(grad: Any, x: Scalar, gamma: Scalar, S: Sequence[Sequence[Any]]) -> Any:
    """Minibatch SGD from x: one step a minibatch."""
    for batch in S:
        x = x - gamma * (sum(grad(x, z) for z in batch) / len(batch))
    return x


def equivalence(says: str, latex: str, sides: Sides, family: Sequence[Mapping[str, int]], argument: str) -> Claim:
    """End points agree: on quadratics in numbers; over one round with opaque gradients (any losses, any d)."""

    def compare(s: Instance) -> list[Comparison]:
        left, right = sides(grads(s.A, s.c), s)
        return [that("end points", left) == right]

    def prove() -> Proof:
        for settings in family:
            left, right = sides(_opaque, _symbolic(settings))
            if _spread(left - right) != 0:
                raise AssertionError(f"the trajectories differ at {settings}: {_spread(left - right)}")
        _any_size()
        cases = "; ".join(", ".join(f"{k} = {v}" for k, v in settings.items()) for settings in family)
        general = (
            "Every K, M, B: x_k = x - gamma (g_1 + ... + g_{k-1}), and sums over clients or examples grow by a term."
        )
        return Proof("sympy identities with opaque gradients", f"{argument} {general} (Run out for {cases}.)")

    return Claim(says, latex, compare, prove)


def _any_size() -> None:
    """One more local step, one more client, one more example: the sums that the end points are made of."""
    x, gamma, eta, g, local, total, m, size = sympy.symbols("x gamma eta g local total m size", positive=True)
    identity(
        ((x - gamma * local) - gamma * g, x - gamma * (local + g)),
        ((m * x - gamma * total) + (x - gamma * local), (m + 1) * x - gamma * (total + local)),
        (((m * x - gamma * total) / m), x - gamma * (total / m)),
        (x - eta * (x - (x - gamma * total / m)), x - eta * gamma * (total / m)),
        ((total / size + g / size) / m, (total + g) / (m * size)),
    )


def _opaque(x: Any, z: Any) -> Any:
    """The gradient of an unknown loss: equal only at equal points."""
    return sympy.Function(f"g_{z}")(_spread(x))


def _spread(x: Any) -> Any:
    return sympy.expand(sympy.sympify(x))


def _symbolic(settings: Mapping[str, int]) -> Instance:
    x, gamma, eta, alpha = sympy.symbols("x gamma eta alpha", positive=True)
    return Instance(T=1, x=x, gamma=gamma, eta=eta, alpha=alpha, examples=EXAMPLES, **settings)

"""OLR section 2.1: the results extend to epochs, in which each example is used once."""

from theorems.outsized.common_examples import apply, client, coordinates, full_gradient
from theorems.vocabulary import *


def decode(cursor: Cursor, m: int, d: int) -> Instance:
    """A client with m examples, a start x, a rate 0 <= gamma <= 2 / L."""
    p = clients(cursor, m, d)
    x = np.stack([1 - 3 * u for u in cursor.many(d)], -1)
    return Instance(nb=cursor.nb, p=p, x=x, gamma=(1 - cursor.take() + 3 * cursor.take()) / (2 * p.L), m=m)


def gradients(s: Instance) -> list[Any]:
    """grad f(x; z) of every example."""
    return [apply(s.p.A[..., z, :, :], s.x - s.p.c[..., z, :]) for z in range(s.m)]


def second(s: Instance) -> Any:
    """E[g_2]: the mean over ordered pairs of different examples of grad f(x - gamma grad f(x; z); z')."""
    g, A = gradients(s), s.p.A
    pairs = [(y, z) for y in range(s.m) for z in range(s.m) if y != z]
    return sum(g[z] - s.gamma[..., None] * apply(A[..., z, :, :], g[y]) for y, z in pairs) / len(pairs)


def covariance(s: Instance) -> Any:
    """Cov(A_z, grad f(x; z)) = E[A_z grad f(x; z)] - A_i grad f_i(x)."""
    own = sum(apply(s.p.A[..., z, :, :], g) for z, g in enumerate(gradients(s))) / s.m
    return own - apply(client(s.p)[0], full_gradient(s.p, s.x))


def contracted(s: Instance) -> Any:
    """(I - gamma A_i) E[g_1]."""
    first = full_gradient(s.p, s.x)
    return first - s.gamma[..., None] * apply(client(s.p)[0], first)


def printed(s: Instance) -> list[Comparison]:
    r"""the second expected gradient of an epoch

    \mathbb E[g_2]=(I-\gamma A_i)\,\mathbb E[g_1]
    """
    return coordinates("E[g_2]", second(s), contracted(s))


def corrected(s: Instance) -> list[Comparison]:
    r"""as printed where all examples of a client have the same Hessian; else the covariance of Hessians and gradients
    is added, divided by m - 1

    \mathbb E[g_2]=(I-\gamma A_i)\,\mathbb E[g_1]+\frac{\gamma}{m-1}\operatorname{Cov}_z(A_z,\nabla f(x;z))
    """
    return coordinates("E[g_2]", second(s), contracted(s) + s.gamma[..., None] * covariance(s) / (s.m - 1))


def derive(proof: Derivation, s: Instance) -> None:
    """The mean of A_z' g_z over z != z' is A_i E[g_1] - Cov(A_z, g_z)/(m - 1)."""
    g, A = gradients(s), s.p.A
    pairs = [(y, z) for y in range(s.m) for z in range(s.m) if y != z]
    crossed = sum(apply(A[..., z, :, :], g[y]) for y, z in pairs) / len(pairs)
    both = apply(client(s.p)[0], full_gradient(s.p, s.x))
    drift = covariance(s) / (s.m - 1)
    proof.setting("m >= 2", s.m, 2)
    proof.define("a mean over pairs of different examples, by that over all pairs", crossed, both - drift)
    e, t, a, c, d = reals("first gamma both crossed drift")
    here = {"first": full_gradient(s.p, s.x), "gamma": s.gamma[..., None]}
    equal = [c <= a - d, c >= a - d]
    proof.leaf("E[g_2]", equal, e - t * c == (e - t * a) + t * d, both=both, crossed=crossed, drift=drift, **here)


POSITIVE = Hypothesis(
    "A_z is positive definite (section 3)",
    lambda s: [that(s.p.mu) > s.p.mu * 0],
    role="it makes A_i invertible; the identity does not use it",
)

STATEMENT = Statement(
    kind="identity",
    location="section 2.1, last paragraph",
    says="Where clients run epochs over their data, as in McMahan et al. (2017), in place of K(Theta) steps, 'our "
    "results "
    "can be easily extended': E[g_{k+1}] = (I - gamma A_i) E[g_k], Lemma 2, and with it Theorem 3.",
    reading="An epoch of minibatch SGD with B = 1 visits each of the client's m examples once, in random order; k = 1.",
    severity="missing-hypothesis",
    domain=Domain(decode, grid(m=(2, 3), d=(1,)), "a client with two or three examples, 0 <= gamma <= 2/L"),
    hypotheses=(POSITIVE,),
    printed=claim_of(printed),
    corrected=claim_of(
        corrected,
        domain=Domain(decode, grid(m=(2, 3, 4), d=(1, 2)), "a client with two to four examples, 0 <= gamma <= 2/L"),
        given=(POSITIVE,),
        derive=derive,
    ),
    note="With replacement the covariance is not there (Lemma 2). At x = c_i it remains, gamma/(m-1) E[A_z^2 (c_i - "
    "c_z)], "
    "so that the client's own minimizer is no resting point: even a single client with shuffled data is biased by "
    "O(gamma). Full batches, and large m, are not concerned.",
)

"""OLR (15): the server's aggregation in K-MAML, printed as a sum over all clients."""

from theorems.outsized.common import ASSUMPTION_2
from theorems.outsized.common_examples import apply, coordinates, server_field
from theorems.vocabulary import *


def decode(cursor: Cursor, n: int, d: int, K: int) -> Instance:
    p = clients(cursor, n, d)
    gamma = rate(cursor, p.L)
    x = np.stack([1 - 3 * u for u in cursor.many(d)], -1)
    return Instance(p=p, gamma=gamma, x=x, K=K, theta=Theta.maml(K))


def field(s: Instance) -> Any:
    """The gradient of the surrogate loss f~(x, gamma, Theta_{2K+1})."""
    spectrum = s.p.filtered(s.gamma, s.theta)
    return apply(s.p.hessian(spectrum), s.x - s.p.rest(spectrum))


def summed(s: Instance) -> list[Comparison]:
    r"""the sum over all clients is the surrogate's gradient

    q(x)=\sum_{i\in I}q^i(x),\quad \mathbb E[q(x)]=\nabla_x\tilde f(x,\gamma,\Theta_{2K+1})
    """
    answers = server_field(s.p, s.gamma, s.theta, s.x)
    return coordinates("q", sum(answers[..., i, :] for i in range(s.p.n)), field(s))


def averaged(s: Instance) -> list[Comparison]:
    r"""q(x) = (1/M) sum over the drawn clients; its expectation is the surrogate's gradient

    q(x)=\frac1M\sum_{i\in I_t}q^i(x)
    """
    return coordinates("q", s.p.mean(server_field(s.p, s.gamma, s.theta, s.x)), field(s))


def prove() -> None:
    """sympy identity: The expectation of the mean over M clients drawn from P is E_P[q_i] by linearity (checked for M =
    2, and from M to M + 1; more than two clients or values by merging them two by two), and each E[q_i] is the gradient
    of its surrogate by Theorem 4.

    The mean of M answers drawn from P has the mean sum_i w_i q_i.
    """
    w, q1, q2 = sympy.symbols("w q1 q2")
    p = {1: w, 2: 1 - w}
    q = {1: q1, 2: q2}
    pairs = [(i, j) for i in p for j in p]
    identity((sum(p[i] * p[j] * (q[i] + q[j]) / 2 for i, j in pairs), w * q1 + (1 - w) * q2))
    u, s1, s2, M = sympy.symbols("u s1 s2 M")  # one more draw: the sum so far is s1 or s2, with mean M E[q]
    more = sum(a * b * (s + q[j]) for a, s in ((u, s1), (1 - u, s2)) for j, b in p.items()) / (M + 1)
    mean = w * q1 + (1 - w) * q2
    identity((more.subs(s2, (M * mean - u * s1) / (1 - u)), mean))


STATEMENT = Statement(
    kind="identity",
    location="(15), section 3.1",
    says="The server's q(x) = sum_{i in I} q_i(x), which is then said to have the mean grad f~(x, gamma, "
    "Theta_{2K+1}).",
    reading="q_i(x) at its expectation, the gradient of the client's surrogate (Theorem 4); uniform weights.",
    severity="typo",
    note="The sentence above (15) says that the server averages; Algorithm 1 divides by M and sums over I_t. As "
    "printed q is n times too large (and does not exist for infinitely many clients).",
    domain=Domain(decode, grid(n=(1, 2, 3), d=(1, 2), K=(1, 2)), "n clients, uniform weights, 0 < gamma < 1/L"),
    hypotheses=(ASSUMPTION_2,),
    printed=claim_of(summed),
    corrected=claim_of(averaged, prove=prove),
)

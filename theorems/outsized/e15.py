"""OLR (15): the server's aggregation in K-MAML, printed as a sum over all clients."""

from theorems.bridges import independent_draws, normal_equations
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


def derive(proof: Derivation, s: Instance) -> None:
    """The mean over drawn clients has the mean E[q_i], which is the averaged surrogate's gradient."""
    p, answers = s.p, server_field(s.p, s.gamma, s.theta, s.x)
    proof.cross(independent_draws, "the mean over M drawn clients", w=p.w, answers=answers, M=2)
    values = p.filtered(s.gamma, s.theta)
    proof.cross(normal_equations, "the gradient of the averaged surrogate", p=p, values=values, x=s.x)


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
    corrected=claim_of(averaged, derive=derive),
)

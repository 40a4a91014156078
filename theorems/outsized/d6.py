"""OLR after Theorem 3: the server's optimizer does not move the resting point (full participation, full gradients)."""

from theorems.outsized.common import ASSUMPTION_2
from theorems.vocabulary import *

SERVERS = ("sgd", "momentum", "adagrad", "adam")


def decode(cursor: Cursor, n: int, server: str, K: int) -> Instance:
    """d = 1; the state at rest: no momentum, a second moment v > 0; eta, beta1, beta2 < 1 and epsilon > 0."""
    nb = cursor.nb
    p = clients(cursor, n, 1)
    gamma = rate(cursor, p.L)
    u = cursor.many(5)
    tenth = nb.number(Fraction(1, 10))
    state = {"v": tenth + u[0], "eta": tenth + u[1], "beta1": u[2] * 9 * tenth, "beta2": u[3] * 9 * tenth}
    off = tenth + u[4]
    return Instance(p=p, gamma=gamma, off=off, server=server, theta=Theta.sum(K), K=K, **state)


def step(s: Instance, m: Scalar, q: Scalar) -> tuple[Any, Any]:
    """The server's new momentum and its change of x, given q_t."""
    nb, epsilon = s.p.nb, s.p.nb.number(Fraction(1, 1000))
    if s.server in ("sgd", "momentum"):
        m = (s.beta1 * m if s.server == "momentum" else m * 0) + q
        return m, -s.eta * m
    if s.server == "adagrad":
        return m, -s.eta * q / (nb.sqrt(s.v + q * q) + epsilon)
    m = s.beta1 * m + (1 - s.beta1) * q
    grown = s.beta2 * s.v + (1 - s.beta2) * q * q
    return m, -s.eta * m / (nb.sqrt(grown) + epsilon)


def field(s: Instance, x: Scalar) -> Any:
    """q_t = grad f~(x): the mean of the clients' answers."""
    values = s.p.filtered(s.gamma, s.theta)
    return (s.p.hessian(values) @ (x - s.p.rest(values))[..., None])[..., 0, 0]


def compare(s: Instance) -> list[Comparison]:
    r"""every server rests at x~ and nowhere else

    x_{t+1}=x_t\iff\nabla\tilde f(x_t,\gamma,\Theta)=0

    At x~ nothing moves; beside it x and the momentum move towards it.
    """
    centre = s.p.rest(s.p.filtered(s.gamma, s.theta))
    still = step(s, s.off * 0, field(s, centre))
    q = field(s, centre + s.off[..., None])
    moved = step(s, s.off * 0, q)
    return [that("at x~ it rests", still[1]) == s.off * 0, that("elsewhere it moves", moved[1]) < s.off * 0]


def prove() -> None:
    """z3: Each server (SGD, momentum, Adagrad, Adam, and what else divides by a positive scale) changes x by -eta m
    over a positive scale with m = q, m = beta m + q or m = beta m + (1 - beta) q. x and m are at rest exactly where m =
    q = 0 (z3), that is where grad f~ = 0: the minimizer of the surrogate, whatever the server.

    x and m stay put exactly where q = 0: the steps are -eta q and -eta (m at rest) over a positive scale.
    """
    m, q, beta, eta, scale = reals("m q beta eta scale")
    base = [eta > 0, scale > 0, 0 <= beta, beta < 1]
    smt([*base, eta * q / scale == 0], q == 0)
    smt([*base, m == beta * m + q, eta * m / scale == 0], both(m == 0, q == 0))
    smt([*base, m == beta * m + (1 - beta) * q, eta * m / scale == 0], both(m == 0, q == 0))


STATEMENT = Statement(
    kind="equivalence",
    location="section 3, after Theorem 3",
    says="The outer optimizer changes the speed of convergence to argmin f~, not the point LocalUpdate converges to.",
    reading="Resting points under full participation and full gradients: the server's state and x stay put at x~, and "
    "at no other x. With sampled clients it is OLR.D6b.",
    domain=Domain(decode, grid(n=(1, 2), server=SERVERS, K=(1, 2, 10)), "d = 1, four servers at rest or beside it"),
    hypotheses=(
        ASSUMPTION_2,
        Hypothesis("eta > 0", lambda s: [that(s.eta) > s.eta * 0], role="a server of rate 0 rests anywhere"),
    ),
    printed=claim_of(compare, prove=prove),
)

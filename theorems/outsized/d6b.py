"""OLR after Theorem 3, with sampled clients: an adaptive server does move the point where LocalUpdate settles."""

from theorems.outsized.common import ASSUMPTION_2, GAMMA_BELOW
from theorems.vocabulary import *


def decode(cursor: Cursor, n: int, K: int) -> Instance:
    """d = 1, uniform weights, one client drawn a round, and a server that divides by |q| + epsilon."""
    p = clients(cursor, n, 1)
    epsilon = cursor.nb.number(Fraction(1, 10)) + cursor.take()
    return Instance(p=p, gamma=rate(cursor, p.L), epsilon=epsilon, K=K, theta=Theta.sum(K))


def answers(s: Instance) -> Any:
    """q_i at x~, (batch, n)."""
    values = s.p.filtered(s.gamma, s.theta)
    return (values * (s.p.rest(values)[..., None, :] - s.p.c))[..., 0]


def adaptive(s: Instance) -> list[Comparison]:
    r"""the mean step of an adaptive server vanishes at x~

    \mathbb E\left[\frac{q_t}{|q_t|+\epsilon}\right]_{x=\tilde x}=0

    The mean step of Adam without memory (beta1 = beta2 = 0), q / (|q| + epsilon), at x~.
    """
    q = answers(s)
    return [that("mean step at x~", s.p.mean(q / (s.p.nb.abs(q) + s.epsilon[..., None]))) == s.epsilon * 0]


def linear(s: Instance) -> list[Comparison]:
    r"""the mean step of a linear server vanishes at x~

    \mathbb E[q_t]_{x=\tilde x}=0
    """
    return [that("mean step at x~", s.p.mean(answers(s))) == s.epsilon * 0]


def prove() -> None:
    """z3: Servers that are linear in q_t (SGD, momentum) commute with the expectation: the mean iterate follows the
    recursion with E[q_t] = grad f~ (Theorem 3), whose only resting point is x~ (z3, x measured from x~, h an
    eigenvalue).

    E x+ = E x - eta h (E x - x~), also through momentum: the mean rests at x~ alone.
    """
    x, m, h, eta, beta = reals("x m h eta beta")
    smt([h > 0, eta > 0, beta >= 0, beta < 1, m == beta * m + h * x, eta * m == 0], both(x == 0, m == 0))


STATEMENT = Statement(
    kind="equivalence",
    location="section 3, after Theorem 3",
    says="With sampled clients, too, the outer optimizer (adaptive ones included) leaves the point LocalUpdate "
    "converges to.",
    reading="One client a round (M = 1), d = 1; the server is Adam without memory, x+ = x - eta q / (|q| + epsilon). "
    "Where it settles its mean step vanishes; claimed: at x~.",
    severity="missing-hypothesis",
    note="Dividing by a scale that depends on q_t biases the mean step: for small epsilon the server settles at a "
    "median of the clients, not at their weighted mean. It is true for full participation (OLR.D6), in the mean for "
    "servers linear in q_t, and as the noise in q_t vanishes against epsilon.",
    domain=Domain(decode, grid(n=(1, 2, 3), K=(1, 2, 10)), "d = 1, one of n clients a round"),
    hypotheses=(ASSUMPTION_2, GAMMA_BELOW),
    printed=claim_of(adaptive),
    corrected=claim_of(linear, prove=prove),
)

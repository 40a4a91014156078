"""LADA Theorem 3.5 without noise and with equal clients: the length of the step."""

from theorems.fedlada import common_bound as cb
from theorems.fedlada.common import need
from theorems.fedlada.t35 import CLOSED, MENDED
from theorems.vocabulary import *


def instance(cursor: Cursor, T: int) -> Instance:
    """F' = clip(x, -G, G), two equal clients, eps_v = G: from x_0 = s G / 2 with s >= 2 the iterates are +- x_0."""
    beta, eta, pace, size = cursor.many(4)
    zero = beta * 0
    beta1, r = beta / 2, (1 + pace) / 8
    G = r * (1 - beta1) / 2 * (1 + size) / 2
    x0 = r * (1 - beta1) / 2  # s G / 2 with s = r (1 - beta1) / G
    return Instance(
        nb=cursor.nb, m=2, S=2, K=1, T=T, beta1=beta1, r=r, eta_l=eta * G / 4, b=zero, nu=zero, G=G, x0=x0,
        start=G * x0 - G * G / 2, sigma_u=G * G, a=zero + 1,
    )  # fmt: skip


def orbit(s: Instance) -> list[Comparison]:
    """x_1 = x_0 - s G = -x_0, and |F'| = G at both: so at every t."""
    return [that("(7)", s.G * s.G) <= cb.printed_right(s)]


MANY = cb.theorem((2, 2, 10**4), (2, 2, 10**6), (4, 4, 10**6))
STATEMENT = Statement(
    kind="upper bound",
    location="Theorem 3.5, section 3.4, with S = m and no noise",
    says="Theorem 3.5 for gradient descent: all clients equal and exact gradients.",
    reading="As for LADA.T35; with S = m the second condition on eta eta_l is empty.",
    severity="substantive",
    domain=Domain(instance, grid(T=(100, 10**4, 10**6)), "two equal clients, F' = clip(x), a cycle of period two"),
    hypotheses=(*cb.HYPOTHESES, need("x_0 is beyond the kink", lambda s: (s.x0, ">=", s.G))),
    printed=Claim("inequality (7)", cb.LATEX, orbit),
    corrected=MENDED,
    steps=(replace(CLOSED, claim=replace(CLOSED.claim, domain=MANY, given=(*cb.HYPOTHESES, cb.CLOSED_FORM))),),
    note="Steps are eta eta_l G_theta long: with eta eta_l <= 1/(4L) and G_theta = 1/eps_v >= 8/(1-beta1) descent "
    "overshoots and cycles, with |F'| = G_g for ever. The proof compares 2 L (eta eta_l)^2 |m theta|^2 with eta "
    "eta_l/2 |m sqrt(theta)|^2 as if the two norms were one; eta eta_l <= 1/(4 L G_theta) is what it needs.",
)

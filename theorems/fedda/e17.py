"""DA (17): how far the mean of local gradient flows strays from the total one."""

from theorems.fedda.common import RATES, numeric, procedures
from theorems.fedda.common_flow import local_at
from theorems.fedda.listing_fedda import average
from theorems.vocabulary import *


def paths(s: Instance) -> tuple[Any, Any, Any, Any]:
    """|W - Wbar| and tau at tau = T eta, the largest gradient on both paths, the largest curvature."""
    r, tau = numeric(s), s.T * s.eta
    H = average(r.p, [s.a[..., i] for i in range(s.n)])
    centre = average(r.p, [s.a[..., i] * s.c[..., i] for i in range(s.n)]) / H
    W = centre + (s.x - centre) * s.nb.exp(-(H * tau))
    ends = [local_at(s, i, tau) for i in range(s.n)]
    largest = s.x * 0
    for g in r.grads:  # W runs monotonously from x, so that |g^i(W)| is largest at an end; |g^i(W^i)| is at x
        largest = s.nb.maximum(largest, s.nb.maximum(s.nb.abs(g(s.x)), s.nb.abs(g(W))))
    return s.nb.abs(W - average(r.p, ends)), tau, largest, s.nb.largest(s.a)


def bound(s: Instance) -> list[Comparison]:
    r"""within 2 G t eta

    |W(t\eta)-\bar W(t\eta)|\le2\sup_i\|\nabla L^i\|_{L^\infty}t\eta
    """
    off, tau, G, _ = paths(s)
    return [that("bound", off) <= 2 * G * tau]


def sharper(s: Instance) -> list[Comparison]:
    r"""second order in t eta

    |W-\bar W|\le L\,G\,(t\eta)^2
    """
    off, tau, G, L = paths(s)
    return [that("ours", off) <= L * G * tau * tau]


def prove() -> None:
    """z3: By (16) the distance is at most the integral over tau of sum_i p_i |grad L^i(W) - grad L^i(W^i)|; each term
    is at most 2 G by the triangle inequality, so is the mean, and the integral is at most 2 G tau.
    """
    u, v, G, w, d1, d2 = reals("u v G w d1 d2")
    smt([-G <= u, u <= G, -G <= v, v <= G], u - v <= 2 * G)
    smt([0 <= w, w <= 1, d1 <= 2 * G, d2 <= 2 * G], w * d1 + (1 - w) * d2 <= 2 * G)


def prove_sharper() -> None:
    """z3 and sympy: W and W^i start together and part at a speed of at most 2 G, so |W - W^i| <= 2 G s; the integrand
    of (16) is at most L |W - W^i| <= 2 L G s, and its integral L G tau^2.
    """
    u, v, off, slope = reals("u v off slope")
    G, L, s = reals("G L s")
    smt([-G <= u, u <= G, -G <= v, v <= G], u - v <= 2 * G)  # the speed at which W and W^i part
    smt([L >= 0, s >= 0, 0 <= off, off <= 2 * G * s, slope <= L * off], slope <= 2 * L * G * s)
    L, G, tau, s = sympy.symbols("L G tau s", positive=True)
    identity((sympy.integrate(2 * G, (s, 0, tau)), 2 * G * tau))
    identity((sympy.integrate(2 * L * G * s, (s, 0, tau)), L * G * tau**2))


FLOWS = procedures(T=(1, 2, 5, 20, 100))
CONVEX = Hypothesis("a_i >= 0: L is the largest of them", lambda s: [that(s.a) >= s.a * 0])

STATEMENT = Statement(
    kind="upper bound",
    location="(16) and (17), section 3",
    says="After the time t eta the mean of the local gradient flows is within 2 sup_i |grad L^i| t eta of the total "
    "flow.",
    reading="The supremum is over the points that both flows visit: over all points it is infinite for quadratic "
    "losses.",
    domain=FLOWS,
    hypotheses=(RATES,),
    printed=claim_of(bound, prove=prove),
    steps=(
        Step(
            "sharper (ours): L G (t eta)^2", claim_of(sharper, prove=prove_sharper, domain=FLOWS, given=(RATES, CONVEX))
        ),
    ),
    note="One round only. 'So does the one for FL' (converge to the minimum) does not follow: DA.D3.",
)

"""DA (23): the global momentum of the decoupled system is the mean of momenta that clients keep."""

from theorems.fedda.common import BETA, RATES, agreement, numeric, setting
from theorems.fedda.lemmas import global_momentum, models_follow
from theorems.fedda.listing_fedda import average, decoupled
from theorems.vocabulary import *


def decode(cursor: Cursor, n: int, T: int, apart: bool, beta_top: int = 1, rate_span: int = 1) -> Instance:
    """Clients' momenta start anywhere with sum_i p_i m^i(0) = m(0) (``apart``: anywhere at all)."""
    s = setting(cursor, n, T, beta_top, rate_span=rate_span)
    starts = [1 - 2 * cursor.take() for _ in range(n)]
    if not apart:
        mean = sum(s.p[..., i] * starts[i] for i in range(n))
        starts = [v + s.m - mean for v in starts]
    s.starts = np.stack(starts, -1)
    return s


def sides(r: Any, slopes: Any = None) -> list[tuple[str, Any, Any]]:
    """Euler's scheme for (23), the mean of m^i, against Euler's scheme for (22); W follows."""
    momenta = [r.starts[..., i] for i in range(r.n)]
    y, W = [r.x] * r.n, r.x
    for _ in range(r.T):
        local = [g(w) for g, w in zip(r.grads, y, strict=True)]
        fed = local if slopes is None else slopes
        momenta = [r.beta * m + (1 - r.beta) * g for m, g in zip(momenta, fed, strict=True)]
        y = [w - r.eta * g for w, g in zip(y, local, strict=True)]
        W = W - r.eta * r.alpha * average(r.p, momenta)
    path = decoupled(r.grads, r.p, r.x, r.m, r, r.T)[-1]
    return [("m", average(r.p, momenta), path[1]), ("W", W, path[0])]


def derive(proof: Derivation, s: Instance) -> None:
    """The equation is linear in m, and both are driven by the same gradients: their mean obeys one step, T times."""
    r = numeric(s)
    each, one, _ = global_momentum(proof, r, [r.starts[..., i] for i in range(r.n)])
    models_follow(proof, r, [average(r.p, momenta) for momenta in each[1:]], one[1:])


def with_derivatives(s: Instance) -> list[Comparison]:
    r"""the same with nabla g^i for g^i

    \eta\dot m^i=-(1-\beta)m^i+(1-\beta)\nabla g^i(W^i)

    The display before (23) has nabla g^i, the derivative of the gradient: a_i here.
    """
    r = numeric(s)
    return [that(label, a) == b for label, a, b in sides(r, [s.a[..., i] for i in range(s.n)])]


def together(s: Instance) -> list[Comparison]:
    return [that(average(numeric(s).p, [s.starts[..., i] for i in range(s.n)])) == s.m]


SHORT = (1, 2, 3)


def domain(apart: bool, T: tuple[int, ...] = (*SHORT, 5, 10, 30), **more: int) -> Domain:
    return Domain(
        lambda cursor, **discrete: decode(cursor, **discrete, apart=apart, **more),
        grid(n=(1, 2, 3), T=T),
        "quadratic clients in d = 1, any weights and starting momenta" + (", any mean" if apart else " with mean m(0)"),
    )


STATEMENT = Statement(
    kind="equivalence",
    location="(22), (23) and the display between them, section 4",
    says="As the clients' paths do not depend on m, the decoupled system's momentum is exactly sum_i p_i m^i, where "
    "m^i is driven by g^i(W^i).",
    reading="sum_i p_i m^i(0) = m(0), as (28) starts it. 'The global momentum' is the m of (22): not centralized "
    "SGDM's, from which it deviates (DA.D2). Judged on Euler steps of any length: their limit is the system.",
    headline=True,
    domain=domain(apart=False),
    hypotheses=(
        Hypothesis("sum_i p_i m^i(0) = m(0)", together, domain(apart=True, T=SHORT)),
        replace(BETA, without=domain(apart=False, T=SHORT, beta_top=3)),
        replace(RATES, without=domain(apart=False, T=SHORT, rate_span=2)),
    ),
    printed=agreement(
        "the mean of the clients' momenta is the global momentum, and W follows it",
        r"m(\tau)=\sum_i\tfrac{N^i}{N}m^i(\tau),\ \eta\dot m^i=-(1-\beta)m^i+(1-\beta)g^i(W^i)",
        sides,
        derive=derive,
    ),
    steps=(
        Step(
            "beside the proof: the display before (23): m^i is driven by nabla g^i(W^i)",
            claim_of(with_derivatives),
            "g^i is the gradient already: g^i(W^i), as (23) has it",
        ),
    ),
    note="True for any losses and any beta, and after any number of rounds, since (28) restarts every m^i at m(E). "
    "With some clients absent it is the momentum of those who take part.",
)

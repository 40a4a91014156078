"""How far local and FedDA's momenta stray from SGDM's: exactly at the second step, and bounds for all steps."""

from theorems.fedda.common import below_one, numeric, symbolic, vanishes
from theorems.fedda.listing_fedda import average, decoupled, local_sgdm, sgdm
from theorems.vocabulary import *


def run(r: Any, T: int) -> tuple[Any, Any, Any]:
    """The momenta after T steps: FedDA's global one (alpha = 1), the mean of the local ones, SGDM's."""
    r = Instance(**{**vars(r), "alpha": 1})
    return tuple(path(r.grads, r.p, r.x, r.m, r, T)[-1][1] for path in (decoupled, local_sgdm, sgdm))


def second_step(r: Any, a: list[Any]) -> list[tuple[str, Any, Any]]:
    """Deviations at t = 2, where they start: (1 - beta) eta times weighted sums over the clients."""
    fedda, local, central = run(r, 2)
    g = [grad(r.x) for grad in r.grads]
    mean = average(r.p, g)
    spread = average(r.p, [k * (v - mean) for k, v in zip(a, g, strict=True)])
    pull = average(r.p, [k * (v - r.m) for k, v in zip(a, g, strict=True)])
    keep = 1 - r.beta
    return [
        ("local at t = 2", local - central, -keep * keep * r.eta * spread),
        ("FedDA at t = 2", fedda - central, -keep * r.eta * (keep * spread + r.beta * pull)),
        ("local with one client", sgdm(r.grads[:1], [1], r.x, r.m, r, 3)[-1][1], _local_alone(r)),
    ]


def _local_alone(r: Any) -> Any:
    return local_sgdm(r.grads[:1], [1], r.x, r.m, r, 3)[-1][1]


def bounded(s: Instance) -> list[Comparison]:
    """Every momentum is an average of m(0) and of gradients at the points visited: |difference| <= 2 max."""
    nb, r = s.nb, numeric(s)
    fedda, local, central = run(r, s.T)
    top, y = nb.abs(r.m), [r.x] * s.n
    for W, _ in sgdm(r.grads, r.p, r.x, r.m, r, s.T):
        top = nb.maximum(top, nb.abs(average(r.p, [g(W) for g in r.grads])))
    for g in r.grads:
        for W, _ in sgdm([g], [1], r.x, r.m, r, s.T):
            top = nb.maximum(top, nb.abs(g(W)))
    for _ in range(s.T):
        y = [w - r.eta * g(w) for w, g in zip(y, r.grads, strict=True)]
        for w, g in zip(y, r.grads, strict=True):
            top = nb.maximum(top, nb.abs(g(w)))
    return [
        that("local, bounded", nb.abs(local - central)) <= 2 * top,
        that("FedDA, bounded", nb.abs(fedda - central)) <= 2 * top,
    ]


def prove_start() -> Proof:
    for n in (1, 2, 3):
        r = symbolic(n, 2)
        a, c = sympy.symbols(f"a:{n}"), sympy.symbols(f"c:{n}")
        r.grads = [lambda w, i=i, a=a, c=c: a[i] * (w - c[i]) for i in range(n)]
        for label, left, right in second_step(r, list(a)):
            vanishes(left - right, f"{label}, n = {n}")
    beta, m, g, G, other = reals("beta m g G other")
    box = [0 <= beta, beta < 1, -G <= g, g <= G]
    smt([*box, -G <= m, m <= G], beta * m + (1 - beta) * g <= G)
    smt([*box, -G <= m, m <= G], beta * m + (1 - beta) * g >= -G)
    smt([-G <= m, m <= G, -G <= other, other <= G], m - other <= 2 * G)
    return Proof(
        "sympy identity and z3",
        "At t = 2 on quadratic clients, symbolically. Under Assumption 2 beta m + (1 - beta) g stays within "
        "max(|m(0)|, sup |g|) by induction on t, for local, global and centralized momentum alike, so that any two "
        "differ by at most twice that, for every t.",
        "the formulas at t = 2: n <= 3 quadratic clients; the bound: any losses, all t",
    )


def concave(cursor: Cursor, T: int) -> Instance:
    """One client with gradient -w, at w = 1 and m = 0: Assumption 2 fails."""
    one = cursor.u[..., 0] * 0 + 1
    beta, eta = (1 + 8 * below_one(cursor)) / 10, 1 - 9 * below_one(cursor) / 10
    fields = {"x": one, "m": one * 0, "alpha": one, "beta": beta, "eta": eta}
    return Instance(nb=cursor.nb, p=one[..., None], a=-one[..., None], c=0 * one[..., None], n=1, T=T, **fields)


def explodes(s: Instance) -> list[Comparison]:
    r = numeric(s)
    gaps = []
    for T in (s.T, 2 * s.T):
        fedda, _, central = run(r, T)
        gaps.append(s.nb.abs(fedda - central))
    return [that("grows by (1 + eta)^T", gaps[1]) >= (1 + s.eta) ** s.T * gaps[0]]


def prove_explosion() -> None:
    """z3: With u = (1 + eta)^t the local path, e = u - W and d = m - mbar: W > 0 >= m, so e <= u; kappa mbar >= -(1 -
    beta) u with kappa = 1 + eta - beta; hence (1 - beta) e >= kappa d stays true by induction, and d(t+1) = beta d + (1
    - beta) e >= (1 + eta) d. At t = 1 d = 0 and e = beta eta.

    u = (1 + eta)^t, e = u - W, d = m - mbar, b = mbar; kappa = 1 + eta - beta. Invariants for t >= 1.
    """
    beta, eta, u, e, d, b, m, W, kappa = reals("beta eta u e d b m W kappa")
    box = [0 <= beta, beta < 1, 0 < eta, eta <= 1, kappa == 1 + eta - beta, u > 0]
    next_d = beta * d + (1 - beta) * e
    smt([*box, kappa * b >= -(1 - beta) * u], kappa * (beta * b - (1 - beta) * u) >= -(1 - beta) * (1 + eta) * u)
    smt([*box, W > 0, m <= 0], both(beta * m - (1 - beta) * W <= 0, W - eta * (beta * m - (1 - beta) * W) > 0))
    lead = [0 <= d, kappa * d <= (1 - beta) * e]
    smt([*box, *lead], next_d >= (1 + eta) * d)
    # (1 - beta) e' >= kappa d' with e' = e + eta (u + b' + d'): what b' and d' are at worst, and what is left of it.
    smt([*box], kappa - (1 - beta) * eta == 1 - beta + beta * eta)
    smt([*box], kappa * u - (1 - beta) * (1 + eta) * u == beta * eta * u)
    smt([*box, *lead], kappa * next_d <= (1 - beta) * (1 + eta) * e)
    smt([*box, 0 <= e, e <= u], kappa * e + eta * beta * eta * u >= (1 - beta + beta * eta) * (1 + eta) * e)

"""(40) against (19) for clients with one curvature a (convex or concave), where R is constant; and exp(A t)."""

from theorems.fedda.common import vanishes
from theorems.vocabulary import *


def _decode(cursor: Cursor, t: int, convex: bool, zero: bool, top: int) -> Instance:
    """a = k (1 - x^2)/4 and L_g = k (y^2 - 1)/4 >= |a|, so that every root is rational: y >= x, 2 - x; x is in
    [1/4, 9/10] for convex clients and in [11/10, 3] for concave ones.

    R = k_r in gradients; the differences D = m^i - m and E = W^i - W start at 0 (``zero``) or anywhere.
    """
    nb = cursor.nb
    beta, eta, u, more, R, D, E = cursor.many(7)
    if not nb.exact:
        beta, eta, u = (np.clip(v, 0.0, 0.9) for v in (beta, eta, u))  # away from cancellation
    eta = top * (1 - eta)
    x = nb.number(Fraction(1, 4)) + nb.number(Fraction(13, 20)) * u if convex else 3 - nb.number(Fraction(19, 10)) * u
    y = nb.maximum(x, 2 - x) + more
    start = {"D": D * 0, "E": E * 0} if zero else {"D": 1 - 2 * D, "E": 1 - 2 * E}
    return Instance(nb=nb, beta=beta, eta=eta, x=x, y=y, R=1 - R, **start, t=t)


def pairs(zero: bool, top: int = 1, t: tuple[int, ...] = (1, 2, 5, 20)) -> Domain:
    return Domain(
        lambda cursor, t, convex: _decode(cursor, t, convex, zero, top),
        grid(t=t, convex=(True, False)),
        "clients of one curvature a = k (1 - x^2)/4, |a| <= L_g = k (y^2 - 1)/4, k = (1 - beta)/eta, R constant",
    )


def _modes(s: Instance, width: Scalar, source: Scalar) -> tuple[Any, Any]:
    """(E' , E) at t eta for E'' = -k E' + (curvature) E + source, E(0) = s.E, E'(0) = -D; roots (-1 -+ width) k/2."""
    k, tau = (1 - s.beta) / s.eta, s.t * s.eta
    low, high = -(1 + width) * k / 2, (width - 1) * k / 2
    down, up, gap = s.nb.exp(low * tau), s.nb.exp(high * tau), width * k
    first, second = (s.speed - low * s.place) / gap, (high * s.place - s.speed) / gap
    forced = source * ((up - 1) / high - (down - 1) / low) / gap
    return (first * high * up + second * low * down + source * (up - down) / gap, first * up + second * down + forced)


def deviation_at(s: Instance) -> tuple[Any, Any]:
    """(|m^i - m|, |W^i - W|) at t eta: D' = k (-D + a E + R), E' = -D, by exact solution."""
    k = (1 - s.beta) / s.eta
    slope, place = _modes(Instance(**vars(s), speed=-s.D, place=s.E), s.x, -(k * s.R))
    return s.nb.abs(slope), s.nb.abs(place)


def bound_at(s: Instance) -> tuple[Any, Any]:
    """exp(A t eta)(|D(0)|, |E(0)|) + (1 - beta) integral of exp(A (t eta - s)) (|R|/eta, 0), both entries."""
    k = (1 - s.beta) / s.eta
    start = Instance(**vars(s), speed=s.nb.abs(s.D), place=s.nb.abs(s.E))
    return _modes(start, s.y, k * s.nb.abs(s.R))


def lipschitz(s: Instance) -> Any:
    return (1 - s.beta) / s.eta * (s.y * s.y - 1) / 4


def prove_flow() -> None:
    """The formulas of ``_modes`` solve M' = -k M + k L Z + source, Z' = M with k L = k^2 (y^2 - 1)/4."""
    k, y, tau, f, g, b = sympy.symbols("k y tau f g b", positive=True)
    low, high = -(1 + y) * k / 2, (y - 1) * k / 2
    Z = f * sympy.exp(high * tau) + g * sympy.exp(low * tau)
    Z = Z + b * ((sympy.exp(high * tau) - 1) / high - (sympy.exp(low * tau) - 1) / low) / (y * k)
    M = Z.diff(tau)
    vanishes(sympy.simplify(M.diff(tau) + k * M - k * k * (y * y - 1) / 4 * Z - b), "the flow")


def prove_comparison() -> None:
    """A + k I has no negative entry, so exp(A t) has none: X' <= A X + b carries over to the solutions."""
    from theorems.engines.prove import reals, smt

    keep, eta, L, x1, x2, y1, y2 = reals("keep eta L x1 x2 y1 y2")
    box = [keep > 0, keep <= 1, eta > 0, L >= 0]
    smt(box, keep * L / eta >= 0)
    # (A + k I) X >= 0 for X >= 0: every term of the series of exp((A + k I) t) keeps the order.
    smt([*box, x1 <= y1, x2 <= y2], keep * L / eta * x2 <= keep * L / eta * y2)
    smt([*box, x1 <= y1, x2 <= y2], x1 + keep / eta * x2 <= y1 + keep / eta * y2)


PAIR = Hypothesis(
    "|a| <= L_g, 0 <= beta < 1, eta > 0",
    lambda s: [
        that("convex", 2 - s.x * s.x) <= s.y * s.y,
        that("concave", s.x * s.x) <= s.y * s.y,
        that("beta", s.beta) < s.beta * 0 + 1,
        that("not negative", s.beta) >= s.beta * 0,
        that("eta", s.eta) > s.beta * 0,
    ],
)

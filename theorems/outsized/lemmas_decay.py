"""Theorem 29's two schedules: the drift of x*_t, and the rates of convergence that follow from ``lemmas_schedules``."""

from surrogate import bounds
from theorems.bridges import below_both, geometric_sum, larger, lengths, powers, roots, smaller
from theorems.engines.terms import number
from theorems.outsized.c22 import derive_linear
from theorems.outsized.common import phis
from theorems.outsized.common_moments import excess, outer, resting, squares, trace
from theorems.outsized.lemmas import column, phi_per_eigenvalue
from theorems.outsized.lemmas_rounds import noise_sign
from theorems.outsized.lemmas_schedules import (
    Plan,
    a_round,
    convexity_at_cap,
    convexity_at_small,
    ln_two,
    moved_target,
    young,
)
from theorems.vocabulary import *

Rates = Callable[[Instance, int], bounds.Rates]


def slow_schedule(proof: Derivation, s: Instance, rates: Rates, times: Sequence[int]) -> None:
    """gamma_t = 1/(K L T), T = 9 kappa + t: the drift |d| is at most D' = sigma_c kappa/(2 T (T + 1)), free of K."""
    p, nb, plan = s.p, s.nb, Plan(s, 10, Fraction(1))
    kappa = _start(proof, s)
    b, D = 9 * kappa, (kappa * p.sigma_c) * (kappa * p.sigma_c) / 4
    N, first = plan.gradient + plan.scatter, squares(s.start)
    q, x = reals("q x")
    nu = nb.maximum(N, (b + 1) * first)
    proof.cross(larger, "nu", nb=nb, x=N, y=(b + 1) * first)
    proof.leaf("D >= 0", [], 0 <= x * x / 4, x=kappa * p.sigma_c)
    level = nu + D
    e, n, t, D_, E, z = reals("e nu T D E z")
    proof.leaf("nu + D >= N + D", [q <= n], q + D_ <= n + D_, q=N, nu=nu, D=D)
    m, S = s.start, outer(s.start)
    _slow_rate(proof, s, b, 1)
    for step in range(1, times[-1] + 1):
        T, gamma = b + step, rates(s, step).gamma
        if step == 1:
            proof.leaf("t = 1", [t * e <= n, D_ >= 0, t >= 4], e <= (n + D_) / t, T=T, e=first, nu=nu, D=D)
        if step in times:
            z_ = _slow_drift(proof, s, gamma * 0, gamma, gamma, 1 / T)
            proof.leaf("1 > 0", [], number(1) > 0)
            size = young(proof, s, m, S, resting(s, gamma) - p.minimizer, T * 0 + 1)
            proof.leaf(
                "to x*", [E <= 2 * x + 2 * z, x <= (n + D_) / t, z <= D_ / (t * t), D_ >= 0, t >= 4],
                E <= (2 * n + 4 * D_) / t, E=size, x=trace(S), z=z_, nu=nu, D=D, T=T,
            )  # fmt: skip
        if step == times[-1]:
            return
        convexity_at_small(proof, p, gamma, s.K, T)
        moments = a_round(proof, plan, T, gamma, m, S)
        after = rates(s, step + 1).gamma
        _slow_rate(proof, s, b, step + 1)
        _gap(proof, s, T)
        z_ = _slow_drift(proof, s, after, gamma, gamma - after, 1 / (T * (T + 1)))
        proof.leaf("|d|^2 <= D/(T^2 (T + 1))", [z <= D_ / (t * t * (t + 1) * (t + 1)), D_ >= 0, t >= 4],
                   z <= D_ / (t * t * (t + 1)), z=z_, D=D, T=T)  # fmt: skip
        m, S = moved_target(proof, plan, T, trace(S), moments, resting(s, gamma) - resting(s, after), [(level, D)])


def noise_at_cap(proof: Derivation, s: Instance, gamma: Any) -> None:
    """9 K/mu_1^2 <= 18/(mu^2 K), as gamma_1 <= ln 2/(K mu)."""
    p, nb, (n, u, x) = s.p, s.nb, reals("K mu x")
    kappa = _start(proof, s)
    _capped_rate(proof, s, 3 * kappa * kappa, 1)
    convexity_at_cap(proof, p, gamma, s.K)
    proof.leaf("9 K/mu_t^2", [9 * n * n <= 18 * x * x, x > 0, n >= 1, u > 0],
               9 * n / (u * x * (u * x)) <= 18 / (u * u * n),
               K=nb.number(s.K), mu=p.mu, x=nb.geometric(gamma * p.mu, s.K))  # fmt: skip


def printed_schedule(proof: Derivation, s: Instance, rates: Rates, times: Sequence[int]) -> None:
    """gamma_t = min{1/(L T), ln 2/(K mu)}, T = 3 kappa^2 + t: two bounds on |x*_t - x*_(t+1)|, and on |x*_t - x*|."""
    p, plan = s.p, Plan(s, 18, Fraction(3, 4))
    b, drifts, nu = _capped_start(proof, s, plan)
    levels = [(nu + plan.scatter + D, D) for D in drifts]
    m, S = s.start, outer(s.start)
    _capped_rate(proof, s, b, 1)
    for step in range(1, times[-1] + 1):
        T, gamma = b + step, rates(s, step).gamma
        if step in times:
            offset = _offset(proof, s, T, b, gamma, drifts[1])
            _to_minimizer(proof, plan, T, (m, S), resting(s, gamma) - p.minimizer, nu, drifts, offset)
        if step == times[-1]:
            return
        convexity_at_cap(proof, p, gamma, s.K)
        moments = a_round(proof, plan, T, gamma, m, S)
        if step == 1:
            _at_the_start(proof, plan, T, squares(s.start), nu, drifts)
        _capped_rate(proof, s, b, step + 1)
        after = rates(s, step + 1).gamma
        _capped_drift(proof, s, T, b, (after, gamma), drifts[1])
        m, S = moved_target(proof, plan, T, trace(S), moments, resting(s, gamma) - resting(s, after), levels)


def _capped_start(proof: Derivation, s: Instance, plan: Plan) -> tuple[Any, tuple[Any, Any], Any]:
    """b = 3 kappa^2; D = (K - 1) kappa^(3/2) sigma_c^2/4 and q kappa^2 sigma_c^2/4, both at least 0; nu >= N_G >= 0."""
    p, nb, kappa, first = s.p, s.nb, _start(proof, s), squares(s.start)
    b, m, spread, root = 3 * kappa * kappa, nb.number(s.K - 1), p.sigma_c * p.sigma_c, nb.sqrt(kappa)
    a, j, k, x, y = reals("a m kappa x y")
    proof.setting("K - 1 >= 0", s.K - 1, 0)
    proof.leaf("kappa >= 0", [k >= 1], 0 <= k, kappa=kappa)
    proof.cross(roots, "sqrt kappa", nb=nb, x=kappa)
    proof.leaf("sigma_c^2 >= 0", [], 0 <= x * x, x=p.sigma_c)
    here = {"a": spread, "m": m, "kappa": kappa, "x": root}
    proof.leaf("(K - 1) kappa^(3/2) sigma_c^2/4 >= 0", [a >= 0, j >= 0, k >= 0, x >= 0], 0 <= j * k * x * a / 4, **here)
    proof.leaf("q kappa^2 sigma_c^2/4 >= 0", [a >= 0, k >= 1], 0 <= j * j / (3 * k * k + 1) * k * k * a / 4, **here)
    nu = nb.maximum(plan.gradient, (b + 1) * first)
    proof.cross(larger, "nu", nb=nb, x=plan.gradient, y=(b + 1) * first)
    size = noise_sign(proof, s)
    proof.leaf("N_G >= 0", [x >= 0, k > 0, y >= 1], 0 <= 18 * x / (k * k * y * y), x=size, kappa=p.mu, y=nb.number(s.K))
    proof.leaf("nu >= 0", [0 <= x, x <= y], 0 <= y, x=plan.gradient, y=nu)
    return b, (m * kappa * root * spread / 4, m * m / (b + 1) * kappa * kappa * spread / 4), nu


def _at_the_start(proof: Derivation, plan: Plan, T: Any, first: Any, nu: Any, drifts: Sequence[Any]) -> None:
    """|x_1 - x*_1|^2 <= level/(b + 1) and level >= N + D for both levels nu + N_V + D."""
    s, p, (c, a, k, e, f, n, q, t, D_) = plan.s, plan.s.p, reals("c a kappa e N_V nu N_G T D")
    share = s.nb.number(excess(s)) / s.M
    proof.leaf("N_V >= 0", [c >= 0, a >= 0, k >= 1], 0 <= 9 * c * Fraction(8, 5) * k * k * a, c=share,
               a=p.sigma_c * p.sigma_c, kappa=p.L / p.mu)  # fmt: skip
    for D in drifts:
        here = {"e": first, "N_V": plan.scatter, "N_G": plan.gradient, "nu": nu, "T": T, "D": D}
        proof.leaf("t = 1", [t * e <= n, f >= 0, D_ >= 0, t >= 4], e <= (n + f + D_) / t, **here)
        proof.leaf("nu + N_V + D >= N + D", [q <= n], q + f + D_ <= n + f + D_, **here)


def _capped_rate(proof: Derivation, s: Instance, b: Any, step: int) -> None:
    """0 < gamma <= 1/(L T), ln 2/(K mu), so gamma L < 1; T >= 4 and 3 kappa/T <= 3/4."""
    p, nb, T = s.p, s.nb, b + step
    k, n, j, t, u, v, g, x = reals("kappa K t T mu L gamma ln")
    ln2 = ln_two(proof, nb, p.mu * 0)
    known = {"kappa": p.L / p.mu, "t": nb.number(step), "T": T, "K": nb.number(s.K), "mu": p.mu, "L": p.L, "ln": ln2}
    proof.setting("t >= 1", step, 1)
    proof.leaf("T >= b + 1", [j >= 1], 3 * k * k + j >= 3 * k * k + 1, **known)
    proof.leaf("T >= 4", [k >= 1, j >= 1], 3 * k * k + j >= 4, **known)
    proof.leaf("3 kappa/T <= R", [k >= 1, j >= 1], 3 * k / (3 * k * k + j) <= Fraction(3, 4), **known)
    proof.leaf("1/(L T) > 0", [v > 0, t >= 4], 0 < 1 / (v * t), **known)
    proof.leaf("ln 2/(K mu) > 0", [x >= Fraction(1, 2), n >= 1, u > 0], 0 < x / (n * u), **known)
    proof.cross(smaller, "gamma_t", nb=nb, x=1 / (p.L * T), y=ln2 / (s.K * p.mu))
    gamma = nb.minimum(1 / (p.L * T), ln2 / (s.K * p.mu))
    proof.leaf("gamma L < 1", [g <= 1 / (v * t), v > 0, t >= 4], g * v < 1, **known, gamma=gamma)


def _capped_drift(proof: Derivation, s: Instance, T: Any, b: Any, rates: tuple[Any, Any], D: Any) -> None:
    """|d|^2 <= D/(T^2 (T + 1)) for both D; ``rates`` are gamma_(t+1) and gamma_t.

    gamma_t - gamma_(t+1) <= 1/(L T (T + 1)), and kappa~_(t+1) <= (T + 1)/T kappa~_t as gamma phi_L grows with gamma.
    """
    p, nb, (low, high), cap = s.p, s.nb, rates, _cap(s)
    now, then = 1 / (p.L * T), 1 / (p.L * (T + 1))
    g, h, t, v, y, m, x, q, c = reals("gamma after T L y m x q c")
    here = {"gamma": high, "T": T, "L": p.L, "y": cap, "after": low}
    proof.leaf("gamma_t - 1/(L T (T + 1)) <= 1/(L (T + 1))", [g <= 1 / (v * t), v > 0, t >= 4],
               g - 1 / (v * t * (t + 1)) <= 1 / (v * (t + 1)), **here)  # fmt: skip
    proof.leaf("gamma_t - 1/(L T (T + 1)) <= ln 2/(K mu)", [g <= y, v > 0, t >= 4],
               g - 1 / (v * t * (t + 1)) <= y, **here)  # fmt: skip
    proof.leaf("T gamma_t/(T + 1) <= 1/(L (T + 1))", [g <= 1 / (v * t), v > 0, t >= 4],
               t * g / (t + 1) <= 1 / (v * (t + 1)), **here)  # fmt: skip
    proof.leaf("T gamma_t/(T + 1) <= ln 2/(K mu)", [g <= y, g > 0, t >= 4], t * g / (t + 1) <= y, **here)
    proof.leaf("1/(L (T + 1)) <= 1/(L T)", [h <= 1 / (v * (t + 1)), v > 0, t >= 4], h <= 1 / (v * t), **here)
    proof.cross(below_both, "gamma_(t+1) <= gamma_t", nb=nb, x=now, y=cap, z=low)
    for bound in (high - 1 / (p.L * T * (T + 1)), T * high / (T + 1)):
        proof.cross(below_both, "below gamma_(t+1)", nb=nb, x=then, y=cap, z=bound)
    proof.leaf("(K - 1) L (gamma_t - gamma_(t+1))", [g - 1 / (v * t * (t + 1)) <= h, m >= 0, v > 0, t >= 4],
               m * v * (g - h) <= m / (t * (t + 1)), **here, m=nb.number(s.K - 1))  # fmt: skip
    width = nb.number(s.K - 1) / (T * (T + 1))
    size, first = _linear(proof, s, low, high, high - low, width)
    second = _by_condition_numbers(proof, s, T, low, high, size)
    _squares(proof, size, first, second)
    proof.leaf("T + 1 >= b + 1", [x <= q * c / (t * t * (t + 1) * (t + 1)), q >= 0, t >= c, c >= 4],
               x <= q / (t * t * (t + 1)), x=size * size, q=D, T=T, c=b + 1)  # fmt: skip


def _squares(proof: Derivation, size: Any, first: Any, second: Any) -> None:
    """x <= y and x <= z give x^2 <= y z and x^2 <= y^2."""
    x, y, z = reals("x y z")
    proof.leaf("both bounds", [0 <= x, x <= y, x <= z], x * x <= y * z, x=size, y=first, z=second)
    proof.leaf("squares", [0 <= x, x <= y], x * x <= y * y, x=size, y=first)


def _cap(s: Instance) -> Any:
    """ln 2/(K mu)."""
    return s.nb.log(s.p.mu * 0 + 2) / (s.K * s.p.mu)


def _by_condition_numbers(proof: Derivation, s: Instance, T: Any, low: Any, high: Any, size: Any) -> Any:
    """|d| <= sigma_c sqrt(kappa)/(2 T) by OLR.T21b, as T phi_L(gamma_(t+1)) <= (T + 1) phi_L(gamma_t)."""
    p, nb, K = s.p, s.nb, s.K
    (m1, l1), (m2, l2) = phis(s, low), phis(s, high)
    for gamma in (low, high):
        proof.cross(geometric_sum, "gamma phi_L = 1 - (1 - gamma L)^K", ratio=1 - gamma * p.L, count=K)
    a, b, g, h, t, u, v, x, y, c = reals("a b gamma after T u v x y c")
    proof.leaf(
        "1 - gamma_t L <= 1 - gamma_(t+1) L", [h <= g, v > 0], 1 - g * v <= 1 - h * v, gamma=high, after=low, v=p.L
    )
    proof.leaf("1 - gamma_t L >= 0", [g * v < 1], 0 <= 1 - g * v, gamma=high, v=p.L)
    first, second = 1 - low * p.L, 1 - high * p.L
    proof.cross(powers, "(1 - gamma_t L)^K <= (1 - gamma_(t+1) L)^K", low=second, high=first, exponents=(K,))
    proof.leaf("gamma phi_L grows with gamma", [h * v == 1 - x, g * u == 1 - y, y <= x], h * v <= g * u,
               after=low, v=l1, x=first**K, gamma=high, u=l2, y=second**K)  # fmt: skip
    proof.leaf("phi_L(gamma_(t+1)) > 0", [u > 0, u <= x, x <= v], 0 < v, u=column(m1), x=p.filtered(low, s.theta),
               v=column(l1))  # fmt: skip
    proof.leaf("T phi_L(gamma_(t+1)) <= (T + 1) phi_L(gamma_t)",
               [h * v <= g * u, t * g / (t + 1) <= h, g > 0, v > 0, t >= 4], t * v <= (t + 1) * u,
               after=low, v=l1, gamma=high, u=l2, T=T)  # fmt: skip
    proof.leaf("kappa~_(t+1) - kappa~_t <= kappa~_t/T", [t * v <= (t + 1) * u, a <= b, a > 0, v > 0, t >= 4],
               v / b - u / a <= u / a / t, v=l1, u=l2, a=m2, b=m1, T=T)  # fmt: skip
    ratio, root, kappa = l2 / m2, nb.sqrt(l2 / m2), p.L / p.mu
    proof.leaf("over sqrt kappa~_t", [x <= y / t, a * a == y, a >= 1, t >= 4], x / a <= a / t,
               x=l1 / m1 - ratio, y=ratio,
               a=root, T=T)  # fmt: skip
    _below_kappa(proof, s, m2, l2)
    proof.leaf("sqrt kappa~_t <= sqrt kappa", [a * a == x, b * b == y, x <= y, b >= 0], a <= b,
               a=root, b=nb.sqrt(kappa), x=ratio, y=kappa)  # fmt: skip
    proof.leaf("|d| by condition numbers", [x <= c * y / 2, y <= a / t, a <= b, c >= 0, t >= 4],
               x <= c * b / (2 * t), x=size, c=p.sigma_c, y=(l1 / m1 - ratio) / root, a=root,
               b=nb.sqrt(kappa), T=T)  # fmt: skip
    return p.sigma_c * nb.sqrt(kappa) / (2 * T)


def _below_kappa(proof: Derivation, s: Instance, bottom: Any, top: Any) -> None:
    """phi_L/phi_mu <= L/mu."""
    a, b, u, v = reals("a b u v")
    proof.leaf(
        "phi_L/phi_mu <= L/mu", [b * u <= a * v, a > 0, u > 0], b / a <= v / u, a=bottom, b=top, u=s.p.mu, v=s.p.L
    )


def _offset(proof: Derivation, s: Instance, T: Any, b: Any, gamma: Any, D: Any) -> tuple[Any, Any]:
    """|x*_t - x*|^2 <= E/T for E = (K - 1) kappa (kappa - 1) sigma_c^2/4 and for E = D; left side and first E."""
    p, nb, m, kappa = s.p, s.nb, _steps(s), s.p.L / s.p.mu
    g, t, v, j, x, y, c, k, r, q = reals("gamma T L m x y c kappa r q")
    proof.leaf("(K - 1) L gamma_t <= (K - 1)/T", [g <= 1 / (v * t), j >= 0, v > 0, t >= 4], j * v * g <= j / t,
               gamma=gamma, T=T, L=p.L, m=m)  # fmt: skip
    proof.leaf("gamma_t >= 0", [g > 0], 0 <= g, gamma=gamma)
    size, first = _linear(proof, s, gamma * 0, gamma, gamma, m / T)
    (bottom, top), ratio = phis(s, gamma), phis(s, gamma)[1] / phis(s, gamma)[0]
    phi_per_eigenvalue(proof, gamma, s.K, p.mu, p.L)
    proof.leaf(
        "L_t/mu_t <= L/mu", [x <= y, c > 0, v > 0], v * x * c <= c * y * v, x=top / p.L, y=bottom / p.mu, c=p.mu, L=p.L
    )
    _below_kappa(proof, s, bottom, top)
    second = p.sigma_c * (kappa - 1) / 2
    proof.leaf("by condition numbers", [x <= c * ((k - q) / r) / 2, q <= k, q >= 1, r >= 1, c >= 0],
               x <= c * (k - 1) / 2, x=size, c=p.sigma_c, kappa=kappa, q=ratio, r=nb.sqrt(ratio))  # fmt: skip
    _squares(proof, size, first, second)
    proof.leaf("T >= b + 1", [x <= q * c / (t * t), q >= 0, t >= c, c >= 4], x <= q / t, x=size * size, q=D, T=T,
               c=b + 1)  # fmt: skip
    return size * size, m * kappa * (kappa - 1) * (p.sigma_c * p.sigma_c) / 4


def _to_minimizer(
    proof: Derivation,
    plan: Plan,
    T: Any,
    moments: tuple[Any, Any],
    off: Any,
    nu: Any,
    drifts: tuple[Any, Any],
    offset: tuple[Any, Any],
) -> None:
    """E|x_t - x*|^2 <= (2 nu + C sigma_c^2 kappa^2)/T: Young's inequality with w = 1 for both D, E, and with 1/18."""
    s, p, nb, (m, S), (z_, E) = plan.s, plan.s.p, plan.s.nb, moments, offset
    n, f, t, x, y, z, e, k, j, a, r = reals("nu N_V T x y z e kappa m a r")
    count, kappa, spread = _steps(s), p.L / p.mu, p.sigma_c * p.sigma_c
    here = {"nu": nu, "N_V": plan.scatter, "T": T, "x": trace(S), "z": z_}
    for w in (1, Fraction(1, 18)):
        proof.leaf(f"{w} > 0", [], number(w) > 0)
    each = young(proof, s, m, S, off, T * 0 + 1), young(proof, s, m, S, off, T * 0 + nb.number(Fraction(1, 18)))
    linear = Fraction(5, 8)
    weight, root = count * kappa * spread, nb.sqrt(kappa)
    proof.leaf("(sqrt kappa - 2)^2 >= 0", [], 0 <= x * x, x=root - 2)
    proof.leaf("kappa - 4 sqrt kappa + 4 >= 0", [0 <= k - 4 * r + 4], (4 * r + 4 * k - 4) / 8 <= linear * k,
               kappa=kappa, r=root)  # fmt: skip
    proof.leaf("(K - 1) kappa sigma_c^2 >= 0", [j >= 0, k >= 0, a >= 0], 0 <= j * k * a, m=count, kappa=kappa, a=spread)
    proof.leaf("5 (K - 1)/8", [x <= y, z >= 0], z * x <= z * y, x=(4 * root + 4 * kappa - 4) / 8, z=weight,
               y=nb.number(linear) * kappa)  # fmt: skip
    square = 4 * drifts[1]
    proof.leaf("q", [], 2 * (y / 4) + 2 * (y / 4) <= y, y=square)
    straight = nb.number(linear) * count * kappa * kappa * spread
    D, G, F = reals("D G E")
    for D_, E_, most in ((drifts[0], E, straight), (drifts[1], drifts[1], square)):
        proof.leaf("with w = 1", [e <= 2 * x + 2 * z, x <= (n + f + D) / t, z <= F / t, 2 * D + 2 * F <= G, t >= 4],
                   e <= (2 * n + 2 * f + G) / t, **here, e=each[0], D=D_, E=E_, G=most)  # fmt: skip
    proof.leaf(
        "with w = 1/18",
        [e <= Fraction(19, 18) * x + 19 * z, x <= (n + f + y / 4) / t, z <= y / 4 / t, n >= 0, y / 4 >= 0, t >= 4],
        e <= (2 * n + Fraction(19, 18) * f + Fraction(51, 10) * y) / t, **here, e=each[1], y=square,
    )  # fmt: skip
    sums_ = [2 * nu + 2 * plan.scatter + straight, 2 * nu + 2 * plan.scatter + square]
    last = 2 * nu + plan.scatter * nb.number(Fraction(19, 18)) + square * nb.number(Fraction(51, 10))
    proof.cross(below_both, "the smaller of both", nb=nb, x=sums_[0] / T, y=sums_[1] / T, z=each[0])
    proof.cross(below_both, "the least of the three", nb=nb, x=nb.minimum(*sums_) / T, y=last / T, z=each[0])


def _steps(s: Instance) -> Any:
    """K - 1."""
    return s.nb.number(s.K - 1)


def _start(proof: Derivation, s: Instance) -> Any:
    """0 < mu <= L, kappa >= 1, K >= 1; kappa."""
    p, (u, v, x) = s.p, reals("mu L x")
    proof.setting("K >= 1", s.K, 1)
    proof.leaf("mu <= L", [u <= x, x <= v], u <= v, mu=column(p.mu), x=p.lam, L=column(p.L))
    proof.leaf("L > 0", [0 < u, u <= v], 0 < v, mu=p.mu, L=p.L)
    proof.leaf("kappa >= 1", [0 < u, u <= v], v / u >= 1, mu=p.mu, L=p.L)
    return p.L / p.mu


def _slow_rate(proof: Derivation, s: Instance, b: Any, step: int) -> None:
    """T >= 10, 3 kappa/T <= 1, 0 <= gamma <= gamma L < 1 and K T gamma mu <= 1 of gamma = 1/(K L T)."""
    p, (k, n, j, t, u, v) = s.p, reals("kappa K t T mu L")
    proof.setting("t >= 1", step, 1)
    known = {"kappa": p.L / p.mu, "t": s.nb.number(step), "T": b + step}
    proof.leaf("T >= 10", [k >= 1, j >= 1], 9 * k + j >= 10, **known)
    proof.leaf("T >= 4", [t >= 10], t >= 4, **known)
    proof.leaf("3 kappa/T <= R", [k >= 1, j >= 1], 3 * k / (9 * k + j) <= 1, **known)
    here = {"K": s.nb.number(s.K), "T": b + step, "mu": p.mu, "L": p.L}
    rate, given = 1 / (n * v * t), [n >= 1, v > 0, t >= 10]
    proof.leaf("gamma >= 0", given, 0 <= rate, **here)
    proof.leaf("gamma L < 1", given, rate * v < 1, **here)
    proof.leaf("gamma mu <= 1", [*given, u > 0, u <= v], rate * u <= 1, **here)
    proof.leaf("gamma mu >= 0", [*given, u > 0], 0 <= rate * u, **here)
    proof.leaf("K T gamma mu <= 1", [*given, u > 0, u <= v], n * t * (rate * u) <= 1, **here)
    proof.leaf("(K - 1) L gamma <= 1/T", given, (n - 1) * v * rate <= 1 / t, **here)


def _gap(proof: Derivation, s: Instance, T: Any) -> None:
    """0 <= gamma_t - gamma_(t+1), and (K - 1) L times it is at most 1/(T (T + 1))."""
    n, t, v = reals("K T L")
    here, given = {"K": s.nb.number(s.K), "T": T, "L": s.p.L}, [n >= 1, v > 0, t >= 10]
    rate, after = 1 / (n * v * t), 1 / (n * v * (t + 1))
    proof.leaf("gamma_(t+1) <= gamma_t", given, after <= rate, **here)
    proof.leaf("(K - 1) L (gamma_t - gamma_(t+1))", given, (n - 1) * v * (rate - after) <= 1 / (t * (t + 1)), **here)


def _slow_drift(proof: Derivation, s: Instance, low: Any, high: Any, width: Any, most: Any) -> Any:
    """|d| <= sigma_c kappa/2 times ``most``, squared, as (K - 1) L ``width`` <= ``most``; |d|^2."""
    size, half = _linear(proof, s, low, high, width, most)
    a, b = reals("a b")
    proof.leaf("squares", [0 <= a, a <= b], a * a <= b * b, a=size, b=half)
    return size * size


def _linear(proof: Derivation, s: Instance, low: Any, high: Any, width: Any, most: Any) -> tuple[Any, Any]:
    """0 <= |d| <= sigma_c kappa/2 times ``most``, by Corollary 22 corrected, as (K - 1) L ``width`` <= ``most``."""
    p, nb = s.p, s.nb
    d = p.rest(p.filtered(low, s.theta)) - p.rest(p.filtered(high, s.theta))
    derive_linear(proof, Instance(nb=nb, p=p, K=s.K, theta=s.theta, gamma_1=low, gamma_2=high))
    c, u, v, x, y, w = reals("sigma_c mu L x y w")
    size = nb.length(d)
    proof.cross(lengths, "|d|", nb=nb, v=d)
    proof.leaf("Corollary 22", [x <= c * (v / u) * y / 2, y <= w, c >= 0, u > 0, v > 0], x <= c * (v / u) * w / 2,
               x=size, sigma_c=p.sigma_c, mu=p.mu, L=p.L, y=(s.K - 1) * p.L * width, w=most)  # fmt: skip
    return size, p.sigma_c * (p.L / p.mu) * most / 2

"""Lemmas on rates that decay, for Theorem 29: mu_t against K mu, one round's noise, rounds whose target moves."""

from dataclasses import dataclass

from theorems.bridges import (
    expected_squares,
    exponential,
    form,
    forms_grow,
    geometric_sum,
    logarithm,
    powers,
    sums,
)
from theorems.engines.terms import number
from theorems.outsized.common import phis
from theorems.outsized.common_moments import excess, largest_noise, law, resting, squares, trace
from theorems.outsized.lemmas import bernoulli, column, phi_bounds, phi_per_eigenvalue, powers_fall
from theorems.outsized.lemmas_clients import least_form
from theorems.outsized.lemmas_rounds import descent, noise_sign, scatter_sign
from theorems.vocabulary import *


def ln_two(proof: Derivation, nb: Any, zero: Any) -> Any:
    """1/2 <= ln 2 <= 7/10: ln(1/2) <= -1/2, and 2 <= q^64 for q = 1 + 179/16384, ln q <= 179/16384."""
    x, y = reals("x y")
    half, two, q = (zero + nb.number(Fraction(value)) for value in ("1/2", "2", "16563/16384"))
    for value in ("1/2", "2", "16563/16384"):
        proof.leaf(f"{value} > 0", [], number(Fraction(value)) > 0)
    proof.leaf("2 <= q^64", [], number(2) <= number(Fraction(16563, 16384)) ** 64)
    for name, low, high in (("ln 1/2", half, half), ("ln 2", two, q**64), ("ln q", q, q)):
        proof.cross(logarithm, name, nb=nb, x=low, y=high)
    proof.leaf("ln 2 >= 1/2", [x <= Fraction(-1, 2)], Fraction(1, 2) <= -x, x=nb.log(half))
    proof.leaf(
        "ln 2 <= 7/10", [x <= 64 * y, y <= Fraction(179, 16384)], x <= Fraction(7, 10), x=nb.log(two), y=nb.log(q)
    )
    return nb.log(two)


def convexity_at_cap(proof: Derivation, p: Population, gamma: Any, K: int) -> None:
    """0 <= gamma <= ln 2/(K mu): 9 K^2 <= 18 S^2, S = phi_mu/mu; S falls with gamma.

    At z = ln 2/K, z S = 1 - (1 - z)^K >= 1 - e^-ln 2 = 1/2.
    """
    n, u, g, x, S, T, P = reals("K mu gamma ln S T P")
    nb = p.nb
    ln2 = ln_two(proof, nb, p.mu * 0)
    count, z = nb.number(K), ln2 / K
    here = {"K": count, "mu": p.mu, "gamma": gamma, "ln": ln2}
    proof.leaf("gamma mu <= ln 2/K", [g <= x / (n * u), u > 0, n >= 1], g * u <= x / n, **here)
    proof.leaf("1 - ln 2/K <= 1 - gamma mu", [g * u <= x / n, n >= 1], 1 - x / n <= 1 - g * u, **here)
    proof.leaf("1 - ln 2/K >= 0", [x <= Fraction(7, 10), n >= 1], 0 <= 1 - x / n, **here)
    proof.leaf("-ln 2/K <= 0", [x >= Fraction(1, 2), n >= 1], -(x / n) <= 0 * x, **here)
    r, decay = 1 - z, nb.exp(-z)
    proof.cross(powers, "S falls with gamma, power by power", low=r, high=1 - gamma * p.mu, exponents=range(K))
    terms = [np.stack([base**k for k in range(K)], -1) for base in (r, 1 - gamma * p.mu)]
    proof.cross(sums, "S falls with gamma", low=terms[0], high=terms[1])
    proof.cross(exponential, "1 - z <= e^-z", nb=nb, x=-z, y=z * 0)
    proof.cross(powers, "(1 - ln 2/K)^K <= 1/2", low=r, high=decay, exponents=(K,))
    proof.cross(geometric_sum, "z S = 1 - (1 - z)^K", ratio=r, count=K)
    least, most = terms[0].sum(axis=-1), nb.geometric(gamma * p.mu, K)
    proof.leaf("z S >= 1/2", [x / n * S == 1 - P, P <= Fraction(1, 2), n >= 1], Fraction(1, 2) <= x / n * S,
               **here, S=least, P=r**K)  # fmt: skip
    proof.leaf("S >= 5 K/7", [Fraction(1, 2) <= x / n * S, x >= Fraction(1, 2), x <= Fraction(7, 10), n >= 1],
               5 * n <= 7 * S, **here, S=least)  # fmt: skip
    proof.leaf("9 K^2 <= A S^2", [5 * n <= 7 * S, S <= T, n >= 1], 9 * n * n <= 18 * T * T, K=count, S=least, T=most)
    proof.leaf("S > 0", [5 * n <= 7 * S, S <= T, n >= 1], 0 < T, K=count, S=least, T=most)


def convexity_at_small(proof: Derivation, p: Population, gamma: Any, K: int, T: Any) -> None:
    """K T gamma mu <= 1, T >= 10: 9 K^2 <= 10 S^2, S = phi_mu/mu, as (1 - z)^k >= 1 - k z."""
    n, x, S, t = reals("K z S T")
    nb, z = p.nb, gamma * p.mu
    proof.leaf("1 - z >= 0", [x <= 1], 0 <= 1 - x, z=z)
    bernoulli(proof, nb, z, K)
    here = {"K": nb.number(K), "z": z, "S": nb.geometric(z, K), "T": T}
    proof.leaf("S >= 0.95 K", [n - x * n * (n - 1) / 2 <= S, n * t * x <= 1, t >= 10, n >= 1, x >= 0],
               19 * n <= 20 * S, **here)  # fmt: skip
    proof.leaf("9 K^2 <= A S^2", [19 * n <= 20 * S, n >= 1], 9 * n * n <= 10 * S * S, **here)
    proof.leaf("S > 0", [19 * n <= 20 * S, n >= 1], 0 < S, **here)


@dataclass(frozen=True)
class Plan:
    """eta_t = 3/(mu_t T), T = b + t, where 9 K^2 <= A (phi_mu/mu)^2 and 3 kappa/T <= R <= 1."""

    s: Instance
    A: int
    R: Fraction

    @property
    def gradient(self) -> Any:
        """A G^2/(mu^2 K M B)."""
        s, u = self.s, self.s.p.mu
        most = largest_noise(s)
        return self.A * (s.K * most * most / s.B / s.M) / (u * u * s.K * s.K)

    @property
    def scatter(self) -> Any:
        """9 Y v kappa^2 sigma_c^2, Y = 2/(2 - R)."""
        s, k = self.s, self.s.p.L / self.s.p.mu
        share, Y = s.nb.number(excess(s)) / s.M, s.nb.number(2 / (2 - self.R))
        return 9 * share * Y * k * k * (s.p.sigma_c * s.p.sigma_c)


def a_round(proof: Derivation, plan: Plan, T: Any, gamma: Any, m: Any, S: Any) -> tuple[Any, Any]:
    """E|x_(t+1) - x*_t|^2 <= (1 - 3/T) E|x_t - x*_t|^2 + N/T^2, N = N_G + N_V; the moments of x_(t+1) - x*_t."""
    s, rest, bottom = plan.s, resting(plan.s, gamma), phis(plan.s, gamma)[0]
    eta = 3 / (bottom * T)
    g, t, x, E, f, q = reals("eta T x E f N")
    _rate(proof, plan, T, gamma, eta)
    after, F = descent(proof, s, gamma, rest, m, S, eta)
    V = _scatter_at_most(proof, plan, gamma, rest)
    _noise_at_most(proof, plan, T, gamma, V, eta)
    proof.leaf("a round", [E <= (1 - g) * x + f, g == 3 / t, f <= q / (t * t), t >= 4],
               E <= (1 - 3 / t) * x + q / (t * t),
               E=after, eta=eta * bottom, x=trace(S), f=eta * eta * F, T=T, N=plan.gradient + plan.scatter)  # fmt: skip
    return law(s, gamma, rest).advance(m, S, eta)


def _rate(proof: Derivation, plan: Plan, T: Any, gamma: Any, eta: Any) -> None:
    """0 <= eta, eta mu_t = 3/T, eta L_t <= R and eta L_t^2 <= 2 L_t - mu_t."""
    p, K = plan.s.p, plan.s.K
    bottom, top = phis(plan.s, gamma)
    phi_bounds(proof, p, gamma, K)
    powers_fall(proof, gamma, K, p.mu, p.L)
    phi_per_eigenvalue(proof, gamma, K, p.mu, p.L)
    a, b, g, k, t, u, v, x = reals("a b eta k T mu L x")
    values = p.filtered(gamma, plan.s.theta)
    proof.leaf("mu_t <= L_t", [u <= x, x <= v], u <= v, mu=column(bottom), L=column(top), x=values)
    proof.leaf("L_t > 0", [0 < u, u <= v], 0 < v, mu=bottom, L=top)
    proof.leaf("L_t/mu_t <= L/mu", [a <= b, u > 0, v > 0], v * a * u <= u * b * v, mu=p.mu, L=p.L, a=top / p.L,
               b=bottom / p.mu)  # fmt: skip
    proof.leaf("eta_t >= 0", [a > 0, t >= 4], 0 <= 3 / (a * t), a=bottom, T=T)
    proof.leaf("eta_t mu_t = 3/T", [a > 0, t >= 4], 3 / (a * t) * a == 3 / t, a=bottom, T=T)
    proof.leaf("eta_t L_t <= 3 kappa/T", [b * u <= a * v, a > 0, u > 0, t >= 4], 3 / (a * t) * b <= 3 * (v / u) / t,
               a=bottom, b=top, mu=p.mu, L=p.L, T=T)  # fmt: skip
    proof.leaf("eta_t L_t <= R", [x <= k, k <= plan.R], x <= plan.R, x=eta * top, k=3 * (p.L / p.mu) / T)
    proof.leaf("eta_t L_t^2 <= 2 L_t - mu_t", [g * v <= plan.R, u <= v, v > 0], g * v * v <= 2 * v - u, eta=eta,
               mu=bottom, L=top)  # fmt: skip


def _scatter_at_most(proof: Derivation, plan: Plan, gamma: Any, rest: Any) -> Any:
    """0 <= V <= L_t^2 sigma_c^2 <= (kappa mu_t)^2 sigma_c^2; V."""
    s, p = plan.s, plan.s.p
    bottom, top = phis(s, gamma)
    values, off = p.filtered(gamma, s.theta), p.c - rest[..., None, :]
    V, spread = scatter_sign(proof, s, gamma, rest), p.sigma_c * p.sigma_c
    a, b, q, u, v, x, y = reals("a b q mu L x y")
    least_form(proof, p, values, top)
    proof.leaf("phi^2 <= L_t phi", [x > 0, x <= v], x * x <= v * x, x=values, L=column(top))
    proof.cross(
        forms_grow, "V <= L_t sum w_i r_i^T A_i r_i", p=p, low=values * values, high=column(top) * values, v=off
    )
    proof.leaf("V <= L_t^2 sigma_c^2", [x <= v * y, y <= v * q, v > 0], x <= v * v * q, x=V,
               y=form(p, values, off, off),
               L=top, q=spread)  # fmt: skip
    proof.leaf("L_t^2 <= (kappa mu_t)^2", [b * u <= a * v, a > 0, u > 0, b > 0], b * b <= v / u * a * (v / u * a),
               a=bottom, b=top, mu=p.mu, L=p.L)  # fmt: skip
    proof.leaf("sigma_c^2 >= 0", [], 0 <= x * x, x=p.sigma_c)
    k = p.L / p.mu
    proof.leaf("V <= (kappa mu_t)^2 sigma_c^2", [x <= a * q, a <= b, q >= 0], x <= b * q, x=V, a=top * top, q=spread,
               b=k * bottom * (k * bottom))  # fmt: skip
    return V


def _noise_at_most(proof: Derivation, plan: Plan, T: Any, gamma: Any, V: Any, eta: Any) -> None:
    """eta_t^2 F <= (N_G + N_V)/T^2."""
    s, p, nb, (bottom, top) = plan.s, plan.s.p, plan.s.nb, phis(plan.s, gamma)
    a, b, c, k, m, q, r, t, w, x, y = reals("a b rho kappa m q r T w x y")
    Y, share, kappa, spread = 2 / (2 - plan.R), nb.number(excess(s)) / s.M, p.L / p.mu, p.sigma_c * p.sigma_c
    proof.leaf("2/(2 - eta_t L_t) <= 2/(2 - R)", [r <= plan.R], 2 / (2 - r) <= Y, r=eta * top)
    near = {"w": 2 / (2 - eta * top), "x": V, "y": kappa * bottom * (kappa * bottom) * spread}
    proof.leaf("2 V/(2 - eta_t L_t)", [w <= Y, 0 <= x, x <= y], w * x <= Y * y, **near)
    proof.leaf("times rho/M", [x <= y, c >= 0], c * x <= c * y, rho=share, x=near["w"] * V, y=nb.number(Y) * near["y"])
    proof.leaf("eta_t^2 rho V", [x <= c * Y * (k * m * (k * m)) * q, m > 0, t >= 4],
               3 / (m * t) * (3 / (m * t)) * x <= 9 * c * Y * k * k * q / (t * t),
               x=share * near["w"] * V, rho=share, kappa=kappa, m=bottom, q=spread, T=T)  # fmt: skip
    size, ratio, n = noise_sign(proof, s), nb.geometric(gamma * p.mu, s.K), reals("K")
    proof.leaf("9/S^2 <= A/K^2", [9 * n * n <= plan.A * x * x, x > 0, n >= 1], 9 / (x * x) <= plan.A / (n * n),
               x=ratio, K=nb.number(s.K))  # fmt: skip
    scale = size / (p.mu * p.mu * T * T)
    proof.leaf("K G^2/(M B mu^2 T^2) >= 0", [x >= 0, m > 0, t >= 4], 0 <= x / (m * m * t * t), x=size, m=p.mu, T=T)
    proof.leaf("eta_t^2 K G^2/(M B)", [a <= b, w >= 0], a * w <= b * w, a=9 / (ratio * ratio),
               b=nb.number(plan.A) / (nb.number(s.K) * s.K), w=scale)  # fmt: skip
    proof.leaf("eta_t^2 F", [a <= b, x <= y], a + x <= b + y, a=9 / (ratio * ratio) * scale, b=plan.gradient / (T * T),
               x=eta * eta * share * near["w"] * V, y=plan.scatter / (T * T))  # fmt: skip


def moved_target(
    proof: Derivation, plan: Plan, T: Any, before: Any, moments: tuple[Any, Any], d: Any, levels: list[tuple[Any, Any]]
) -> tuple[Any, Any]:
    """E|x_(t+1) - x*_(t+1)|^2 <= level/(T + 1) for each (level, D), d = x*_t - x*_(t+1); moments of x_(t+1) - x*_(t+1).

    Known: E|x_(t+1) - x*_t|^2 <= (1 - 3/T) E|x_t - x*_t|^2 + N/T^2, ``before`` = E|x_t - x*_t|^2 <= level/T, |d|^2 <=
    D/(T^2 (T + 1)), level >= N + D. By Young's inequality with w = (T + 2)/((T - 2)(T + 1)), 1 + w = T^2/((T - 2)(T +
    1)) and 1 + 1/w = T^2/(T + 2).
    """
    m, S = moments
    mixed = m[..., :, None] * d[..., None, :]
    after = m + d, S + mixed + np.swapaxes(mixed, -1, -2) + d[..., :, None] * d[..., None, :]
    e, f, h, t, w, x, y, z, D, E, N = reals("e f level T w x y z D E N")
    ratio = (T + 2) / ((T - 2) * (T + 1))
    W = (t + 2) / ((t - 2) * (t + 1))
    proof.leaf("w > 0", [t >= 4], 0 < W, T=T)
    proof.leaf("1 + w", [t >= 4], 1 + W == t * t / ((t - 2) * (t + 1)), T=T)
    proof.leaf("1 + 1/w", [t >= 4], 1 + 1 / W == t * t / (t + 2), T=T)
    size = young(proof, plan.s, m, S, d, ratio)
    kept, drift, gap = (1 + ratio) * trace(S), (1 + 1 / ratio) * squares(d), plan.gradient + plan.scatter
    for level, D_ in levels:
        here = {"T": T, "level": level, "D": D_, "N": gap, "w": 1 + ratio, "x": trace(S), "z": squares(d), "e": before}
        proof.leaf("before the target moves", [x <= (1 - 3 / t) * e + N / (t * t), e <= h / t, t >= 4],
                   x <= ((t - 3) * h + N) / (t * t), **here)  # fmt: skip
        proof.leaf("(1 + w) E|x_(t+1) - x*_t|^2", [x <= f / (t * t), w == t * t / ((t - 2) * (t + 1)), t >= 4],
                   w * x <= f / ((t - 2) * (t + 1)), **here, f=(T - 3) * level + gap)  # fmt: skip
        proof.leaf("(1 + 1/w) |d|^2", [z <= D / (t * t * (t + 1)), w == t * t / (t + 2), t >= 4],
                   w * z <= D / ((t + 2) * (t + 1)), **{**here, "w": 1 + 1 / ratio})  # fmt: skip
        proof.leaf("N and D", [h >= N + D, D >= 0, t >= 4], ((t - 3) * h + N) / (t - 2) + D / (t + 2) <= h, **here)
        proof.leaf(
            "after the target moves",
            [E <= x + y, x <= f / ((t - 2) * (t + 1)), y <= D / ((t + 2) * (t + 1)), f / (t - 2) + D / (t + 2) <= h,
             t >= 4], E <= h / (t + 1),
            T=T, level=level, D=D_, E=size, x=kept, y=drift, f=(T - 3) * level + gap,
        )  # fmt: skip
    return after


def young(proof: Derivation, s: Instance, m: Any, S: Any, d: Any, w: Any) -> Any:
    """E|e + d|^2 <= (1 + w) E|e|^2 + (1 + 1/w) |d|^2, where w > 0; the left side."""
    a, x, y, z = reals("w x y z")
    eye = np.eye(s.p.d, dtype=int) * w[..., None, None]
    proof.cross(expected_squares, "E|w e - d|^2 >= 0", m=m, S=S, T=eye, u=-d)
    size, cross = trace(S), (d * m).sum(axis=-1)
    proof.leaf("Young's inequality", [a * a * x - 2 * a * y + z >= 0, a > 0],
               x + 2 * y + z <= (1 + a) * x + (1 + 1 / a) * z, w=w, x=size, y=cross, z=squares(d))  # fmt: skip
    return size + 2 * cross + squares(d)

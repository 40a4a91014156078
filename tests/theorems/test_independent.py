"""Headline refutations, recomputed from the papers' own algorithms in plain fractions.

Nothing of ``theorems`` is imported: only the recorded instances are read. Paths are enumerated or iterated as the
listings say, every hypothesis is asserted, and each test ends where the printed relation fails. Where an instance
could be called a corner of its theorem, a second one is added that is not.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction as F
from itertools import product
from math import isqrt

from tests.helpers.theorems.recorded import listed, recorded, recorded_step


def inner_loop(lam: F, c: F, x: F, gamma: F, K: int) -> F:
    """OLR Algorithm 2 without gradient noise, Theta = (1, ..., 1)."""
    total = F(0)
    for _ in range(K):
        g = lam * (x - c)
        x, total = x - gamma * g, total + g
    return total


def surrogate_rest(lam: list[F], c: list[F], w: list[F], gamma: F, K: int) -> F:
    """Where the mean answer, which is affine in x, vanishes."""
    at = [sum(v * inner_loop(a, y, F(x), gamma, K) for v, a, y in zip(w, lam, c, strict=True)) for x in (0, 1)]
    return -at[0] / (at[1] - at[0])


def outsized(name: str) -> tuple[dict[str, F], list[F], list[F], list[F]]:
    r = recorded(f"outsized/{name}")
    lam, c, w = listed(r, "p.lam[{}][0]"), listed(r, "p.c[{}][0]"), listed(r, "p.w[{}]")
    assert sum(w) == 1 and min(lam) > 0
    return r, lam, c, w


def spread(c: list[F], w: list[F]) -> F:
    """sigma_c^2 of Assumption 3, around the mean of the c_i."""
    mean = sum(v * y for v, y in zip(w, c, strict=True))
    return sum(v * (y - mean) ** 2 for v, y in zip(w, c, strict=True))


def test_olr_c22():
    r, lam, c, w = outsized("c22")
    K, mu, L = int(r["K"]), min(lam), max(lam)
    assert 0 <= r["gamma_1"] <= r["gamma_2"] < 1 / L
    for gamma_1 in (r["gamma_1"], r["gamma_2"] / 1000):  # the second with both rates positive
        moved = surrogate_rest(lam, c, w, r["gamma_2"], K) - surrogate_rest(lam, c, w, gamma_1, K)
        assert moved**2 > (2 * L**3 / mu**2 * (r["gamma_2"] - gamma_1)) ** 2 * spread(c, w)


def draws(lam: list[F], c: list[F], w: list[F], x: F, gamma: F, K: int, M: int) -> list[tuple[F, F]]:
    """(probability, q) for M clients drawn independently, G = 0."""
    answers = [(v, inner_loop(a, y, x, gamma, K)) for v, a, y in zip(w, lam, c, strict=True)]
    found = []
    for drawn in product(answers, repeat=M):
        chance = F(1)
        for v, _ in drawn:
            chance *= v
        found.append((chance, sum(q for _, q in drawn) / M))
    return found


def test_olr_l23():
    r, lam, c, w = outsized("l23")
    assert listed(r, "noise[{}][0]") == [0, 0]  # Assumption 4 with G = 0
    for gamma in (r["gamma"], F(1, 2)):
        outcomes = draws(lam, c, w, r["x[0]"], gamma, int(r["K"]), int(r["M"]))
        mean = sum(p * q for p, q in outcomes)
        assert sum(p * (q - mean) ** 2 for p, q in outcomes) > 0


def squares(r, lam, c, w, eta: Callable[[int], F], rounds: int, gamma: F) -> list[F]:
    """E|x_t - x*_gamma|^2 from x_1 = x*_gamma, for t = 1..rounds + 1: all paths."""
    K, M = int(r["K"]), int(r["M"])
    rest = surrogate_rest(lam, c, w, gamma, K)
    paths, found = [(F(1), rest)], [F(0)]
    for t in range(1, rounds + 1):
        paths = [(p * v, x - eta(t) * q) for p, x in paths for v, q in draws(lam, c, w, x, gamma, K, M)]
        found.append(sum(p * (x - rest) ** 2 for p, x in paths))
    return found


def one_curvature(r, lam: list[F]) -> None:
    """K = 1: mu_gamma = mu and L_gamma = L for every gamma; G = 0; x_1 = x*_gamma."""
    assert r["K"] == 1 and r["mu"] == min(lam) and r["L"] == max(lam) and r["start[0]"] == 0
    assert listed(r, "noise[{}][0]") == [0, 0]


def test_olr_l25_and_t26():
    for name, rounds in (("l25", 1), ("t26", 4)):
        r, lam, c, w = outsized(name)
        one_curvature(r, lam)
        assert 0 < r["eta"] <= r["mu"] / r["L"] ** 2
        for gamma in (r["gamma"], F(1, 2)):
            assert 0 <= gamma < 1 / max(lam)
            for eta in (r["eta"], r["eta"] / 10):
                assert squares(r, lam, c, w, lambda t, eta=eta: eta, rounds, gamma)[-1] > 0  # the bound is 0


def test_olr_t27():
    r, lam, c, w = outsized("t27")
    one_curvature(r, lam)
    assert r["b"] >= 2 * r["L"] ** 2 / r["mu"] ** 2
    for gamma in (r["gamma"], F(1, 2)):
        found = squares(r, lam, c, w, lambda t: 2 / r["mu"] / (r["b"] + t), 5, gamma)
        assert found[5] == F(5, 98) and all(value > 0 for value in found[1:])  # nu = 0


def test_olr_t29():
    """x_1 = x*_1, gamma_s = ln 2/(K mu) for s <= t, one client a round: E x_t = x*_1 (E q = grad f~), and Jensen."""
    r, lam, c, w = outsized("t29")
    mu, L = min(lam), max(lam)
    assert (lam, c, w, r["M"]) == ([1, F(1, 2)], [0, 1], [F(1, 2), F(1, 2)], 1)
    ln2 = F(693147, 10**6), F(693148, 10**6)
    b = 3 * (L / mu) ** 2
    true = lam[1] / (lam[0] + lam[1])
    for K, t, scale in ((int(r["K"]), int(r["t"]), mu), (15_000, 15_000, L)):  # as printed; and ln 2/(K L)
        assert ln2[1] / (K * scale) <= 1 / (L * (b + t))  # so the minimum is its second term at all s <= t
        low, high = ((1 - (1 - rate / (K * scale) * a) ** K) for rate, a in ((ln2[0], lam[1]), (ln2[1], lam[0])))
        rest = low / (low + high)  # c = (0, 1): at most x*_1, as either end is on its safe side
        bound = 16 * spread(c, w) * (L / mu) ** 2 / (b + t)  # nu = 0: G = 0 and x_1 = x*_1
        assert rest > true and (rest - true) ** 2 > bound  # E|x_t - x*|^2 >= |E x_t - x*|^2
    slopes, rest, eta = [F(1, 3), F(1, 7)], F(3, 10), F(1, 2)  # any slopes and rest: three rounds, all paths
    x = [rest]
    for _ in range(3):
        x = [y - eta * (a * (y - z)) for y in x for a, z in zip(slopes, (F(0), rest * F(10, 3)), strict=True)]
    assert sum(x) / len(x) == rest


def test_da_e35():
    """(34), (35) on the recorded clients: the next round's m(E+1) is not the momentum that Adam has after G."""
    r = recorded("fedda/e35")
    a, c, p = (listed(r, pattern) for pattern in ("a[{}]", "c[{}]", "p[{}]"))
    beta, ends = r["beta"], []
    for k, y in zip(a, c, strict=True):
        w, m, P = r["x"], r["m"], F(0)
        for _ in range(int(r["T"])):
            g = k * (w - y)
            w, m = w - r["eta"] * g, beta * m + (1 - beta) * g
            P += m
        ends.append((P, m))
    P, m = (sum(q * end[k] for q, end in zip(p, ends, strict=True)) for k in (0, 1))
    G = (P - beta * r["m"]) / (1 - beta)
    assert r["T"] >= 2 and 0 <= beta < 1
    assert beta * r["m"] + (1 - beta) * G == P != m


def test_da_d2():
    """(18), (21) and (22) by Euler's scheme on the two recorded clients, against each of them."""
    r = recorded_step("fedda/d2", "beside the proof: 'much slower")
    a, c, p = (listed(r, pattern) for pattern in ("a[{}]", "c[{}]", "p[{}]"))
    beta, eta = r["beta"], r["eta"]
    assert len(set(a)) == 2 and 0 < eta < beta < 1
    W, m = r["x"], r["m"]
    local, far, momentum = [(W, m) for _ in a], [W for _ in a], m
    for _ in range(int(r["T"])):
        m = beta * m + (1 - beta) * sum(q * k * (W - y) for q, k, y in zip(p, a, c, strict=True))
        W -= eta * m
        steps = []
        for (w, v), k, y in zip(local, a, c, strict=True):
            v = beta * v + (1 - beta) * k * (w - y)
            steps.append((w - eta * v, v))
        local = steps
        slopes = [k * (w - y) for w, k, y in zip(far, a, c, strict=True)]
        momentum = beta * momentum + (1 - beta) * sum(q * g for q, g in zip(p, slopes, strict=True))
        far = [w - eta * g for w, g in zip(far, slopes, strict=True)]
    mean = sum(q * v for q, (_, v) in zip(p, local, strict=True))
    assert abs(momentum - m) > 2 * max(abs(v - m) for _, v in local) >= 2 * abs(mean - m)


def average_square(pull: F, b: F, T: int) -> F:
    """At most (1/T) sum_{t<T} E x_t^2 for x+ = (1 - pull) x -+ pull b from 0: its sum with rho^T left out."""
    left = pull * (2 - pull)
    return (pull * b) ** 2 / left * (1 - 1 / (T * left))


def test_the_closed_form_is_what_all_draws_give():
    pull, b = F(1, 3), F(1, 2)
    left = pull * (2 - pull)
    for T in (1, 3, 6):
        total, xs = F(0), [F(0)]
        for _ in range(T):
            total += sum(x * x for x in xs) / len(xs)
            xs = [(1 - pull) * x + sign * pull * b for x in xs for sign in (1, -1)]
        exact = (pull * b) ** 2 / left * (1 - (1 - (1 - left) ** T) / (T * left))
        assert total / T == exact > average_square(pull, b, T) and max(map(abs, xs)) <= b


def response(beta1: F, eta_l: F, K: int) -> F:
    """(x - y_K)/(K eta_l) of a client with F' = 1 at x, from m = 0; rounded at 2^-80, and 2^-60 taken off."""
    unit = 2**80
    y, m, path = F(1), F(0), F(0)
    for _ in range(K):
        m = F(int((beta1 * m + (1 - beta1) * y) * unit), unit)
        y = F(int((y - eta_l * m) * unit), unit)
        path += m
    return path / K - F(1, 2**60)


def theorem_35(beta1: F, r: F, eta_l: F, b: F, K: int, T: int, mu: F, sigma_u2: F) -> F:
    """(7) with S = 1, m = 2, alpha = L = d = G_g = eps_v = 1, sigma_l = 0, F(z_0) = f_*; hypotheses first."""
    assert 0 < beta1 < 1 and r <= F(1, 4) and r <= beta1 * (1 + mu) / 32 and 8 * (1 - beta1) * K * eta_l**2 <= 1
    C = (1 - beta1 / ((1 - beta1) * K)) / 2
    assert C > 0
    a = F(1, K - 1)  # the largest that makes 1 + 1/a >= K
    C3 = 24 * (1 - beta1) * K * (1 + a) * (1 + 1 / a) / (1 + a - beta1)
    return (r / (C * T)) + 1 / (2 * C * T) + eta_l**2 * C3 * (b**2 + sigma_u2) / C


def test_lada_t35():
    """F_i' = clip(x, -1/2, 1/2) +- b: |F_i'| <= 1 = G_g, so v^ = 1 for ever; sigma_u^2 = d G_g^2, mu as good as 0."""
    r = recorded("fedlada/t35")
    beta1, rate, eta_l, b, T = r["beta1"], r["r"], r["eta_l"], r["b"], int(r["T"])
    assert (r["m"], r["S"], r["K"], r["nu"]) == (2, 1, 5, 0)
    for K in (5, 6):  # line 6 of the listing leaves out a step
        assert b + K * eta_l <= F(1, 2)  # local steps stay inside the clip
        left = average_square(rate * response(beta1, eta_l, K), b, T)
        assert left > theorem_35(beta1, rate, eta_l, b, K, T, F(0), F(1))


def test_lada_c36():
    """The error over the rate passes the recorded constant, and 10 and 100 at K = 1024 and 4096, step by step."""
    r = recorded("fedlada/c36")
    C, K, T = int(r["C"]), int(r["K"]), int(r["T"])
    root, root_T = isqrt(K), isqrt(T)
    assert (r["m"], r["S"], r["nu"], root**2, root_T**2) == (2, 1, 0, K, T)
    assert 0 < r["r"] <= F(root, root_T) and 0 < r["eta_l"] <= F(1, root * root_T)  # c sqrt(SK/T), c'/sqrt(KT)
    long = 10**9
    for root_K, rounds, constant, settings in (
        (root, root_T, C, (r["r"], r["eta_l"], r["b"])),
        (32, long, 10, (F(32, long), F(1, 32 * long), F(1, 4))),
        (64, long, 100, (F(64, long), F(1, 64 * long), F(1, 2) - F(1, 100))),
    ):
        K, T, (rate, eta_l, b) = root_K**2, rounds**2, settings
        assert b + K * eta_l <= F(1, 2)  # local steps stay inside the clip
        theorem_35(r["beta1"], rate, eta_l, b, K, T, F(0), F(1))  # its hypotheses
        left = average_square(rate * response(r["beta1"], eta_l, K), b, T)
        assert left > constant * (F(1, root_K * rounds) + F(1, K * T) + F(1, T) + F(1, T * rounds))
        # Even the appendix's line before the last, which keeps S and K in its terms of order 1/T, is passed
        kept = F(2, root_K * rounds) + F(3, K * T) + F(1, T) + F(root_K, T * rounds)
        assert left > min(constant, 10) * (kept + (2 + 2 * K) * (F(1, K * T) + F(K, T)))


def unit(x: F) -> F:
    return x / abs(x)


def test_lamb_l1():
    """One layer of one coordinate, T = 1, phi = 1: lines 9 to 12 from v^ = v0, for clients with gradients -+M."""
    r = recorded("fedlamb/l1")
    g = [r["g[0][0][0]"], r["g[1][0][0]"]]
    beta2, v0, M = r["beta2"], r["root_0"] ** 2, r["M"]
    assert r["T"] == r["p"] == 1 and 0 < beta2 < 1 and v0 > 0 and max(map(abs, g)) <= M
    assert sum((1 - beta2) * x * x / (1 - beta2) for x in g) / 2 == v0  # from v = 0 the listing finds this v^ itself
    moved = [-r["alpha"] * r["phi"] * unit(x / r["root_0"]) for x in g]
    gap = (sum(moved) / 2 - moved[0]) ** 2
    assert gap > r["alpha"] ** 2 * M**2 * r["phi"] ** 2 * (1 - beta2) / v0


def root_above(x: F) -> F:
    """A rational that is at least sqrt(x)."""
    y = F(int(float(x) ** 0.5 * 10**9) + 2, 10**9)
    assert y * y >= x
    return y


def stays_uphill(step: F, delta: F, beta1: F, rounds: int) -> F:
    """E f'(x)^2 / s^2 after each round, the least: xi f'(x) with xi = -1 (2/3) or 5 (1/3), f' = s clip(x/delta, -1, 1).

    One client, T = 1, lines 6 to 16 with the momentum of line 9 carried on; every outcome.
    """
    paths = [(F(1), delta + 2 * step, F(0))]
    least = F(1)
    for _ in range(rounds):
        after = []
        for chance, x, m in paths:
            slope = max(F(-1), min(F(1), x / delta))
            for odds, xi in ((F(2, 3), -1), (F(1, 3), 5)):
                now = beta1 * m + (1 - beta1) * xi * slope
                after.append((chance * odds, x - step * unit(now / (1 - beta1)), now))
        paths = after
        least = min(least, sum(chance * max(F(-1), min(F(1), x / delta)) ** 2 for chance, x, _ in paths))
    return least


def test_lamb_t1():
    """One client with unbiased noise: half of |f'|^2 stays (Ville; enumerated for 10 rounds), and (3) is smaller."""
    r = recorded("fedlamb/t1")
    s, delta, alpha, phi, sigma, M, R = (r[key] for key in ("s", "delta", "alpha", "phi", "sigma", "M", "R"))
    beta1, beta2, v0 = r["beta1"], r["beta2"], r["sqrt_v0"] ** 2
    assert (r["n"], r["h"], r["T"]) == (1, 1, 1) and r["L"] == s / delta
    assert -F(2, 3) + F(5, 3) == 1 and 5 * s <= M  # H2: E xi = 1
    assert (F(2, 3) * 4 + F(1, 3) * 16) * s**2 < sigma**2  # H3
    assert 0 < beta1 <= F(1, 10) and 0 < beta2 < 1 and v0 >= (5 * s) ** 2
    for step in (alpha * phi, delta * F(2, 5), delta * F(7, 3)):
        assert stays_uphill(step, delta, beta1, 10) >= F(1, 2)
    left, b = s**2 / (2 * r["sqrt_v0"]), beta1 / (1 - beta1)
    fall = s * delta / 2 + s * 3 * alpha * phi  # from delta + 2 steps, and one more in the first round
    bound = M * fall / (alpha * R)
    bound += 4 * alpha * (phi**2 * root_above(M**2 + sigma**2) + M**2 / r["sqrt_v0"] + phi * sigma**2)
    bound += phi * sigma**2 / R * root_above((1 - beta2) / M**2)
    bound += r["L"] * alpha**2 * M**2 * phi**2 * (1 - beta2) / v0
    bound += alpha * b * root_above(1 - beta2) * M**2 / r["sqrt_v0"]
    bound += r["L"] * b**2 * (1 - beta2) * M**2 * phi**2 / (2 * v0)
    bound += 2 * alpha**3 * r["L"] * phi**2 * b**2 / r["sqrt_v0"]
    assert left > bound

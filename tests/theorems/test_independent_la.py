"""LA's headline refutations and its listing, recomputed in plain fractions: see test_independent."""

from __future__ import annotations

from fractions import Fraction as F
from itertools import combinations

from tests.helpers.theorems.recorded import listed, recorded


def test_la_t1():
    """One client A(x) = x~ + s (x - x~) + noise; each schedule in [0, 1], and then the best last rate."""
    r = recorded("local_adaptivity/t1")
    s, T, N = r["slope[0]"], int(r["T"]), r["noise"]
    assert 0 < s**2 < 1 and r["w[0]"] == 1
    start = r["bias"] / s ** (2 * T - 2)  # ||x(0) - x~||^2
    h = s * s
    bound = r["c"] * (h**T * start / (1 - h) + N / (T * (1 - h) ** 2))

    def after(alpha: F, e2: F) -> F:
        return (1 - alpha * (1 - s)) ** 2 * e2 + alpha**2 * N

    e2 = start
    for _ in range(T - 1):
        e2 *= s**2  # no noise and alpha = 1: no schedule in [0, 1] has a smaller E e^2
    best = (1 - s) * e2 / ((1 - s) ** 2 * e2 + N)
    assert 0 < best < 1 and after(best, e2) < min(after(F(k, 100), e2) for k in range(101)) * F(1001, 1000)
    assert after(best, e2) > bound


def la_rest(H, tau, P, eta, x, w) -> tuple[F, F]:
    """(x~, x*) of preconditioned GD: the averaged map is affine."""

    def after(y: F) -> F:
        total = F(0)
        for h, t, p, e, low, v in zip(H, tau, P, eta, x, w, strict=True):
            z = y
            for _ in range(t):
                z -= e * p * h * (z - low)
            total += v * z
        return total

    slope, at0 = after(F(1)) - after(F(0)), after(F(0))
    weight = [v * h for v, h in zip(w, H, strict=True)]
    return at0 / (1 - slope), sum(a * y for a, y in zip(weight, x, strict=True)) / sum(weight)


def test_la_t2():
    """Only the client that rests at x* has a P, a rate and a number of steps of its own; also at a small eta."""
    r = recorded("local_adaptivity/t2")
    H, P, eta, x, w = (listed(r, key) for key in ("p.lam[{}][0]", "P[{}][0]", "eta[{}]", "p.c[{}][0]", "p.w[{}]"))
    assert x == [-1, 1, 0] and P[2] != P[0] and eta[2] != eta[0] and w == [F(1, 4), F(1, 4), F(1, 2)]
    for scale in (F(1), F(1, 10**6)):
        rest, true = la_rest(H, (1, 1, 2), P, [scale * e for e in eta], x, w)
        assert rest == true == 0
    # Different rates and steps of two clients, at one eta
    half = [F(1, 2)] * 2
    rest, true = la_rest([F(1)] * 2, (1, 2), [F(1)] * 2, [F(3, 4), F(1, 2)], [F(0), F(1)], half)
    assert rest == true


def test_la_a1():
    """Lines 4 to 11 as printed, Adam with beta2 = 0 (P = 1/|g|), against sum_k B^(k) from the expanded update."""
    r = recorded("local_adaptivity/a1")
    beta, eta, x, tau = r["beta1"], r["eta"], r["x[0]"], int(r["tau"])
    assert 0 < beta < 1 and r["beta2"] == 0
    momentum, M, N, B = F(0), F(0), F(0), [F(0)] * tau
    y, grads = x, []
    for k in range(tau):
        grads.append(r["p.lam[0][0]"] * y)
        P = 1 / abs(grads[k])
        momentum = beta * momentum + (1 - beta) * grads[k]
        y -= eta * P * momentum
        M = beta * M + (1 - beta) * P
        N += M
        for j in range(k + 1):
            B[j] += (1 - beta) * beta ** (k - j) * P
    assert x - y == eta * sum(b * g for b, g in zip(B, grads, strict=True))  # B is what section 5 calls B
    assert N != sum(B)


def test_la_a2c():
    """Lines 12 to 16, all samples: the expected pseudo-gradient at the point where local correction rests."""
    r = recorded("local_adaptivity/a2c")
    n, m, eta = int(r["n"]), int(r["drawn"]), r["eta"]
    H, P, x = (listed(r, key + "[{}]") for key in ("H", "P", "x"))
    assert r["tau"] == 1 and all(0 < eta * p * h <= 1 for p, h in zip(P, H, strict=True))

    def pseudo(y: F, drawn: int) -> F:
        samples = list(combinations(range(n), drawn))
        total = F(0)
        for S in samples:
            inverse = sum(1 / P[i] for i in S) / drawn
            total += sum(eta * P[i] * H[i] * (y - x[i]) / P[i] for i in S) / drawn / inverse
        return total / len(samples)

    rest = sum(h * y for h, y in zip(H, x, strict=True)) / sum(H)
    assert pseudo(rest, n) == 0  # section 5's own N_s sums over all clients: LA.A2 holds
    assert pseudo(rest, m) != 0  # line 15 sums over S^(t)

"""Lines that derivations of DA share: means over clients of momenta and their sums, along T local steps of any losses.

No line asks what a gradient is: gradients are free numbers in every leaf.
"""

from theorems.fedda.listing_fedda import average
from theorems.vocabulary import *


def mean_of_momenta(proof: Derivation, r: Any, momenta: list[Any], slopes: list[Any]) -> None:
    """sum_i p_i (beta m_i + (1 - beta) g_i) = beta sum_i p_i m_i + (1 - beta) sum_i p_i g_i: induction on n."""
    b, p, m, g, A, B, S = reals("beta p m g A B S")
    new = [r.beta * v + (1 - r.beta) * w for v, w in zip(momenta, slopes, strict=True)]
    step = b * m + (1 - b) * g
    proof.leaf("mean of momenta: the first client", [], p * step == b * (p * m) + (1 - b) * (p * g),
               beta=r.beta, p=r.p[0], m=momenta[0], g=slopes[0])  # fmt: skip
    for k in range(1, len(momenta)):
        proof.leaf(
            "mean of momenta: one client more", [S == b * A + (1 - b) * B],
            S + p * step == b * (A + p * m) + (1 - b) * (B + p * g), beta=r.beta, p=r.p[k], m=momenta[k], g=slopes[k],
            A=average(r.p[:k], momenta[:k]), B=average(r.p[:k], slopes[:k]), S=average(r.p[:k], new[:k]),
        )  # fmt: skip


def mean_of_sums(proof: Derivation, p: Sequence[Any], sums: list[Any], more: list[Any]) -> None:
    """sum_i p_i (P_i + m_i) = sum_i p_i P_i + sum_i p_i m_i: induction on n."""
    w, P, m, A, B, S = reals("p P m A B S")
    new = [v + u for v, u in zip(sums, more, strict=True)]
    proof.leaf("mean of sums: the first client", [], w * (P + m) == w * P + w * m, p=p[0], P=sums[0], m=more[0])
    for k in range(1, len(sums)):
        proof.leaf(
            "mean of sums: one client more", [S == A + B], S + w * (P + m) == (A + w * P) + (B + w * m),
            p=p[k], P=sums[k], m=more[k], A=average(p[:k], sums[:k]), B=average(p[:k], more[:k]),
            S=average(p[:k], new[:k]),
        )  # fmt: skip


def common_start(proof: Derivation, r: Any, m: Any = None) -> None:
    """sum_i p_i m = m, as sum_i p_i = 1; for m(E), or another number."""
    m_ = r.m if m is None else m
    p, m, A, B = reals("p m A B")
    shares = [sum(r.p[1:k], r.p[0]) for k in range(1, r.n + 1)]
    proof.leaf("sum p_i m = (sum p_i) m: the first client", [], p * m == p * m, p=r.p[0], m=m_)
    for k in range(1, r.n):
        proof.leaf("sum p_i m = (sum p_i) m: one client more", [A == B * m], A + p * m == (B + p) * m,
                   p=r.p[k], m=m_, A=average(r.p[:k], [m_] * k), B=shares[k - 1])  # fmt: skip
    proof.leaf("sum p_i m = m", [A == B * m, B == 1], A == m, A=average(r.p, [m_] * r.n), B=shares[-1], m=m_)


def mean_of_steps(proof: Derivation, r: Any, points: list[Any], slopes: list[Any]) -> None:
    """sum_i p_i (w_i - eta v_i) = sum_i p_i w_i - eta sum_i p_i v_i: induction on n."""
    e, p, w, v, A, B, S = reals("eta p w v A B S")
    new = [point - r.eta * slope for point, slope in zip(points, slopes, strict=True)]
    proof.leaf("mean of steps: the first client", [], p * (w - e * v) == p * w - e * (p * v), eta=r.eta, p=r.p[0],
               w=points[0], v=slopes[0])  # fmt: skip
    for k in range(1, len(points)):
        proof.leaf(
            "mean of steps: one client more", [S == A - e * B],
            S + p * (w - e * v) == (A + p * w) - e * (B + p * v), eta=r.eta, p=r.p[k], w=points[k], v=slopes[k],
            A=average(r.p[:k], points[:k]), B=average(r.p[:k], slopes[:k]), S=average(r.p[:k], new[:k]),
        )  # fmt: skip


def means_descend(proof: Derivation, r: Any, starts: list[Any]) -> None:
    """With sum p_i w_i(0) = W(0) known: the mean of w_i - eta g^i(W) is a step of gradient descent from W, T times."""
    e, A, B, W, X = reals("eta A B W X")
    y, central = starts, r.x
    for _ in range(r.T):
        slopes = [g(central) for g in r.grads]
        mean_of_steps(proof, r, y, slopes)
        new = [w - r.eta * v for w, v in zip(y, slopes, strict=True)]
        proof.leaf("the mean is gradient descent's a step on", [X == A - e * B, A == W], X == W - e * B, eta=r.eta,
                   X=average(r.p, new), A=average(r.p, y), B=average(r.p, slopes), W=central)  # fmt: skip
        y, central = new, central - r.eta * average(r.p, slopes)


def global_momentum(proof: Derivation, r: Any, starts: list[Any]) -> tuple[list[Any], list[Any], list[Any]]:
    """With sum p_i m^i(0) = m(0) known: sum p_i m^i(t) is the momentum m(t) of the clients' mean gradients, t <= T.

    Lists of the clients' m^i(t), of m(t) and of the mean gradients, for t = 0 .. T (gradients: t < T).
    """
    b, A, B, X, M = reals("beta A B X M")
    y, each, one, means = [r.x] * r.n, [starts], [r.m], []
    for _ in range(r.T):
        slopes = [g(w) for g, w in zip(r.grads, y, strict=True)]
        mean_of_momenta(proof, r, each[-1], slopes)
        new = [r.beta * m + (1 - r.beta) * g for m, g in zip(each[-1], slopes, strict=True)]
        mean = average(r.p, slopes)
        proof.leaf(
            "the mean momentum is the global one a step on", [X == b * A + (1 - b) * B, A == M],
            X == b * M + (1 - b) * B, beta=r.beta, X=average(r.p, new), A=average(r.p, each[-1]), B=mean, M=one[-1],
        )  # fmt: skip
        each.append(new)
        one.append(r.beta * one[-1] + (1 - r.beta) * mean)
        means.append(mean)
        y = [w - r.eta * g for w, g in zip(y, slopes, strict=True)]
    return each, one, means


def sum_of_momenta(proof: Derivation, r: Any, each: list[Any], one: list[Any]) -> Any:
    """P = sum_i p_i P^i is the sum of m(1) .. m(T)."""
    X, A, B, S, M = reals("X A B S M")
    sums, total = each[1], one[1]
    for t in range(2, r.T + 1):
        mean_of_sums(proof, r.p, sums, each[t])
        new = [P + m for P, m in zip(sums, each[t], strict=True)]
        proof.leaf(
            "P sums one momentum more", [X == A + B, A == S, B == M], X == S + M, X=average(r.p, new),
            A=average(r.p, sums), B=average(r.p, each[t]), S=total, M=one[t],
        )  # fmt: skip
        sums, total = new, total + one[t]
    return average(r.p, sums)


def models_follow(proof: Derivation, r: Any, momenta: list[Any], same: list[Any]) -> None:
    """Steps along equal momenta from one model lead to equal models."""
    W, V, X, M, a, e = reals("W V X M alpha eta")
    rates = {"alpha": r.alpha, "eta": r.eta}
    proof.leaf("the first step of W", [X == M], W - e * a * X == W - e * a * M, W=r.x, X=momenta[0], M=same[0], **rates)
    left, right = (r.x - r.eta * r.alpha * steps[0] for steps in (momenta, same))
    for first, second in zip(momenta[1:], same[1:], strict=True):
        proof.leaf("a step of W", [W == V, X == M], W - e * a * X == V - e * a * M, W=left, V=right, X=first, M=second,
                   **rates)  # fmt: skip
        left, right = left - r.eta * r.alpha * first, right - r.eta * r.alpha * second


def moved_at_once(proof: Derivation, r: Any, P: Any, one: list[Any]) -> None:
    """With P = m(1) + ... + m(T) known: T steps of W along m(t) end at W - alpha eta P."""
    W, V, S, M, a, e = reals("W V S M alpha eta")
    rates = {"alpha": r.alpha, "eta": r.eta}
    total, path = one[1], r.x - r.eta * r.alpha * one[1]
    proof.leaf("one step of W", [], W - S * a * e == W - e * a * S, W=r.x, S=total, **rates)
    for m in one[2:]:
        proof.leaf("one step of W more", [W - S * a * e == V], W - (S + M) * a * e == V - e * a * M,
                   W=r.x, V=path, S=total, M=m, **rates)  # fmt: skip
        total, path = total + m, path - r.eta * r.alpha * m
    proof.leaf("W moves by alpha eta P", [M == S, W - S * a * e == V], W - M * a * e == V,
               W=r.x, V=path, S=total, M=P, **rates)  # fmt: skip


def telescoped(proof: Derivation, r: Any, one: list[Any], means: list[Any]) -> None:
    """(1 - beta) sum_t m(t) = beta (m(0) - m(T)) + (1 - beta) sum_t g_t: induction on T."""
    b, f, m, g, P, S = reals("beta first m g P S")
    new = b * m + (1 - b) * g
    proof.leaf("one momentum", [], (1 - b) * (b * f + (1 - b) * g) == b * (f - (b * f + (1 - b) * g)) + (1 - b) * g,
               beta=r.beta, first=one[0], g=means[0])  # fmt: skip
    total, slopes = one[1], means[0]
    for mean, now, after in zip(means[1:], one[1:-1], one[2:], strict=True):
        proof.leaf(
            "one momentum more", [(1 - b) * P == b * (f - m) + (1 - b) * S],
            (1 - b) * (P + new) == b * (f - new) + (1 - b) * (S + g), beta=r.beta, first=one[0], m=now, g=mean, P=total,
            S=slopes,
        )  # fmt: skip
        total, slopes = total + after, slopes + mean


def mean_from_sum(proof: Derivation, r: Any) -> tuple[Any, list[Any]]:
    """(P - beta (m(E) - m(E+1))/(1 - beta))/T is the mean over the steps of the clients' mean gradients; m(t), g_t."""
    common_start(proof, r)
    each, one, means = global_momentum(proof, r, [r.m] * r.n)
    P = sum_of_momenta(proof, r, each, one)
    telescoped(proof, r, one, means)
    b, X, m, n, G, T = reals("beta P m new S T")
    proof.setting("T >= 1", r.T, 1)
    proof.leaf(
        "solved for the mean gradient", [(1 - b) * X == b * (m - n) + (1 - b) * G, b < 1, T >= 1],
        (X - b * (m - n) / (1 - b)) / T == G / T, beta=r.beta, P=P, m=r.m, new=one[-1], S=sum(means[1:], means[0]),
        T=r.nb.number(r.T),
    )  # fmt: skip
    return one, means

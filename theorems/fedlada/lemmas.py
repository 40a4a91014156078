"""Lines that LADA's derivations share: what a round of drawn clients, noisy gradients and momenta makes of F."""

from theorems.bridges import descent_lemma, random_sample, random_signs, sample_variance, sums
from theorems.fedlada.common import mean
from theorems.fedlada.common_bound import constant
from theorems.fedlada.common_draws import after, drawn, height, local, minimizer, run, signs, slopes
from theorems.fedlada.lemmas_steps import (
    averaged,
    column,
    drifts,
    mean_of_drifts,
    sizes,
    spread_of_clients,
    steady,
    turned_against,
)
from theorems.vocabulary import *


def derive_descends(proof: Derivation, s: Instance) -> None:
    """F falls by r C |grad F|^2/G but for drift, noise and drawing; rounds telescope, and F stays above F_*."""
    c = sizes(proof, s)
    levels = []
    for level in run(s)[:-1]:
        levels.append(averaged(proof, s, "the ways that lead to a round", [_round(proof, s, x, c) for x in level]))
    gains, losses = (np.stack(column, -1) for column in zip(*levels, strict=True))
    proof.cross(sums, "over rounds", low=gains, high=losses)
    _together(proof, s, gains.sum(axis=-1))


def excess(s: Instance) -> Any:
    """What a round may add to F, over r."""
    share = s.nb.number(Fraction(s.m - s.S, s.S * max(s.m - 1, 1)))
    E, noise = steady(s), (s.nu * s.nu).sum(axis=-1) / (s.S * s.K)
    return E / (2 * s.eps) + s.r * s.L * (share * (2 * s.apart + 2 * E) + noise) / (s.eps * s.eps)


def _round(proof: Derivation, s: Instance, x: Any, c: Any) -> tuple[Any, Any]:
    """r C |grad F(x)|^2/G <= F(x) - E F(x+) + r (excess), known."""
    fields, E, outcomes = slopes(s, x), steady(s), after(s, x)
    f, e, r = mean(fields), s.eps, s.r
    turned, sent, kept = [], [], []
    for way in signs(s):
        each, clean = [], []
        for i in range(s.m):
            steps = local(s, i, x, way)
            found = drifts(proof, s, i, x, steps)
            each.append(mean_of_drifts(proof, s, found, [(1 - s.beta1**k) * E for k in range(1, s.K + 1)]))
            clean.append(mean(steps.bare))
            _noise_enters(proof, s, steps, way[i])
        whole = mean_of_drifts(proof, s, each, [c * E] * s.m)
        turned_against(proof, s, f, c, whole, E)
        spread_of_clients(proof, s, fields, f, c, each)
        kept.append(_drawing(proof, s, clean, column(c) * f))
        a = mean(clean)
        inner, length = (f * a / s.root).sum(axis=-1), (a * a / s.root).sum(axis=-1)
        turned.append((-inner + length / 2, E / e / 2 - constant(s) * (f * f / column(s.G)).sum(axis=-1)))
        sent.append((s.L * r * (a * a / (s.root * s.root)).sum(axis=-1), length / 2))
    low, _ = averaged(proof, s, "signs", turned)
    drawn_squares = averaged(proof, s, "signs", kept)
    absorbed = averaged(proof, s, "signs", sent)
    noise = _noise(proof, s)
    length = _lengths(proof, s, outcomes)
    falls = []
    for _, _, y, _ in outcomes:
        proof.cross(descent_lemma, A=mean([s.A[..., i, :] for i in range(s.m)]), c=minimizer(s), x=x, y=y, L=s.L)
        inner = (f * (y - x)).sum(axis=-1)
        falls.append((height(s, y), height(s, x) + inner + s.L * ((y - x) * (y - x)).sum(axis=-1) / 2))
    after_, _ = averaged(proof, s, "outcomes", falls)
    u, X, N, Q, Z, W, lip, q, w, g, F, U, B, Y, a, k = reals("u X N Q Z W L q w g F U B Y a k")
    share = s.nb.number(Fraction(s.m - s.S, s.S * max(s.m - 1, 1)))
    spread = share * (2 * s.apart + 2 * E) / (e * e)
    proof.leaf(
        "what steps cost", [u <= 2 * X + 2 * N, X <= Q + Z, N <= W, lip * k * Q <= w / 2, 0 < k, 0 < lip],
        lip * k * u / 2 <= w / 2 + k * lip * (Z + W), u=length, X=drawn_squares[0], N=noise[0],
        Q=drawn_squares[1] - spread, Z=spread, W=noise[1], L=s.L, k=r, w=2 * absorbed[1],
    )  # fmt: skip
    gained = constant(s) * (f * f / column(s.G)).sum(axis=-1)
    cost, added = s.L * r * length / 2, r * s.L * (spread + noise[1])
    proof.leaf(
        "a round falls", [g <= F - k * q + k * U, U <= w / 2 + B, -q + w / 2 <= Y - a, 0 < k],
        k * a <= F - g + k * (Y + B), g=after_, F=height(s, x), k=r, q=absorbed[1] - low, U=cost, w=2 * absorbed[1],
        B=added, Y=E / e / 2, a=gained,
    )  # fmt: skip
    return r * gained, height(s, x) - after_ + r * excess(s)


def _drawing(proof: Derivation, s: Instance, clean: list[Any], near: Any) -> tuple[Any, Any]:
    """E_S |D a_S|^2 <= |D a|^2 + n (2 sigma_g^2 + 2 E)/eps^2; and L r |D a|^2 <= <a, D a>/2."""
    P, V, X, k, e, R, lip, r, B, n, u = reals("P V X k e R L r B n u")
    values, E = np.stack(clean, -1), steady(s)
    share = s.nb.number(Fraction(s.m - s.S, s.S * max(s.m - 1, 1)))
    proof.cross(random_sample, "E a_S = a", values=np.stack(clean, -2), M=s.S)
    proof.cross(sample_variance, "E a_S^2", values=values, near=near, S=s.S)
    away = values - near[..., None]
    proof.leaf("squares", [], 0 <= u * u, u=away)
    proof.cross(sums, "squares", low=away * 0, high=away * away)
    proof.leaf("mean of squares", [0 <= X, n >= 1], 0 <= X / n, X=(away * away).sum(axis=-1), n=s.nb.number(s.m))
    a, ways = mean(clean), [mean([clean[i] for i in who]) for who in drawn(s)]
    square, spread = mean([v * v for v in ways]), (away * away).sum(axis=-1) / s.m
    proof.leaf(
        "drawing, over v-hat", [X <= P + k * V, 0 <= V, 0 <= k, 0 < e, e <= R],
        X / (R * R) <= P / (R * R) + k * V / (e * e), X=square, P=a * a, k=share, V=spread, e=column(s.eps), R=s.root,
    )  # fmt: skip
    scale = s.root * s.root
    proof.cross(sums, "over coordinates", low=square / scale, high=a * a / scale + share * spread / column(s.eps) ** 2)
    bound = 2 * s.apart + 2 * E
    proof.leaf(
        "drawing clients", [X <= P + k * V / (e * e), V <= B, 0 <= k, 0 < e], X <= P + k * B / (e * e),
        X=(square / scale).sum(axis=-1), P=(a * a / scale).sum(axis=-1), k=share, V=spread.sum(axis=-1), e=s.eps,
        B=bound,
    )  # fmt: skip
    proof.leaf(
        "eta eta_l <= 1/(4 L G_theta)", [4 * r * lip <= e, e <= R, 0 < e], lip * r * (u * u / (R * R)) <= u * u / R / 2,
        r=column(s.r), L=column(s.L), e=column(s.eps), R=s.root, u=a,
    )  # fmt: skip
    proof.cross(sums, "over coordinates", low=column(s.L * s.r) * (a * a / scale), high=a * a / s.root / 2)
    return (square / scale).sum(axis=-1), (a * a / scale).sum(axis=-1) + share * bound / (s.eps * s.eps)


def _weights(s: Instance) -> list[Any]:
    """1 - beta1^(K-j+1) for the steps j = 1 .. K."""
    return [1 - s.beta1 ** (s.K - j) for j in range(s.K)]


def _noise_enters(proof: Derivation, s: Instance, steps: Instance, way: Any) -> None:
    enters = sum(column(w) * int(sign) * s.nu for w, sign in zip(_weights(s), way, strict=True)) / s.K
    heard = mean(steps.m) - mean(steps.bare)
    proof.define("noise of step j has the weight 1 - beta1^(K-j+1)", heard, enters)


def _noise(proof: Derivation, s: Instance) -> tuple[Any, Any]:
    """E |D noise_S|^2 <= |nu|^2/(S K eps^2), in the mean over the sets S."""
    w, v, X, Y, e, R = reals("w v X Y e R")
    part, pairs, spent = s.nu / (s.S * s.K), [], s.nu * s.nu / (s.S * s.K)
    S, n = reals("S n")
    proof.leaf("nu^2/(S K) >= 0", [S >= 1, n >= 1], 0 <= v * v / (S * n), v=s.nu, S=s.nb.number(s.S),
               n=s.nb.number(s.K))  # fmt: skip
    for k in range(1, s.K + 1):
        proof.leaf("1 - beta1^k >= 0", [X <= 1], 0 <= 1 - X, X=s.beta1**k)
    for weight in _weights(s):
        proof.leaf("a weight is at most 1", [0 <= w, w <= 1], (w * v) * (w * v) <= v * v, w=column(weight), v=part)
    for who in drawn(s):
        terms = [(weight, i in who) for i in range(s.m) for weight in _weights(s)]
        values = np.stack([column(weight) * part * inside for weight, inside in terms], -1)
        proof.cross(random_signs, "E noise^2", values=values)
        most = np.stack([part * part * inside for _, inside in terms], -1)
        proof.cross(sums, "over clients and steps", low=values * values, high=most)
        proof.leaf("noise over v-hat", [X <= Y, 0 <= Y, 0 < e, e <= R], X / (R * R) <= Y / (e * e),
                   X=(values * values).sum(axis=-1), Y=spent, e=column(s.eps), R=s.root)  # fmt: skip
        squares = (values * values).sum(axis=-1) / (s.root * s.root)
        high = spent / column(s.eps) ** 2
        proof.cross(sums, "over coordinates", low=squares, high=high)
        pairs.append((squares.sum(axis=-1), high.sum(axis=-1)))
    return averaged(proof, s, "sets of clients", pairs)


def _lengths(proof: Derivation, s: Instance, outcomes: Sequence[Any]) -> Any:
    """E |D sent|^2 <= 2 E |D clean|^2 + 2 E |D noise|^2: the left side."""
    u, v, R = reals("u v R")
    pairs = []
    for _, who, _, steps in outcomes:
        clean, sent = (mean([mean(values) for values in column]) for column in
                       zip(*((steps[i].bare, steps[i].m) for i in who), strict=True))  # fmt: skip
        noise, scale = sent - clean, s.root * s.root
        proof.leaf("Young", [0 < R], (u + v) * (u + v) / (R * R) <= 2 * (u * u / (R * R)) + 2 * (v * v / (R * R)),
                   u=clean, v=noise, R=s.root)  # fmt: skip
        high = 2 * (clean * clean / scale) + 2 * (noise * noise / scale)
        proof.cross(sums, "over coordinates", low=sent * sent / scale, high=high)
        pairs.append(((sent * sent / scale).sum(axis=-1), high.sum(axis=-1)))
    return averaged(proof, s, "outcomes", pairs)[0]


def _together(proof: Derivation, s: Instance, gained: Any) -> None:
    """F >= F_*; division by r C T/G; and the excess is at most what the bound says."""
    H, u, W, f, g, b, T, G, r, X, A, B, Y, k = reals("H u W f g b T G r X A B Y k")
    bend, ends, number = mean([s.A[..., i, :] for i in range(s.m)]), [], s.nb.number
    for x in run(s)[-1]:
        off = x - minimizer(s)
        proof.leaf("F >= F_*", [0 < b], 0 <= b * (u * u), b=bend, u=off)
        proof.cross(sums, "over coordinates", low=off * 0, high=bend * off * off)
        ends.append((s.r * 0, (bend * off * off).sum(axis=-1)))
    _, end = averaged(proof, s, "the ends", ends)
    start, weight, added = height(s, s.x), s.r * constant(s) / s.G * s.T, s.T * s.r * excess(s)
    proof.leaf("telescoped", [H <= f - g / 2 + W, 0 <= g], H <= f + W, H=gained, f=start, g=end, W=added)
    proof.setting("T >= 1", s.T, 1)
    here = {"r": s.r, "X": 2 * constant(s), "G": s.G, "T": number(s.T)}
    proof.leaf("r C T/G > 0", [0 < r, 0 < X, 0 < G, T >= 1], 0 < r * (X / 2) / G * T, **here)
    proof.leaf("G/C >= 0", [0 < X, 0 < G], 0 <= G / (X / 2), X=here["X"], G=s.G)
    found, ratio = gained / weight, s.G / constant(s)
    proof.leaf("divided", [b * A <= f + W, 0 < b], A <= f / b + W / b, b=weight, A=found, f=start, W=added)
    most = _simpler(proof, s)
    proof.leaf("the bound", [A <= f + k * B, B <= Y, 0 <= k], A <= f + k * Y, A=found, f=start / weight, k=ratio,
               B=excess(s), Y=most)  # fmt: skip


def _simpler(proof: Derivation, s: Instance) -> Any:
    """The excess is at most the bound's terms, which are printed with larger constants and with v-hat's way."""
    u, X, S, n, E, e, G, P, q, k, N, V, A, B, T, lip, r = reals("u X S n E e G P q k N V A B T L r")
    number, noise = s.nb.number, (s.nu * s.nu).sum(axis=-1)
    proof.leaf("|nu|^2 >= 0", [], 0 <= u * u, u=s.nu)
    proof.cross(sums, "over coordinates", low=s.nu * 0, high=s.nu * s.nu)
    proof.leaf("|nu|^2/(S K) >= 0", [0 <= X, S >= 1, n >= 1], 0 <= X / (S * n), X=noise, S=number(s.S), n=number(s.K))
    drift, share = steady(s) * (s.G * s.G / (s.eps * s.eps)), number(Fraction(s.m - s.S, s.S * max(s.m - 1, 1)))
    proof.leaf("G_g G_theta >= 1", [0 < e, e <= G], 1 <= G * G / (e * e), e=s.eps, G=s.G)
    proof.leaf("drift", [0 <= E, 1 <= P], E <= E * P, E=steady(s), P=s.G * s.G / (s.eps * s.eps))
    proof.leaf("r L/eps^2 >= 0", [0 < r, 0 < lip, 0 < e], 0 <= r * lip / (e * e), r=s.r, L=s.L, e=s.eps)
    rate = s.r * s.L / (s.eps * s.eps)
    proof.leaf("drift's term", [0 <= E, E <= P, 0 < e], E / (2 * e) <= P / e, E=steady(s), P=drift, e=s.eps)
    proof.leaf("drawing", [0 <= V, 0 <= E, E <= P, 0 <= k], k * (2 * V + 2 * E) <= 4 * (k * (V + P)),
               V=s.apart, E=steady(s), P=drift, k=share)  # fmt: skip
    sampled, wide = share * (2 * s.apart + 2 * steady(s)), 4 * (share * (s.apart + drift))
    proof.leaf("noise and drawing", [A <= B, 0 <= N, 0 <= q], q * (A + N) <= q * B + 2 * q * N, A=sampled, B=wide,
               N=noise / (s.S * s.K), q=rate)  # fmt: skip
    theta = 1 / s.eps
    proof.leaf("G_theta > 0", [0 < e], 0 < 1 / e, e=s.eps)
    proof.leaf("v-hat's way", [0 < r, 0 < lip, 0 < e], 0 <= r * lip * (e * e * (e * e)) + e * e * e / 2, r=s.r, L=s.L,
               e=theta)  # fmt: skip
    proof.leaf("G_g^4 >= 0", [], 0 <= G * G * (G * G), G=s.G)
    moved = s.r * s.L * theta**4 + theta**3 / 2
    proof.leaf("v-hat's term", [0 <= A, 0 <= B, n >= 1, T >= 1], 0 <= n * B * A / T, A=moved, B=s.G**4,
               n=number(s.d), T=number(s.T))  # fmt: skip
    grown = s.d * s.G**4 * moved / s.T
    high = rate * wide + 2 * rate * (noise / (s.S * s.K))
    proof.leaf("all terms", [E <= P, A <= B, 0 <= X], E + A <= X + B + P, E=steady(s) / (2 * s.eps), P=drift / s.eps,
               A=rate * (sampled + noise / (s.S * s.K)), B=high, X=grown)  # fmt: skip
    return grown + high + drift / s.eps

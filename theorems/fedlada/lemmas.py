"""Lines that LADA's derivations share: what a round of drawn clients, noisy gradients and momenta makes of F."""

from theorems.bridges import descent_lemma, mean_square, random_sample, random_signs, sample_variance, sums
from theorems.fedlada.common import mean
from theorems.fedlada.common_bound import constant
from theorems.fedlada.common_draws import (
    after,
    ahead,
    bend,
    column,
    drawn,
    height,
    local,
    minimizer,
    run,
    sampling,
    signs,
    slopes,
    square,
)
from theorems.fedlada.lemmas_steps import (
    averaged,
    changed_scales,
    drifts,
    from_ahead,
    mean_of_drifts,
    reach,
    scales,
    sides,
    sizes,
    spread_of_clients,
    steps_of,
    turned_against,
)
from theorems.vocabulary import *


def derive_descends(proof: Derivation, s: Instance) -> None:
    """F(z) falls by r C |grad F|^2/G but for drift, noise, drawing and changing scales; rounds telescope."""
    c, levels = sizes(proof, s), []
    for level in run(s)[:-1]:
        levels.append(
            averaged(proof, s, "the ways that lead to a round", [_round(proof, s, node, c) for node in level])
        )
    gains, losses = (np.stack(each, -1) for each in zip(*levels, strict=True))
    proof.cross(sums, "over rounds", low=gains, high=losses)
    _together(proof, s, gains.sum(axis=-1))


def spread(s: Instance) -> Any:
    """What drawing clients adds to |D a|^2."""
    return sampling(s) * (2 * s.apart + 2 * (s.L * s.L * reach(s)[0])) / (s.eps * s.eps)


def excess(s: Instance) -> Any:
    """What a round may add to F, over r, but for changing scales."""
    near, away = reach(s)
    noise = square(s.nu) / (s.S * s.K) / (s.eps * s.eps)
    return s.L * s.L * (2 * near + 2 * away) / (2 * s.eps) + s.r * s.L * (2 * (spread(s) + noise))


def price(s: Instance) -> Any:
    """What the growth of v-hat by 1 may add to F, over r."""
    cube = s.eps * s.eps * s.eps
    return s.r * s.L * (s.G * s.G / (cube * s.eps)) + s.G * s.G / (2 * cube)


def _round(proof: Derivation, s: Instance, node: Instance, c: Any) -> tuple[Any, Any]:
    """r C |grad F(z)|^2/G <= F(z) - E F(z+) + r (excess + price E(growth of v-hat)), known."""
    z, outcomes, near = ahead(s, node), after(s, node), s.L * s.L * reach(s)[0]
    root, e, r = scales(proof, s, node.v), s.eps, s.r
    _ahead_by(proof, s, node)
    here, f = slopes(s, node.x), mean(slopes(s, z))
    far = s.L * s.L * (2 * reach(s)[0] + 2 * reach(s)[1])
    turned, absorbed, kept, grown = [], [], [], {}
    for number, way in enumerate(signs(s)):
        near_x, near_z, clean, changes = [], [], [], []
        for i in range(s.m):
            steps = local(s, i, node, way)
            steps_of(proof, s, node, steps)
            shares = [1 - s.beta1**k for k in range(1, s.K + 1)]
            found = drifts(proof, s, i, node.x, steps, reach(s)[0])
            near_x.append(mean_of_drifts(proof, s, found, [share * near for share in shares]))
            found = drifts(proof, s, i, z, steps, from_ahead(proof, s, node, z, steps))
            near_z.append(mean_of_drifts(proof, s, found, [share * far for share in shares]))
            clean.append(mean(steps.bare))
            changes.append(changed_scales(proof, s, node, root, steps, f))
            _noise_enters(proof, s, steps, way[i])
        whole = mean_of_drifts(proof, s, near_z, [c * far] * s.m)
        turned_against(proof, s, f, c, whole, far, root)
        spread_of_clients(proof, s, here, c, near_x, near)
        kept.append(_drawing(proof, s, clean, column(c) * mean(here), root))
        a = mean(clean)
        inner, length = (f * a / root).sum(axis=-1), (a * a / root).sum(axis=-1)
        turned.append((-inner + length / 2, far / e / 2 - constant(s) * (f * f / column(s.G)).sum(axis=-1)))
        absorbed.append((2 * s.L * r * (a * a / (root * root)).sum(axis=-1), length / 2))
        grown[number] = changes
    against, drawn_squares, length = (averaged(proof, s, "signs", x) for x in (turned, kept, absorbed))
    noise = _noise(proof, s, root)
    changed, squared = _changes(proof, s, node, f, outcomes, grown)
    cost = _lengths(proof, s, outcomes, root)
    falls = []
    for _, _, start in outcomes:
        _next(proof, s, node, start)
        new = ahead(s, start)
        proof.cross(descent_lemma, "descent", A=bend(s), c=minimizer(s), x=z, y=new, L=s.L)
        falls.append((height(s, new), height(s, z) + (f * (new - z)).sum(axis=-1) + s.L * square(new - z) / 2))
    after_, _ = averaged(proof, s, "outcomes", falls)
    u, X, N, Q, Z, W, lip, q, w, g, F, U, B, Y, a, k, V, P = reals("u X N Q Z W L q w g F U B Y a k V P")
    proof.leaf(
        "what steps cost",
        [u <= 4 * X + 4 * N + 2 * V, X <= Q + Z, N <= W, V <= P, 2 * lip * k * Q <= w / 2, 0 < k, 0 < lip],
        lip * k * u / 2 <= w / 2 + k * lip * (2 * (Z + W) + P), u=cost, X=drawn_squares[0], N=noise[0],
        Q=drawn_squares[1] - spread(s), Z=spread(s), W=noise[1], L=s.L, k=r, w=2 * length[1], V=squared[0],
        P=squared[1],
    )  # fmt: skip
    gained = constant(s) * (f * f / column(s.G)).sum(axis=-1)
    added = r * s.L * (2 * (spread(s) + noise[1]) + squared[1])
    proof.leaf(
        "a round falls",
        [g <= F - k * (q + V) + k * U, U <= w / 2 + B, -q + w / 2 <= Y - a, -V <= P, 0 < k],
        k * a <= F - g + k * (Y + B + P), g=after_, F=height(s, z), k=r, q=length[1] - against[0], V=-changed[0],
        U=s.L * r * cost / 2, w=2 * length[1], B=added, Y=far / e / 2, a=gained, P=changed[1],
    )  # fmt: skip
    growth = mean([start.v.sum(axis=-1) for _, _, start in outcomes]) - node.v.sum(axis=-1)
    return r * gained, height(s, z) - after_ + r * (excess(s) + price(s) * growth)


def _ahead_by(proof: Derivation, s: Instance, node: Instance) -> None:
    """|x - z|^2 is at most reach's second part."""
    w, q, a, r, X = reals("w q a r X")
    here = {"w": node.g_a, "q": column(s.G / s.eps), "a": column(s.alpha), "r": column(s.r)}
    for sign in (1, -1):
        proof.leaf("|x - z| <= (1 - alpha)/alpha r G_g/eps_v", [sign * w <= q, 0 < a, a <= 1, 0 < r],
                   sign * ((1 - a) / a * r * w) <= (1 - a) / a * r * q, **here)  # fmt: skip
    off, most = node.x - ahead(s, node), column(sides(s)[1])
    proof.leaf("its square", [X <= q, -X <= q], X * X <= q * q, X=off, q=most)
    proof.cross(sums, "over coordinates", low=off * off, high=most * most + 0 * off)


def _next(proof: Derivation, s: Instance, node: Instance, start: Instance) -> None:
    """z+ = z - r (what is sent); |g_a| <= G_g/eps_v."""
    x, w, u, a, r, q = reals("x w u a r q")
    sent = (start.g_a - (1 - column(s.alpha)) * node.g_a) / column(s.alpha)
    here = {"u": sent, "w": node.g_a, "a": column(s.alpha)}
    new = a * u + (1 - a) * w
    proof.leaf("z moves by what is sent", [0 < a],
               x - r * new - (1 - a) / a * r * new == x - (1 - a) / a * r * w - r * u, x=node.x, r=column(s.r),
               **here)  # fmt: skip
    for sign in (1, -1):
        proof.leaf("|g_a| <= G_g/eps_v", [sign * u <= q, sign * w <= q, 0 < a, a <= 1], sign * new <= q,
                   q=column(s.G / s.eps), **here)  # fmt: skip


def _changes(
    proof: Derivation, s: Instance, node: Instance, f: Any, outcomes: Sequence[Any], grown: Mapping[int, Any]
) -> tuple[Any, Any]:
    """-E<f, Delta> <= G^2 growth/(2 eps^3), E|Delta|^2 <= G^2 growth/eps^4 for Delta = mean m (theta - theta_0)."""
    first, second, e, G = [], [], column(s.eps), column(s.G)
    for number, (who, steps, _) in enumerate(outcomes):
        changes = grown[number // len(drawn(s))]
        rise = [steps[i].vhat[-1] - node.v for i in who]
        moved = [(change, up) for i, up in zip(who, rise, strict=True) for change in changes[i]]
        each = [(-f * change, G * G * up / (2 * (e * e * e))) for change, up in moved]
        low, high = averaged(proof, s, "steps of the drawn", each)
        proof.cross(sums, "over coordinates", low=low, high=high)
        first.append((low.sum(axis=-1), high.sum(axis=-1)))
        stacked = np.stack([change for change, _ in moved], -1)
        proof.cross(mean_square, "of changes", values=stacked)
        squares = [(change * change, G * G * up / (e * e * (e * e))) for change, up in moved]
        low, high = averaged(proof, s, "steps of the drawn", squares)
        whole = stacked.sum(axis=-1) / stacked.shape[-1]
        X, Y, Z = reals("X Y Z")
        proof.leaf("square of the mean change", [X <= Y, Y <= Z], X <= Z, X=whole * whole, Y=low, Z=high)
        proof.cross(sums, "over coordinates", low=whole * whole, high=high)
        second.append((square(whole), high.sum(axis=-1)))
        _bounds(proof, s, who, steps)
    return averaged(proof, s, "outcomes", first), averaged(proof, s, "outcomes", second)


def _bounds(proof: Derivation, s: Instance, who: Any, steps: Any) -> None:
    """eps_v^2 <= v <= G_g^2 for the v that the server averages, and what clients send is at most G_g/eps_v."""
    e, G, like = column(s.eps), column(s.G), 0 * steps[0].vhat[-1]
    averaged(proof, s, "the drawn clients' v-hat", [(e * e + like, steps[i].vhat[-1]) for i in who])
    averaged(proof, s, "the drawn clients' v-hat", [(steps[i].vhat[-1], G * G + like) for i in who])
    shares = [m / root for i in who for m, root in zip(steps[i].m, steps[i].root, strict=True)]
    for sign in (1, -1):
        averaged(proof, s, "what is sent", [(sign * share, G / e + like) for share in shares])


def _drawing(proof: Derivation, s: Instance, clean: list[Any], near: Any, root: Any) -> tuple[Any, Any]:
    """E_S |D a_S|^2 <= |D a|^2 + n (2 sigma_g^2 + 2 E)/eps^2; and 2 L r |D a|^2 <= <a, D a>/2."""
    P, V, X, k, e, R, lip, r, B, n, u = reals("P V X k e R L r B n u")
    values, E = np.stack(clean, -1), s.L * s.L * reach(s)[0]
    share = sampling(s)
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
        X / (R * R) <= P / (R * R) + k * V / (e * e), X=square, P=a * a, k=share, V=spread, e=column(s.eps), R=root,
    )  # fmt: skip
    scale = root * root
    proof.cross(sums, "over coordinates", low=square / scale, high=a * a / scale + share * spread / column(s.eps) ** 2)
    bound = 2 * s.apart + 2 * E
    proof.leaf(
        "drawing clients", [X <= P + k * V / (e * e), V <= B, 0 <= k, 0 < e], X <= P + k * B / (e * e),
        X=(square / scale).sum(axis=-1), P=(a * a / scale).sum(axis=-1), k=share, V=spread.sum(axis=-1), e=s.eps,
        B=bound,
    )  # fmt: skip
    proof.leaf(
        "eta eta_l <= 1/(4 L G_theta)", [4 * r * lip <= e, e <= R, 0 < e],
        2 * lip * r * (u * u / (R * R)) <= u * u / R / 2,
        r=column(s.r), L=column(s.L), e=column(s.eps), R=root, u=a,
    )  # fmt: skip
    proof.cross(sums, "over coordinates", low=column(2 * s.L * s.r) * (a * a / scale), high=a * a / root / 2)
    return (square / scale).sum(axis=-1), (a * a / scale).sum(axis=-1) + share * bound / (s.eps * s.eps)


def _weights(s: Instance) -> list[Any]:
    """1 - beta1^(K-j+1) for the steps j = 1 .. K."""
    return [1 - s.beta1 ** (s.K - j) for j in range(s.K)]


def _noise_enters(proof: Derivation, s: Instance, steps: Instance, way: Any) -> None:
    enters = sum(column(w) * int(sign) * s.nu for w, sign in zip(_weights(s), way, strict=True)) / s.K
    heard = mean(steps.m) - mean(steps.bare)
    proof.define("noise of step j has the weight 1 - beta1^(K-j+1)", heard, enters)


def _noise(proof: Derivation, s: Instance, root: Any) -> tuple[Any, Any]:
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
                   X=(values * values).sum(axis=-1), Y=spent, e=column(s.eps), R=root)  # fmt: skip
        squares = (values * values).sum(axis=-1) / (root * root)
        high = spent / column(s.eps) ** 2
        proof.cross(sums, "over coordinates", low=squares, high=high)
        pairs.append((squares.sum(axis=-1), high.sum(axis=-1)))
    return averaged(proof, s, "sets of clients", pairs)


def _lengths(proof: Derivation, s: Instance, outcomes: Sequence[Any], root: Any) -> Any:
    """E |sent|^2 <= 4 E |D clean|^2 + 4 E |D noise|^2 + 2 E |Delta|^2: the left side."""
    p, q, w, u_, v_ = reals("p q w u v")
    pairs = []
    for who, steps, _ in outcomes:
        clean, heard = (mean([mean(values) for values in each]) for each in
                        zip(*((steps[i].bare, steps[i].m) for i in who), strict=True))  # fmt: skip
        sent = mean([m / scale for i in who for m, scale in zip(steps[i].m, steps[i].root, strict=True)])
        first, second, third = clean / root, (heard - clean) / root, sent - heard / root
        for u, v in ((first, second), (first + second, third)):
            proof.leaf("Young", [], (p + q) * (p + q) <= 2 * (p * p) + 2 * (q * q), p=u, q=v)
        whole = first + second
        proof.leaf("Young twice", [p <= 2 * q + 2 * w, q <= 2 * u_ + 2 * v_], p <= 4 * u_ + 4 * v_ + 2 * w,
                   p=sent * sent, q=whole * whole, w=third * third, u=first * first, v=second * second)  # fmt: skip
        high = 4 * (first * first) + 4 * (second * second) + 2 * (third * third)
        proof.cross(sums, "over coordinates", low=sent * sent, high=high)
        pairs.append((square(sent), high.sum(axis=-1)))
    return averaged(proof, s, "outcomes", pairs)[0]


def _together(proof: Derivation, s: Instance, gained: Any) -> None:
    """F >= F_* and v-hat <= G_g^2; division by r C T/G."""
    H, u, W, f, g, b, T, G, r, X, A, B, Y, k, e, lip = reals("H u W f g b T G r X A B Y k e L")
    ends, scales_, number = [], [], s.nb.number
    for node in run(s)[-1]:
        off = ahead(s, node) - minimizer(s)
        proof.leaf("F >= F_*", [0 < b], 0 <= b * (u * u), b=bend(s), u=off)
        proof.cross(sums, "over coordinates", low=off * 0, high=bend(s) * off * off)
        ends.append((s.r * 0, (bend(s) * off * off).sum(axis=-1)))
        proof.cross(sums, "over coordinates", low=node.v, high=column(s.G * s.G) + 0 * node.v)
        scales_.append((node.v.sum(axis=-1), s.d * (s.G * s.G)))
    _, end = averaged(proof, s, "the ends", ends)
    top, most = averaged(proof, s, "the ends", scales_)
    proof.leaf("v >= 0", [0 < e, e * e <= X], 0 <= X, e=column(s.eps), X=s.v)
    proof.cross(sums, "over coordinates", low=s.v * 0, high=s.v)
    start, added = height(s, s.x), s.T * s.r * excess(s)
    here = {"r": s.r, "X": 2 * constant(s), "G": s.G, "T": number(s.T)}
    proof.leaf("G_theta > 0", [0 < e], 0 < 1 / e, e=s.eps)
    proof.leaf("a price", [0 < e, 0 < r, 0 < lip], 0 <= r * lip * (G * G * (e * e * (e * e))) + G * G * (e * e * e) / 2,
               e=1 / s.eps, r=s.r, L=s.L, G=s.G)  # fmt: skip
    proof.leaf("r price >= 0", [0 < r, 0 <= k], 0 <= r * k, r=s.r, k=price(s))
    proof.leaf(
        "telescoped", [H <= f - g / 2 + W + k * (X - Y), 0 <= g, X <= B, 0 <= Y, 0 <= k], H <= f + W + k * B,
        H=gained, f=start, g=end, W=added, k=s.r * price(s), X=top, Y=s.v.sum(axis=-1), B=most,
    )  # fmt: skip
    proof.setting("T >= 1", s.T, 1)
    proof.leaf("r C T/G > 0", [0 < r, 0 < X, 0 < G, T >= 1], 0 < r * (X / 2) / G * T, **here)
    weight = s.r * constant(s) / s.G * s.T
    proof.leaf("divided", [b * A <= f, 0 < b], A <= f / b, b=weight, A=gained / weight,
               f=start + added + s.r * price(s) * most)  # fmt: skip

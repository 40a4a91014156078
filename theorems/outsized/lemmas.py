"""Lemmas that derivations of this paper share: powers of 1 - gamma lambda, phi, filters and quotients of phi."""

from theorems.bridges import exponential, geometric_sum, positive_powers, powers, sums
from theorems.vocabulary import *


def column(x: Any) -> Any:
    """A number an instance, against eigenvalues (batch, n, d)."""
    return x[..., None, None]


def powers_fall(proof: Derivation, gamma: Any, K: int, small: Any, large: Any) -> None:
    """0 < x <= y, gamma >= 0, gamma y <= 1: 0 <= (1 - gamma y)^k <= (1 - gamma x)^k <= 1 for k = 0 .. K."""
    g, x, y = reals("gamma x y")
    rates = {"gamma": gamma, "x": small, "y": large}
    proof.leaf("1 - gamma y >= 0", [g * y <= 1], 0 <= 1 - g * y, gamma=gamma, y=large)
    proof.leaf("1 - gamma y <= 1 - gamma x", [g >= 0, x <= y], 1 - g * y <= 1 - g * x, **rates)
    proof.leaf("1 - gamma x >= 0", [g >= 0, x <= y, g * y <= 1], 0 <= 1 - g * x, **rates)
    proof.leaf("1 - gamma x <= 1", [g >= 0, x > 0], 1 - g * x <= 1, gamma=gamma, x=small)
    first, second = 1 - gamma * small, 1 - gamma * large
    proof.cross(powers, "(1 - gamma y)^k <= (1 - gamma x)^k", low=second, high=first, exponents=range(K + 1))
    proof.cross(powers, "(1 - gamma x)^k <= 1", low=first, high=small * 0 + 1, exponents=range(K + 1))


def phi_grows(proof: Derivation, gamma: Any, K: int, small: Any, large: Any) -> None:
    """With the powers known: phi_x <= phi_y and 0 <= K x - phi_x <= K y - phi_y.

    Step by step: phi_(k+1) = x + (1 - gamma x) phi_k, and gamma phi_k = 1 - (1 - gamma x)^k <= 1; term by term.
    """
    g, x, y, p, q, S, F, G = reals("gamma x y p q S F G")
    first, second = 1 - gamma * small, 1 - gamma * large
    for k in range(K):
        shown = {"x": small, "y": large, "p": first**k, "q": second**k}
        proof.leaf("x (1 - p) <= y (1 - q)", [x > 0, x <= y, q <= p, p <= 1], x * (1 - p) <= y * (1 - q), **shown)
        proof.leaf("x (1 - p) >= 0", [x > 0, p <= 1], 0 <= x * (1 - p), x=small, p=first**k)
    losses = [np.stack([x * (1 - r**k) for k in range(K)], -1) for x, r in ((small, first), (large, second))]
    proof.cross(sums, "K x - phi_x <= K y - phi_y", low=losses[0], high=losses[1])
    proof.cross(sums, "K x - phi_x >= 0", low=losses[0] * 0, high=losses[0])
    below, above = small * first**0, large * second**0  # phi_1
    for k in range(1, K):
        proof.cross(geometric_sum, "gamma phi_k(y) = 1 - (1 - gamma y)^k", ratio=second, count=k)
        proof.leaf("gamma phi_k(y) <= 1", [g * y * S == 1 - q, q >= 0], g * (y * S) <= 1,
                   gamma=gamma, y=large, S=above / large, q=second**k)  # fmt: skip
        proof.leaf(
            "phi_(k+1) = x + (1 - gamma x) phi_k grows", [x <= y, G <= F, g * F <= 1, 0 <= 1 - g * x],
            x + (1 - g * x) * G <= y + (1 - g * y) * F, gamma=gamma, x=small, y=large, F=above, G=below,
        )  # fmt: skip
        below, above = small + first * below, large + second * above


def phi_bounds(proof: Derivation, p: Population, gamma: Any, K: int) -> None:
    """phi_mu <= phi_lam <= phi_L, 0 <= K lam - phi_lam <= K L - phi_L, 0 < phi_mu, for 0 < mu, 0 <= gamma <= 1/L."""
    gamma, mu, L = column(gamma), column(p.mu), column(p.L)
    m, x, y, g = reals("m x y gamma")
    proof.leaf("0 < lambda", [m > 0, m <= x], 0 < x, m=mu, x=p.lam)
    proof.leaf("gamma lambda <= 1", [g >= 0, x <= y, g * y <= 1], g * x <= 1, gamma=gamma, x=p.lam, y=L)
    for small, large in ((p.lam, L), (mu, p.lam)):
        powers_fall(proof, gamma, K, small, large)
        phi_grows(proof, gamma, K, small, large)
    rest = np.stack([mu * 0, *((1 - gamma * mu) ** k for k in range(1, K))], -1)
    proof.cross(sums, "the powers after the first", low=rest * 0, high=rest)
    proof.leaf("phi_mu > 0", [m > 0, x >= 0], 0 < m * (1 + x), m=mu, x=rest.sum(axis=-1))


def filter_bounds(proof: Derivation, p: Population, gamma: Any, theta: Theta) -> None:
    """0 < q_L <= q_lam <= q_mu <= sum theta_k for theta_k >= 0, gamma L < 1; q_x = sum theta_k (1 - gamma x)^(k-1)."""
    gamma, mu, L = column(gamma), column(p.mu), column(p.L)
    m, x, y, g = reals("m x y gamma")
    proof.leaf("0 < lambda", [m > 0, m <= x], 0 < x, m=mu, x=p.lam)
    proof.leaf("gamma lambda <= 1", [g >= 0, x <= y, g * y <= 1], g * x <= 1, gamma=gamma, x=p.lam, y=L)
    for small, large in ((p.lam, L), (mu, p.lam)):
        powers_fall(proof, gamma, theta.steps, small, large)
        _filter_falls(proof, p, theta, 1 - gamma * small, 1 - gamma * large)
    _filter_positive(proof, p, theta, 1 - gamma * L, gamma, L)


def _filter_falls(proof: Derivation, p: Population, theta: Theta, first: Any, second: Any) -> None:
    """theta_k b^k <= theta_k a^k <= theta_k term by term, with the powers known."""
    t, a, b = reals("theta p q")
    terms = []
    for k, weight in enumerate(p.nb.number(theta.weights)):
        here = weight + first * 0
        proof.leaf("theta q <= theta p", [t >= 0, b <= a], t * b <= t * a, theta=here, p=first**k, q=second**k)
        proof.leaf("theta p <= theta", [t >= 0, a <= 1], t * a <= t, theta=here, p=first**k)
        terms.append((here * second**k, here * first**k, here))
    low, high, most = (np.stack(np.broadcast_arrays(*side), -1) for side in zip(*terms, strict=True))
    proof.cross(sums, "filters fall", low=low, high=high)
    proof.cross(sums, "filters are at most the sum of theta", low=high, high=most)


def _filter_positive(proof: Derivation, p: Population, theta: Theta, r: Any, gamma: Any, L: Any) -> None:
    """q_L >= (1 - gamma L)^(K-1) sum theta_k > 0."""
    g, y, a, b, t = reals("gamma L p q theta")
    proof.leaf("1 - gamma L > 0", [g * y < 1], 0 < 1 - g * y, gamma=gamma, L=L)
    proof.cross(positive_powers, "(1 - gamma L)^k > 0", base=r, exponents=range(theta.steps))
    terms, last = [], theta.steps - 1
    for k, weight in enumerate(p.nb.number(w) + r * 0 for w in theta.weights):
        proof.leaf("no power is below the last", [a > 0, b <= 1, t >= 0], t * (a * b) <= t * a,
                   theta=weight, p=r**k, q=r ** (last - k))  # fmt: skip
        terms.append((weight * r**last, weight * r**k))
    low, high = (np.stack(side, -1) for side in zip(*terms, strict=True))
    proof.cross(sums, "the least power against the filter", low=low, high=high)
    total = p.nb.number(theta.total) + r * 0
    proof.leaf("q_L > 0", [t > 0, a > 0, t * a <= b], 0 < b, theta=total, p=r**last, q=high.sum(axis=-1))


def quotient_grows(proof: Derivation, a: Any, b: Any, K: int, x: Any, y: Any) -> None:
    """0 <= a <= b, 0 < x <= y, b y < 1: phi_x(a) phi_y(b) <= phi_y(a) phi_x(b).

    With n = K - 1: phi_x(a) (1 - b x)^n <= phi_x(b) (1 - a x)^n and (phi_y(b) - phi_x(b)) (1 - a x)^n <= (phi_y(a) -
    phi_x(a)) (1 - b x)^n, both term by term, as phi_y(a) - phi_x(a) = (y - x) sum_k (1 - a x)^k (1 - a y)^(n-k).
    """
    x, y, n = x + y * 0, y + x * 0, K - 1
    A, B, C, D = 1 - a * x, 1 - b * x, 1 - a * y, 1 - b * y
    _four_bases(proof, a, b, K, x, y)
    proof.cross(powers, "(1 - b x)^k <= (1 - a x)^k", low=B, high=A, exponents=range(K))
    proof.cross(powers, "((1 - a x)(1 - b y))^k <= ((1 - b x)(1 - a y))^k", low=A * D, high=B * C, exponents=range(K))
    proof.cross(powers, "(1 - b y)^k >= 0", low=D, high=B, exponents=range(K))
    proof.cross(powers, "(1 - a x)^k >= 0", low=A, high=A * 0 + 1, exponents=range(K))
    d, s, t, u, v, P, Q = reals("d s t u v P Q")
    order = [d >= 0, s >= 0, t >= 0, u <= v]
    proof.leaf("y - x >= 0", [s <= t], 0 <= t - s, s=x, t=y)
    for k in range(K):
        for width, low, high in ((x, B, A), (y - x, A * D, B * C)):
            proof.leaf("term by term", order, d * s * t * u <= d * s * t * v,
                       d=width, s=A**k, t=B**k, u=low ** (n - k), v=high ** (n - k))  # fmt: skip
        proof.leaf("a term of phi_x(b)", [d >= 0, s >= 0], 0 <= d * s, d=x, s=B**k)
        proof.leaf("a term of phi_y(b) - phi_x(b)", [d >= 0, s >= 0, t >= 0], 0 <= d * s * t,
                   d=y - x, s=B**k, t=D ** (n - k))  # fmt: skip
    first, second = _terms(lambda k: x * A**k, K), _terms(lambda k: x * B**k, K)
    third, fourth = _mixed(y - x, A, C, n), _mixed(y - x, B, D, n)
    P_, Q_ = (A**n)[..., None], (B**n)[..., None]
    proof.cross(sums, "phi_x(a) (1 - b x)^n <= phi_x(b) (1 - a x)^n", low=first * Q_, high=second * P_)
    proof.cross(sums, "the same for phi_y - phi_x", low=fourth * P_, high=third * Q_)
    proof.cross(sums, "phi_x(b) >= 0", low=second * 0, high=second)
    proof.cross(sums, "phi_y(b) >= phi_x(b)", low=fourth * 0, high=fourth)
    proof.leaf(
        "phi_x(a) phi_y(b) <= phi_y(a) phi_x(b)",
        [Q > 0, s * Q <= t * P, v * P <= u * Q, t >= 0, v >= 0], s * (t + v) <= (s + u) * t,
        s=first.sum(axis=-1), t=second.sum(axis=-1), u=third.sum(axis=-1), v=fourth.sum(axis=-1), P=A**n, Q=B**n,
    )  # fmt: skip


def _terms(term: Callable[[int], Any], count: int) -> Any:
    return np.stack([term(k) for k in range(count)], -1)


def _mixed(width: Any, r: Any, s: Any, n: int) -> Any:
    """width r^k s^(n-k), k = 0 .. n: they sum to (r^(n+1) - s^(n+1)) width / (r - s)."""
    return _terms(lambda k: width * r**k * s ** (n - k), n + 1)


def _four_bases(proof: Derivation, a: Any, b: Any, K: int, x: Any, y: Any) -> None:
    """Signs and order of 1 - a x, 1 - b x, 1 - a y, 1 - b y, and (1 - a x)(1 - b y) <= (1 - b x)(1 - a y)."""
    e, f, s, t = reals("a b x y")
    here = {"a": a, "b": b, "x": x, "y": y}
    proof.leaf("b >= 0", [e >= 0, e <= f], 0 <= f, a=a, b=b)
    proof.leaf("1 - b y > 0", [f * t < 1], 0 < 1 - f * t, b=b, y=y)
    proof.leaf("1 - b y <= 1 - b x", [f >= 0, s <= t], 1 - f * t <= 1 - f * s, b=b, x=x, y=y)
    proof.leaf("1 - b x <= 1 - a x", [e <= f, s > 0], 1 - f * s <= 1 - e * s, a=a, b=b, x=x)
    proof.leaf("1 - a x <= 1", [e >= 0, s > 0], 1 - e * s <= 1, a=a, x=x)
    proof.leaf("1 - b x > 0", [e > 0, e <= f], 0 < f, a=1 - b * y, b=1 - b * x)
    proof.leaf("1 - a x > 0", [e > 0, e <= f], 0 < f, a=1 - b * x, b=1 - a * x)
    proof.leaf("(1 - a x) (1 - b y) >= 0", [e > 0, f > 0], 0 < e * f, a=1 - a * x, b=1 - b * y)
    proof.leaf("(1 - a x) (1 - b y) <= (1 - b x) (1 - a y)", [e <= f, s <= t],
               (1 - e * s) * (1 - f * t) <= (1 - f * s) * (1 - e * t), **here)  # fmt: skip
    proof.cross(positive_powers, "(1 - b x)^k > 0", base=1 - b * x, exponents=range(K))


def phi_per_eigenvalue(proof: Derivation, gamma: Any, K: int, small: Any, large: Any) -> None:
    """With the powers known: sum_k (1 - gamma y)^k <= sum_k (1 - gamma x)^k, so phi_y / y <= phi_x / x."""
    first, second = 1 - gamma * small, 1 - gamma * large
    low, high = _terms(lambda k: second**k, K), _terms(lambda k: first**k, K)
    proof.cross(sums, "phi_y / y <= phi_x / x", low=low, high=high)


def drop_grows(proof: Derivation, a: Any, b: Any, K: int, x: Any, y: Any) -> None:
    """0 <= a <= b, 0 < x <= y, b y <= 1: 0 <= phi_x(a) - phi_x(b) <= phi_y(a) - phi_y(b).

    (phi_y - phi_x)(a) = (y - x) sum_k (1 - a x)^k (1 - a y)^(n-k), n = K - 1: each factor falls with a.
    """
    n = K - 1
    x, y = x + y * 0, y + x * 0
    A, B, C, D = 1 - a * x, 1 - b * x, 1 - a * y, 1 - b * y
    e, f, s, t, u, v, d = reals("a b s t u v d")
    for width, large, small in ((x, A, B), (y, C, D)):
        proof.leaf("1 - b x <= 1 - a x", [e <= f, s > 0], 1 - f * s <= 1 - e * s, a=a, b=b, s=width)
        proof.leaf("1 - b x >= 0", [0 <= f, s <= t, f * t <= 1], 0 <= 1 - f * s, b=b, s=width, t=y)
        proof.cross(powers, "(1 - b x)^k <= (1 - a x)^k", low=small, high=large, exponents=range(K))
    proof.leaf("y - x >= 0", [s <= t], 0 <= t - s, s=x, t=y)
    for k in range(K):
        order = [d >= 0, 0 <= s, s <= t, 0 <= u, u <= v]
        proof.leaf("term by term", order, d * s * u <= d * t * v,
                   d=y - x, s=B**k, t=A**k, u=D ** (n - k), v=C ** (n - k))  # fmt: skip
        proof.leaf("x (1 - b x)^k <= x (1 - a x)^k", [d > 0, s <= t], d * s <= d * t, d=x, s=B**k, t=A**k)
    low, high = _mixed(y - x, B, D, n), _mixed(y - x, A, C, n)
    proof.cross(sums, "phi_y - phi_x falls with gamma", low=low, high=high)
    below, above = _terms(lambda k: x * B**k, K), _terms(lambda k: x * A**k, K)
    proof.cross(sums, "phi_x falls with gamma", low=below, high=above)
    proof.leaf("phi_x(b) <= phi_x(a)", [s <= t], 0 <= t - s, s=below.sum(axis=-1), t=above.sum(axis=-1))
    proof.leaf("the drop grows", [u <= v], t - s <= (t + v) - (s + u),
               s=below.sum(axis=-1), t=above.sum(axis=-1), u=low.sum(axis=-1), v=high.sum(axis=-1))  # fmt: skip


def bernoulli(proof: Derivation, nb: Any, z: Any, K: int) -> None:
    """With 1 - z >= 0 known: 1 - k z <= (1 - z)^k for k = 0 .. K, and the sum of it over k < K."""
    t, n, P = reals("z k P")
    proof.leaf("(1 - z)^0 >= 1", [], 1 - 0 * t <= 1 + 0 * t, z=z)
    for k in range(K):
        proof.setting("k >= 0", k, 0)
        so_far = [1 - n * t <= P, 0 <= 1 - t, n >= 0]
        proof.leaf("Bernoulli: (1 - z)^k >= 1 - k z", so_far, 1 - (n + 1) * t <= P * (1 - t),
                   z=z, k=nb.number(k), P=(1 - z) ** k)  # fmt: skip
    low, high = _terms(lambda k: 1 - k * z, K), _terms(lambda k: (1 - z) ** k, K)
    proof.cross(sums, "sum_(k<K) (1 - z)^k >= K - K (K - 1)/2 z", low=low, high=high)


def rates_in_order(proof: Derivation, p: Population, low: Any, high: Any) -> None:
    """0 <= gamma_1 <= gamma_2 < 1/L: gamma_2 >= 0, gamma_1 L < 1 and 0 < lambda."""
    a, b, m, x, y = reals("a b m x y")
    proof.leaf("gamma_2 >= 0", [0 <= a, a <= b], 0 <= b, a=low, b=high)
    proof.leaf("lambda > 0", [m > 0, m <= x], 0 < x, m=column(p.mu), x=p.lam)
    proof.leaf("L > 0", [m > 0, m <= x], 0 < x, m=p.lam, x=column(p.L))
    proof.leaf("gamma_1 L < 1", [a <= b, b * y < 1, y > 0], a * y < 1, a=low, b=high, y=p.L)
    proof.leaf("gamma_2 lambda < 1", [0 <= b, x <= y, b * y < 1], b * x < 1, b=column(high), x=p.lam, y=column(p.L))


def last_eigenvalue_grows(proof: Derivation, p: Population, gamma: Any, K: int) -> None:
    """0 < mu (1 - gamma mu)^(K-1) <= lam (1 - gamma lam)^(K-1) <= L (1 - gamma L)^(K-1), for K gamma L < 1."""
    gamma, mu, L = column(gamma), column(p.mu), column(p.L)
    g, m, n, x, y = reals("gamma m K x y")
    proof.setting("K >= 1", K, 1)
    count = p.nb.number(K)
    proof.leaf("0 < lambda", [m > 0, m <= x], 0 < x, m=mu, x=p.lam)
    for small, large in ((mu, p.lam), (p.lam, L)):
        last_grows(proof, gamma, K, count, small, large, L)
    proof.leaf("1 - gamma mu > 0", [0 < x, x <= y, g >= 0, n >= 1, g * y * n < 1], 0 < 1 - g * x,
               gamma=gamma, K=count, x=mu, y=L)  # fmt: skip
    proof.cross(positive_powers, "(1 - gamma mu)^k > 0", base=1 - gamma * mu, exponents=range(K))
    proof.leaf("mu (1 - gamma mu)^(K-1) > 0", [x > 0, y > 0], 0 < x * y, x=mu, y=(1 - gamma * mu) ** (K - 1))


def last_grows(proof: Derivation, gamma: Any, K: int, count: Any, x: Any, y: Any, L: Any) -> None:
    """x (1 - gamma x)^n <= y (1 - gamma y)^n, n = K - 1: with a = 1 - gamma x, n gamma y <= a and

    a^n - (1 - gamma y)^n = gamma (y - x) S, S = sum_(j<n) a^j (1 - gamma y)^(n-1-j) <= n a^(n-1).
    """
    g, k, s, t, top, u, v = reals("gamma K s t L u v")
    here = {"gamma": gamma, "K": count, "s": x, "t": y, "L": L}
    below = [g >= 0, k >= 1, s <= t, t <= top, s > 0]
    proof.leaf("1 - gamma y >= 0", [*below, g * top * k < 1], 0 <= 1 - g * t, **here)
    proof.leaf("1 - gamma y <= 1 - gamma x", [g >= 0, s <= t], 1 - g * t <= 1 - g * s, gamma=gamma, s=x, t=y)
    proof.leaf("n gamma y <= 1 - gamma x", [*below, g * top * k < 1], (k - 1) * g * t <= 1 - g * s, **here)
    a, b, n = 1 - gamma * x, 1 - gamma * y, K - 1
    if n == 0:
        return  # x <= y
    proof.leaf("1 - gamma x >= 0", [0 <= u, u <= v], 0 <= v, u=b, v=a)
    proof.leaf("1 - gamma x <= 1", [g >= 0, s > 0], 1 - g * s <= 1, gamma=gamma, s=x)
    proof.cross(powers, "(1 - gamma y)^k <= (1 - gamma x)^k", low=b, high=a, exponents=range(K))
    proof.cross(powers, "(1 - gamma x)^k >= 0", low=a, high=a * 0 + 1, exponents=range(K))
    for j in range(n):
        proof.leaf("term by term", [s >= 0, u <= v], s * u <= s * v, s=a**j, u=b ** (n - 1 - j), v=a ** (n - 1 - j))
    terms = _terms(lambda j: a**j * b ** (n - 1 - j), n)
    proof.cross(sums, "S <= n (1 - gamma x)^(n-1)", low=terms, high=_terms(lambda _: a ** (n - 1), n))
    proof.leaf(
        "gamma y S <= (1 - gamma x)^n",
        [g >= 0, t > 0, u >= 0, s <= (k - 1) * u, (k - 1) * g * t <= v], g * t * s <= v * u,
        gamma=gamma, t=y, K=count, s=terms.sum(axis=-1), u=a ** (n - 1), v=a,
    )  # fmt: skip
    proof.leaf("x (1 - gamma x)^n <= y (1 - gamma y)^n", [s <= t, g * t * u <= v], s * v <= t * (v - g * (t - s) * u),
               gamma=gamma, s=x, t=y, u=terms.sum(axis=-1), v=a**n)  # fmt: skip


def filter_at_least(proof: Derivation, nb: Any, z: Any, x: Any, K: int) -> None:
    """sum_(k<K) (1 - z)^k > 0 is at least K e^-x, for 0 <= z <= 1 and K z <= x (Lemma 18).

    With y = e^-z: y (1 + z) <= 1, so that S_(k+1) = 1 + (1 - z) S_k stays above Z_(k+1) = y (1 + Z_k) = y + y^2 + ...:
    (y - 1 + z) S_k <= z (1 - y) S_k <= 1 - y.
    """
    Z, S, t, y, q, e, f, n = reals("Z S z y q e f K")
    count, r, low, high = nb.number(K), 1 - z, nb.exp(-z), nb.exp(z)
    proof.leaf("z <= K z", [t >= 0, n >= 1], t <= n * t, z=z, K=count)
    proof.leaf("-z <= 0", [t >= 0], -t <= 0 * t, z=z)
    proof.cross(exponential, "e^z >= 1 + z", nb=nb, x=z, y=count * z)
    proof.cross(exponential, "e^-z <= 1", nb=nb, x=-z, y=z * 0)
    proof.cross(exponential, "e^(K z) <= e^x", nb=nb, x=count * z, y=x)
    proof.leaf("e^-z (1 + z) <= 1", [1 + t <= e, y * e == 1, y > 0], y * (1 + t) <= 1, z=z, e=high, y=low)
    proof.leaf("1 - z >= 0", [t <= 1], 0 <= 1 - t, z=z)
    proof.leaf("1 - z <= 1", [t >= 0], 1 - t <= 1, z=z)
    proof.cross(powers, "(1 - z)^k >= 0", low=r, high=z * 0 + 1, exponents=range(K + 1))
    proof.cross(powers, "y^k <= 1", low=low, high=z * 0 + 1, exponents=range(K + 1))
    total, below = z * 0 + 1, low
    for k in range(1, K):
        terms = _terms(lambda j: r**j, k)
        proof.cross(sums, "S_k >= 0", low=terms * 0, high=terms)
        proof.cross(geometric_sum, "z S_k = 1 - (1 - z)^k", ratio=r, count=k)
        proof.leaf("z S_k <= 1", [t * S == 1 - q, q >= 0], t * S <= 1, z=z, S=total, q=r**k)
        proof.leaf(
            "Z_(k+1) <= S_(k+1)", [Z <= S, t * S <= 1, S >= 0, y >= 0, y <= 1, y * (1 + t) <= 1],
            y * (1 + Z) <= 1 + (1 - t) * S, Z=below, S=total, z=z, y=low,
        )  # fmt: skip
        total, below = 1 + r * total, low * (1 + below)
    for k in range(1, K + 1):
        proof.leaf("y^K <= y^k", [e >= 0, f <= 1], e * f <= e, e=low**k, f=low ** (K - k))
    proof.cross(sums, "K y^K <= Z_K", low=_terms(lambda _: low**K, K), high=_terms(lambda k: low ** (k + 1), K))
    proof.leaf("K e^-(K z) <= S_K", [n * y <= Z, Z <= S], n * y <= S, K=count, y=low**K, Z=below, S=total)
    proof.leaf(
        "K <= e^(K z) S_K", [n * y <= S, e > 0, e * y == 1], n <= S * e, K=count, y=low**K, S=total, e=nb.exp(count * z)
    )
    rest = np.stack([z * 0, *(r**k for k in range(1, K))], -1)
    proof.cross(sums, "the powers after the first", low=rest * 0, high=rest)
    proof.leaf("S_K > 0", [S >= 0], 0 < 1 + S, S=rest.sum(axis=-1))
    proof.leaf(
        "K <= e^x S_K", [n <= S * e, e <= f, S > 0], n <= S * f, K=count, S=total, e=nb.exp(count * z), f=nb.exp(x)
    )

"""Lines that derivations on LA's SGD clients share: powers of 1 - eta mu, variances, and the induction after (68)."""

from theorems.bridges import geometric_sum, larger, powers, sums
from theorems.local_adaptivity.common_sgd import DECAY, WITHIN, gap, mended, mended_domain, round_variance
from theorems.vocabulary import *


def kept_powers(proof: Derivation, z: Numbers, count: int) -> None:
    """0 <= (1 - z)^j <= 1 for j = 0 .. count, of 0 < z < 1."""
    a = reals("a")
    proof.leaf("1 - z >= 0", [a < 1], 0 <= 1 - a, a=z)
    proof.leaf("1 - z <= 1", [0 < a], 1 - a <= 1, a=z)
    proof.cross(powers, "of 1 - z", low=1 - z, high=z * 0 + 1, exponents=range(count + 1))


def spread(proof: Derivation, nb: Any, z: Numbers, tau: int) -> Any:
    """S = sum_{j < tau} (1 - z)^(2j) <= tau, for what ``kept_powers`` knows; S."""
    terms = np.stack([(1 - z) ** (2 * j) for j in range(tau)], -1)
    proof.cross(sums, "the variances of tau steps", low=terms, high=terms * 0 + 1)
    return nb.geometric(1 - (1 - z) ** 2, tau)


def mean_contracts(proof: Derivation, alpha: Numbers, r: Numbers, k: Numbers) -> None:
    """((1 - alpha) + alpha k)^2 r <= ((1 - alpha) + alpha k^2) r."""
    a, b, c = reals("a b c")
    proof.leaf(
        "(56)", [0 <= a, a <= 1, 0 <= b], ((1 - a) + a * c) ** 2 * b <= ((1 - a) + a * c**2) * b, a=alpha, b=r, c=k
    )


Below = Callable[[Derivation, Instance], None]


def claim(says: str, latex: str, bound: Callable[[Any], Any], below: Below, **options: Any) -> Claim:
    """The bound with beta >= 2/a, as ``mended``; ``below`` derives 4 N/a^2 <= bound."""
    return Claim(
        says,
        latex,
        mended(bound),
        domain=mended_domain(**options),
        given=(*DECAY, *WITHIN) if options.get("within") else DECAY,
        derive=lambda proof, s: decaying_rates(proof, s, bound(s), below),
    )


def decaying_rates(proof: Derivation, s: Instance, bound: Numbers, below: Below) -> None:
    """E|x^(T) - x~|^2 <= max(beta r_0, B)/(T + beta), beta = 2/(a share), B the bound."""
    z, a, nb = s.eta * s.mu, gap(s), s.nb
    kept_powers(proof, z, 2 * s.tau)
    positive_gap(proof, s, z)
    N, v, beta = s.eta**2 * s.sigma2 * s.tau / s.M, round_variance(s), 2 / (a * s.share)
    A, b, c, n, p, q, r, t, x, y, W, V = reals("A b c n p q r t x y W V")
    S = spread(proof, nb, z, s.tau)
    proof.setting("M >= 1", s.M, 1)
    proof.leaf(
        "the variance of the mean", [x <= t, 0 < y, n >= 1], q**2 * y * x / n <= q**2 * y * t / n,
        x=S, t=nb.number(s.tau), y=s.sigma2, n=nb.number(s.M), q=s.eta,
    )  # fmt: skip
    proof.setting("tau >= 1", s.tau, 1)
    below(proof, s)
    top = nb.maximum(beta * s.start, bound)
    proof.cross(larger, "V", nb=nb, x=beta * s.start, y=bound)
    proof.leaf("4 N/a^2 <= V", [W <= b, b <= V], W <= V, W=4 * N / a**2, b=bound, V=top)
    proof.leaf("beta >= 2/a", [0 < A, 0 < c, c <= 1], 2 / A <= 2 / (A * c), A=a, c=s.share)
    proof.leaf("beta >= 2", [0 < A, A <= 1, 2 / A <= b], 2 <= b, A=a, b=beta)
    proof.leaf("V > 0", [2 <= b, 0 < x, b * x <= V], 0 < V, b=beta, x=s.start, V=top)
    proof.leaf("at the start", [b * x <= V, 2 <= b], x <= V / b, x=s.start, b=beta, V=top)
    proof.leaf("r_0 >= 0", [0 < x], 0 <= x, x=s.start)
    proof.leaf("the variance is not negative", [0 < y, 0 <= x, n >= 1], 0 <= q**2 * y * x / n,
               y=s.sigma2, x=S, n=nb.number(s.M), q=s.eta)  # fmt: skip
    now, pull, k = s.start, z * nb.geometric(z, s.tau), (1 - z) ** s.tau
    for round_ in range(s.T):
        m = round_ + beta
        alpha = 2 / (a * m)
        proof.setting("t >= 0", round_, 0)
        proof.leaf("t + beta >= 2", [2 <= b, t >= 0], 2 <= t + b, b=beta, t=nb.number(round_))
        proof.leaf("alpha >= 0", [0 < A, 2 <= n], 0 <= 2 / (A * n), A=a, n=m)
        proof.leaf("alpha <= 1", [0 < A, 2 / A <= b, t >= 0], 2 / (A * (t + b)) <= 1, A=a, b=beta, t=nb.number(round_))
        proof.leaf("(61)", [p == 1 - q, A == 1 - q * q, 0 <= x, x <= 1], (1 - x * p) ** 2 <= 1 - x * A,
                   p=pull, q=k, A=a, x=alpha)  # fmt: skip
        proof.leaf("alpha a = 2/(t + beta)", [0 < A, 2 <= n], 1 - 2 / (A * n) * A == 1 - 2 / n, A=a, n=m)
        proof.leaf("what is kept", [x <= y, y == 1 - 2 / n, 2 <= n, 0 <= r], x * r <= (1 - 2 / n) * r,
                   x=(1 - alpha * pull) ** 2, y=1 - alpha * a, n=m, r=now)  # fmt: skip
        proof.leaf("the noise", [x <= y, 0 < A, 2 <= n], (2 / (A * n)) ** 2 * x <= 4 * y / A**2 / n**2,
                   x=v, y=N, A=a, n=m)  # fmt: skip
        proof.leaf("(69) to (71)", [r <= V / n, 2 <= n, W <= V, 0 < V], (1 - 2 / n) * r + W / n**2 <= V / (n + 1),
                   r=now, V=top, n=m, W=4 * N / a**2)  # fmt: skip
        after = (1 - alpha * pull) ** 2 * now + alpha**2 * v
        proof.leaf("a round", [x <= y, p <= q, y + q <= t], x + p <= t, x=(1 - alpha * pull) ** 2 * now,
                   y=(1 - 2 / m) * now, p=alpha**2 * v, q=4 * N / a**2 / m**2, t=top / (m + 1))  # fmt: skip
        for part, factor in ((now, 1 - alpha * pull), (v, alpha)):
            proof.leaf("a square times it", [0 <= r], 0 <= c * c * r, r=part, c=factor)
        proof.leaf("not negative", [0 <= x, 0 <= y], 0 <= x + y, x=(1 - alpha * pull) ** 2 * now, y=alpha**2 * v)
        now = after


def positive_gap(proof: Derivation, s: Instance, z: Numbers) -> None:
    """a = 1 - (1 - z)^(2 tau) = z sum (1 - z)^j, z <= a <= 1, and the pull 1 - (1 - z)^tau; 0 <= sum (1 - z)^(2j)."""
    count = 2 * s.tau
    terms = np.stack([(1 - z) ** j for j in range(count)], -1)
    first = np.stack([z * 0 + 1] + [z * 0] * (count - 1), -1)
    proof.cross(geometric_sum, "the pull", ratio=1 - z, count=s.tau)
    proof.cross(sums, "at least the first", low=first, high=terms)
    even = np.stack([(1 - z) ** (2 * j) for j in range(s.tau)], -1)
    proof.cross(sums, "squares", low=even * 0, high=even)
    below_1(proof, s, z)
    a, x, S = reals("a x S")
    proof.leaf("a >= z", [0 < x, 1 <= S], x <= x * S, x=z, S=s.nb.geometric(z, count))
    proof.leaf("a > 0", [0 < x, x <= a], 0 < a, x=z, a=gap(s))


def below_1(proof: Derivation, s: Instance, z: Numbers) -> None:
    """a = 1 - (1 - z)^(2 tau) <= 1."""
    a, p = reals("a p")
    proof.cross(geometric_sum, "a", ratio=1 - z, count=2 * s.tau)
    proof.leaf("a <= 1", [a == 1 - p, 0 <= p], a <= 1, a=gap(s), p=(1 - z) ** (2 * s.tau))

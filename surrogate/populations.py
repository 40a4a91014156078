"""Random populations of clients with prescribed mu, L, sigma_A and sigma_c (OLR Assumptions 2 and 3)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from surrogate._types import Array, Numbers, Scalar
from surrogate.clients import AnyClients
from surrogate.kit import checks
from surrogate.kit.errors import problem
from surrogate.linear import FLOAT64
from surrogate.quadratics import Quadratics

__all__ = ["random_population"]

_BYTES = {False: (40, 600), True: (1000, 1000)}  # an entry of A, a client: peaks of this function, by ``exact``
_GRAIN = 64  # exact populations draw multiples of 1/64
_DENOMINATOR = 10**12  # and solve for sigma_A and sigma_c to 12 digits


def random_population(
    seed: int,
    n: int,
    d: int,
    mu: float | Fraction | str = 0.1,
    L: float | Fraction | str = 1.0,
    sigma_A: float | None = None,
    sigma_c: float | None = None,
    weights: Sequence[float] | Array | None = None,
    exact: bool = False,
) -> AnyClients:
    r"""Random quadratic clients with the given constants ``mu``, ``L``, ``sigma_A`` and ``sigma_c``.

    ``seed``: of the draw; ``n`` clients in ``d`` dimensions.
    ``mu`` and ``L``: the smallest and largest eigenvalue of any client. ``sigma_A``, ``sigma_c``: None takes what the
    draw brings. ``weights`` (n,): uniform unless given. The Hessians lie on a path of two segments,

        equal clients  ->  random spectra and frames  ->  clients as different as can be,

    on which client 0 keeps an eigenvalue mu and an eigenvalue L (in one dimension client 0 is L, the last client mu),
    so that both are attained all along. ``sigma_A`` is a norm of the differences ``A_i - A``, so it is convex on each
    segment; the path starts at its least value, so a value between the ends is met where it rises, and found to 1e-10.

    What is possible: sigma_A >= 0 (in one dimension, what one client at L and one at mu force), and
    ``sigma_A <= (L - mu) (sum_i w_i (1 - w_i)^2)^(1/2)``, for ``A_i - A = (1 - w_i)(A_i - mean of the others)``.
    The end of the path attains this for d >= n: client i is L on an axis of its own, mu elsewhere. With fewer axes than
    clients they take turns, and the path may end short of what some other population reaches; an error says so.

    ``exact``: rational frames (Cayley), spectra, minimizers: mu and L are exact, the sigmas right to 1e-10.

    >>> clients = random_population(seed=1, n=5, d=3, mu=0.1, L=1, sigma_A=0.3, sigma_c=2)
    >>> [float(round(v, 10)) for v in (clients.mu, clients.L, clients.sigma_A, clients.sigma_c)]
    [0.1, 1.0, 0.3, 2.0]
    """
    _check_sizes(n, d, exact)
    if exact and weights is not None:
        from surrogate.exact.linear import FMPQ

        weights = FMPQ.weights(weights, n)
    shares = FLOAT64.weights(weights, n)
    draw = _Draw(np.random.default_rng(seed), n, d, *_extremes(mu, L, n, d), shares, exact)
    A = draw.hessians(sigma_A)
    c = draw.minimizers(sigma_c)
    if not exact:
        return Quadratics(A, c, shares)
    from surrogate import exact as rationals

    return rationals.Quadratics(A.tolist(), c.tolist(), None if weights is None else list(weights))


class _Draw:
    """One random draw, in float64 or in Fractions (object arrays); ``mu`` and ``L`` are of that kind."""

    def __init__(
        self, rng: np.random.Generator, n: int, d: int, mu: Fraction, L: Fraction, weights: Array, exact: bool
    ) -> None:
        self.rng, self.n, self.d, self.weights, self.exact = rng, n, d, weights, exact
        self.mu: Scalar = mu if exact else float(mu)
        self.L: Scalar = L if exact else float(L)

    def hessians(self, target: float | None) -> Numbers:
        """A (n, d, d)."""
        frame = self._frame()
        random = self._random(frame)
        if target is None:
            return random
        equal, different = self._equal(random), self._different(frame)
        least, middle, most = (self._sigma(A) for A in (equal, random, different))
        least = least if self.d == 1 else 0.0  # equal clients, without the rounding of their mean
        _check_sigma_A(target, least, most, self)
        if target <= least:
            return equal
        if target >= most:
            return different
        if target <= middle and self.d > 1:  # from equal clients on, all differences grow in proportion
            return equal + self._number(target / middle) * (random - equal)
        return self._between(equal, random, target) if target <= middle else self._between(random, different, target)

    def _random(self, frame: Numbers) -> Numbers:
        """Client 0 in ``frame`` with mu first and L last; the others in random frames, their eigenvalues uniform."""
        u = self._numbers(self.rng.random((self.n, self.d)))
        u[0, 0], u[0, -1] = 0, 1
        if self.d == 1 and self.n > 1:
            u[-1] = 0
        frames = [frame] + [self._frame() for _ in range(self.n - 1)]
        return np.stack([_turned(V, self._between_extremes(row)) for V, row in zip(frames, u, strict=True)])

    def _equal(self, random: Numbers) -> Numbers:
        """All clients as client 0; in one dimension the others where they add nothing to the variance of mu and L."""
        if self.d > 1 or self.n == 1:
            return np.stack([random[0]] * self.n)
        ends = float(self.weights[0] + self.weights[-1])
        share = self._number(float(self.weights[0]) / ends if ends else 0.5)
        u = np.array([share] * self.n, dtype=random.dtype)
        u[0], u[-1] = 1, 0
        return self._between_extremes(u).reshape(self.n, 1, 1)

    def _different(self, frame: Numbers) -> Numbers:
        """mu plus L - mu on one axis of ``frame`` for each of the first m clients, who take turns; the best m."""
        candidates = []
        for m in range(1, self.n + (self.d > 1)):
            u = np.zeros((self.n, self.d), dtype=object if self.exact else float)
            for i in range(m):
                u[i, (self.d - 1 - i) % self.d] = 1  # client 0 on the last axis, where it is L anyhow
            spread = float(self._variance_of_projections(u.astype(float)))
            candidates.append((spread, m, u))
        if not candidates:  # one client in one dimension
            return self._between_extremes(np.array([[1]], dtype=object if self.exact else float)).reshape(1, 1, 1)
        u = max(candidates, key=lambda candidate: candidate[:2])[2]
        return np.stack([_turned(frame, self._between_extremes(row)) for row in u])

    def _variance_of_projections(self, u: Array) -> float:
        """sum_i w_i ||P_i - P||^2 of diagonal P_i = diag(u_i)."""
        return float(self.weights @ np.abs(u - self.weights @ u).max(axis=1) ** 2)

    def _between(self, start: Numbers, end: Numbers, target: float) -> Numbers:
        """The population between the two with sigma_A at the target; theirs lie on either side."""
        from scipy.optimize import brentq

        if self._sigma(end) <= target:
            return end
        low, high = np.array(start, dtype=float), np.array(end, dtype=float)
        share = self._number(brentq(lambda s: self._sigma(low + s * (high - low)) - target, 0.0, 1.0, xtol=1e-15))
        return start + share * (end - start)

    def _sigma(self, A: Numbers) -> float:
        """sigma_A (OLR Assumption 3) in float64."""
        floats = np.array(A, dtype=float)
        apart = np.linalg.eigvalsh(floats - np.tensordot(self.weights, floats, 1))
        return float(np.sqrt(self.weights @ np.abs(apart).max(axis=1) ** 2))

    def minimizers(self, target: float | None) -> Numbers:
        """c (n, d): normal draws about a random point, scaled to sigma_c."""
        centre = self._numbers(self.rng.normal(size=self.d))
        offsets = self._numbers(self.rng.normal(size=(self.n, self.d)))
        if target is None:
            return centre + offsets
        _check_sigma_c(target, self.n)
        if target == 0:
            return np.stack([centre] * self.n)
        floats = offsets.astype(float)
        spread = np.sqrt(self.weights @ ((floats - self.weights @ floats) ** 2).sum(axis=1))
        return centre + offsets * self._number(target / spread)

    def _between_extremes(self, u: Numbers) -> Numbers:
        return np.asarray(self.mu + (self.L - self.mu) * u)

    def _number(self, value: float) -> float | Fraction:
        return Fraction(value).limit_denominator(_DENOMINATOR) if self.exact else value

    def _numbers(self, values: Array) -> Numbers:
        """The draws themselves, or rounded to multiples of 1/64."""
        if not self.exact:
            return values
        return np.asarray(np.vectorize(lambda v: Fraction(round(v * _GRAIN), _GRAIN), otypes=[object])(values))

    def _frame(self) -> Numbers:
        """A random orthogonal matrix; if rational, (I - S)(I + S)^-1 of a random skew S (Cayley)."""
        if not self.exact:
            Q, R = np.linalg.qr(self.rng.normal(size=(self.d, self.d)))
            return np.asarray(Q * np.sign(np.diag(R)))
        from flint import fmpq, fmpq_mat

        half = np.triu(self.rng.integers(-8, 9, size=(self.d, self.d)), 1)
        S = [fmpq(int(k), 8) for k in (half - half.T).ravel()]
        unit = fmpq_mat(self.d, self.d, [fmpq(int(i == j)) for i in range(self.d) for j in range(self.d)])
        skew = fmpq_mat(self.d, self.d, S)
        V = (unit - skew) * (unit + skew).inv()
        flat = [Fraction(int(q.p), int(q.q)) for q in V.entries()]
        return np.array(flat, dtype=object).reshape(self.d, self.d)


def _turned(V: Numbers, spectrum: Numbers) -> Numbers:
    A = (V * spectrum) @ V.T
    return np.asarray((A + A.T) / 2)


def _check_sizes(n: int, d: int, exact: bool) -> None:
    for name, value in (("n", n), ("d", d)):
        checks.whole(value, name, 1, "a whole number >= 1", "an empty population", "ask for at least one")
    entry, client = _BYTES[exact]
    checks.memory(f"{n:,} clients in {d:,} dimensions", float(n) * (client + entry * float(d) ** 2))


def _extremes(mu: float | Fraction | str, L: float | Fraction | str, n: int, d: int) -> tuple[Fraction, Fraction]:
    """mu and L as Fractions, with 0 < mu <= L, and mu = L where there is only one eigenvalue in all."""
    try:
        low, high = Fraction(mu), Fraction(L)
    except (TypeError, ValueError, OverflowError, ZeroDivisionError):
        raise problem(
            "mu, L", f"{mu!r}, {L!r}", "two finite numbers, or strings like '1/3'", "a slip of the pen", "correct them"
        ) from None
    if not 0 < low <= high:
        raise problem("mu, L", f"{mu}, {L}", "0 < mu <= L", "the two in the wrong order", "swap them")
    if n == d == 1 and low != high:
        raise problem(
            "mu, L", f"{mu}, {L}", "mu = L", "one client in one dimension has one eigenvalue", "take n >= 2 or d >= 2"
        )
    return low, high


def _check_sigma_A(target: float, least: float, most: float, draw: _Draw) -> None:
    slack = 1e-11 * float(draw.L)  # of the interval as printed
    if least - slack <= target <= most + slack:
        return
    bound = float(draw.L - draw.mu) * float(np.sqrt(draw.weights @ (1 - draw.weights) ** 2))
    proved = "no population goes further" if most >= bound - slack else f"no population goes beyond {bound:.6g}"
    if draw.d == 1 and np.ptp(draw.weights) == 0:
        proved = "no population goes further"
    if draw.n == 1:
        cause, fix = "a spread asked of one client", "leave sigma_A out, or ask for n >= 2"
    elif target < least:
        cause = "a sign slip" if target < 0 else "in one dimension a client at mu and one at L already differ by more"
        fix = "ask for more, or take d >= 2, where equal clients can attain mu and L"
    else:
        cause = "Hessians between mu I and L I that cannot differ by so much"
        fix = "ask for less, widen [mu, L], or take more dimensions (d >= n reaches furthest)"
    raise problem(
        "sigma_A",
        target,
        f"a number in [{least:.12g}, {most:.12g}] for n = {draw.n}, d = {draw.d}, mu = {float(draw.mu):g}, "
        f"L = {float(draw.L):g} ({proved})",
        cause,
        fix,
    )


def _check_sigma_c(target: float, n: int) -> None:
    if not (target >= 0 and np.isfinite(target)) or (n == 1 and target > 0):
        raise problem(
            "sigma_c",
            target,
            "0" if n == 1 else "a finite number >= 0",
            "a spread asked of one client" if n == 1 else "a sign slip",
            "leave sigma_c out, or ask for n >= 2" if n == 1 else "pass a number >= 0",
        )

"""OLR section 7 in d = 1, exactly: first two moments of x_t under client sampling and gradient noise.

Assumption 4 bounds the noise for ALL x, which forces A_z = A_i: examples of a client differ in c_z alone, and the noise
of a gradient is independent of x. Client i's two examples c_i -+ s_i / lam_i give noise of variance s_i^2, G = max s_i.
Its answer from x is q_i = phi_i (x - c_i) + noise_i with Var noise_i = (s_i^2 / B) sum_{j<K} (1 - gamma lam_i)^(2j).
The server hears M clients drawn independently (M >= 1), or all of them by weight (M = 0).
"""

from dataclasses import dataclass
from functools import partial

from surrogate import bounds
from theorems.outsized.common import phis
from theorems.vocabulary import *

ROUNDS = 6  # trajectories are judged at each of these rounds


def with_noise(cursor: Cursor, n: int, K: int, M: int, noise: int, B: int = 1, weighted: bool = True) -> Instance:
    """Clients in d = 1, gradient noise s_i in [0, 1] (none if noise = 0), M sampled clients (0: all), batches of B."""
    p = clients(cursor, n, 1, weighted=weighted)
    s = [cursor.take() if noise else p.mu * 0 for _ in range(n)]
    return Instance(p=p, nb=p.nb, noise=s, K=K, M=M, B=B, theta=Theta.sum(K))


@dataclass(frozen=True)
class Round:
    """One round around the point y: q = slope e - drive + noise with e = x - y; per client (..., n)."""

    slope: Any
    drive: Any
    noise: Any
    w: Any
    M: int

    def mean(self, e: Scalar) -> Any:
        """E q at e: the surrogate's gradient."""
        return self._average(self.slope) * e - self._average(self.drive)

    def second(self, e: Scalar, e2: Scalar) -> Any:
        """E q^2, given E e and E e^2."""
        a, b = self._average(self.slope), self._average(self.drive)
        gradient = a * a * e2 - 2 * a * b * e + b * b
        if self.M == 0:
            return gradient + (self.w * self.w * self.noise).sum(axis=-1)
        single = self._average(self.slope**2) * e2 - 2 * self._average(self.slope * self.drive) * e
        single = single + self._average(self.drive**2 + self.noise)
        return single / self.M + gradient * (self.M - 1) / self.M

    def variance(self, e: Numbers) -> Any:
        """Var q at a fixed e, without cancellation."""
        if self.M == 0:
            return (self.w * self.w * self.noise).sum(axis=-1)
        answers = self.slope * e[..., None] - self.drive
        off = answers - self._average(answers)[..., None]
        return self._average(off * off + self.noise) / self.M

    def advance(self, e: Scalar, e2: Scalar, eta: Scalar) -> tuple[Any, Any]:
        """(E e, E e^2) after x <- x - eta q."""
        a, b = self._average(self.slope), self._average(self.drive)
        return e - eta * self.mean(e), e2 - 2 * eta * (a * e2 - b * e) + eta * eta * self.second(e, e2)

    def _average(self, values: Scalar) -> Any:
        return (self.w * values).sum(axis=-1)


def law(s: Instance, gamma: Any, y: Any) -> Round:
    """The round at client rate gamma, around y (batch,)."""
    p, nb = s.p, s.p.nb
    slope = p.filtered(gamma, s.theta)[..., 0]
    z = gamma[..., None] * p.lam[..., 0]
    spread = np.stack(s.noise, -1)
    noise = spread * spread * nb.geometric(z * (2 - z), s.K) / s.B
    return Round(slope, slope * (p.c[..., 0] - y[..., None]), noise, p.w, s.M)


def resting(s: Instance, gamma: Any) -> Any:
    """x*_gamma (batch,)."""
    return s.p.rest(s.p.filtered(gamma, s.theta))[..., 0]


def largest_noise(s: Instance) -> Any:
    """G, the least constant of Assumption 4."""
    top = s.noise[0]
    for other in s.noise[1:]:
        top = s.nb.maximum(top, other)
    return top


def squared_G(s: Instance) -> Any:
    """G^2."""
    return largest_noise(s) * largest_noise(s)


def drawn(s: Instance) -> int:
    """M, or for full participation the number of clients."""
    return s.M or int(s.p.n)


def variance_bound(s: Instance) -> Any:
    """K G^2 / (M B), as Lemma 23 has it."""
    return bounds.lemma_23(s.K, largest_noise(s), drawn(s), s.B)


def heterogeneity(s: Instance, gamma: Any, y: Any) -> Any:
    """V = E_i |grad f~_i(y)|^2, what client sampling adds; 0 for full participation."""
    if s.M == 0:
        return y * 0
    around = law(s, gamma, y)
    return (s.p.w * around.drive**2).sum(axis=-1)


def full_noise(s: Instance) -> Any:
    """K G^2/B sum w_i^2, with all clients."""
    return squared_G(s) * s.K / s.B * (s.p.w * s.p.w).sum(axis=-1)


def floor(s: Instance, gamma: Any, y: Any) -> Any:
    """What one corrected round adds per eta^2: (K G^2/B + 2 V)/M, or K G^2/B sum w_i^2 for all clients."""
    if s.M == 0:
        return full_noise(s)
    return bounds.sampled_noise(s.K, largest_noise(s), s.M, s.B, heterogeneity(s, gamma, y))


def one_round_domain(decode: Any, says: str, K: Sequence[int] = (1, 2, 1000), **options: Sequence[Any]) -> Domain:
    """Full participation and M sampled clients, with and without gradient noise."""
    settings: dict[str, Sequence[Any]] = {"n": (1, 2, 3), "noise": (0, 1), "M": (1, 0, 3), "K": K, **options}
    return Domain(decode, grid(**settings), says)


def sound_domain(decode: Any, says: str, **options: Any) -> Domain:
    """All clients, G = 0, where the printed theorems of section 7 are sound: what does a hypothesis add there?"""
    return Domain(partial(decode, **options), grid(n=(1, 2), noise=(0,), M=(0,), K=(1, 2, 3)), says)


def at_client_rate(cursor: Cursor, n: int, K: int, M: int, noise: int, top: int = 1) -> Instance:
    """``with_noise`` at 0 <= gamma < top/L, gamma = 0 among the simple choices; mu and L are the surrogate's."""
    s = with_noise(cursor, n, K, M, noise)
    s.gamma = top * rate(cursor, s.p.L, zero=True)
    s.mu, s.L = phis(s)
    return s


def ends_are(s: Instance) -> list[Comparison]:
    """s.mu and s.L are mu_gamma and L_gamma of Lemma 24."""
    low, high = phis(s)
    return [Comparison("mu", s.mu, "==", low), Comparison("L", s.L, "==", high)]

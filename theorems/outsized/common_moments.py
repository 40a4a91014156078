"""OLR section 7, exactly: mean and second moment of x_t under client sampling and gradient noise, in any dimension.

Assumption 4 bounds the noise for ALL x, which forces A_z = A_i: examples of a client differ in c_z alone, and the
noise of a gradient is independent of x. Its covariance is N_i with tr N_i <= G^2; what follows is linear in N_i, so
that N_i = v v' (the extreme ones) is no loss: the noise of client i lies along ``s.noise[i]`` = v, however its law is
skewed, and G = max |v|. A client answers Q_i A_i (x - c_i) plus noise of covariance sum_{j<K} F^j N_i F^j / B, F = I -
gamma A_i. The server averages M clients: drawn independently, distinct ones, or all of them.
"""

from dataclasses import dataclass
from functools import partial

from surrogate import bounds
from theorems.outsized.common import phis
from theorems.vocabulary import *

ROUNDS = 6  # trajectories are judged at each of these rounds
ALONE, THREE, PAIR, EVERY = "one client", "3 independent draws", "2 distinct clients", "all clients"
SAMPLINGS = (ALONE, EVERY, THREE, PAIR)


def with_noise(cursor: Cursor, n: int, d: int, K: int, sampling: str, noise: int, B: int = 1) -> Instance:
    """Clients with gradient noise v_i in [0, 1]^d (none if noise = 0); distinct clients have equal weights."""
    p = clients(cursor, n, d, weighted=sampling in (ALONE, THREE))
    v = [np.stack([cursor.take() if noise else p.mu * 0 for _ in range(d)], -1) for _ in range(n)]
    M = {ALONE: 1, THREE: 3, PAIR: min(2, n), EVERY: n}[sampling]
    return Instance(p=p, nb=p.nb, noise=np.stack(v, -2), K=K, M=M, sampling=sampling, B=B, theta=Theta.sum(K))


def off_rest(cursor: Cursor, d: int) -> Any:
    """x_t - x*_gamma in [0, 2] x [-1, 1]: its length scales with the problem, its direction is free."""
    return np.stack([2 * cursor.take() - k for k in range(d)], -1)


@dataclass(frozen=True)
class Round:
    """One round around the point y: the answers are A_i e - b_i + noise, e = x - y; arrays (..., n, d[, d])."""

    A: Any
    b: Any
    noise: Any
    w: Any
    M: int
    share: Any  # what the variance between clients is multiplied with: 1/M for independent draws, 0 for all clients

    def covariance(self, m: Any, S: Any) -> Any:
        """E Cov(q | x), where x - y has mean m and second moments S."""
        return self.between(m, S) * self.share + self._mean(self.noise) / self.M

    def between(self, m: Any, S: Any) -> Any:
        """E Cov_i(A_i e - b_i), where e has mean m and second moments S."""
        D, f = self.A - self._mean(self.A)[..., None, :, :], self.b - self._mean(self.b)[..., None, :]
        mixed = (D @ m[..., None, :, None]) * f[..., None, :]
        return self._mean(
            D @ S[..., None, :, :] @ _turned(D) - mixed - _turned(mixed) + f[..., :, None] * f[..., None, :]
        )

    def variance(self, e: Any) -> Any:
        """E|q - E q|^2 at a fixed e, without cancellation."""
        f = (self.A @ e[..., None, :, None])[..., 0] - self.b
        f = f - self._mean(f)[..., None, :]
        return self._mean(squares(f)) * self.share + trace(self._mean(self.noise)) / self.M

    def advance(self, m: Any, S: Any, eta: Any) -> tuple[Any, Any]:
        """Mean and second moments of x - y after x <- x - eta q."""
        rate = eta[..., None, None]
        F, b = np.eye(m.shape[-1], dtype=int) - rate * self._mean(self.A), eta[..., None] * self._mean(self.b)
        kept = (F @ m[..., None])[..., 0]
        cross = kept[..., :, None] * b[..., None, :]
        moved = F @ S @ _turned(F) + cross + _turned(cross) + b[..., :, None] * b[..., None, :]
        return kept + b, moved + rate * rate * self.covariance(m, S)

    def _mean(self, X: Any) -> Any:
        """sum_i w_i X_i over the client axis."""
        axes = X.ndim - self.w.ndim
        return (self.w.reshape(self.w.shape + (1,) * axes) * X).sum(axis=self.w.ndim - 1)


def trace(S: Any) -> Any:
    """The trace of (..., d, d): E|e|^2 of second moments."""
    return sum(S[..., k, k] for k in range(S.shape[-1]))


def squares(v: Any) -> Any:
    """|v|^2 over the last axis."""
    return (v * v).sum(axis=-1)


def outer(e: Any) -> Any:
    """e e'."""
    return e[..., :, None] * e[..., None, :]


def _turned(X: Any) -> Any:
    return np.swapaxes(X, -1, -2)


def law(s: Instance, gamma: Any, y: Any) -> Round:
    """The round at client rate gamma, around y (batch, d)."""
    p, nb, M = s.p, s.p.nb, s.M
    A = p.spectral(p.filtered(gamma, s.theta))
    b = (A @ (p.c - y[..., None, :])[..., None])[..., 0]
    v = (_turned(p.R) @ s.noise[..., None])[..., 0]
    z = gamma[..., None, None] * p.lam
    pairs = z[..., :, None] + z[..., None, :] - z[..., :, None] * z[..., None, :]  # 1 - (1 - z_k)(1 - z_l)
    noise = p.R @ (outer(v) * nb.geometric(pairs, s.K)) @ _turned(p.R) / s.B
    return Round(A, b, noise, p.w, M, nb.number(excess(s) / M))


def excess(s: Instance) -> Fraction:
    """The variance between drawn clients against independent draws: 1, or (n - M)/(n - 1) for M distinct ones."""
    if s.sampling in (ALONE, THREE):
        return Fraction(1)
    return Fraction(s.p.n - s.M, max(1, s.p.n - 1))


def resting(s: Instance, gamma: Any) -> Any:
    """x*_gamma (batch, d)."""
    return s.p.rest(s.p.filtered(gamma, s.theta))


def largest_noise(s: Instance) -> Any:
    """G, the least constant of Assumption 4."""
    return s.nb.largest(s.nb.length(s.noise))


def variance_bound(s: Instance) -> Any:
    """K G^2 / (M B), as Lemma 23 has it."""
    return bounds.lemma_23(s.K, largest_noise(s), s.M, s.B)


def heterogeneity(s: Instance, gamma: Any, y: Any) -> Any:
    """V = E_i |grad f~_i(y)|^2, what drawing clients adds, times ``excess``: 0 with all clients."""
    around = law(s, gamma, y)
    return (s.p.w * squares(around.b)).sum(axis=-1) * s.nb.number(excess(s))


def floor(s: Instance, gamma: Any, y: Any, reach: Any = 1) -> Any:
    """What one corrected round adds per eta^2: (K G^2/B + 2 V/(2 - reach))/M, reach = eta L_gamma."""
    return bounds.sampled_noise(s.K, largest_noise(s), s.M, s.B, heterogeneity(s, gamma, y), reach)


def one_round_domain(decode: Any, says: str, K: Sequence[int] = (1, 2, 3, 1000), **options: Sequence[Any]) -> Domain:
    """d = 1 and 2, the four samplings, with and without gradient noise."""
    settings: dict[str, Sequence[Any]] = {"d": (1, 2), "n": (1, 2, 3), "noise": (0, 1), "sampling": SAMPLINGS, "K": K}
    return Domain(decode, grid(**{**settings, **options}), f"{says}; d = 1, 2; Hessians that need not commute")


def sound_domain(decode: Any, says: str, **options: Any) -> Domain:
    """All clients, G = 0, where the printed theorems of section 7 are sound: what does a hypothesis add there?"""
    return Domain(
        partial(decode, **options), grid(d=(1, 2), n=(1, 2), noise=(0,), sampling=(EVERY,), K=(1, 2, 3)), says
    )


def at_client_rate(cursor: Cursor, n: int, d: int, K: int, sampling: str, noise: int, top: int = 1) -> Instance:
    """``with_noise`` at 0 <= gamma < top/L, gamma = 0 among the simple choices; mu and L are the surrogate's."""
    s = with_noise(cursor, n, d, K, sampling, noise)
    s.gamma = top * rate(cursor, s.p.L, zero=True)
    s.mu, s.L = phis(s)
    return s


def ends_are(s: Instance) -> list[Comparison]:
    """s.mu and s.L are mu_gamma and L_gamma of Lemma 24."""
    low, high = phis(s)
    return [that("mu", s.mu) == low, that("L", s.L) == high]

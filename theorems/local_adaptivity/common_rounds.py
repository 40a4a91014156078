"""LA's convergence proof in exact scalars: worst-case recursions, schedules, and noisy rounds of SGD on quadratics."""

from surrogate import bounds
from theorems.local_adaptivity.common import positive, positives, shares
from theorems.vocabulary import *

COMMON = 10  # most local steps of clients whose noise is partly common


def recursion_instance(cursor: Cursor, T: int) -> Instance:
    """What Lemma 3 sees of a run: contraction rho = sum w h, noise N = sigma^2 sum w^2 q, start r_0."""
    rho = cursor.take() if cursor.nb.exact else np.clip(cursor.take(), 1e-9, 1 - 1e-6)
    return Instance(nb=cursor.nb, T=T, rho=rho, noise=cursor.take(), start=cursor.take())


def averaging(s: Instance, t: int, T: int) -> Any:
    """The server rate of our schedule at round t."""
    return bounds.corrected_la_1_rate(s.rho, t, T)


def recursion(s: Instance, T: int, rates: Scalar = 1) -> Any:
    """r_T of r_{t+1} = (1 - a alpha_t) r_t + alpha_t^2 N under ``rates`` times that schedule: the worst case of (61).

    Beyond alpha = 1 (61) fails; a client that finds its minimizer at once (slope 0) then keeps (1 - alpha)^2 r_t.
    """
    r = s.start
    for t in range(T):
        alpha = rates * averaging(s, t, T)
        kept = s.nb.maximum((1 - alpha) + s.rho * alpha, (1 - alpha) * (1 - alpha))
        r = kept * r + alpha * alpha * s.noise
    return r


def noisy_clients(cursor: Cursor, M: int, tau: int) -> Instance:
    """M quadratic clients in d = 1 with curvatures H <= 1, one rate eta <= 1, independent noise of variance sigma^2."""
    H = positives(cursor, M, 1e-3)
    eta = positive(cursor, 1e-3)
    return Instance(nb=cursor.nb, M=M, tau=tau, H=H, eta=eta, sigma2=cursor.take(), w=shares(cursor, M))


def noisy_error(s: Instance, alpha: Scalar, r: Scalar, common: Scalar = 0) -> Any:
    """E||x^(t+1) - x~||^2 of a round of SGD with server rate alpha, exactly, from E||x^(t) - x~||^2 = r.

    ``common``: the share of the noise's variance that all clients draw alike.
    """
    z = s.eta[..., None] * s.H
    mean = (s.w * (1 - z) ** s.tau).sum(axis=-1)
    own = (s.w**2 * s.nb.geometric(1 - (1 - z) ** 2, s.tau)).sum(axis=-1)
    alike = sum((s.w * (1 - z) ** k).sum(axis=-1) ** 2 for k in range(s.tau)) if s.tau <= COMMON else own
    variance = s.eta**2 * s.sigma2 * ((1 - common) * own + common * alike)
    return ((1 - alpha) + alpha * mean) ** 2 * r + alpha**2 * variance

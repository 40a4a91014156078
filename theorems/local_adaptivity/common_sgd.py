"""LA's special case after (67): equal SGD clients, server rates 2 / (a (t + beta)), in exact second moments."""

from theorems.local_adaptivity.common import between, positive
from theorems.vocabulary import *

READING = (
    "Clients: M equal quadratics in d = 1 (so that mu = L), independent noise of variance exactly sigma^2 at every "
    "local step; then E||x^(T) - x~||^2 follows its recursion exactly. beta is any number in the printed range 0 < "
    "beta <= 4 sigma^2 eta^2 tau / (a ||x^(0) - x~||)^2, a = 1 - (1 - eta mu)^(2 tau)."
)


def decaying(cursor: Cursor, M: int, tau: int, T: int) -> Instance:
    """``share`` is beta over its largest value; ``start`` is ||x^(0) - x~||^2."""
    mu, eta = positive(cursor, 1e-2), positive(cursor, 1e-2)
    sigma2, start, share = positive(cursor), positive(cursor), positive(cursor)
    return Instance(nb=cursor.nb, M=M, tau=tau, T=T, mu=mu, eta=eta, sigma2=sigma2, start=start, share=share)


def gap(s: Instance) -> Any:
    """a = 1 - (1 - eta mu)^(2 tau), without cancellation."""
    return s.eta * s.mu * s.nb.geometric(s.eta * s.mu, 2 * s.tau)


def largest_beta(s: Instance) -> Any:
    return 4 * s.sigma2 * s.eta**2 * s.tau / (gap(s) ** 2 * s.start)


def round_variance(s: Instance) -> Any:
    """The variance of the mean of M clients after tau steps."""
    return s.eta**2 * s.sigma2 * s.nb.geometric(1 - (1 - s.eta * s.mu) ** 2, s.tau) / s.M


def end_error(s: Instance, beta: Scalar) -> Any:
    """E||x^(T) - x~||^2 with alpha_t = 2 / (a (t + beta))."""
    z = s.eta * s.mu
    pull = z * s.nb.geometric(z, s.tau)  # 1 - (1 - z)^tau
    variance = round_variance(s)
    r = s.start
    for t in range(s.T):
        alpha = 2 / (gap(s) * (t + beta))
        r = (1 - alpha * pull) ** 2 * r + alpha**2 * variance
    return r


def against(bound: Callable[[Any], Any]) -> Callable[[Any], list[Comparison]]:
    """The error against bound(s) / (T + beta), beta as printed."""

    def compare(s: Instance) -> list[Comparison]:
        beta = s.share * largest_beta(s)
        return [that("bound", end_error(s, beta)) <= bound(s) / (s.T + beta)]

    return compare


def decaying_domain(taus: tuple[int, ...] = (1, 2, 5), within: bool = False) -> Domain:
    """``within``: eta mu tau <= 1 by construction."""

    def decode(cursor: Cursor, **discrete: int) -> Instance:
        s = decaying(cursor, **discrete)
        s.eta = s.eta / s.tau if within else s.eta
        return s

    return Domain(decode, grid(M=(1, 2), tau=taus, T=(1, 2, 5, 0)), "one or two equal clients in d = 1, T <= 5")


def mended_domain(taus: tuple[int, ...] = (1, 2, 5, 100), within: bool = False) -> Domain:
    domain = decaying_domain(taus, within)
    return Domain(domain.decode, grid(M=(1, 2), tau=taus, T=(0, 1, 2, 5, 50)), "beta >= 2/a instead, T <= 50")


def beyond(says: str, share: int = 1, fast: int = 1, tau: int = 2) -> Domain:
    """The mended domain with beta from 2/(a ``share``), or eta mu up to ``fast``."""

    def decode(cursor: Cursor, **discrete: int) -> Instance:
        s = decaying(cursor, **discrete)
        s.share, s.eta = share * s.share, fast * s.eta
        return s

    return Domain(decode, grid(M=(1,), tau=(1, tau), T=(1, 2)), says)


def mended(bound: Callable[[Any], Any]) -> Callable[[Any], list[Comparison]]:
    """With beta = 2/a / share >= 2/a: max(beta ||x0 - x~||^2, bound) / (T + beta)."""

    def compare(s: Instance) -> list[Comparison]:
        beta = 2 / (gap(s) * s.share)
        top = s.nb.maximum(beta * s.start, bound(s))
        return [that("bound", end_error(s, beta)) <= top / (s.T + beta)]

    return compare


def step_69(s: Instance) -> list[Comparison]:
    r"""(69) at t = 0, where (68) holds for one client by the choice of beta

    \mathbb{E}\|x^{(1)}-\tilde x\|^2\le\Big[1-\frac2\beta\Big]\frac{4\sigma^2\eta^2\tau}{a^2\beta}%
      +\frac{4\sigma^2\eta^2\tau}{a^2\beta^2}
    """
    beta = s.share * largest_beta(s)
    most = 4 * s.sigma2 * s.eta**2 * s.tau / gap(s) ** 2
    return [that("(69)", end_error(s, beta)) <= (1 - 2 / beta) * most / beta + most / beta**2]


def first_round(cursor: Cursor, tau: int) -> Instance:
    return decaying(cursor, 1, tau, 1)


DECAY = (
    between(
        "0 < beta <= its printed largest value (corrected: beta >= 2/a)",
        lambda s: s.share,
        0,
        1,
        "(]",
        beyond("beta from 1/(2 a)", share=4),
    ),
    between(
        "0 < eta mu < 1, so that 0 < h < 1", lambda s: s.eta * s.mu, 0, 1, without=beyond("eta mu up to 3", fast=3)
    ),
    between("mu, eta > 0", lambda s: np.stack([s.mu, s.eta], -1), 0, role="a strongly convex loss, and a rate"),
    between(
        "sigma^2, ||x^(0) - x~||^2 > 0",
        lambda s: np.stack([s.sigma2, s.start], -1),
        0,
        role="the printed range of beta divides by the second, and is empty without the first",
    ),
)
WITHIN = (
    between("eta mu tau <= 1", lambda s: s.eta * s.mu * s.tau, 0, 1, "(]", beyond("eta mu <= 1, tau <= 100", tau=100)),
)
INDUCTION = Step(
    "(69)",
    claim_of(step_69, domain=Domain(first_round, grid(tau=(1,)), "one client in d = 1, one step, T = 1"), given=DECAY),
    "true for beta >= 2/a: then 1 - 2/(t + beta) >= 0 and alpha_t <= 1",
)

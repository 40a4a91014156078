"""LA (73): the bound (72) in terms of eta mu tau."""

from theorems.local_adaptivity import e68, e72
from theorems.local_adaptivity.common_sgd import DECAY, decaying_domain
from theorems.vocabulary import *


def printed(s: Instance) -> list[Comparison]:
    r"""(72) = (73)

    \frac{4\sigma^2\eta^2\tau}{M(1-(1-\eta\mu)^{2\tau})^2(T+\beta)}=\frac{\sigma^2}{\mu^2M\tau(T+\beta)}\left(\frac{2%
      \eta\mu\tau}{1-(1-\eta\mu)^{2\tau}}\right)^2
    """
    return [that("(73)", e68.bound(s)) == e72.bound(s)]


def prove() -> None:
    """sympy identity: Both sides are the same rational function of all their letters, a and T + beta included."""
    sigma2, eta, tau, M, a, mu, k = sympy.symbols("sigma2 eta tau M a mu k", positive=True)
    left = 4 * sigma2 * eta**2 * tau / (M * a**2 * k)
    identity((left, sigma2 / (mu**2 * M * tau * k) * (2 * eta * mu * tau / a) ** 2))


STATEMENT = Statement(
    kind="identity",
    location="(73), Appendix C",
    says="The right side of (72) equals sigma^2/(mu^2 M tau (T + beta)) (2 eta mu tau / (1 - (1 - eta mu)^(2 tau)))^2.",
    reading="Only the rewriting; the bound itself is LA.E72.",
    domain=decaying_domain(),
    hypotheses=tuple(replace(h, without=None, role="(73) divides by a") for h in DECAY),
    printed=claim_of(printed, prove=prove),
)

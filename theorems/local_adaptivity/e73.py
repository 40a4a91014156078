"""LA (73): the bound (72) in terms of eta mu tau."""

from theorems.local_adaptivity import e68, e72
from theorems.local_adaptivity.common_sgd import DECAY, decaying_domain, gap
from theorems.local_adaptivity.lemmas_sgd import kept_powers, positive_gap
from theorems.vocabulary import *


def printed(s: Instance) -> list[Comparison]:
    r"""(72) = (73)

    \frac{4\sigma^2\eta^2\tau}{M(1-(1-\eta\mu)^{2\tau})^2(T+\beta)}=\frac{\sigma^2}{\mu^2M\tau(T+\beta)}\left(\frac{2%
      \eta\mu\tau}{1-(1-\eta\mu)^{2\tau}}\right)^2
    """
    return [that("(73)", e68.bound(s)) == e72.bound(s)]


def derive(proof: Derivation, s: Instance) -> None:
    """One rational function of all letters, where a > 0."""
    kept_powers(proof, s.eta * s.mu, 2 * s.tau)
    positive_gap(proof, s, s.eta * s.mu)
    proof.setting("M >= 1", s.M, 1)
    proof.setting("tau >= 1", s.tau, 1)
    n, y, t, q, a, m = reals("n y t q a m")
    proof.leaf("(73)", [0 < a, n >= 1, t >= 1, 0 < m],
               4 * y * q**2 * t / (n * a**2) == y / (m**2 * n * t) * (2 * q * m * t / a) ** 2,
               n=s.nb.number(s.M), y=s.sigma2, t=s.nb.number(s.tau), q=s.eta, a=gap(s), m=s.mu)  # fmt: skip


STATEMENT = Statement(
    kind="identity",
    location="(73), Appendix C",
    says="The right side of (72) equals sigma^2/(mu^2 M tau (T + beta)) (2 eta mu tau / (1 - (1 - eta mu)^(2 tau)))^2.",
    reading="Only the rewriting; the bound itself is LA.E72.",
    domain=decaying_domain(),
    hypotheses=tuple(replace(h, without=None, role="(73) divides by a") for h in DECAY),
    printed=claim_of(printed, derive=derive),
)

"""LA (67): the recursion for equal SGD clients."""

from theorems.local_adaptivity.common import between, positive
from theorems.local_adaptivity.common_sgd import gap, round_variance
from theorems.local_adaptivity.lemmas_sgd import below_1, kept_powers, mean_contracts, spread
from theorems.vocabulary import *


def instance(cursor: Cursor, M: int, tau: int, top: int = 4, low: int = 0, fast: int = 1) -> Instance:
    """A server rate alpha in [low, top], and eta mu up to ``fast``."""
    mu, eta, sigma2 = positive(cursor, 1e-2), fast * positive(cursor, 1e-2), cursor.take()
    alpha = low + (top - low) * cursor.take()
    return Instance(nb=cursor.nb, M=M, tau=tau, mu=mu, eta=eta, sigma2=sigma2, alpha=alpha, r=cursor.take())


def recursion(s: Instance) -> list[Comparison]:
    k, variance = (1 - s.eta * s.mu) ** s.tau, round_variance(s)
    error = ((1 - s.alpha) + s.alpha * k) ** 2 * s.r + s.alpha**2 * variance
    bound = ((1 - s.alpha) + s.alpha * k**2) * s.r + s.alpha**2 * s.eta**2 * s.sigma2 * s.tau / s.M
    return [that("(67)", error) <= bound, that("a", gap(s)) <= s.mu * 0 + 1]


def derive(proof: Derivation, s: Instance) -> None:
    """(56) for the mean, and the variance of tau steps; a <= 1."""
    z, k = s.eta * s.mu, (1 - s.eta * s.mu) ** s.tau
    kept_powers(proof, z, 2 * s.tau)
    below_1(proof, s, z)
    mean_contracts(proof, s.alpha, s.r, k)
    a, b, c, e, x, q, y, S, t, n = reals("a b c e x q y S t n")
    proof.setting("M >= 1", s.M, 1)
    proof.leaf("the noise", [S <= t, 0 <= y, n >= 1], x**2 * (q**2 * y * S / n) <= x**2 * q**2 * y * t / n,
               x=s.alpha, q=s.eta, y=s.sigma2, S=spread(proof, s.nb, z, s.tau), t=s.nb.number(s.tau),
               n=s.nb.number(s.M))  # fmt: skip
    kept, most = ((1 - s.alpha) + s.alpha * k) ** 2 * s.r, ((1 - s.alpha) + s.alpha * k**2) * s.r
    proof.leaf("both", [a <= b, c <= e], a + c <= b + e, a=kept, b=most, c=s.alpha**2 * round_variance(s),
               e=s.alpha**2 * s.eta**2 * s.sigma2 * s.tau / s.M)  # fmt: skip


def variant(says: str, **options: Any) -> Domain:
    """The corrected claim's domain without one of its hypotheses."""
    return Domain(lambda c, **k: instance(c, top=1, **options, **k), grid(M=(1, 2), tau=(1, 2)), says)


CHOICES = grid(M=(1, 2, 5), tau=(1, 2, 10))
GIVEN = (
    between(
        "0 < eta mu < 1, so that 0 < h < 1", lambda s: s.eta * s.mu, 0, 1, without=variant("eta mu up to 3", fast=3)
    ),
    between("alpha >= 0", lambda s: s.alpha, 0, None, "[]", variant("alpha from -1", low=-1)),
    between("sigma^2, r >= 0", lambda s: np.stack([s.sigma2, s.r], -1), 0, None, "[]", role="squares"),
)

STATEMENT = Statement(
    kind="upper bound",
    location="(67), Appendix C",
    says="For equal SGD clients with w_i = 1/M: E||x^(t+1) - x~||^2 <= [1 - alpha (1 - (1 - eta mu)^(2 tau))] "
    "E||x^(t) - x~||^2 + alpha^2 eta^2 sigma^2 tau / M.",
    reading="The left side is round t + 1 (printed: T), and q_i = tau eta^2 (printed: tau eta^2 sigma^2, which would "
    "make it sigma^4). Quadratic clients in d = 1; r stands for E||x^(t) - x~||^2.",
    severity="missing-hypothesis",
    domain=Domain(instance, CHOICES, "equal clients in d = 1, 0 <= alpha <= 4"),
    hypotheses=GIVEN,
    printed=Claim(
        "(67)",
        r"\mathbb{E}\|x^{(t+1)}-\tilde x\|^2\le[1-\alpha(1-(1-\eta\mu)^{2\tau})]\mathbb{E}\|x^{(t)}-\tilde x\|^2+\frac"
        r"{\alpha^2\eta^2\sigma^2\tau}{M}",
        recursion,
    ),
    corrected=Claim(
        "for 0 <= alpha <= 1",
        r"0\le\alpha\le1:\ \mathbb{E}\|x^{(t+1)}-\tilde x\|^2\le[1-\alpha(1-(1-\eta\mu)^{2\tau})]\mathbb{E}\|x^{(t)}-"
        r"\tilde x\|^2+\frac{\alpha^2\eta^2\sigma^2\tau}{M}",
        recursion,
        domain=Domain(lambda cursor, **k: instance(cursor, top=1, **k), CHOICES, "0 <= alpha <= 1"),
        given=(*GIVEN, between("alpha <= 1", lambda s: s.alpha, None, 1, "[]")),
        derive=derive,
    ),
    note="As (61), of which it is a case; the next lines use alpha = 2/(a (t + beta)), which exceeds 1 for small beta.",
)

"""LA (55)-(61): one round's recursion of the mean squared error."""

from theorems.local_adaptivity.common import WEIGHTS, between
from theorems.local_adaptivity.common_rounds import noisy_clients, noisy_error
from theorems.vocabulary import *


def instance(
    cursor: Cursor, M: int, tau: int, top: int = 4, low: int = 0, fast: bool = False, shared: bool = False
) -> Instance:
    """SGD clients, a server rate alpha in [low, top], and E||x^(t) - x~||^2 = r; ``common``: see noisy_error."""
    s = noisy_clients(cursor, M, tau)
    s.alpha, s.r = low + (top - low) * cursor.take(), cursor.take()
    s.eta = 3 * s.eta if fast else s.eta
    s.common = cursor.take() if shared else s.r * 0
    return s


def recursion(s: Instance) -> list[Comparison]:
    h = (1 - s.eta[..., None] * s.H) ** (2 * s.tau)
    rho = (s.w * h).sum(axis=-1)
    noise = s.tau * s.eta**2 * s.sigma2 * (s.w**2).sum(axis=-1)
    bound = ((1 - s.alpha) + s.alpha * rho) * s.r + s.alpha**2 * noise
    return [that("(61)", noisy_error(s, s.alpha, s.r, s.common)) <= bound]


def convexity(s: Instance) -> list[Comparison]:
    r"""for any vectors a, b: |(1 - alpha) a + alpha b|^2 <= (1 - alpha) |a|^2 + alpha |b|^2

    \|(1-\alpha)a+\alpha b\|^2\le(1-\alpha)\|a\|^2+\alpha\|b\|^2

    (56) for the vectors a = 1 (x^(t) - x~) and b = slope times that (E[A(x^(t))] - x~).
    """
    b = (s.w * (1 - s.eta[..., None] * s.H) ** s.tau).sum(axis=-1)
    return [that("(56)", ((1 - s.alpha) + s.alpha * b) ** 2) <= (1 - s.alpha) + s.alpha * b**2]


def prove() -> None:
    """z3 and sympy: (56): t|a|^2 + (1-t)|b|^2 - |t a + (1-t) b|^2 = t(1-t)|a - b|^2 >= 0 for 0 <= t <= 1 (an identity
    of inner products); with (54) it gives (57). For independent clients the variances of w_i A_i add up, and each is at
    most q_i sigma^2 by Assumption 2 (for SGD: LA.B3).
    """
    alpha, k, rho, r, lam, n = reals("alpha k rho r lam n")
    smt(
        [0 <= alpha, alpha <= 1, k * k <= rho, rho <= 1, r >= 0],
        (1 - alpha * (1 - k)) ** 2 * r <= (1 - alpha * (1 - rho)) * r,
    )
    smt([0 <= lam, lam <= 1, n >= 0], lam * n + 1 <= n + 1)  # each local step adds eta^2 sigma^2 to what has shrunk
    a, b, t = sympy.symbols("a b t", real=True)
    identity((t * a**2 + (1 - t) * b**2 - (t * a + (1 - t) * b) ** 2, t * (1 - t) * (a - b) ** 2))


WITHIN = Domain(
    lambda cursor, **discrete: instance(cursor, top=1, **discrete), grid(M=(1, 2, 3), tau=(1, 2, 5, 100)), "alpha <= 1"
)


def variant(says: str, **options: Any) -> Domain:
    """The corrected claim's domain without one of its hypotheses."""
    return Domain(lambda c, **k: instance(c, top=1, **options, **k), grid(M=(1, 2), tau=(1, 2, 5)), says)


def rates(name: str, without: Domain) -> Hypothesis:
    return between(name, lambda s: s.eta[..., None] * s.H, 0, 1, without=without)


STATEMENT = Statement(
    kind="upper bound",
    location="(55) to (61), Appendix C",
    says="E||x^(t+1) - x~||^2 <= [1 - alpha (1 - sum w h)] E||x^(t) - x~||^2 + alpha^2 sigma^2 sum w^2 q.",
    reading="alpha >= 0 is all that is said of the server rate. Clients: SGD on quadratics in d = 1 with h_i = (1 - "
    "eta mu_i)^(2 tau) and q_i = tau eta^2, independent noise; r stands for E||x^(t) - x~||^2.",
    severity="missing-hypothesis",
    domain=Domain(instance, grid(M=(1, 2, 3), tau=(1, 2, 5, 100)), "one to three SGD clients, 0 <= alpha <= 4"),
    hypotheses=(
        WEIGHTS,
        rates("0 < eta mu_i < 1, so that 0 < h_i < 1", variant("eta up to 3", fast=True)),
        between("alpha >= 0", lambda s: s.alpha, 0, None, "[]", variant("alpha from -1", low=-1)),
        Hypothesis(
            "the clients' noises are uncorrelated",
            lambda s: [that(s.common) == s.alpha * 0],
            variant("noise of which a part is common to all", shared=True),
        ),
        between("sigma^2, r >= 0", lambda s: np.stack([s.sigma2, s.r], -1), 0, None, "[]", role="squares"),
    ),
    printed=Claim(
        "the recursion (61)",
        r"\mathbb{E}\|x^{(t+1)}-\tilde x\|^2\le\Big[1-\alpha\Big(1-\sum_iw_ih_i\Big)\Big]\mathbb{E}\|x^{(t)}-\tilde x"
        r"\|^2+\alpha^2\sigma^2\sum_iw_i^2q_i",
        recursion,
    ),
    corrected=Claim(
        "the recursion for 0 <= alpha <= 1 and uncorrelated clients",
        r"0\le\alpha\le1:\ \mathbb{E}\|x^{(t+1)}-\tilde x\|^2\le\Big[1-\alpha\Big(1-\sum_iw_ih_i\Big)\Big]\mathbb{E}"
        r"\|x^{(t)}-\tilde x\|^2+\alpha^2\sigma^2\sum_iw_i^2q_i",
        recursion,
        prove,
        WITHIN,
    ),
    steps=(
        Step(
            "(56)",
            claim_of(convexity),
            "true for 0 <= alpha <= 1",
        ),
    ),
    note="Convexity (56) needs alpha <= 1, which is nowhere assumed: the special case after (67) starts with alpha = "
    "2/((1 - h) beta), above 1 for small beta (LA.E68). The server GD runs of Table 5 have alpha = 1 without local "
    "correction, and alpha up to 100 with it.",
)

"""LA (55)-(61): one round's recursion of the mean squared error."""

from theorems.bridges import convexity, sums
from theorems.local_adaptivity.common import WEIGHTS, between
from theorems.local_adaptivity.common_rounds import COMMON, noisy_clients, noisy_error
from theorems.local_adaptivity.lemmas_sgd import kept_powers, mean_contracts, spread
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


def step_56(s: Instance) -> list[Comparison]:
    r"""for any vectors a, b: |(1 - alpha) a + alpha b|^2 <= (1 - alpha) |a|^2 + alpha |b|^2

    \|(1-\alpha)a+\alpha b\|^2\le(1-\alpha)\|a\|^2+\alpha\|b\|^2

    (56) for the vectors a = 1 (x^(t) - x~) and b = slope times that (E[A(x^(t))] - x~).
    """
    b = (s.w * (1 - s.eta[..., None] * s.H) ** s.tau).sum(axis=-1)
    return [that("(56)", ((1 - s.alpha) + s.alpha * b) ** 2) <= (1 - s.alpha) + s.alpha * b**2]


def derive(proof: Derivation, s: Instance) -> None:
    """(52) to (60): the mean of the clients' factors, and the noise of each client, weighted."""
    nb, w = s.nb, s.w
    z, bounds_, terms = s.eta[..., None] * s.H, [], []
    a, b, c, e, m, p, q, r, x, y, S, t = reals("a b c e m p q r x y S t")
    for i in range(s.M):
        kept_powers(proof, z[:, i], 2 * s.tau)
        size = spread(proof, nb, z[:, i], s.tau)
        proof.leaf("w^2 S <= w^2 tau", [S <= t], x * x * S <= x * x * t, x=w[:, i], S=size, t=nb.number(s.tau))
        terms.append(w[:, i] ** 2 * size)
        bounds_.append(w[:, i] ** 2 * s.tau)
    factors = (1 - z) ** s.tau
    proof.cross(convexity, "(53)", w=w, v=factors[..., None])
    mean, rho = (w * factors).sum(axis=-1), (w * factors**2).sum(axis=-1)
    mean_contracts(proof, s.alpha, s.r, mean)
    proof.leaf("(57)", [p <= q, 0 <= a, 0 <= r], ((1 - a) + a * p) * r <= ((1 - a) + a * q) * r,
               a=s.alpha, p=mean**2, q=rho, r=s.r)  # fmt: skip
    own, most = np.stack(terms, -1), np.stack(bounds_, -1)
    proof.cross(sums, "the noise of all clients", low=own, high=most)
    proof.leaf("uncorrelated", [c == 0], (1 - c) * p + c * q == p, c=s.common, p=own.sum(axis=-1), q=_alike(s, z, own))
    proof.leaf("(59)", [m == p, p <= q, 0 <= y], x**2 * (t**2 * y * m) <= x**2 * (t**2 * y * q),
               x=s.alpha, t=s.eta, y=s.sigma2, p=own.sum(axis=-1), q=most.sum(axis=-1),
               m=(1 - s.common) * own.sum(axis=-1) + s.common * _alike(s, z, own))  # fmt: skip
    variance = s.eta**2 * s.sigma2 * own.sum(axis=-1)
    proof.leaf("both", [a <= b, b <= x, c <= e], a + c <= x + e, a=((1 - s.alpha) + s.alpha * mean) ** 2 * s.r,
               b=((1 - s.alpha) + s.alpha * mean**2) * s.r, x=((1 - s.alpha) + s.alpha * rho) * s.r,
               c=s.alpha**2 * variance, e=s.alpha**2 * (s.eta**2 * s.sigma2 * most.sum(axis=-1)))  # fmt: skip


def _alike(s: Instance, z: Any, own: Any) -> Any:
    """The part that all clients would draw alike."""
    steps = ((s.w * (1 - z) ** k).sum(axis=-1) ** 2 for k in range(s.tau))
    return sum(steps, start=s.r * 0) if s.tau <= COMMON else own.sum(axis=-1)


WITHIN = Domain(
    lambda cursor, **discrete: instance(cursor, top=1, **discrete), grid(M=(1, 2, 3), tau=(1, 2, 5, 100)), "alpha <= 1"
)


def variant(says: str, **options: Any) -> Domain:
    """The corrected claim's domain without one of its hypotheses."""
    return Domain(lambda c, **k: instance(c, top=1, **options, **k), grid(M=(1, 2), tau=(1, 2, 5)), says)


def rates(name: str, without: Domain) -> Hypothesis:
    return between(name, lambda s: s.eta[..., None] * s.H, 0, 1, without=without)


GIVEN = (
    WEIGHTS,
    rates("0 < eta mu_i < 1, so that 0 < h_i < 1", variant("eta up to 3", fast=True)),
    between("alpha >= 0", lambda s: s.alpha, 0, None, "[]", variant("alpha from -1", low=-1)),
    Hypothesis(
        "the clients' noises are uncorrelated",
        lambda s: [that(s.common) == s.alpha * 0],
        variant("noise of which a part is common to all", shared=True),
    ),
    between("sigma^2, r >= 0", lambda s: np.stack([s.sigma2, s.r], -1), 0, None, "[]", role="squares"),
)

STATEMENT = Statement(
    kind="upper bound",
    location="(55) to (61), Appendix C",
    says="E||x^(t+1) - x~||^2 <= [1 - alpha (1 - sum w h)] E||x^(t) - x~||^2 + alpha^2 sigma^2 sum w^2 q.",
    reading="alpha >= 0 is all that is said of the server rate. Clients: SGD on quadratics in d = 1 with h_i = (1 - "
    "eta mu_i)^(2 tau) and q_i = tau eta^2, independent noise; r stands for E||x^(t) - x~||^2.",
    severity="missing-hypothesis",
    domain=Domain(instance, grid(M=(1, 2, 3), tau=(1, 2, 5, 100)), "one to three SGD clients, 0 <= alpha <= 4"),
    hypotheses=GIVEN,
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
        domain=WITHIN,
        given=(*GIVEN, between("alpha <= 1", lambda s: s.alpha, None, 1, "[]")),
        derive=derive,
    ),
    steps=(
        Step(
            "(56)",
            claim_of(step_56),
            "true for 0 <= alpha <= 1",
        ),
    ),
    note="Convexity (56) needs alpha <= 1, which is nowhere assumed: the special case after (67) starts with alpha = "
    "2/((1 - h) beta), above 1 for small beta (LA.E68). The server GD runs of Table 5 have alpha = 1 without local "
    "correction, and alpha up to 100 with it.",
)

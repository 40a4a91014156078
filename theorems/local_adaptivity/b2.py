"""LA Appendix B.2: Assumption 1 for SGD, h_i(k) = (1 - eta mu)^(2k)."""

from surrogate import bounds
from theorems.local_adaptivity.common import between, positive
from theorems.local_adaptivity.common_sgd_steps import bent_losses, descents, mean
from theorems.vocabulary import *


def instance(cursor: Cursor, k: int, top: int = 2, bends: bool = False) -> Instance:
    """SGD from x and from y with the same draws; the noise is +- noise_x near x's path and +- noise_y near y's."""
    losses = bent_losses(cursor, bends)
    eta = positive(cursor, 1e-3) * (1 if bends else top / (losses["mu"] + losses["L"]))
    x, y = positive(cursor, 1e-3), 2 * cursor.take() - 1
    fields = {"noise_x": cursor.take(), "noise_y": cursor.take()}
    return Instance(nb=cursor.nb, k=k, eta=eta, x=x, y=y, **losses, **fields)


def mended(cursor: Cursor, k: int, quadratic: bool, **options: Any) -> Instance:
    """A quadratic with any noise, or any loss of two curvatures with noise that is the same at every point."""
    s = instance(cursor, k, **options)
    if quadratic:
        s.left = s.mu = s.L = s.right
        s.eta = s.eta / 2
    else:
        s.noise_y = s.noise_x
    return s


def printed(s: Instance) -> list[Comparison]:
    ahead = mean(descents(s, s.x, s.k, lambda _: s.noise_x))
    behind = mean(descents(s, s.y, s.k, lambda _: s.noise_y))
    return [that("h(k)", (ahead - behind) ** 2) <= bounds.la_sgd_contraction(s.eta, s.mu, s.k) * (s.x - s.y) ** 2]


def step_35(s: Instance) -> list[Comparison]:
    r"""(35): one more step contracts the mean difference of random iterates, too

    \|\mathbb{E}[x^{(k+1)}-y^{(k+1)}]\|^2\le(1-\eta\mu)^2\|\mathbb{E}[x^{(k)}-y^{(k)}]\|^2
    """
    before, after = (
        mean(descents(s, s.x, k, lambda _: s.noise_x)) - mean(descents(s, s.y, k, lambda _: s.noise_y))
        for k in (s.k - 1, s.k)
    )
    return [that("(35)", after**2) <= bounds.la_sgd_contraction(s.eta, s.mu, 1) * before**2]


def prove() -> None:
    """z3 and sympy: Noise that is the same at every point drops out of x_{k+1} - y_{k+1} on every path, where one
    gradient step contracts by 1 - eta mu (LA.E29), and the mean of these differences is no longer than the longest. For
    quadratic F any unbiased noise drops out of the mean: E[x_k - y_k] = (I - eta A)^k (x - y), and |1 - eta lam| <= 1 -
    eta mu on [mu, L] if eta (mu + L) <= 2.
    """
    r, a, b, p = reals("r a b p")  # a mean of differences, each of modulus at most r, has modulus at most r
    smt([-r <= a, a <= r, -r <= b, b <= r, 0 <= p, p <= 1], both(p * a + (1 - p) * b <= r, -r <= p * a + (1 - p) * b))
    lam, mu, L, eta = reals("lam mu L eta")  # one step of two curvatures, or of a quadratic: LA.E29
    given = [0 < mu, mu <= lam, lam <= L, eta >= 0, eta * (mu + L) <= 2]
    smt(given, both(1 - eta * lam <= 1 - eta * mu, -(1 - eta * mu) <= 1 - eta * lam))


def _rate(s: Instance) -> list[Comparison]:
    return [
        that("low", s.eta) > s.eta * 0,
        that("high", s.eta * (s.mu + s.L)) < s.eta * 0 + 2,
    ]


def _apart(s: Instance) -> list[Comparison]:
    """No point that x's path may leave with noise_x is one that y's path may leave with noise_y."""
    ahead = [x for k in range(s.k) for x in descents(s, s.x, k, lambda _: s.noise_x)]
    behind = [y for k in range(s.k) for y in descents(s, s.y, k, lambda _: s.noise_y)]
    return [that((x - y) ** 2) > s.eta * 0 for x in ahead for y in behind]


MENDED = grid(k=(1, 2, 3), quadratic=(False, True))
HYPOTHESES = (
    between(
        "mu > 0",
        lambda s: s.mu,
        0,
        without=Domain(lambda c, **k: mended(c, bends=True, **k), MENDED, "slopes of F' from -1 to 1"),
    ),
    Hypothesis(
        "0 < eta < 2/(mu + L)",
        _rate,
        Domain(lambda c, **k: mended(c, top=4, **k), MENDED, "eta up to 4/(mu + L)"),
    ),
    Hypothesis("no point is on both paths", _apart, role="the noise is a function of the point"),
)


STATEMENT = Statement(
    kind="upper bound",
    location="section 4; (25) to (36), Appendix B.2",
    says="For SGD on an L-smooth mu-strongly convex F_i with eta (mu + L) < 2: |E[x^(k) - y^(k)]|^2 <= (1 - eta "
    "mu)^(2k) |x - y|^2.",
    reading="All that is assumed of the noise is that it is unbiased with bounded variance: its size may depend on "
    "the point. x and y share the draws xi (two signs). F' bends at 0; smoothing the bend changes little.",
    severity="missing-hypothesis",
    domain=Domain(instance, grid(k=(1, 2, 3)), "d = 1, a loss of two curvatures, noise of two points"),
    hypotheses=HYPOTHESES,
    printed=Claim(
        "h(k) = (1 - eta mu)^(2k)",
        r"\|\mathbb{E}[x^{(k)}-y^{(k)}]\|^2\le(1-\eta\mu)^{2k}\|x-y\|^2",
        printed,
    ),
    corrected=Claim(
        "for noise that is the same at every point, or for quadratic F_i whatever the unbiased noise; eta (mu + L) <= "
        "2",
        r"\|\mathbb{E}[x^{(k)}-y^{(k)}]\|^2\le(1-\eta\mu)^{2k}\|x-y\|^2",
        printed,
        prove,
        Domain(mended, MENDED, "d = 1, a quadratic, or noise of one size"),
    ),
    steps=(
        Step(
            "(35) by Lemma 2",
            claim_of(step_35, domain=Domain(instance, grid(k=(2, 3)), "d = 1, k + 1 = 2 or 3"), given=HYPOTHESES),
            "true for quadratic F, or noise that is the same at every point",
        ),
    ),
    note="True for k = 1, where x and y are not random. From k = 2 on it rests on Lemma 2, which is false (LA.L2): "
    "noise that differs between x and y moves the mean gradients apart. Section 4 drops the condition on eta.",
)

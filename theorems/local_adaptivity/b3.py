"""LA Appendix B.3: Assumption 2 for SGD, q_i(k) = eta^2 k."""

from surrogate import bounds
from theorems.local_adaptivity import e47
from theorems.local_adaptivity.common import between, positive
from theorems.local_adaptivity.common_sgd_steps import bent_losses, descents, mean
from theorems.vocabulary import *


def instance(cursor: Cursor, k: int, top: int = 2, bends: bool = False, loud: int = 1) -> Instance:
    """Noise +- a with a between noise_x and noise_y by the distance from 0, both at most ``loud`` sigma."""
    losses = bent_losses(cursor, bends)
    eta = top * (1 - cursor.take()) / (1 if bends else losses["L"])
    start, sigma = 1 - 2 * cursor.take(), 1 - cursor.take()
    noise = {f"noise_{side}": loud * sigma * (1 - cursor.take()) for side in "xy"}
    reach = positive(cursor, 1e-2)
    return Instance(nb=cursor.nb, k=k, eta=eta, start=start, sigma=sigma, reach=reach, **losses, **noise)


def printed(s: Instance) -> list[Comparison]:
    r"""(37)

    \mathbb{E}\|x^{(k)}-\bar x^{(k)}\|^2\le k\eta_i^2\sigma^2
    """
    ends = descents(s, s.start, s.k, lambda x: _noise(s, x))
    centre = mean(ends)
    spread = mean([(x - centre) ** 2 for x in ends])
    return [that("(37)", spread) <= bounds.la_sgd_variance(s.eta, s.k) * s.sigma**2]


def _noise(s: Instance, x: Scalar) -> Any:
    """From noise_x at 0 to noise_y from ``reach`` on."""
    far = s.nb.minimum(s.nb.abs(x) / s.reach, x * 0 + 1)
    return (1 - far) * s.noise_x + far * s.noise_y


def prove() -> None:
    """z3: x -> x - eta grad F(x) is nonexpansive for eta L <= 2 (cocoercivity of convex L-smooth F), so it does not
    increase a variance: Var G(X) <= E|G(X) - G(E X)|^2 <= Var X. Unbiased noise given the past adds at most eta^2
    sigma^2 a step.
    """
    X, Y, N, L, eta = reals("X Y N L eta")  # |x-y|^2, <x-y, grad F(x) - grad F(y)>, |grad F(x) - grad F(y)|^2
    smt([X >= 0, N >= 0, L > 0, Y * L >= N, eta >= 0, eta * L <= 2], X - 2 * eta * Y + eta * eta * N <= X)
    v, s, k, e = reals("v s k e")
    smt([v <= k * e * e * s, s >= 0, k >= 1], v + e * e * s <= (k + 1) * e * e * s)


def _rate(s: Instance) -> list[Comparison]:
    return [
        that("low", s.eta) >= s.eta * 0,
        that("high", s.eta * s.L) <= s.eta * 0 + 2,
    ]


STATEMENT = Statement(
    kind="upper bound",
    location="section 4; (37) to (51), Appendix B.3",
    says="For SGD with eta L < 2: E|x^(k) - E x^(k)|^2 <= k eta^2 sigma^2, that is q_i(k) = eta^2 k.",
    reading="q_i = eta^2 k as in section 4 (the end of B.3 says k eta^2 sigma^2, which would count sigma^2 twice). "
    "eta L <= 2 suffices.",
    domain=Domain(
        instance,
        grid(k=(1, 2, 3, 5)),
        "d = 1, a loss of two curvatures, noise of two points and of a size that varies, k <= 5",
    ),
    hypotheses=(
        between(
            "mu > 0",
            lambda s: s.mu,
            0,
            without=Domain(lambda c, k: instance(c, k, bends=True), grid(k=(2, 3)), "slopes of F' from -1 to 1"),
        ),
        Hypothesis(
            "the noise has variance at most sigma^2",
            lambda s: [that(side, s.sigma) >= getattr(s, f"noise_{side}") for side in "xy"],
            Domain(lambda c, k: instance(c, k, loud=2), grid(k=(1, 2)), "noise up to 2 sigma"),
        ),
        Hypothesis(
            "0 <= eta <= 2/L",
            _rate,
            Domain(lambda c, k: instance(c, k, 4), grid(k=(1, 2, 3)), "eta up to 4/L"),
        ),
    ),
    printed=claim_of(printed, prove=prove),
    steps=(
        Step(
            "(47) by Lemma 2",
            replace(e47.STATEMENT.steps[0].claim, domain=e47.DOMAIN, given=e47.STATEMENT.hypotheses),
            e47.STATEMENT.steps[0].correction,
        ),
    ),
    note="Convexity is used, strong convexity is not. Our proof does not go through Lemma 2 (false); the printed one "
    "can be saved by (47) in expectation (LA.E47). The slip q = k eta^2 sigma^2 stands again before (67).",
)

"""LADA (8): the pseudo gradient after a server step, and "matching dislocation"."""

from theorems.fedlada.common import below, boxed, mean, need
from theorems.vocabulary import *


def pseudo(s: Instance, x: Scalar) -> Any:
    """Mean local gradient of K SGD steps from x: mean_i lam_i (1/K) sum_k (1 - eta_l lam_i)^k (x - c_i)."""
    parts = []
    for lam, c in zip(s.lam, s.c, strict=True):
        parts.append(lam * sum((1 - s.eta_l * lam) ** k for k in range(s.K)) / s.K * (x - c))
    return mean(parts)


def gaps(s: Instance) -> tuple[Any, Any, Any]:
    """|pseudo gradient|, and how far it moves when the server steps by eta_g times it, or times theta of it."""
    here = pseudo(s, s.x)
    gap = s.nb.abs(pseudo(s, s.x - s.eta_g * here) - here)
    return s.nb.abs(here), gap, s.nb.abs(pseudo(s, s.x - s.eta_g * s.theta * here) - here)


def printed(s: Instance) -> list[Comparison]:
    r"""both

    \mathbb E[\nabla\tilde F(x^t-\eta_g\nabla\tilde F(x^t))]\approx\mathbb E\Big[\frac1{mK}\sum g_{i,\tau}^t\Big]
    """
    size, gap, adaptive = gaps(s)
    return [
        that("(8) up to eta_g L", gap) <= s.eta_g * size,
        that("the adaptive gap is the larger one", gap) <= adaptive,
    ]


def corrected(s: Instance) -> list[Comparison]:
    r"""on quadratics and for eta_l <= 1/L SGD's gap is at most eta_g L times the pseudo gradient, and the adaptive gap
    is theta times SGD's (d = 1): larger if and only if theta > 1

    |\nabla\tilde F(x-\eta_g\vartheta p)-p|=\vartheta|\nabla\tilde F(x-\eta_gp)-p|\le\vartheta\eta_gL|p|
    """
    size, gap, adaptive = gaps(s)
    return [that("(8) up to eta_g L", gap) <= s.eta_g * size, that("theta times the gap", adaptive) == s.theta * gap]


def prove() -> None:
    """z3: On quadratics the pseudo gradient is affine with slope J = mean lam_i q_i, 0 <= J <= L for eta_l <= 1/L: a
    server step s moves it by J s, so by eta_g J |p| for SGD and eta_g J theta |p| with theta. In d > 1 replace J theta
    by |J diag(theta) p|.
    """
    lam, q, J, eta, p, theta, x, v = reals("lam q J eta p theta x v")
    smt([0 <= lam, lam <= 1, 0 <= q, q <= 1], lam * q <= 1)
    smt([0 <= J, J <= 1, eta >= 0, p >= 0], eta * J * p <= eta * p)
    smt([p == J * x - v], (J * (x - eta * theta * p) - v) - p == -theta * (eta * J * p))


def _small(s: Instance) -> list[Comparison]:
    slopes = [c for lam in s.lam for c in (that(lam) >= lam * 0, that("L", lam) <= lam * 0 + 1)]
    return [*slopes, that("eta_l", s.eta_l) <= s.eta_l * 0 + 1]


def box(says: str = "quadratic clients with L = 1, eta_l <= 1, d = 1", top: int = 1) -> Domain:
    return boxed(
        says,
        tuple({"m": m, "K": K} for m in (1, 2) for K in (1, 2, 3)),
        lam=(0, 1, "m"),
        c=(-1, 1, "m"),
        x=(-1, 1),
        eta_l=(0, top),
        eta_g=(0, 1),
        theta=(0, 4),
    )


STATEMENT = Statement(
    kind="upper bound",
    location="equation (8), section 5",
    says="After an SGD server step the pseudo gradient is about the mean local gradient of the round before; an "
    "adaptive server step with the same eta_g leads far away from it.",
    reading="Pseudo gradient: the mean of the K local gradients of all clients. 'About': up to eta_g L of its size. "
    "'Far away': the gap is at least that of SGD.",
    severity="missing-hypothesis",
    domain=box(),
    hypotheses=(
        need("eta_g, eta_l, theta > 0", below("eta_g"), below("eta_l"), below("theta")),
        Hypothesis("convex, and eta_l <= 1/L (L = 1)", _small, box("eta_l up to 4/L", 4)),
    ),
    printed=claim_of(printed),
    corrected=claim_of(corrected, prove=prove),
    note="The dislocation is a matter of step length: theta > 1 says that second moments are below 1, as they are in "
    "the paper's runs.",
)

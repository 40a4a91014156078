"""OLR Lemma 30: where the surrogate rests."""

from theorems.outsized.common import ASSUMPTION_2, GAMMA_BELOW
from theorems.vocabulary import *

THETAS = (Theta.sum(1), Theta.sum(2), Theta.last(3), Theta([1, 0, 2]), Theta.sum(100), Theta.sum(10**5))


def instance(cursor: Cursor, n: int, d: int, theta: Theta) -> Instance:
    p = clients(cursor, n, d, weighted=True)
    return Instance(p=p, gamma=rate(cursor, p.L), theta=theta)


def rests(s: Instance) -> list[Comparison]:
    r"""the gradient vanishes there, and f~ is strongly convex

    x^*(\gamma,\Theta)=\mathbb E[\tilde A_i]^{-1}\mathbb E[\tilde A_ic_i]

    At E[A~_i]^-1 E[A~_i c_i] the gradient of f~ vanishes, E A~_i (x - c_i) = 0; and f~'' > 0.
    """
    p, nb = s.p, s.p.nb
    spectrum = p.filtered(s.gamma, s.theta) / s.theta.total
    x = p.rest(spectrum)
    gradient = p.mean((p.spectral(spectrum) @ (x[..., None, :] - p.c)[..., None])[..., 0])
    return [
        that("gradient vanishes", nb.length(gradient)) == p.mu * 0,
        that("strongly convex", nb.smallest(spectrum, 2)) > p.mu * 0,
    ]


def prove() -> None:
    """sympy identity: f~ is quadratic with gradient E[Q_i A_i] x - E[Q_i A_i c_i] and Hessian E[Q_i A_i], which is
    positive definite as every (1 - gamma lam)^(k-1) > 0; its one zero is E[Q_i A_i]^-1 E[Q_i A_i c_i], in which tau
    cancels.
    """
    tau = sympy.Symbol("tau", positive=True)
    w, B, c = (sympy.IndexedBase(name) for name in "wBc")
    for n in (1, 2, 3):
        x = sum(tau * w[k] * B[k] * c[k] for k in range(n)) / sum(tau * w[k] * B[k] for k in range(n))
        identity((sum(w[k] * B[k] * (x - c[k]) for k in range(n)), 0))
    M, v = sympy.MatrixSymbol("M", 3, 3), sympy.MatrixSymbol("v", 3, 1)
    if (M * (M.inverse() * v) - v).doit() != sympy.ZeroMatrix(3, 1):
        raise AssertionError("M M^-1 v is not v")


STATEMENT = Statement(
    kind="identity",
    location="Lemma 30, appendix B.3",
    says="For gamma < 1/L, x*(gamma, Theta) = E[A~_i]^-1 E[A~_i c_i], with A~_i = tau Q_i A_i.",
    domain=Domain(instance, grid(n=(1, 2, 3), d=(1, 2), theta=THETAS), "weighted clients, six Thetas, 0 < gamma < 1/L"),
    hypotheses=(ASSUMPTION_2, GAMMA_BELOW),
    printed=claim_of(rests, prove=prove),
)

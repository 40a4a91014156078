"""OLR (33): the bound of Theorem 16's proof, client by client, before its last step."""

from theorems.bridges import (
    averages,
    cauchy_schwarz,
    extremes,
    forms_grow,
    inverse,
    resting_point,
    root_mean_square,
    roots,
    sums,
)
from theorems.outsized import t16
from theorems.outsized.common import ASSUMPTION_2, GAMMA_BELOW
from theorems.outsized.lemmas import column, filter_bounds
from theorems.outsized.lemmas_clients import distances
from theorems.vocabulary import *


def scaled(s: Instance) -> Any:
    """Spectrum of tau Q_i, tau = 1/sum theta."""
    return s.p.filter(s.gamma, s.theta) / s.theta.total


def least(s: Instance) -> Any:
    """lambda_min(tau Q_i), (..., n)."""
    return s.p.nb.smallest(scaled(s), 1)


def apart(s: Instance) -> Any:
    """sqrt(E |tau Q_i - I|^2)."""
    norms = s.p.nb.opnorm(s.p.spectral(s.p.deficit(s.gamma, s.theta) / s.theta.total))
    return s.p.nb.sqrt(s.p.mean(norms * norms))


def compare(s: Instance) -> list[Comparison]:
    r"""the displacement is at most (33)

    \|x^*(\gamma,\Theta)-x^*\|\le\frac{L\sigma_c}\mu\left(1+\frac{\sigma_A}\mu\right)%
      \mathbb E[\lambda_{\min}(\tau Q_i)^{-1}]\sqrt{\mathbb E\|\tau Q_i-I\|^2}
    """
    p = s.p
    bound = p.L * p.sigma_c / p.mu * (1 + p.sigma_A / p.mu) * p.mean(1 / least(s)) * apart(s)
    return [that("(33)", p.nb.length(p.displacement(s.gamma, s.theta))) <= bound]


def derive(proof: Derivation, s: Instance) -> None:
    """M_i = tau Q_i A_i: M (x~ - x*) = -sum w_i (tau Q_i - I) A_i (x* - c_i), and h |M^-1 v| <= |v| for h = 1/E[1/l_i],
    l_i = mu lambda_min(tau Q_i), as l >= 2 h - h^2/l for each client.
    """
    p, nb, q = s.p, s.p.nb, scaled(s)
    filter_bounds(proof, p, s.gamma, s.theta)
    low, h = _least(proof, s)
    values, mean = p.lam * q, p.mean(low)
    m, x, y, a, b, c = reals("l x y a b c")
    shifted = values - low[..., None] + column(mean)
    proof.leaf("M_i - l_i + E l >= E l", [a <= x], y <= x - a + y, a=low[..., None], x=values, y=column(mean))
    proof.leaf("M_i - l_i + E l <= L + E l", [x <= b, a > 0], x - a + y <= b + y,
               a=low[..., None], x=values, y=column(mean), b=column(p.L))  # fmt: skip
    proof.cross(averages, "E M_i >= E l_i", p=p, values=shifted, low=mean, high=p.L + mean)
    proof.leaf("E M_i >= h", [a <= b, b <= c], a <= c, a=h[..., None], b=mean[..., None],
               c=nb.eigenvalues(p.hessian(values)))  # fmt: skip
    off, residuals = values - p.lam, p.minimizer[..., None, :] - p.c
    moved = p.mean((p.spectral(off) @ residuals[..., None])[..., 0])
    proof.cross(resting_point, p=p, values=values, a=p.mu * 0 + 1)
    proof.cross(inverse, nb=nb, M=p.hessian(values), v=moved, low=h)
    felt = (p.A @ residuals[..., None])[..., 0]
    gaps = p.spectral(p.deficit(s.gamma, s.theta) / s.theta.total)
    proof.cross(cauchy_schwarz, "the moved mean", nb=nb, w=p.w, M=gaps, v=felt)
    proof.leaf("A_i^2 <= L^2", [x > 0, x <= b], x * x <= b * b, x=p.lam, b=column(p.L))
    proof.cross(forms_grow, "in the mean", p=p, low=p.lam * p.lam, high=column(p.L * p.L) + values * 0, v=residuals)
    far = distances(proof, p)
    most = p.sigma_c * (1 + p.sigma_A / p.mu)
    proof.cross(root_mean_square, "distances", nb=nb, w=p.w, v=residuals)
    proof.cross(root_mean_square, "distances, times A_i", nb=nb, w=p.w, v=felt)
    size = nb.sqrt(p.mean((felt * felt).sum(axis=-1)))
    proof.leaf("L > 0", [a > 0, a <= x, x <= b], 0 < b, a=column(p.mu), x=p.lam, b=column(p.L))
    proof.leaf("squares", [x * x <= b * b * (y * y)], x * x <= b * y * (b * y), x=size, b=p.L, y=far)
    proof.leaf("L times a distance >= 0", [b > 0, y >= 0], 0 <= b * y, b=p.L, y=far)
    proof.leaf("the roots", [x * x <= y * y, y >= 0], x <= y, x=size, y=p.L * far)
    proof.leaf("at most L times the distance", [x <= b * y, y <= c, b > 0], x <= b * c, x=size, b=p.L, y=far, c=most)
    norms = nb.opnorm(gaps)
    squares = p.mean(norms * norms)
    proof.leaf("squares are at least 0", [], 0 <= x * x, x=norms)
    proof.leaf("w_i times squares", [a >= 0, b >= 0], 0 * a <= a * b, a=p.w, b=norms * norms)
    proof.cross(sums, "E |tau Q_i - I|^2 >= 0", low=p.w * 0, high=p.w * norms * norms)
    proof.cross(roots, "its root", nb=nb, x=squares)
    proof.leaf("|moved|", [x <= a * y, y <= b, a >= 0], x <= a * b,
               x=nb.length(moved), a=apart(s), y=size, b=p.L * most)  # fmt: skip
    proof.leaf("together", [x == y, y <= a / m, a <= b, m > 0], x <= b / m,
               x=nb.length(p.rest(values) - p.minimizer), y=nb.length(nb.solve(p.hessian(values), moved)),
               a=nb.length(moved), b=apart(s) * (p.L * most), l=h)  # fmt: skip


def _least(proof: Derivation, s: Instance) -> tuple[Any, Any]:
    """0 < l_i <= the spectrum of M_i <= L, and 0 < h = 1/E[1/l_i] <= E[l_i]; l_i and h."""
    p, nb, q = s.p, s.p.nb, scaled(s)
    m, x, a, b, t, y, h, u = reals("mu x a b t y h u")
    total, bottom = column(p.mu * 0 + nb.number(s.theta.total)), column(nb.filter(s.gamma * p.L, s.theta))
    proof.leaf("tau q > 0", [b > 0, b <= a, t > 0], 0 < a / t, a=q * s.theta.total, b=bottom, t=total)
    proof.leaf("tau q <= 1", [a <= t, t > 0], a / t <= 1, a=q * s.theta.total, t=total)
    proof.cross(extremes, "lambda_min(tau Q_i)", nb=nb, x=q)
    each = least(s)[..., None]
    proof.leaf("l_i <= M_i", [m > 0, m <= x, a <= y, a > 0], m * a <= x * y, mu=column(p.mu), x=p.lam, a=each, y=q)
    proof.leaf("M_i <= L", [x > 0, x <= b, y <= 1], x * y <= b, x=p.lam, b=column(p.L), y=q)
    low = p.mu[..., None] * least(s)
    inverses = p.mean(1 / low)
    proof.leaf("l_i > 0", [m > 0, a > 0], 0 < m * a, mu=p.mu[..., None], a=least(s))
    proof.leaf("l_i <= L", [a <= x, x <= b], a <= b, a=low[..., None], x=p.lam * q, b=column(p.L))
    proof.leaf("1/l_i >= 1/L", [a > 0, a <= b], 1 / b <= 1 / a, a=low, b=p.L[..., None])
    proof.leaf("w_i/l_i >= w_i/L", [t >= 0, x <= y], t * x <= t * y, t=p.w, x=1 / p.L[..., None], y=1 / low)
    proof.cross(sums, "E[1/l_i] >= 1/L", low=p.w * (1 / p.L)[..., None], high=p.w / low)
    proof.leaf("E[1/l_i] > 0", [b > 0, 1 / b <= u], 0 < u, b=p.L, u=inverses)
    proof.leaf("h > 0", [u > 0], 0 < 1 / u, u=inverses)
    proof.leaf("l >= 2 h - h^2/l", [a > 0], 2 * h - h * h / a <= a, h=1 / inverses[..., None], a=low)
    tangent = 2 / inverses[..., None] - 1 / (inverses * inverses)[..., None] / low
    proof.leaf("times w_i", [t >= 0, x <= y], t * x <= t * y, t=p.w, x=tangent, y=low)
    proof.cross(sums, "h <= E[l_i]", low=p.w * tangent, high=p.w * low)
    return low, 1 / inverses


STATEMENT = Statement(
    kind="upper bound",
    location="(33), appendix B.3.2",
    says="|x*(gamma, Theta) - x*| <= L sigma_c/mu (1 + sigma_A/mu) E[1/lambda_min(tau Q_i)] sqrt(E|tau Q_i - I|^2).",
    reading="gamma >= 0 and theta >= 0, as in Theorem 16.",
    domain=t16.STATEMENT.domain,
    hypotheses=(ASSUMPTION_2, *t16.STATEMENT.hypotheses[1:2], GAMMA_BELOW),
    printed=claim_of(compare, derive=derive),
    note="Tighter than Theorem 16, which takes the worst client in both factors.",
)

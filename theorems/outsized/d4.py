"""OLR section 7.1: f~_gamma converges to f as gamma tends to 0, uniformly on R^d."""

from theorems.bridges import equal_sums, form, forms_grow, normal_equations, powers, sums
from theorems.outsized.common import ASSUMPTION_2, GAMMA_BELOW
from theorems.outsized.common_moments import squares
from theorems.outsized.lemmas import bernoulli, column
from theorems.outsized.lemmas_rounds import weighted
from theorems.vocabulary import *


def instance(cursor: Cursor, n: int, d: int, K: int) -> Instance:
    """0 < gamma < 1/L, x up to 10 away, a bound epsilon in (0, 1]."""
    p = clients(cursor, n, d, weighted=True)
    x = np.stack([10 * cursor.take() for _ in range(d)], -1)
    epsilon = 1 - cursor.take() * cursor.nb.number(Fraction(999, 1000))
    return Instance(p=p, gamma=rate(cursor, p.L), x=x, epsilon=epsilon, K=K, theta=Theta.sum(K))


def gap(s: Instance) -> Any:
    """f(x) - f~_gamma(x)/K."""
    deficit = s.p.deficit(s.gamma, s.theta)
    return -s.p.quadratic(s.p.lam * deficit, s.x) / s.K


def uniform(s: Instance) -> list[Comparison]:
    r"""uniformly on R^d

    \sup_x|\tilde f_\gamma(x)/K-f(x)|\to0
    """
    return [that("f - f~/K <= epsilon", gap(s)) <= s.epsilon]


def pointwise(s: Instance) -> list[Comparison]:
    r"""f~_gamma <= 3/2 f for small gamma

    \tilde f_\gamma\to f

    f~ <= 3/2 f for small gamma would follow from f~ -> f > 0.
    """
    value = s.p.quadratic(s.p.filtered(s.gamma, s.theta), s.x)
    return [that("f~ <= 3/2 f", value) <= 3 * s.p.quadratic(s.p.lam, s.x) / 2]


def relative(s: Instance) -> list[Comparison]:
    r"""to K f, uniformly on bounded sets and relative to f: gamma mu/K f <= f - f~_gamma/K <= (K-1)/2 gamma L f for K
    >= 2, so that the supremum over R^d is infinite for every gamma > 0; as printed for K = 1

    \frac{\gamma\mu}Kf\le f-\tilde f_\gamma/K\le\tfrac{K-1}2\gamma L\,%
      f\le\tfrac{K-1}2\gamma L\left(f(x^*)+\tfrac L2\|x-x^*\|^2\right)
    """
    loss, least = s.p.quadratic(s.p.lam, s.x), s.p.quadratic(s.p.lam, s.p.minimizer)
    most, away = (s.K - 1) * s.gamma * s.p.L / 2, squares(s.x - s.p.minimizer)
    rows = [
        that("relative to f", gap(s)) <= most * loss,
        that("on bounded sets", gap(s)) <= most * (least + s.p.L * away / 2),
    ]
    below = s.gamma * s.p.mu / s.K * loss if s.K > 1 else loss * 0
    return [*rows, that("not less than", below) <= gap(s)]


def derive(proof: Derivation, s: Instance) -> None:
    """gamma mu lam <= K lam - phi_lam <= K(K-1)/2 gamma L lam, eigenvalue by eigenvalue; the first for K >= 2."""
    p, nb, K = s.p, s.p.nb, s.K
    g, u, v, x = reals("gamma mu L lambda")
    n, c, d, h, y, q, f = reals("K c d h y q f")
    count, z = nb.number(K), column(s.gamma) * p.lam
    here = {"gamma": column(s.gamma), "mu": column(p.mu), "L": column(p.L), "lambda": p.lam}
    proof.setting("K >= 1", K, 1)
    proof.setting("min{K - 1, 1} >= 0", min(K - 1, 1), 0)
    proof.leaf("0 < lambda", [0 < u, u <= x], 0 < x, **here)
    proof.leaf("gamma lambda >= 0", [g > 0, x > 0], 0 <= g * x, **here)
    proof.leaf("gamma lambda <= 1", [g > 0, x <= v, g * v < 1], g * x <= 1, **here)
    proof.leaf("gamma lambda <= gamma L", [g > 0, x <= v], g * x <= g * v, **here)
    proof.leaf("gamma mu <= gamma lambda", [g > 0, u <= x, c >= 0], c * (g * u) <= c * (g * x), **here,
               c=nb.number(min(K - 1, 1)))  # fmt: skip
    _deficits(proof, nb, z, K)
    total, rest = nb.geometric(z, K), count - nb.geometric(z, K)
    most, least = count * (K - 1) / 2 * s.gamma * p.L, min(K - 1, 1) * s.gamma * p.mu
    proof.leaf("K - S_K <= K (K - 1)/2 gamma L", [n - n * (n - 1) * d / 2 <= q, d <= y, n >= 1],
               n - q <= n * (n - 1) / 2 * y, K=count, d=z, y=column(s.gamma * p.L), q=total)  # fmt: skip
    proof.leaf("gamma mu <= K - S_K", [c <= d, d <= y], c <= y, c=column(least), d=min(K - 1, 1) * z, y=rest)
    proof.leaf("squares", [], 0 <= h * h, h=p.turned(s.x))
    proof.leaf("weights lambda r^2", [x > 0, h >= 0], 0 <= x * h, **here, h=p.turned(s.x) * p.turned(s.x))
    weights = p.lam * p.turned(s.x) * p.turned(s.x)
    for low, high in ((rest, column(most) + rest * 0), (column(least) + rest * 0, rest)):
        proof.leaf("times lambda r^2", [c <= d, h >= 0], c * h <= d * h, c=low, d=high, h=weights)
        proof.cross(sums, "over eigenvalues", low=low * weights, high=high * weights)
        sides = (low * weights).sum(axis=-1), (high * weights).sum(axis=-1)
        weighted(proof, "over clients", p.w, *sides)
        proof.leaf("divided by 2 K", [c <= d, n >= 1], c / (2 * n) <= d / (2 * n),
                   c=p.mean(sides[0]), d=p.mean(sides[1]), K=count)  # fmt: skip
    loss, bound = p.quadratic(p.lam, s.x), _on_bounded_sets(proof, s)
    proof.leaf(
        "(K - 1)/2 gamma L >= 0", [n >= 1, g > 0, v > 0], 0 <= (n - 1) * g * v / 2, K=count, gamma=s.gamma, L=p.L
    )
    proof.leaf("on bounded sets", [y <= q * f, f <= d, q >= 0], y <= q * d, y=gap(s), q=(K - 1) * s.gamma * p.L / 2,
               f=loss, d=bound)  # fmt: skip


def _deficits(proof: Derivation, nb: Any, z: Any, K: int) -> None:
    """For 0 <= z <= 1: z <= K - S_K for K >= 2, S_K = sum_(k<K) (1 - z)^k, and K - K (K - 1) z/2 <= S_K."""
    x, q = reals("z q")
    proof.leaf("1 - z >= 0", [x <= 1], 0 <= 1 - x, z=z)
    bernoulli(proof, nb, z, K)
    proof.leaf("1 - z <= 1", [x >= 0], 1 - x <= 1, z=z)
    proof.cross(powers, "(1 - z)^k <= 1", low=1 - z, high=z * 0 + 1, exponents=range(K))
    for k in range(K):
        proof.leaf("1 - (1 - z)^k >= 0", [q <= 1], 0 <= 1 - q, q=(1 - z) ** k)
    proof.leaf("1 - (1 - z) >= z", [], x <= 1 - (1 - x), z=z)
    terms = [1 - (1 - z) ** k for k in range(K)]
    low = [z if k == 1 else z * 0 for k in range(K)]
    proof.cross(sums, "z <= K - S_K", low=np.stack(low, -1), high=np.stack(terms, -1))


def _on_bounded_sets(proof: Derivation, s: Instance) -> Any:
    """f(x) = f(x*) + <grad f(x*), x - x*> + (x - x*)^T A (x - x*)/2 <= f(x*) + L/2 |x - x*|^2; the right side."""
    p, off = s.p, s.x - s.p.minimizer
    a, b, e, v, y, q = reals("a b e L y q")
    proof.cross(normal_equations, "the gradient at x*", p=p, values=p.lam, x=p.minimizer)
    slope = p.mean((p.A @ (p.minimizer[..., None, :] - p.c)[..., None])[..., 0])
    proof.leaf("no slope at x*", [a == 0], a * b == 0, a=slope, b=off)
    test = np.broadcast_to(off[..., None, :], p.c.shape)
    proof.cross(forms_grow, "A <= L", p=p, low=p.lam, high=column(p.L) + p.lam * 0, v=test)
    least, inner, terms = p.quadratic(p.lam, p.minimizer), form(p, p.lam, test, test), slope * off
    zero = terms.sum(axis=-1)
    proof.cross(
        equal_sums, "no slope along x - x*", low=terms, high=terms * 0, weights=np.array([1] * p.d, dtype=object)
    )
    proof.leaf("f(x) <= f(x*) + L/2 |x - x*|^2", [a == 0, y <= v * q], e + a + y / 2 <= e + v * q / 2,
               e=least, a=zero, y=inner, L=p.L, q=squares(off))  # fmt: skip
    return least + p.L * squares(off) / 2


STATEMENT = Statement(
    kind="limit",
    location="Before Assumption 4, section 7.1",
    says="As gamma tends to 0, f~_gamma converges to f; under Assumption 2 uniformly on R^d.",
    reading="Up to the factor K (f~_0 = K f, see the step). Uniform convergence asks, for every epsilon, for a "
    "gamma_0 > 0 with |f~_gamma/K - f| <= epsilon for all 0 < gamma <= gamma_0 and all x.",
    severity="substantive",
    domain=Domain(
        instance, grid(n=(1, 2, 3), d=(1, 2), K=(1, 2, 3, 10, 1000)), "0 < gamma < 1/L, x in [0, 10]^d, epsilon <= 1"
    ),
    hypotheses=(ASSUMPTION_2, GAMMA_BELOW),
    printed=claim_of(uniform),
    corrected=claim_of(relative, derive=derive),
    steps=(Step("f~_gamma converges to f", claim_of(pointwise), "to f/tau = K f, as section 6 has it"),),
    note="For K >= 2 f - f~_gamma/K is at least gamma mu/K f, and f exceeds every bound on R^d: no gamma_0 works for "
    "any epsilon.",
)

"""OLR Corollary 22: how far FedAvg's resting point moves with gamma."""

from surrogate import bounds
from theorems.bridges import larger, root_mean_square, sums
from theorems.outsized.common import ASSUMPTION_2, phis
from theorems.outsized.common_rates import TWO_RATES, apart, phi_drop, two_rates_domain
from theorems.outsized.lemmas import column, drop_grows, phi_per_eigenvalue, powers_fall
from theorems.outsized.t21b import STATEMENT as SHARPER
from theorems.outsized.t21b import bound as by_condition_numbers
from theorems.outsized.t21b import derive as derive_sharp
from theorems.vocabulary import *


def printed(s: Instance) -> list[Comparison]:
    r"""the distance is at most 2 sigma_c L^3/mu^2 (gamma_2 - gamma_1)

    \|x^*(\gamma_1)-x^*(\gamma_2)\|\le 2\sigma_c\frac{L^3}{\mu^2}(\gamma_2-\gamma_1)
    """
    p = s.p
    return [that("bound", apart(s)) <= bounds.corollary_22(p.mu, p.L, p.sigma_c, s.gamma_1, s.gamma_2)]


def corrected(s: Instance) -> list[Comparison]:
    r"""at most (K-1)/2 sigma_c L^2/mu (gamma_2 - gamma_1), and at most sigma_c (kappa~(gamma_1) - kappa~(gamma_2)) / (2
    sqrt kappa~(gamma_2)), which stays bounded as K grows; so the printed bound holds for K <= 4 L/mu + 1

    \|x^*(\gamma_1)-x^*(\gamma_2)\|\le\frac{\sigma_c}2\min\left\{(K-1)\frac{L^2}\mu(\gamma_2-\gamma_1),\ %
      \frac{\tilde\kappa(\gamma_1)-\tilde\kappa(\gamma_2)}{\sqrt{\tilde\kappa(\gamma_2)}}\right\}
    """
    p = s.p
    linear = (s.K - 1) * p.sigma_c * p.L * p.L / p.mu * (s.gamma_2 - s.gamma_1) / 2
    inside = p.nb.maximum(
        bounds.corollary_22(p.mu, p.L, p.sigma_c, s.gamma_1, s.gamma_2), linear
    )  # for K <= 4 L/mu + 1 the larger one is the printed bound
    return [
        that("with K - 1", apart(s)) <= linear,
        that("as printed for K <= 4 L/mu + 1", apart(s)) <= inside,
        *(c._replace(label="condition numbers") for c in by_condition_numbers(s)),
    ]


def third_line(s: Instance) -> list[Comparison]:
    r"""the third line of the displayed chain: the inequality is the other way round

    \sum_k(1-\gamma_1L)^{k-1}-(1-\gamma_2L)^{k-1}\le\sum_k(1-\gamma_1L)^{k-1}-(1-\gamma_2L)(1-\gamma_1L)^{k-2}

    sum_{k=2..K} r_1^(k-1) - r_2^(k-1) <= sum r_1^(k-1) - r_2 r_1^(k-2), r = 1 - gamma L.
    """
    p = s.p
    short = bounds.phi(s.K - 1, p.L, s.gamma_1) if s.K > 1 else p.L * 0  # L sum_{k=2..K} (1 - gamma_1 L)^(k-2)
    return [that(phi_drop(s)) <= short * p.L * (s.gamma_2 - s.gamma_1)]


def conclusion(s: Instance) -> list[Comparison]:
    r"""the chain's conclusion

    \phi_{K,L}(\gamma_1)-\phi_{K,L}(\gamma_2)\le\phi_{K,L}(\gamma_1)L(\gamma_2-\gamma_1)
    """
    return [that(phi_drop(s)) <= phis(s, s.gamma_1)[1] * s.p.L * (s.gamma_2 - s.gamma_1)]


def derive(proof: Derivation, s: Instance) -> None:
    """The two bounds, the first at most the larger of itself and the printed one."""
    p = s.p
    linear = derive_linear(proof, s)
    printed = bounds.corollary_22(p.mu, p.L, p.sigma_c, s.gamma_1, s.gamma_2)
    proof.cross(larger, nb=p.nb, x=printed, y=linear)
    a, b, c = reals("a b c")
    proof.leaf("the larger of the two", [a <= b, b <= c], a <= c, a=apart(s), b=linear, c=p.nb.maximum(printed, linear))


def derive_linear(proof: Derivation, s: Instance) -> Any:
    """OLR.T21b with sqrt kappa~ >= 1 and kappa~_1 - kappa~_2 <= (phi_L(gamma_1) - phi_L(gamma_2)) / phi_mu(gamma_1)."""
    p, K, nb = s.p, s.K, s.p.nb
    derive_sharp(proof, s)
    x, a, b, c, d, e, r = reals("x a b c d e r")
    proof.leaf("mu <= L", [a <= x, x <= b], a <= b, a=column(p.mu), x=p.lam, b=column(p.L))
    drop_grows(proof, s.gamma_1, s.gamma_2, K, p.mu, p.L)
    powers_fall(proof, s.gamma_1, K, p.mu, p.L)
    phi_per_eigenvalue(proof, s.gamma_1, K, p.mu, p.L)
    (low1, high1), (low2, high2) = phis(s, s.gamma_1), phis(s, s.gamma_2)
    drop_at_most(proof, s)
    top, bottom = (nb.geometric(s.gamma_1 * lam, K) for lam in (p.L, p.mu))
    proof.leaf("phi_mu(gamma_2) <= phi_mu(gamma_1)", [0 <= a - b], b <= a, a=low1, b=low2)
    proof.leaf("phi_L(gamma_1) / phi_mu(gamma_1) <= L / mu", [a <= b, c > 0, d > 0], c * a * d <= d * b * c,
               a=top, b=bottom, c=p.L, d=p.mu)  # fmt: skip
    proof.leaf("phi_mu(gamma_2) <= phi_L(gamma_2)", [a <= x, x <= b], a <= b, a=column(low2), b=column(high2),
               x=p.filtered(s.gamma_2, s.theta))  # fmt: skip
    proof.leaf(
        "kappa~_1 - kappa~_2", [0 < b, b <= a, 0 < d], c / a - d / b <= (c - d) / a, a=low1, b=low2, c=high1, d=high2
    )
    kappa, root = high2 / low2, nb.sqrt(high2 / low2)
    proof.leaf("kappa~_2 >= 1", [0 < a, a <= b], 1 <= b / a, a=low2, b=high2)
    proof.leaf("sqrt kappa~_2 >= 1", [a * a == b, b >= 1, a >= 0], a >= 1, a=root, b=kappa)
    D, drop = (s.K - 1) * p.L * (s.gamma_2 - s.gamma_1), phi_drop(s)
    proof.leaf("against phi_mu(gamma_1)", [a <= d * b, d >= 0, b * x <= c * e, c > 0, x > 0], a / c <= d * e / x,
               a=drop, b=high1, c=low1, d=D, e=p.L, x=p.mu)  # fmt: skip
    proof.cross(root_mean_square, "sigma_c", nb=nb, w=p.w, v=p.away)
    linear = (s.K - 1) * p.sigma_c * p.L * p.L / p.mu * (s.gamma_2 - s.gamma_1) / 2
    proof.leaf("the drop is at least 0", [0 <= a, a <= b, c > 0], 0 <= b / c, a=low1 - low2, b=drop, c=low1)
    proof.leaf(
        "without sqrt kappa~_2", [a <= b, r >= 1, 0 <= b], a / r <= b, a=high1 / low1 - kappa, r=root, b=drop / low1
    )
    proof.leaf("together", [x <= c * a / 2, a <= b, b <= d, c >= 0], x <= c * d / 2,
               x=apart(s), c=p.sigma_c, a=(high1 / low1 - kappa) / root, b=drop / low1, d=D * p.L / p.mu)  # fmt: skip
    return linear


def drop_at_most(proof: Derivation, s: Instance) -> None:
    """0 <= phi_L(gamma_1) - phi_L(gamma_2) <= (K - 1) L (gamma_2 - gamma_1) phi_L(gamma_1), with the powers known.

    r^k - t^k = (r - t) sum_(j<k) r^j t^(k-1-j) <= (r - t) (K - 1) r^(k-1) for k < K, r = 1 - gamma_1 L >= t.
    """
    p, K, L = s.p, s.K, s.p.L
    first, second = 1 - s.gamma_1 * L, 1 - s.gamma_2 * L
    d, m, u, v, w = reals("d K u v w")
    count, width = p.nb.number(K), first - second
    proof.setting("K >= 1", K, 1)
    proof.leaf("r - t >= 0", [u <= v], 0 <= v - u, u=second, v=first)
    low, high = [first * 0], [width * (K - 1) * first ** (K - 1)]
    for k in range(1, K):
        for j in range(k):
            proof.leaf("r^j t^(k-1-j) <= r^(k-1)", [w >= 0, u <= v], w * u <= w * v,
                       w=first**j, u=second ** (k - 1 - j), v=first ** (k - 1 - j))  # fmt: skip
        terms = [first**j * second ** (k - 1 - j) for j in range(k)] + [first * 0] * (K - 1 - k)
        proof.cross(
            sums, "at most K - 1 terms", low=np.stack(terms, -1), high=np.stack([first ** (k - 1)] * (K - 1), -1)
        )
        proof.leaf("r^k - t^k", [d >= 0, u <= (m - 1) * v], d * u <= d * (m - 1) * v,
                   d=width, u=sum(terms), K=count, v=first ** (k - 1))  # fmt: skip
        low.append(first**k - second**k)
        high.append(width * (K - 1) * first ** (k - 1))
    proof.leaf("a last term", [d >= 0, m >= 1, v >= 0], 0 <= d * (m - 1) * v, d=width, K=count, v=first ** (K - 1))
    proof.cross(sums, "all k", low=np.stack(low, -1), high=np.stack(high, -1))
    total = width * (K - 1) * p.nb.geometric(s.gamma_1 * L, K)
    proof.leaf("times L", [u <= v, w > 0], w * u <= w * v, u=phi_drop(s) / L, v=total, w=L)
    proof.leaf("(K - 1) L (gamma_2 - gamma_1) >= 0", [d >= 0, m >= 1], 0 <= (m - 1) * d, d=width, K=count)


STATEMENT = Statement(
    kind="upper bound",
    location="Corollary 22, section 6",
    says="FedAvg's resting points at two client rates are within 2 sigma_c L^3/mu^2 |gamma_2 - gamma_1|.",
    reading="0 <= gamma_1 <= gamma_2 < 1/L.",
    headline=True,
    severity="substantive",
    domain=two_rates_domain(K=(1, 2, 3, 5, 10, 60, 100, 1000, 10**5)),
    hypotheses=(ASSUMPTION_2, TWO_RATES),
    printed=claim_of(printed),
    corrected=claim_of(corrected, domain=SHARPER.domain, given=SHARPER.hypotheses, derive=derive),
    steps=(
        Step(
            "(1 - gamma_2 L)^(k-1) >= (1 - gamma_2 L)(1 - gamma_1 L)^(k-2), 'from gamma_1 <= gamma_2'",
            claim_of(third_line),
            "a^(k-1) - b^(k-1) <= (k-1) a^(k-2) (a - b) for a >= b: the factor k - 1 is lost",
        ),
        Step(
            "phi_L(gamma_1) - phi_L(gamma_2) <= phi_L(gamma_1) L (gamma_2 - gamma_1)",
            claim_of(conclusion),
            "with the factor K - 1 on the right",
        ),
    ),
    note="The displacement at gamma -> 0 is (K-1)/2 gamma |A^-1 E A_i^2 (c_i - x*)| to first order, so that no "
    "Lipschitz constant in gamma is free of K. Ours is smaller by the factor 4 (L/mu)/(K - 1).",
)

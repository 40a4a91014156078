"""OLR Corollary 22: how far FedAvg's resting point moves with gamma."""

from surrogate import bounds
from theorems.outsized.common import ASSUMPTION_2, phis
from theorems.outsized.common_rates import TWO_RATES, apart, phi_drop, two_rates_domain
from theorems.outsized.t21b import STATEMENT as SHARPER
from theorems.outsized.t21b import bound as by_condition_numbers
from theorems.outsized.t21b import prove as prove_sharp
from theorems.vocabulary import *


def printed(s: Instance) -> list[Comparison]:
    p = s.p
    return [Comparison("bound", apart(s), "<=", bounds.corollary_22(p.mu, p.L, p.sigma_c, s.low, s.high))]


def corrected(s: Instance) -> list[Comparison]:
    p = s.p
    linear = (s.K - 1) * p.sigma_c * p.L * p.L / p.mu * (s.high - s.low) / 2
    inside = p.nb.maximum(
        bounds.corollary_22(p.mu, p.L, p.sigma_c, s.low, s.high), linear
    )  # for K <= 4 L/mu + 1 the larger one is the printed bound
    return [
        Comparison("with K - 1", apart(s), "<=", linear),
        Comparison("as printed for K <= 4 L/mu + 1", apart(s), "<=", inside),
        *(c._replace(label="condition numbers") for c in by_condition_numbers(s)),
    ]


def third_line(s: Instance) -> list[Comparison]:
    """sum_{k=2..K} r_1^(k-1) - r_2^(k-1) <= sum r_1^(k-1) - r_2 r_1^(k-2), r = 1 - gamma L."""
    p = s.p
    short = bounds.phi(s.K - 1, p.L, s.low) if s.K > 1 else p.L * 0  # L sum_{k=2..K} (1 - gamma_1 L)^(k-2)
    return [Comparison("", phi_drop(s), "<=", short * p.L * (s.high - s.low))]


def conclusion(s: Instance) -> list[Comparison]:
    return [Comparison("", phi_drop(s), "<=", phis(s, s.low)[1] * s.p.L * (s.high - s.low))]


def prove() -> Proof:
    prove_sharp()
    low1, low2, high1, high2 = reals("low1 low2 high1 high2")
    positive = [0 < low2, low2 <= low1, low1 <= high1, low2 <= high2, high2 <= high1]
    smt(positive, (high1 / low1 - high2 / low2) * low1 <= high1 - high2)
    # By induction on K, with L = 1, r = 1 - gamma_1, s = 1 - gamma_2, a = r^(K-1), b = s^(K-1), D = r - s:
    r, s, a, b, K, total, drop = reals("r s a b K total drop")
    box = [0 <= s, s <= r, r <= 1, 0 <= b, b <= a, a <= 1, K >= 1]
    smt([*box, a - b <= (K - 1) * a * (r - s)], r * a - s * b <= K * r * a + (r - s) * a)  # no more than needed
    power = sympy.symbols("r s a b")
    identity(
        (power[0] * power[2] - power[1] * power[3], power[0] * (power[2] - power[3]) + (power[0] - power[1]) * power[3])
    )
    e, D = reals("e D")  # e >= a_K - b_K: r^K - s^K <= K r^(K-1) D
    smt([*box, D == r - s, e <= K * a * D, b * r <= a * r], r * e + D * b * r <= (K + 1) * a * r * D)
    smt([*box, total >= K * a], total + r * a >= (K + 1) * r * a)  # phi_K(gamma_1) >= K r^(K-1)
    smt(
        [*box, D == r - s, total >= K * a, drop <= (K - 1) * total * D],
        drop + K * a * D <= K * (total + r * a) * D + 0 * a,
    )
    return Proof(
        "z3 and sympy",
        "OLR.T21b with sqrt kappa~ >= 1; kappa~_1 - kappa~_2 <= (phi_L(gamma_1) - phi_L(gamma_2))/phi_mu(gamma_1), and "
        "phi_L(gamma_1) - phi_L(gamma_2) <= (K-1) L (gamma_2 - gamma_1) phi_L(gamma_1) by induction on K from "
        "r^k - s^k <= k r^(k-1) (r - s); Lemma 35 bounds phi_L/phi_mu by L/mu.",
    )


STATEMENT = Statement(
    id="OLR.C22",
    kind="upper bound",
    location="Corollary 22, section 6",
    says="FedAvg's resting points at two client rates are within 2 sigma_c L^3/mu^2 |gamma_2 - gamma_1|.",
    reading="0 <= gamma_1 <= gamma_2 < 1/L.",
    headline=True,
    severity="substantive",
    domain=two_rates_domain(K=(1, 2, 3, 5, 10, 60, 100, 1000, 10**5)),
    hypotheses=(ASSUMPTION_2, TWO_RATES),
    printed=Claim(
        says="the distance is at most 2 sigma_c L^3/mu^2 (gamma_2 - gamma_1)",
        latex=r"\|x^*(\gamma_1)-x^*(\gamma_2)\|\le 2\sigma_c\frac{L^3}{\mu^2}(\gamma_2-\gamma_1)",
        compare=printed,
    ),
    corrected=Claim(
        says="at most (K-1)/2 sigma_c L^2/mu (gamma_2 - gamma_1), and at most sigma_c (kappa~(gamma_1) - "
        "kappa~(gamma_2)) / (2 sqrt kappa~(gamma_2)), which no K exceeds; so the printed bound holds for K <= 4 L/mu "
        "+ 1",
        latex=r"\|x^*(\gamma_1)-x^*(\gamma_2)\|\le\frac{\sigma_c}2\min\left\{(K-1)\frac{L^2}\mu(\gamma_2-\gamma_1),\ "
        r"\frac{\tilde\kappa(\gamma_1)-\tilde\kappa(\gamma_2)}{\sqrt{\tilde\kappa(\gamma_2)}}\right\}",
        compare=corrected,
        prove=prove,
        domain=SHARPER.domain,
    ),
    steps=(
        Step(
            "(1 - gamma_2 L)^(k-1) >= (1 - gamma_2 L)(1 - gamma_1 L)^(k-2), 'from gamma_1 <= gamma_2'",
            Claim(
                "the third line of the displayed chain: the inequality is the other way round",
                r"\sum_k(1-\gamma_1L)^{k-1}-(1-\gamma_2L)^{k-1}\le\sum_k(1-\gamma_1L)^{k-1}-(1-\gamma_2L)(1-"
                r"\gamma_1L)^{k-2}",
                third_line,
            ),
            "a^(k-1) - b^(k-1) <= (k-1) a^(k-2) (a - b) for a >= b: the factor k - 1 is lost",
        ),
        Step(
            "phi_L(gamma_1) - phi_L(gamma_2) <= phi_L(gamma_1) L (gamma_2 - gamma_1)",
            Claim(
                "the chain's conclusion",
                r"\phi_{K,L}(\gamma_1)-\phi_{K,L}(\gamma_2)\le\phi_{K,L}(\gamma_1)L(\gamma_2-\gamma_1)",
                conclusion,
            ),
            "with the factor K - 1 on the right",
        ),
    ),
    note="The displacement at gamma -> 0 is (K-1)/2 gamma |A^-1 E A_i^2 (c_i - x*)| to first order, so that no "
    "Lipschitz constant in gamma is free of K. Ours is smaller by the factor 4 (L/mu)/(K - 1).",
)

"""OLR Corollary 20: FedAvg's displacement for a client rate that depends on eps."""

from surrogate import bounds
from theorems.outsized.common import ASSUMPTION_2
from theorems.outsized.l18 import POSITIVE
from theorems.outsized.l18 import prove as prove_lemma
from theorems.outsized.t17 import prove as prove_theorem
from theorems.vocabulary import *


def instance(cursor: Cursor, n: int, d: int, K: int, reach: int = 1, loose: int = 1) -> Instance:
    p = clients(cursor, n, d, weighted=True)
    x = (1 - cursor.take()) * K * reach
    return Instance(p=p, nb=p.nb, x=x, gamma=(1 - cursor.take()) * loose * x / (K * p.L), K=K, theta=Theta.sum(K))


def bound(s: Instance) -> list[Comparison]:
    p = s.p
    moved = p.nb.length(p.displacement(s.gamma, s.theta))
    limit = bounds.corollary_20(p.mu, p.L, p.sigma_A, p.sigma_c, bounds.Epsilon(s.x))
    return [Comparison("bound", moved, "<=", limit)]


def inside(s: Instance) -> list[Comparison]:
    return [Comparison("", s.gamma * s.p.L, "<", s.gamma * 0 + 1)]


def prove() -> Proof:
    prove_lemma()
    prove_theorem()
    K, L, mu, eps, top, low = reals("K L mu eps top low")
    start = [K >= 1, 0 < mu, mu <= L, 0 <= eps, eps < 1, top >= (1 - eps) * K * L, low >= (1 - eps) * K * mu]
    smt([*start, top <= K * L], (K * L - top) * (1 - eps) * mu <= low * L * eps)
    return Proof(
        "z3 and sympy",
        "Theorem 17 with Lemma 18 at L and mu: (K L - phi_L)/phi_mu <= (L/mu) eps/(1-eps). At eps = 1 - e^-K the rate "
        "may be 1/L itself, where Theorem 17 holds by continuity (phi_mu > 0 there).",
    )


STATEMENT = Statement(
    id="OLR.C20",
    kind="upper bound",
    location="Corollary 20, section 6",
    says="For eps <= 1 - e^-K and gamma <= ln(1/(1-eps))/(K L), the displacement is at most "
    "sigma_c (1 + sigma_A/mu) (L/mu) eps/(1-eps).",
    reading="0 <= eps = 1 - e^-x, gamma >= 0.",
    headline=True,
    domain=Domain(
        instance,
        grid(n=(1, 2, 3), d=(1, 2), K=(1, 2, 3, 10, 100, 10**5)),
        "weighted clients, 0 <= gamma <= x/(K L) <= 1/L",
    ),
    hypotheses=(
        ASSUMPTION_2,
        replace(
            POSITIVE,
            without=Domain(
                lambda cursor, **discrete: instance(cursor, **discrete, reach=3),
                grid(n=(1, 2), d=(1,), K=(2, 3)),
                "eps up to 1 - e^-3K",
            ),
        ),
        Hypothesis(
            "0 <= gamma <= ln(1/(1 - eps)) / (K L)",
            lambda s: [
                Comparison("", s.gamma, "<=", bounds.lemma_18_rate(s.K, s.p.L, bounds.Epsilon(s.x))),
                Comparison("sign", s.gamma, ">=", s.x * 0),
            ],
            Domain(
                lambda cursor, **discrete: instance(cursor, **discrete, loose=1000),
                grid(n=(1, 2), d=(1,), K=(2, 3, 10)),
                "gamma up to 1000 times as large",
            ),
        ),
    ),
    printed=Claim(
        "the displacement is at most the bound",
        r"\|x^*(\gamma,\Theta_{1:K})-x^*\|\le\sigma_c\left(1+\frac{\sigma_A}\mu\right)\frac "
        r"L\mu\frac\epsilon{1-\epsilon}",
        bound,
        prove,
    ),
    steps=(
        Step(
            "'plugging these into Theorem 17', which asks gamma < 1/L",
            Claim("gamma < 1/L", r"\gamma<L^{-1}", inside),
            "gamma = 1/L is allowed at eps = 1 - e^-K; Theorem 17 holds there, too, by continuity",
        ),
    ),
    note="eps/(1-eps) grows like e^(gamma K L) while the displacement is bounded: OLR.T17b is sharper for all gamma.",
)

"""LA (74)-(77): one local step recovers synchronous SGD."""

from theorems.local_adaptivity.common_sgd import DECAY, INDUCTION, READING, against, decaying_domain, gap
from theorems.local_adaptivity.lemmas_sgd import claim
from theorems.vocabulary import *


def bound(s: Instance) -> Any:
    return 4 * s.sigma2 / (s.mu**2 * s.M)


def sizes(proof: Derivation, s: Instance) -> None:
    """4 N / a^2 <= 4 sigma^2 / (mu^2 M) at tau = 1: a >= eta mu."""
    n, y, t, q, a, m = reals("n y t q a m")
    proof.leaf("4 N/a^2", [q * m <= a, 0 < m, 0 < q, 0 < y, n >= 1, t >= 1, t <= 1],
               4 * (q**2 * y * t / n) / a**2 <= 4 * y / (m**2 * n),
               n=s.nb.number(s.M), y=s.sigma2, t=s.nb.number(s.tau), q=s.eta, a=gap(s), m=s.mu)  # fmt: skip


def algebra(s: Instance) -> list[Comparison]:
    r"""2x/(1 - (1 - x)^2) = 2/(2 - x) <= 2 for x = eta mu <= 1

    \left(\frac{2\eta\mu}{1-(1-\eta\mu)^2}\right)^2=\left(\frac2{2-\eta\mu}\right)^2\le4
    """
    x = s.eta * s.mu
    return [that("(75) = (76)", 2 * x / (x * (2 - x))) == 2 / (2 - x), that("(77)", (2 * x / gap(s)) ** 2) <= x * 0 + 4]


def prove_algebra() -> None:
    """sympy and z3: 1 - (1 - x)^2 = x (2 - x), and 2 - x >= 1 for x = eta mu <= 1."""
    x = sympy.symbols("x")
    identity((2 * x / (1 - (1 - x) ** 2), 2 / (2 - x)))
    y = reals("y")
    smt([0 < y, y <= 1], (2 / (2 - y)) ** 2 <= 4)


ALGEBRA = claim_of(algebra, prove=prove_algebra, domain=decaying_domain((1,)))


STATEMENT = Statement(
    kind="upper bound",
    location="(74) to (77), Appendix C",
    says="With tau = 1 (then x~ = x*): E||x^(T) - x*||^2 <= 4 sigma^2 / (mu^2 M (T + beta)) for every T.",
    reading=READING,
    severity="substantive",
    domain=decaying_domain((1,)),
    hypotheses=DECAY,
    printed=Claim(
        "the bound for every T >= 0",
        r"\mathbb{E}\|x^{(T)}-\tilde x\|^2\le\frac{4\sigma^2}{\mu^2M(T+\beta)}",
        against(bound),
    ),
    corrected=claim(
        "for beta >= 2/a: at most max(beta ||x^(0) - x~||^2, 4 sigma^2/(mu^2 M)) / (T + beta)",
        r"\frac{\max\{\beta\|x^{(0)}-\tilde x\|^2,\,4\sigma^2/(\mu^2M)\}}{T+\beta},\ \beta\ge\frac2a",
        bound,
        sizes,
        taus=(1,),
    ),
    steps=(Step("(74) to (77)", ALGEBRA), INDUCTION),
    note="The algebra from (74) to (77) is right; the bound fails with (68), from which it comes (LA.E68).",
)

"""LA (85): the rate of local SGD while eta mu tau <= 1."""

from theorems.local_adaptivity.common_sgd import DECAY, INDUCTION, READING, WITHIN, against, decaying_domain, gap
from theorems.local_adaptivity.lemmas_sgd import claim
from theorems.vocabulary import *


def bound(s: Instance) -> Any:
    return 9 * s.sigma2 / (s.mu**2 * s.M * s.tau)


def sizes(proof: Derivation, s: Instance) -> None:
    """4 N / a^2 <= 9 sigma^2 / (mu^2 M tau): (1 - z)^n (1 + n z) <= 1 gives a >= 2 u/(1 + 2 u) >= 2 u/3, u = z tau."""
    z, nb = s.eta * s.mu, s.nb
    n, y, t, q, a, m, p, x, j = reals("n y t q a m p x j")
    proof.leaf("1 - z^2 <= 1", [], (1 - x) * (1 + x) <= 1, x=z)
    for k in range(1, 2 * s.tau):
        proof.setting("n >= 1", k, 1)
        proof.leaf("Bernoulli", [p * (1 + j * x) <= 1, 0 <= p, 0 < x, j >= 1], p * (1 - x) * (1 + (j + 1) * x) <= 1,
                   p=(1 - z) ** k, j=nb.number(k), x=z)  # fmt: skip
    proof.leaf("a >= 2 u/3", [a == 1 - p, p * (1 + 2 * t * x) <= 1, x * t <= 1, 0 < x, t >= 1, 0 <= p],
               2 * t * x <= 3 * a, a=gap(s), p=(1 - z) ** (2 * s.tau), t=nb.number(s.tau), x=z)  # fmt: skip
    proof.leaf("4 N/a^2", [2 * t * (q * m) <= 3 * a, 0 < m, 0 < q, 0 < y, n >= 1, t >= 1, 0 < a],
               4 * (q**2 * y * t / n) / a**2 <= 9 * y / (m**2 * n * t),
               n=nb.number(s.M), y=s.sigma2, t=nb.number(s.tau), q=s.eta, a=gap(s), m=s.mu)  # fmt: skip


STATEMENT = Statement(
    kind="upper bound",
    location="(85), Appendix C",
    says="If eta mu tau <= 1: E||x^(T) - x~||^2 <= 9 sigma^2 / (mu^2 M tau (T + beta)) for every T.",
    reading=READING,
    severity="substantive",
    domain=decaying_domain(within=True),
    hypotheses=(*DECAY, *WITHIN),
    printed=Claim(
        "the bound for every T >= 0",
        r"\mathbb{E}\|x^{(T)}-\tilde x\|^2\le\frac{9\sigma^2}{\mu^2M\tau(T+\beta)}",
        against(bound),
    ),
    corrected=claim(
        "for beta >= 2/a: at most max(beta ||x^(0) - x~||^2, 9 sigma^2/(mu^2 M tau)) / (T + beta)",
        r"\frac{\max\{\beta\|x^{(0)}-\tilde x\|^2,\,9\sigma^2/(\mu^2M\tau)\}}{T+\beta},\ \beta\ge\frac2a",
        bound,
        sizes,
        within=True,
    ),
    steps=(replace(INDUCTION, claim=replace(INDUCTION.claim, given=(*DECAY, *WITHIN))),),
    note="Fails with (68), from which it comes (LA.E68). The constant 9 could be (2/(1 - e^-2))^2 < 5.35 (LA.E84).",
)

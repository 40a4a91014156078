"""LA (85): the rate of local SGD while eta mu tau <= 1."""

from theorems.local_adaptivity.common_sgd import DECAY, INDUCTION, READING, WITHIN, against, claim, decaying_domain
from theorems.vocabulary import *


def bound(s: Instance) -> Any:
    return 9 * s.sigma2 / (s.mu**2 * s.M * s.tau)


def sizes() -> None:
    """4 N / a^2 = sigma^2 z^2 / (mu^2 M tau) with z <= z(1/tau) < 3 by LA.E84."""
    z, c = reals("z c")
    smt([0 <= z, z < 3, c >= 0], c * z * z <= 9 * c)


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

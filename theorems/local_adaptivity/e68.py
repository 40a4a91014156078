"""LA (68): the rate of SGD clients with decaying server rates."""

from theorems.local_adaptivity.common_sgd import DECAY, INDUCTION, READING, against, decaying_domain, gap
from theorems.local_adaptivity.lemmas_sgd import claim
from theorems.vocabulary import *


def bound(s: Instance) -> Any:
    return 4 * s.sigma2 * s.eta**2 * s.tau / (s.M * gap(s) ** 2)


def sizes(proof: Derivation, s: Instance) -> None:
    """The bound is 4 N / a^2 itself."""
    n, y, t, q, a = reals("n y t q a")
    proof.leaf("4 N/a^2", [0 < a, n >= 1], 4 * (q**2 * y * t / n) / a**2 <= 4 * y * q**2 * t / (n * a**2),
               n=s.nb.number(s.M), y=s.sigma2, t=s.nb.number(s.tau), q=s.eta, a=gap(s))  # fmt: skip


STATEMENT = Statement(
    kind="upper bound",
    location="(67) to (71), Appendix C",
    says="With alpha = 2/[(1 - (1 - eta mu)^(2 tau)) (t + beta)] and beta small enough, for every T >= 0: E||x^(T) - "
    "x~||^2 <= 4 sigma^2 eta^2 tau / (M (1 - (1 - eta mu)^(2 tau))^2 (T + beta)).",
    reading=READING,
    severity="substantive",
    domain=decaying_domain(),
    hypotheses=DECAY,
    printed=Claim(
        "the bound for every T >= 0",
        r"\mathbb{E}\|x^{(T)}-\tilde x\|^2\le\frac{4\sigma^2\eta^2\tau}{M(1-(1-\eta\mu)^{2\tau})^2(T+\beta)}",
        against(bound),
    ),
    corrected=claim(
        "for beta >= 2/a, a = 1 - (1 - eta mu)^(2 tau): at most max(beta ||x^(0) - x~||^2, 4 sigma^2 eta^2 tau / (M "
        "a^2)) / (T + beta)",
        r"\frac{\max\{\beta\|x^{(0)}-\tilde x\|^2,\,4\sigma^2\eta^2\tau/(Ma^2)\}}{T+\beta},\ \beta\ge\frac2a",
        bound,
        sizes,
    ),
    steps=(INDUCTION,),
    note="The induction multiplies an upper bound by 1 - 2/(t + beta), which is negative while t + beta < 2, and takes "
    "alpha_0 = 2/(a beta) > 1, where (61) fails: with little noise the printed beta is tiny and the first rounds "
    "overshoot. At T = 0 the printed range of beta lacks a factor 1/M.",
)

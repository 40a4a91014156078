"""LA (72), (73): the bound of SGD clients, rewritten."""

from theorems.local_adaptivity.common_sgd import DECAY, INDUCTION, READING, against, decaying_domain, gap
from theorems.local_adaptivity.lemmas_sgd import claim
from theorems.vocabulary import *


def bound(s: Instance) -> Any:
    """As (73) writes it."""
    return s.sigma2 / (s.mu**2 * s.M * s.tau) * (2 * s.eta * s.mu * s.tau / gap(s)) ** 2


def sizes(proof: Derivation, s: Instance) -> None:
    """The bound is 4 N / a^2."""
    n, y, t, q, a, m = reals("n y t q a m")
    proof.leaf("4 N/a^2", [0 < a, n >= 1, t >= 1, 0 < m],
               4 * (q**2 * y * t / n) / a**2 <= y / (m**2 * n * t) * (2 * q * m * t / a) ** 2,
               n=s.nb.number(s.M), y=s.sigma2, t=s.nb.number(s.tau), q=s.eta, a=gap(s), m=s.mu)  # fmt: skip


STATEMENT = Statement(
    kind="upper bound",
    location="(72), Appendix C",
    says="Conclusion of the induction: E||x^(T) - x~||^2 <= sigma^2/(mu^2 M tau (T + beta)) (2 eta mu tau / (1 - (1 "
    "- eta mu)^(2 tau)))^2 for every T.",
    reading=READING,
    severity="substantive",
    domain=decaying_domain(),
    hypotheses=DECAY,
    printed=Claim(
        "the bound for every T >= 0",
        r"\mathbb{E}\|x^{(T)}-\tilde x\|^2\le\frac{\sigma^2}{\mu^2M\tau(T+\beta)}\left(\frac{2\eta\mu\tau}{1-(1-\eta"
        r"\mu)^{2\tau}}\right)^2",
        against(bound),
    ),
    corrected=claim(
        "for beta >= 2/a: at most max(beta ||x^(0) - x~||^2, the printed numerator) / (T + beta)",
        r"\frac1{T+\beta}\max\left\{\beta\|x^{(0)}-\tilde x\|^2,\frac{\sigma^2}{\mu^2M\tau}\left(\frac{2\eta\mu\tau}a"
        r"\right)^2\right\},\ \beta\ge\frac2a",
        bound,
        sizes,
    ),
    steps=(INDUCTION,),
    note="The induction multiplies an upper bound by 1 - 2/(t + beta), which is negative while t + beta < 2, and takes "
    "alpha_0 = 2/(a beta) > 1, where (61) fails: with little noise the printed beta is tiny and the first rounds "
    "overshoot. At T = 0 the printed range of beta lacks a factor 1/M.",
)

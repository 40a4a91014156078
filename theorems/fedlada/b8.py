"""LADA Lemma B.8: how z moves."""

from theorems.fedlada.common_rounds import RATES, T, played, rounds, symbols
from theorems.vocabulary import *


def compare(s: Instance) -> list[Comparison]:
    r"""(17)

    z^{t+1}=z^t-\eta\eta_l\frac1{SK}\sum_{i\in S^t}\sum_{\tau=1}^Km\odot\vartheta
    """
    run = played(s)
    eta = s.steps * s.eta_g
    return [
        that(f"t = {t}", s.alpha * run.z[t + 1]) == s.alpha * (run.z[t] - eta * s.eta_l * run.path[t]) for t in range(T)
    ]


def prove() -> Proof:
    x, before, eta_g, eta_l, K, alpha, path = sympy.symbols("x before eta_g eta_l K alpha path")
    g_a = (before - x) / (eta_g * eta_l * K)
    after = x - eta_g * eta_l * K * (alpha * path + (1 - alpha) * g_a)

    def z(now: Scalar, last: Scalar) -> Any:
        return now / alpha - (1 - alpha) / alpha * last

    identity((z(after, x), z(x, before) - K * eta_g * eta_l * path))
    for S in (1, 2):
        for K_ in (1, 2):
            s = symbols(S, K_)
            run = played(s)
            identity(*((run.z[t + 1], run.z[t] - K_ * s.eta_g * s.eta_l * run.path[t]) for t in range(T)))
    return Proof(
        "sympy identity",
        "With g_a^t = (x^{t-1} - x^t)/(eta_g eta_l K) the identity holds in x^t, x^{t-1} and the round's mean update, "
        "for every K and S; at t = 0 it needs x^{-1} = x^0 (z^0 = x^0), which g_a^0 = 0 says. The listing is played, "
        "too.",
    )


STATEMENT = Statement(
    kind="identity",
    location="Lemma B.8, appendix B.2",
    says="z^{t+1} = z^t - eta eta_l (1/(SK)) sum_{i in S^t, tau} m theta, z^t = x^t/alpha - (1-alpha)/alpha x^{t-1}, "
    "eta = K eta_g.",
    reading="K local steps; z^0 = x^0. The factor of the sum in the printed proof's last line but one lacks nothing: "
    "eta_g/S = eta/(SK).",
    domain=rounds(),
    hypotheses=(RATES,),
    printed=claim_of(compare, prove=prove),
)

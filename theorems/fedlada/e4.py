"""LADA (4): g_a is an exponential average of adaptive updates."""

from theorems.fedlada.common_rounds import RATES, T, played, rounds, symbols
from theorems.vocabulary import *


def compare(s: Instance) -> list[Comparison]:
    r"""(4)

    g_a^t=\frac\alpha{SK}\sum_{i,\tau}m_{i,\tau}^t\odot\vartheta_{i,\tau}^t+(1-\alpha)g_a^{t-1}
    """
    run = played(s)
    recursion = [
        that(f"t = {t}", run.g_a[t + 1]) == s.alpha * run.path[t] + (1 - s.alpha) * run.g_a[t] for t in range(T)
    ]
    total = sum(s.alpha * (1 - s.alpha) ** (T - 1 - t) * run.path[t] for t in range(T))
    return [*recursion, that("weights alpha (1 - alpha)^age", run.g_a[T]) == total]


def prove() -> None:
    """sympy identity: A client moves by eta_l (alpha sum_tau m theta + (1 - alpha) K g_a); the mean over S clients
    divided by eta_g eta_l K is (4), an identity in the mean update for every K and S; the listing itself is played for
    K <= 3 and S <= 2.
    """
    x, eta_g, eta_l, K, alpha, path, g_a = sympy.symbols("x eta_g eta_l K alpha path g_a")
    after = x - eta_g * (eta_l * K * (alpha * path + (1 - alpha) * g_a))
    identity(((x - after) / (eta_g * eta_l * K), alpha * path + (1 - alpha) * g_a))
    for S in (1, 2):
        for K_ in (1, 2, 3):
            s = symbols(S, K_)
            run = played(s)
            identity(*((run.g_a[t + 1], s.alpha * run.path[t] + (1 - s.alpha) * run.g_a[t]) for t in range(T)))


STATEMENT = Statement(
    kind="identity",
    location="equation (4), section 3.3",
    says="g_a^t = alpha (1/(SK)) sum_{i,tau} m theta + (1 - alpha) g_a^{t-1}: an exponential average of past local "
    "updates.",
    reading="g_a^t indexed as in (3) (line 18's g_a^{t+1}), the sum over the clients of S^t, and K local steps, as "
    "the sum in (4) and the message x_{i,K} say.",
    domain=rounds(),
    hypotheses=(RATES,),
    printed=claim_of(compare, prove=prove),
    note="With the K - 1 steps that line 6 prints, g_a^{t-1} would have the weight (1 - alpha)(K-1)/K instead "
    "(LADA.A3).",
)

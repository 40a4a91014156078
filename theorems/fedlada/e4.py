"""LADA (4): g_a is an exponential average of adaptive updates."""

from theorems.fedlada.common_rounds import RATES, T, moved, played, rounds
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


def derive(proof: Derivation, s: Instance) -> None:
    """A client moves by eta_l (alpha sum_tau m theta + (1 - alpha) K g_a): the mean over S clients, divided."""
    a, p, h, e, lr, K, x, R = reals("alpha path g_a eta_g eta_l K x R")
    run, count = played(s), s.nb.number(s.steps)
    total = s.x * 0
    for t in range(T):
        deltas = moved(proof, s, t, run)
        proof.leaf(
            "(4)", [x == e * (lr * K * (a * p + (1 - a) * h)), 0 < e, 0 < lr, K >= 1],
            x / (e * lr * K) == a * p + (1 - a) * h, alpha=s.alpha, path=run.path[t], g_a=run.g_a[t], eta_g=s.eta_g,
            eta_l=s.eta_l, K=count, x=deltas,
        )  # fmt: skip
        if t == 0:
            proof.leaf("the first update", [x == a * p + (1 - a) * (0 * p)], x == a * p, x=run.g_a[1], alpha=s.alpha,
                       path=run.path[0])  # fmt: skip
        else:
            proof.leaf("one update more", [x == a * p + (1 - a) * h, h == R], x == a * p + (1 - a) * R,
                       x=run.g_a[t + 1], alpha=s.alpha, path=run.path[t], g_a=run.g_a[t], R=total)  # fmt: skip
        total = s.alpha * run.path[t] + (1 - s.alpha) * total


STATEMENT = Statement(
    kind="identity",
    location="equation (4), section 3.3",
    says="g_a^t = alpha (1/(SK)) sum_{i,tau} m theta + (1 - alpha) g_a^{t-1}: an exponential average of past local "
    "updates.",
    reading="g_a^t indexed as in (3) (line 18's g_a^{t+1}), the sum over the clients of S^t, and K local steps, as "
    "the sum in (4) and the message x_{i,K} say.",
    domain=rounds(),
    hypotheses=(RATES,),
    printed=claim_of(compare, derive=derive),
    note="With the K - 1 steps that line 6 prints, g_a^{t-1} would have the weight (1 - alpha)(K-1)/K instead "
    "(LADA.A3).",
)

"""LADA Lemma B.8: how z moves."""

from theorems.fedlada.common_rounds import RATES, T, moved, played, rounds
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


def derive(proof: Derivation, s: Instance) -> None:
    """With g_a^t = (x^{t-1} - x^t)/(eta_g eta_l K), 0 at first: in x^t, x^{t-1} and the round's mean update."""
    a, p, h, e, lr, K, x, b, c, y = reals("alpha path g_a eta_g eta_l K x before moved step")
    run, count = played(s), s.nb.number(s.steps)
    before = s.x
    for t in range(T):
        moved_ = moved(proof, s, t, run)
        rates = {"alpha": s.alpha, "eta_g": s.eta_g, "eta_l": s.eta_l, "K": count}
        if t == 0:
            proof.leaf("x^{-1} = x^0", [], e * lr * K * (0 * x) == x - x, x=s.x, eta_g=s.eta_g, eta_l=s.eta_l, K=count)
        else:
            ahead = s.eta_g * s.eta_l * s.steps
            proof.define("line 18 of the last round", run.g_a[t], (before - run.xs[t]) / ahead)
            proof.leaf("the last move", [h == y / (e * lr * K), 0 < e, 0 < lr, K >= 1], e * lr * K * h == y,
                       step=before - run.xs[t], g_a=run.g_a[t], eta_g=s.eta_g, eta_l=s.eta_l, K=count)  # fmt: skip
        proof.leaf(
            "(17)", [c == e * (lr * K * (a * p + (1 - a) * h)), e * lr * K * h == b - x, 0 < a],
            a * ((x - c) / a - (1 - a) / a * x) == a * (x / a - (1 - a) / a * b - K * e * lr * p), x=run.xs[t],
            before=before, moved=moved_, path=run.path[t], g_a=run.g_a[t], **rates,
        )  # fmt: skip
        before = run.xs[t]


STATEMENT = Statement(
    kind="identity",
    location="Lemma B.8, appendix B.2",
    says="z^{t+1} = z^t - eta eta_l (1/(SK)) sum_{i in S^t, tau} m theta, z^t = x^t/alpha - (1-alpha)/alpha x^{t-1}, "
    "eta = K eta_g.",
    reading="K local steps; z^0 = x^0. The factor of the sum in the printed proof's last line but one lacks nothing: "
    "eta_g/S = eta/(SK).",
    domain=rounds(),
    hypotheses=(RATES,),
    printed=claim_of(compare, derive=derive),
)

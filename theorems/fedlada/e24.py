"""LADA (24): what SCAFFOLD's correction needs."""

from theorems.fedlada.common import boxed, mean
from theorems.vocabulary import *


def sides(g: Any, last: Any, n: int, K: int) -> tuple[Any, Any]:
    """Client 0's mean corrected direction minus g_a^{t+1}, against minus the gap of (24)."""
    now, before = [mean(v) for v in g], [mean(v) for v in last]
    used = mean([g[0][k] + mean(before) - before[0] for k in range(K)])
    gap = (mean(now) - now[0]) - (mean(before) - before[0])
    return used - mean(now), -gap


def compare(s: Instance) -> list[Comparison]:
    r"""error = gap of (24)

    \overline{g_{\mathrm{correct}}}-g_a^{t+1}=-\big((g_a^{t+1}-\bar g_i^t)-(g_a^t-\bar g_i^{t-1})\big)
    """
    left, right = sides(s.g, s.last, s.n, s.steps)
    return [that(left) == right]


def derive(proof: Derivation, s: Instance) -> None:
    """The client's mean direction is gbar_i^t + g_a^t - gbar_i^{t-1}: subtract g_a^{t+1}."""
    S, x, c, n, u, v, g, h = reals("S x c n now before g_next g_a")
    now, before = ([mean(v) for v in each] for each in (s.g, s.last))
    shift, total, moved = mean(before) - before[0], s.g[0][0], s.g[0][0] + (mean(before) - before[0])
    proof.leaf("the first step", [], x + c == x + 1 * c, x=total, c=shift)
    for k in range(1, s.steps):
        proof.leaf("one step more", [u == S + n * c], u + (x + c) == (S + x) + (n + 1) * c, now=moved, S=total,
                   n=s.nb.number(k), c=shift, x=s.g[0][k])  # fmt: skip
        total, moved = total + s.g[0][k], moved + (s.g[0][k] + shift)
    K = s.nb.number(s.steps)
    proof.setting("K >= 1", s.steps, 1)
    proof.leaf("the mean", [u == S + n * c, n >= 1], u / n == S / n + c, now=moved, S=total, n=K, c=shift)
    proof.leaf("(24)", [x == u + (h - v)], x - g == -((g - u) - (h - v)), x=moved / K, now=now[0], before=before[0],
               g_next=mean(now), g_a=mean(before))  # fmt: skip


STATEMENT = Statement(
    kind="equivalence",
    location="equation (24), C.2",
    says="SCAFFOLD's corrected direction is the global one as far as g_a^{t+1} - gbar_i^t = g_a^t - gbar_i^{t-1}.",
    reading="The client's mean direction of round t against g_a^{t+1}; the gap of (24) is the error, with a minus.",
    domain=boxed(
        "any gradients of two rounds",
        tuple({"n": n, "steps": K} for n in (1, 2, 3) for K in (1, 2)),
        g=(-1, 1, "n", "steps"),
        last=(-1, 1, "n", "steps"),
    ),
    printed=claim_of(compare, derive=derive),
)

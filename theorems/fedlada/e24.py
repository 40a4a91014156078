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


def prove() -> None:
    """sympy identity: The client's mean direction is gbar_i^t + g_a^t - gbar_i^{t-1}: subtract g_a^{t+1}."""
    now, before, g_next, g_a = sympy.symbols("now before g_next g_a")
    identity(((now + g_a - before) - g_next, -((g_next - now) - (g_a - before))))
    for n, K in ((1, 2), (2, 2), (3, 1)):
        g = [list(sympy.symbols(f"g{i}_:{K}")) for i in range(n)]
        last = [list(sympy.symbols(f"l{i}_:{K}")) for i in range(n)]
        identity(sides(g, last, n, K))


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
    printed=claim_of(compare, prove=prove),
)

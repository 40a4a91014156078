"""OLR Algorithm 1, Theorem 3: the plain mean over a random set of distinct clients is unbiased for uniform weights."""

from itertools import permutations

from theorems.outsized.common import ASSUMPTION_2, GAMMA_BELOW
from theorems.vocabulary import *

SETTINGS = tuple(setting for setting in grid(n=(1, 2, 3), M=(1, 2, 3), K=(1, 2, 10)) if setting["M"] <= setting["n"])


def decode(cursor: Cursor, n: int, M: int, K: int, weighted: bool = True) -> Instance:
    """d = 1, n clients of which M distinct ones are drawn; the likeliest at most three times as likely as another."""
    p = clients(cursor, n, 1)
    raw = np.stack([1 + 2 * u * int(weighted) for u in cursor.many(n)], -1)
    p = replace(p, w=raw / raw.sum(axis=-1)[..., None])
    return Instance(p=p, gamma=rate(cursor, p.L), x=1 - 3 * cursor.take(), M=M, K=K, theta=Theta.sum(K))


def answers(s: Instance) -> Any:
    """q_i = Q_i A_i (x - c_i), (batch, n)."""
    return s.p.filtered(s.gamma, s.theta)[..., 0] * (s.x[..., None] - s.p.c[..., 0])


def drawn_mean(w: Numbers, q: Numbers, M: int) -> Any:
    """E of the plain mean of M clients drawn one after another from what is left, with probabilities ~ w."""
    total: Any = 0
    for chosen in permutations(range(q.shape[-1]), M):
        chance, left = w[..., 0] * 0 + 1, w[..., 0] * 0 + 1
        for i in chosen:
            chance, left = chance * w[..., i] / left, left - w[..., i]
        total = total + chance * sum(q[..., i] for i in chosen) / M
    return total


def compare(s: Instance) -> list[Comparison]:
    q = answers(s)
    return [that("E[q_t]", drawn_mean(s.p.w, q, s.M)) == (s.p.w * q).sum(axis=-1)]


def prove() -> None:
    """sympy identity, for n <= 4, M <= n: For uniform P every client is in the set with probability M/n by symmetry, so
    the plain mean has the mean of all q_i; checked for n <= 4 and every M by summing over all ordered draws.

    Uniform weights: every client is in the set with probability M / n.
    """
    for n in range(1, 5):
        q = np.array(sympy.symbols(f"q:{n}"), dtype=object)
        w = np.array([sympy.Rational(1, n)] * n, dtype=object)
        for M in range(1, n + 1):
            identity((drawn_mean(w, q, M), sum(q) / n))


STATEMENT = Statement(
    kind="identity",
    location="Algorithm 1; section 3, after Theorem 3",
    says="With I_t a random set of M clients sampled from P and q_t their plain mean, E[q_t] is the gradient of the "
    "surrogate.",
    reading="A set: M distinct clients, drawn one after another from P restricted to those left.",
    severity="missing-hypothesis",
    note="Drawn without replacement the unlikely clients are seen too often; with M = n the weights do not matter at "
    "all. True for uniform P, or for M independent draws (OLR.T3), which the paper's analysis assumes.",
    domain=Domain(decode, SETTINGS, "d = 1, n weighted clients, M distinct ones drawn"),
    hypotheses=(ASSUMPTION_2, GAMMA_BELOW),
    printed=Claim(
        "the plain mean over a random set is unbiased",
        r"\mathbb E\Big[\frac1M\sum_{i\in I_t}q_t^i\Big]=\nabla\tilde f(x_t,\gamma,\Theta),\quad|I_t|=M",
        compare,
    ),
    corrected=Claim(
        "the same for uniform P",
        r"P\text{ uniform}:\ \mathbb E\Big[\frac1M\sum_{i\in I_t}q_t^i\Big]=\nabla\tilde f(x_t,\gamma,\Theta)",
        compare,
        prove,
        Domain(
            decode,
            tuple({**setting, "weighted": False} for setting in SETTINGS),
            "d = 1, uniform weights, M distinct clients drawn",
        ),
    ),
)

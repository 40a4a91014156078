"""OLR section 8.2: the surrogate's Lipschitz constant and the norm of the update fall as gamma grows."""

from theorems.outsized.common import ASSUMPTION_2, phis
from theorems.outsized.common_rates import TWO_RATES, two_rates
from theorems.outsized.l33 import prove as prove_lemma
from theorems.vocabulary import *


def instance(cursor: Cursor, n: int, d: int, K: int) -> Instance:
    s = two_rates(cursor, n, d, K, weighted=True)
    s.x = np.stack([4 * cursor.take() - 2 for _ in range(d)], -1)
    return s


def answers(s: Instance, gamma: Any) -> Any:
    """Q_i A_i (x - c_i), (..., n, d)."""
    spectrum = s.p.filtered(gamma, s.theta)
    return (s.p.spectral(spectrum) @ (s.x[..., None, :] - s.p.c)[..., None])[..., 0]


def printed(s: Instance) -> list[Comparison]:
    r"""both fall with gamma

    L_{\gamma_2}\le L_{\gamma_1},\ \|q_t(\gamma_2)\|\le\|q_t(\gamma_1)\|
    """
    p, nb = s.p, s.p.nb
    slow, fast = p.mean(answers(s, s.low)), p.mean(answers(s, s.high))
    return [
        that("L_gamma falls", phis(s, s.high)[1]) <= phis(s, s.low)[1],
        that("|q_t| falls", nb.length(fast)) <= nb.length(slow),
    ]


def corrected(s: Instance) -> list[Comparison]:
    r"""as printed for L_gamma; every single client's |q_t^i|, and E|q_t|^2 for one sampled client, fall, too

    L_{\gamma_2}\le L_{\gamma_1},\ \|q_t^i(\gamma_2)\|\le\|q_t^i(\gamma_1)\|
    """
    p, nb = s.p, s.p.nb
    slow, fast = (answers(s, s.low) ** 2).sum(axis=-1), (answers(s, s.high) ** 2).sum(axis=-1)
    return [
        that("L_gamma falls", phis(s, s.high)[1]) <= phis(s, s.low)[1],
        that("every client's norm falls", nb.largest(fast - slow)) <= s.low * 0,
        that("mean square falls", p.mean(fast)) <= p.mean(slow),
    ]


def prove() -> None:
    """z3 and sympy: In the frame of A_i the answer has components phi_lam(gamma) times those of x - c_i, and phi_lam >=
    0 falls with gamma (induction on K, as in Lemma 33).
    """
    prove_lemma()


STATEMENT = Statement(
    kind="monotone",
    location="Section 8.2 and Figure 3",
    says="Choosing smaller gamma increases L_gamma; smaller learning rates lead to larger model updates |q_t|.",
    reading="The same x_t, full gradients, 0 <= gamma_1 <= gamma_2 < 1/L; q_t the average over all clients. (Figure 3 "
    "compares training runs on CIFAR-100.)",
    severity="missing-hypothesis",
    domain=Domain(instance, grid(n=(1, 2, 3), d=(1, 2), K=(1, 2, 10, 1000)), "two rates, any x, weighted clients"),
    hypotheses=(ASSUMPTION_2, Hypothesis(TWO_RATES.name, TWO_RATES.holds)),
    printed=claim_of(printed),
    corrected=claim_of(corrected, prove=prove),
    note="At x* the average of the answers is 0 for gamma = 0 and not 0 for gamma > 0: the averaged update may grow.",
)

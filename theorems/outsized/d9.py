"""OLR section 8.2: the surrogate's Lipschitz constant and the norm of the update fall as gamma grows."""

from theorems.bridges import sums
from theorems.outsized.common import ASSUMPTION_2, phis
from theorems.outsized.common_rates import TWO_RATES, two_rates
from theorems.outsized.lemmas import column, drop_grows, phi_bounds
from theorems.outsized.lemmas_rounds import weighted
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
    slow, fast = p.mean(answers(s, s.gamma_1)), p.mean(answers(s, s.gamma_2))
    return [
        that("L_gamma falls", phis(s, s.gamma_2)[1]) <= phis(s, s.gamma_1)[1],
        that("|q_t| falls", nb.length(fast)) <= nb.length(slow),
    ]


def corrected(s: Instance) -> list[Comparison]:
    r"""as printed for L_gamma; every single client's |q_t^i|, and E|q_t|^2 for one sampled client, fall, too

    L_{\gamma_2}\le L_{\gamma_1},\ \|q_t^i(\gamma_2)\|\le\|q_t^i(\gamma_1)\|
    """
    p, nb = s.p, s.p.nb
    slow, fast = (answers(s, s.gamma_1) ** 2).sum(axis=-1), (answers(s, s.gamma_2) ** 2).sum(axis=-1)
    return [
        that("L_gamma falls", phis(s, s.gamma_2)[1]) <= phis(s, s.gamma_1)[1],
        that("every client's norm falls", nb.largest(fast - slow)) <= s.gamma_1 * 0,
        that("mean square falls", p.mean(fast)) <= p.mean(slow),
    ]


def derive(proof: Derivation, s: Instance) -> None:
    """In the frame of A_i the answer has phi_lam times the components of x - c_i, and 0 <= phi_lam falls with gamma."""
    p, (a, b, h) = s.p, reals("a b h")
    proof.leaf("gamma_2 >= 0", [0 <= a, a <= b], 0 <= b, a=s.gamma_1, b=s.gamma_2)
    phi_bounds(proof, p, s.gamma_2, s.K)
    drop_grows(proof, column(s.gamma_1), column(s.gamma_2), s.K, p.lam, column(p.L))
    slow, fast, turned = p.filtered(s.gamma_1, s.theta), p.filtered(s.gamma_2, s.theta), p.turned(s.x)
    proof.leaf("phi > 0", [a > 0, a <= b], 0 < b, a=column(phis(s, s.gamma_2)[0]), b=fast)
    proof.leaf("squares", [0 < b, b <= a], b * b <= a * a, a=slow, b=fast)
    proof.leaf("squared components", [], 0 <= h * h, h=turned)
    squares = turned * turned
    proof.leaf("component by component", [h >= 0, b <= a], b * h <= a * h, a=slow * slow, b=fast * fast, h=squares)
    sides = fast * fast * squares, slow * slow * squares
    proof.cross(sums, "a client's answer", low=sides[0], high=sides[1])
    each = [side.sum(axis=-1) for side in sides]
    proof.leaf("every client's norm falls", [b <= a], b - a <= 0, a=each[1], b=each[0])
    weighted(proof, "mean square falls", p.w, each[0], each[1])


STATEMENT = Statement(
    kind="monotone",
    location="Section 8.2 and Figure 3",
    says="Choosing smaller gamma increases L_gamma; smaller learning rates lead to larger model updates |q_t|.",
    reading="The same x_t, full gradients, 0 <= gamma_1 <= gamma_2 < 1/L; q_t the average over all clients. (Figure 3 "
    "compares training runs on CIFAR-100.)",
    severity="missing-hypothesis",
    domain=Domain(instance, grid(n=(1, 2, 3), d=(1, 2), K=(1, 2, 3, 10, 1000)), "two rates, any x, weighted clients"),
    hypotheses=(ASSUMPTION_2, Hypothesis(TWO_RATES.name, TWO_RATES.holds)),
    printed=claim_of(printed),
    corrected=claim_of(corrected, derive=derive),
    note="At x* the average of the answers is 0 for gamma = 0 and not 0 for gamma > 0: the averaged update may grow.",
)

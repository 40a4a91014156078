"""OLR Lemma 12: the spectrum of Q_i A_i for Theta_K, printed with L and mu for the client's own L_i and mu_i."""

from surrogate import bounds
from theorems.bridges import extremes as least_and_largest
from theorems.outsized.common import ASSUMPTION_2
from theorems.outsized.common_spectrum import GAMMA_SMALL
from theorems.outsized.lemmas import column, last_eigenvalue_grows, last_grows
from theorems.vocabulary import *

FEW = (1, 2, 3, 5, 10, 100, 1000)


def decode(cursor: Cursor, n: int, d: int, K: int) -> Instance:
    """gamma < 1 / (K L)."""
    p = clients(cursor, n, d)
    return Instance(p=p, gamma=rate(cursor, K * p.L, zero=True), K=K, theta=Theta.last(K))


def to_one_over_l(cursor: Cursor, n: int, d: int, K: int) -> Instance:
    """gamma < 1 / L only, as the proof of part 3 assumes."""
    p = clients(cursor, n, d)
    return Instance(p=p, gamma=99 * rate(cursor, 100 * p.L, zero=True), K=K, theta=Theta.last(K))


SMALL = Hypothesis(
    "0 <= gamma < 1/(K L)",
    lambda s: [that(s.gamma * s.p.L * s.K) < s.gamma * 0 + 1, that("sign", s.gamma) >= s.gamma * 0],
)


def extremes(s: Instance, low: Any, high: Any) -> list[Comparison]:
    """Part 2 for the last client, with these ends; part 3 for all clients."""
    nb, values = s.p.nb, s.p.filtered(s.gamma, s.theta)
    ends = bounds.lemma_12(low, high, s.gamma, s.K)
    return [
        that("2: largest", nb.largest(values[:, -1, :])) == ends.smoothness,
        that("2: smallest", nb.smallest(values[:, -1, :])) == ends.strong_convexity,
        *within(s),
    ]


def within(s: Instance) -> list[Comparison]:
    r"""the spectra of all clients lie between the values at mu and L

    \gamma<L^{-1}\Rightarrow\lambda_{\max}(Q_iA_i)\le(1-\gamma L)^{K-1}L

    Part 3: the spectra of all clients lie between the values at mu and L.
    """
    nb, values = s.p.nb, s.p.filtered(s.gamma, s.theta)
    ends = bounds.lemma_12(s.p.mu, s.p.L, s.gamma, s.K)
    return [
        that("3: largest", nb.largest(values, 2)) <= ends.smoothness,
        that("3: smallest", ends.strong_convexity) <= nb.smallest(values, 2),
    ]


def own(s: Instance) -> list[Comparison]:
    r"""extremes of client i at L_i and mu_i

    \lambda_{\max}(Q_i(\gamma,\Theta_K)A_i)=(1-\gamma L_i)^{K-1}L_i,\quad\lambda_{\min}=(1-\gamma\mu_i)^{K-1}\mu_i
    """
    lam = s.p.lam[:, -1, :]
    return extremes(s, s.p.nb.smallest(lam), s.p.nb.largest(lam))


def slope(s: Instance) -> list[Comparison]:
    r"""gamma < 1/L makes g' positive on [mu, L]

    \gamma<L^{-1}\Rightarrow g'(\lambda)=(1-\gamma\lambda)^{K-2}(1-K\gamma\lambda)>0

    The sign of g' at lambda = L is that of 1 - K gamma L.
    """
    return [that("g'(L)", 1 - s.K * s.gamma * s.p.L) > s.gamma * 0]


def derivative(s: Instance) -> list[Comparison]:
    r"""the derivative of (1 - gamma lambda)^(K-1) lambda by the product rule, at mu

    g'(\lambda)=(1-\gamma\lambda)^{K-2}(1-K\gamma\lambda)

    Times 1 - gamma lambda, so that K = 1 has no negative power.
    """
    z, power = s.gamma * s.p.mu, s.p.nb.power(1 - s.gamma * s.p.mu, s.K - 1)
    by_rule = power * (1 - z) - (s.K - 1) * z * power
    return [that("g'", by_rule) == power * (1 - s.K * z)]


def derive(proof: Derivation, s: Instance) -> None:
    """(1 - gamma lambda)^(K-1) lambda grows with lambda while K gamma lambda < 1."""
    p, nb, count = s.p, s.p.nb, s.p.nb.number(s.K)
    lam, values, L = p.lam[..., -1:, :], p.filtered(s.gamma, s.theta), column(p.L)
    last_eigenvalue_grows(proof, p, s.gamma, s.K)
    proof.cross(least_and_largest, "mu_i and L_i", nb=nb, x=lam)
    proof.cross(least_and_largest, "the extremes of Q_i A_i", nb=nb, x=values[..., -1, :])
    ends = nb.smallest(lam)[..., None], nb.largest(lam)[..., None]
    for small, large in ((ends[0], lam), (lam, ends[1])):
        last_grows(proof, column(s.gamma), s.K, count, small, large, L)
    a, b = reals("a b")
    for value, at in ((nb.largest(values[..., -1, :]), ends[1]), (nb.smallest(values[..., -1, :]), ends[0])):
        proof.leaf("an extreme of Q_i A_i", [a <= b, a >= b], a == b,
                   a=value[..., None, None], b=(1 - column(s.gamma) * at) ** (s.K - 1) * at)  # fmt: skip


STATEMENT = Statement(
    kind="spectrum",
    location="Lemma 12, section 5; proof in B.2.6",
    says="For Theta_K and gamma < 1/(K L_i) the extreme eigenvalues of Q_i A_i are (1 - gamma L)^(K-1) L and "
    "(1 - gamma mu)^(K-1) mu; under Assumption 2 these bound the spectra of all clients.",
    reading="gamma >= 0; L and mu are the bounds of Assumption 2, as everywhere.",
    severity="typo",
    note="Part 2 needs L_i and mu_i, as its own proof has it. The proof of part 3 assumes gamma < 1/L, which is not "
    "enough: at gamma L > 1/K the largest client eigenvalue no longer gives the largest of Q_i A_i.",
    domain=Domain(decode, grid(n=(1, 2), d=(1, 2), K=FEW), "mu I <= A_i <= L I, 0 <= gamma < 1/(K L)"),
    hypotheses=(ASSUMPTION_2, SMALL),
    printed=Claim(
        "extremes of client i at L and mu",
        r"\lambda_{\max}(Q_i(\gamma,\Theta_K)A_i)=(1-\gamma L)^{K-1}L,\quad\lambda_{\min}=(1-\gamma\mu)^{K-1}\mu",
        lambda s: extremes(s, s.p.mu, s.p.L),
    ),
    corrected=claim_of(own, derive=derive),
    steps=(
        Step("B.2.6: g'(lambda) = (1 - gamma lambda)^(K-2) (1 - K gamma lambda)", claim_of(derivative)),
        Step(
            "B.2.6, property 3: 'by assumption gamma < 1/L, therefore g'(lambda) > 0'",
            claim_of(
                slope,
                domain=Domain(to_one_over_l, grid(n=(1,), d=(1,), K=FEW), "0 <= gamma L <= 99/100"),
                given=(ASSUMPTION_2, GAMMA_SMALL),
            ),
            "gamma < 1/(K L), the hypothesis of part 3",
        ),
        Step(
            "part 3 under gamma < 1/L alone, as its proof assumes",
            claim_of(
                within,
                domain=Domain(to_one_over_l, grid(n=(1, 2), d=(1, 2), K=FEW), "0 <= gamma L <= 99/100"),
                given=(ASSUMPTION_2, GAMMA_SMALL),
            ),
            "gamma <= 1/(K L) is sharp: beyond it g decreases at L",
        ),
    ),
)

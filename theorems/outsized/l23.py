"""OLR Lemma 23: the variance of one update."""

from theorems.outsized.common import ASSUMPTION_2, rates_below
from theorems.outsized.common_moments import (
    ALONE,
    EVERY,
    excess,
    law,
    one_round_domain,
    outer,
    squares,
    trace,
    variance_bound,
    with_noise,
)
from theorems.outsized.lemmas import column
from theorems.outsized.lemmas_rounds import round_variance
from theorems.vocabulary import *


def instance(cursor: Cursor, n: int, d: int, K: int, sampling: str, noise: int, reach: int = 2) -> Instance:
    """x anywhere in [-2, 2]^d, 0 <= gamma <= reach / L."""
    s = with_noise(cursor, n, d, K, sampling, noise, B=2)
    s.gamma = cursor.take() * reach / s.p.L
    s.x = np.stack([4 * cursor.take() - 2 for _ in range(d)], -1)
    return s


def variance(s: Instance) -> Any:
    """E|q_gamma(x) - grad f~_gamma(x)|^2."""
    return law(s, s.gamma, s.x * 0).variance(s.x)


def printed(s: Instance) -> list[Comparison]:
    return [that("variance", variance(s)) <= variance_bound(s)]


def between_clients(s: Instance) -> Any:
    """E_i |grad f~_i(x) - grad f~(x)|^2, times (n - M)/(n - 1) for M distinct clients."""
    around, p = law(s, s.gamma, s.x * 0), s.p
    answers = (around.A @ s.x[..., None, :, None])[..., 0] - around.b
    off = answers - p.mean(answers)[..., None, :]
    return p.mean(squares(off)) * s.nb.number(excess(s))


def corrected(s: Instance) -> list[Comparison]:
    r"""as printed with all clients, with one client, and wherever the clients' surrogate gradients agree, for gamma <=
    2/L; else with Var_i(grad f~_i(x))/M added for independent draws, (n - M)/(n - 1) of it for M distinct clients of n

    \mathbb E\|q_\gamma(x)-\nabla\tilde f_\gamma(x)\|^2\le\frac{KG^2}{MB}+\frac\rho M\mathbb E_i\|\nabla\tilde f_i(x)%
      -\nabla\tilde f(x)\|^2,\quad\gamma\le\frac2L,\quad\rho=1\text{ or }\frac{n-M}{n-1}
    """
    return [that(s.sampling, variance(s)) <= variance_bound(s) + between_clients(s) / s.M]


def clients_alone(s: Instance) -> list[Comparison]:
    r"""the variance of q is at most the clients' own variance divided by M

    \mathbb E\|q_\gamma-\mathbb Eq_\gamma\|^2\le\frac1M\mathbb E_i\big[\mathbb E\|q_i-\mathbb E[q_i\mid i]\|^2\big]

    Var q against the mean of the clients' own variances, divided by M.
    """
    own = law(s, s.gamma, s.x * 0).noise
    return [that(s.sampling, variance(s)) <= trace(s.p.mean(own)) / s.M]


def first_moment(s: Instance) -> list[Comparison]:
    r"""without the square

    \mathbb E\|\nabla f(x_k;z)-\mathbb E\nabla f(x_k;z)\|\le G^2

    E|noise| <= G^2, as displayed: with two examples whose gradients are +- v off the modulus is always |v|.
    """
    size = s.nb.length(s.noise[..., 0, :])
    return [that(size) <= size * size]


def partial_sums(s: Instance) -> list[Comparison]:
    r"""with partial sums on the right

    \mathbb E\|s_{1:K}\|^2=\sum_k\mathbb E\|s_{1:k}\|^2

    E|s_{1:K}|^2 = sum_k E|s_{1:k}|^2 with the noise of one client and gamma = 0: K against 1 + ... + K.
    """
    v = squares(s.noise[..., 0, :])
    return [that(v * s.K) == v * (s.K * (s.K + 1) // 2)]


def martingale(s: Instance) -> list[Comparison]:
    r"""E[s_2 | s_1] = 0

    \mathbb E[s_2\mid s_1]=0

    s_k = g_k - E g_k has E[s_2 | s_1] = 0, for one client: s_2 = -gamma lam s_1 + fresh noise.
    """
    return [that(s.p.nb.abs(-s.gamma * s.p.lam[..., 0, 0] * s.noise[..., 0, 0])) == s.gamma * 0]


ANY_RATE = one_round_domain(
    lambda cursor, **discrete: instance(cursor, **discrete, reach=4),
    "gamma up to 4/L",
    n=(1,),
    noise=(1,),
    sampling=(ALONE, EVERY),
    K=(2, 3),
)
TWO_STEPS = one_round_domain(
    instance, "two local steps with noise", d=(1,), n=(1,), noise=(1,), sampling=(ALONE,), K=(2,)
)


ASSUMPTIONS = replace(
    ASSUMPTION_2, name="Assumptions 2 and 4 (A_z = A_i, G = largest noise)", role="G of Assumption 4 is in the bound"
)
NOT_NEGATIVE = Hypothesis("gamma >= 0", lambda s: [that(s.gamma) >= s.gamma * 0])


def derive(proof: Derivation, s: Instance) -> None:
    """The law of total variance over drawn clients; no step amplifies the noise of those before for gamma <= 2/L."""
    g, x, y = reals("gamma x y")
    gamma, mu, L = (column(rate) for rate in (s.gamma, s.p.mu, s.p.L))
    proof.leaf("gamma lambda <= 2", [g >= 0, x <= y, g * y <= 2], g * x <= 2, gamma=gamma, x=s.p.lam, y=L)
    proof.leaf("gamma lambda >= 0", [g >= 0, x > 0, x <= y], 0 <= g * y, gamma=gamma, x=mu, y=s.p.lam)
    round_variance(proof, s, s.gamma, s.x * 0, s.x, outer(s.x))


STATEMENT = Statement(
    kind="upper bound",
    location="Lemma 23, section 7.1",
    says="Under Assumption 4, E|q_gamma(x) - grad f~_gamma(x)|^2 <= K G^2/(M B) for all gamma >= 0.",
    reading="q_gamma averages M clients drawn independently from P (the text before Assumption 4); M distinct clients, "
    "and all of them (M = n), are judged, too.",
    headline=True,
    severity="substantive",
    domain=one_round_domain(instance, "any x, noise v_i in [0, 1]^d, 0 <= gamma <= 2/L, B = 2"),
    hypotheses=(
        ASSUMPTIONS,
        rates_below(2, "<=", ANY_RATE, " (the lemma has all gamma >= 0; the correction needs it)"),
    ),
    printed=Claim(
        "the variance of an update", r"\mathbb E\|q_\gamma(x)-\nabla\tilde f_\gamma(x)\|^2\le\frac{KG^2}{MB}", printed
    ),
    corrected=claim_of(corrected, derive=derive),
    steps=(
        Step(
            "'since the q_i are independent, it suffices to show E|q_i - E q_i|^2 <= K G^2/B for any i'",
            claim_of(clients_alone),
            "plus Var_i(E[q_i | i])/M: which client is drawn is random, too (law of total variance)",
        ),
        Step(
            "E|q_i - E q_i|^2 <= K G^2/B for all gamma >= 0: one client",
            Claim(
                "with a single client nothing but gradient noise is left",
                r"n=1:\ \mathbb E\|q_\gamma-\nabla\tilde f_\gamma\|^2\le KG^2/(MB)",
                printed,
                domain=ANY_RATE,
                given=(ASSUMPTIONS, NOT_NEGATIVE),
            ),
            "gamma <= 2/L is needed: beyond, local steps amplify the noise like (gamma L - 1)^(2K)",
        ),
        Step(
            "s_k = g_k - E g_k are martingale differences",
            claim_of(martingale, domain=TWO_STEPS, given=(ASSUMPTIONS, NOT_NEGATIVE)),
            "x_2 depends on s_1, so E[s_2 | s_1] = -gamma A_i s_1; the noise n_k = g_k - grad f_i(x_k) is one",
        ),
        Step("E|s_{1:K}|^2 = sum_k E|s_{1:k}|^2", claim_of(partial_sums), "sum_k E|s_k|^2"),
        Step(
            "E|grad f(x_k; z) - E grad f(x_k; z)| <= G^2",
            claim_of(first_moment),
            "the square is lost: E|...|^2 <= G^2 is Assumption 4",
        ),
    ),
    note="Two clients with different minimizers, G = 0 and M = 1 already have positive variance. The hole runs through "
    "Lemma 25, Theorems 26, 27, 29 and Corollary 28. Assumption 4, asked for all x, excludes least squares with "
    "different inputs: A_z must be the same for all examples of a client.",
)

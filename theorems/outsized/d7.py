"""OLR, after Lemma 25: can the condition (22) on the server rate be relaxed to eta <= 1/L_gamma?"""

from theorems.outsized import l25
from theorems.outsized.common import ASSUMPTION_2, phis, rates_below
from theorems.outsized.common_moments import EVERY, one_round_domain, squares, variance_bound
from theorems.vocabulary import *


def instance(cursor: Cursor, top: int = 1, **discrete: Any) -> Instance:
    """All clients, eta <= top / L_gamma."""
    s = l25.instance(cursor, **discrete, wide=True)
    s.eta = top * s.eta / (l25.largest_rate(s) * s.L)
    return s


def relaxed(s: Instance) -> list[Comparison]:
    r"""Lemma 25 for eta <= 1/L_gamma, with Assumption 4 as it is

    \mathbb E\|x_{t+1}-x_\gamma^*\|^2\le(1-\eta\mu_\gamma)\mathbb E\|x_t-x_\gamma^*\|^2+\eta^2KG^2/(MB),\quad%
      \eta\le1/L_\gamma

    The descent of Lemma 25 (with the square, even), and kappa~ <= 1/(1 - e^(-K gamma mu)).
    """
    shrink, size = 1 - s.eta * s.mu, squares(s.start)
    after, added = l25.descended(s), s.eta**2 * variance_bound(s)
    stays = 1 - s.nb.exp(-s.K * s.gamma * s.p.mu)
    return [
        that("as in Lemma 25", after) <= shrink * size + added,
        that("squared", after) <= shrink**2 * size + added,
        that("kappa~ tends to 1", s.L * stays) <= s.mu,
    ]


def prove() -> None:
    """z3 and sympy: The surrogate is quadratic with spectrum in [mu_gamma, L_gamma], so |(I - eta A~) e| <= (1 - eta
    mu_gamma)|e| for eta <= 1/L_gamma, and the noise of Assumption 4 is independent of x. mu_gamma >= (1 - e^(-K gamma
    mu)) L_gamma as (1 - z)^K <= e^(-K z) (standard) and phi_L <= 1/gamma.
    """
    l25.prove()
    a, mu, L, eta = reals("a mu L eta")
    smt(
        [0 < mu, mu <= a, a <= L, eta >= 0, eta * L <= 1],
        (1 - eta * a) * (1 - eta * a) <= (1 - eta * mu) * (1 - eta * mu),
    )
    x, y = reals("x y")
    smt([0 <= x, x <= 1], x * x <= x)
    top, low, gamma = reals("top low gamma")  # low = (1 - gamma mu)^K <= y = e^(-K gamma mu)
    smt([gamma > 0, 0 <= top, top <= low, low <= y, y < 1], (1 - top) / gamma * (1 - y) <= (1 - low) / gamma)


STATEMENT = Statement(
    kind="upper bound",
    location="'On upper bounds for server learning rates', after Lemma 25, section 7.1",
    says="Conjecture: (22) can be relaxed, say to eta <= 1/L_gamma. And mu_gamma is about L_gamma when gamma is "
    "moderately large.",
    reading="All clients take part, where Lemma 25 stands; for sampled ones OLR.L25 has the same, and more. "
    "'Moderately large' is measured by K gamma mu: kappa~ <= 1/(1 - e^(-K gamma mu)). 'Lemma 13' is Corollary 13.",
    domain=one_round_domain(instance, "all clients, eta <= 1/L_gamma", K=(1, 2, 10, 1000), sampling=(EVERY,)),
    hypotheses=(
        ASSUMPTION_2,
        rates_below(),
        Hypothesis(
            "0 <= eta <= 1/L_gamma",
            lambda s: [
                that(s.eta * s.L) <= s.eta * 0 + 1,
                that("sign", s.eta) >= s.eta * 0,
                that("L", s.L) == phis(s)[1],
            ],
            one_round_domain(
                lambda cursor, **discrete: instance(cursor, **discrete, top=2),
                "eta up to 2/L_gamma",
                n=(1, 2),
                noise=(0,),
                K=(1, 2),
                sampling=(EVERY,),
            ),
        ),
    ),
    printed=claim_of(relaxed, prove=prove),
    note="The open question is settled for quadratics: (22) is not necessary, eta <= (2 L_gamma - mu_gamma)/L_gamma^2 "
    "is, and up to 1/L_gamma the factor may be squared. The remedy that the text offers, bounded gradients for all x, "
    "no strongly convex function satisfies.",
)

"""OLR, after Lemma 25: can the condition (22) on the server rate be relaxed to eta <= 1/L_gamma?"""

from theorems.bridges import (
    averages_of_vectors,
    exponential,
    geometric_sum,
    lengths,
    noisy_step,
    normal_equations,
    powers,
)
from theorems.bridges.moments import drawn_step, drawn_variance
from theorems.outsized import l25
from theorems.outsized.common import ASSUMPTION_2, rates_below
from theorems.outsized.common_moments import EVERY, ends_are, one_round_domain, outer, resting, squares, variance_bound
from theorems.outsized.lemmas import column, phi_bounds
from theorems.outsized.lemmas_rounds import round_variance, small_rate
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


def derive(proof: Derivation, s: Instance) -> None:
    """|(I - eta A) e| <= (1 - eta mu)|e|, A the mean of the Q_i A_i; (1 - gamma mu)^K <= e^(-K gamma mu)."""
    phi_bounds(proof, s.p, s.gamma, s.K)
    _contracts(proof, s)
    _condition_number(proof, s)


def _contracts(proof: Derivation, s: Instance) -> None:
    """E|e - eta q|^2 <= (1 - eta mu)^2 |e|^2 + eta^2 K G^2/(M B), and 0 <= 1 - eta mu <= 1."""
    p, nb, values, rest = s.p, s.nb, s.p.filtered(s.gamma, s.theta), resting(s, s.gamma)
    g, u, v, x, k, r, E, V, n = reals("eta mu L x kept r E V n")
    here = {"eta": column(s.eta), "mu": column(s.mu), "L": column(s.L), "x": values}
    spectrum = [g >= 0, u <= x, x <= v, g * v <= 1]
    proof.leaf("1 - eta phi <= 1 - eta mu", [g >= 0, u <= x], 1 - g * x <= 1 - g * u, **here)
    proof.leaf("1 - eta phi >= -(1 - eta mu)", spectrum, -(1 - g * u) <= 1 - g * x, **here)
    proof.leaf("1 - eta mu >= 0", spectrum, 0 <= 1 - g * u, **here)
    proof.leaf("1 - eta mu <= 1", [g >= 0, u > 0], 1 - g * u <= 1, **here)
    shrink, test = 1 - s.eta * s.mu, np.broadcast_to(s.start[..., None, :], p.c.shape)
    proof.cross(averages_of_vectors, "the averaged step", p=p, values=1 - here["eta"] * values, v=test, most=shrink)
    moved = s.start - s.eta[..., None] * (p.hessian(values) @ s.start[..., None])[..., 0]
    for v_ in (moved, s.start):
        proof.cross(lengths, "|(I - eta A) e| and |e|", nb=nb, v=v_)
    size, most = nb.length(moved), shrink * nb.length(s.start)
    proof.leaf("squares", [0 <= u, u <= v], u * u <= v * v, mu=size, L=most)
    small_rate(proof, p, s.gamma)
    how, _ = round_variance(proof, s, s.gamma, rest, s.start, outer(s.start))
    proof.cross(normal_equations, "sum w_i b_i = 0", p=p, values=values, x=rest)
    proof.cross(noisy_step, **how, eta=s.eta)
    after, noise = drawn_step(**how, eta=s.eta), s.eta**2 * variance_bound(s)
    proof.leaf("squared", [E == k + g * g * V, k <= x, V <= n], E <= x + g * g * n, E=after, kept=size * size,
               eta=s.eta, V=drawn_variance(**how), x=most * most, n=variance_bound(s))  # fmt: skip
    proof.leaf("as in Lemma 25", [E <= r * r * x + n, 0 <= r, r <= 1, x >= 0], E <= r * x + n, E=after, r=shrink,
               x=squares(s.start), n=noise)  # fmt: skip


def _condition_number(proof: Derivation, s: Instance) -> None:
    """phi_L (1 - e^(-K gamma mu)) <= phi_L gamma phi_mu <= phi_mu."""
    p, nb, K, z = s.p, s.nb, s.K, s.gamma * s.p.mu
    g, x, m, y, S, T, P, E = reals("gamma x mu L S T P E")
    low, high, decay = nb.geometric(z, K), nb.geometric(s.gamma * p.L, K), nb.exp(-z)
    proof.leaf("phi > 0", [m > 0, m <= x], 0 < x, mu=column(s.mu), x=p.filtered(s.gamma, s.theta))
    proof.leaf("L_gamma > 0", [m > 0, m <= x], 0 < x, mu=p.filtered(s.gamma, s.theta), x=column(s.L))
    proof.leaf("-gamma mu <= 0", [g >= 0, m > 0], -(g * m) <= 0 * m, gamma=s.gamma, mu=p.mu)
    proof.cross(exponential, "1 - z <= e^-z", nb=nb, x=-z, y=z * 0)
    proof.cross(powers, "(1 - gamma mu)^K <= e^(-K gamma mu)", low=1 - z, high=decay, exponents=(K,))
    for lam in (p.mu, p.L):
        proof.cross(geometric_sum, "gamma phi_K = 1 - (1 - gamma lambda)^K", ratio=1 - s.gamma * lam, count=K)
    proof.leaf("gamma phi_mu >= 1 - e^(-K gamma mu)", [g * m * S == 1 - P, P <= E], 1 - E <= g * m * S,
               gamma=s.gamma, mu=p.mu, S=low, P=(1 - z) ** K, E=decay**K)  # fmt: skip
    proof.leaf("gamma phi_L <= 1", [g * y * T == 1 - P, P >= 0], g * y * T <= 1,
               gamma=s.gamma, L=p.L, T=high, P=(1 - s.gamma * p.L) ** K)  # fmt: skip
    proof.leaf("kappa~ tends to 1", [1 - E <= g * m * S, g * y * T <= 1, y * T > 0, m * S > 0],
               y * T * (1 - E) <= m * S, gamma=s.gamma, mu=p.mu, L=p.L, S=low, T=high, E=decay**K)  # fmt: skip


STATEMENT = Statement(
    kind="upper bound",
    location="'On upper bounds for server learning rates', after Lemma 25, section 7.1",
    says="Conjecture: (22) can be relaxed, say to eta <= 1/L_gamma. And mu_gamma is about L_gamma when gamma is "
    "moderately large.",
    reading="All clients take part, where Lemma 25 stands; for sampled ones OLR.L25 has the same, and more. "
    "'Moderately large' is measured by K gamma mu: kappa~ <= 1/(1 - e^(-K gamma mu)). 'Lemma 13' is Corollary 13.",
    domain=one_round_domain(instance, "all clients, eta <= 1/L_gamma", K=(1, 2, 3, 10, 1000), sampling=(EVERY,)),
    hypotheses=(
        ASSUMPTION_2,
        rates_below(),
        Hypothesis(
            "0 <= eta <= 1/L_gamma",
            lambda s: [
                that(s.eta * s.L) <= s.eta * 0 + 1,
                that("sign", s.eta) >= s.eta * 0,
                *ends_are(s),
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
    printed=claim_of(relaxed, derive=derive),
    note="The open question is settled for quadratics: (22) is not necessary, eta <= (2 L_gamma - mu_gamma)/L_gamma^2 "
    "is, and up to 1/L_gamma the factor may be squared. The remedy that the text offers, bounded gradients for all x, "
    "no strongly convex function satisfies.",
)

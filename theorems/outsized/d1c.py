"""OLR section 5: the surrogate need not be better conditioned than the loss: L/mu is not the loss's own number."""

from theorems.outsized.common import ASSUMPTION_2
from theorems.outsized.common_spectrum import GAMMA_SMALL, phi_increases, population_domain, spectral_mapping
from theorems.vocabulary import *

THETAS = tuple(Theta.sum(K) for K in (2, 3, 5, 10, 100))


def spectrum(s: Instance, values: Any) -> Any:
    return s.p.nb.eigenvalues(s.p.hessian(values))


def below_loss(s: Instance) -> list[Comparison]:
    r"""at most the condition number of the loss

    \kappa(\tilde f(\cdot,\gamma,\Theta_{1:K}))\le\kappa(f)

    kappa(f~) <= kappa(f), multiplied out.
    """
    ours, loss = spectrum(s, s.p.filtered(s.gamma, s.theta)), spectrum(s, s.p.lam)
    return [that("condition number", ours[..., -1] * loss[..., 0]) <= ours[..., 0] * loss[..., -1]]


def below_clients(s: Instance) -> list[Comparison]:
    r"""at most L/mu

    \kappa(\tilde f(\cdot,\gamma,\Theta_{1:K}))\le L/\mu

    kappa(f~) <= L/mu.
    """
    ours = spectrum(s, s.p.filtered(s.gamma, s.theta))
    return [that("condition number", ours[..., -1] * s.p.mu) <= ours[..., 0] * s.p.L]


def prove() -> None:
    """z3 and sympy: Corollary 13 puts the surrogate's spectrum between phi_mu and phi_L, Lemma 35 gives phi_L / phi_mu
    <= L/mu, and the quotient of the extremes follows (z3). L and mu are the clients' extreme eigenvalues, not the
    loss's.
    """
    spectral_mapping()
    phi_increases()
    low, high, bottom, top, L, mu = reals("low high bottom top L mu")
    smt(
        [0 < low, low <= bottom, bottom <= top, top <= high, 0 < mu, mu <= L, high * mu <= low * L],
        top * mu <= bottom * L,
    )


STATEMENT = Statement(
    kind="upper bound",
    location="section 5, after Corollary 14",
    says="L/mu is 'the condition number of the true loss function', and more local computation reduces the condition "
    "number below it.",
    reading="The condition number of the surrogate of Theta_{1:K} is at most that of f.",
    severity="substantive",
    note="L and mu bound the clients' spectra; f, an average, can be perfectly conditioned where its clients are not, "
    "and the surrogate, a concave function of each spectrum, then is not. What holds is kappa(f~) <= phi_L/phi_mu <= "
    "L/mu. With one client (or equal A_i) kappa(f~) <= kappa(f).",
    domain=population_domain(n=(1, 2, 3), d=(1, 2), theta=THETAS),
    hypotheses=(ASSUMPTION_2, Hypothesis(GAMMA_SMALL.name, GAMMA_SMALL.holds)),
    printed=claim_of(below_loss),
    corrected=claim_of(below_clients, prove=prove),
)

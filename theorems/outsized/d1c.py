"""OLR section 5: the surrogate need not be better conditioned than the loss: L/mu is not the loss's own number."""

from surrogate import bounds
from theorems.bridges import averages
from theorems.outsized.common import ASSUMPTION_2
from theorems.outsized.common_spectrum import GAMMA_SMALL, population_domain
from theorems.outsized.lemmas import column, phi_bounds, phi_per_eigenvalue
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
    r"""as printed with one client, or equal A_i; else at most L/mu

    \kappa(\tilde f(\cdot,\gamma,\Theta_{1:K}))\le L/\mu

    kappa(f~) <= L/mu.
    """
    ours = spectrum(s, s.p.filtered(s.gamma, s.theta))
    return [that("condition number", ours[..., -1] * s.p.mu) <= ours[..., 0] * s.p.L]


def derive(proof: Derivation, s: Instance) -> None:
    """Corollary 13 puts the surrogate's spectrum between phi_mu and phi_L, and phi_L / L <= phi_mu / mu (Lemma 35)."""
    p, gamma = s.p, column(s.gamma)
    low, high = (bounds.phi(s.K, x, s.gamma) for x in (p.mu, p.L))
    phi_bounds(proof, p, s.gamma, s.K)
    values = p.filtered(s.gamma, s.theta)
    proof.cross(averages, "the averaged Q_i A_i", p=p, values=values, low=low, high=high)
    for small, large in ((column(p.mu), p.lam), (p.lam, column(p.L))):
        phi_per_eigenvalue(proof, gamma, s.K, small, large)
    a, b, c, m, y, x = reals("a b c mu L x")
    proof.leaf("L > 0", [m > 0, m <= x, x <= y], 0 < y, mu=column(p.mu), x=p.lam, L=column(p.L))
    proof.leaf("phi_L mu <= phi_mu L", [a <= b, b <= c, m > 0, y > 0], y * a * m <= m * c * y, a=column(high / p.L),
               b=values / p.lam, c=column(low / p.mu), mu=column(p.mu), L=column(p.L))  # fmt: skip
    ends = p.nb.eigenvalues(p.hessian(values))
    proof.leaf("the quotient", [a <= b, x <= c, c * m <= a * y, m > 0, y > 0], x * m <= b * y,
               a=low, b=ends[..., 0], x=ends[..., -1], c=high, mu=p.mu, L=p.L)  # fmt: skip


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
    corrected=claim_of(below_clients, derive=derive),
)

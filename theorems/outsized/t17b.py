"""OLR Theorem 17, sharper (ours): a bound without sigma_A that stays finite as K grows."""

from surrogate import bounds
from theorems.bridges import minkowski
from theorems.outsized.common import ASSUMPTION_2, GAMMA_BELOW, phis
from theorems.outsized.common_rates import spread_domain
from theorems.outsized.lemmas_clients import near_the_mean, resting_points_move
from theorems.vocabulary import *


def compare(s: Instance) -> list[Comparison]:
    r"""both bounds

    \|x^*(\gamma,\Theta_{1:K})-x^*\|\le\frac{\sigma_c}{2}\min\left\{\frac{\kappa-\tilde\kappa}{\sqrt{\tilde\kappa}},\ %
      \frac{\kappa-1}{\sqrt\kappa}+\frac{\tilde\kappa-1}{\sqrt{\tilde\kappa}}\right\}
    """
    p = s.p
    displacement = p.nb.length(p.displacement(s.gamma, s.theta))
    squeezed, through_mean = bounds.theorem_17b(p.mu, p.L, p.sigma_c, s.gamma, s.K, terms=True)
    return [that("condition numbers", displacement) <= squeezed, that("through the mean", displacement) <= through_mean]


def derive(proof: Derivation, s: Instance) -> None:
    """The first is OLR.T21b at gamma_1 = 0; the second goes through E c, near which both x* and x~ are."""
    p, nb = s.p, s.p.nb
    resting_points_move(proof, p, s.gamma * 0, s.gamma, s.K)
    phi = p.filtered(s.gamma, s.theta)
    sizes = near_the_mean(proof, p, p.lam, (p.mu, p.L)), near_the_mean(proof, p, phi, phis(s))
    x, y, mean = p.minimizer, p.rest(phi), p.mean(p.c)
    u, v = (np.broadcast_to(step[..., None, :], p.c.shape) for step in (y - mean, mean - x))
    proof.cross(minkowski, "by way of E c", nb=nb, w=p.w, u=u, v=v)
    a, b, c, d, e = reals("a b c d e")
    proof.leaf("together", [a <= b + c, b <= d, c <= e], a <= d + e, a=nb.length(y - x), b=nb.length(y - mean),
               c=nb.length(mean - x), d=sizes[1], e=sizes[0])  # fmt: skip


STATEMENT = Statement(
    kind="upper bound",
    location="not in the paper: sharpens Theorem 17, section 6",
    says="With kappa = L/mu and kappa~ = phi_L/phi_mu, FedAvg's resting point is within sigma_c (kappa - kappa~) / "
    "(2 sqrt kappa~) of x*, and within sigma_c/2 ((kappa-1)/sqrt kappa + (kappa~-1)/sqrt kappa~), for every K.",
    reading="As Theorem 17.",
    domain=spread_domain((1, 2, 3, 5, 10, 50, 1000, 10**5)),
    hypotheses=(ASSUMPTION_2, GAMMA_BELOW),
    printed=claim_of(compare, derive=derive),
    note="At most half of Theorem 17's bound, free of sigma_A, and bounded in K: the resting point moves at most as "
    "far as half the condition number that local steps remove. The second is attained as K grows (two clients, d = 1).",
)

"""OLR, after Corollary 22: with gamma_t = c/t successive resting points are O(1/t^2) apart."""

from theorems.outsized.c22 import derive_linear
from theorems.outsized.common import ASSUMPTION_2
from theorems.outsized.common_rates import apart
from theorems.vocabulary import *


def instance(cursor: Cursor, n: int, K: int, t: int, d: int = 1) -> Instance:
    """gamma_t = c/t with 0 < c < 1/L; s.gamma_2 = gamma_t, s.gamma_1 = gamma_{t+1}."""
    p = clients(cursor, n, d)
    start = rate(cursor, p.L)
    return Instance(p=p, start=start, gamma_2=start / t, gamma_1=start / (t + 1), K=K, t=t, theta=Theta.sum(K))


def with_constant(s: Instance, constant: Scalar) -> list[Comparison]:
    return [that(s.t * s.t * apart(s)) <= constant * s.p.sigma_c * s.start]


def printed(s: Instance) -> list[Comparison]:
    r"""t^2 times the distance is bounded

    \|x^*(\gamma_{t+1})-x^*(\gamma_t)\|\le O(1/t^2)

    t^2 |x*(gamma_{t+1}) - x*(gamma_t)| stays below (K-1)/2 c sigma_c L^2/mu, for all t.
    """
    return with_constant(s, (s.K - 1) * s.p.L**2 / s.p.mu / 2)


def derive(proof: Derivation, s: Instance) -> None:
    """The corrected Corollary 22 with gamma_t - gamma_{t+1} = c/(t (t + 1)) <= c/t^2."""
    p, t, K = s.p, s.p.nb.number(s.t), s.p.nb.number(s.K)
    c, n, m, y, z, far, q = reals("c t K L mu far q")
    proof.setting("t >= 1", s.t, 1)
    proof.setting("K >= 1", s.K, 1)
    proof.leaf("gamma_(t+1) >= 0", [c > 0, n >= 1], 0 <= c / (n + 1), c=s.start, t=t)
    proof.leaf("gamma_(t+1) <= gamma_t", [c > 0, n >= 1], c / (n + 1) <= c / n, c=s.start, t=t)
    proof.leaf("gamma_t L < 1", [c * y < 1, n >= 1], c / n * y < 1, c=s.start, t=t, L=p.L)
    derive_linear(proof, s)
    factor = (s.K - 1) * p.sigma_c * p.L * p.L / p.mu
    proof.leaf("the factor is at least 0", [m >= 1, q >= 0, z > 0], 0 <= (m - 1) * q * y * y / z,
               K=K, q=p.sigma_c, L=p.L, mu=p.mu)  # fmt: skip
    proof.leaf("times t^2", [far <= q * (c / n - c / (n + 1)) / 2, q >= 0, c > 0, n >= 1], n * n * far <= q / 2 * c,
               far=apart(s), q=factor, c=s.start, t=t)  # fmt: skip


GIVEN = (
    ASSUMPTION_2,
    Hypothesis("0 < c < 1/L", lambda s: [that(s.start * s.p.L) < s.start * 0 + 1, that("sign", s.start) > s.start * 0]),
)

STATEMENT = Statement(
    kind="upper bound",
    location="After Corollary 22, section 6",
    says="If gamma_t = c/t, then |x*(gamma_{t+1}) - x*(gamma_t)| = O(1/t^2).",
    reading="0 < c < 1/L; K is fixed while t grows. Judged with an explicit constant, (K-1)/2 c sigma_c L^2/mu.",
    domain=Domain(
        instance, grid(n=(1, 2, 3), d=(1, 2), K=(1, 2, 10, 1000), t=(1, 7)), "gamma_t = c/t, t = 1, 7, K up to 1000"
    ),
    hypotheses=GIVEN,
    printed=claim_of(printed, derive=derive),
    steps=(
        Step(
            "beside the proof: with the constant of Corollary 22, free of K (ours): 2 c sigma_c L^3/mu^2",
            Claim(
                "uniformly in K",
                r"t^2\|x^*(\gamma_{t+1})-x^*(\gamma_t)\|\le2c\sigma_cL^3/\mu^2",
                lambda s: with_constant(s, 2 * s.p.L**3 / s.p.mu**2),
                domain=Domain(instance, grid(n=(2,), K=(10, 1000, 10**5), t=(1, 10, 1000)), "two clients, K up to 1e5"),
                given=GIVEN,
            ),
            "(K-1)/2 c sigma_c L^2/mu: the constant of any O(1/t^2) grows with K",
        ),
    ),
)

"""LA (112)-(127): the average squared gradient under local correction."""

from theorems.local_adaptivity.common import between, positive
from theorems.local_adaptivity.common_correction import corrected_run, descent, steps_of
from theorems.vocabulary import *


def instance(cursor: Cursor, tau: tuple[int, ...], T: int) -> Instance:
    """Rates eta_i with alpha = sum w eta_i tau_i <= 1/L; G is the largest |B grad F_i| met, exactly."""
    s = corrected_run(cursor, len(tau), tau, T)
    share = [positive(cursor, 1e-2) for _ in tau]
    total = sum(s.w[:, i] * share[i] * t for i, t in enumerate(tau))
    scale = positive(cursor, 1e-2) / (total * s.nb.largest(s.H))
    s.eta = np.stack([scale * r for r in share], -1)
    return s


def printed(s: Instance) -> list[Comparison]:
    r"""(127)

    \frac1T\sum_t\|\nabla F(x^{(t)})\|^2\le\frac{2(F(x^{(0)})-F_{\inf})}{\sum_iw_i\eta_i\tau_iT}%
      +L^2\Lambda G^2\sum_iw_i\eta_i^2\tau_i^2
    """
    rates = tuple(s.eta[:, i] for i in range(len(s.tau)))
    alpha = sum(s.w[:, i] * e * t for i, (e, t) in enumerate(zip(rates, s.tau, strict=True)))
    squares = sum(s.w[:, i] * (e * t) ** 2 for i, (e, t) in enumerate(zip(rates, s.tau, strict=True)))
    mean, _, G = steps_of(s, rates, alpha)
    D, Lambda = descent(s)
    L = s.nb.largest(s.H)
    return [that("(127)", mean) <= 2 * D / (alpha * s.T) + L**2 * Lambda * G**2 * squares]


def prove() -> Proof:
    g, h, a, L = sympy.symbols("g h a L", real=True)
    identity((-a * g * h + a**2 * L / 2 * h**2, -a / 2 * (g**2 + h**2 - (g - h) ** 2) + a**2 * L / 2 * h**2))
    al, Lz, H2, e, tau, k, G, s, lam = reals("al Lz H2 e tau k G s lam")
    smt([al > 0, Lz > 0, al * Lz <= 1, H2 >= 0], -al / 2 * H2 + al * al * Lz / 2 * H2 <= 0)
    smt([0 <= s, s <= k * e * G, 0 <= k, k <= tau, e >= 0, G >= 0], s * s <= (tau * e * G) * (tau * e * G))
    smt([tau >= 1, lam >= 0, H2 >= 0], lam / tau * (tau * H2) == lam * H2)
    return Proof(
        "sympy and z3",
        "The descent lemma for L-smooth F; (113) is the polarisation identity, whose |sum w h|^2 part is negative "
        "for alpha L <= 1; Jensen (115); LA.E117 for (120); |Delta| <= k eta G by the triangle inequality (124). "
        "Summing over t telescopes F; dividing by alpha T/2 gives (127). Each scalar step is decided by machine.",
    )


CHOICES = tuple({"tau": t, "T": T} for t in ((1,), (2,), (1, 2), (3, 3), (2, 1, 3)) for T in (1, 2, 5))

STATEMENT = Statement(
    kind="upper bound",
    location="(112) to (127), Appendix F",
    says="With alpha = sum w eta_i tau_i <= 1/L: mean over t < T of ||grad F(x^(t))||^2 <= 2 (F(x^(0)) - "
    "F_inf)/(alpha T) + L^2 Lambda G^2 sum w eta_i^2 tau_i^2.",
    reading="Assumptions 3 to 5 with A symmetric (LA.H4). Instances: quadratics in d = 1, step matrices B_i^(k) in "
    "(0, 1], G the largest |B grad F_i| along the run.",
    domain=Domain(instance, CHOICES, "one to three quadratic clients in d = 1, T <= 5"),
    hypotheses=(between("H > 0", lambda s: s.H, 0), between("w > 0", lambda s: s.w, 0)),
    printed=claim_of(printed, prove=prove),
    note="(114) needs alpha L <= 1, not < 1 as said below it.",
)

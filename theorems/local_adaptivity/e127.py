"""LA (112)-(127): the average squared gradient under local correction."""

from theorems.local_adaptivity.common import WEIGHTS, between, positive
from theorems.local_adaptivity.common_correction import corrected_run, descent, steps_of
from theorems.vocabulary import *


def instance(cursor: Cursor, tau: tuple[int, ...], T: int, top: int = 1) -> Instance:
    """Clients after the first may be concave, F is not; alpha = sum w eta_i tau_i <= ``top``/L."""
    s = corrected_run(cursor, len(tau), tau, T)
    if s.n > 1:
        deep = s.nb.minimum(s.w[:, :1] * s.H[:, :1] / (2 * (1 - s.w[:, :1])), s.H[:, :1])
        s.H = np.concatenate([s.H[:, :1], s.H[:, 1:] * (1 + deep) - deep], -1)
    share = [positive(cursor, 1e-2) for _ in tau]
    total = sum(s.w[:, i] * share[i] * t for i, t in enumerate(tau))
    scale = top * positive(cursor, 1e-2) / (total * _L(s))
    s.eta = np.stack([scale * r for r in share], -1)
    return s


def _L(s: Instance) -> Any:
    return s.nb.largest(s.nb.abs(s.H))


def _alpha(s: Instance) -> Any:
    return sum(s.w[:, i] * s.eta[:, i] * t for i, t in enumerate(s.tau))


def printed(s: Instance) -> list[Comparison]:
    r"""(127)

    \frac1T\sum_t\|\nabla F(x^{(t)})\|^2\le\frac{2(F(x^{(0)})-F_{\inf})}{\sum_iw_i\eta_i\tau_iT}+L^2\Lambda G^2%
      \sum_iw_i\eta_i^2\tau_i^2

    G is the largest |B grad F_i| along the run, exactly.
    """
    rates = tuple(s.eta[:, i] for i in range(len(s.tau)))
    squares = sum(s.w[:, i] * (e * t) ** 2 for i, (e, t) in enumerate(zip(rates, s.tau, strict=True)))
    mean, _, G = steps_of(s, rates, _alpha(s))
    D, Lambda = descent(s)
    return [that("(127)", mean) <= 2 * D / (_alpha(s) * s.T) + _L(s) ** 2 * Lambda * G**2 * squares]


def prove() -> None:
    """sympy and z3: The descent lemma for L-smooth F; (113) is the polarisation identity, whose |sum w h|^2 part is
    negative for alpha L <= 1; Jensen (115); LA.E117 for (120); |Delta| <= k eta G by the triangle inequality (124).
    Summing over t telescopes F; dividing by alpha T/2 gives (127). Each scalar step is decided by machine.
    """
    g, h, a, L = sympy.symbols("g h a L", real=True)
    identity((-a * g * h + a**2 * L / 2 * h**2, -a / 2 * (g**2 + h**2 - (g - h) ** 2) + a**2 * L / 2 * h**2))
    al, Lz, H2, e, tau, k, G, s, lam = reals("al Lz H2 e tau k G s lam")
    smt([al > 0, Lz > 0, al * Lz <= 1, H2 >= 0], -al / 2 * H2 + al * al * Lz / 2 * H2 <= 0)
    smt([0 <= s, s <= k * e * G, 0 <= k, k <= tau, e >= 0, G >= 0], s * s <= (tau * e * G) * (tau * e * G))
    smt([tau >= 1, lam >= 0, H2 >= 0], lam / tau * (tau * H2) == lam * H2)


CHOICES = tuple({"tau": t, "T": T} for t in ((1,), (2,), (1, 2), (3, 3), (2, 1, 3)) for T in (1, 2, 5))

STATEMENT = Statement(
    kind="upper bound",
    location="(112) to (127), Appendix F",
    says="With alpha = sum w eta_i tau_i <= 1/L: mean over t < T of ||grad F(x^(t))||^2 <= 2 (F(x^(0)) - "
    "F_inf)/(alpha T) + L^2 Lambda G^2 sum w eta_i^2 tau_i^2.",
    reading="Assumptions 3 to 5. Instances: quadratics in d = 1, concave clients among them, step matrices B_i^(k) in "
    "(0, 1], G the largest |B grad F_i| along the run.",
    domain=Domain(instance, CHOICES, "one to three quadratic clients in d = 1, T <= 5"),
    hypotheses=(
        WEIGHTS,
        between(
            "B_i^(k) > 0 (Assumption 4)",
            lambda s: np.concatenate([s.B[i] for i in range(s.n)], -1),
            0,
            role="A = B / sum B divides by it",
        ),
        between("eta_i > 0", lambda s: s.eta, 0, role="rates; the bound divides by alpha"),
        between("sum w_i H_i > 0", lambda s: (s.w * s.H).sum(axis=-1), 0, role="F is bounded below"),
        Hypothesis(
            "alpha <= 1/L",
            lambda s: [that(_alpha(s) * _L(s)) <= s.start * 0 + 1],
            Domain(
                lambda c, **k: instance(c, top=20, **k), ({"tau": (1,), "T": 5}, {"tau": (3, 3), "T": 5}), "up to 20/L"
            ),
        ),
    ),
    printed=claim_of(printed, prove=prove),
    note="(114) needs alpha L <= 1, not < 1 as said below it.",
)

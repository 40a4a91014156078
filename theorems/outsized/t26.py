"""OLR Theorem 26: fixed client and server rates."""

from surrogate import bounds
from theorems.outsized import l25
from theorems.outsized.common import ASSUMPTION_2
from theorems.outsized.common_moments import drawn, floor, largest_noise, law, one_round_domain, resting
from theorems.vocabulary import *

TIMES = (1, 5)


def compared(s: Instance, noise: Any = None) -> list[Comparison]:
    """E|x_{t+1} - x*_gamma|^2 after t rounds; ``noise``: of a round, where it is not the printed one."""
    given = (s.p.mu, s.gamma, s.eta, s.K, largest_noise(s), drawn(s), s.B)
    around = law(s, s.gamma, resting(s, s.gamma))
    e, e2, rows = s.e, s.e * s.e, []
    for t in range(1, TIMES[-1] + 1):
        e, e2 = around.advance(e, e2, s.eta)
        if t in TIMES:
            rows.append(Comparison(f"t = {t}", e2, "<=", bounds.theorem_26(*given, t, s.e**2, noise)))
    return rows


def corrected(s: Instance) -> list[Comparison]:
    return compared(s, floor(s, s.gamma, resting(s, s.gamma)))


def prove() -> Proof:
    l25.prove()
    r, eta, mu, F, E = sympy.symbols("r eta mu F E")
    P = sympy.Symbol("P")  # (1 - eta mu)^t
    r = 1 - eta * mu
    identity((r * (P * E + eta * F / mu * (1 - P)) + eta**2 * F, P * r * E + eta * F / mu * (1 - P * r)))
    p, f = reals("p f")
    smt([0 <= p, p <= 1, f >= 0], f * (1 - p) <= f)
    return Proof(
        "z3 and sympy",
        "The corrected Lemma 25, t times: the geometric sum of eta^2 F is (eta F/mu)(1 - (1 - eta mu)^t), by "
        "induction on t.",
    )


STATEMENT = Statement(
    id="OLR.T26",
    kind="convergence",
    location="Theorem 26, section 7.1",
    says="For eta <= mu_gamma/L_gamma^2, E|x_{t+1} - x*_gamma|^2 <= (1 - eta mu_gamma)^t |x_1 - x*_gamma|^2 + "
    "eta K G^2/(mu_gamma M B).",
    reading=l25.STATEMENT.reading,
    headline=True,
    severity="substantive",
    domain=one_round_domain(
        l25.instance, "d = 1, x_1 anywhere, t <= 5, 0 <= gamma < 1/L, 0 < eta <= mu_gamma/L_gamma^2"
    ),
    hypotheses=(ASSUMPTION_2, l25.BELOW, l25.STEP_SIZE),
    printed=Claim(
        "convergence to a ball",
        r"\mathbb E\|x_{t+1}-x_\gamma^*\|^2\le(1-\eta\mu_\gamma)^t\|x_1-x_\gamma^*\|^2+\frac{\eta KG^2}{\mu_\gamma MB}",
        compared,
    ),
    corrected=Claim(
        "for eta <= 1/(3 L_gamma) with the constant term eta (K G^2/B + 2 V_gamma)/(mu_gamma M), V_gamma = "
        "E_i|grad f~_i(x*_gamma)|^2; with all clients for eta <= 1/L_gamma and without V_gamma",
        r"\mathbb E\|x_{t+1}-x_\gamma^*\|^2\le(1-\eta\mu_\gamma)^t\|x_1-x_\gamma^*\|^2+\frac{\eta}{\mu_\gamma "
        r"M}\left(\frac{KG^2}B"
        r"+2V_\gamma\right),\quad\eta\le\frac1{3L_\gamma}",
        corrected,
        prove,
        one_round_domain(
            lambda cursor, **discrete: l25.instance(cursor, **discrete, wide=True),
            "d = 1, t <= 5, eta up to 1/(3 L_gamma), or 1/L_gamma with all clients",
        ),
    ),
    note="Index and geometric sum are right; the theorem inherits the hole of Lemma 23: with G = 0 and sampled "
    "clients the iterates do not converge, but scatter with a variance of order eta V_gamma/(mu_gamma M).",
)

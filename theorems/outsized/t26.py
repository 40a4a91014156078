"""OLR Theorem 26: fixed client and server rates."""

from surrogate import bounds
from theorems.outsized import l25
from theorems.outsized.common import ASSUMPTION_2
from theorems.outsized.common_moments import floor, largest_noise, law, one_round_domain, outer, resting, squares, trace
from theorems.outsized.lemmas import column, phi_bounds
from theorems.outsized.lemmas_rounds import descent, noise_floor
from theorems.vocabulary import *

TIMES = (1, 5)


def compared(s: Instance, noise: Any = None) -> list[Comparison]:
    r"""convergence to a ball

    \mathbb E\|x_{t+1}-x_\gamma^*\|^2\le(1-\eta\mu_\gamma)^t\|x_1-x_\gamma^*\|^2+\frac{\eta KG^2}{\mu_\gamma MB}

    E|x_{t+1} - x*_gamma|^2 after t rounds; ``noise``: of a round, where it is not the printed one.
    """
    given = (s.p.mu, s.gamma, s.eta, s.K, largest_noise(s), s.M, s.B)
    around = law(s, s.gamma, resting(s, s.gamma))
    m, S, rows = s.start, outer(s.start), []
    for t in range(1, TIMES[-1] + 1):
        m, S = around.advance(m, S, s.eta)
        if t in TIMES:
            bound = bounds.theorem_26(*given, t, squares(s.start), noise)
            rows.append(that(f"{s.sampling}, t = {t}", trace(S)) <= bound)
    return rows


def corrected(s: Instance) -> list[Comparison]:
    return compared(s, floor(s, s.gamma, resting(s, s.gamma), s.eta * s.L))


def derive(proof: Derivation, s: Instance) -> None:
    """Induction on t: (1 - eta mu)(P E + eta F / mu) + eta^2 F = (1 - eta mu) P E + eta F / mu."""
    phi_bounds(proof, s.p, s.gamma, s.K)
    rest, around, first = resting(s, s.gamma), law(s, s.gamma, resting(s, s.gamma)), squares(s.start)
    m, S, power = s.start, outer(s.start), s.eta * 0 + 1
    g, u, v, x, e, f, P, E = reals("eta mu L x e F P E")
    here = {"eta": s.eta, "mu": s.mu, "L": s.L}
    proof.leaf("mu_gamma <= L_gamma", [u <= x, x <= v], u <= v, mu=column(s.mu), L=column(s.L),
               x=s.p.filtered(s.gamma, s.theta))  # fmt: skip
    proof.leaf("eta mu <= 1", [g * v * v <= 2 * v - u, 0 < u, u <= v, g >= 0], g * u <= 1, **here)
    for t in range(TIMES[-1]):
        after, F = descent(proof, s, s.gamma, rest, m, S, s.eta)
        if t == 0:
            noise_floor(proof, s, s.gamma, rest, s.eta * s.L)
            proof.leaf("at the start", [f >= 0, g >= 0, u > 0], e <= e + g * f / u, **here, F=F, e=first)
        proof.leaf(
            "t rounds", [E <= (1 - g * u) * x + g * g * f, x <= P * e + g * f / u, g * u <= 1, u > 0],
            E <= (1 - g * u) * P * e + g * f / u, **here, E=after, x=trace(S), F=F, P=power, e=first,
        )  # fmt: skip
        m, S = around.advance(m, S, s.eta)
        power = power * (1 - s.eta * s.mu)


STATEMENT = Statement(
    kind="convergence",
    location="Theorem 26, section 7.1",
    says="For eta <= mu_gamma/L_gamma^2, E|x_{t+1} - x*_gamma|^2 <= (1 - eta mu_gamma)^t |x_1 - x*_gamma|^2 + "
    "eta K G^2/(mu_gamma M B).",
    reading=l25.STATEMENT.reading,
    headline=True,
    severity="substantive",
    domain=one_round_domain(l25.instance, "x_1 anywhere, t <= 5, 0 <= gamma < 1/L, 0 < eta <= mu_gamma/L_gamma^2"),
    hypotheses=(ASSUMPTION_2, l25.BELOW, l25.STEP_SIZE),
    printed=claim_of(compared),
    corrected=Claim(
        "as printed, even for eta <= (2 L_gamma - mu_gamma)/L_gamma^2, with all clients, and with sampled ones where "
        f"they share a minimizer; else with 2 rho V_gamma/(2 - eta L_gamma) added to K G^2/B: {l25.SAMPLED}, V_gamma = "
        "E_i|grad f~_i(x*_gamma)|^2",
        r"\mathbb E\|x_{t+1}-x_\gamma^*\|^2\le(1-\eta\mu_\gamma)^t\|x_1-x_\gamma^*\|^2+\frac{\eta}{\mu_\gamma "
        r"M}\left(\frac{KG^2}B+\frac{2\rho V_\gamma}{2-\eta L_\gamma}\right),\quad\eta\le\frac{2L_\gamma-\mu_\gamma}"
        r"{L_\gamma^2}",
        corrected,
        derive=derive,
        domain=l25.WIDE,
        given=(ASSUMPTION_2, l25.BELOW, l25.LARGEST),
    ),
    steps=(
        Step(
            "'applying Lemma 25 repeatedly'",
            Claim(
                "one round, as Lemma 25 prints it",
                r"\mathbb E\|x_2-x_\gamma^*\|^2\le(1-\eta\mu_\gamma)\|x_1-x_\gamma^*\|^2+\eta^2KG^2/(MB)",
                l25.printed,
            ),
            "with the corrected Lemma 25",
        ),
    ),
    note="Index and geometric sum are right; the theorem inherits the hole of Lemma 23: with G = 0 and sampled "
    "clients the iterates do not converge, but scatter with a variance of order eta V_gamma/(mu_gamma M).",
)

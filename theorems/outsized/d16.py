"""OLR section 3: distortion can amplify the heterogeneity of the A_i."""

from theorems.vocabulary import *


def decode(cursor: Cursor) -> Instance:
    """Two clients with A_2 = L = 2 A_1, at gamma = 4/(5 L)."""
    L = 1 + cursor.take()
    return Instance(nb=cursor.nb, L=L, gamma=4 / (5 * L))


def compare(s: Instance) -> list[Comparison]:
    r"""with Theta_3 and gamma = 4/(5 L), A_2 = 2 A_1 gives Q_1 A_1 > 4 Q_2 A_2

    A_2=2A_1=L,\ \gamma=\tfrac4{5L}:\quad Q_1(\gamma,\Theta_3)A_1>4\,Q_2(\gamma,\Theta_3)A_2
    """
    slow, fast = s.L / 2, s.L
    distorted = [a * (1 - s.gamma * a) * (1 - s.gamma * a) for a in (slow, fast)]
    return [that("curvatures, distorted", distorted[0]) > 4 * distorted[1]]


def derive(proof: Derivation, s: Instance) -> None:
    """18/100 L against 4/25 L."""
    g, L = reals("gamma L")
    a, b = L / 2, L
    proof.leaf("gamma L = 4/5", [L > 0], 4 / (5 * L) * L == 4 / (5 + 0 * L), L=s.L)
    proof.leaf("18/100 L > 16/100 L", [L > 0, 5 * (g * L) <= 4, 5 * (g * L) >= 4],
               4 * (b * (1 - g * b) * (1 - g * b)) < a * (1 - g * a) * (1 - g * a), gamma=s.gamma, L=s.L)  # fmt: skip


GIVEN = (
    Hypothesis("L > 0", lambda s: [that(s.L) > s.L * 0]),
    Hypothesis("gamma = 4/(5 L)", lambda s: [that(5 * (s.gamma * s.L)) == 4 + s.gamma * s.L * 0]),
)

STATEMENT = Statement(
    kind="existence",
    location="section 3, after (10)",
    says="For Theta other than Theta_1, Q_i may significantly distort A_i, and can amplify heterogeneity of the A_i.",
    reading="Heterogeneity: how many times the larger of two clients' curvatures is the smaller.",
    domain=Domain(decode, ({},), "two clients in d = 1 with A_2 = 2 A_1, gamma = 4/(5 L), Theta_3"),
    hypotheses=GIVEN,
    printed=claim_of(compare, derive=derive),
    note="With Theta_{1:K} and gamma < 1/L the quotient never grows: phi_L/phi_mu <= L/mu (OLR.L35).",
)

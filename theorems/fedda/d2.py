"""DA.D2: local momentum deviates exponentially from the centralized one, FedDA's algebraically."""

from __future__ import annotations

from typing import Any

from theorems.domain import Domain, grid
from theorems.fedda.common import BETA, LARGE_BETA, RATES, numeric, procedures
from theorems.fedda.common_deviation import bounded, concave, explodes, prove, prove_explosion, run, second_step
from theorems.fedda.listing_fedda import sgdm
from theorems.statement import Claim, Comparison, Hypothesis, Statement, Step


def printed(s: Any) -> list[Comparison]:
    fedda, local, central = run(numeric(s), s.T)
    return [Comparison("deviations", s.nb.abs(fedda - central), "<=", s.nb.abs(local - central))]


def corrected(s: Any) -> list[Comparison]:
    exact = second_step(numeric(s), [s.a[..., i] for i in range(s.n)])
    return [*(Comparison(label, a, "==", b) for label, a, b in exact), *bounded(s)]


def grows(s: Any) -> list[Comparison]:
    """The first client's momentum against SGDM's, after 2 T steps and after T."""
    r = numeric(s)
    gaps = [
        s.nb.abs(sgdm(r.grads[:1], [1], r.x, r.m, r, T)[-1][1] - sgdm(r.grads, r.p, r.x, r.m, r, T)[-1][1])
        for T in (s.T, 2 * s.T)
    ]
    return [Comparison("grows", gaps[1], ">=", gaps[0])]


STATEMENT = Statement(
    id="DA.D2",
    paper="fedda",
    kind="upper bound",
    location="section 4, after (29); appendix A.3, before (40) and after (57)",
    says="Local momentum deviates from the centralized one at an exponential rate, FedDA's global momentum at the "
    "algebraic rate O(t^2), 'much slower than that of local momentum'.",
    reading="FedDA's momentum (22) and the mean of the local momenta (21), both against SGDM (18) from the same "
    "start with alpha = 1, after T steps: FedDA's deviates no more. With one client the mean is the local momentum.",
    headline=True,
    severity="substantive",
    domain=procedures(n=(1, 2, 3), T=(2, 3, 5, 10, 30)),
    hypotheses=(Hypothesis("0 <= beta < 1", BETA.holds, LARGE_BETA), RATES),
    printed=Claim(
        "|mbar(T) - m(T)| <= |mean m^i(T) - m(T)|",
        r"\|\bar m(T)-m(T)\|\le\Big\|\sum_i\tfrac{N^i}{N}m^i(T)-m(T)\Big\|",
        printed,
    ),
    corrected=Claim(
        "at t = 2 local momentum is off by (1 - beta)^2 eta |sum p_i a_i (g^i - g)|, FedDA's by (1 - beta) eta |sum "
        "p_i a_i ((1 - beta)(g^i - g) + beta (g^i - m))|; with one client local momentum is exact; with gradients "
        "bounded by G no deviation ever exceeds 2 max(|m(0)|, G)",
        r"\sum_i\tfrac{N^i}{N}m^i(2)-m(2)=-(1-\beta)^2\eta\sum_i\tfrac{N^i}{N}a_i(g^i-g),\ "
        r"\bar m(2)-m(2)=-(1-\beta)\eta\sum_i\tfrac{N^i}{N}a_i((1-\beta)(g^i-g)+\beta(g^i-m(0)))",
        corrected,
        prove,
    ),
    steps=(
        Step(
            "local momentum deviates more and more",
            Claim("|m^i - m| at 2 T is at least that at T", r"\|m^i(2T)-m(2T)\|\ge\|m^i(T)-m(T)\|", grows),
            "bounded for every t under Assumption 2, and dying out on convex losses: (47) is only an upper bound",
        ),
        Step(
            "without Assumption 2 FedDA's deviation is exponential, too (ours)",
            Claim(
                "on one concave client it grows at least by (1 + eta)^T from T to 2 T",
                r"|\bar m-m|(2T)\ge(1+\eta)^T|\bar m-m|(T)",
                explodes,
                prove_explosion,
                Domain(concave, grid(T=(2, 5, 10, 20)), "one client with gradient -w, 1/10 <= beta, eta <= 9/10, 1"),
            ),
        ),
    ),
    note="The mean of local momenta is SGDM's exactly with one client, and for equal curvatures at every t; "
    "its deviation starts with the covariance of curvature and gradient. FedDA adds beta (1 - beta) eta "
    "sum p_i a_i (m(0) - g^i), which no homogeneity removes: its local steps do not follow the momentum. "
    "The appendix compares bounds of unequal sharpness: it says that FedDA has 'no such a term as "
    "g^i(W^i) - g^i(W)', which (48) has, takes it for a forcing of size C* tau there, and for a feedback "
    "of size L_g |W^i - W| in (42). Either way of bounding serves both. Disputed in our own audit: the "
    "paper proves upper bounds only, (47) and (57), which one client does not refute; what it does not "
    "establish is the comparison, and the sentence that the deviation is growing exponentially is what "
    "fails.",
)

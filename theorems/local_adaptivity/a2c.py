"""LA Algorithm 1, lines 14 and 15: does global correction leave the fixed point when clients are sampled?"""

from itertools import combinations

from theorems.local_adaptivity.a2 import CHOICES, instance, messages, prove_fixed, ranges, resting_point
from theorems.local_adaptivity.common import WEIGHTS, between
from theorems.vocabulary import *


def update(s: Instance, fixed: bool) -> Any:
    """The expected pseudo-gradient at the point where local correction rests; times eta^-1 for scale."""
    normalised, inverse = messages(s, resting_point(s))
    total = s.eta * 0
    samples = list(combinations(range(s.n), s.drawn))
    for S in samples:
        mean = sum(normalised[:, i] for i in S) / s.drawn
        scale = inverse.sum(axis=-1) / s.n if fixed else sum(inverse[:, i] for i in S) / s.drawn
        total = total + mean / scale
    return total / (len(samples) * s.eta)


def printed(s: Instance) -> list[Comparison]:
    return [Comparison("at rest", update(s, False), "==", s.eta * 0)]


def corrected(s: Instance) -> list[Comparison]:
    return [Comparison("at rest", update(s, True), "==", s.eta * 0)]


def prove() -> Proof:
    prove_fixed()
    return Proof(
        "z3 and sympy",
        "A matrix N_s that is the same whatever the sample leaves the expectation: E[N_s^-1 Delta_S] = N_s^-1 "
        "E[Delta_S], which vanishes exactly where E[Delta_S] does (LA.A2), and that is a multiple of the sum over all "
        "clients when each is drawn with one probability.",
    )


STATEMENT = Statement(
    id="LA.A2c",
    kind="convergence",
    location="Algorithm 1, lines 3 and 14 to 16",
    says="As Algorithm 1 runs global correction, with N_s^(t) the mean of N_i^-1 over the drawn clients S^(t), it "
    "rests where local correction rests.",
    reading="S^(t) uniform without replacement (all clients when drawn = n). Rest: the expected pseudo-gradient "
    "vanishes. Equal weights, as line 14 has none; d = 1, fixed P_i.",
    severity="missing-hypothesis",
    domain=Domain(instance, CHOICES, "one to three clients in d = 1, all or some drawn"),
    hypotheses=(
        WEIGHTS,
        between("P_i > 0", lambda s: s.P, 0, role="N_i = tau P_i is inverted"),
        Hypothesis("0 < eta P H <= 1", ranges, role="of the instances; the correction does not use it"),
    ),
    printed=Claim(
        "the expected pseudo-gradient of line 15 vanishes where local correction rests",
        r"\mathbb{E}_S\Big[\Big(\tfrac1{|S|}\sum_{i\in S}N_i^{-1}\Big)^{-1}\tfrac1{|S|}\sum_{i\in S}N_i^{-1}"
        r"\Delta_i(x)\Big]=0\iff\sum_iN_i^{-1}\Delta_i(x)=0",
        printed,
    ),
    corrected=Claim(
        "true if N_s does not depend on the sample: all clients take part, or N_s is section 5's, of all clients",
        r"\mathbb{E}_S[N_s^{-1}\Delta_S]=N_s^{-1}\,\mathbb{E}_S[\Delta_S]",
        corrected,
        prove,
    ),
    note="With one client a round line 15 undoes local correction altogether: N_s^-1 N_i^-1 Delta_i = Delta_i, and the "
    "bias of section 4 is back in full. With few clients drawn most of it is. Line 14 also takes plain means over S "
    "where the text has w_i: right only if clients are drawn with probability proportional to w_i.",
)

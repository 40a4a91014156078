"""OLR section 7.1: f~_gamma converges to f as gamma tends to 0, uniformly on R^d."""

from theorems.outsized.common import ASSUMPTION_2, GAMMA_BELOW
from theorems.outsized.l18 import prove_sharper
from theorems.vocabulary import *


def instance(cursor: Cursor, n: int, d: int, K: int) -> Instance:
    """gamma <= 1/(10 L), x up to 10 away."""
    p = clients(cursor, n, d, weighted=True)
    gamma = rate(cursor, p.L) * cursor.nb.number(Fraction(1, 10))
    x = np.stack([10 * cursor.take() for _ in range(d)], -1)
    return Instance(p=p, gamma=gamma, x=x, K=K, theta=Theta.sum(K))


def gap(s: Instance) -> Any:
    """f(x) - f~_gamma(x)/K."""
    deficit = s.p.deficit(s.gamma, s.theta)
    return -s.p.quadratic(s.p.lam * deficit, s.x) / s.K


def uniform(s: Instance) -> list[Comparison]:
    return [Comparison("|f~/K - f| <= 1", gap(s), "<=", s.gamma * 0 + 1)]


def pointwise(s: Instance) -> list[Comparison]:
    """f~ <= 3/2 f for small gamma would follow from f~ -> f > 0."""
    value = s.p.quadratic(s.p.filtered(s.gamma, s.theta), s.x)
    return [Comparison("f~ <= 3/2 f", value, "<=", 3 * s.p.quadratic(s.p.lam, s.x) / 2)]


def relative(s: Instance) -> list[Comparison]:
    loss = s.p.quadratic(s.p.lam, s.x)
    return [
        Comparison("above", gap(s), "<=", (s.K - 1) * s.gamma * s.p.L / 2 * loss),
        Comparison("below", gap(s), ">=", s.gamma * 0),
    ]


def prove() -> Proof:
    prove_sharper()
    return Proof(
        "z3",
        "K lam - phi_lam lies between 0 and K(K-1)/2 gamma lam^2 <= K(K-1)/2 gamma L lam, by induction on K, for every "
        "eigenvalue of every client; sum up with the weights.",
    )


STATEMENT = Statement(
    id="OLR.D4",
    kind="limit",
    location="Before Assumption 4, section 7.1",
    says="As gamma tends to 0, f~_gamma converges to f; under Assumption 2 uniformly on R^d.",
    reading="Up to the factor K (f~_0 = K f, see the step). Uniform convergence asks for a gamma_0 > 0 with "
    "|f~_gamma/K - f| <= 1 for all gamma <= gamma_0 and all x; refuted for gamma_0 = 1/(10 L), and scaling x refutes "
    "every other.",
    severity="substantive",
    domain=Domain(instance, grid(n=(1, 2, 3), d=(1, 2), K=(1, 2, 3, 10, 1000)), "gamma <= 1/(10 L), x in [0, 10]^d"),
    hypotheses=(ASSUMPTION_2, GAMMA_BELOW),
    printed=Claim("uniformly on R^d", r"\sup_x|\tilde f_\gamma(x)/K-f(x)|\to0", uniform),
    corrected=Claim(
        "uniformly on bounded sets, and relative to f: 0 <= f - f~_gamma/K <= (K-1)/2 gamma L f",
        r"0\le f-\tilde f_\gamma/K\le\tfrac{K-1}2\gamma L\,f",
        relative,
        prove,
    ),
    steps=(
        Step(
            "f~_gamma converges to f",
            Claim("f~_gamma <= 3/2 f for small gamma", r"\tilde f_\gamma\to f", pointwise),
            "to f/tau = K f, as section 6 has it",
        ),
    ),
    note="The difference of two different quadratics is unbounded on R^d, so no uniform convergence is possible there.",
)

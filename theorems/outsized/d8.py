"""OLR, after Theorem 26: in heterogeneous settings client rate decay is necessary."""

from theorems.outsized.common import ASSUMPTION_2, GAMMA_BELOW
from theorems.vocabulary import *


def instance(cursor: Cursor, K: int, both: bool = False) -> Instance:
    """Two clients whose minimizers differ; both: whose Hessians differ, too."""
    p = clients(cursor, 2, 1)
    tenth = cursor.nb.number(Fraction(1, 10))
    slow = p.lam[..., 1:, :] * (1 - tenth) + tenth
    slow = slow * (1 - tenth) if both else slow
    c = np.concatenate([p.c[..., :1, :], p.c[..., 1:, :] * 0 + 1], -2)
    p = replace(p, lam=np.concatenate([p.lam[..., :1, :], slow], -2), c=c)
    gamma = (rate(cursor, p.L) + tenth) / (1 + 2 * tenth)
    return Instance(p=p, gamma=gamma, K=K, theta=Theta.sum(K))


def displaced(s: Instance) -> list[Comparison]:
    return [Comparison("x*_gamma != x*", s.p.nb.length(s.p.displacement(s.gamma, s.theta)), ">", s.gamma * 0)]


def prove() -> Proof:
    w, a, b, p, q, c, e = sympy.symbols("w a b p q c e", positive=True)  # a, b: Hessians; p, q: phi of them
    v = 1 - w
    true, rest = (w * a * c + v * b * e) / (w * a + v * b), (w * p * c + v * q * e) / (w * p + v * q)
    identity((rest - true, w * v * (p * b - q * a) * (c - e) / ((w * a + v * b) * (w * p + v * q))))
    x, y, r, s, f, h = reals("x y r s f h")  # phi/lam = sum (1 - gamma lam)^k falls strictly from K = 2 on
    smt([0 < x, x < y, y < 1], 2 - y < 2 - x)
    smt([0 < x, x < y, y < 1, h < f, 0 <= s, s <= r], h + s * (1 - y) < f + r * (1 - x))
    return Proof(
        "z3 and sympy",
        "For two clients x*_gamma - x* = w v (phi_a b - phi_b a)(c - e)/(...) (sympy), and phi_lam/lam falls strictly "
        "with lam for K >= 2 (induction on K): not 0 once A_1 != A_2 and c_1 != c_2. With all clients and G = 0 the "
        "iterates converge to x*_gamma (corrected Theorem 26), so that they stay away from x*.",
    )


STATEMENT = Statement(
    id="OLR.D8",
    kind="necessity",
    location="After Theorem 26, section 7.1",
    says="The constant distance from x* is inherent, as x*_gamma != x*; in heterogeneous settings client learning "
    "rate decay is necessary for convergence to the true risk minimizer.",
    reading="Heterogeneous: the clients' losses differ. K >= 2, 0 < gamma < 1/L, two clients.",
    severity="missing-hypothesis",
    domain=Domain(instance, grid(K=(2, 3, 10, 1000)), "two clients with different minimizers, 0 < gamma < 1/L"),
    hypotheses=(
        ASSUMPTION_2,
        GAMMA_BELOW,
        Hypothesis("c_1 != c_2", lambda s: [Comparison("", s.p.c[..., 0, 0], "<", s.p.c[..., 1, 0])]),
    ),
    printed=Claim("different clients rest elsewhere", r"f_1\ne f_2\Rightarrow x_\gamma^*\ne x^*", displaced),
    corrected=Claim(
        "where both A_1 != A_2 and c_1 != c_2: for two clients in d = 1 these two are what it takes",
        r"A_1\ne A_2,\ c_1\ne c_2\Rightarrow x_\gamma^*\ne x^*",
        displaced,
        prove,
        Domain(
            lambda cursor, K: instance(cursor, K, both=True),
            grid(K=(2, 3, 10, 1000)),
            "two clients that differ in A and in c, 0 < gamma < 1/L",
        ),
    ),
    note="Clients with equal Hessians are heterogeneous, and FedAvg rests in x* for every gamma; so are clients with "
    "equal minimizers. With three clients the displacements may cancel by chance.",
)

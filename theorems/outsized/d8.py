"""OLR, after Theorem 26: in heterogeneous settings client rate decay is necessary."""

from theorems.outsized.common import ASSUMPTION_2, GAMMA_BELOW, fedavg_instance
from theorems.outsized.common_rates import prove_phi_spectrum
from theorems.vocabulary import *

TWO, ANY = "two clients, d = 1", "any clients"


def instance(cursor: Cursor, case: str, n: int, d: int, K: int, same: bool = False) -> Instance:
    """Clients whose minimizers differ; two in d = 1 differ in their Hessians, too, unless ``same`` is allowed."""
    s = fedavg_instance(cursor, n, d, K, weighted=case == ANY)
    s.case, tenth = case, cursor.nb.number(Fraction(1, 10))
    if case == TWO:
        slow = s.p.lam[..., 1:, :] * (1 - tenth) + tenth
        slow = slow if same else slow * (1 - tenth)
        c = np.concatenate([s.p.c[..., :1, :], s.p.c[..., 1:, :] * 0 + 1], -2)
        s.p = replace(s.p, lam=np.concatenate([s.p.lam[..., :1, :], slow], -2), c=c)
        s.gamma = (s.gamma + tenth) / (1 + 2 * tenth)
    return s


def moved(s: Instance) -> Any:
    return s.p.nb.length(s.p.displacement(s.gamma, s.theta))


def displaced(s: Instance) -> list[Comparison]:
    r"""different clients rest elsewhere

    \mathcal D_1\ne\mathcal D_2\Rightarrow x_\gamma^*\ne x^*
    """
    return [that("x*_gamma != x*", moved(s)) > s.gamma * 0]


def curved(s: Instance) -> Any:
    """|E A_i^2 (x* - c_i)|."""
    p = s.p
    return p.nb.length(p.mean((p.spectral(p.lam * p.lam) @ (p.minimizer[..., None, :] - p.c)[..., None])[..., 0]))


def distance(s: Instance) -> Any:
    """E|x* - c_i|."""
    p = s.p
    return (p.w * p.nb.length(p.minimizer[..., None, :] - p.c)).sum(axis=-1)


def corrected(s: Instance) -> list[Comparison]:
    r"""it is, as 'in general' says, wherever E A_i^2 (x* - c_i) != 0, for every gamma > 0 if K = 2 and every gamma > 0
    that is small enough else: |x*_gamma - x*| >= (K-1) gamma/(2 L) (|E A_i^2 (x* - c_i)| - (K-2)/3 gamma L^3 E|x* -
    c_i|); for two clients in d = 1 exactly where A_1 != A_2 and c_1 != c_2, for every gamma < 1/L

    \|x_\gamma^*-x^*\|\ge\frac{(K-1)\gamma}{2L}\left(\big\|\mathbb E[A_i^2(x^*-c_i)]\big\|-\frac{K-2}3\gamma L^3\,%
      \mathbb E\|x^*-c_i\|\right)
    """
    L, g = s.p.L, s.gamma
    inside = curved(s) - (s.K - 2) * g * L**3 * distance(s) / 3
    rows = [that("at least this far", (s.K - 1) * g / (2 * L) * inside) <= moved(s)]
    return rows + (displaced(s) if s.case == TWO else [])


def prove() -> None:
    """z3 and sympy: A~(x*_gamma - x*) = -E (Q_i - K) A_i (x* - c_i), and |K - K(K-1)/2 z - sum_k (1 - z)^k| <=
    K(K-1)(K-2)/6 z^2 for z = gamma lam in [0, 1] (induction on K): it is K(K-1)/2 gamma E A_i^2 (x* - c_i) up to
    K(K-1)(K-2)/6 gamma^2 L^3 E|x* - c_i|, and |A~| <= K L. For two clients in d = 1, x*_gamma - x* = w v (phi_a b -
    phi_b a)(c - e)/(...) (sympy), and phi_lam/lam falls strictly with lam for K >= 2 (induction on K). With all clients
    and G = 0 the iterates converge to x*_gamma (corrected Theorem 26), so that they stay away from x*.
    """
    prove_phi_spectrum()
    w, a, b, p, q, c, e = sympy.symbols("w a b p q c e", positive=True)  # a, b: Hessians; p, q: phi of them
    v = 1 - w
    true, rest = (w * a * c + v * b * e) / (w * a + v * b), (w * p * c + v * q * e) / (w * p + v * q)
    identity((rest - true, w * v * (p * b - q * a) * (c - e) / ((w * a + v * b) * (w * p + v * q))))
    x, y, r, s, f, h = reals("x y r s f h")  # phi/lam = sum (1 - gamma lam)^k falls strictly from K = 2 on
    smt([0 < x, x < y, y < 1], 2 - y < 2 - x)
    smt([0 < x, x < y, y < 1, h < f, 0 <= s, s <= r], h + s * (1 - y) < f + r * (1 - x))
    z, P, K, D = reals("z P K D")  # P = (1 - z)^K - 1 + K z in [0, K (K - 1)/2 z^2], D = sum_{k<K} of it
    start = [0 <= z, z <= 1, K >= 0, 0 <= P, 2 * P <= K * (K - 1) * z * z]
    smt(start, (P - K * z) * (1 - z) + K * z >= 0 * z)
    smt([*start, K >= 1], 2 * ((P - K * z) * (1 - z) + K * z) <= (K + 1) * K * z * z)
    smt([*start, 6 * D <= K * (K - 1) * (K - 2) * z * z], 6 * (D + P) <= (K + 1) * K * (K - 1) * z * z)
    m, u, most, L, g = reals("m u most L g")  # K L |x*_gamma - x*| >= |A~(x*_gamma - x*)| >= K (K-1)/2 gamma u - rest
    smt(
        [
            L > 0,
            K >= 1,
            g >= 0,
            m >= 0,
            6 * K * L * m >= 3 * K * (K - 1) * g * u - K * (K - 1) * (K - 2) * g * g * most,
        ],
        6 * L * m >= (K - 1) * g * (3 * u - (K - 2) * g * most),
    )


STATEMENT = Statement(
    kind="necessity",
    location="After Theorem 26, section 7.1",
    says="The constant distance from x* is inherent, as in general x*_gamma != x*; in heterogeneous settings client "
    "learning rate decay is necessary for convergence to the true risk minimizer.",
    reading="Heterogeneous, as section 2 has it: the clients' distributions are not all identical. K >= 2, 0 < gamma "
    "< 1/L.",
    severity="missing-hypothesis",
    domain=Domain(
        lambda cursor, **discrete: instance(cursor, **discrete, same=True),
        grid(case=(TWO,), n=(2,), d=(1,), K=(2, 3, 10, 1000)),
        "two clients with different minimizers, 0 < gamma < 1/L",
    ),
    hypotheses=(
        ASSUMPTION_2,
        GAMMA_BELOW,
        Hypothesis("c_1 != c_2", lambda s: [that(s.p.c[..., 0, 0]) < s.p.c[..., 1, 0]]),
    ),
    printed=claim_of(displaced),
    corrected=claim_of(
        corrected,
        prove=prove,
        domain=Domain(
            instance,
            grid(case=(TWO,), n=(2,), d=(1,), K=(2, 3, 10, 1000))
            + grid(case=(ANY,), n=(2, 3), d=(1, 2), K=(2, 3, 10, 1000)),
            "two clients in d = 1 that differ in A and in c; any clients, d = 1, 2; 0 < gamma < 1/L",
        ),
        given=(ASSUMPTION_2, GAMMA_BELOW),
    ),
    note="Clients with equal Hessians are heterogeneous, and FedAvg rests in x* for every gamma; so are clients with "
    "equal minimizers. In d >= 2 two clients that differ in both may rest in x*, too, where (A_1 - A_2) A_1 (x* - "
    "c_1) = 0 and K = 2; with three clients displacements may cancel in d = 1.",
)

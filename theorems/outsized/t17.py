"""OLR Theorem 17: how far FedAvg rests from x*, in terms of phi."""

from surrogate import bounds
from theorems.bridges import averages, averages_of_vectors, inverse, resting_point
from theorems.outsized.common import ASSUMPTION_2, GAMMA_BELOW, fedavg_domain, phis
from theorems.outsized.common_rates import prove_phi_spectrum
from theorems.outsized.lemmas import column, distances, phi_bounds
from theorems.vocabulary import *


def bound(s: Instance) -> list[Comparison]:
    p = s.p
    displacement = p.nb.length(p.displacement(s.gamma, s.theta))
    return [Comparison("bound", displacement, "<=", bounds.theorem_17(p.mu, p.L, p.sigma_A, p.sigma_c, s.gamma, s.K))]


def factors(s: Instance) -> list[Comparison]:
    """The four factors of the printed proof, with tau = 1/K."""
    p, nb = s.p, s.p.nb
    low, _ = phis(s)
    gap = bounds.phi_deficit(s.K, p.L, s.gamma) / s.K
    spectrum = p.filtered(s.gamma, s.theta) / s.K
    difference = p.lam * p.deficit(s.gamma, s.theta) / s.K
    away = p.away[..., None]
    smallest = nb.eigenvalues(p.hessian(spectrum))[..., 0]
    return [
        Comparison("T1", 1 / smallest, "<=", s.K / low),
        Comparison("T2", nb.length(p.mean((p.spectral(difference) @ away)[..., 0])), "<=", p.sigma_c * gap),
        Comparison("averages", nb.opnorm(p.hessian(difference)), "<=", gap),
        Comparison("T4", nb.length(p.mean((p.A @ away)[..., 0])), "<=", p.sigma_A * p.sigma_c),
    ]


def derive(proof: Derivation, s: Instance) -> None:
    """With M_i = D_i A_i: M (x~ - x*) = -sum w_i (M_i - K A_i)(x* - c_i), |M_i - K A_i| <= K L - phi_L, M >= phi_mu."""
    p, nb = s.p, s.p.nb
    gap, (low, high) = bounds.phi_deficit(s.K, p.L, s.gamma), phis(s)
    phi_bounds(proof, s)
    phi, steps = p.filtered(s.gamma, s.theta), nb.number(s.K) + low * 0
    proof.cross(averages, "the averaged M is at least phi_mu", p=p, values=phi, low=low, high=high)
    proof.cross(resting_point, p=p, values=phi, a=steps)
    residuals = p.minimizer[..., None, :] - p.c
    moved = p.mean((p.spectral(phi - s.K * p.lam) @ residuals[..., None])[..., 0])
    g, m, q = reals("gap m q")
    proof.leaf("phi - K lambda >= -gap", [m <= g], -g <= -m, gap=column(gap), m=s.K * p.lam - phi)
    proof.leaf("phi - K lambda <= gap", [0 <= m, m <= g], -m <= g, gap=column(gap), m=s.K * p.lam - phi)
    proof.cross(averages_of_vectors, p=p, values=phi - s.K * p.lam, v=residuals, most=gap)
    far = distances(proof, s)
    proof.cross(inverse, nb=nb, M=p.hessian(phi), v=moved, low=low)
    a, b, c, d, e = reals("moved rest size distances low")
    proof.leaf("gap >= 0", [0 <= m, m <= g], 0 <= g, gap=column(gap), m=s.K * p.lam - phi)
    proof.leaf(
        "together", [a == b, b <= c / e, c <= g * d, d <= q, 0 <= g, e > 0], a <= q * g / e,
        moved=nb.length(p.displacement(s.gamma, s.theta)), rest=nb.length(nb.solve(p.hessian(phi), moved)),
        size=nb.length(moved), distances=far, low=low, gap=gap, q=p.sigma_c * (1 + p.sigma_A / p.mu),
    )  # fmt: skip


def prove() -> Proof:
    prove_phi_spectrum()
    K, gap, low, mu, sA, sc = sympy.symbols("K gap low mu sigma_A sigma_c", positive=True)
    T1, T2, T4 = K / low, sc * gap / K, sA * sc
    identity((T1 * T2 + (T1 / mu * gap / K) * T4, sc * (1 + sA / mu) * gap / low))
    a, b, w = reals("a b w")  # Jensen for the inverse, after simultaneous diagonalisation of two matrices
    smt([a > 0, b > 0, 0 <= w, w <= 1], (w * a + (1 - w) * b) * (w / a + (1 - w) / b) >= 1)
    return Proof(
        "z3 and sympy",
        "As printed: x~ - x* = A~^-1 (v~ - v) + (A~^-1 - A^-1) v, |v| <= sigma_A sigma_c by Cauchy-Schwarz. Every "
        "norm is a maximum over the spectrum of one client, so that all reduces to 0 <= K lam - phi_lam <= K L - phi_L "
        "and phi_mu <= phi_lam, checked by induction on K; the product of the four factors is checked symbolically.",
    )


def beyond(cursor: Cursor, n: int, d: int, K: int) -> Instance:
    p = clients(cursor, n, d, weighted=True)
    return Instance(p=p, gamma=2 * rate(cursor, p.L), K=K, theta=Theta.sum(K))


STATEMENT = Statement(
    id="OLR.T17",
    kind="upper bound",
    location="Theorem 17, section 6",
    says="FedAvg's resting point is within sigma_c (1 + sigma_A/mu) (L K - phi_L) / phi_mu of x*, for gamma < 1/L.",
    reading="0 <= gamma; E is over the clients' weights; sigma_A and sigma_c are taken with equality in Assumption 3.",
    headline=True,
    domain=fedavg_domain(K=(1, 2, 3, 5, 10, 30, 100, 1000, 10**5), weighted=True),
    hypotheses=(
        ASSUMPTION_2,
        replace(GAMMA_BELOW, without=Domain(beyond, grid(n=(1, 2), d=(1,), K=(2, 3, 10)), "0 < gamma < 2/L")),
    ),
    printed=Claim(
        says="the displacement is at most the bound",
        latex=r"\|x^*(\gamma,\Theta_{1:K})-x^*\|\le\sigma_c\left(1+\frac{\sigma_A}{\mu}\right)\frac{LK-\phi_{K,L}("
        r"\gamma)}{\phi_{K,\mu}(\gamma)}",
        compare=bound,
        derive=derive,
    ),
    steps=(
        Step(
            "the four factors",
            Claim(
                "T1 <= K/phi_mu, T2 <= sigma_c (KL - phi_L)/K, |A~ - A| <= (KL - phi_L)/K, T4 <= sigma_A sigma_c",
                r"T_1\le K\phi_{K,\mu}^{-1},\ T_2\le\sigma_c\frac{KL-\phi_{K,L}}{K},\ T_4\le\sigma_A\sigma_c",
                factors,
                prove,
            ),
        ),
    ),
    note="The proof says tau = K where it uses tau = 1/K (as Lemma 32's preamble has it). The bound is loose: at "
    "least a factor of about 9 is lost, and it grows like K while the displacement stays bounded. OLR.T17b is "
    "sharper for every K.",
)

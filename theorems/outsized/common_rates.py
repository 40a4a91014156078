"""Shared by the statements of OLR section 6 on how phi, condition numbers and resting points move with gamma."""

from functools import partial

from surrogate import bounds
from theorems.outsized.common import fedavg_instance
from theorems.vocabulary import *

WHOLE = Fraction(1)


def two_rates(cursor: Cursor, n: int, d: int, K: int, top: Fraction = WHOLE, **options: Any) -> Instance:
    """Clients and 0 <= gamma_1 <= 9/10 gamma_2, gamma_2 < top / L: apart enough that floats resolve the difference."""
    p = clients(cursor, n, d, **options)
    gamma_2 = rate(cursor, p.L) * cursor.nb.number(top)
    gamma_1 = gamma_2 * cursor.take() * cursor.nb.number(Fraction(9, 10))
    return Instance(p=p, gamma_1=gamma_1, gamma_2=gamma_2, K=K, theta=Theta.sum(K))


def two_rates_domain(
    n: Sequence[int] = (1, 2, 3),
    d: Sequence[int] = (1, 2),
    K: Sequence[int] = (1, 2, 3, 5, 10, 30, 100, 1000, 10**5),
    **options: Any,
) -> Domain:
    """Two rates below top / L (top = 1 unless told)."""
    return Domain(
        lambda cursor, **discrete: two_rates(cursor, **discrete, **options),
        grid(n=n, d=d, K=K),
        "two rates 0 <= gamma_1 <= gamma_2 < 1/L, finitely many clients, K up to 1e5",
    )


TWO_RATES = Hypothesis(
    "0 <= gamma_1 <= gamma_2 < 1/L",
    lambda s: [
        that(s.gamma_2 * s.p.L) < s.gamma_2 * 0 + 1,
        that("ordered", s.gamma_1) <= s.gamma_2,
        that("sign", s.gamma_1) >= s.gamma_1 * 0,
    ],
    two_rates_domain(n=(1, 2), d=(1,), K=(2, 3, 10), top=Fraction(2)),
)


def spread_domain(K: Sequence[int], most: float = 0.999) -> Domain:
    """Weighted clients whose floats stay away from equal eigenvalues, where both sides of a sharp bound vanish."""
    decode = partial(_spread, most=most)
    return Domain(decode, grid(n=(1, 2, 3), d=(1, 2), K=K), "weighted clients, 0 < gamma < 1/L")


def _spread(cursor: Cursor, n: int, d: int, K: int, most: float) -> Instance:
    s = fedavg_instance(cursor, n, d, K, weighted=True)
    if not cursor.nb.exact:
        first = np.arange(n * d).reshape(n, d) == 0
        s.p = replace(s.p, lam=np.where(first, s.p.lam, np.minimum(s.p.lam, most)))
        s.gamma = np.maximum(s.gamma, 1e-6 / K)
    return s


def phi_drop(s: Instance) -> Any:
    """phi_L(gamma_1) - phi_L(gamma_2)."""
    return bounds.phi_drop(s.K, s.p.L, s.gamma_1, s.gamma_2)


def apart(s: Instance) -> Any:
    """Distance between the resting points at the two rates."""
    p = s.p
    return p.nb.length(p.displacement(s.gamma_1, s.theta) - p.displacement(s.gamma_2, s.theta))


def prove_phi_spectrum() -> None:
    """For 0 <= lam <= L, 0 <= gamma L <= 1 and all K: 0 <= phi_lam <= phi_L and 0 <= K lam - phi_lam <= K L - phi_L.

    p, q stand for (1 - gamma lam)^k and (1 - gamma L)^k; induction on k.
    """
    P, g, x = sympy.symbols("P g x")  # the sum (18) obeys the closed form (17): P = (1 - g x)^k
    identity(((1 - P * (1 - g * x)) / g, (1 - P) / g + x * P))
    lam, L, gamma, p, q = reals("lam L gamma p q")
    ordered = [0 <= lam, lam <= L, gamma > 0, gamma * L <= 1, 0 <= q, q <= p, p <= 1]
    smt(ordered, q * (1 - gamma * L) <= p * (1 - gamma * lam))
    smt(ordered, p * (1 - gamma * lam) <= 1)
    f, h = reals("f h")
    smt([*ordered, gamma * f == 1 - p, gamma * h == 1 - q], f <= h)
    smt([*ordered, gamma * f == 1 - p], f >= 0)
    gap, top = reals("gap top")
    step = [*ordered, 0 <= gap, gap <= top]
    smt(step, gap + lam * (1 - p) <= top + L * (1 - q))
    smt(step, gap + lam * (1 - p) >= 0)


def prove_ratio_monotone() -> None:
    """phi_lam(g1) / phi_lam(g2) grows with lam for g1 <= g2: z d/dz ln(z S_K) = K / T_K with T_K = sum (1-z)^(-j)."""
    z, K, P, S = sympy.symbols("z K P S")  # P = (1 - z)^(K-1), S = sum_{k<K} (1-z)^k = (1 - (1-z) P) / z
    power = sympy.Function("power")(z)  # (1 - z)^K, whose derivative is -K P
    slope = z * sympy.diff(sympy.log(1 - power), z).subs(sympy.Derivative(power, z), -K * P).subs(power, (1 - z) * P)
    identity((slope, K * P / ((1 - (1 - z) * P) / z)))
    identity(((1 + (1 - z) * S) / ((1 - z) * P), 1 / ((1 - z) * P) + S / P))  # T_{K+1} = T_K + (1 - z)^(-K)
    a, b, p, q = reals("a b p q")  # p = (1 - a)^(-j) <= q = (1 - b)^(-j): every term of T_K grows with z
    smt([0 <= a, a <= b, b < 1, 1 <= p, p <= q], p / (1 - a) <= q / (1 - b))

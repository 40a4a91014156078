"""LADA Theorem 3.5 on clients whose moments are exact, the printed bound, and the bound that its proof can give.

Clients in d = 1 with F_i' = clip(x, -R, R) +- b (half of them each), noise +- nu, L = 1, G_g = eps_v = 1. Then v = 1
for ever, G_theta = 1, iterates stay where F is quadratic, and x+ = (1 - s) x - (zero mean), so E x_t^2 is geometric.
"""

from theorems.fedlada.common import need
from theorems.vocabulary import *


def one_step_clients(cursor: Cursor, m: int, S: int, T: int) -> Instance:
    """One local step, alpha = 1, x_0 at the minimizer: b + nu = R = 1/2, so that |F_i' +- nu| <= 1 = G_g."""
    share, pace, beta, eta = cursor.many(4)
    beta1 = beta / 2
    r = _rate(cursor, m, S, beta1) * pace
    b, nu = share / 2, (1 - share) / 2
    return Instance(
        nb=cursor.nb, m=m, S=S, K=1, T=T, beta1=beta1, r=r, eta_l=eta / 4, b=b, nu=nu, pull=r * (1 - beta1),
        jump=jump(r * (1 - beta1), b, m, S) + (r * (1 - beta1) * nu) ** 2 / S, first=r * 0, start=r * 0, G=r * 0 + 1,
        sigma_u=r * 0 + 1, a=r * 0 + 1,
    )  # fmt: skip


def _rate(cursor: Cursor, m: int, S: int, beta1: Scalar) -> Any:
    """The largest eta eta_l of the theorem, whatever mu."""
    limit = beta1 * S * (m - 1) / (32 * (m - S)) if S < m else beta1 * 0 + 1
    return cursor.nb.minimum(limit, limit * 0 + cursor.nb.number(Fraction(1, 4)))


def exact_clients(cursor: Cursor, m: int, S: int, K: int, T: int, loose: str = "") -> Instance:
    """K exact local steps, alpha = 1, x_0 at the minimizer: |x| <= b, so |y| <= b + (K - 1) eta_l <= 1/2 on the way.

    a = 1/(K - 1), which makes 1 + 1/a the K in the theorem's bound on eta_l. ``loose``: what exceeds its limit.
    With "r" all clients are equal, x_0 = 1/4 and r <= 2: x overshoots, but never by more than it was off.
    """
    size, pace, beta, local = cursor.many(4)
    one = beta * 0 + 1
    beta1 = beta if loose == "beta1" else beta / 2
    most = {"r": 2 * one, "drawing": one / 4}.get(loose)
    r = (_rate(cursor, m, S, beta1) if most is None else most) * pace
    b, first = (0 * one, one / 4) if loose == "r" else (size / 4, 0 * one)
    eta_l = 10 * local if loose == "eta_l" else local / (4 * K)
    pull = r * response(beta1, eta_l, K)
    return Instance(
        nb=cursor.nb, m=m, S=S, K=K, T=T, beta1=beta1, r=r, eta_l=eta_l, b=b, nu=0 * one, first=first, pull=pull,
        jump=jump(pull, b, m, S), reach=b + first, start=first**2 / 2, G=one, sigma_u=one,
        a=one * cursor.nb.number(Fraction(1, max(K - 1, 1))),
    )  # fmt: skip


def jump(pull: Scalar, b: Scalar, m: int, S: int) -> Any:
    """The variance of x+ given x where S of m clients around +-b are drawn (none where all are)."""
    return (pull * b) ** 2 * (m - S) / (S * max(m - 1, 1))


def response(beta1: Scalar, eta_l: Scalar, K: int) -> Any:
    """(x - y_K) / (eta_l K) for a client whose gradient at x is 1: m = beta1 m + (1 - beta1) y, y = y - eta_l m.

    The steps are a matrix M on (m, y), and the mean of m over them is (M + ... + M^K) (0, 1) / K: sums double.
    """
    m, y = [beta1, 1 - beta1], [-eta_l * beta1, 1 - eta_l * (1 - beta1)]
    M = np.stack([np.stack(row, -1) for row in (m, y)], -2)
    power, total = M, M
    for bit in f"{K:b}"[1:]:
        total, power = total + power @ total, power @ power
        if bit == "1":
            power = power @ M
            total = total + power
    return total[..., 0, 1] / K


def average(s: Instance) -> Any:
    """(1/T) sum_{t<T} E F'(x_t)^2: E x_t^2 = rho^t x_0^2 + jump (1 - rho^t) / (1 - rho), rho = (1 - pull)^2."""
    left = s.pull * (2 - s.pull)  # 1 - rho
    fallen = (1 - s.nb.power(1 - left, s.T)) / (s.T * left)  # the mean of rho^t
    return s.first**2 * fallen + s.jump / left * (1 - fallen)


def average_at_least(s: Instance) -> Any:
    """The same from x_0 = 0 without rho^T >= 0, for T too large for it: jump / (1 - rho) (1 - 1 / (T (1 - rho)))."""
    left = s.pull * (2 - s.pull)
    return s.jump / left * (1 - 1 / (s.T * left))


def constant(s: Instance) -> Any:
    """C = (1 - beta1 / ((1 - beta1) K)) / 2."""
    return (1 - s.beta1 / ((1 - s.beta1) * s.K)) / 2


def printed_right(s: Instance) -> Any:
    """The right side of (7) with alpha = 1, L = d = 1, eps_v = G: start is F(z_0) - f_*, sigma_l = nu, sigma_g = b."""
    C, theta, sigma = constant(s), 1 / s.G, s.nu**2 + s.b**2 + s.sigma_u
    C1 = (1 + s.a) * (1 + 1 / s.a) / (1 + s.a - s.beta1)
    C3 = 24 * (1 - s.beta1) * s.K * theta**2 * C1
    return (
        s.start / (s.r * C * theta * s.T)
        + s.r * (2 * s.beta1**2 * theta * s.nu**2 / (C * s.S * s.K) + 1 / (C * theta * s.T))
        + s.G / (2 * C * theta * s.T)
        + s.eta_l**2 * C3 * sigma / C
    )


def corrected_right(s: Instance) -> Any:
    """What the proof gives with its slips mended, for alpha = 1, L = d = 1, eps_v = G (min of theta is 1 / G)."""
    C, theta = constant(s), 1 / s.G
    apart = s.b**2 + (theta * s.G * s.K * s.eta_l) ** 2
    sampling = (s.m - s.S) * apart / (s.S * (s.m - 1)) if s.S < s.m else s.b * 0
    return (s.G / C) * (
        s.start / (s.r * s.T)
        + (s.r + s.G / 2) / s.T
        + 2 * s.r * theta**2 * s.nu**2 / (s.S * s.K)
        + 4 * s.r * theta**2 * sampling
        + theta * s.eta_l**2 * s.K**2
    )


def theorem(*choices: tuple[int, int, int]) -> Domain:
    """Choices of (m, S, T)."""
    listed = tuple({"m": m, "S": S, "T": T} for m, S, T in choices)
    return Domain(
        one_step_clients, listed, "clients 1/2 x^2 +- b x with noise +- nu in d = 1, one local step, alpha = 1"
    )


def prove_window() -> None:
    """beta^K + (1-beta) sum_k beta^(K-k) (1 - k/K) = W_K / K, W_K = (beta - beta^(K+1))/(1-beta) <= beta/(1-beta)."""
    beta, p, K, W = sympy.symbols("beta p K W")
    for count in range(1, 5):
        total = beta**count + (1 - beta) * sum(
            beta ** (count - k) * (1 - sympy.Rational(k, count)) for k in range(1, count + 1)
        )
        identity((total, (beta - beta ** (count + 1)) / ((1 - beta) * count)))
    # induction, p = beta^K: K times the sum becomes (K+1) beta p + beta (W - K p) + beta (1 - p), and W_K obeys that
    identity(((K + 1) * beta * p + beta * (W - K * p) + beta * (1 - p), beta * W + beta))
    identity((beta * (beta - beta * p) / (1 - beta) + beta, (beta - beta**2 * p) / (1 - beta)))


def prove_corrected() -> Proof:
    """The scalar facts behind the corrected theorem, each for all reals."""
    prove_window()
    x, y, w, L, theta, r = reals("x y w L theta r")
    smt([0 <= w, w <= 1], (w * x + (1 - w) * y) ** 2 <= w * x**2 + (1 - w) * y**2)  # Jensen: g_a, m, A_K
    smt([], (x + y) ** 2 <= 2 * x**2 + 2 * y**2)
    smt([L > 0, theta > 0, r > 0, r * 4 * L * theta <= 1], 2 * L * r**2 * theta * x**2 <= r / 2 * x**2)  # R1 against R2
    S, m, P, c, var, avg = sympy.symbols("S m P c var avg")  # drawing: |mean|^2 + (m-S)/(S(m-1)) variance, by LADA.W
    drawn = ((S - 1) * m**2 * avg**2 + (m - S) * m * (var + avg**2)) / (S * m * (m - 1))
    identity((drawn, avg**2 + (m - S) / (S * (m - 1)) * var))
    identity((-2 * c * P + m * c**2 + P**2 / m, m * (P / m - c) ** 2))  # sum |a - mean|^2 <= sum |a - c|^2
    low, high = reals("low high")  # roots of v: theta = 1/low falls to 1/high
    # R3 and Delta in units of eps_v: 1/low - 1/high <= (high^2 - low^2)/2 and its square <= high^2 - low^2
    smt([low >= 1, high >= low], (high + low) * low * high >= 2)
    smt([low >= 1, high >= low], (high - low) ** 2 <= high**2 - low**2)
    smt([low >= 1, high >= low], (low * high) ** 2 >= 1)
    S, n, k, d, G, C, sl, h, drift = sympy.symbols("S n k d G C sigma_l h drift", positive=True)
    rr, LL, th, e, start, T = sympy.symbols("r L theta e start T", positive=True)
    # L/2 R1 + R2 + R3 <= -r C |grad|^2 / G + rest: the rest, divided by r C / G and summed over T rounds
    noise, sampling = LL / 2 * 2 * rr**2 * (2 * th**2 * sl / (S * k)), LL / 2 * 2 * rr**2 * 2 * n * th**2 * 2 * h
    grown = (LL / 2 * 2 * rr**2 * G**2 / e**4 + rr * G**2 / (2 * e**3)) * d * G**2
    total = start + grown + T * (noise + sampling + rr * th * LL**2 * drift)
    identity(
        (
            total * G / (rr * C * T),
            G / C * (start / (rr * T) + d * G**4 * (rr * LL / e**4 + 1 / (2 * e**3)) / T
                     + 2 * rr * LL * th**2 * sl / (S * k) + 4 * rr * LL * n * th**2 * h + th * LL**2 * drift),
        )
    )  # fmt: skip
    return Proof(
        "z3 and sympy",
        "The printed descent argument, mended: noise enters m with weights 1 - beta1^(K-j+1) <= 1, drawing S of m "
        "clients adds (m-S)/(S(m-1)) of the variance of mbar_i, at most 2 (sigma_g^2 + L^2 drift); R1's mean is "
        "absorbed by R2 for eta eta_l <= 1/(4 L G_theta); the gradient's coefficient is bounded with min theta >= "
        "1/G_g; g_a and m/sqrt(v) are at most sqrt(d) G_g G_theta, which bounds the drift; v telescopes. The window "
        "sum is an induction on K; Jensen, Young, the two differences of 1/sqrt(v), the absorption and the final "
        "division are checked by machine.",
    )


HYPOTHESES = (
    need(
        "0 < beta1 < K/(K+1) (else C <= 0; not stated)",
        lambda s: (s.beta1, ">", 0),
        lambda s: (s.beta1 * (s.K + 1), "<", s.K),
    ),
    need("0 < eta eta_l <= 1/(4 L)", lambda s: (s.r, ">", 0), lambda s: (4 * s.r, "<=", 1)),
    need(
        "eta eta_l <= beta1 S (m-1) (1+mu) / (32 (m-S) L G_theta), whatever mu >= 0",
        lambda s: (32 * (s.m - s.S) * s.r, "<=", s.beta1 * s.S * (s.m - 1) * s.G),
    ),
    need(
        "0 < eta_l <= 1/(2 sqrt(2 alpha (1-beta1) K) G_theta L)",
        lambda s: (s.eta_l, ">", 0),
        lambda s: (8 * (1 - s.beta1) * s.K * s.eta_l**2, "<=", s.G**2),
    ),
    need("b, nu >= 0", lambda s: (s.b, ">=", 0), lambda s: (s.nu, ">=", 0)),
)
INSIDE = need(
    "|F_i'| <= G_g = 1, linear where local steps go",
    lambda s: (s.reach + (s.K - 1) * s.eta_l, "<=", s.b * 0 + s.nb.number(Fraction(1, 2))),
)

CLOSED_FORM = need(
    "x steps to (1 - pull) x plus a deviation of variance jump; L = G_g = eps_v = 1",
    lambda s: (s.pull, "==", s.r * response(s.beta1, s.eta_l, s.K)),
    lambda s: (s.jump, "==", jump(s.pull, s.b, s.m, s.S) + (s.pull * s.nu) ** 2 / s.S),
    lambda s: (s.start, "==", s.first**2 / 2),
    lambda s: (s.G, "==", 1),
    role="what a round makes of x, as clients' moments are exact",
)


def _without(loose: str, *settings: tuple[int, int, int, int]) -> Domain:
    listed = tuple({"m": m, "S": S, "K": K, "T": T} for m, S, K, T in settings)
    return Domain(
        lambda cursor, **discrete: exact_clients(cursor, **discrete, loose=loose), listed, f"{loose} beyond its limit"
    )


_BETA1, _STEP, _DRAWN, _LOCAL, _SIZES = HYPOTHESES
NEEDED = (
    replace(_BETA1, without=_without("beta1", (2, 1, 1, 100), (2, 1, 5, 10**4))),
    replace(_STEP, without=_without("r", (2, 2, 5, 100), (2, 2, 5, 10**4))),
    replace(_DRAWN, without=_without("drawing", (2, 1, 5, 10**4), (4, 1, 5, 10**6))),
    replace(_LOCAL, without=_without("eta_l", (2, 1, 1, 100), (4, 1, 1, 10**4))),
    replace(_SIZES, role="sizes of the distance between clients and of the noise"),
    replace(INSIDE, role="where the clients' moments have a closed form"),
)


def bound(s: Instance) -> list[Comparison]:
    return [that("(7)", average(s)) <= printed_right(s)]


def corrected(s: Instance) -> list[Comparison]:
    return [that("(7), mended", average(s)) <= corrected_right(s)]


CORRECTED = (
    "for beta1 < K/(K+1), eps_v <= G_g and eta eta_l <= 1/(4 L G_theta): at most G_g/C times ((F(z0)-f*)/(eta eta_l T) "
    "+ d G_g^4 (eta eta_l L/eps_v^4 + 1/(2 eps_v^3))/T + 2 eta eta_l L G_theta^2 sigma_l^2/(SK) + 4 eta eta_l L "
    "G_theta^2 (m-S)/(S(m-1)) (sigma_g^2 + d (L K eta_l G_theta G_g)^2) + d L^2 G_theta^3 G_g^2 (K^2 eta_l^2 + "
    "((1-alpha)/alpha)^2 (eta eta_l)^2))"
)
CORRECTED_LATEX = (
    r"\frac1T\sum_{t<T}\mathbb E\|\nabla F(z^t)\|^2\le"
    r"\frac{G_g}{C}\Big(\frac{F(z^0)-f_*}{\eta\eta_lT}+\frac{dG_g^4}{T}\Big(\frac{\eta\eta_lL}{\epsilon_v^4}+\frac1{2"
    r"\epsilon_v^3}"
    r"\Big)+\frac{2\eta\eta_lLG_\vartheta^2\sigma_l^2}{SK}+\frac{4\eta\eta_lLG_\vartheta^2(m-S)}{S(m-1)}\Big("
    r"\sigma_g^2+d(LK\eta_lG_\vartheta G_g)^2\Big)"
    r"+dL^2G_\vartheta^3G_g^2\Big(K^2\eta_l^2+\frac{(1-\alpha)^2}{\alpha^2}\eta^2\eta_l^2\Big)\Big)"
)
LATEX = (
    r"\frac1T\sum_{t<T}\mathbb E\|\nabla F(z^t)\|^2\le\frac{F(z^0)-f_*}{\eta\eta_lCG_\vartheta T}+\Psi"
    "\n"
    r"\Psi=\eta\eta_l\Big(\frac{2\beta_1^2G_\vartheta L\sigma_l^2}{CSK}+\frac{dG_g^4L}{\epsilon_v^4CG_\vartheta T}\Big)"
    r"+\frac{dG_g^4}{2\epsilon_v^3CG_\vartheta T}+\eta_l^2\Big(\frac{L^2C_2G_c}C+\frac{L^2C_3\sigma^2}C\Big)"
    r"+\eta^2\eta_l^2\frac{(1-\alpha)^2L^2G_c}{\alpha^2C}"
)

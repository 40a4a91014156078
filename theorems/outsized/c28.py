"""OLR Corollary 28: a rate towards the true minimizer."""

from surrogate import bounds
from theorems.bridges import expected_squares, exponential, lengths
from theorems.outsized import t27
from theorems.outsized.c20 import derive as derive_displacement
from theorems.outsized.common import ASSUMPTION_2, phis, rates_below
from theorems.outsized.common_moments import (
    ROUNDS,
    heterogeneity,
    largest_noise,
    law,
    off_rest,
    one_round_domain,
    outer,
    resting,
    sound_domain,
    squares,
    trace,
    variance_bound,
    with_noise,
)
from theorems.outsized.l25 import SAMPLED
from theorems.outsized.lemmas import column, filter_at_least
from theorems.outsized.lemmas_rounds import noise_sign
from theorems.vocabulary import *


def instance(
    cursor: Cursor,
    n: int,
    d: int,
    K: int,
    sampling: str,
    noise: int,
    wide: bool = False,
    tied: bool = True,
    short: bool = False,
) -> Instance:
    """x = ln(1/(1 - eps)) <= K, gamma <= x/(K L) and below 1/L; not tied: gamma < 1/L whatever eps; short: any b."""
    s = with_noise(cursor, n, d, K, sampling, noise)
    s.x = cursor.take() * K
    s.gamma = (s.x / (K * s.p.L) if tied else 1 / s.p.L) * (1 - cursor.take()) * (1 if cursor.nb.exact else 1 - 1e-9)
    s.mu, s.L = phis(s)
    least = t27.least_offset(s) if wide else t27.printed_offset(s)
    s.b = least * cursor.take() if short else least + 2 * cursor.take() * s.L / s.mu
    s.start = off_rest(cursor, d)
    return s


def towards_minimizer(s: Instance) -> list[Any]:
    """E|x_t - x*|^2 for t = 1..ROUNDS, x_1 = x*_gamma + start, eta_t of Theorem 27."""
    rest = resting(s, s.gamma)
    shift = rest - s.p.minimizer
    around = law(s, s.gamma, rest)
    m, S, found = s.start, outer(s.start), []
    for t in range(1, ROUNDS + 1):
        found.append(trace(S) + 2 * (shift * m).sum(axis=-1) + squares(shift))
        m, S = around.advance(m, S, bounds.theorem_27_rate(s.p.mu, s.p.L, s.gamma, s.K, t, s.b))
    return found


def compared(s: Instance, noise: Any = None) -> list[Comparison]:
    r"""the rate

    \mathbb E\|x_t-x^*\|^2\le\frac{2\nu_\gamma}{b_\gamma+t}%
      +2\sigma_c^2\left(1+\frac{\sigma_A}\mu\right)^2\frac{L^2}{\mu^2}\frac{\epsilon^2}{(1-\epsilon)^2}
    """
    p, given = s.p, (s.K, largest_noise(s), s.M, s.B)
    constants = (p.mu, p.L, p.sigma_A, p.sigma_c, bounds.Epsilon(s.x))
    return [
        that(f"{s.sampling}, t = {t}", square)
        <= bounds.corollary_28(*constants, *given, t, squares(s.start), s.b, noise)
        for t, square in enumerate(towards_minimizer(s), 1)
        if t in (2, ROUNDS)
    ]


def gradient_noise(s: Instance) -> Any:
    return bounds.corollary_28_noise(s.p.mu, bounds.Epsilon(s.x), s.K, largest_noise(s), s.M, s.B)


def corrected(s: Instance) -> list[Comparison]:
    """nu's first term with 4 rho V_gamma (b + 1)/(b + 1 - kappa~) / (mu_gamma^2 M) more."""
    first = s.b + 1
    drawn = heterogeneity(s, s.gamma, resting(s, s.gamma)) * first / (first - s.L / s.mu)
    return compared(s, gradient_noise(s) + 4 * drawn / (s.mu**2 * s.M))


def nu_bound(s: Instance) -> list[Comparison]:
    r"""the first term

    \frac{4KG^2}{\mu_\gamma^2MB}\le\frac{4G^2}{(1-\epsilon)^2\mu^2KMB}

    4 K G^2/(mu_gamma^2 M B) <= 4 G^2/((1 - eps)^2 mu^2 K M B).
    """
    return [that(4 * variance_bound(s) / s.mu**2) <= gradient_noise(s)]


def derive(proof: Derivation, s: Instance) -> None:
    """E|e + d|^2 <= 2 E|e|^2 + 2 |d|^2, e = x_t - x*_gamma by Theorem 27 and d = x*_gamma - x* by Corollary 20."""
    derive_displacement(proof, s)
    nu, moments = t27.rate_towards_rest(proof, s, lambda F: _noise_in_eps(proof, s, F))
    p, d = s.p, resting(s, s.gamma) - s.p.minimizer
    bias = bounds.corollary_20(p.mu, p.L, p.sigma_A, p.sigma_c, bounds.Epsilon(s.x))
    a, b, c, x, y = reals("a b c x y")
    proof.cross(lengths, "|d|^2", nb=s.nb, v=d)
    proof.leaf("|d|^2 is at most its bound", [0 <= a, a <= b], a * a <= b * b, a=s.nb.length(d), b=bias)
    for t, (m, S) in moments.items():
        eye = np.eye(p.d, dtype=int) * (m[..., None] * 0 + 1)
        proof.cross(expected_squares, "E|e - d|^2 >= 0", m=m, S=S, T=eye, u=-d)
        cross = 2 * (d * m).sum(axis=-1)
        proof.leaf("E|e + d|^2", [a - b + c >= 0, a <= x, c <= y], a + b + c <= 2 * x + 2 * y,
                   a=trace(S), b=cross, c=squares(d), x=nu / (s.b + t), y=bias**2)  # fmt: skip


def _noise_in_eps(proof: Derivation, s: Instance, F: Any) -> Any:
    """4 F/mu_gamma^2 <= 4 G^2/((1 - eps)^2 mu^2 K M B) + 4 rho V (b + 1)/((b + 1 - kappa~) mu_gamma^2 M): that side."""
    derive_noise(proof, s)
    most, drawn = gradient_noise(s), 4 * F / s.mu**2 - 4 * variance_bound(s) / s.mu**2
    a, b, c = reals("a b c")
    proof.leaf("with rho V", [a <= b], a + c <= b + c, a=4 * variance_bound(s) / s.mu**2, b=most, c=drawn)
    return most + drawn


def derive_noise(proof: Derivation, s: Instance) -> None:
    """4 K G^2/(mu_gamma^2 M B) <= 4 G^2/((1 - eps)^2 mu^2 K M B), as mu_gamma >= (1 - eps) K mu by Lemma 18."""
    p, nb, K = s.p, s.nb, s.nb.number(s.K)
    low, rest, E = nb.geometric(s.gamma * p.mu, s.K), nb.exp(-s.x), nb.exp(s.x)
    a, b, e, f, g, n, S, u, v, x, y = reals("a b e f gamma K S mu lambda x L")
    here = {"gamma": s.gamma, "x": s.x, "K": K, "L": p.L, "mu": p.mu}
    proof.setting("K >= 1", s.K, 1)
    proof.leaf("mu <= L", [u <= v, v <= y], u <= y, **{"mu": column(p.mu), "lambda": p.lam, "L": column(p.L)})
    proof.leaf("L > 0", [0 < u, u <= y], 0 < y, **here)
    proof.leaf("gamma K L <= x", [g <= x / (n * y), n >= 1, y > 0], g * y * n <= x, **here)
    proof.leaf("gamma K mu <= x", [g * y * n <= x, u <= y, g >= 0, n >= 1], n * (g * u) <= x, **here)
    proof.leaf("gamma mu <= 1", [n * (g * u) <= x, x <= n, n >= 1], g * u <= 1, **here)
    proof.leaf("gamma mu >= 0", [g >= 0, u > 0], 0 <= g * u, **here)
    filter_at_least(proof, nb, s.gamma * p.mu, s.x, s.K)
    proof.cross(exponential, "e^x e^-x = 1", nb=nb, x=s.x, y=s.x * 0 + K)
    proof.leaf("e^-x > 0", [e * f == 1, e > 0], f > 0, e=E, f=rest)
    proof.leaf("phi_mu >= (1 - eps) K mu", [n <= S * e, e * f == 1, f > 0], n * f <= S, K=K, S=low, e=E, f=rest)
    proof.leaf("(1 - eps) K > 0", [n >= 1, f > 0], 0 < n * f, K=K, f=rest)
    proof.leaf("squares", [0 < a, a <= b], 1 / (b * b) <= 1 / (a * a), a=K * rest, b=low)
    size = noise_sign(proof, s)
    proof.leaf("K G^2/(M B mu^2) >= 0", [a >= 0, u > 0], 0 <= 4 * a / (u * u), a=size, mu=p.mu)
    proof.leaf("4 K G^2/(mu_gamma^2 M B)", [a <= b, n >= 0], n * a <= n * b,
               a=1 / (low * low), b=1 / (K * K * rest * rest), K=4 * size / p.mu**2)  # fmt: skip


RATE = Hypothesis(
    "0 <= eps <= 1 - e^-K and gamma <= ln(1/(1 - eps))/(K L)",
    lambda s: [
        that(s.gamma) <= bounds.lemma_18_rate(s.K, s.p.L, bounds.Epsilon(s.x)),
        that("eps", s.x) <= s.x * 0 + s.K,
        that("sign", s.x) >= s.x * 0,
    ],
    sound_domain(instance, "all clients, G = 0, gamma < 1/L whatever eps", tied=False),
)

STATEMENT = Statement(
    kind="convergence",
    location="Corollary 28, section 7.1",
    says="For eps <= 1 - e^-K, gamma <= ln(1/(1-eps))/(K L) and eta_t of Theorem 27, E|x_t - x*|^2 <= 2 nu/(b + t) + "
    "2 sigma_c^2 (1 + sigma_A/mu)^2 (L/mu)^2 (eps/(1-eps))^2, nu <= max{4 G^2/((1-eps)^2 mu^2 K M B), (b+1)|x_1 - "
    "x*_gamma|^2}.",
    reading="sigma_a is sigma_A; eps = 1 - e^-x >= 0, gamma >= 0 and below 1/L; M as in Lemma 25.",
    headline=True,
    severity="substantive",
    domain=one_round_domain(
        instance, f"any x_1, t <= {ROUNDS}, 0 <= gamma <= x/(K L) < 1/L, b >= 2 kappa~^2", K=(1, 2, 3, 100)
    ),
    hypotheses=(
        ASSUMPTION_2,
        replace(rates_below(), role="the next one gives it, but for the end gamma = 1/L"),
        RATE,
        replace(t27.SCHEDULE, without=sound_domain(instance, "all clients, G = 0, b >= 0", short=True)),
    ),
    printed=claim_of(compared),
    corrected=Claim(
        "as printed, even for b + 1 >= 2 kappa~^2/(2 kappa~ - 1), with all clients, and with sampled ones where they "
        "share a minimizer; else with 4 rho V_gamma (b + 1)/((b + 1 - kappa~) mu_gamma^2 M) added to nu's first term: "
        f"{SAMPLED}",
        r"\nu_\gamma=\max\left\{\frac{4G^2}{(1-\epsilon)^2\mu^2KMB}+\frac{4\rho V_\gamma}{\mu_\gamma^2M}\,\frac"
        r"{b_\gamma+1}{b_\gamma+1-\tilde\kappa},(b_\gamma+1)\|x_1-x_\gamma^*\|^2\right\},\ b_\gamma+1\ge\frac"
        r"{2\tilde\kappa^2}{2\tilde\kappa-1}",
        corrected,
        derive=derive,
        domain=one_round_domain(
            lambda cursor, **discrete: instance(cursor, **discrete, wide=True),
            f"any x_1, t <= {ROUNDS}, 0 <= gamma <= x/(K L) < 1/L, b + 1 >= 2 kappa~^2/(2 kappa~ - 1)",
            K=(1, 2, 3, 100),
        ),
        given=(ASSUMPTION_2, rates_below(), RATE, t27.LEAST),
    ),
    steps=(
        Step(
            "E|x_t - x*_gamma|^2 <= nu_gamma/(b + t), 'using the bounds in Theorem 27'",
            Claim(
                "Theorem 27, as printed", r"\mathbb E\|x_t-x_\gamma^*\|^2\le\frac{\nu_\gamma}{b_\gamma+t}", t27.compared
            ),
            "the corrected Theorem 27",
        ),
        Step(
            "nu_gamma <= max{4 G^2/((1-eps)^2 mu^2 K M B), ...} from 1/mu_gamma <= 1/((1-eps) K mu)",
            claim_of(nu_bound, derive=derive_noise),
        ),
    ),
    note="At eps = 0 (gamma = 0, minibatch SGD) the printed right side is 0 for G = 0 and x_1 = x*, while one sampled "
    "client moves x_2 away: the variance of client sampling, V_gamma/M, is missing from minibatch SGD's own rate.",
)

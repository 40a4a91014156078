"""LADA, end of appendix B.2: the assembled descent inequality, and its constants."""

from theorems.fedlada import r2
from theorems.fedlada.common import boxed
from theorems.fedlada.common_bound import prove_corrected
from theorems.fedlada.common_descent import CONDITIONS, constants, one_round, pull, rounds, strayed
from theorems.vocabulary import *


def printed(s: Instance) -> list[Comparison]:
    r"""the first assembled inequality

    \mathbb EF(z^{t+1})\le\mathbb EF(z^t)+\Big(2L\eta^2\eta_l^2-\frac{\eta\eta_l}2\Big)\mathbb E\Big\|\frac1{mK}%
      \sum_{i,\tau}\bar m_{i,\tau}\odot\vartheta\Big\|^2%
      -\frac{(1+\mu)\beta_1\eta\eta_l}{16G_\vartheta}\frac1{mK}\sum_{i,\tau}\mathbb E\|m_{i,\tau}\odot\vartheta\|^2%
      +2\eta\eta_l\Big((1+\mu)G_\vartheta L^2C_2\eta_l^2+(1+\tfrac1\mu)\frac{(1-\alpha)^2}{\alpha^2}G_\vartheta L^2%
      \eta^2\eta_l^2\Big)\Big(\frac{dG_g^4}{\epsilon_v^4}+2G_\vartheta^2(\sigma_g^2+\sigma_u^2)\Big)%
      +\frac{\eta\eta_l}2\Big(\frac{\beta_1}{(1-\beta_1)K}-1\Big)G_\vartheta\mathbb E\|\nabla F(z^t)\|^2%
      +\frac{(1+\mu)G_\vartheta L^2C_3\eta\eta_l^3\sigma^2}2\quad(S=m,\ \sigma_l=0)

    S = m, no noise, vhat at rest; G_g = L = d = 1, eps_v = 1/theta.
    """
    run, c = one_round(s), constants(s)
    right = run.z**2 / 2 + (2 * s.r**2 - s.r / 2) * (run.mean * s.theta) ** 2
    right = right - 2 * s.beta1 * s.r / (16 * s.theta) * run.squares * s.theta**2
    right = right + 4 * s.r * s.theta * pull(s, c) * (s.theta**4 + 2 * s.theta**2 * c.sigma2)
    right = right + s.r / 2 * c.lost * s.theta * run.z**2 + s.theta * c.C3 * s.r * s.eta_l**2 * c.sigma2
    return [that(run.after**2 / 2) <= right]


def corrected(s: Instance) -> list[Comparison]:
    r"""for eta eta_l <= 1/(4 L G_theta): F(z^t) - eta eta_l C_4 min(theta) |grad F|^2 + drift, noise, drawing and vhat
    terms (LADA.T35's, times eta eta_l)

    \mathbb EF(z^{t+1})\le\mathbb EF(z^t)-\eta\eta_lC_4\min\vartheta\,\mathbb E\|\nabla F(z^t)\|^2+\dots
    """
    run, c = one_round(s), constants(s)
    right = run.z**2 / 2 + s.r / 2 * c.lost * s.theta * run.z**2
    return [that(run.after**2 / 2) <= right + s.r * s.theta * strayed(s, run, c)]


def prove() -> Proof:
    r2.prove()
    r, theta, x = reals("r theta x")
    smt([r > 0, theta > 0, 4 * r * theta <= 1], 2 * (r * theta * x) ** 2 - r / 2 * theta * x**2 <= 0)
    proof = prove_corrected()
    return Proof(
        proof.decided_by,
        "L-smoothness of F, the mended R_1 (LADA.R1), R_2 (LADA.R2) and R_3 (LADA.R3); with eta eta_l <= 1/(4 L "
        "G_theta) the mean of m in R_1 is at most that of R_2, and the coefficient of |grad F|^2, negative, is "
        "bounded with min theta.",
    )


def gradient(s: Instance) -> list[Comparison]:
    r"""G_theta is the largest theta; the coefficient is negative

    \Big(\frac{\beta_1}{(1-\beta_1)K}-1\Big)\|\nabla F\sqrt\vartheta\|^2%
      \le\Big(\frac{\beta_1}{(1-\beta_1)K}-1\Big)G_\vartheta\|\nabla F\|^2

    (lost) theta g^2 <= (lost) G g^2 where lost < 0 and theta = share G.
    """
    lost = s.beta1 / ((1 - s.beta1) * s.K) - 1
    return [that(lost * s.share * s.G * s.g**2) <= lost * s.G * s.g**2]


def mixed(s: Instance) -> list[Comparison]:
    r"""R_2's term has sqrt(theta)

    2L\eta^2\eta_l^2\|\bar m\vartheta\|^2-\frac{\eta\eta_l}2\|\bar m\sqrt\vartheta\|^2%
      \le\Big(2L\eta^2\eta_l^2-\frac{\eta\eta_l}2\Big)\|\bar m\vartheta\|^2

    2 L r^2 |m theta|^2 - (r/2) |m sqrt(theta)|^2 <= (2 L r^2 - r/2) |m theta|^2 for a common theta.
    """
    left = 2 * s.r**2 * (s.m * s.G) ** 2 - s.r / 2 * s.G * s.m**2
    return [that(left) <= (2 * s.r**2 - s.r / 2) * (s.m * s.G) ** 2]


def least(s: Instance) -> list[Comparison]:
    r"""the derived condition carries min(theta)^2 / G_theta^2, which is dropped upwards

    \eta\eta_l\le\frac{\beta_1S(m-1)(1+\mu)\min\vartheta^2}{32(m-S)LG_\vartheta^3}\Leftarrow\eta\eta_l%
      \le\frac{\beta_1S(m-1)(1+\mu)}{32(m-S)LG_\vartheta}

    The theorem's condition against the one it is derived from; one of two clients is drawn, mu = 1, L = 1.
    """
    r = s.share * s.beta1 / (16 * s.G)
    low = s.low * s.G
    return [that(2 * r * s.G**2) <= 2 * s.beta1 * low**2 / (16 * s.G)]


def series(s: Instance) -> list[Comparison]:
    r"""the last line of the bound on g_a

    \frac{1-(1-\alpha)^t}\alpha\le1

    sum_{t' <= t} (1-alpha)^(t-t') = (1 - (1-alpha)^(t+1))/alpha, printed with the exponent t, against 1.
    """
    return [that((1 - (1 - s.alpha) ** s.t) / s.alpha) <= 1]


BOX: dict[str, Any] = {"beta1": ("1/10", "4/10"), "G": ("11/10", 4), "share": ("1/10", "9/10"), "low": ("1/10", "9/10")}

STATEMENT = Statement(
    kind="upper bound",
    location="after B.2.3, from 'for the general non-convex case' to 'C_4 is a constant'",
    says="The descent inequality for E F(z^{t+1}) that adds R_1, R_2 and R_3, with C_4 = (1 - beta1/((1-beta1)K))/2.",
    reading="mu = 1, a = 1/K, mbar without the stray beta1. C_4 of the appendix is C of Theorem 3.5.",
    severity="substantive",
    domain=rounds(),
    hypotheses=CONDITIONS,
    printed=claim_of(printed),
    corrected=claim_of(corrected, prove=prove),
    steps=(
        Step(
            "(beta1/((1-beta1)K) - 1) |grad F sqrt(theta)|^2 <= (beta1/((1-beta1)K) - 1) G_theta |grad F|^2",
            claim_of(gradient, domain=boxed("theta = share G_theta", grid(K=(1, 2)), g=("1/10", 1), **BOX)),
            "with min theta >= 1/G_g: the theorem's first term is (F(z0)-f*)/(eta eta_l C min(theta) T)",
        ),
        Step(
            "2 L (eta eta_l)^2 |mean m theta|^2 - (eta eta_l/2) |mean m sqrt(theta)|^2 <= (2 L (eta eta_l)^2 - eta "
            "eta_l/2) |mean m theta|^2",
            claim_of(mixed, domain=boxed("theta = G_theta > 1", m=("1/10", 1), r=("1/10", "1/4"), **BOX)),
            "true for theta <= 1 alone; eta eta_l <= 1/(4 L G_theta) is what the step needs (LADA.T35c)",
        ),
        Step(
            "eta eta_l <= beta1 S (m-1)(1+mu)/(32 (m-S) L G_theta) makes the difference of the two sums <= 0",
            claim_of(least, domain=boxed("min theta = low G_theta; m = 2, S = 1", **BOX)),
            "the condition must keep min(theta)^2 / G_theta^2",
        ),
        Step(
            "(1 - (1-alpha)^t)/alpha <= 1 in the bound of E|g_a|^2",
            claim_of(series, domain=boxed("0 < alpha < 1", grid(t=(1, 2, 3)), alpha=("1/10", "9/10"))),
            "the factor alpha in front of the sum was lost: alpha times this is at most 1",
        ),
    ),
    note="2 eta eta_l beta1^2 G L sigma_l^2/(C SK) loses its 2 between two lines of the proof and has it again in the "
    "theorem.",
)

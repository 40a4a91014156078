"""LADA (20): the recursion of eps_k + q S_k."""

from theorems.fedlada.common import boxed, need
from theorems.fedlada.common_drift import DRIFT, drift_domain, solved
from theorems.vocabulary import *


def compare(s: Instance) -> list[Comparison]:
    r"""(20)

    \epsilon_k+qS_k\le p(\epsilon_{k-1}+qS_{k-1})+mkC
    """
    r = solved(s)
    q = (r.gamma - r.push) / (1 - s.X)
    return [
        that("two forms of q", q) == r.q,
        that("(20)", r.eps + r.q * r.S) <= r.p * (s.eps_before + r.q * s.S_before) + r.C,
        that("p > 1", r.p) > 1,
    ]


def prove() -> None:
    """sympy identity: Adding gamma times the second relation to the first and dividing by 1 - X > 0 gives (20), with
    equality up to the slack of the two relations; the two forms of q agree because gamma solves (19). p = (1+a)/(1-X) >
    1.
    """
    names = "beta a X gamma push eps S eps_before S_before first second"
    beta, a, X, gamma, push, eps, S, eps_before, S_before, first, second = sympy.symbols(names)
    unused1 = (1 + a) * eps_before + push * S + first - eps  # slack of the two relations, 4 kappa = X / gamma
    unused2 = beta * S_before + X / gamma * eps + second - S
    p, C = (1 + a) / (1 - X), (first + gamma * second) / (1 - X)
    q, q_before = (gamma - push) / (1 - X), gamma * beta / (1 + a)
    identity((p * (eps_before + q_before * S_before) + C - eps - q * S, (unused1 + gamma * unused2) / (1 - X)))
    root = gamma * (X * beta + 1 + a - beta) / (1 + a)
    identity((X / gamma * beta * gamma**2 + (1 + a - beta) * gamma, (1 + a) * root))  # (19) with push = root
    identity((q.subs(push, root), q_before))


def moved(s: Instance) -> list[Comparison]:
    r"""the first relation, whose last term multiplies g_a by theta

    \|x_1-x_0\|^2\le(1-\alpha)(1+\tfrac1a)G_\vartheta^2\eta_l^2\|g_a\|^2

    k = 1, gradient 0: |x_1 - x|^2 = eta_l^2 (1-alpha)^2 g_a^2 by line 12, against the printed relation.
    """
    right = (1 - s.alpha) * (1 + 1 / s.a) * s.G**2 * s.eta_l**2 * s.g_a**2
    return [that((s.eta_l * (1 - s.alpha) * s.g_a) ** 2) <= right]


def geometric(s: Instance) -> list[Comparison]:
    r"""the bound on the geometric factor

    \frac{p(p^k-1)}{(p-1)^2}\le3K^2

    p (p^K - 1)/(p - 1)^2 at p = 1 + 1/(K-1), against 3 K^2.
    """
    p = 1 + s.one / (s.K - 1)
    return [that(p * (s.nb.power(p, s.K) - 1) / (p - 1) ** 2) <= 3 * s.K**2 * s.one]


STATEMENT = Statement(
    kind="upper bound",
    location="equation (20), B.2.2",
    says="With gamma a root of (19), eps_k + q S_k <= p (eps_{k-1} + q S_{k-1}) + m k C.",
    reading="It follows from the two relations above it, whatever they rest on; 1 - 4 gamma (1-beta1) G^2 L^2 > 0.",
    domain=drift_domain(),
    hypotheses=(
        DRIFT,
        need(
            "eps_k and S_k meet the two relations before (20)",
            *(lambda s, j=j: (s.slack[j], "<=", 1) for j in (0, 1)),
            role="(20) is what follows from them",
        ),
    ),
    printed=claim_of(compare, prove=prove),
    steps=(
        Step(
            "beside the proof: eps_k <= (1+a) eps_{k-1} + alpha (1+1/a) eta_l^2 S_k + (1-alpha)(1+1/a) G_theta^2 "
            "eta_l^2 m k |g_a|^2",
            claim_of(
                moved,
                domain=boxed(
                    "one step with gradient 0",
                    alpha=("1/10", "9/10"),
                    a=("1/2", 1),
                    G=("1/10", 2),
                    eta_l=("1/10", 1),
                    g_a=("1/10", 1),
                ),
            ),
            "line 12 adds (1-alpha) g_a without theta: 1 for G_theta^2 (and so in C2); as printed it needs G_theta >= "
            "1 or so, that is eps_v <= 1",
        ),
        Step(
            "p (p^k - 1)/(p - 1)^2 <= 3 K^2 for p = 1 + 1/(K-1)",
            claim_of(geometric, domain=boxed("K >= 2", grid(K=(2, 3, 4, 10, 100, 1000, 10**5)), one=(1, 1))),
            "",
        ),
    ),
    note="The proof multiplies g_a by theta, the listing does not: G_theta^2 in C2 is a factor for nothing, or too "
    "small.",
)

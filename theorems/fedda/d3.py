"""DA after (17): FedAvg converges to the minimum of the total loss because gradient descent does."""

from theorems.vocabulary import *

STEPS = (1, 2, 3, 5, 10, 100, 10**5)


def decode(cursor: Cursor, n: int, d: int, T: int) -> Instance:
    p = clients(cursor, n, d, weighted=True)
    return Instance(p=p, eta=rate(cursor, p.L), T=T, theta=Theta.sum(T))


def rests(s: Instance) -> list[Comparison]:
    r"""FedAvg's resting point is W*

    \lim_E W(E)=W^*
    """
    return [that("distance from W*", s.p.nb.length(s.p.displacement(s.eta, s.theta))) <= s.eta * 0]


def corrected(s: Instance) -> list[Comparison]:
    r"""FedAvg converges to W~, within eta T(T-1)/2 sum_i p_i |A_i grad L^i(W*)| / lambda_min(J) of W*, J = sum p_i Q_i
    A_i: to W* only for T = 1, or as eta T -> 0, or where all clients agree

    |\tilde W-W^*|\le\eta\frac{T(T-1)}2\frac{\sum_ip_i|A_i\nabla L^i(W^*)|}{\lambda_{\min}(\sum_ip_iQ_iA_i)}

    A round is W -> W - eta J (W - W~) with J = sum_i p_i Q_i A_i, and W~ at this distance from W* at most.
    """
    p, nb = s.p, s.p.nb
    smallest = nb.eigenvalues(p.hessian(p.filtered(s.eta, s.theta)))
    slopes = (p.A @ (p.minimizer[..., None, :] - p.c)[..., None])[..., 0]
    turned = p.mean(nb.length((p.A @ slopes[..., None])[..., 0]))
    bound = s.eta * (s.T * (s.T - 1)) / 2 * turned / smallest[..., 0]
    return [
        that("distance", nb.length(p.displacement(s.eta, s.theta))) <= bound,
        that("contracts", s.eta * smallest[..., -1]) < s.eta * 0 + 2,
        that("contracts, too", s.eta * 0) < s.eta * smallest[..., 0],
    ]


def prove() -> None:
    """z3: W~ - W* = J^-1 sum_i p_i (T - Q_i) A_i (W* - c_i), as sum_i p_i A_i (W* - c_i) = 0. T - Q_i has eigenvalues
    sum_{k<T} 1 - (1 - z)^k with z = eta lambda, at most z T (T - 1)/2 by Bernoulli's inequality and induction on T; it
    commutes with A_i, so that |(T - Q_i) g_i| <= eta T (T - 1)/2 |A_i g_i|. eta J has eigenvalues in (0, 1).
    """
    z, power, total, k = reals("z power total k")
    unit = [0 < z, z < 1]
    smt([*unit, k >= 0, power >= 1 - k * z, power <= 1, power > 0], (1 - z) * power >= 1 - (k + 1) * z)
    smt([*unit, k >= 1, 1 - (1 - k * z) >= 0, total <= k * (k - 1) / 2 * z], total + k * z <= (k + 1) * k / 2 * z)
    smt([*unit, power > 0, power < 1], z * power < 1)  # eta phi = 1 - (1 - z)^T in (0, 1)


STATEMENT = Statement(
    kind="convergence",
    location="after (17), section 3",
    says="'Since the centralized GD and SGD converge to local minimum of the total loss function, so does the one "
    "for FL': FedAvg with T local steps.",
    reading="Full participation and full gradients, 0 < eta < 1/L, quadratic clients: where does FedAvg with rounds "
    "of T steps converge to?",
    severity="substantive",
    domain=Domain(decode, grid(n=(1, 2, 3), d=(1, 2), T=STEPS), "weighted quadratic clients, 0 < eta < 1/L"),
    hypotheses=(
        Hypothesis("strongly convex", lambda s: [that(s.p.mu) > s.p.mu * 0]),
        Hypothesis(
            "0 < eta < 1/L", lambda s: [that("positive", s.eta) > s.eta * 0, that(s.eta * s.p.L) < s.eta * 0 + 1]
        ),
    ),
    printed=claim_of(rests),
    corrected=claim_of(corrected, prove=prove),
    note="(17) bounds the error of one round, eta T from a common start; errors of infinitely many rounds add up. "
    "The bound is approached at T = 2 by two clients in d = 1, one of them nearly flat.",
)

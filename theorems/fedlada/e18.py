"""LADA (18): the momentum's distance from the gradient at z unrolls over the local steps."""

from theorems.bridges import equal_sums
from theorems.fedlada.common import boxed
from theorems.vocabulary import *


def windows(s: Instance) -> tuple[list[Any], list[Any]]:
    """(a_0..a_K, b_0..b_K): means over the window k-K+1..k of mbar_tau - grad_i and grad_{i,tau} - grad_i; 0 before."""
    momentum = []
    for gradients in s.g:
        m = [s.beta1 * 0]
        for g in gradients:
            m.append(s.beta1 * m[-1] + (1 - s.beta1) * g)
        momentum.append(m)

    def window(k: int, value: Any) -> Any:
        terms = [(value(i, tau) if tau >= 1 else 0) - s.z[i] for i in range(s.m) for tau in range(k - s.K + 1, k + 1)]
        return sum(terms[1:], terms[0]) / (s.m * s.K)

    a = [window(k, lambda i, tau: momentum[i][tau]) for k in range(s.K + 1)]
    b = [window(k, lambda i, tau: s.g[i][tau - 1]) for k in range(s.K + 1)]
    return a, b


def compare(s: Instance) -> list[Comparison]:
    r"""(18)

    A_K^t\le\beta_1^KA_0^t+(1-\beta_1)\sum_{\tau=1}^K\beta_1^{K-\tau}B_\tau^t
    """
    a, b = windows(s)
    right = s.beta1**s.K * a[0] ** 2
    for k in range(1, s.K + 1):
        right = right + (1 - s.beta1) * s.beta1 ** (s.K - k) * b[k] ** 2
    return [that(a[s.K] ** 2) <= right]


def derive(proof: Derivation, s: Instance) -> None:
    """m_tau - grad = beta1 (m_{tau-1} - grad) + (1 - beta1)(g_tau - grad), also before step 1 where all are 0: windows'
    means obey a_k = beta1 a_{k-1} + (1 - beta1) b_k, and Jensen is unrolled.
    """
    b, m, g, z, X, Y, n, u, v, a, R, B = reals("beta1 m g z X Y n u v a R B")
    (away, new), momenta, nothing = windows(s), [], s.beta1 * 0
    for gradients in s.g:
        found = [nothing]
        for gradient in gradients:
            found.append(s.beta1 * found[-1] + (1 - s.beta1) * gradient)
        momenta.append(found)
    proof.setting("m K >= 1", s.m * s.K, 1)
    right = away[0] * away[0]
    proof.leaf("at the start", [], X <= X, X=right)
    for k in range(1, s.K + 1):
        low, high = [], []
        for i in range(s.m):
            for tau in range(k - s.K + 1, k + 1):
                old, gradient = (momenta[i][tau - 1], s.g[i][tau - 1]) if tau >= 1 else (nothing, nothing)
                proof.leaf("term by term", [], b * m + (1 - b) * g - z == b * (m - z) + (1 - b) * (g - z),
                           beta1=s.beta1, m=old, g=gradient, z=s.z[i])  # fmt: skip
                low.append(s.beta1 * old + (1 - s.beta1) * gradient - s.z[i])
                high.append(s.beta1 * (old - s.z[i]) + (1 - s.beta1) * (gradient - s.z[i]))
        first, second = np.stack(low, -1), np.stack(high, -1)
        proof.cross(equal_sums, "over a window", low=first, high=second, weights=np.ones(s.m * s.K, dtype=int))
        proof.leaf("its mean", [X == Y, n >= 1], X / n == Y / n, X=first.sum(axis=-1), Y=second.sum(axis=-1),
                   n=s.nb.number(s.m * s.K))  # fmt: skip
        proof.leaf("Jensen", [a == b * u + (1 - b) * v, 0 <= b, b <= 1], a * a <= b * (u * u) + (1 - b) * (v * v),
                   a=away[k], u=away[k - 1], v=new[k], beta1=s.beta1)  # fmt: skip
        proof.leaf("unrolled", [X <= b * Y + (1 - b) * B, Y <= R, 0 <= b], X <= b * R + (1 - b) * B,
                   X=away[k] * away[k], Y=away[k - 1] * away[k - 1], B=new[k] * new[k], R=right,
                   beta1=s.beta1)  # fmt: skip
        right = s.beta1 * right + (1 - s.beta1) * (new[k] * new[k])


BOX: dict[str, Any] = {"z": (-1, 1, "m"), "g": (-1, 1, "m", "K")}


STATEMENT = Statement(
    kind="upper bound",
    location="equation (18), B.2.2",
    says="A_K <= beta1^K A_0 + (1 - beta1) sum_tau beta1^(K-tau) B_tau.",
    reading="mbar with exponent tau - j (LADA.M); theta_0 common to all clients multiplies both sides and is left "
    "out; d = 1.",
    domain=boxed("any gradients", grid(m=(1, 2), K=(1, 2, 3)), beta1=(0, 1), **BOX),
    hypotheses=(
        Hypothesis(
            "0 <= beta1 <= 1",
            lambda s: [that(s.beta1) >= s.beta1 * 0, that(s.beta1) <= s.beta1 * 0 + 1],
            boxed("any beta1", grid(m=(1, 2), K=(1, 2)), beta1=(-1, 2), **BOX),
        ),
    ),
    printed=claim_of(compare, derive=derive),
)

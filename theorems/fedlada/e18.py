"""LADA (18): the momentum's distance from the gradient at z unrolls over the local steps."""

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


def prove() -> None:
    """z3 and sympy: Term by term mbar_tau - grad = beta1 (mbar_{tau-1} - grad) + (1 - beta1)(grad_tau - grad), also
    before step 1 where both vanish; so the window means obey a_k = beta1 a_{k-1} + (1 - beta1) b_k (played for K <= 3),
    and Jensen is unrolled.
    """
    beta, past, g, z = sympy.symbols("beta past g z")
    identity((beta * past + (1 - beta) * g - z, beta * (past - z) + (1 - beta) * (g - z)))
    for m, K in ((1, 1), (1, 3), (2, 2)):
        s = Instance(m=m, K=K, beta1=beta, z=sympy.symbols(f"z:{m}"), g=[sympy.symbols(f"g{i}_:{K}") for i in range(m)])
        a, b = windows(s)
        identity(*((a[k], beta * a[k - 1] + (1 - beta) * b[k]) for k in range(1, K + 1)))
    x, y, w = reals("x y w")
    smt([0 <= w, w <= 1], (w * x + (1 - w) * y) ** 2 <= w * x**2 + (1 - w) * y**2)


STATEMENT = Statement(
    kind="upper bound",
    location="equation (18), B.2.2",
    says="A_K <= beta1^K A_0 + (1 - beta1) sum_tau beta1^(K-tau) B_tau.",
    reading="mbar with exponent tau - j (LADA.M); theta_0 common to all clients multiplies both sides and is left "
    "out; d = 1.",
    domain=boxed("any gradients", grid(m=(1, 2), K=(1, 2, 3)), beta1=(0, 1), z=(-1, 1, "m"), g=(-1, 1, "m", "K")),
    printed=claim_of(compare, prove=prove),
)

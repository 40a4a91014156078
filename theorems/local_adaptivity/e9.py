"""LA (9): what A does at x*."""

from theorems.local_adaptivity.common import WEIGHTS, identity_like, matrices, noncommutative
from theorems.local_adaptivity.common_quadratic import DEFINITE, matrix_clients, played
from theorems.vocabulary import *


def printed(s: Instance) -> list[Comparison]:
    r"""(9)

    x^*-\mathcal{A}(x^*)=\sum_iw_i[I-(I-\eta_iP_iH_i)^{\tau_i}]H_i^{-1}\nabla F_i(x^*)
    """
    x, p = s.p.minimizer, s.p
    left, right = x * 0, x * 0
    for i in range(s.n):
        H = p.A[:, i]
        unit = K = identity_like(H)
        step = unit - s.eta[:, i][..., None, None] * (s.P[:, i] @ H)
        for _ in range(s.tau[i]):
            K = step @ K
        g = (H @ (x - p.c[:, i])[..., None])[..., 0]
        weighted = ((unit - K) @ s.nb.solve(H, g)[..., None])[..., 0]
        left = left + p.w[:, i][..., None] * (x - played(s, i, x))
        right = right + p.w[:, i][..., None] * weighted
    return [that(f"entry {k}", left[:, k]) == right[:, k] for k in range(s.d)]


def prove() -> None:
    """sympy (symbols that do not commute): One local step multiplies x - x_i* by I - eta_i P_i H_i, tau_i steps by K_i
    (induction), so x - A_i(x) = (I - K_i)(x - x_i*) and x - x_i* = H_i^-1 grad F_i(x), at every x and in any dimension.
    """
    eta = sympy.symbols("eta")
    x, c, P, H, K, G = matrices("x c P H K G")  # G = H^-1
    noncommutative((x - eta * P * H * (x - c) - c, (1 - eta * P * H) * (x - c)))
    noncommutative((x - (K * (x - c) + c), (1 - K) * (x - c)))
    inverse = sympy.expand((1 - K) * G * H * (x - c)).subs(G * H, 1)
    noncommutative((sympy.expand(inverse), (1 - K) * (x - c)))


STATEMENT = Statement(
    kind="identity",
    location="(9), section 4",
    says="x* - A(x*) = sum w_i [I - (I - eta_i P_i H_i)^tau_i] H_i^-1 grad F_i(x*).",
    domain=Domain(matrix_clients, grid(tau=((1,), (1, 2), (3, 2, 1)), d=(1, 2)), "one to three clients in d <= 2"),
    hypotheses=(WEIGHTS, DEFINITE),
    printed=claim_of(printed, prove=prove),
    note="True at every x, not only at x*.",
)

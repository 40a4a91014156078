"""LA (9): what A does at x*."""

from theorems.local_adaptivity.common import WEIGHTS, coordinates, matrices, noncommutative
from theorems.local_adaptivity.common_matrices import POSITIVE, apply, fast_clients, played, pulls, slopes
from theorems.vocabulary import *


def printed(s: Instance) -> list[Comparison]:
    r"""(9)

    x^*-\mathcal{A}(x^*)=\sum_iw_i[I-(I-\eta_iP_iH_i)^{\tau_i}]H_i^{-1}\nabla F_i(x^*)
    """
    x = s.p.minimizer
    ends = np.stack([played(s, i, x) for i in range(s.n)], 1)
    back = np.stack([s.nb.solve(s.p.A[:, i], slopes(s, x)[:, i]) for i in range(s.n)], 1)
    return coordinates("x* - A(x*)", s.p.mean(x[:, None] - ends), s.p.mean(apply(pulls(s), back)))


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
    domain=Domain(fast_clients, grid(tau=((1,), (1, 2), (3, 2, 1)), d=(1, 2)), "one to three clients in d <= 2"),
    hypotheses=(WEIGHTS, POSITIVE),
    printed=claim_of(printed, prove=prove),
    note="True at every x, not only at x*.",
)

"""Facts on (19) that (52) to (57) rest on: momenta are averages of gradients."""

from theorems.vocabulary import *


def momentum_is_bounded() -> None:
    """|m(tau)| <= e |m(0)| + (1 - e) G <= |m(0)| + G with e = exp(-k tau); the kernel has mass 1 - e."""
    from theorems.fedda.common import vanishes

    k, tau, s = sympy.symbols("k tau s", positive=True)
    kernel = sympy.integrate(k * sympy.exp(-k * (tau - s)), (s, 0, tau))
    vanishes(sympy.simplify(kernel - (1 - sympy.exp(-k * tau))), "the kernel's mass")
    e, m, G, value, high = reals("e m G value high")
    box = [0 <= e, e <= 1, m >= 0, G >= 0]
    smt([*box, value <= e * m + (1 - e) * G], value <= m + G)
    smt([*box, value <= e * m + (1 - e) * G, m <= high, G <= high], value <= high)

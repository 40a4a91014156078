"""DA (57): FedDA's momentum deviates by at most C* eta t^2/2."""

from theorems.fedda.common_flow import FLOW, SMALL_RATE, bound_of_gradients, decoupled_at, flows, sgdm_at, start
from theorems.fedda.common_state import cauchy_schwarz
from theorems.fedda.e49 import prove_spectrum
from theorems.fedda.e55 import prove as prove_gradients
from theorems.vocabulary import *


def parts(s: Instance) -> tuple[Any, Any, Any]:
    """|mbar - m|, |Wbar - W| and C*."""
    tau = s.t * s.eta
    W, m = sgdm_at(s, tau)
    other, momentum = decoupled_at(s, tau)
    local, first, G = bound_of_gradients(s)
    worst = s.x * 0
    for i in range(s.n):
        worst = s.nb.maximum(worst, s.a[..., i] * (local[i] + first + G))
    return s.nb.abs(momentum - m), s.nb.abs(other - W), worst


def bound(s: Instance) -> list[Comparison]:
    r"""at most C* eta t^2/2

    \|\bar m-m\|+\|\bar W-W\|\le\int_0^{t\eta}C^*\tau/\eta\,d\tau=\frac{C^*\eta}2t^2
    """
    momentum, model, C = parts(s)
    return [that("bound", momentum + model) <= C * s.eta * s.t**2 / 2]


def sharper(s: Instance) -> list[Comparison]:
    r"""|mbar - m| <= C* (t eta - (1 - exp(-k t eta))/k) <= C* eta t and |Wbar - W| <= C* eta^2 t^2/2

    \|\bar m-m\|\le C^*\Big(t\eta-\frac{1-e^{-kt\eta}}k\Big),\ \|\bar W-W\|\le\frac{C^*}2\eta^2t^2
    """
    momentum, model, C = parts(s)
    k, tau = start(s).k, s.t * s.eta
    return [
        that("momentum", momentum) <= C * (tau - (1 - s.nb.exp(-(k * tau))) / k),
        that("model", model) <= C * tau * tau / 2,
    ]


def _prove_integral() -> None:
    """Abar is non-negative off its diagonal, so exp(Abar t) >= 0 entrywise and (49) integrates entry by entry."""
    cauchy_schwarz()
    prove_spectrum()
    keep, k, e, value, push, f = reals("keep k e value push f")
    box = [0 <= keep, keep < 1, k > 0, 0 < e, e <= 1, push >= 0]
    smt([*box, value <= e * keep * push], value <= e * push)
    smt([*box, f == (1 - e) / k, value <= f * keep * push], value <= f * push)


def prove() -> Proof:
    prove_gradients()
    _prove_integral()
    keep, eta, k, e = reals("keep eta k e")
    smt([0 <= keep, keep <= 1, 0 < eta, eta <= 1, k * eta == keep, 0 <= e, e <= 1], keep * e + eta * (1 - e) <= 1)
    C, rate, t, s = sympy.symbols("C eta t s", positive=True)
    identity((sympy.integrate(C * s / rate, (s, 0, t * rate)), C * rate * t**2 / 2))
    return Proof(
        "z3 and sympy",
        "The entries of (1 - beta) exp(Abar s) e_1 add up to (1 - beta) e + eta (1 - e) with e = exp(-k s): at most "
        "1 for eta <= 1. So the sum is at most the integral of C* s/eta by (55) and (56).",
    )


def prove_sharper() -> None:
    """sympy and z3: Entry by entry: k e^{-k s} against C* s, and k (1 - e^{-k s})/k <= 1 against C* s, by (55)."""
    k, tau, s = sympy.symbols("k tau s", positive=True)
    kernel = sympy.integrate(k * sympy.exp(-k * (tau - s)) * s, (s, 0, tau))
    identity((sympy.simplify(kernel - (tau - (1 - sympy.exp(-k * tau)) / k)), 0))
    identity((sympy.integrate(s, (s, 0, tau)), tau**2 / 2))
    e, push, value = reals("e push value")
    smt([0 <= e, e <= 1, push >= 0, value <= (1 - e) * push], value <= push)


STATEMENT = Statement(
    kind="upper bound",
    location="(57), appendix A.3",
    says="|mbar - m| + |Wbar - W| at t eta is at most C* eta t^2/2, C* = sup_i |nabla g^i| (|g^i| + |m(0)| + |g|).",
    reading="eta <= 1 ('eta is small', section 4); suprema over the points visited; C_Abar is dropped in print, and "
    "is not needed for eta <= 1, where the dropped factor 1 - beta outweighs it.",
    domain=flows(),
    hypotheses=(replace(SMALL_RATE, without=flows(top=20, n=(1, 2), t=(1, 2, 5))), FLOW),
    printed=claim_of(bound, prove=prove),
    steps=(
        Step(
            "sharper (ours): linear in t for the momentum, eta^2 t^2 for the model",
            claim_of(sharper, prove=prove_sharper),
        ),
    ),
    note="The argument uses no more than bounded gradients, so that it bounds local momentum just as well (DA.D2).",
)

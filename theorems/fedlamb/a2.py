"""LAMB Algorithm 2, line 7: Adp-Fed's local SGD."""

from theorems.fedlamb.common import need, positive, total
from theorems.fedlamb.listing_fedlamb import adp_fed_delta
from theorems.vocabulary import *


def instance(cursor: Cursor, n: int, T: int) -> Instance:
    a, c = [positive(cursor) for _ in range(n)], [2 * cursor.take() - 1 for _ in range(n)]
    return Instance(nb=cursor.nb, n=n, T=T, a=a, c=c, theta=1 + cursor.take(), eta=positive(cursor))


def delta(s: Instance, printed: bool) -> Any:
    def client(a: Scalar, c: Scalar) -> Any:
        return adp_fed_delta(lambda y: a * (y - c), s.theta, s.eta, s.T, printed)

    return total([client(a, c) for a, c in zip(s.a, s.c, strict=True)]) / s.n


def local_sgd(s: Instance) -> Any:
    """Local SGD in closed form: Delta_i = -(1 - (1 - eta a)^T) (theta - c)."""
    pairs = list(zip(s.a, s.c, strict=True))
    return total([-(1 - (1 - s.eta * a) ** s.T) * (s.theta - c) for a, c in pairs]) / s.n


def printed(s: Instance) -> list[Comparison]:
    r"""Delta is that of T steps of local SGD

    \bar\Delta_r=\overline{\theta^T_{SGD}-\theta^0}
    """
    return [that("Delta", delta(s, True)) == local_sgd(s)]


def corrected(s: Instance) -> list[Comparison]:
    r"""as printed for T = 1; else with the gradient at theta^(t-1) in line 7

    g_{r,i}^t=\nabla f_i(\theta_{r,i}^{t-1})\Rightarrow\bar\Delta_r=\overline{\theta^T_{SGD}-\theta^0}
    """
    return [that("Delta", delta(s, False)) == local_sgd(s)]


def prove() -> None:
    """sympy identity: Induction on T for each client; the mean over clients is linear. The listing itself, run in
    symbols, gives the closed form for n = T = 1 and n = T = 2.

    Induction on T with q = (1 - eta a)^T: one more step keeps Delta = -(1 - q)(theta - c).
    """
    eta, a, c, theta, q = sympy.symbols("eta a c theta q")
    here = theta - (1 - q) * (theta - c)
    identity((here - eta * a * (here - c) - theta, -(1 - q * (1 - eta * a)) * (theta - c)))
    for n, T in ((1, 1), (2, 2)):  # the listing itself, in symbols
        s = Instance(n=n, T=T, a=sympy.symbols(f"a:{n}"), c=sympy.symbols(f"c:{n}"), theta=theta, eta=eta)
        identity((delta(s, False), local_sgd(s)))


STATEMENT = Statement(
    kind="equivalence",
    location="Algorithm 2, line 7, A.1",
    says="In Algorithm 2 each worker runs local SGD (line 8); the server gets the mean of theta^T - theta^0.",
    reading="Exact gradients of quadratics in d = 1; the server's part (lines 13 to 15) is FedAdam without bias "
    "correction; 'eta g' in line 15 is eta_g (OCR).",
    severity="typo",
    domain=Domain(instance, grid(n=(1, 2, 3), T=(2, 3, 5)), "quadratics in d = 1, T local steps"),
    hypotheses=(need("a, eta > 0", lambda s: [(v, ">", 0) for v in (s.eta, *s.a)]),),
    printed=claim_of(printed),
    corrected=claim_of(corrected, prove=prove),
    note="As printed Delta = -eta T grad f_i(theta^0): one large step of centralized Adam. The same slip stands in "
    "Algorithm 1.",
)

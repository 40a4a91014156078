"""LA Appendix C: clients that share their minimizer rest there, whatever their optimizers' factors."""

from theorems.local_adaptivity.common import WEIGHTS, coordinates, matrices, noncommutative
from theorems.local_adaptivity.common_matrices import POSITIVE, PULLS, played, preconditioned, pulls, rest
from theorems.vocabulary import *


def spread(cursor: Cursor, tau: tuple[int, ...], d: int) -> Instance:
    s = preconditioned(cursor, tau, d)
    s.x = np.stack([2 * cursor.take() - 1 for _ in range(d)], -1)
    return s


def instance(cursor: Cursor, tau: tuple[int, ...], d: int) -> Instance:
    s = spread(cursor, tau, d)
    s.p = replace(s.p, c=0 * s.p.c + s.x[:, None])
    return s


def printed(s: Instance) -> list[Comparison]:
    r"""x~ = x* = the common minimizer

    x_i^*=x^*\ \forall i:\quad\mathcal{A}(x^*)=x^*=\tilde x
    """
    image = s.p.mean(np.stack([played(s, i, s.x) for i in range(s.n)], 1))
    return [
        *coordinates("x*", s.p.minimizer, s.x),
        *coordinates("A(x*)", image, s.x),
        *coordinates("x~", rest(s, pulls(s)), s.x),
    ]


def prove() -> None:
    """sympy (symbols that do not commute): A_i(x) - x_i* = K_i (x - x_i*), so A_i fixes x_i* = x*, and so does the mean
    A. Where sum w (I - K_i) is invertible A has no other fixed point.
    """
    x, c, K, J = matrices("x c K J")
    w = sympy.symbols("w")
    mean = w * (K * (x - c) + c) + (1 - w) * (J * (x - c) + c)
    noncommutative((mean - c, (w * K + (1 - w) * J) * (x - c)))


def _common(s: Instance) -> list[Comparison]:
    return [c for i in range(s.n) for c in coordinates(f"x_{i}", s.p.c[:, i], s.x)]


TAUS = ((1,), (3,), (1, 2), (3, 2, 1))

STATEMENT = Statement(
    kind="identity",
    location="after (66), Appendix C; section 4",
    says="If all local operators A_i have the same fixed point x_i* = x*, as with one client or with IID data, then "
    "x~ = x*: also with preconditioners, rates and numbers of steps of their own.",
    domain=Domain(instance, grid(tau=TAUS, d=(1, 2)), "one to three preconditioned clients in d <= 2"),
    hypotheses=(
        POSITIVE,
        WEIGHTS,
        PULLS,
        Hypothesis("x_i* = x*", _common, Domain(spread, grid(tau=((1, 2),), d=(1,)), "minimizers anywhere")),
    ),
    printed=claim_of(printed, prove=prove),
    note="Without heterogeneity of the minimizers, differing factors leave no gap: Theorem 2's 'not x*' is about "
    "minimizers that differ. The Hessians need not agree.",
)

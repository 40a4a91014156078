"""LAMB section 4.2: 'this dependency on p can be removed when H3 is assumed globally'."""

from theorems.fedlamb import common_rate as cr
from theorems.fedlamb.common import LEAST_BETA, need, positive
from theorems.vocabulary import *


def instance(cursor: Cursor, C: int, T: int, R: int) -> Instance:
    """(3) with one layer of p = (1000 C)^2 R coordinates; H3 globally: p sigma^2 is the variance of the whole."""
    tiny = cursor.nb.number(LEAST_BETA)
    whole, L = positive(cursor), 1 - cursor.take() / 2
    return Instance(
        nb=cursor.nb, C=C, T=T, R=R, n=2, h=1, root_R=round(R**0.5), whole=whole, L=L, sqrt_v0=1 + cursor.take(),
        M=1 + cursor.take(), phi=1 - cursor.take() / 2, Delta=(1 + cursor.take()) / 2, beta1=0 * L + tiny,
        beta2=0 * L + tiny,
    )  # fmt: skip


def right(s: Instance, p: int) -> Any:
    """(3) without cst at alpha = 1/sqrt R, with E|g - grad f|^2 <= whole in the place of p sigma^2."""
    nb, one = s.nb, s.L * 0 + 1
    alpha = one / s.root_R
    at = Instance(**{**vars(s), "h": p, "sigma": nb.sqrt(s.whole / p), "alpha": alpha})
    layers = at.phi * at.sigma**2 / nb.sqrt(one * s.n)  # h sigma^2 with the one layer that there is
    rest = cr.theorem_1(at) - cr.appendix_constant(at) - 4 * alpha * p * layers
    start = nb.sqrt(s.M**2 * p / s.n) * s.Delta / (alpha * s.R)
    return rest - start / p + start + 4 * alpha * layers


def printed(s: Instance) -> list[Comparison]:
    r"""(3) at p coordinates is at most C times (3) at one coordinate.

    B(p)\le C\,B(1)\quad\text{with }\mathbb E\|g-\nabla f\|^2\le\sigma^2
    """
    return [that("p coordinates", right(s, (1000 * s.C) ** 2 * s.R)) <= s.C * right(s, 1)]


def corrected(s: Instance) -> list[Comparison]:
    r"""It is at least sqrt(M^2 p/n) Delta/(h alpha R), which has no variance in it.

    B(p)\ge\sqrt{\tfrac{M^2p}n}\,\frac{\Delta}{\mathsf h\alpha R}
    """
    p = (1000 * s.C) ** 2 * s.R
    start = s.M * (1000 * s.C * s.root_R) / s.nb.sqrt(s.L * 0 + s.n) * s.Delta / s.root_R
    return [that("sqrt(M^2 p/n) Delta/(h alpha R)", start) <= right(s, p)]


def prove() -> None:
    """z3: (3) is a sum of terms that are not negative, its first among them."""
    start, others = reals("start others")
    smt([others >= 0], start <= start + others)


STATEMENT = Statement(
    kind="limit",
    location="section 4.2, after Theorem 2: 'this dependency on p can be removed'",
    says="The sqrt p in both rates comes from the variance bound per dimension in H3, and can be removed when H3 is "
    "assumed globally.",
    reading="Globally: E|g - grad f|^2 <= sigma^2 for the whole vector, so that sigma^2 stands for p sigma^2 in (3). "
    "Removed: (3) for p coordinates is at most C times (3) for one, for some C and all p. alpha = 1/sqrt R, one layer.",
    severity="substantive",
    domain=Domain(
        instance, grid(C=(1, 10, 1000), T=(1, 2), R=(100, 10**4)), "p = (1000 C)^2 R coordinates in one layer"
    ),
    hypotheses=(
        need(
            "M, phi, L, v0, Delta > 0", lambda s: [(v, ">", 0) for v in (s.M, s.phi, s.L, s.sqrt_v0, s.Delta, s.whole)]
        ),
    ),
    printed=claim_of(printed),
    corrected=claim_of(corrected, prove=prove),
    note="The p of the first term comes from |p|, of which B.2 says sqrt(p_l) (LAMB.B2), that of (T-1)^2 p from Lemma "
    "1, which needs none (LAMB.L1): the variance has nothing to do with either.",
)

"""OLR Lemma 32: how far a client's scaled surrogate Hessian is from its Hessian."""

from surrogate import bounds
from theorems.bridges import lengths
from theorems.domain import STEPS
from theorems.outsized.common import ASSUMPTION_2, GAMMA_BELOW
from theorems.outsized.lemmas import column, phi_bounds
from theorems.vocabulary import *


def instance(cursor: Cursor, n: int, d: int, K: int) -> Instance:
    """Clients scaled by up to 3, as the printed claim is not invariant under f -> s f."""
    p = clients(cursor, n, d)
    scale = 3 - cursor.take() * cursor.nb.number(Fraction(5, 2))
    p = type(p)(p.nb, p.lam * scale[..., None, None], p.R, p.c, p.w)
    return Instance(p=p, gamma=rate(cursor, p.L), K=K, theta=Theta.sum(K))


def gap(s: Instance) -> Any:
    return bounds.phi_deficit(s.K, s.p.L, s.gamma) / s.K


def printed(s: Instance) -> list[Comparison]:
    r"""against the identity

    \|\tau Q_iA_i-I\|\le\frac{KL-\phi_{K,L}(\gamma)}K
    """
    values = s.p.filtered(s.gamma, s.theta) / s.K
    return [that("|tau Q A - I|", s.p.nb.largest(s.p.nb.abs(values - 1), 2)) <= gap(s)]


def corrected(s: Instance) -> list[Comparison]:
    r"""against A_i: |tau Q_i A_i - A_i| <= (K L - phi_L)/K

    \|\tau Q_iA_i-A_i\|\le\frac{KL-\phi_{K,L}(\gamma)}K
    """
    deficit = s.p.deficit(s.gamma, s.theta)
    return [that("|tau Q A - A|", s.p.nb.largest(s.p.nb.abs(s.p.lam * deficit), 2) / s.K) <= gap(s)]


def derive(proof: Derivation, s: Instance) -> None:
    """0 <= K lam - phi_lam <= K L - phi_L, divided by K."""
    p = s.p
    a, m, g, n = reals("a m gap K")
    phi_bounds(proof, p, s.gamma, s.K)
    proof.setting("K >= 1", s.K, 1)
    off = p.lam * p.deficit(s.gamma, s.theta)
    here = {"a": p.nb.abs(off), "m": -off, "gap": column(bounds.phi_deficit(s.K, p.L, s.gamma)), "K": p.nb.number(s.K)}
    proof.cross(lengths, "|phi - K lambda|", nb=p.nb, v=off[..., None])
    proof.leaf("its sign", [0 <= m, m <= g, a * a == m * m, 0 <= a], a <= g, **here)
    proof.leaf("divided by K", [a <= g, n >= 1], a / n <= g / n, **here)


STATEMENT = Statement(
    kind="upper bound",
    location="Lemma 32, appendix B.3",
    says="For gamma < 1/L, |tau Q_i A_i - I| <= (K L - phi_L)/K, tau = 1/K.",
    severity="typo",
    domain=Domain(instance, grid(n=(1, 2), d=(1, 2), K=STEPS[::2]), "clients of any scale, 0 < gamma < 1/L"),
    hypotheses=(ASSUMPTION_2, GAMMA_BELOW),
    printed=claim_of(printed),
    corrected=claim_of(corrected, derive=derive),
    note="The proof, too, prints K I - Q_i A_i, but its eigenvalues K lam - phi_lam are those of K A_i - Q_i A_i, and "
    "Theorem 17 uses the lemma for A~_i - A_i.",
)

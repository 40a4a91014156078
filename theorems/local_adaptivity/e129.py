"""LA (128), (129): the client rate of Theorem 3 put in."""

from theorems.bridges import smaller
from theorems.local_adaptivity.common import between, positive
from theorems.vocabulary import *


def instance(cursor: Cursor, T: int) -> Instance:
    """q = (D / (L^2 Lambda G^2 T))^(1/3) and D, L are free; C = L^2 Lambda G^2 = D / (T q^3) then needs no root."""
    D, L, q = 2 * positive(cursor), 2 * positive(cursor), 2 * positive(cursor, 1e-3)
    return Instance(nb=cursor.nb, T=T, D=D, L=L, q=q)


def sides(s: Instance, linear: int, root: int) -> list[Comparison]:
    """y = eta tau = min(1/L, q); (D^2 C)^(1/3) / T^(2/3) = D / (q T)."""
    y, C = s.nb.minimum(1 / s.L, s.q), s.D / (s.T * s.q**3)
    bound = 2 * s.D / (y * s.T) + C * y**2
    return [that("(129)", bound) <= linear * s.D * s.L / s.T + root * s.D / (s.q * s.T)]


def derive(proof: Derivation, s: Instance) -> None:
    """1/y <= L + 1/q and y <= q, y = min(1/L, q); q^3 = D/(C T)."""
    D, L, q, y, T, a, b, c, e = reals("D L q y T a b c e")
    proof.leaf("1/L > 0", [0 < L], 0 < 1 / L, L=s.L)
    proof.cross(smaller, "eta tau", nb=s.nb, x=1 / s.L, y=s.q)
    proof.setting("T >= 1", s.T, 1)
    at = {"D": s.D, "L": s.L, "q": s.q, "y": s.nb.minimum(1 / s.L, s.q), "T": s.nb.number(s.T)}
    signs = [0 < D, 0 < q, 0 < y, T >= 1]
    proof.leaf(
        "the first term", [*signs, 0 < L, 1 / y <= L + 1 / q], 2 * D / (y * T) <= 2 * D * L / T + 2 * D / (q * T), **at
    )
    proof.leaf("the second term", [*signs, y <= q], D / (T * q**3) * y**2 <= D / (q * T), **at)
    first, second = (2 * s.D / (at["y"] * s.T), s.D / (s.T * s.q**3) * at["y"] ** 2)
    proof.leaf(
        "both",
        [a <= b + 2 * c, e <= c],
        a + e <= b + 3 * c,
        a=first,
        e=second,
        b=2 * s.D * s.L / s.T,
        c=s.D / (s.q * s.T),
    )


STATEMENT = Statement(
    kind="upper bound",
    location="(128) to (130), Appendix F",
    says="With eta = min{1/(tau L), (D/(L^2 Lambda G^2))^(1/3)/(tau T^(1/3))}: 2D/(eta tau T) + L^2 Lambda G^2 eta^2 "
    "tau^2 <= DL/T + (D^2 L^2 Lambda G^2)^(1/3)/T^(2/3).",
    reading="The second inequality of the display, between its two right sides. q is the cube root in eta tau.",
    severity="substantive",
    domain=Domain(instance, grid(T=(1, 2, 10, 1000)), "all D, L and L^2 Lambda G^2"),
    hypotheses=(
        between("D > 0", lambda s: s.D, 0, role="F(x^(0)) is not the infimum, or eta = 0 as printed"),
        between("L > 0", lambda s: s.L, 0, role="(130) divides by it"),
        between("q > 0", lambda s: s.q, 0, role="q is a root of what is positive"),
    ),
    printed=Claim(
        "with constants 1 and 1",
        r"\frac{2D}{\eta\tau T}+L^2\Lambda G^2\eta^2\tau^2\le\frac{DL}T+\frac{(D^2L^2\Lambda G^2)^{1/3}}{T^{2/3}}",
        lambda s: sides(s, 1, 1),
    ),
    corrected=Claim(
        "with constants 2 and 3",
        r"\frac{2D}{\eta\tau T}+L^2\Lambda G^2\eta^2\tau^2\le\frac{2DL}T+\frac{3(D^2L^2\Lambda G^2)^{1/3}}{T^{2/3}}",
        lambda s: sides(s, 2, 3),
        derive=derive,
    ),
    note="The constants are lost in the O(.) of Theorem 3, which stands.",
)

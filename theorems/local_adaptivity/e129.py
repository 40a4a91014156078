"""LA (128), (129): the client rate of Theorem 3 put in."""

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


def prove() -> None:
    """z3: If eta tau = 1/L <= q the terms are 2DL/T and C/L^2 <= C q^2 = D/(qT); if it is q they are 2D/(qT) and
    D/(qT). Here q^3 = D/(C T), and D/(qT) = (D^2 L^2 Lambda G^2)^(1/3)/T^(2/3).
    """
    D, L, q, y, T, C = reals("D L q y T C")
    given = [D > 0, L > 0, q > 0, T >= 1, y > 0, C * T * q**3 == D, D == 1, T == 1]  # both sides scale with D / T
    smt([*given, y * L == 1, y <= q], both(2 * D / (y * T) == 2 * D * L / T, C * y**2 <= C * q**2))
    smt(given, C * q**2 * q == D / T)
    smt([*given, y == q], 2 * D / (y * T) + D / (q * T) <= 2 * D * L / T + 3 * D / (q * T))


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
        prove,
    ),
    note="The constants are lost in the O(.) of Theorem 3, which stands.",
)

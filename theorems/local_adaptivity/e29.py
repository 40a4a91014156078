"""LA (27)-(31): one gradient step contracts by 1 - eta mu."""

from theorems.local_adaptivity.common_sgd_steps import ONE_STEP, scaled_domain
from theorems.vocabulary import *


def sides(s: Instance, eta: Any) -> list[Comparison]:
    """|x - y| = 1; ``eta`` is the factor that (29) leaves out of its first bracket."""
    first = 1 - 2 * eta * s.mu * s.L / (s.mu + s.L)
    square = second(s)
    return [that("(29)", (1 - s.eta * s.h) ** 2) <= first + square * s.h**2]


def second(s: Instance) -> Any:
    """The factor of |grad F(x) - grad F(y)|^2 in (29)."""
    return s.eta**2 - 2 * s.eta / (s.mu + s.L)


def printed(s: Instance) -> list[Comparison]:
    r"""(29), and (30) = (31), as printed

    \|\cdot\|^2\le\left(1-\frac{2\mu L}{\mu+L}\right)\|x-y\|^2+\left(\eta^2-\frac{2\eta}{\mu+L}\right)\|\nabla F(x)-%
      \nabla F(y)\|^2,\quad1-\frac{2\mu L}{\mu+L}+\eta^2\mu^2-\frac{2\mu\eta}{\mu+L}=(1-\eta\mu)^2

    (29) and (30) = (31), in units of |x - y|^2.
    """
    square = (s.eta * s.mu) ** 2 - 2 * s.mu * s.eta / (s.mu + s.L)
    first = 1 - 2 * s.mu * s.L / (s.mu + s.L)
    return [*sides(s, 1), that("(30) = (31)", first + square) == (1 - s.eta * s.mu) ** 2]


def corrected(s: Instance) -> list[Comparison]:
    r"""with 2 eta mu L/(mu + L), and with 2 eta mu^2/(mu + L) in (30): then (31)

    \|\cdot\|^2\le\left(1-\frac{2\eta\mu L}{\mu+L}\right)\|x-y\|^2+\left(\eta^2-\frac{2\eta}{\mu+L}\right)\|%
      \nabla F(x)-\nabla F(y)\|^2,\quad1-\frac{2\eta\mu L}{\mu+L}+\eta^2\mu^2-\frac{2\eta\mu^2}{\mu+L}=(1-\eta\mu)^2
    """
    first = 1 - 2 * s.eta * s.mu * s.L / (s.mu + s.L)
    square = (s.eta * s.mu) ** 2 - 2 * s.eta * s.mu**2 / (s.mu + s.L)
    return [
        *sides(s, s.eta),
        that("(30) = (31)", first + square) == (1 - s.eta * s.mu) ** 2,
        that("(31)", (1 - s.eta * s.h) ** 2) <= (1 - s.eta * s.mu) ** 2,
    ]


def derive(proof: Derivation, s: Instance) -> None:
    """(h - mu)(L - h) >= 0 for (29); (h - mu)(2 - eta (mu + h)) >= 0 for (31)."""
    mu, h, L, eta = reals("mu h L eta")
    at = {"mu": s.mu, "h": s.h, "L": s.L, "eta": s.eta}
    inside, small = [0 < mu, mu <= h, h <= L], [0 < eta, eta * (mu + L) < 2]
    first, second = 1 - 2 * eta * mu * L / (mu + L), eta**2 - 2 * eta / (mu + L)
    proof.leaf("(29)", [*inside, 0 < eta], (1 - eta * h) ** 2 <= first + second * h**2, **at)
    square = (eta * mu) ** 2 - 2 * eta * mu**2 / (mu + L)
    proof.leaf("(30) = (31)", inside, first + square == (1 - eta * mu) ** 2, **at)
    proof.leaf("(31)", [*inside, *small], (1 - eta * h) ** 2 <= (1 - eta * mu) ** 2, **at)


STATEMENT = Statement(
    kind="upper bound",
    location="(27) to (31), Appendix B.2",
    says="|x - y - eta (grad F(x) - grad F(y))|^2 <= (1 - 2 mu L/(mu + L)) |x - y|^2 + (eta^2 - 2 eta/(mu + L)) "
    "|grad F(x) - grad F(y)|^2.",
    reading="(27) lacks brackets around the difference of gradients; we read them in. h: the mean Hessian from y to "
    "x in d = 1.",
    severity="typo",
    domain=scaled_domain("0 < mu <= h <= L <= 2, eta < 2/(mu + L)"),
    hypotheses=ONE_STEP,
    printed=claim_of(printed),
    corrected=claim_of(corrected, derive=derive),
    note="The missing eta stands in (29) and (30); (31) is right.",
)

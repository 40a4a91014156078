"""LAMB (8): the change of the auxiliary sequence in terms of momenta and gradients."""

from theorems.fedlamb.common_momentum import BETA, ROUND, changes, mean_of_momenta, means
from theorems.vocabulary import *


def lines(s: Instance) -> tuple[Any, Any]:
    """The second and the third line as printed."""
    now, before, differences, gradients = means(s)
    scale = s.alpha / (1 - s.beta1)
    return scale * now - scale * before, scale * s.beta1 * differences + s.alpha * gradients


def printed(s: Instance) -> list[Comparison]:
    r"""both lines are the change of the auxiliary sequence

    \bar\vartheta_{r+1}-\bar\vartheta_r=\frac{\alpha\beta_1}{1-\beta_1}\frac1n\sum_i(c_{r,i}-c_{r-1,i})m_{r-1}%
      +\frac\alpha n\sum_ic_{r,i}g_{r,i}
    """
    second, third = lines(s)
    return [that("the second line", second) == changes(s), that("the third line", third) == changes(s)]


def mended(s: Instance) -> tuple[Any, Any]:
    now, before, _, _ = means(s)
    scale = s.alpha / (1 - s.beta1)
    return -scale * now + s.beta1 * scale * before, -lines(s)[1]


def corrected(s: Instance) -> list[Comparison]:
    r"""both lines with the other sign, and beta_1 kept on the second mean

    \bar\vartheta_{r+1}-\bar\vartheta_r=-\frac\alpha{1-\beta_1}\overline{c_rm_r}%
      +\frac{\alpha\beta_1}{1-\beta_1}\overline{c_{r-1}m_{r-1}}%
      =-\frac{\alpha\beta_1}{1-\beta_1}\overline{(c_r-c_{r-1})m_{r-1}}-\alpha\,\overline{c_rg_r}
    """
    second, third = mended(s)
    return [that("the second line", second) == changes(s), that("the third line", third) == changes(s)]


def derive(proof: Derivation, s: Instance) -> None:
    """m = beta_1 m_before + (1 - beta_1) g and p = m/sqrt(v): linear in the clients, coordinate by coordinate."""
    a, b, N, B, D, G = reals("alpha beta1 now before differences gradients")
    now, before, differences, gradients = means(s)
    mean_of_momenta(proof, s)
    change = (-a * N + b * a * B) / (1 - b)
    here = {"alpha": s.alpha, "beta1": s.beta1, "now": now, "before": before}
    proof.leaf("the second line", [b < 1], -(a / (1 - b)) * N + b * (a / (1 - b)) * B == change, **here)
    proof.leaf("the third line", [N == b * (D + B) + (1 - b) * G, b < 1], -(a / (1 - b) * b * D + a * G) == change,
               differences=differences, gradients=gradients, **here)  # fmt: skip


STATEMENT = Statement(
    kind="identity",
    location="(8), B.2",
    says="The change is alpha/(1 - beta_1) mean(phi p/|p|) - alpha/(1 - beta_1) mean(the same, a round before) = "
    "alpha beta_1/(1 - beta_1) mean((c_r - c_(r-1)) m_(r-1)) + alpha mean(c_r g), c = phi/(sqrt v |p|).",
    reading="T = 1, as in the proof; p = m/sqrt(v) (epsilon = 0); m_(r-1) is the client's own (its index i is lost). "
    "One coordinate a layer.",
    severity="typo",
    domain=ROUND,
    hypotheses=(BETA,),
    printed=claim_of(printed),
    corrected=claim_of(corrected, derive=derive),
    note="The update (2) subtracts: the sign is lost between the first and the second line, and beta_1 with it (the "
    "third line has it again). (10) restores the sign of one of the two terms only (LAMB.E10).",
)

"""LAMB (10): the inner product of the gradient with the change of the auxiliary sequence."""

from theorems.fedlamb.common_momentum import BETA, ROUND, changes, mean_of_momenta, means
from theorems.vocabulary import *


def right(s: Instance, first: int) -> Any:
    _, _, differences, gradients = means(s)
    return first * s.alpha * s.beta1 / (1 - s.beta1) * s.slope * differences - s.alpha * s.slope * gradients


def printed(s: Instance) -> list[Comparison]:
    r"""the inner product

    \langle\nabla f,\bar\vartheta_{r+1}-\bar\vartheta_r\rangle=\frac{\alpha\beta_1}{1-\beta_1}\langle\nabla f,%
      \overline{(c_r-c_{r-1})m_{r-1}}\rangle-\alpha\langle\nabla f,\overline{c_rg_r}\rangle
    """
    return [that("(10)", s.slope * changes(s)) == right(s, 1)]


def corrected(s: Instance) -> list[Comparison]:
    r"""the first term, too, has a minus sign

    \langle\nabla f,\bar\vartheta_{r+1}-\bar\vartheta_r\rangle%
      =-\frac{\alpha\beta_1}{1-\beta_1}\langle\nabla f,\overline{(c_r-c_{r-1})m_{r-1}}\rangle-\alpha\langle\nabla f,%
      \overline{c_rg_r}\rangle
    """
    return [that("(10)", s.slope * changes(s)) == right(s, -1)]


def derive(proof: Derivation, s: Instance) -> None:
    """As LAMB.E8, times the gradient; linear in clients and coordinates."""
    a, b, f, N, B, D, G = reals("alpha beta1 slope now before differences gradients")
    now, before, differences, gradients = means(s)
    mean_of_momenta(proof, s)
    proof.leaf(
        "(10)", [N == b * (D + B) + (1 - b) * G, b < 1],
        f * ((-a * N + b * a * B) / (1 - b)) == -(a * b / (1 - b) * f * D) - a * f * G, alpha=s.alpha, beta1=s.beta1,
        slope=s.slope, now=now, before=before, differences=differences, gradients=gradients,
    )  # fmt: skip


STATEMENT = Statement(
    kind="identity",
    location="(10), B.2",
    says="<grad f, change> = alpha beta_1/(1 - beta_1) <grad f, mean((c_r - c_(r-1)) m_(r-1))> - alpha <grad f, "
    "mean(c_r g)>, the last term with its sign being A_1.",
    reading="As LAMB.E8. A_1 includes the minus sign, as the line after (10) says.",
    severity="typo",
    domain=ROUND,
    hypotheses=(BETA,),
    printed=claim_of(printed),
    corrected=claim_of(corrected, derive=derive),
    note="(8) has both terms positive, (10) has one of each sign; in truth both are negative. With beta_1 = 0, to "
    "which the proof turns at B_2, (10) is right.",
)

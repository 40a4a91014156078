"""LADA Theorem 3.5 with every client taking part: the noise."""

from theorems.fedlada import common_bound as cb
from theorems.fedlada.t35 import CLOSED, MENDED
from theorems.vocabulary import *

STATEMENT = Statement(
    kind="upper bound",
    location="Theorem 3.5, section 3.4, with S = m",
    says="Theorem 3.5 where all clients take part and gradients are noisy.",
    reading="As for LADA.T35; with S = m the second condition on eta eta_l is empty.",
    severity="substantive",
    domain=cb.theorem((2, 2, 10**4), (2, 2, 10**6), (4, 4, 10**6)),
    hypotheses=(*cb.HYPOTHESES, cb.CLOSED_FORM),
    printed=Claim("inequality (7)", cb.LATEX, cb.bound),
    corrected=MENDED,
    steps=(CLOSED,),
    note="The printed noise term carries beta1^2, so that plain SGD (beta1 -> 0) would have none. The noise of step j "
    "has weight 1 - beta1^(K-j+1), not beta1 (1 - beta1^(K-j+1)): see LADA.M.",
)

"""DA (46): the same from a common start."""

from theorems.fedda.common_pair import PAIR, pairs
from theorems.fedda.e45 import compare, prove
from theorems.vocabulary import *

STATEMENT = Statement(
    kind="upper bound",
    location="(46), appendix A.3",
    says="From a common start (|m^i - m|, |W^i - W|) is at most (1 - beta) times the integral of exp(A (t eta - s)) "
    "(|R|/eta, 0).",
    reading="'Note that W^i(0) - W(0)' lacks its '= 0'.",
    domain=pairs(zero=True),
    hypotheses=(PAIR,),
    printed=Claim("both entries", r"X(t\eta)\le(1-\beta)\int_0^{t\eta}e^{A(t\eta-\tau)}b\,d\tau", compare, prove),
    note="Attained by concave clients with gradients - L_g (W - c_i).",
)

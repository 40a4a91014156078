"""OLR: numbers of the text against its tables and its grid of server rates."""

from theorems.numeric_cases import cases, each_exactly
from theorems.vocabulary import *

GRID = [Fraction(k, 2) for k in range(-6, 3)]  # (23): log10 eta
TUNED = {
    "Table 2": "-1 -1 -3/2 -3/2 0",
    "Table 3": "-1 -1 -3/2 -3/2 -3/2",
    "Table 4": "-2 -3/2 -3/2 -3/2",
    "Table 5": "-1/2 0 -1 -1 -1",
    "Table 6": "-3/2 -3/2 -2 -2",
    "Table 7": "-1/2 -1/2 -1/2 -1/2 -1/2 -1/2",
}
PRODUCTS = ("CIFAR-100: 500 clients of 100 examples", "3000 rounds of 500 clients")
SUMS = [
    {"name": PRODUCTS[0], "parts": ["500", "100"], "total": "50000"},
    {"name": PRODUCTS[1], "parts": ["3000", "500"], "total": "1500000"},
    {"name": "characters, begin and end of line, padding, others", "parts": ["86", "2", "1", "1"], "total": "90"},
    {"name": "words and four tokens", "parts": ["10000", "4"], "total": "10004"},
]
RATES = [{"name": table, "rates": exponents.split()} for table, exponents in TUNED.items()]
DOMAIN = cases("the exponents of Tables 2 to 7, and four numbers of the text", *RATES, *SUMS)


def printed(s: Instance) -> list[Comparison]:
    r"""each tuned rate is on the grid (23), and the counts of the text agree

    \log_{10}\eta\in\{-3,-\tfrac52,\dots,1\};\quad500\cdot100=50{,}000,\ 3000\cdot500=1.5\cdot10^6,\ 86+2+1+1=90,\ %
      10{,}000+4=10{,}004
    """
    if hasattr(s, "rates"):
        off = [exponent * 0 + 1 for exponent in s.rates]
        for step in GRID:
            off = [product * (exponent - s.nb.number(step)) for product, exponent in zip(off, s.rates, strict=True)]
        return [that(f"rate {k + 1} on the grid", each) == each * 0 for k, each in enumerate(off)]
    first, *rest = s.parts
    for part in rest:
        first = first * part if s.name in PRODUCTS else first + part
    return [that("count", first) == s.total]


def prove() -> None:
    """exact rationals: Thirty-two exponents and four counts."""
    each_exactly(printed, DOMAIN)


STATEMENT = Statement(
    kind="identity",
    location="(23), Tables 1 to 7; section 2; appendices C and D",
    says="The server rates of Tables 2 to 7 are chosen from the grid (23); 500 clients of 100 examples are CIFAR-100's "
    "50,000; "
    "3000 rounds of at most 500 clients see at most 1.5 million; 86 characters and four tokens are 90; 10,000 words "
    "and four "
    "tokens 10,004.",
    reading="The 3/2 of Table 2 for Shakespeare is taken as -3/2, a sign that recognition may have lost: 10^(3/2) is "
    "above the "
    "grid, which ends at 10.",
    domain=DOMAIN,
    printed=claim_of(printed, prove=prove),
    note="Table OLR.T2 of the figures keeps the 3/2 as it stands. Section 8.2 lets the server rate increase with the "
    "client "
    "rate: in Tables 3, 6 and 7 the best server rate never falls as gamma grows; in Tables 4 (FEMNIST) and 5 "
    "(Shakespeare) "
    "it does at the largest gamma.",
)

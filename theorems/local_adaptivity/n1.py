"""LA section 6: the relative gains quoted from Tables 1 to 3."""

from theorems.numeric_cases import cases, each_exactly
from theorems.vocabulary import *

DOMAIN = cases(
    "test accuracy on SO NWP: server Adam with corrected client Adam, with client SGD, and FedAvg",
    {"ours": "2535/100", "server": "2440/100", "fedavg": "1419/100"},
)


def gains(s: Instance) -> list[Comparison]:
    r"""3.9 % and 78.6 %, to half a digit

    \Big|\tfrac{25.35}{24.40}-1-0.039\Big|\le0.0005,\quad\Big|\tfrac{25.35}{14.19}-1-0.786\Big|\le0.0005
    """
    half, one = s.nb.number(Fraction(5, 10**4)), 0 * s.ours + 1
    printed = {"server": Fraction(39, 1000), "fedavg": Fraction(786, 1000)}
    return [
        that(name, s.nb.abs(s.ours / getattr(s, name) - one - s.nb.number(value))) <= half * one
        for name, value in printed.items()
    ]


def prove() -> None:
    """exact rationals: Two quotients."""
    each_exactly(gains, DOMAIN)


STATEMENT = Statement(
    kind="identity",
    location="section 6, higher final accuracy, with Tables 1 to 3",
    says="The proposed method relatively improves the test accuracy of server Adam plus client SGD by 3.9 % (25.35 % "
    "versus 24.40 %), and vanilla FedAvg by 78.6 % (25.35 % versus 14.19 %).",
    reading="The accuracies are the printed tables'; what training gives is figures LA.T1 to LA.T3.",
    domain=DOMAIN,
    printed=claim_of(gains, prove=prove),
)

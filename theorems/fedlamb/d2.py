"""LAMB section 4.3: vectors sent per round, against SCAFFOLD."""

from surrogate import methods
from theorems.fedlamb.common import batch_one, need
from theorems.vocabulary import *

Sent = dict[str, tuple[str, ...]]

FED_LAMB: Sent = {"up": ("theta^T", "v^T"), "down": ("theta-bar", "v-hat")}  # Algorithm 1, lines 14 and 16
SCAFFOLD: Sent = {"up": ("change of x", "change of c_i"), "down": ("x", "c")}  # Karimireddy et al. 2020, Algorithm 1


def instance(cursor: Cursor) -> Instance:
    """p numbers a vector."""
    return Instance(nb=cursor.nb, p=batch_one(cursor) + 0 * cursor.take())


def numbers(s: Instance, method: Sent, way: str) -> Any:
    return len(method[way]) * s.p


def printed(s: Instance) -> list[Comparison]:
    r"""a client sends fewer numbers

    \#_{\text{FED-LAMB}}<\#_{\text{SCAFFOLD}}=2p
    """
    return [that("clients to server", numbers(s, FED_LAMB, "up")) < numbers(s, SCAFFOLD, "up")]


def corrected(s: Instance) -> list[Comparison]:
    """both send two vectors each way

    2p=2p
    """
    ways = {"up": "clients to server", "down": "server to clients"}
    return [that(says, numbers(s, FED_LAMB, way)) == numbers(s, SCAFFOLD, way) for way, says in ways.items()]


def sent(name: str, p: int = 3) -> tuple[int, int]:
    """How many vectors of p numbers a client of the method's code sends in a round, and how many it gets."""
    method = methods.build(name, gamma=0.1, steps=1)
    shared = dict(method.start(np.ones(p)))
    if "V" in shared:
        shared["V"] = np.ones(p)  # no 0/0 in the first round
    message, _ = method.local(shared, method.enrol(np.ones(p)), lambda y, k: y - 3.0, 0)
    up, down = (sum(np.shape(v) == (p,) for v in part.values()) for part in (message, shared))
    return up, down


def prove() -> Proof:
    from theorems.engines.prove import identity

    for name, counted in (("fed-lamb", FED_LAMB), ("scaffold", SCAFFOLD)):
        up, down = sent(name)
        identity((up, len(counted["up"])), (down, len(counted["down"])), (up, 2), (down, 2))
    return Proof(
        "counting",
        "Line 14 sends theta^T and v^T, line 16 theta-bar and v-hat: two vectors of p numbers each way, as in "
        "SCAFFOLD; the same is counted on the messages of the methods' own code.",
    )


STATEMENT = Statement(
    kind="upper bound",
    location="section 4.3, 'Communication and Client Efficiency'",
    says="Contrary to SCAFFOLD, which sends two vectors, FED-LAMB sends bits only once per communication round.",
    reading="Fewer numbers from a client to the server per round than in SCAFFOLD.",
    severity="substantive",
    domain=Domain(instance, ({},), "p numbers a vector"),
    hypotheses=(need("p >= 1", lambda s: [(s.p, ">=", 1)]),),
    printed=claim_of(printed),
    corrected=claim_of(corrected, prove=prove),
    note="Algorithm 1, line 14: 'Devices send theta and v to server'; Figure 1 says the same. FedAvg and Adp-Fed send "
    "one.",
)

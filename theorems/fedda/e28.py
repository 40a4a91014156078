"""DA (28) and (29): what a round of FedDA+SGDM does, and where it rests."""

from theorems.fedda.common import ANY_RATES, BETA, LARGE_BETA, RATES, WEIGHTS, agreement, numeric, procedures
from theorems.fedda.common_rest import momenta_telescope, rest_of_round
from theorems.fedda.lemmas import common_start, global_momentum, moved_at_once, sum_of_momenta
from theorems.fedda.listing_fedda import decoupled, server
from theorems.vocabulary import *


def sides(r: Any) -> list[tuple[str, Any, Any]]:
    """(28), (29) against T steps of (24), (26), (27) with one global momentum."""
    W, m, P = server(r.grads, r.p, r.x, r.m, r, r.T)
    path = decoupled(r.grads, r.p, r.x, r.m, r, r.T)
    return [("P", P, sum(m for _, m in path[1:])), ("m(E+1)", m, path[-1][1]), ("W(E+1)", W, path[-1][0])]


def derive(proof: Derivation, s: Instance) -> None:
    """Averaging is linear: P sums the clients' mean momenta, which are the global ones (DA.E23), as T steps of W do."""
    r = numeric(s)
    common_start(proof, r)
    each, one, _ = global_momentum(proof, r, [r.m] * r.n)
    P = sum_of_momenta(proof, r, each, one)
    moved_at_once(proof, r, P, one)


def rests(s: Instance) -> list[Comparison]:
    r"""sum_i p_i sum_{k<T} (I - eta A_i)^k A_i (W - c_i) = 0 at rest, for every beta, alpha

    \sum_i\tfrac{N^i}{N}\sum_{k<T}(I-\eta A_i)^kA_i(W-c_i)=0
    """
    return rest_of_round(s)


def prove_rest() -> None:
    """sympy identity: By induction on T, (1 - beta) P = beta (m(E) - m(E+1)) + (1 - beta) sum_t sum_i p_i g^i(W^i(t)).
    At rest m(E+1) = m(E) and P = 0: the mean of the clients' sums of gradients is 0, which is FedAvg's condition, for
    any losses.
    """
    momenta_telescope()


STATEMENT = Statement(
    kind="equivalence",
    location="(28) and (29), section 4",
    says="A round of FedDA+SGDM makes T steps of the decoupled scheme: P sums the global momenta of the local steps, "
    "and W moves by alpha eta P.",
    headline=True,
    reading="'Aggregation' weighs by N^i/N over the clients that take part. The loop 't = 0, T - 1' runs over t = "
    "0..T-1.",
    domain=procedures(T=(1, 2, 3, 5, 10, 30)),
    hypotheses=(replace(BETA, without=LARGE_BETA), replace(RATES, without=ANY_RATES), WEIGHTS),
    printed=agreement(
        "P is the sum of the global momenta, and W(E+1), m(E+1) are those of T decoupled steps",
        r"P=\sum_{t=1}^Tm(t),\ W(E+1)=W(E)-\alpha\eta P",
        sides,
        derive=derive,
    ),
    steps=(
        Step("where it rests (ours): exactly where FedAvg with T local steps rests", claim_of(rests, prove=prove_rest)),
    ),
    note="So FedDA+SGDM is as biased as FedAvg (DA.D3): momentum changes the speed, not the resting point, and the "
    "inconsistency that section 4 blames on adaptivity is in the plain local steps. 'Mimics centralized SGDM' is "
    "exact for T = 1; for T = 2 even one client alone departs from SGDM (DA.D2), as its steps do not follow the "
    "momentum.",
)

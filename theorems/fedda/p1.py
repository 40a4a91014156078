"""DA section 4: FedDA + FedProx."""

from theorems.fedda.common import BETA, RATES, agreement, procedures, vanishes
from theorems.fedda.common_rest import momenta_telescope, rest_of_round
from theorems.fedda.listing_fedda import server
from theorems.vocabulary import *


def sides(r: Any, inside: bool) -> list[tuple[str, Any, Any]]:
    """W^i(T) with the printed parenthesis or the closed one, against descent on the proximal loss."""
    g, y, prox = r.grads[0], r.x, r.x
    for _ in range(r.T):
        pull = r.mu * (y - r.x)
        y = y - (g(y) + pull) * r.eta if inside else y - (g(y) + pull * r.eta)
        prox = prox - r.eta * (g(prox) + r.mu * (prox - r.x))
    return [("W^1(T)", y, prox)]


def rests(s: Instance) -> list[Comparison]:
    r"""sum_i p_i sum_{k<T} (I - eta (A_i + mu I))^k A_i (W - c_i) = 0 at rest

    \sum_i\tfrac{N^i}{N}\sum_{k<T}(I-\eta(A_i+\mu I))^kA_i(W-c_i)=0
    """
    return rest_of_round(s, s.mu)


def prove_rest() -> None:
    """sympy identity: As in DA.E28, P = 0 at rest says that the sums of g + mu (y - W) have mean 0. y_k - W = -(I -
    r^k)(A + mu)^-1 A e with r = I - eta (A + mu): the k-th of them is r^k A e.
    """
    momenta_telescope()
    A, mu, eta, e, y = sympy.symbols("A mu eta e y")  # e = W - c; y - W + (A + mu)^-1 A e shrinks by 1 - eta (A + mu)
    centre = A * e / (A + mu)
    step = y - eta * (A * (y + e) + mu * y)
    vanishes((step + centre) - (1 - eta * (A + mu)) * (y + centre), "local path")


def _server_at_zero(r: Any) -> list[tuple[str, Any, Any]]:
    """mu = 0 is FedDA+SGDM."""
    plain = server(r.grads, r.p, r.x, r.m, r, r.T)
    prox = server(r.grads, r.p, r.x, r.m, r, r.T, mu=r.mu * 0)
    return [("W(E+1) at mu = 0", prox[0], plain[0])]


PULL = Hypothesis("mu > 0", lambda s: [that(s.mu) > s.mu * 0])

STATEMENT = Statement(
    kind="equivalence",
    location="last paragraph of section 4",
    says="FedDA + FedProx: the clients take gradient steps of rate eta on L^i + mu/2 |W - W(E)|^2.",
    reading="The proximal loss is read off the momentum line, which has g^i + mu (W^i - W(E)).",
    severity="typo",
    domain=procedures(extras=("mu",)),
    hypotheses=(RATES, BETA, PULL),
    printed=agreement(
        "W^i - (g^i + mu (W^i - W(E)) eta) descends on the proximal loss",
        r"W^i(t+1)=W^i(t)-(g^i(W^i(t))+\mu(W^i(t)-W(E))\eta)",
        lambda r: sides(r, inside=False),
    ),
    corrected=agreement(
        "with the parenthesis closed before eta it does; mu = 0 is FedDA+SGDM",
        r"W^i(t+1)=W^i(t)-(g^i(W^i(t))+\mu(W^i(t)-W(E)))\eta",
        lambda r: [*sides(r, inside=True), *_server_at_zero(r)],
        "The same recursion, step by step, for unknown gradients.",
    ),
    steps=(
        Step("where it rests (ours): where FedProx with T gradient steps rests", claim_of(rests, prove=prove_rest)),
    ),
    note="As printed eta multiplies the proximal pull alone, and the gradient is applied with rate 1.",
)

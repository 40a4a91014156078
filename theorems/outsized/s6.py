"""OLR section 2.1, Appendix A: FedAvg is LocalUpdate with gamma = eta; model deltas make the server rate eta gamma."""

from theorems.outsized.common_equivalence import RATES, equivalence, local_descent, rounds_of, trajectories
from theorems.outsized.listing_local_update import grads, outer_loop
from theorems.outsized.s5 import sides as fedavg
from theorems.vocabulary import *


def model_delta(grad: Any, s: Instance, eta: Any = None) -> tuple[Any, Any]:
    """x - eta mean(x - x_i) (Reptile, Generalized FedAvg) against LocalUpdate with server rate eta gamma."""
    x = s.x
    for drawn in rounds_of(s):
        x = x - s.eta * (sum(x - local_descent(grad, x, s.gamma, S) for S in drawn) / s.M)
    return outer_loop(grad, s.x, s.eta * s.gamma if eta is None else eta, s.gamma, (1,) * s.K, rounds_of(s)), x


def both_forms(grad: Any, s: Instance) -> tuple[Any, Any]:
    """Both equivalences in one identity: alpha tells them apart."""
    pairs = fedavg(grad, s), model_delta(grad, s)
    return pairs[0][0] + s.alpha * pairs[1][0], pairs[0][1] + s.alpha * pairs[1][1]


def compare(s: Instance) -> list[Comparison]:
    r"""FedAvg and the model-delta form are LocalUpdate with server rates gamma and eta gamma

    x_{t+1}=x_t-\frac{\eta}{M}\sum_{i\in I_t}(x_t-x_t^i)=x_t-\frac{\eta\gamma}{M}\sum_{i\in I_t}\sum_k g_k^i
    """
    grad = grads(s.A, s.c)
    left, right = fedavg(grad, s)
    delta_left, delta_right = model_delta(grad, s)
    return [
        that("FedAvg", left) == right,
        that("model delta", delta_left) == delta_right,
        that("gamma = 0 stands still", model_delta(grad, _still(s))[1]) == s.x,
    ]


def _still(s: Instance) -> Any:
    return type(s)(**{**vars(s), "gamma": s.gamma * 0})


PROVED = equivalence(
    "",
    "",
    both_forms,
    [{"M": M, "K": K, "B": 1} for M in (1, 2, 3) for K in (1, 2, 3)],
    "FedAvg, the model-delta form and the printed listing play a round on unknown gradients; the end points agree. A "
    "client ends at x - gamma sum g_k, so both forms are x - (rate) mean(sum g_k), with rate gamma or eta gamma.",
)

STATEMENT = Statement(
    kind="equivalence",
    location="section 2.1, sixth bullet; Appendix A",
    says="FedAvg is LocalUpdate with Theta_{1:K} and eta = gamma; sending model deltas makes the server rate eta "
    "gamma, so that nothing moves at gamma = 0.",
    reading="'When gamma and eta are not equal we recover Reptile and Generalized FedAvg' means: with the server rate "
    "eta gamma, as Appendix A computes. With the same pair (gamma, eta) they differ unless gamma = 1.",
    note="Reptile and Generalized FedAvg reach every LocalUpdate with gamma > 0 (server rate eta / gamma), never "
    "gamma = 0.",
    domain=trajectories(),
    hypotheses=(RATES,),
    printed=claim_of(compare, prove=PROVED.prove),
)

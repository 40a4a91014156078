"""LAMB Lemma 1: how far the average model is from the local models."""

from theorems.fedlamb.common import sign, total
from theorems.fedlamb.common_gap import GIVEN, linear_clients, local_gap, prove_gap
from theorems.vocabulary import *

ONE = Domain(linear_clients, grid(n=(1, 2), h=(1, 2), d=(1,), T=(1,)), "one local step")


def loose(cursor: Cursor, **discrete: int) -> Instance:
    s = linear_clients(cursor, **discrete)
    s.M = s.M / 1000
    return s


LOOSE = Domain(loose, grid(n=(1, 2, 3), h=(1, 2), d=(1, 2), T=(1, 2)), "gradients a thousand times larger than M")


def right(s: Instance) -> Any:
    return s.alpha**2 * s.M**2 * s.phi**2 * (1 - s.beta2) * s.p / s.root_0**2


def printed(s: Instance) -> list[Comparison]:
    return [Comparison("gap", local_gap(s), "<=", right(s))]


def from_start(s: Instance) -> list[Comparison]:
    """The proof takes the model from which the step starts for the average that it ends in."""
    gap = total([(s.alpha * s.phi * sign(s.nb, s.g[0][layer][:, 0])) ** 2 for layer in range(s.h)])
    return [Comparison("sum over layers", gap, "<=", right(s))]


def same_point(s: Instance) -> list[Comparison]:
    start = s.alpha * 0
    step = [total([s.alpha * s.phi * sign(s.nb, client[layer][:, 0]) for client in s.g]) / s.n for layer in range(s.h)]
    return [Comparison(f"layer {k + 1}", start - moved, "==", start) for k, moved in enumerate(step)]


def corrected(s: Instance) -> list[Comparison]:
    n = s.n
    bound = 4 * s.alpha**2 * s.T**2 * s.phi**2 * s.h
    return [Comparison("gap", local_gap(s) * n * n, "<=", (n - 1) * (n - 1) * bound)]


def prove() -> Proof:
    prove_gap()
    return Proof(
        "z3",
        "T steps of length at most alpha phi_M move each layer by at most alpha T phi_M, so all models lie in a ball "
        "of radius R = alpha T phi_M sqrt(h) around the round's start; theta_i - mean = (1 - 1/n)(theta_i - mean of "
        "the others), and two points of a ball are at most 2R apart (z3). Attained by one client against all others.",
    )


STATEMENT = Statement(
    id="LAMB.L1",
    kind="upper bound",
    location="Lemma 1, section 4.1 (and B.1)",
    says="|theta-bar_r - theta_{r,i}|^2 <= alpha^2 M^2 phi_M^2 (1 - beta_2) p / v0.",
    reading="v0, which the paper does not define, is the least entry of v-hat (as its proofs use it: 1/sqrt(v-hat) <= "
    "1/sqrt(v0)); with the listing's v-hat_0 = 0 nothing is said. theta_{r,i} is the model that client i sends. "
    "Judged with phi constant, and gradients that are constant where the models go.",
    headline=True,
    severity="substantive",
    domain=Domain(
        linear_clients, grid(n=(1, 2, 3, 5), h=(1, 2), d=(1, 2), T=(1, 2, 10)), "linear losses, phi constant"
    ),
    hypotheses=(replace(GIVEN[0], without=LOOSE), *GIVEN[1:]),
    printed=Claim(
        "the gap is at most alpha^2 M^2 phi_M^2 (1 - beta_2) p / v0",
        r"\|\bar\theta_r-\theta_{r,i}\|^2\le\alpha_r^2M^2\phi_M^2\frac{(1-\beta_2)p}{v_0}",
        printed,
    ),
    corrected=Claim(
        "at most 4 (1 - 1/n)^2 alpha^2 T^2 phi_M^2 h, with neither M, beta_2, v0 nor p",
        r"\|\bar\theta_r-\theta_{r,i}\|^2\le4\left(1-\tfrac1n\right)^2\alpha^2T^2\phi_M^2\mathsf h",
        corrected,
        prove,
    ),
    steps=(
        Step(
            "theta_{r,i} = theta-bar_r - alpha phi p/|p| (for T = 1)",
            Claim(
                "the model from which the step starts, theta-bar_(r-1), is taken for the average theta-bar_r",
                r"\bar\theta_{r-1}=\bar\theta_r",
                same_point,
                domain=ONE,
                given=GIVEN,
            ),
            "theta_{r,i} = theta-bar_(r-1) - alpha phi p/|p|",
        ),
        Step(
            "sum over layers of alpha^2 phi^2 |p/|p||^2 <= alpha^2 M^2 phi_M^2 (1 - beta_2) p / v0",
            Claim(
                "a normalised step has length 1 in every layer, whatever M, beta_2 and v0",
                r"\sum_\ell\alpha^2\phi^2\le\alpha^2M^2\phi_M^2\frac{(1-\beta_2)p}{v_0}",
                from_start,
                domain=ONE,
                given=GIVEN,
            ),
            "sum over layers of alpha^2 phi^2 <= alpha^2 phi_M^2 h",
        ),
    ),
    note="Layer-wise normalisation removes the scale of the gradients: steps have length alpha phi however small the "
    "gradient is, so nothing as M^2 (1 - beta_2) / v0 can bound them. The proof treats T = 1 only; the gap grows "
    "like T^2.",
)

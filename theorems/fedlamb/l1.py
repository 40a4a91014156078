"""LAMB Lemma 1: how far the average model is from the local models."""

from theorems.bridges import extremes, roots, scaling, sums, triangle
from theorems.fedlamb.common import sign, total
from theorems.fedlamb.common_gap import GIVEN, linear_clients, local_gap
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
    r"""the gap is at most alpha^2 M^2 phi_M^2 (1 - beta_2) p / v0

    \|\bar\theta_r-\theta_{r,i}\|^2\le\alpha_r^2M^2\phi_M^2\frac{(1-\beta_2)p}{v_0}
    """
    return [that("gap", local_gap(s)) <= right(s)]


def from_start(s: Instance) -> list[Comparison]:
    r"""a normalised step has length 1 in every layer, whatever M, beta_2 and v0

    \sum_\ell\alpha^2\phi^2\le\alpha^2M^2\phi_M^2\frac{(1-\beta_2)p}{v_0}

    The proof takes the model from which the step starts for the average that it ends in.
    """
    gap = total([(s.alpha * s.phi * sign(s.nb, s.g[0][layer][:, 0])) ** 2 for layer in range(s.h)])
    return [that("sum over layers", gap) <= right(s)]


def same_point(s: Instance) -> list[Comparison]:
    r"""the model from which the step starts, theta-bar_(r-1), is taken for the average theta-bar_r

    \bar\theta_{r-1}=\bar\theta_r
    """
    start = s.alpha * 0
    step = [total([s.alpha * s.phi * sign(s.nb, client[layer][:, 0]) for client in s.g]) / s.n for layer in range(s.h)]
    return [that(f"layer {k + 1}", start - moved) == start for k, moved in enumerate(step)]


def corrected(s: Instance) -> list[Comparison]:
    r"""at most 4 (1 - 1/n)^2 alpha^2 T^2 phi_M^2 h, with neither M, beta_2, v0 nor p; so the printed bound stands
    where M^2 (1 - beta_2) p/v0 >= 4 (1 - 1/n)^2 T^2 h

    \|\bar\theta_r-\theta_{r,i}\|^2\le4\left(1-\tfrac1n\right)^2\alpha^2T^2\phi_M^2\mathsf h
    """
    n = s.n
    bound = 4 * s.alpha**2 * s.T**2 * s.phi**2 * s.h
    return [that("gap", local_gap(s) * n * n) <= (n - 1) * (n - 1) * bound]


def derive(proof: Derivation, s: Instance) -> None:
    """T steps of length alpha phi move a layer by at most alpha T phi; n (mean - theta_i) sums 2 (n - 1) such moves."""
    nb = s.nb
    c, d, o = reals("c d o")
    step, whole = s.alpha * s.phi, s.alpha * s.phi * s.T
    proof.setting("T >= 1", s.T, 1)
    proof.leaf("alpha phi > 0", [c > 0, d > 0], c * d > 0, c=s.alpha, d=s.phi)
    squares, most = [], 2 * whole * (s.n - 1)
    for layer in range(s.h):
        moved = [_moved(proof, s, client[layer], s.root[layer], step) for client in s.g]
        apart = moved[1:] + [-moved[0]] * (s.n - 1) + [0 * moved[0]]
        proof.cross(triangle, "n (mean - theta_i): the others' ways, and n - 1 times its own", nb=nb, vectors=apart)
        lengths = np.stack([nb.length(v) for v in apart], -1)
        proof.cross(sums, "2 (n - 1) ways", low=lengths, high=np.stack([whole] * (2 * s.n - 2) + [0 * whole], -1))
        gap = nb.length(sum(apart[1:], apart[0]))
        proof.leaf("a layer's gap", [0 <= d, d <= o, o <= c], d * d <= c * c, d=gap, o=lengths.sum(axis=-1), c=most)
        squares.append(gap * gap)
    proof.cross(sums, "layers", low=np.stack(squares, -1), high=np.stack([most * most] * s.h, -1))


def _moved(proof: Derivation, s: Instance, g: Any, root: Any, step: Any) -> Any:
    """What T steps move a layer by, -T alpha phi p/|p|, and that it is at most T alpha phi long; p = g/sqrt(v-hat)."""
    nb, (a, b, c, d, T) = s.nb, reals("a b c d T")
    p, top = g / root, nb.largest(root)
    square, size, length = (g * g).sum(axis=-1), nb.length(g), nb.length(p)
    proof.cross(roots, "|g|", nb=nb, x=square)
    proof.leaf("|g| > 0", [0 < a, 0 <= b, b * b == a], 0 < b, a=square, b=size)
    proof.cross(extremes, "entries of sqrt(v-hat)", nb=nb, x=root)
    proof.leaf("sqrt(v-hat) > 0", [0 < a, a <= b, b <= c], 0 < c, a=s.root_0[..., None], b=root, c=top[..., None])
    proof.cross(scaling, "|g| <= max sqrt(v-hat) |p|", nb=nb, u=p, v=root, low=s.root_0, high=top)
    proof.leaf("|p| > 0", [0 < a, a <= b * c, 0 < b, 0 <= c], 0 < c, a=size, b=top, c=length)
    rate = (step / length)[..., None] + 0 * p
    proof.leaf("alpha phi/|p| >= 0", [0 < a, 0 < b], 0 <= a / b, a=step, b=length)
    proof.leaf("one rate in a layer", [0 < b], a / b <= a / b, a=step[..., None], b=length[..., None] + 0 * p)
    proof.cross(scaling, "a step", nb=nb, u=p, v=rate, low=step / length, high=step / length)
    proof.cross(triangle, "T steps", nb=nb, vectors=[-(rate * p)] * s.T)
    moved = -(rate * p) * s.T
    proof.leaf(
        "T steps are at most T alpha phi long", [c <= T * d, d <= a / b * b, 0 < b, T >= 1], c <= T * a,
        a=step, b=length, c=nb.length(moved), d=nb.length(rate * p), T=nb.number(s.T),
    )  # fmt: skip
    return moved


STATEMENT = Statement(
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
    printed=claim_of(printed),
    corrected=claim_of(corrected, derive=derive),
    steps=(
        Step(
            "theta_{r,i} = theta-bar_r - alpha phi p/|p| (for T = 1)",
            claim_of(same_point, domain=ONE, given=GIVEN),
            "theta_{r,i} = theta-bar_(r-1) - alpha phi p/|p|",
        ),
        Step(
            "sum over layers of alpha^2 phi^2 |p/|p||^2 <= alpha^2 M^2 phi_M^2 (1 - beta_2) p / v0",
            claim_of(from_start, domain=ONE, given=GIVEN),
            "sum over layers of alpha^2 phi^2 <= alpha^2 phi_M^2 h",
        ),
    ),
    note="Layer-wise normalisation removes the scale of the gradients: steps have length alpha phi however small the "
    "gradient is, so nothing as M^2 (1 - beta_2) / v0 can bound them. The proof treats T = 1 only; the gap grows "
    "like T^2.",
)

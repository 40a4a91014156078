"""OLR sections 4 and 7.1: at gamma = 0 FedAvg is minibatch SGD with batches of K B examples a client."""

from theorems.outsized.common_examples import coordinates, example_gradients
from theorems.outsized.listing_local_update import draws, outer_loop
from theorems.vocabulary import *

EXAMPLES, ROUNDS = 3, 2
SIZES = grid(d=(1, 2), M=(1, 2), K=(1, 2, 4), B=(1, 2))


def moving(cursor: Cursor, d: int, M: int, K: int, B: int) -> Instance:
    """Three examples, any of which any client may have; two rounds with fixed draws; any rates."""
    p = clients(cursor, EXAMPLES, d)
    x = np.stack([2 - 4 * u for u in cursor.many(d)], -1)
    eta, gamma = (2 * u / p.L for u in cursor.many(2))
    return Instance(nb=cursor.nb, p=p, x=x, eta=eta, gamma=gamma, M=M, K=K, B=B)


def still(cursor: Cursor, **discrete: Any) -> Instance:
    s = moving(cursor, **discrete)
    s.gamma = s.gamma * 0
    return s


def rounds_of(s: Instance) -> list[list[list[list[int]]]]:
    return draws(ROUNDS, s.M, s.K, s.B, EXAMPLES)


def minibatch(s: Instance) -> list[Any]:
    """x_1, x_2, ... of minibatch SGD with rate K eta: each client's gradient over its K B examples, averaged."""
    grad, points = example_gradients(s.p), [s.x]
    for drawn in rounds_of(s):
        batches = [[z for S in client for z in S] for client in drawn]
        means = [sum(grad(points[-1], z) for z in batch) / (s.K * s.B) for batch in batches]
        points.append(points[-1] - s.K * s.eta[..., None] * (sum(means) / s.M))
    return points


def compare(s: Instance) -> list[Comparison]:
    r"""the iterates of both agree after two rounds, with the server rate K eta

    \gamma=0:\quad x_{t+1}=x_t-\eta q_t=x_t-K\eta\,\frac1M\sum_{i\in I_t}\frac1{KB}\sum_{z\in S_1\cup\dots\cup S_K}%
      \nabla f(x_t;z)
    """
    eta, gamma = s.eta[..., None], s.gamma[..., None]
    end = outer_loop(example_gradients(s.p), s.x, eta, gamma, [1] * s.K, rounds_of(s))
    return coordinates("end points", end, minibatch(s)[-1])


def derive(proof: Derivation, s: Instance) -> None:
    """One round: x - eta T/(M B) = x - K eta T/(M K B), T the sum of all gradients, which are all taken at x."""
    grad, nb = example_gradients(s.p), s.nb
    x, e, t, k, b, m = reals("x eta T K B M")
    for name, value in (("K >= 1", s.K), ("B >= 1", s.B), ("M >= 1", s.M)):
        proof.setting(name, value, 1)
    here = {"eta": s.eta[..., None], "K": nb.number(s.K), "B": nb.number(s.B), "M": nb.number(s.M)}
    for point, drawn in zip(minibatch(s), rounds_of(s), strict=False):
        total = sum(grad(point, z) for client in drawn for S in client for z in S)
        proof.leaf("one round", [k >= 1, b >= 1, m >= 1], x - e * (t / (b * m)) == x - k * e * (t / (k * b) / m),
                   x=point, T=total, **here)  # fmt: skip


STATEMENT = Statement(
    kind="equivalence",
    location="section 4, empirical examples; section 7.1, after Corollary 28",
    says="When gamma = 0, LocalUpdate (FedAvg) reduces to minibatch SGD with batches of size K B on each client, but "
    "the "
    "gradients are summed rather than averaged.",
    reading="Summed: the server rate of minibatch SGD is K eta. Each client draws its K B examples by itself.",
    domain=Domain(still, SIZES, "three quadratic examples, gamma = 0, two rounds with fixed draws"),
    hypotheses=(Hypothesis("gamma = 0", lambda s: [that(s.gamma) == s.gamma * 0], Domain(moving, SIZES, "any gamma")),),
    printed=claim_of(compare, derive=derive),
    note="With M = 1 (section 4) all K B examples come from one client: it is minibatch SGD over that client's data, "
    "not over "
    "the population's.",
)

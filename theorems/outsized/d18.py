"""OLR section 9: a client's loss has to be estimated before its local updates, not after them."""

from theorems.bridges import form, forms_grow
from theorems.outsized.common import ASSUMPTION_2, GAMMA_BELOW, fedavg_instance
from theorems.outsized.lemmas import column, powers_fall
from theorems.vocabulary import *


def decode(cursor: Cursor, n: int, d: int, K: int, top: int = 1) -> Instance:
    s = fedavg_instance(cursor, n, d, K, weighted=True)
    s.gamma, s.x = s.gamma * top, np.stack([3 - 6 * u for u in cursor.many(d)], -1)
    return s


def compare(s: Instance) -> list[Comparison]:
    r"""after K steps of gradient descent the clients' mean loss is at most (1 - gamma mu)^(2K) of what it was at x_t

    \mathbb E[f_i(X^i_K(x_t))]\le(1-\gamma\mu)^{2K}f(x_t)
    """
    p, kept = s.p, s.p.nb.power(1 - column(s.gamma) * s.p.lam, 2 * s.K)
    bound = p.nb.power(1 - s.gamma * p.mu, 2 * s.K) * p.quadratic(p.lam, s.x)
    return [that("loss after local training", p.quadratic(p.lam * kept, s.x)) <= bound]


def derive(proof: Derivation, s: Instance) -> None:
    """f_i(X_K) = 1/2 (x - c_i)^T A_i (I - gamma A_i)^(2K) (x - c_i), and (1 - gamma lam)^2K <= (1 - gamma mu)^2K."""
    p, n = s.p, 2 * s.K
    m, x, g, L, a, b = reals("mu lam gamma L a b")
    gamma, mu = column(s.gamma), column(p.mu)
    proof.leaf("lambda > 0", [m > 0, m <= x], 0 < x, mu=mu, lam=p.lam)
    proof.leaf("gamma lambda <= 1", [g > 0, x <= L, g * L < 1], g * x <= 1, gamma=gamma, lam=p.lam, L=column(p.L))
    powers_fall(proof, gamma, n, mu, p.lam)
    kept, most = (1 - gamma * p.lam) ** n, (1 - gamma * mu) ** n
    proof.leaf("lam (1 - gamma lam)^(2K)", [x > 0, a <= b], x * a <= b * x, lam=p.lam, a=kept, b=most)
    v = s.x[..., None, :] - p.c
    proof.cross(forms_grow, "for every client, and in the mean", p=p, low=p.lam * kept, high=most * p.lam, v=v)
    proof.leaf("halves", [a <= b], a / 2 <= b / 2, a=form(p, p.lam * kept, v, v), b=form(p, most * p.lam, v, v))


STATEMENT = Statement(
    kind="upper bound",
    location="section 9, before (24)",
    says="It is important that f_i(x_t) is estimated before computing any local updates, as otherwise we risk "
    "overfitting "
    "to the client's dataset.",
    reading="The estimate after the updates is f_i at the client's last local model: judged is by how much it is too "
    "low. Full "
    "gradients; f_i without its constant (Lemma 1).",
    domain=Domain(
        decode,
        grid(n=(1, 2, 3), d=(1, 2), K=(1, 2, 3, 10, 1000)),
        "weighted clients, any x, 0 < gamma < 1/L, K up to 1000",
    ),
    hypotheses=(
        ASSUMPTION_2,
        replace(
            GAMMA_BELOW,
            without=Domain(
                lambda cursor, **discrete: decode(cursor, **discrete, top=2),
                grid(n=(1, 2), d=(1,), K=(1, 2)),
                "gamma < 2/L",
            ),
        ),
    ),
    printed=claim_of(compare, derive=derive),
    note="That estimate is K-MAML's loss, (13), and is least at another point than f (OLR.T4).",
)

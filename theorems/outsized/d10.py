"""OLR section 2.1: the results extend to epochs, where clients take as many steps as their data needs."""

from surrogate import bounds
from theorems.bridges import powers, sums
from theorems.outsized.common import ASSUMPTION_2, GAMMA_BELOW
from theorems.outsized.lemmas import column, phi_bounds
from theorems.outsized.lemmas_clients import distances, moved_by
from theorems.vocabulary import *

FEW = ((2, 2), (1, 2), (1, 3), (2, 5), (1, 2, 4))
MANY = (*FEW, (10, 100), (7, 1000), (3, 30, 10**4))


def decode(cursor: Cursor, steps: tuple[int, ...], K: int, d: int, top: int = 1) -> Instance:
    """Clients that take K_i <= K steps."""
    p = clients(cursor, len(steps), d, weighted=True)
    counts = {f"K_{i + 1}": count for i, count in enumerate(steps)}
    return Instance(p=p, gamma=rate(cursor, p.L) * top, steps=steps, K=K, **counts)


def pooled(s: Instance) -> Population:
    """The clients with the weights w_i K_i, normalised."""
    raw = s.p.w * np.array(s.steps)
    clients_of_all: Population = replace(s.p, w=raw / raw.sum(axis=-1)[..., None])
    return clients_of_all


def settings(steps: Sequence[tuple[int, ...]], d: Sequence[int]) -> tuple[Mapping[str, Any], ...]:
    return tuple({"steps": counts, "K": max(counts), "d": size} for counts in steps for size in d)


def each(s: Instance, spectrum: Callable[[Any, Theta], Any]) -> Any:
    """A function of gamma lambda and Theta_{1:K_i}, client by client, (..., n, d)."""
    z = column(s.gamma) * s.p.lam
    return np.stack([spectrum(z[..., i, :], Theta.sum(count)) for i, count in enumerate(s.steps)], -2)


def moved(p: Population, s: Instance, x: Any, counts: Any) -> Any:
    """Where the answers, divided by ``counts``, cancel, less x, where sum w_i (K_i/counts_i) A_i (x - c_i) = 0."""
    q, off = (each(s, f) / counts[:, None] for f in (p.nb.filter, p.nb.deficit))
    residuals = p.spectral(p.lam * off) @ (x[..., None, :] - p.c)[..., None]
    return -p.nb.solve(p.hessian(p.lam * q), p.mean(residuals[..., 0]))


def raw(s: Instance) -> Any:
    """The resting point of the answers as sent, less the minimizer of the pooled loss E[K_i f_i]."""
    return moved(s.p, s, pooled(s).minimizer, np.array([1] * len(s.steps)))


def divided(p: Population, s: Instance) -> Any:
    """The resting point of the answers divided by K_i, less x*."""
    return moved(p, s, p.minimizer, np.array(s.steps))


def limit(p: Population, s: Instance) -> Any:
    return bounds.theorem_17(p.mu, p.L, p.sigma_A, p.sigma_c, s.gamma, s.K)


def printed(s: Instance) -> list[Comparison]:
    """Theorem 17 with the most steps that any client takes."""
    displacement = raw(s) + pooled(s).minimizer - s.p.minimizer
    return [that("Theorem 17", s.p.nb.length(displacement)) <= limit(s.p, s)]


def corrected(s: Instance) -> list[Comparison]:
    length = s.p.nb.length
    return [
        that("from the minimizer of the pooled loss", length(raw(s))) <= limit(pooled(s), s),
        that("answers divided by K_i, from x*", length(divided(s.p, s))) <= limit(s.p, s),
    ]


def _more_steps(proof: Derivation, s: Instance) -> None:
    """The mean of the first K_i powers r^k of 0 <= r = 1 - gamma lambda <= 1 is at least that of the first K."""
    nb, r = s.p.nb, 1 - column(s.gamma) * s.p.lam
    a, b, S, k, q = reals("a b S k q")
    proof.cross(powers, "r^k is in [0, 1]", low=r, high=r * 0 + 1, exponents=range(s.K + 1))
    for i, count in enumerate(s.steps):
        here = r[..., i, :]
        low = sum(here**j for j in range(count)) / count
        proof.leaf("the same mean", [], a <= a, a=low)
        for n in range(count, s.K):
            for j in range(n):
                proof.leaf("r^k <= r^j", [a >= 0, b <= 1], a * b <= a, a=here**j, b=here ** (n - j))
            terms = np.stack([here**j for j in range(n)], -1)
            proof.cross(sums, "n r^n <= S_n", low=terms * 0 + (here**n)[..., None], high=terms)
            total = terms.sum(axis=-1)
            proof.setting("n >= 1", n, 1)
            proof.leaf("a mean of more powers is smaller", [k >= 1, k * q <= S, S / k <= b], (S + q) / (k + 1) <= b,
                       S=total, q=here**n, k=nb.number(n), b=low)  # fmt: skip


def _weights(proof: Derivation, s: Instance) -> None:
    """w_i K_i / sum w_j K_j are weights."""
    nb, w = s.p.nb, s.p.w
    a, k, t = reals("w K total")
    raw = w * np.array(s.steps)
    total = raw.sum(axis=-1)
    for i, count in enumerate(s.steps):
        proof.setting("K_i >= 1", count, 1)
        proof.leaf("w_i <= w_i K_i", [a >= 0, k >= 1], a <= a * k, w=w[..., i], K=nb.number(count))
    proof.cross(sums, "sum w_j <= sum w_j K_j", low=w, high=raw)
    proof.leaf("sum w_j K_j >= 1", [a >= 1, a <= t], 1 <= t, w=w.sum(axis=-1), total=total)
    for i, count in enumerate(s.steps):
        proof.leaf(
            "weights of at least 0",
            [a >= 0, k >= 1, t >= 1],
            0 <= a * k / t,
            w=w[..., i],
            K=nb.number(count),
            total=total,
        )
    proof.leaf("weights sum to 1", [t >= 1], t / t == 1, total=total)


def derive(proof: Derivation, s: Instance) -> None:
    """M_i = Q_i A_i / K_i: phi_mu / K <= M_i <= L and |M_i - A_i| <= L - phi_L / K with the most steps, K."""
    nb, gamma, K = s.p.nb, column(s.gamma), s.K
    phi_bounds(proof, s.p, s.gamma, K)
    _more_steps(proof, s)
    mean = each(s, nb.filter) / np.array(s.steps)[:, None]
    whole = nb.filter(gamma * s.p.lam, Theta.sum(K)) / K
    proof.setting("K >= 1", K, 1)
    x, top, m, u, v, n, low, gap = reals("lam L mu u v K phi_mu gap")
    below, drop = column(bounds.phi(K, s.p.mu, s.gamma)), column(bounds.phi_deficit(K, s.p.L, s.gamma))
    here = {"lam": s.p.lam, "u": whole, "v": mean, "K": nb.number(K)}
    proof.leaf("lambda > 0", [m > 0, m <= x], 0 < x, mu=column(s.p.mu), lam=s.p.lam)
    proof.leaf("M_i >= phi_mu / K", [x > 0, u <= v, low <= n * (x * u), n >= 1], low / n <= x * v,
               phi_mu=below, **here)  # fmt: skip
    proof.leaf("phi_mu / K > 0", [low > 0, n >= 1], 0 < low / n, phi_mu=below, K=nb.number(K))
    for i, count in enumerate(s.steps):
        r = 1 - s.gamma[..., None] * s.p.lam[..., i, :]
        terms = np.stack([r**j for j in range(count)], -1)
        proof.cross(sums, "S_n <= n", low=terms, high=terms * 0 + 1)
        proof.setting("K_i >= 1", count, 1)
        proof.leaf("a mean is at most 1", [u <= n, n >= 1], u / n <= 1, u=terms.sum(axis=-1), K=nb.number(count))
    proof.leaf("M_i <= L", [0 < x, x <= top, v <= 1], x * v <= top, lam=s.p.lam, L=column(s.p.L), v=mean)
    proof.leaf("A_i - M_i <= gap", [x > 0, u <= v, n * x - n * (x * u) <= gap, n >= 1], -(gap / n) <= x * v - x,
               gap=drop, **here)  # fmt: skip
    proof.leaf("M_i - A_i <= gap", [x > 0, v <= 1, n * x - n * (x * u) <= gap, 0 <= n * x - n * (x * u), n >= 1],
               x * v - x <= gap / n, gap=drop, **here)  # fmt: skip
    _weights(proof, s)
    for p in (pooled(s), s.p):
        far = p.sigma_c * (1 + p.sigma_A / p.mu)
        distances(proof, p)
        ends = (below[..., 0, 0] / K, p.L)
        moved_by(proof, p, p.lam * mean, p.lam, p.L * 0 + 1, drop[..., 0, 0] / K, ends, far)
    ours = nb.length(pooled(s).rest(s.p.lam * mean) - pooled(s).minimizer)
    proof.define("the answers as sent cancel where those of the pooled clients do", nb.length(raw(s)), ours)
    a, b, c = reals("a b c")
    proof.leaf("as sent", [a == b, b <= c], a <= c, a=nb.length(raw(s)), b=ours, c=limit(pooled(s), s))


FASTER = Domain(lambda cursor, **discrete: decode(cursor, **discrete, top=2), settings(FEW, (1,)), "0 < gamma < 2/L")

STATEMENT = Statement(
    kind="upper bound",
    location="section 2.1, last paragraph",
    says="Where clients run E epochs, about E|S_i|/B steps each, in place of K(Theta) steps, 'our results can be "
    "easily "
    "extended': FedAvg's resting point is within Theorem 17's bound of x*.",
    reading="FedAvg (Theta_{1:K_i}), K_i steps of client i, and K in the bound the most that any client takes. "
    "Minibatches are drawn with replacement, as in Algorithm 2, so that the numbers of steps alone are new; for passes "
    "over the data see OLR.D10b.",
    severity="missing-hypothesis",
    domain=Domain(decode, settings(FEW, (1,)), "two or three weighted clients in d = 1 with K_i steps"),
    hypotheses=(ASSUMPTION_2, replace(GAMMA_BELOW, without=FASTER)),
    printed=Claim(
        "within Theorem 17's bound of x*",
        r"\|\tilde x-x^*\|\le\sigma_c\left(1+\frac{\sigma_A}\mu\right)\frac{LK-\phi_{K,L}(\gamma)}{\phi_{K,\mu}("
        r"\gamma)},"
        r"\quad K=\max_iK_i",
        printed,
    ),
    corrected=Claim(
        "as printed where all clients take equally many steps; else Theorem 17's bound, with the weights w_i K_i in "
        "sigma_c and sigma_A, is on the distance to the minimizer of the pooled loss E[K_i f_i], and as printed on the "
        "distance to x* where each client divides its answer by K_i",
        r"\|\tilde x-\operatorname{argmin}\mathbb E[K_if_i]\|\le\sigma_c\left(1+\frac{\sigma_A}\mu\right)"
        r"\frac{LK-\phi_{K,L}(\gamma)}{\phi_{K,\mu}(\gamma)}",
        corrected,
        domain=Domain(decode, settings(MANY, (1, 2)), "two or three weighted clients with K_i steps, d = 1, 2"),
        given=(ASSUMPTION_2, GAMMA_BELOW),
        derive=derive,
    ),
    note="As gamma tends to 0 the bound vanishes, and the resting point tends to the minimizer of E[K_i f_i]: with "
    "K_i = E|S_i|/B that is the loss of the pooled data, which may be what is wanted, but it is not f where P is "
    "uniform over clients, as in section 8. FedNova divides by K_i (DICT.fednova).",
)

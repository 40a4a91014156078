"""OLR (17): phi_{K,lambda} is continuous at gamma = 0, where it is K lambda."""

from surrogate import bounds
from theorems.bridges import powers, sums
from theorems.domain import STEPS
from theorems.outsized.lemmas import bernoulli
from theorems.vocabulary import *


def decode(cursor: Cursor, K: int) -> Instance:
    lam = 1 - cursor.take()
    return Instance(nb=cursor.nb, lam=lam, gamma=rate(cursor, zero=True), K=K, theta=Theta.sum(K))


def compare(s: Instance) -> list[Comparison]:
    r"""K lambda at 0, approached at the rate gamma

    \phi_{K,\lambda}(0)=K\lambda,\quad 0\le K\lambda-\phi_{K,\lambda}(\gamma)\le\tbinom K2\gamma\lambda^2

    At 0, and a Lipschitz bound on the way there: 0 <= K lam - phi <= K (K - 1) / 2 gamma lam^2.
    """
    gap = bounds.phi_deficit(s.K, s.lam, s.gamma)
    return [
        that("value at 0", bounds.phi(s.K, s.lam, s.gamma * 0)) == s.K * s.lam,
        that("below K lambda", gap) >= s.gamma * 0,
        that("modulus", gap) <= s.K * (s.K - 1) / 2 * s.gamma * s.lam**2,
    ]


def derive(proof: Derivation, s: Instance) -> None:
    """phi is taken by (18): the deficit is lam sum_k (1 - (1 - z)^k), z = gamma lambda, 0 <= 1 - (1 - z)^k <= k z."""
    nb, z = s.nb, s.gamma * s.lam
    g, x, t, n, P, S = reals("gamma lam z k P S")
    proof.leaf("z >= 0", [g >= 0, x >= 0], 0 <= g * x, gamma=s.gamma, lam=s.lam)
    proof.leaf("1 - z >= 0", [t <= 1], 0 <= 1 - t, z=z)
    proof.leaf("1 - z <= 1", [t >= 0], 1 - t <= 1, z=z)
    proof.cross(powers, "(1 - z)^k <= 1", low=1 - z, high=z * 0 + 1, exponents=range(s.K + 1))
    bernoulli(proof, nb, z, s.K)
    for k in range(s.K):
        here = {"z": z, "k": nb.number(k), "P": (1 - z) ** k}
        proof.leaf("1 - P >= 0", [P <= 1], 0 <= 1 - P, P=here["P"])
        proof.leaf("1 - P <= k z", [1 - n * t <= P], 1 - P <= n * t, **here)
    terms = np.stack([1 - (1 - z) ** k for k in range(s.K)], -1)
    proof.cross(sums, "deficits are at least 0", low=terms * 0, high=terms)
    proof.cross(sums, "deficits are at most the sum of k z", low=terms, high=np.stack([k * z for k in range(s.K)], -1))
    total, count = terms.sum(axis=-1), nb.number(s.K)
    proof.leaf("times lambda", [x >= 0, S >= 0], 0 <= x * S, lam=s.lam, S=total)
    proof.leaf("the modulus", [x >= 0, S <= n * (n - 1) / 2 * (g * x)], x * S <= n * (n - 1) / 2 * g * (x * x),
               gamma=s.gamma, lam=s.lam, k=count, S=total)  # fmt: skip
    proof.leaf("at gamma = 0", [], n * x == n * x, k=count, lam=s.lam)


STATEMENT = Statement(
    kind="limit",
    location="(17), section 5",
    says="phi_{K,lambda}(gamma) = (1 - (1 - gamma lambda)^K) / gamma extends continuously to gamma = 0 by K lambda.",
    reading="Continuity with a modulus: 0 <= K lambda - phi <= K (K - 1) / 2 gamma lambda^2 for gamma lambda <= 1.",
    note="The modulus is ours, and sharp as gamma -> 0.",
    domain=Domain(decode, grid(K=STEPS), "0 <= lambda <= 1, 0 <= gamma < 1"),
    hypotheses=(
        Hypothesis("gamma lambda <= 1", lambda s: [that(s.gamma * s.lam) <= s.gamma * 0 + 1]),
        Hypothesis(
            "gamma, lambda >= 0", lambda s: [that("gamma", s.gamma) >= s.gamma * 0, that("lambda", s.lam) >= s.lam * 0]
        ),
    ),
    printed=claim_of(compare, derive=derive),
)

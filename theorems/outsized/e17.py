"""OLR (17): phi_{K,lambda} is continuous at gamma = 0, where it is K lambda."""

from surrogate import bounds
from theorems.domain import STEPS
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


def prove() -> None:
    """z3: phi is taken by (18). With z = gamma lambda the deficit G_K = sum_{k<K} (1 - (1 - z)^k) obeys 0 <= G_K <= K
    (K - 1) z / 2: induction on K with Bernoulli's 1 - (1 - z)^K <= K z, each step over all reals. So phi tends to K
    lambda as gamma -> 0, which is its value there.

    With z = gamma lam in [0, 1]: 1 - (1 - z)^K <= K z, and the deficits add up. P = (1 - z)^K, G = sum so far.
    """
    z, P, K, G = reals("z P K G")
    inside = [0 <= z, z <= 1, K >= 1, 0 <= P, P <= 1]
    smt([*inside, 1 - P <= K * z], 1 - P * (1 - z) <= (K + 1) * z)
    smt([*inside, 1 - P <= K * z, 2 * G <= K * (K - 1) * z], 2 * (G + 1 - P) <= (K + 1) * K * z)
    smt([*inside, G >= 0], G + 1 - P >= 0)


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
    printed=claim_of(compare, prove=prove),
)

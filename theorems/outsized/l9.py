"""OLR Lemma 9: the closed form of Q_i(gamma, Theta_{1:K}), printed without its exponent."""

from theorems.bridges import affine_steps
from theorems.outsized.common import ASSUMPTION_2, GAMMA_BELOW
from theorems.outsized.common_spectrum import distortion
from theorems.vocabulary import *


def decode(cursor: Cursor, d: int, K: int) -> Instance:
    """gamma L from 1/2 down to 1/10."""
    p = clients(cursor, 1, d)
    return Instance(p=p, gamma=(5 - 4 * cursor.take()) / 10, K=K, theta=Theta.sum(K))


def entries(label: str, lhs: Numbers, rhs: Numbers) -> list[Comparison]:
    d = lhs.shape[-1]
    return [that(f"{label} {i + 1}{j + 1}", lhs[:, i, j]) == rhs[:, i, j] for i in range(d) for j in range(d)]


def matrices(s: Instance) -> tuple[Any, Any, Any, Any]:
    """I, gamma A_i, I - gamma A_i and Q_i by (8)."""
    eye = s.p.spectral(s.p.lam * 0 + 1)[:, 0]
    scaled = s.gamma[:, None, None] * s.p.A[:, 0]
    return eye, scaled, eye - scaled, distortion(s.p, s.gamma, s.theta)[:, 0]


def power(M: Any, n: int) -> Any:
    result = M
    for _ in range(n - 1):
        result = result @ M
    return result


def closed(s: Instance, exponent: int) -> list[Comparison]:
    """Q_i (gamma A_i) against I - (I - gamma A_i)^exponent."""
    eye, scaled, step, Q = matrices(s)
    return entries("Q gamma A", Q @ scaled, eye - power(step, exponent))


def of_inverses(s: Instance) -> list[Comparison]:
    r"""the sum of inverses

    Q_i=\sum_{k=1}^K(I-\gamma A_i)^{-1}

    The proof's sum of (I - gamma A_i)^-1: times I - gamma A_i it is K I.
    """
    eye, _, step, Q = matrices(s)
    return entries("sum", Q @ step, eye * s.K)


def derive(proof: Derivation, s: Instance) -> None:
    """(I - (I - Z)^K) e_j = sum_{k<K} (I - Z)^k Z e_j with Z = gamma A_i: K steps from e_j, column by column."""
    eye, scaled, *_ = matrices(s)
    for j in range(s.p.d):
        proof.cross(affine_steps, "Q_i Z, column by column", Z=scaled, c=eye[..., j] * 0, x=eye[..., j], count=s.K)


STATEMENT = Statement(
    kind="identity",
    location="Lemma 9, section 5; proof in B.2.5",
    says="Q_i(gamma, Theta_{1:K}) = (I - (I - gamma A_i)) (gamma A_i)^-1.",
    reading="Multiplied by gamma A_i. The exponents printed around it (in the line after Lemma 10, for one) are "
    "legible, so the missing one is taken as the authors'; the '-1' of the proof might be a damaged 'k-1' or 'K'.",
    severity="typo",
    note="As printed Q_i would be I for every K. The paper goes on with the right form, I - (I - gamma A_i)^K over "
    "gamma.",
    domain=Domain(decode, grid(d=(1, 2), K=(1, 2, 3, 5)), "one client, 1/10 <= gamma L <= 1/2"),
    hypotheses=(ASSUMPTION_2, GAMMA_BELOW),
    printed=Claim(
        "no exponent", r"Q_i(\gamma,\Theta_{1:K})=(I-(I-\gamma A_i))(\gamma A_i)^{-1}", lambda s: closed(s, 1)
    ),
    corrected=Claim(
        "exponent K",
        r"Q_i(\gamma,\Theta_{1:K})=(I-(I-\gamma A_i)^K)(\gamma A_i)^{-1}",
        lambda s: closed(s, s.K),
        derive=derive,
    ),
    steps=(
        Step(
            "B.2.5: Q_i = sum_{k=1}^K (I - gamma A_i)^-1",
            claim_of(of_inverses),
            "Q_i = sum_{k=1}^K (I - gamma A_i)^(k-1)",
        ),
        Step(
            "B.2.5, last display: Q_i = (I - (I - gamma A_i)^-1) (gamma A_i)^-1",
            Claim(
                "Q_i gamma A_i (I - gamma A_i) = -gamma A_i",
                r"Q_i=(I-(I-\gamma A_i)^{-1})(\gamma A_i)^{-1}",
                lambda s: entries("Q", matrices(s)[3] @ matrices(s)[1] @ matrices(s)[2], -matrices(s)[1]),
            ),
            "exponent K instead of -1",
        ),
    ),
)

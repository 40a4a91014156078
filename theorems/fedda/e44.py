"""DA (44): the matrix A and its eigenvalues."""

from theorems.bridges import roots
from theorems.fedda.common import below_one
from theorems.vocabulary import *


def decode(cursor: Cursor, top: int) -> Instance:
    beta, eta, L = below_one(cursor), top * (1 - below_one(cursor)), 1 - below_one(cursor)
    return Instance(nb=cursor.nb, beta=beta, eta=eta, L=L)


def eigenvalues(s: Instance, inside: Scalar) -> tuple[Any, Any]:
    """(-(1 - beta) -+ sqrt((1 - beta)^2 + 4 (1 - beta) L_g inside)) / (2 eta)."""
    keep = 1 - s.beta
    root = s.nb.sqrt(keep * keep + 4 * keep * s.L * inside)
    return (-keep - root) / (2 * s.eta), (-keep + root) / (2 * s.eta)


def compare(s: Instance, inside: Any) -> list[Comparison]:
    """Sum and product against trace and determinant of A."""
    k = (1 - s.beta) / s.eta
    low, high = eigenvalues(s, inside)
    return [that("trace", low + high) == -k, that("determinant", low * high) == -(k * s.L)]


def corrected(s: Instance) -> list[Comparison]:
    r"""as printed for eta = 1; else with L_g eta under the root, where 0 < lambda+ <= L_g

    \lambda^\pm=\frac{-(1-\beta)\pm\sqrt{(1-\beta)^2+4(1-\beta)L_g\eta}}{2\eta},\quad0<\lambda^+\le L_g
    """
    high = eigenvalues(s, s.eta)[1]
    return [*compare(s, s.eta), that("lambda+ <= L_g", high) <= s.L, that("positive", high) > s.L * 0]


def derive(proof: Derivation, s: Instance) -> None:
    """lambda^2 + k lambda - k L_g = 0 with k = (1 - beta)/eta; the root is at most (1 - beta) + 2 eta L_g."""
    k, e, L, q = reals("keep eta L root")
    keep = 1 - s.beta
    inside = keep * keep + 4 * keep * s.L * s.eta
    root = s.nb.sqrt(inside)
    here = {"keep": keep, "eta": s.eta, "L": s.L, "root": root}
    proof.leaf("1 - beta > 0", [e < 1], 0 < 1 - e, eta=s.beta)
    proof.leaf("the square", [0 < k, 0 < e, 0 < L], 0 <= k * k + 4 * k * L * e, keep=keep, eta=s.eta, L=s.L)
    proof.cross(roots, "the root", nb=s.nb, x=inside)
    given = [q * q == k * k + 4 * k * L * e, 0 < e]
    low, high = (-k - q) / (2 * e), (-k + q) / (2 * e)
    proof.leaf("trace", [0 < e], low + high == -(k / e), keep=keep, eta=s.eta, root=root)
    proof.leaf("determinant", given, low * high == -(k / e * L), **here)
    proof.leaf("positive", [*given, 0 < k, 0 < L, 0 <= q], 0 < high, **here)
    proof.leaf("the root is at most 1 - beta + 2 eta L_g", [*given, 0 < k, 0 < L, 0 <= q], q <= k + 2 * e * L, **here)
    proof.leaf("lambda+ <= L_g", [q <= k + 2 * e * L, 0 < e], high <= L, **here)


STATEMENT = Statement(
    kind="spectrum",
    location="(44) and after, appendix A.3",
    says="A = [[-(1 - beta)/eta, (1 - beta) L_g/eta], [1, 0]] has the eigenvalues (-(1 - beta) +- sqrt((1 - beta)^2 "
    "+ 4 (1 - beta) L_g))/(2 eta).",
    severity="substantive",
    domain=Domain(decode, grid(top=(1, 10)), "0 <= beta < 1, 0 < eta <= 1 (or 10), 0 < L_g <= 1"),
    hypotheses=(
        Hypothesis(
            "0 <= beta < 1, eta, L_g > 0",
            lambda s: [that("beta", s.beta) < s.L * 0 + 1, that("eta", s.eta) > s.L * 0, that("L_g", s.L) > s.L * 0],
        ),
    ),
    printed=Claim(
        "they add up to the trace and multiply to the determinant",
        r"\lambda^\pm=\frac{-(1-\beta)\pm\sqrt{(1-\beta)^2+4(1-\beta)L_g}}{2\eta}",
        lambda s: compare(s, 1),
    ),
    corrected=claim_of(corrected, derive=derive),
    steps=(
        Step(
            "beside the proof: after (47): the eigenvalues of [[-(1 - beta)/eta, 0], [1, 0]] are 0 and -(1 - beta)",
            Claim(
                "their sum is the trace",
                r"0-(1-\beta)=-\frac{1-\beta}{\eta}",
                lambda s: [that("trace", -(1 - s.beta)) == -(1 - s.beta) / s.eta],
            ),
            "0 and -(1 - beta)/eta, as before (50)",
        ),
    ),
    note="The slip makes lambda+ of the order 1/eta, so that exp(lambda+ t eta) grows with the number of steps t for "
    "every eta; in truth it is at most exp(L_g t eta), as small as the drift of gradient descent itself over the "
    "time t eta.",
)

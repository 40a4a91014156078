"""DA (44): the matrix A and its eigenvalues."""

from theorems.fedda.common import below_one, vanishes
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


def prove() -> None:
    """sympy identity and z3: lambda^2 + k lambda - k L_g = 0 with k = (1 - beta)/eta has the product -k L_g < 0; its
    positive root is below L_g, as k (L_g - lambda) = lambda^2 > 0.
    """
    beta, eta, L, root = sympy.symbols("beta eta L root")
    keep = 1 - beta
    low, high = (-keep - root) / (2 * eta), (-keep + root) / (2 * eta)
    square = {root**2: keep**2 + 4 * keep * L * eta}
    vanishes(low + high + keep / eta, "trace")
    vanishes(sympy.expand(low * high).subs(square) + keep * L / eta, "determinant")
    k, lam, curve = reals("k lam curve")
    smt([k > 0, curve > 0, lam > 0, lam * lam + k * lam - k * curve == 0], lam <= curve)


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
    corrected=claim_of(corrected, prove=prove),
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

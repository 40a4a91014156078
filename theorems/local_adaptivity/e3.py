"""LA (3): AdaGrad's preconditioner."""

from theorems.local_adaptivity.common import between, positive
from theorems.vocabulary import *


def instance(cursor: Cursor, k: int) -> Instance:
    """F = H x^2/2 in d = 1, k steps from ``start`` with initial preconditioner ``initial``."""
    H, eta, start, initial = (
        positive(cursor, 1e-2),
        positive(cursor, 1e-2),
        positive(cursor, 1e-2),
        positive(cursor, 1e-1),
    )
    return Instance(nb=cursor.nb, k=k, H=H, eta=eta, start=start, initial=initial)


def adagrad(s: Instance) -> tuple[list[Any], list[Any]]:
    """(points, accumulators): v = initial^-2 + the squared gradients so far, x+ = x - eta g / sqrt(v)."""
    x, v = s.start, 1 / s.initial**2
    points, sums = [x], [v]
    for _ in range(s.k):
        g = s.H * x
        v = v + g * g
        x = x - s.eta * g / s.nb.sqrt(v)
        points, sums = [*points, x], [*sums, v]
    return points, sums


def recursion(s: Instance, at: Any) -> list[Comparison]:
    """P^(j)^-2 against P^(j-1)^-2 + g(x^(at))^2, j = 0..k-1; sums[0] belongs to j = -1."""
    points, sums = adagrad(s)
    return [that(f"P at step {j}", sums[j + 1]) == sums[j] + (s.H * points[at(j)]) ** 2 for j in range(s.k)]


def prove() -> None:
    """sympy: With v = P^-2 one update is v + g^2, entry by entry (diag of g g^T); by induction P^(s) is the inverse
    root of the sum of the squared gradients up to and including step s, plus s_i^-2.
    """
    v, g, eta, x = sympy.symbols("v g eta x", positive=True)
    P = 1 / sympy.sqrt(v)
    after = (P**-2 + g**2) ** sympy.Rational(-1, 2)
    if sympy.simplify(after - 1 / sympy.sqrt(v + g**2)) != 0:
        raise AssertionError("the update is not AdaGrad's")
    if sympy.simplify((x - eta * after * g) - (x - eta * g / sympy.sqrt(v + g**2))) != 0:
        raise AssertionError("the step is not AdaGrad's")


STATEMENT = Statement(
    kind="identity",
    location="(3), section 2",
    says="AdaGrad updates its preconditioner by P^(s) = ((P^(s-1))^-2 + diag{g(x^(k)) g(x^(k))^T})^(-1/2).",
    reading="k is the number of local steps of (2), so x^(k) is the result of the whole loop. Squared and inverted, "
    "to leave out the roots; d = 1.",
    severity="typo",
    domain=Domain(instance, grid(k=(1, 2, 3)), "F = H x^2/2, up to three steps"),
    hypotheses=(
        between("H, eta, start > 0", lambda s: np.stack([s.H, s.eta, s.start], -1), 0, role="a client that moves"),
        between("initial > 0", lambda s: s.initial, 0, role="(3) inverts its square"),
    ),
    printed=Claim(
        "AdaGrad's preconditioners obey (3) with the gradient at x^(k)",
        r"P^{(s)}=\big((P^{(s-1)})^{-2}+\mathrm{diag}\{g(x^{(k)})g(x^{(k)})^\top\}\big)^{-1/2}",
        lambda s: recursion(s, lambda j: s.k),
    ),
    corrected=Claim(
        "with the gradient at x^(s)",
        r"P^{(s)}=\big((P^{(s-1)})^{-2}+\mathrm{diag}\{g(x^{(s)})g(x^{(s)})^\top\}\big)^{-1/2}",
        lambda s: recursion(s, lambda j: j),
        prove,
    ),
    note="k for s in both factors; (2) and Algorithm 1 (line 6) use the gradient of the current step. P^(s) includes "
    "it: a client whose gradient is g moves by at most eta.",
)

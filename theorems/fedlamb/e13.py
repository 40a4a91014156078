"""LAMB (13): the consensus error B_1."""

from theorems.bridges import equal_sums, sums
from theorems.fedlamb.common import need, positive, share, total
from theorems.vocabulary import *


def instance(cursor: Cursor, n: int, T: int, against: int) -> Instance:
    """f_i' = L x + b_i from x = 0, |b_i| so large that no sign changes in T steps; ``against`` clients have b_i < 0."""
    L, alpha, phi = 2 * positive(cursor), positive(cursor), positive(cursor)
    reach = L * alpha * phi * T
    M = reach * (2 + cursor.take())
    root_0 = positive(cursor)
    return Instance(
        nb=cursor.nb, n=n, T=T, against=against, L=L, alpha=alpha, phi=phi, M=M, root_0=root_0,
        root=root_0 * (1 + cursor.take()), beta2=share(cursor),
    )  # fmt: skip


def B_1(s: Instance) -> Any:
    """sum |L (theta-bar - theta_i)|^2 / sqrt v, T - 1 steps after an average."""
    along = [-1] * s.against + [1] * (s.n - s.against)
    models = [s.alpha * s.phi * (s.T - 1) * e for e in along]
    mean = total(models) / s.n
    return total([s.L * s.L * ((mean - y) * (mean - y)) for y in models]) / s.root


def printed(s: Instance) -> list[Comparison]:
    r"""the printed bound on B_1

    B_1\le n\frac{\alpha_r^2L}{\sqrt{v_0}}M^2(T-1)^2\phi_M^2(1-\beta_2)p
    """
    bound = s.n * s.alpha**2 * s.L / s.root_0 * s.M**2 * (s.T - 1) ** 2 * s.phi**2 * (1 - s.beta2)
    return [that("(13)", B_1(s)) <= bound]


def corrected(s: Instance) -> list[Comparison]:
    r"""n alpha^2 L^2/sqrt(v0) (T-1)^2 phi_M^2 h; so the printed bound stands where M^2 (1 - beta_2) p >= L h

    B_1\le n\frac{\alpha^2L^2}{\sqrt{v_0}}(T-1)^2\phi_M^2\mathsf h
    """
    return [that("(13)", B_1(s)) <= s.n * (s.L * s.alpha * (s.T - 1) * s.phi) ** 2 / s.root_0]


def derive(proof: Derivation, s: Instance) -> None:
    """The mean of |theta_i - mean|^2 is at most the mean of |theta_i - start|^2 <= alpha^2 (T-1)^2 phi_M^2 h (LAMB.L1);
    smoothness gives L^2; 1/sqrt v <= 1/sqrt v0.
    """
    m, y, X, Y, P, n, c, r, e = reals("m y X Y P n c root root_0")
    along = [-1] * s.against + [1] * (s.n - s.against)
    reach, count = s.alpha * s.phi * (s.T - 1), s.nb.number(s.n)
    models = np.stack([reach * e for e in along], -1)
    mean, whole = models.sum(axis=-1) / s.n, models.sum(axis=-1)
    centre = mean[..., None]
    off, squares = centre - models, models * models
    proof.setting("n >= 1", s.n, 1)
    proof.leaf("a square", [], (m - y) * (m - y) == m * m - 2 * m * y + y * y, m=centre, y=models)
    expanded = centre * centre - 2 * centre * models + squares
    proof.cross(equal_sums, "over clients", low=off * off, high=expanded, weights=np.ones(s.n, dtype=int))
    proof.leaf("the mean", [n >= 1], P == n * (P / n), P=whole, n=count)
    proof.leaf("about the mean", [X == n * m * m - 2 * m * P + Y, P == n * m, n >= 1], X <= Y, m=mean, P=whole,
               X=(off * off).sum(axis=-1), Y=squares.sum(axis=-1), n=count)  # fmt: skip
    proof.leaf("squares", [], 0 <= y * y, y=models)
    proof.cross(sums, "over clients", low=models * 0, high=squares)
    proof.leaf("(13)", [X <= Y, 0 < e, e <= r, 0 <= Y], c * c * X / r <= c * c * Y / e, X=(off * off).sum(axis=-1),
               Y=squares.sum(axis=-1), c=s.L, root=s.root, root_0=s.root_0)  # fmt: skip


STATEMENT = Statement(
    kind="upper bound",
    location="(13), B.2",
    says="B_1 <= n alpha^2 L/sqrt(v0) M^2 (T-1)^2 phi_M^2 (1 - beta_2) p.",
    reading="B_1 at most T - 1 steps after an average; one layer of one coordinate, phi constant.",
    severity="substantive",
    domain=Domain(
        instance,
        tuple(c for c in grid(n=(1, 2, 3, 4), T=(2, 3, 10), against=(0, 1, 2)) if c["against"] <= c["n"] / 2),
        "f_i' = L x + b_i in d = 1, signs constant along the way",
    ),
    hypotheses=(
        need("L, alpha, phi, v0 > 0", lambda s: [(v, ">", 0) for v in (s.L, s.alpha, s.phi, s.root_0)]),
        need("the clients are n", lambda s: [(s.L * 0 + s.against, "<=", s.n)], role="of which some have b_i < 0"),
        need("v-hat >= v0", lambda s: [(s.root, ">=", s.root_0)], role="what v0 is"),
        need("|f_i'| <= M on the way", lambda s: [(2 * s.L * s.alpha * s.phi * s.T, "<=", s.M)]),
        need("0 < beta_2 < 1", lambda s: [(s.beta2, ">", 0), (s.beta2, "<", 1)]),
    ),
    printed=claim_of(printed),
    corrected=claim_of(corrected, derive=derive),
    note="Two slips: Lemma 1's factor M^2 (1 - beta_2) p, which normalised steps do not have (here even without its "
    "1/v0), and L for L^2. Attained by equally many clients on both sides.",
)

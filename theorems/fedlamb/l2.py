"""LAMB Lemma 2: from the average of local gradients to the gradient at the average model."""

from theorems.bridges import equal_sums, mean_square, sums
from theorems.fedlamb.common import need, positive, share, sign, total
from theorems.vocabulary import *


def instance(cursor: Cursor, n: int, T: int) -> Instance:
    """d = 1: f_i' = a_i (x - c_i), T steps of length alpha phi along -sign(f_i'), from x; v-hat = root^2 >= v0."""
    nb = cursor.nb
    L = 2 * positive(cursor)
    a = [L * positive(cursor) for _ in range(n)]
    c = [4 * cursor.take() - 2 for _ in range(n)]
    x, root_0 = cursor.take() - 2 * cursor.take(), positive(cursor)
    root = root_0 * (1 + cursor.take())
    alpha, phi, beta2 = positive(cursor), positive(cursor), share(cursor)
    s = Instance(
        nb=nb, n=n, T=T, L=L, a=a, c=c, x=x, root=root, root_0=root_0, alpha=alpha, phi=phi, beta2=beta2,
    )  # fmt: skip
    s.turn = [[] for _ in range(n)]
    for signs, slope, centre in zip(s.turn, a, c, strict=True):
        for _ in range(T):
            signs.append(sign(nb, slope * (_points(s, signs)[-1] - centre)))
    s.y = [_points(s, signs)[-1] for signs in s.turn]
    met = [g for gradients in _gradients(s) for g in gradients]
    s.M = total([nb.abs(g) for g in met] + [nb.abs(k * (y - v)) for k, y, v in zip(a, s.y, c, strict=True)])
    s.met = [g * g for g in met]
    return s


def _points(s: Instance, signs: Sequence[Any]) -> list[Any]:
    """A client's models, from the start of the round: steps of alpha phi against these signs."""
    found = [s.x]
    for each in signs:
        found.append(found[-1] - s.alpha * s.phi * each)
    return found


def _gradients(s: Instance) -> list[list[Any]]:
    """f_i' at the points from which steps go."""
    return [[a * (y - c) for y in _points(s, e)[:-1]] for a, c, e in zip(s.a, s.c, s.turn, strict=True)]


def _walks(s: Instance) -> list[tuple[Any, str, Any]]:
    met, signs = ([v for client in found for v in client] for found in (_gradients(s), s.turn))
    return [
        *((y, "==", _points(s, e)[-1]) for y, e in zip(s.y, s.turn, strict=True)),
        *((square, "==", g * g) for square, g in zip(s.met, met, strict=True)),
        *((e * e, "==", 1) for e in signs),
        *((e * g, ">", 0) for e, g in zip(signs, met, strict=True)),
    ]


def sides(s: Instance) -> tuple[Any, Any]:
    """|average of the local gradients / sqrt(v)|^2 and |gradient at the average / sqrt(v)|^2."""
    mean = total(s.y) / s.n
    local = total([a * (y - c) for a, y, c in zip(s.a, s.y, s.c, strict=True)]) / s.n
    average = total([a * (mean - c) for a, c in zip(s.a, s.c, strict=True)]) / s.n
    return local**2 / s.root**2, average**2 / s.root**2


def printed(s: Instance) -> list[Comparison]:
    r"""the printed lower bound

    \Big\|\frac{\bar\nabla f(\theta_r)}{\sqrt{v_r^t}}\Big\|^2%
      \ge\frac12\Big\|\frac{\nabla f(\bar\theta_r)}{\sqrt{v_r^t}}\Big\|^2%
      -\bar L\alpha^2M^2\phi_M^2\frac{(1-\beta_2)p}{v_0}
    """
    local, average = sides(s)
    slack = s.L * s.alpha**2 * s.M**2 * s.phi**2 * (1 - s.beta2) / s.root_0**2
    return [that(average / 2) <= local + slack]


def corrected(s: Instance) -> list[Comparison]:
    r"""with L^2 alpha^2 T^2 phi_M^2 h / v0 subtracted; so the printed bound stands where M^2 (1 - beta_2) p >= L T^2 h

    \Big\|\frac{\bar\nabla f(\theta_r)}{\sqrt{v_r^t}}\Big\|^2%
      \ge\frac12\Big\|\frac{\nabla f(\bar\theta_r)}{\sqrt{v_r^t}}\Big\|^2%
      -\frac{\bar L^2\alpha^2T^2\phi_M^2\mathsf h}{v_0}
    """
    local, average = sides(s)
    return [that(average / 2) <= local + (s.L * s.alpha * s.T * s.phi) ** 2 / s.root_0**2]


def young(s: Instance) -> list[Comparison]:
    r"""Young's inequality

    \|a\|^2\ge\tfrac12\|b\|^2-\|a-b\|^2
    """
    mean = total(s.y) / s.n
    apart = total([a * (y - mean) for a, y in zip(s.a, s.y, strict=True)]) / s.n / s.root
    local, average = sides(s)
    return [that(average / 2) <= local + apart * apart]


def smooth(s: Instance) -> list[Comparison]:
    r"""the second step with Lemma 1's gap itself: L is not squared and 1/v is lost

    \Big\|\frac{\bar\nabla f(\theta_r)-\nabla f(\bar\theta_r)}{\sqrt{v}}\Big\|^2\le\bar L\|\bar\theta_r-\theta_{r,i}\|^2

    The difference of gradients by the gap itself, with L-bar and one v0 as printed.
    """
    mean = total(s.y) / s.n
    apart = total([a * (y - mean) for a, y in zip(s.a, s.y, strict=True)]) / s.n / s.root
    gap = total([(y - mean) * (y - mean) for y in s.y]) / s.n
    return [that(apart * apart) <= s.L * gap]


def derive_young(proof: Derivation, s: Instance) -> None:
    """b^2 <= 2 a^2 + 2 (a - b)^2, coordinate by coordinate."""
    p, q, r, P = reals("p q root P")
    mean = total(s.y) / s.n
    local, average = (total([a * (z - c) for a, z, c in zip(s.a, points, s.c, strict=True)]) / s.n
                      for points in (s.y, [mean] * s.n))  # fmt: skip
    apart = local - average
    proof.leaf("Young", [], p * p / 2 <= q * q + (q - p) * (q - p), p=average, q=local)
    proof.leaf("root > 0", [0 < r, r <= P], 0 < P, root=s.root_0, P=s.root)
    proof.leaf("over v-hat", [p * p / 2 <= q * q + P * P, 0 < r],
               p * p / (r * r) / 2 <= q * q / (r * r) + P / r * (P / r), p=average, q=local, P=apart,
               root=s.root)  # fmt: skip


def _reach(proof: Derivation, s: Instance, signs: Sequence[Any]) -> Any:
    """T steps of length alpha phi along -g/|g|: |y - x| <= T alpha phi; the way y - x."""
    step = s.alpha * s.phi
    r, u, Y, Z, h = reals("r u Y Z h")
    way, most = s.x * 0, s.x * 0
    for turn in signs:
        for sign_ in (1, -1):
            proof.leaf("|g/|g|| <= 1", [r * r == 1], sign_ * r <= 1, r=turn)
            proof.leaf("the way so far", [-sign_ * Y <= Z, sign_ * u <= 1, 0 < h], -sign_ * (Y - h * u) <= Z + h, Y=way,
                       Z=most, u=turn, h=step)  # fmt: skip
        way, most = way - step * turn, most + step
    proof.leaf("its square", [Y <= Z, -Y <= Z], Y * Y <= Z * Z, Y=way, Z=most)
    return way


def derive(proof: Derivation, s: Instance) -> None:
    """Young's inequality; Jensen and smoothness bound |mean_i (grad f_i(theta_i) - grad f_i(theta-bar))|^2 by L^2 times
    the mean of |theta_i - theta-bar|^2, at most the mean square distance from the round's start; v-hat >= v0.
    """
    m, y, X, Y, P, n, a, L, Q, r, e = reals("m y X Y P n a L Q root root_0")
    derive_young(proof, s)
    reach, count = s.alpha * s.phi * s.T, s.nb.number(s.n)
    proof.leaf("alpha phi > 0", [0 < a, 0 < L], 0 < a * L, a=s.alpha, L=s.phi)
    ways = np.stack([_reach(proof, s, signs) for signs in s.turn], -1)
    mean, squares = ways.sum(axis=-1) / s.n, ways * ways
    centre = mean[..., None]
    off = ways - centre
    proof.setting("n >= 1", s.n, 1)
    proof.leaf("expanded", [], (y - m) * (y - m) == m * m - 2 * m * y + y * y, m=centre, y=ways)
    expanded = centre * centre - 2 * centre * ways + squares
    proof.cross(equal_sums, "over clients", low=off * off, high=expanded, weights=np.ones(s.n, dtype=int))
    proof.leaf("the mean", [n >= 1], P == n * (P / n), P=ways.sum(axis=-1), n=count)
    proof.leaf("about the mean", [X == n * m * m - 2 * m * P + Y, P == n * m, n >= 1], X <= Y, m=mean,
               P=ways.sum(axis=-1), X=(off * off).sum(axis=-1), Y=squares.sum(axis=-1), n=count)  # fmt: skip
    proof.cross(sums, "over clients", low=squares, high=(reach * reach)[..., None] + 0 * squares)
    slopes, top = np.stack(s.a, -1), s.L[..., None]
    proof.leaf("smooth", [0 < a, a <= L], a * a <= L * L, a=slopes, L=top)
    proof.leaf("times a square", [a * a <= L * L], a * y * (a * y) <= L * L * (y * y), a=slopes, L=top, y=off)
    moved = slopes * off
    proof.cross(sums, "over clients", low=moved * moved, high=top * top * (off * off))
    proof.cross(mean_square, "Jensen", values=moved)
    apart = moved.sum(axis=-1) / s.n
    proof.leaf("the mean square", [Q <= X / n, X <= L * L * Y, Y <= P, P <= n * (m * m), n >= 1], Q <= L * L * (m * m),
               Q=apart * apart, X=(moved * moved).sum(axis=-1), L=s.L, Y=(off * off).sum(axis=-1),
               P=squares.sum(axis=-1), m=reach, n=count)  # fmt: skip
    proof.leaf("v-hat >= v0", [Q <= X * X, 0 < e, e <= r], Q / (r * r) <= X * X / (e * e), Q=apart * apart,
               X=s.L * reach, root=s.root, root_0=s.root_0)  # fmt: skip
    local, average = sides(s)
    proof.leaf("together", [P / 2 <= Y + X, X <= Q], P / 2 <= Y + Q, P=average, Y=local,
               X=apart * apart / (s.root * s.root), Q=(s.L * s.alpha * s.T * s.phi) ** 2 / s.root_0**2)  # fmt: skip


STATEMENT = Statement(
    kind="upper bound",
    location="Lemma 2, section 4.1 (and B.1)",
    says="|average of local gradients / sqrt v|^2 >= 1/2 |grad f(theta-bar) / sqrt v|^2 - L alpha^2 M^2 phi_M^2 "
    "(1 - beta_2) p / v0.",
    reading="The left side is the average of grad f_i at the local models; v0 as in LAMB.L1; one layer of one "
    "coordinate, phi constant. M bounds every gradient that occurs.",
    severity="substantive",
    domain=Domain(instance, grid(n=(1, 2, 3), T=(1, 2, 4)), "quadratics in d = 1, phi constant"),
    hypotheses=(
        need("no gradient on the way is 0 (else 0/0)", lambda s: [(square, ">", 0) for square in s.met]),
        need("alpha, phi, v0, a_i > 0", lambda s: [(v, ">", 0) for v in (s.alpha, s.phi, s.root_0, *s.a)]),
        need("a_i <= L (H1)", lambda s: [(a, "<=", s.L) for a in s.a]),
        need("gradients stay below M (H2)", lambda s: [(square, "<=", s.M * s.M) for square in s.met]),
        need(
            "theta_i is T steps -alpha phi sign(f_i') from the round's start",
            _walks,
            role="Algorithm 3 with beta_1 = 0, layers of one coordinate",
        ),
        need("v-hat >= v0", lambda s: [(s.root, ">=", s.root_0)], role="what v0 is"),
        need("0 < beta_2 < 1", lambda s: [(s.beta2, ">", 0), (s.beta2, "<", 1)]),
    ),
    printed=claim_of(printed),
    corrected=claim_of(corrected, derive=derive),
    steps=(
        Step(
            "|a|^2 >= |b|^2/2 - |a - b|^2, 'due to the Cauchy-Schwarz inequality'", claim_of(young, derive=derive_young)
        ),
        Step(
            "|mean of grad f_i(theta_i) - grad f_i(theta-bar)|^2 / v <= L times the gap",
            claim_of(smooth),
            "L^2 times the gap, over v0",
        ),
    ),
    note="The appendix prints the same expression on both sides (bars lost). It inherits Lemma 1's error, too.",
)

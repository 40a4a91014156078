"""LA section 4: another server optimizer does not change the fixed points."""

from theorems.local_adaptivity.common import between, positive
from theorems.vocabulary import *

SERVERS = ("sgd", "sgdm", "adagrad", "adam")


def instance(cursor: Cursor, server: str, rounds: int) -> Instance:
    """E[A](x) = rest + slope (x - rest) in d = 1; the server starts with m = 0, at ``rest`` or at ``start``."""
    rest, slope, alpha = 2 * cursor.take() - 1, 1 - 2 * positive(cursor, 1e-3), 2 * positive(cursor, 1e-2)
    beta1, beta2, v0 = 1 - positive(cursor, 1e-2), cursor.take(), positive(cursor, 1e-2)
    fields = {"rest": rest, "slope": slope, "alpha": alpha, "beta1": beta1, "beta2": beta2, "v0": v0}
    return Instance(nb=cursor.nb, server=server, rounds=rounds, start=rest + positive(cursor, 1e-2), **fields)


def stuck(name: str) -> Domain:
    """What leaves the server where it is, or leaves nothing to move it."""

    def decode(cursor: Cursor, server: str, rounds: int) -> Instance:
        s = instance(cursor, server, rounds)
        setattr(s, name, s.slope * 0 + (0 if name == "alpha" else 1))
        return s

    return Domain(decode, grid(server=("sgdm", "adam"), rounds=(1,)), f"{name} = {0 if name == 'alpha' else 1}")


def server_step(s: Instance, delta: Scalar, m: Scalar, v: Scalar) -> tuple[Any, Any, Any]:
    """(step, m, v) of the server's optimizer on delta; Adam has v_0/100 for eps^2, in the root."""
    if s.server == "sgd":
        return delta, m, v
    m = s.beta1 * m + (1 - s.beta1) * delta if s.server in ("sgdm", "adam") else delta
    if s.server == "sgdm":
        return m, m, v
    v = v + delta * delta if s.server == "adagrad" else s.beta2 * v + (1 - s.beta2) * delta * delta
    return m / s.nb.sqrt(v + s.v0 / 100), m, v


def printed(s: Instance) -> list[Comparison]:
    r"""started with zero momentum it stays at x~, and leaves every other point

    x^{(t+1)}=x^{(t)}\iff x^{(t)}=\tilde x\qquad(m^{(t)}=0)
    """
    return [
        that("stays at x~", moved(s, s.rest)) == s.rest,
        that("leaves every other point", s.nb.abs(moved(s, s.start, 1) - s.start)) > s.rest * 0,
    ]


def moved(s: Instance, x: Any, rounds: int = 0) -> Any:
    """Where the server is after the rounds, from x with m = 0."""
    m, v = s.rest * 0, s.v0
    for _ in range(rounds or s.rounds):
        delta = x - (s.rest + s.slope * (x - s.rest))
        step, m, v = server_step(s, delta, m, v)
        x = x - s.alpha * step
    return x


def prove() -> None:
    """z3: Entry by entry: SGD, momentum, AdaGrad and Adam leave x unmoved round after round exactly if the
    pseudo-gradient x - E[A](x) is 0 (with momentum 0): the zero set is that of x - E[A](x).
    """
    m, d, b, a, root = reals("m d b a root")
    smt([0 <= b, b < 1, d == 0, m == 0], b * m + (1 - b) * d == 0)  # at rest with m = 0 it stays
    # and where x does not move for two rounds, delta = 0:
    smt(
        [0 <= b, b < 1, a > 0, a * (b * m + (1 - b) * d) == 0, a * (b * (b * m + (1 - b) * d) + (1 - b) * d) == 0],
        d == 0,
    )
    smt([a > 0, root > 0, a * d / root == 0], d == 0)
    smt([0 <= b, b < 1, a > 0, root > 0, b * m + (1 - b) * d == 0, a * (b * 0 + (1 - b) * d) / root == 0], d == 0)


STATEMENT = Statement(
    kind="equivalence",
    location="section 4, after (6)",
    says="Replacing server gradient descent with another server optimizer does not influence the fixed points of E[A].",
    reading="Without noise: the iteration rests exactly at the fixed points of E[A], for SGD, momentum, AdaGrad, "
    "Adam on the server. With noise: LA.D4b.",
    domain=Domain(instance, grid(server=SERVERS, rounds=(1, 3)), "d = 1, four server optimizers"),
    hypotheses=(
        between("v_0 > 0", lambda s: s.v0, 0, role="the server's root is not 0"),
        between("-1 < slope < 1 (Assumption 1)", lambda s: s.slope, -1, 1, without=stuck("slope")),
        between("alpha > 0", lambda s: s.alpha, 0, without=stuck("alpha")),
        between("0 <= beta_1 < 1", lambda s: s.beta1, 0, 1, "[)", stuck("beta1")),
        between("0 <= beta_2 <= 1", lambda s: s.beta2, 0, 1, "[]", role="v is a mean of squares"),
        between("x != x~", lambda s: (s.start - s.rest) ** 2, 0, role="a point that is not x~"),
    ),
    printed=claim_of(printed, prove=prove),
)

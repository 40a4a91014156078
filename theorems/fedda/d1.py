"""DA.D1: one full-batch local step makes FedDA agree with centralized training, which ensures convergence."""

from theorems.fedda.common import BETA, numeric, setting, symbolic, vanishes
from theorems.fedda.listing_fedda import server, sgdm
from theorems.vocabulary import *


def decode(cursor: Cursor, n: int, top: int = 1, absent: int = 0) -> Instance:
    """alpha eta < top 2 (1 + beta)/(1 - beta) with L = 1; the last ``absent`` clients stay away."""
    s = setting(cursor, n, 1)
    s.alpha = s.alpha * top * 2 * (1 + s.beta) / (1 - s.beta)
    s.part = np.stack([s.eta * 0 + int(i < n - absent) for i in range(n)], -1)
    return s


def present(r: Any, part: list[Any]) -> list[Any]:
    """The weights over the clients that take part."""
    kept = [p * share for p, share in zip(r.p, part, strict=True)]
    return [w / sum(kept) for w in kept]


def sides(r: Any, part: list[Any]) -> list[tuple[str, Any, Any]]:
    W, m, _ = server(r.grads, present(r, part), r.x, r.m, r, 1)
    central = Instance(beta=r.beta, eta=r.alpha * r.eta)
    full = sgdm(r.grads, r.p, r.x, r.m, central, 1)[-1]
    return [("W(E+1)", W, full[0]), ("m(E+1)", m, full[1])]


def compare(s: Instance) -> list[Comparison]:
    """The round, and Jury's |trace| < 1 + det < 2 for z^2 - (1 + beta - (1 - beta) alpha eta H) z + beta."""
    found = sides(numeric(s), [s.part[..., i] for i in range(s.n)])
    H = (s.p * s.a).sum(axis=-1)
    trace = 1 + s.beta - (1 - s.beta) * s.alpha * s.eta * H
    return [
        *(that(label, a) == b for label, a, b in found),
        that("converges", s.nb.abs(trace)) < 1 + s.beta,
        that("converges, too", s.beta) < s.beta * 0 + 1,
    ]


def prove() -> None:
    """sympy identity with opaque gradients, and z3, for any losses for the round with n <= 3; quadratic losses for
    convergence: For T = 1 P = m(E+1), for unknown gradients. On an eigenvalue H of the total Hessian SGDM has the
    characteristic polynomial z^2 - (1 + beta - (1 - beta) alpha eta H) z + beta; Jury's conditions hold below the
    rate's limit.
    """
    for n in (1, 2, 3):
        for label, left, right in sides(symbolic(n, 1), [1] * n):
            vanishes(left - right, f"{label}, n = {n}")
    beta, rate, H, z = reals("beta rate H z")
    smt(
        [0 <= beta, beta < 1, 0 < H, H <= 1, 0 < rate, rate * (1 - beta) < 2 * (1 + beta)],
        _jury(1 + beta - (1 - beta) * rate * H, beta),
    )
    t, d = reals("t d")  # real roots: |t| < 1 + d < 2 puts them inside; complex ones have modulus sqrt(d)
    smt([_jury(t, d), 0 <= d, d < 1, z * z - t * z + d == 0], z * z < 1)


def _jury(trace: Any, det: Scalar) -> Any:
    return both(trace < 1 + det, -trace < 1 + det)


def _all(s: Instance) -> list[Comparison]:
    return [that((s.p * s.part).sum(axis=-1)) == s.eta * 0 + 1]


def _small(s: Instance) -> list[Comparison]:
    limit = 2 * (1 + s.beta) / (1 - s.beta)
    return [that(s.alpha * s.eta) < limit, that("positive", s.alpha * s.eta) > s.eta * 0]


RATE = Hypothesis(
    "alpha eta < 2 (1 + beta)/((1 - beta) L)",
    _small,
    Domain(lambda cursor, n: decode(cursor, n, top=3), grid(n=(1, 2)), "alpha eta up to three times the limit"),
)
CURVED = Hypothesis(
    "the total Hessian is positive and at most L = 1",
    lambda s: [that((s.p * s.a).sum(axis=-1)) <= s.eta * 0 + 1, that((s.p * s.a).sum(axis=-1)) > s.eta * 0],
    role="what L is; W* is a minimum, and the only one",
)
ABSENT = Domain(lambda cursor, n: decode(cursor, n, absent=1), grid(n=(2, 3)), "one client absent")

STATEMENT = Statement(
    kind="convergence",
    location="full batch gradient stabilization, section 4; section 1",
    says="If all clients make one local step with full gradients, FedDA's round is centralized SGDM, which ensures "
    "convergence to the minimum.",
    reading="'Local devices' are those of Algorithm 1, which samples a subset. alpha eta < 2 (1 + beta)/((1 - beta) "
    "L), L = 1, SGDM's own limit, is granted. Convergence is judged on quadratic losses, where 'close to the "
    "minimum' is no restriction.",
    severity="missing-hypothesis",
    domain=Domain(decode, grid(n=(1, 2, 3)), "quadratic clients in d = 1, all of them, alpha eta below SGDM's limit"),
    hypotheses=(Hypothesis("all clients take part", _all, ABSENT), RATE, BETA, CURVED),
    printed=Claim(
        "W(E+1) and m(E+1) are SGDM's with rate alpha eta, whoever takes part",
        r"W(E+1)=W(E)-\alpha\eta\,m(E+1)",
        compare,
        domain=ABSENT,
        given=(RATE, BETA),
    ),
    corrected=Claim(
        "if all clients take part W(E+1) and m(E+1) are SGDM's with rate alpha eta; such rounds converge to W* if "
        "alpha eta < 2 (1 + beta)/((1 - beta) L)",
        r"W(E+1)=W(E)-\alpha\eta\,m(E+1),\ \lim_EW(E)=W^*",
        compare,
        prove,
    ),
    note="With some clients absent the round is one of SGDM on their loss. An alpha tuned for T local steps is "
    "judged by another limit than alpha eta < 2 (1 + beta)/((1 - beta) L). Adam agrees for T = 1 only with the V^ of "
    "Algorithm 2 (DA.E35), AdaGrad as printed.",
)

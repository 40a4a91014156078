"""OLR Lemma 5: without a client rate, or with one step, there is no distortion."""

from theorems.outsized.common import ASSUMPTION_2
from theorems.outsized.common_spectrum import THETAS, distortion
from theorems.vocabulary import *


def decode(cursor: Cursor, d: int, theta: Theta) -> Instance:
    """gamma = 0 with this theta, and K(Theta) = 1 with weight t at another rate; a point x."""
    p = clients(cursor, 1, d)
    gamma, t = rate(cursor, p.L, zero=True), 1 + 2 * cursor.take()
    x = np.stack([1 - 3 * u for u in cursor.many(d)], -1)
    return Instance(p=p, gamma=gamma, t=t, x=x, theta=theta)


def without(cursor: Cursor, d: int, theta: Theta) -> Instance:
    """A positive rate where the lemma asks for gamma = 0."""
    s = decode(cursor, d, theta)
    return Instance(**{**vars(s), "idle": s.gamma})


def compare(s: Instance) -> list[Comparison]:
    r"""Q_i = a I and f~_i = a f_i

    Q_i(\gamma,\Theta)=aI,\quad\tilde f_i=af_i,\quad a=\sum_k\theta_k
    """
    idle = getattr(s, "idle", s.gamma * 0)
    Q = distortion(s.p, idle, s.theta)[:, 0]
    a = s.theta.total
    d = s.p.d
    entries = [(i, j) for i in range(d) for j in range(i, d)]
    value = s.p.quadratic(s.p.lam * s.p.filter(s.gamma, Theta.sum(1)) * s.t[..., None, None], s.x)
    return [
        *(that(f"gamma = 0: Q{i}{j}", Q[..., i, j] + a) == s.gamma * 0 + (2 * a if i == j else a) for i, j in entries),
        that("gamma = 0: loss", s.p.quadratic(s.p.filtered(idle, s.theta), s.x)) == a * s.p.quadratic(s.p.lam, s.x),
        that("K(Theta) = 1: loss", value) == s.t * s.p.quadratic(s.p.lam, s.x),
    ]


def last_equality(s: Instance) -> list[Comparison]:
    r"""a/2 |A_i^(1/2) (x - c_i)|^2 is a times the surrogate

    \tfrac a2\|A_i^{1/2}(x-c_i)\|^2=a\tilde f_i(x,\gamma,\Theta)

    a/2 |A^(1/2) (x - c)|^2 = a f~_i with f~_i = a f_i.
    """
    f = s.p.quadratic(s.p.lam, s.x)
    return [that("a f~", s.t * f) == s.t * (s.t * f)]


def prove() -> None:
    """sympy identity: Horner's step for sum theta_k (1 - gamma lambda)^(k-1) adds theta_k at gamma = 0, and gives
    theta_1 from q = 0: by induction Q_i = a I for any number of weights, and the surrogate is a times f_i. Q_i is a
    function of A_i, so its eigenvalues decide.

    At gamma = 0 Horner's step is q <- q + theta_k; one weight leaves q = theta_1.
    """
    q, theta, lam, gamma = sympy.symbols("q theta lambda gamma")
    step = q * (1 - gamma * lam) + theta
    identity((step.subs(gamma, 0), q + theta), (step.subs(q, 0), theta))


STATEMENT = Statement(
    kind="identity",
    location="Lemma 5, section 5; proof in B.2.1",
    says="If gamma = 0 or K(Theta) = 1, then Q_i = a I with a = sum theta_k, and the surrogate is a f_i.",
    note="The text then says that the losses 'differ by a constant': by a constant factor.",
    domain=Domain(decode, grid(d=(1, 2), theta=THETAS[:-1]), "one client; gamma = 0 with any theta, or one weight"),
    hypotheses=(
        ASSUMPTION_2,
        Hypothesis(
            "gamma = 0 (or K(Theta) = 1)",
            lambda s: [that(getattr(s, "idle", s.gamma * 0)) == s.gamma * 0],
            Domain(without, grid(d=(1,), theta=THETAS[:3]), "gamma > 0"),
        ),
    ),
    printed=claim_of(compare, prove=prove),
    steps=(Step("B.2.1, last equality: = a f~_i", claim_of(last_equality), "= a f_i(x): the tilde is a slip"),),
)

"""DA (56): variation of constants for (49)."""

from theorems.bridges import combined, lengths
from theorems.fedda.common import BETA
from theorems.fedda.common_euler import POSITIVE_RATE, euler, pace, paths, slope
from theorems.fedda.lemmas_euler import rates
from theorems.vocabulary import *


def forcing(s: Instance, run: Instance) -> list[Any]:
    """sum_i p_i (g^i(Wbar^i) - g^i(W)) at the points from which steps go."""
    found = []
    for step, W in enumerate(run.W[:-1]):
        parts = [s.p[..., i, None] * (slope(s, run.flow[i][step], i) - slope(s, W, i)) for i in range(s.n)]
        found.append(sum(parts[1:], parts[0]))
    return found


def rises(s: Instance, top: Any, model: Any, force: Any) -> tuple[Any, Any]:
    """(I + h Abar) (top, model) + h (force/eta, 0): one Euler step of (56)'s right side."""
    k, h = pace(s)
    return (1 - h * k) * top + h / s.eta * force, model + h * top


def compare(s: Instance) -> list[Comparison]:
    r"""both entries

    X(t\eta)\le\int_0^{t\eta}e^{\bar A(t\eta-\tau)}\begin{pmatrix}%
      \|\sum_i\tfrac{N_i}{N}(g^i(\bar W^i)-g^i(W))\|/\eta\\0%
      \end{pmatrix}d\tau
    """
    run, h = paths(s), pace(s)[1][..., None]
    top = model = s.eta * 0
    for force in forcing(s, run):
        top, model = rises(s, top, model, s.nb.length(force))
    gaps = [mean - m for mean, m in zip(run.mean, run.m, strict=True)]
    return [
        that("momentum", s.nb.length(gaps[-1])) <= top,
        that("model", s.nb.length(h * sum(gaps[1:-1], gaps[0]))) <= model,
    ]


def derive(proof: Derivation, s: Instance) -> None:
    """With D = mbar - m and E = Wbar - W: |D| and |E| a step on are at most what (49) makes of them; k <= 1/eta."""
    nb, (k_, h_) = s.nb, pace(s)
    q, w, k, h, e, X, Y, D, E, T, M, r = reals("q w k h eta X Y D E T M r")
    rates(proof, s)
    proof.leaf("h k <= h/eta", [k * e <= 1, 0 < e, 0 < h], h * k <= h / e, k=k_, h=h_, eta=s.eta)
    gap, off, top, model = s.x * 0, s.x * 0, s.eta * 0, s.eta * 0
    for force in forcing(s, paths(s)):
        proof.cross(lengths, "the forcing", nb=nb, v=force)
        proof.cross(combined, "D a step on", nb=nb, weights=[1 - h_ * k_, h_ * k_], vectors=[gap, force])
        proof.cross(combined, "E a step on", nb=nb, weights=[k_ * 0 + 1, h_], vectors=[off, -gap])
        new, moved = (1 - h_ * k_)[..., None] * gap + (h_ * k_)[..., None] * force, off - h_[..., None] * gap
        above, away = rises(s, top, model, nb.length(force))
        proof.leaf("momentum", [X <= (1 - q) * D + q * r, D <= T, q <= w, 0 <= 1 - q, 0 <= r], X <= (1 - q) * T + w * r,
                   X=nb.length(new), D=nb.length(gap), T=top, q=h_ * k_, w=h_ / s.eta, r=nb.length(force))  # fmt: skip
        proof.leaf("model", [Y <= E + h * D, E <= M, D <= T, 0 < h], Y <= M + h * T, Y=nb.length(moved),
                   E=nb.length(off), D=nb.length(gap), M=model, T=top, h=h_)  # fmt: skip
        gap, off, top, model = new, moved, above, away


STATEMENT = Statement(
    kind="upper bound",
    location="(56), appendix A.3",
    says="(|mbar - m|, |Wbar - W|) at t eta is at most the integral of exp(Abar (t eta - s)) (|sum p_i (g^i(Wbar^i) - "
    "g^i(W))|/eta, 0).",
    reading="The vector's second entry, 0, is lost in print. Judged on explicit Euler steps of any length eta/N of "
    "(19), (22) with alpha = 1 and (56) itself, I + (eta/N) Abar for exp(Abar eta/N): their limit is the systems and "
    "the integral.",
    domain=euler(),
    hypotheses=(
        replace(BETA, role="k = (1 - beta)/eta is the rate at which momentum forgets: it must be positive"),
        POSITIVE_RATE,
    ),
    printed=claim_of(compare, derive=derive),
    note="True with the factor 1 - beta of (49), too, which the print drops: a bound 1/(1 - beta) times too large "
    "(10 at beta = 0.9).",
)

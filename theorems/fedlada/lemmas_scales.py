"""Lines on free numbers m and roots of v-hat that never fall: how much the change of theta within a round adds."""

from theorems.bridges import mean_square
from theorems.fedlada.common import mean
from theorems.fedlada.common_draws import column
from theorems.fedlada.common_scales import roots
from theorems.fedlada.lemmas_steps import averaged, changed_scales
from theorems.vocabulary import *


def _changes(proof: Derivation, s: Instance) -> list[tuple[Any, Any]]:
    """(m_k (theta_k - theta_0), v-hat_K - v-hat_0) of every client and step, with what ``changed_scales`` concludes."""
    a, b, e, X = reals("a b e X")
    e_, one, found = column(s.eps), s.eps * 0 + 1, []
    alike = Instance(nb=s.nb, eps=s.eps, G=one, K=s.K)
    f = column(s.gradient)
    for i in range(s.S):
        path = [column(root) for root in roots(s, i)]
        proof.leaf("sqrt(v_0) >= eps_v", [0 <= X], e <= e + X, e=e_, X=column(s.first))
        for k, root in enumerate(path):
            if k:
                proof.leaf("v-hat does not fall", [0 <= X], a <= a + X, a=path[k - 1], X=column(s.rise[i][k - 1]))
                proof.leaf("at least the first", [e <= a, a <= b], e <= b, e=path[0], a=path[k - 1], b=root)
                proof.leaf("v-hat of the next step", [0 < a, a <= b], a * a <= b * b, a=path[k - 1], b=root)
                proof.leaf("v-hat_k >= v-hat_0", [0 < a, a <= b], a * a <= b * b, a=path[0], b=root)
                proof.leaf("at least eps_v", [e <= a, a <= b], e <= b, e=e_, a=path[0], b=root)
            else:
                proof.leaf("no change yet", [], a <= a, a=root)
            proof.leaf("root > 0", [0 < e, e <= a], 0 < a, e=e_, a=root)
            proof.leaf("its square is v-hat", [], a * a == a * a, a=root)
        steps = Instance(m=[column(m) for m in s.m[i]], root=path[1:], vhat=[root * root for root in path[1:]])
        node = Instance(v=path[0] * path[0])
        found += [(change, steps.vhat[-1] - node.v) for change in changed_scales(proof, alike, node, path[0], steps, f)]
    return found


def _means(proof: Derivation, s: Instance, pairs: list[tuple[Any, Any]]) -> tuple[Any, Any]:
    low, high = averaged(proof, s, "clients and steps", pairs)
    return low[..., 0], high[..., 0]


def derive_square(proof: Derivation, s: Instance) -> None:
    """Jensen over the SK terms, each at most (v-hat_K - v-hat_0)/eps_v^4."""
    e, X, Y, Z = reals("e X Y Z")
    found = _changes(proof, s)
    four = column(s.eps * s.eps * (s.eps * s.eps))
    low, high = _means(proof, s, [(change * change, up / four) for change, up in found])
    stacked = np.stack([change for change, _ in found], -1)
    proof.cross(mean_square, "Jensen", values=stacked)
    whole = mean([change for change, _ in found])[..., 0]
    proof.leaf("eps_v^4 > 0", [0 < e], 0 < e * e * (e * e), e=s.eps)
    proof.leaf("times eps_v^4", [X <= Y, Y <= Z / e, 0 < e], e * X <= Z, X=whole * whole, Y=low, Z=high * four[..., 0],
               e=four[..., 0])  # fmt: skip


def derive_slope(proof: Derivation, s: Instance) -> None:
    """|grad F| <= G_g and |m| <= G_g; 1/sqrt(v_0) - 1/sqrt(v) <= (v - v_0)/(2 eps_v^3)."""
    e, X, Z = reals("e X Z")
    f, three = column(s.gradient), column(2 * (s.eps * s.eps * s.eps))
    low, high = _means(proof, s, [(-f * change, up / three) for change, up in _changes(proof, s)])
    proof.leaf("2 eps_v^3 > 0", [0 < e], 0 < 2 * (e * e * e), e=s.eps)
    proof.leaf("times 2 eps_v^3", [X <= Z / e, 0 < e], e * X <= Z, X=low, Z=high * three[..., 0], e=three[..., 0])

"""LA Algorithm 1: does the printed N_i undo the weights of the local gradients?"""

from theorems.bridges import equal_sums, exchanged_sums, linear_recursion
from theorems.local_adaptivity.common import between, coordinates
from theorems.local_adaptivity.common_optimizers import (
    OPTIMIZERS,
    against_vectors,
    gradient,
    local_steps,
    optimizer_instance,
    preconditioner,
)
from theorems.local_adaptivity.listing_algorithm_1 import client
from theorems.vocabulary import *


def weights(s: Instance, scales: list[Any]) -> list[Any]:
    """B^(j) of section 5: the weight of g_j in sum_k P_k m_k is sum_{k >= j} (1 - beta) beta^(k-j) P_k."""
    return [
        sum(((1 - s.beta1) * s.beta1 ** (k - j) * scales[k] for k in range(j, s.tau)), start=scales[0] * 0)
        for j in range(s.tau)
    ]


def printed(s: Instance) -> list[Comparison]:
    r"""the printed N_i is sum_k B_i^(k), and normalises the change as eta -> 0

    N_i=\sum_kM_k,\ M_k=\beta_1M_{k-1}+(1-\beta_1)P_k\ \Rightarrow\ N_i=\sum_kB_i^{(k)}
    """
    s = against_vectors(s)
    return _claims(s, lambda grad: client(grad, s.x, s.eta, s.tau, s.beta1, preconditioner(s))[1])


def mended(s: Instance) -> list[Comparison]:
    r"""with c_k = beta_1 c_{k-1} + 1 - beta_1, c_{-1} = 0, and N_i = sum_k c_k P_k

    N_i=\sum_kc_kP_k,\ c_k=\beta_1c_{k-1}+1-\beta_1,\ c_{-1}=0
    """
    s = against_vectors(s)
    return _claims(s, lambda grad: _counted(s, local_steps(s, grad)[1]))


def _claims(s: Instance, N: Callable[[Any], Any]) -> list[Comparison]:
    """What N, a function of the gradients along a run, has to be."""
    gradients, scales, change = local_steps(s, lambda y, k: gradient(s, y))
    B = weights(s, scales)
    g, _, slow = constant(s)
    return [
        *coordinates("change = eta sum B g", change, s.eta * sum(b * g for b, g in zip(B, gradients, strict=True))),
        *coordinates("N = sum B", N(lambda y, k: gradient(s, y)) + s.x * 0, sum(B) + s.x * 0),
        *coordinates("no bias as eta -> 0", slow, N(lambda y, k: g) * g),
    ]


def constant(s: Instance) -> tuple[Any, list[Any], Any]:
    """(g, preconditioners, change over eta) where the gradient stays what it is at x: the limit eta -> 0."""
    g = gradient(s, s.x)
    _, scales, change = local_steps(Instance(**{**vars(s), "eta": s.eta * 0 + 1}), lambda y, k: g)
    return g, scales, change


def _counted(s: Instance, scales: list[Any]) -> Any:
    """N = sum_k c_k P_k with c_k = beta c_{k-1} + 1 - beta: the momentum of a constant 1."""
    c, tally = s.beta1 * 0, scales[0] * 0
    for p in scales:
        c = s.beta1 * c + 1 - s.beta1
        tally = tally + c * p
    return tally


def derive(proof: Derivation, s: Instance) -> None:
    """m_k and c_k unrolled, and the sums over k and j <= k exchanged; with a constant gradient m_k = c_k g."""
    s = against_vectors(s)
    gradients, scales, _ = local_steps(s, lambda y, k: gradient(s, y))
    scales = [p + s.x * 0 for p in scales]
    _changed(proof, s, gradients, scales)
    _summed(proof, s, scales)
    g, at_rest, _ = constant(s)
    m, c, S, N, b, p, q = reals("m c S N b p q")
    momentum = counted = change = tally = g * 0
    for scale in at_rest:  # both are 0 before the first step
        here = {"b": s.beta1, "m": momentum, "c": counted, "q": g}
        proof.leaf("m_k = c_k g", [m == c * q], b * m + (1 - b) * q == (b * c + 1 - b) * q, **here)
        momentum, counted = s.beta1 * momentum + (1 - s.beta1) * g, s.beta1 * counted + 1 - s.beta1
        proof.leaf("change = N g, one step more", [S == N * q, m == c * q], S + p * m == (N + c * p) * q,
                   S=change, N=tally, p=scale, m=momentum, c=counted, q=g)  # fmt: skip
        change, tally = change + scale * momentum, tally + counted * scale


def _changed(proof: Derivation, s: Instance, gradients: list[Any], scales: list[Any]) -> None:
    """x - y_tau = eta sum_k P_k m_k = eta sum_j B_j g_j."""
    beta, tau = s.beta1, s.tau
    forces = [(1 - beta) * g for g in gradients]
    proof.cross(
        linear_recursion, "m_k = sum_(j <= k) beta^(k-j) (1 - beta) g_j", ratio=beta, terms=np.stack(forces, -1)
    )
    x, y, e, m, p, S, M, u, v, b = reals("x y eta m p S M u v beta")
    momentum, point, total, turned = s.x * 0, s.x, s.x * 0, []
    proof.leaf("before the first step", [], x == x - e * (0 * x), x=s.x, eta=s.eta)
    for k, (force, scale) in enumerate(zip(forces, scales, strict=True)):
        unrolled = sum(beta ** (k - j) * gradients[j] for j in range(k + 1))
        momentum = beta * momentum + force
        proof.leaf("P_k m_k", [m == M], p * m == p * M, m=momentum, M=(1 - beta) * unrolled, p=scale)
        turned.append((scale * momentum, (1 - beta) * (scale * unrolled)))
        if k < tau - 1:
            proof.leaf("y_k = x - eta sum P m", [y == x - e * S], y - e * (p * m) == x - e * (S + p * m),
                       x=s.x, y=point, eta=s.eta, S=total, p=scale, m=momentum)  # fmt: skip
            point, total = point - s.eta * (scale * momentum), total + scale * momentum
    low, high = (np.stack(side, -1) for side in zip(*turned, strict=True))
    proof.cross(equal_sums, "sum_k P_k m_k", low=low, high=high, weights=low * 0 + 1)
    terms = _triangle(lambda k, j: scales[k] * beta ** (k - j) * gradients[j], tau)
    proof.cross(exchanged_sums, "sum_k sum_(j <= k) P_k beta^(k-j) g_j", terms=terms)
    proof.leaf(
        "change = eta sum B g", [y == x - e * S, S + p * m == (1 - b) * u, u == v],
        x - (y - e * (p * m)) == e * ((1 - b) * v), x=s.x, y=point, eta=s.eta, S=total, p=scales[-1], m=momentum,
        beta=beta, u=terms.sum(axis=(-1, -2)), v=terms.sum(axis=(-1, -2)),
    )  # fmt: skip


def _summed(proof: Derivation, s: Instance, scales: list[Any]) -> None:
    """sum_k c_k P_k = sum_k sum_(j <= k) (1 - beta) beta^(k-j) P_k = sum_j B_j, with c_k = (1 - beta) q_k."""
    beta, tau, zero = s.beta1, s.tau, s.x * 0
    one = np.stack([zero + 1] * tau, -1)
    proof.cross(linear_recursion, "q_k = beta q_(k-1) + 1 = sum_(j <= k) beta^(k-j)", ratio=beta, terms=one)
    b, c, q, r, p, N, V, W, Z, e = reals("beta c q r p N V W Z eta")
    proof.leaf("before the first step", [], 0 * b == (1 - b) * (0 * b), beta=beta + zero)
    counted, number, tally, count, unrolled = zero, zero, zero, zero, []
    for k, scale in enumerate(scales):
        proof.leaf("c_k = (1 - beta) q_k", [c == (1 - b) * q], b * c + 1 - b == (1 - b) * (b * q + 1),
                   beta=beta, c=counted, q=number)  # fmt: skip
        counted, number = beta * counted + 1 - beta, beta * number + 1
        powers = sum(beta**j for j in range(k + 1)) + zero
        proof.leaf("q_k P_k", [q == r], q * p == r * p, q=number, r=powers, p=scale)
        unrolled.append((number * scale, powers * scale))
        if k < tau - 1:
            proof.leaf("N = (1 - beta) sum q_k P_k", [N == (1 - b) * V, c == (1 - b) * q],
                       N + c * p == (1 - b) * (V + q * p),
                       beta=beta, N=tally, V=count, c=counted, q=number, p=scale)  # fmt: skip
            tally, count = tally + counted * scale, count + number * scale
    low, high = (np.stack(side, -1) for side in zip(*unrolled, strict=True))
    proof.cross(equal_sums, "sum_k q_k P_k", low=low, high=high, weights=one)
    terms = _triangle(lambda k, j: s.eta * beta ** (k - j) * scales[k], tau)
    proof.cross(exchanged_sums, "sum_k sum_(j <= k) beta^(k-j) P_k", terms=terms)
    total = terms.sum(axis=(-1, -2)) / s.eta
    proof.leaf(
        "N = sum B", [N == (1 - b) * V, c == (1 - b) * q, V + q * p == W, e * W == e * Z, e > 0],
        N + c * p == (1 - b) * Z, beta=beta, N=tally, V=count, c=counted, q=number, p=scales[-1], W=total, Z=total,
        eta=s.eta,
    )  # fmt: skip


def _triangle(term: Callable[[int, int], Any], n: int) -> Any:
    """a_kj for j <= k < n, on the last two axes."""
    zero = term(0, 0) * 0
    return np.stack([np.stack([term(k, j) if j <= k else zero for j in range(n)], -1) for k in range(n)], -2)


def overdone(cursor: Cursor, optimizer: str, tau: int, d: int) -> Instance:
    s = optimizer_instance(cursor, optimizer, tau, d)
    s.beta1 = 2 * s.beta1
    return s


def _ranges(s: Instance) -> list[Comparison]:
    return [that("beta1 < 1", s.beta1) < s.beta1 * 0 + 1, that("beta1", s.beta1) >= s.beta1 * 0]


BETA1 = Hypothesis(
    "0 <= beta1 < 1", _ranges, Domain(overdone, grid(optimizer=("adam",), tau=(2, 5), d=(1,)), "beta1 up to 2")
)
ETA = between("eta > 0", lambda s: s.eta, 0, role="a client that moves")
V0 = between("v_0 > 0", lambda s: s.v0, 0, role="the first preconditioner is 1/sqrt(v)")
BETA2 = between("0 <= beta2 <= 1", lambda s: s.beta2, 0, 1, "[]", role="v, a mean of squares, must not be negative")

CHOICES = grid(optimizer=OPTIMIZERS, tau=(1, 2, 3, 6), d=(1, 2))

STATEMENT = Statement(
    kind="equivalence",
    location="Algorithm 1, lines 4 to 13, Appendix A.3; section 5, local correction",
    says="For SGD, AdaGrad and Adam, with or without momentum, Algorithm 1 computes N_i = sum_k B_i^(k), where the "
    "local change is eta sum_k B_i^(k) g_k; dividing by it removes the bias as eta -> 0.",
    reading="N_i up to the factor eta, which section 5 includes and the listing does not (one rate for all clients: "
    "only a scale). F = x^T A x/2; Adam without bias correction, as in the listing.",
    severity="substantive",
    headline=True,
    domain=Domain(optimizer_instance, CHOICES, "one client in d <= 2 running SGD, AdaGrad, momentum or Adam, tau <= 6"),
    hypotheses=(BETA1, ETA, V0, BETA2),
    printed=claim_of(printed),
    corrected=claim_of(mended, derive=derive),
    note="The printed N_i is sum_k P_k (1 - beta1^(tau-k)): it weighs P_k as if momentum ran backwards. Equal where "
    "beta1 = 0 (SGD, AdaGrad) or P_k is constant (momentum SGD), wrong for Adam and Yogi, the case it is printed "
    "for: a bias remains as eta -> 0. c_k is 1 - beta1^(k+1). Line 13's Delta also keeps a factor eta, "
    "so alpha must grow as 1/eta.",
)

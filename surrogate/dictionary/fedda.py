"""FedDA: the momentum decoupled from the local steps, which are plain gradient descent."""

from __future__ import annotations

from surrogate._types import Scalar
from surrogate.dictionary.algebra import Element, raised
from surrogate.dictionary.entries import enter
from surrogate.dictionary.forms import alike, blended, descent, multiple
from surrogate.dictionary.rings import Ring
from surrogate.dictionary.settings import Settings


def _beta(s: Settings) -> Scalar:
    beta: Scalar = s.beta if s.has("beta") else s.beta1
    return beta


def _sums(ring: Ring, s: Settings, share: Scalar) -> list[Element]:
    """S - share F: g_k has weight 1 - share beta^(K-k). With r_k = prod_{j<k} (I - gamma_j (A_i + mu I)),

        S = sum_k r_k,   F = sum_k beta^(K-k) r_k;

    for one rate F is a blend of the powers of r and of beta.
    """
    beta = _beta(s)

    def distortion(i: int, A: Element) -> Element:
        K, H = s.steps[i], raised(A, s.mu)
        if s.has("inner_rates"):
            return descent(H, s.inner(i), _weights(s, i, share, ring.number(1)))
        r = 1 - s.gamma[i] * H
        return r.geometric(K) if share == 0 else r.geometric(K) - share * blended(r, beta, K)

    return ring.each(distortion)


def _weights(s: Settings, i: int, share: Scalar, one: Scalar) -> list[Scalar]:
    K = s.steps[i]
    return [one - share * _beta(s) ** (K - k) for k in range(1, K + 1)]


def _carried(s: Settings) -> Scalar:
    return _beta(s) if s.has("momentum") and s.momentum == "restarted" else 0


def _undistorted(s: Settings) -> bool:
    """Every D_i the same multiple of the identity: all weights (positive, AdaGrad's too) sit before the first move."""
    multiples = []
    for i, gamma in enumerate(s.gamma):
        rates = s.inner(i) if s.has("inner_rates") else [gamma] * s.steps[i]
        multiples.append(multiple(_weights(s, i, _carried(s), 1), rates))
    return None not in multiples and alike(multiples)


_EQUALS = "K = 1 (or gamma = 0 and one K)"


@enter(
    "fedda-sgdm",
    "fedda-adam",
    paper="DA (28)-(29), (34)-(35), algorithms 1 and 2",
    formula="D_i = sum_{k<K} (I - gamma A_i)^k, FedAvg's; with restarted momentum "
    "sum_{k=1..K} (1 - beta^(K-k+1)) (I - gamma A_i)^(k-1); with mu, A_i + mu I in the powers",
    equals=_EQUALS,
    limit="D_i = K_i I (restarted: the sum of the weights): x* for one K",
    when=_undistorted,
)
def fedda(ring: Ring, s: Settings) -> list[Element]:
    """P = sum_k m_k, m_k = beta m_(k-1) + (1 - beta) g_k give (1 - beta) P = beta (m_0 - m_K) + (1 - beta) sum_k g_k.
    Carried momentum has mean m_K = m_0 at rest, so P = 0 is mean sum_k g_k = 0, FedAvg's field (Adam rests there, too:
    its momentum beta m + (1 - beta) G is P). Restarted, m_0 = 0 and P = sum_k (1 - beta^(K-k+1)) g_k."""
    return _sums(ring, s, _carried(s))


@enter(
    "fedda-adagrad",
    paper="DA (38)-(39), algorithm 2",
    formula="D_i = sum_{k=1..K} theta_k (I - gamma A_i)^(k-1), theta_k = 1 - beta (1 - beta) beta^(K-k) / (1 - beta^K)",
    equals=_EQUALS,
    limit="D_i = (sum_k theta_k) I = (K - beta) I: x* for one K",
    when=_undistorted,
)
def fedda_adagrad(ring: Ring, s: Settings) -> list[Element]:
    """W rests where G = (P - beta m) / (1 - beta) = 0, not where P = 0. At rest P = mean sum_k g_k, and the momentum,
    equal to its own mean m_K, is m = (1 - beta) mean(sum_k beta^(K-k) g_k) / (1 - mean beta^K); so P - beta m weighs
    g_k by theta_k."""
    beta = s.beta1
    lasting = sum(w * beta**K for w, K in zip(ring.weights, s.steps, strict=True))
    return _sums(ring, s, beta * (1 - beta) / (1 - lasting))

"""LAMB Algorithms 1 and 2, transcribed for one layer of one coordinate: as printed, and as the text describes them.

``grad`` is f_i'; phi is the identity and lambda = 0. The listing never sets v-hat_1 (line 16 sets v-hat_(r+1), line 6
reads v-hat_(r-1)): it is given, with the moments before the round.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from surrogate._types import Scalar

Gradient = Callable[[Any], Any]


def local_round(
    nb: Any, grad: Gradient, theta: Scalar, m: Scalar, v: Scalar, root: Scalar, s: Any, T: int, printed: bool
) -> tuple[Any, Any, Any]:
    """Lines 5 to 13 on one client: (theta^T, the last m or m-hat, the last v or v-hat).

    printed: the gradient at theta^0 (line 8), m and v overwritten by their corrected values (lines 9, 10; v_(r-1,i)^t
    read as the last v). Text: the gradient at theta^(t-1), m and v kept, what is corrected used and sent.
    """
    start, fixed, ratio, sent = theta, grad(theta), m, v
    for t in range(1, T + 1):
        g = fixed if printed else grad(theta)
        m = s.beta1 * m + (1 - s.beta1) * g
        v = s.beta2 * v + (1 - s.beta2) * g * g
        ratio, sent = m / (1 - s.beta1**t), v / (1 - s.beta2**t)
        if printed:
            m, v = ratio, sent
        p = ratio / (root + s.eps)
        theta = theta - s.alpha * nb.abs(theta) * p / nb.abs(p)
    return theta + 0 * start, ratio, sent


def adp_fed_delta(grad: Gradient, theta: Scalar, eta: Scalar, T: int, printed: bool) -> Any:
    """Algorithm 2, lines 5 to 10: Delta of one client; printed: all gradients at theta^0 (line 7)."""
    here = theta
    for _ in range(T):
        here = here - eta * grad(theta if printed else here)
    return here - theta

r"""Client sampling: the first two moments of the random weights that the answers of a round get.

A round sends ``q = sum_i alpha_i q_i``. Of the law of alpha only three things matter to two moments of q: the mean
``v_i = E alpha_i``, the covariance ``K_ij``, and ``e_i``, the expected sum of squared weights of client i's
independent answers (a client drawn twice in a round answers twice, each time with fresh minibatches).
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from math import comb

import numpy as np

from surrogate._types import Numbers
from surrogate.kit import checks
from surrogate.kit.errors import problem
from surrogate.moments.population import Population
from surrogate.moments.ratios import share_moments

__all__ = ["MOST_SUBSETS", "MOST_WORK", "Coefficients", "check", "coefficients"]

# The likely cause of an error, and what to do about it
_TOO_MANY = (
    "distinct clients cannot outnumber the clients",
    'pass a smaller number, None for all clients, or sampling="iid"',
)
_NO_DATA = ("clients without data", "drop the clients of weight 0")

MOST_SUBSETS = 20_000  # of clients, enumerated in rationals when their weights differ
MOST_WORK = 50_000_000  # clients^2 * clients_per_round, in floating point when their weights differ


@dataclass(frozen=True, eq=False)
class Coefficients:
    """Moments of the random weights alpha: ``mean`` v (n,), ``noise`` e (n,), ``covariance`` K (n, n)."""

    mean: Numbers
    noise: Numbers
    covariance: Numbers


def coefficients(clients: Population, clients_per_round: int | None, sampling: str) -> Coefficients:
    r"""The moments of alpha for a sampling scheme.

    All clients: ``alpha = w``. ``"iid"``: counts of M draws from w over M, so ``v = w``, ``e = w/M`` and
    ``K = (diag(w) - w w^T)/M``. ``"uniform"``: M distinct clients S, ``alpha_i = w_i / sum_S w``; for equal weights
    ``K = (n - M)/(M n (n - 1)) (I - 1 1^T/n)``, else means of ratios over all subsets: `ratios` in floating point,
    one subset after another in rationals. There E alpha differs from w: light clients count for more than their
    weight, which moves the resting point.
    """
    w, n, count = clients.weights, clients.n, clients_per_round
    check(count, sampling, w)
    if count is None:
        return Coefficients(w, w * w, clients.zeros(n, n))
    count = int(count)
    if sampling == "iid":
        return Coefficients(w, w / count, (np.diag(w) - np.outer(w, w)) / count)
    if count == n:
        share = w / w.sum()
        return Coefficients(share, share * share, clients.zeros(n, n))
    one = w[0] * 0 + 1
    if all(weight == w[0] for weight in w):
        kappa = one * (n - count) / (count * n * (n - 1))
        each = clients.zeros(n) + one / n
        return Coefficients(each, each / count, kappa * (np.eye(n, dtype=w.dtype) - one / n))
    return _enumerated(w, n, count) if clients.is_exact else _integrated(w, n, count)


def _integrated(w: Numbers, n: int, count: int) -> Coefficients:
    if n * n * count > MOST_WORK:
        raise problem(
            f"clients_per_round = {count} of {n} clients with unequal weights",
            f"{n * n * count} = clients^2 * clients_per_round",
            f"at most {MOST_WORK} (two minutes)",
            "the weighted mean over the drawn is a ratio, whose moments need every pair of clients",
            'use sampling="iid" (the papers\' analysis), or equal weights',
        )
    mean, squares, pairs = share_moments(w, count)
    return Coefficients(mean, squares, pairs - np.outer(mean, mean))


def _enumerated(w: Numbers, n: int, count: int) -> Coefficients:
    subsets = comb(n, count)
    if subsets > MOST_SUBSETS:
        raise problem(
            f"clients_per_round = {count} of {n} clients with unequal weights in rationals",
            f"{subsets} subsets",
            f"at most {MOST_SUBSETS} to average over",
            "the weighted mean over the drawn is a ratio, whose exact moments need every subset",
            'use float64 clients, sampling="iid" (the papers\' analysis), or equal weights',
        )
    chosen = np.array(list(combinations(range(n), count)))
    alpha = np.full((subsets, n), 0 * w[0], dtype=w.dtype)
    alpha[np.arange(subsets)[:, None], chosen] = w[chosen] / w[chosen].sum(axis=1)[:, None]
    mean = alpha.sum(axis=0) / subsets
    return Coefficients(mean, (alpha * alpha).sum(axis=0) / subsets, (alpha - mean).T @ (alpha - mean) / subsets)


def check(count: object, sampling: str, weights: Numbers) -> None:
    """Refuse what is no sampling scheme of clients with these weights."""
    if sampling not in ("iid", "uniform"):
        fix = '"iid": M draws from the weights, plain mean; "uniform": M distinct clients, weighted mean over the drawn'
        raise problem("sampling", repr(sampling), '"iid" or "uniform"', "a spelling slip", fix)
    if count is None:
        return
    expected = "a whole number >= 1, or None for all"
    count = checks.whole(count, "clients_per_round", 1, expected, "a fraction of clients", "pass a count")
    if sampling == "uniform" and count > len(weights):
        raise problem("clients_per_round", count, f"at most the {len(weights)} clients there are", *_TOO_MANY)
    if sampling == "uniform" and sum(w == 0 for w in weights) >= count:
        raise problem(
            "weights",
            f"0 for all {count} clients of some draw",
            "a positive weight among any clients that may be drawn together",
            *_NO_DATA,
        )

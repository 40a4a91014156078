r"""Which clients a round hears: the first two moments of the random weights that their answers get.

A round sends ``q = sum_i alpha_i q_i``. Of the law of alpha only three things matter to two moments of q: the mean
``v_i = E alpha_i``, the covariance ``K_ij``, and ``e_i``, the expected sum of squared weights of client i's
independent answers (a client drawn twice in a round answers twice, each time with fresh minibatches).
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import Any

import numpy as np

from surrogate.errors import problem
from surrogate.moments.population import Numbers, Population

__all__ = ["MOST_SUBSETS", "Coefficients", "coefficients"]

MOST_SUBSETS = 20_000  # of clients, enumerated when their weights differ


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
    ``K = (n - M)/(M n (n - 1)) (I - 1 1^T/n)``, else an average over all subsets. Note that E alpha differs from w
    there: the ratio makes light clients heavier, which moves the resting point.
    """
    w, n, M = clients.weights, clients.n, clients_per_round
    _check(M, sampling, n)
    if M is None:
        return Coefficients(w, w * w, clients.zeros(n, n))
    if sampling == "iid":
        return Coefficients(w, w / M, (np.diag(w) - np.outer(w, w)) / M)
    if M == n:
        share = w / w.sum()
        return Coefficients(share, share * share, clients.zeros(n, n))
    one = w[0] * 0 + 1
    if all(weight == w[0] for weight in w):
        kappa = one * (n - M) / (M * n * (n - 1))
        each = clients.zeros(n) + one / n
        return Coefficients(each, each / M, kappa * (np.eye(n, dtype=w.dtype) - one / n))
    return _enumerated(w, n, M)


def _enumerated(w: Numbers, n: int, M: int) -> Coefficients:
    subsets = comb(n, M)
    if subsets > MOST_SUBSETS:
        raise problem(
            f"clients_per_round = {M} of {n} clients with unequal weights",
            f"{subsets} subsets",
            f"at most {MOST_SUBSETS} to average over",
            "the weighted mean over the drawn is a ratio, whose exact moments need every subset",
            'use sampling="iid" (the papers\' analysis), equal weights, or another clients_per_round',
        )
    chosen = np.array(list(combinations(range(n), M)))
    alpha = np.full((subsets, n), 0 * w[0], dtype=w.dtype)
    totals = w[chosen].sum(axis=1)
    if any(total == 0 for total in totals):
        raise problem(
            "weights",
            f"0 for all {M} clients of some draw",
            "a positive weight among any clients that may be drawn together",
            "clients without data",
            "drop the clients of weight 0",
        )
    alpha[np.arange(subsets)[:, None], chosen] = w[chosen] / totals[:, None]
    v = alpha.sum(axis=0) / subsets
    centred = alpha - v
    return Coefficients(v, (alpha * alpha).sum(axis=0) / subsets, centred.T @ centred / subsets)


def _check(M: Any, sampling: str, n: int) -> None:
    if sampling not in ("iid", "uniform"):
        raise problem(
            "sampling",
            repr(sampling),
            '"iid" or "uniform"',
            "a spelling slip",
            '"iid": M draws from the weights, plain mean; "uniform": M distinct clients, weighted mean over the drawn',
        )
    if M is None:
        return
    if isinstance(M, bool) or not isinstance(M, (int, np.integer)) or M < 1:
        raise problem(
            "clients_per_round", repr(M), "a whole number >= 1, or None for all", "a fraction of clients", "pass a count"
        )
    if sampling == "uniform" and M > n:
        raise problem(
            "clients_per_round",
            M,
            f"at most the {n} clients there are",
            "distinct clients cannot outnumber the clients",
            'pass a smaller number, None for all clients, or sampling="iid"',
        )

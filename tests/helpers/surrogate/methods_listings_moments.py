"""Plain listings, one coordinate: methods whose clients carry moments. Written from the papers, not from the code."""

from __future__ import annotations

import math
from fractions import Fraction as F
from typing import Any

from tests.helpers.surrogate.methods_listing_tools import Server, mean, moments, of, rate, server_of


def steps_of(frozen, i):
    """Client i's given preconditioners, as scalars."""
    rows = frozen[i] if isinstance(frozen, list) else frozen
    return [row[0] for row in rows]


def normaliser(P, rates, beta, dampened, bias, as_printed):
    """N_i of LA Algorithm 1: lines 9 and 10 as printed, or (11) with the matrices B of its text, summed out.

    x - y_K = sum_j (sum_{k >= j} gamma_k P_k c beta^(k-j)) g_j, c = 1 - beta (1 for a heavy ball); with bias correction
    the m_k of a constant gradient is that gradient.
    """
    K, c = len(P), (1 - beta if dampened else 1)
    if as_printed:
        N = M = 0
        for k in range(K):
            M = beta * M + c * P[k]
            N = N + M
        return N
    if bias:
        return sum(rates[k] * P[k] for k in range(K))
    return sum(sum(rates[k] * P[k] * c * beta ** (k - j) for k in range(j, K)) for j in range(K))


def local_adaptive(kind):
    def listing(
        clients,
        weights,
        draws,
        x,
        *,
        gamma,
        steps,
        eta=1,
        states="restart",
        correction="none",
        as_printed=False,
        server="sgd",
        inner_rates=None,
        frozen=None,
        record=False,
        **settings,
    ):
        if states == "sync":
            return synced(kind, clients, weights, draws, x, gamma, steps, eta, frozen, settings)
        name, on_server = server_of(server)
        run = Server(x, eta, name, **on_server)
        past: list[list[Any]] = [[] for _ in clients]
        beta = settings.get("beta", settings.get("beta1", 0 if kind == "adagrad" else F(9, 10)))
        for drawn in draws:
            delta, inverse = {}, {}
            for i in drawn:
                (a, b), y = clients[i], run.x
                past[i] = past[i] if states == "keep" else []
                used, rates = [], [rate(gamma, inner_rates, i, k) for k in range(of(steps, i))]
                for k, r in enumerate(rates):
                    past[i].append(a * y - b)
                    if frozen is None:
                        P, m = moments(kind, past[i], **settings)
                    else:
                        P, m = steps_of(frozen, i)[k], plain_momentum(kind, past[i], settings)
                    used.append(P)
                    y -= r * P * m
                N = normaliser(
                    used, rates, beta, settings.get("dampened", True), settings.get("bias_correction"), as_printed
                )
                delta[i] = (run.x - y) / N if correction in ("local", "joint") else run.x - y
                inverse[i] = 1 / N
            pseudo = mean(weights, delta)
            run.take(pseudo / mean(weights, inverse) if correction in ("global", "joint") else pseudo)
        return run.path

    return listing


def plain_momentum(kind, g, settings):
    """m alone, as of an optimizer whose P is given."""
    if kind == "adagrad" and "beta1" not in settings:
        return g[-1]
    return moments("sgdm", g, beta=settings["beta1"], bias_correction=settings.get("bias_correction", False))[1]


def synced(kind, clients, weights, draws, x, gamma, steps, eta, frozen, s):
    """States averaged every round; bias corrected by the averaged masses of the moments."""
    beta = s.get("beta", s.get("beta1", 0 if kind == "adagrad" else F(9, 10)))
    beta2, eps, bias = s.get("beta2", F(99, 100)), s.get("eps", F(1, 1000)), s.get("bias_correction", False)
    c = 1 - beta if s.get("dampened", True) else 1
    shared = {"m": 0, "v": s.get("initial", 0), "m_mass": 0, "v_mass": 0}
    path = [x]
    for drawn in draws:
        delta, ends = {}, {}
        for i in drawn:
            (a, b), y, own = clients[i], path[-1], dict(shared)
            for k in range(of(steps, i)):
                g = a * y - b
                own["m"], own["m_mass"] = beta * own["m"] + c * g, beta * own["m_mass"] + c
                if kind == "adagrad":
                    own["v"] += g * g
                elif kind == "yogi":
                    own["v"] -= (1 - beta2) * (1 if own["v"] > g * g else -1) * g * g
                else:
                    own["v"], own["v_mass"] = beta2 * own["v"] + (1 - beta2) * g * g, beta2 * own["v_mass"] + 1 - beta2
                if kind == "sgdm":
                    P = 1
                elif frozen is not None:
                    P = steps_of(frozen, i)[k]
                else:
                    P = 1 / (math.sqrt(own["v"] / own["v_mass"] if bias else own["v"]) + eps)
                y -= of(gamma, i) * P * (own["m"] / own["m_mass"] if bias else own["m"])
            delta[i], ends[i] = path[-1] - y, own
        path.append(path[-1] - eta * mean(weights, delta))
        shared = {key: mean(weights, {i: ends[i][key] for i in drawn}) for key in shared}
    return path


def fedlocal(clients, weights, draws, x, *, optimizer, **settings):
    name, own = server_of(optimizer)
    return local_adaptive(name)(clients, weights, draws, x, **settings, **own)


def mfl(clients, weights, draws, x, *, gamma, steps, eta=1, beta=F(9, 10), optimizer=None):
    name, settings = ("sgdm", {"beta": beta, "dampened": False}) if optimizer is None else server_of(optimizer)
    return synced(name, clients, weights, draws, x, gamma, steps, eta, None, settings)


def fedda(clients, weights, draws, x, gamma, steps, beta, mu, inner, carried, serve):
    """DA (28): the clients' half; ``serve(x, P, m, r)`` is the server's."""
    path, m = [x], 0
    for r, drawn in enumerate(draws):
        sums, ends = {}, {}
        for i in drawn:
            (a, b), W, mi, P = clients[i], path[-1], (m if carried else 0), 0
            for t in range(of(steps, i)):
                g = a * W - b + mu * (W - path[-1])
                W = W - g * rate(gamma, inner, i, t)
                mi = beta * mi + (1 - beta) * g
                P = P + mi
            sums[i], ends[i] = P, mi
        path.append(serve(path[-1], mean(weights, sums), m, r))
        m = mean(weights, ends)
    return path


def fedda_sgdm(
    clients, weights, draws, x, *, gamma, steps, eta, beta=F(9, 10), momentum="carried", mu=0, inner_rates=None
):
    carried = momentum == "carried"
    return fedda(
        clients, weights, draws, x, gamma, steps, beta, mu, inner_rates, carried, lambda W, P, m, r: W - P * eta
    )


def fedda_adam(clients, weights, draws, x, *, gamma, steps, eta, beta1, beta2, eps, bias_correction=True, mu=0):
    """Algorithm 2, lines 11 to 16, with r + 1 for r in the corrections."""
    V = 0

    def serve(W, P, m, r):
        nonlocal V
        G = (P - beta1 * m) / (1 - beta1)
        hat = (beta1 * m + (1 - beta1) * G) / (1 - beta1 ** (r + 1) if bias_correction else 1)
        V = beta2 * V + (1 - beta2) * G**2
        return W - hat / (math.sqrt(V / (1 - beta2 ** (r + 1) if bias_correction else 1)) + eps) * eta

    return fedda(clients, weights, draws, x, gamma, steps, beta1, mu, None, True, serve)


def fedda_adagrad(clients, weights, draws, x, *, gamma, steps, eta, beta1, eps=F(1, 1000), initial=0, mu=0):
    V = initial

    def serve(W, P, m, r):
        nonlocal V
        G = (P - beta1 * m) / (1 - beta1)
        V = V + G**2
        return W - G / (math.sqrt(V) + eps) * eta

    return fedda(clients, weights, draws, x, gamma, steps, beta1, mu, None, True, serve)


def fedlada(
    clients,
    weights,
    draws,
    x,
    *,
    gamma,
    steps,
    eta=1,
    alpha=F(1, 10),
    beta1=F(9, 10),
    beta2=F(99, 100),
    initial=0,
    as_printed=False,
    frozen=None,
    record=False,
):
    """LADA Algorithm 3; with one gamma and K for all, g_a by line 18 from the models."""
    path, g_a, V = [x], 0, initial
    for drawn in draws:
        delta, peaks, pace = {}, {}, {}
        for i in drawn:
            (a, b), y, m, v, peak = clients[i], path[-1], 0, V, V
            for tau in range(1, of(steps, i) + (0 if as_printed else 1)):
                g = a * y - b
                m = beta1 * m + (1 - beta1) * g
                v = beta2 * v + (1 - beta2) * g * g
                peak = max(v, peak)
                scale = 1 / math.sqrt(peak) if frozen is None else steps_of(frozen, i)[tau - 1]
                y = y - of(gamma, i) * (alpha * m * scale + (1 - alpha) * g_a)
            delta[i], peaks[i] = path[-1] - y, peak
            pace[i] = delta[i] / (of(gamma, i) * of(steps, i))
        path.append(path[-1] - eta * mean(weights, delta))
        V = mean(weights, peaks)
        shared = not isinstance(gamma, list) and not isinstance(steps, list)
        g_a = (path[-2] - path[-1]) / (eta * gamma * steps) if shared else mean(weights, pace)
    return path


def fed_ams(layerwise):
    def listing(
        clients,
        weights,
        draws,
        x,
        *,
        gamma,
        steps,
        beta1,
        beta2=F(999, 1000),
        eps=0,
        eta=1,
        bias_correction=False,
        decay=0,
        frozen=None,
        record=False,
    ):
        path, V, kept = [x], 0, [0] * len(clients)
        for drawn in draws:
            delta, vs = {}, {}
            for i in drawn:
                (a, b), theta, m, v = clients[i], path[-1], kept[i], V
                for t in range(1, of(steps, i) + 1):
                    g = a * theta - b
                    m = beta1 * m + (1 - beta1) * g
                    v = beta2 * v + (1 - beta2) * g**2
                    p = m / (1 - beta1**t if bias_correction else 1)
                    if frozen is not None:
                        step = steps_of(frozen, i)[t - 1] * p
                    else:
                        p = p / (math.sqrt(V) + eps)
                        step = abs(theta) * (p + decay * theta) / abs(p + decay * theta) if layerwise else p
                    theta = theta - of(gamma, i) * step
                kept[i], delta[i] = m, path[-1] - theta
                vs[i] = v / (1 - beta2 ** of(steps, i) if bias_correction else 1)
            path.append(path[-1] - eta * mean(weights, delta))
            V = max(V, mean(weights, vs))
        return path

    return listing


LISTINGS: dict[str, Any] = {
    **{f"local-{kind}": local_adaptive(kind) for kind in ("sgdm", "adagrad", "adam", "amsgrad", "yogi")},
    "fedlocal": fedlocal,
    "mfl": mfl,
    "fedda-sgdm": fedda_sgdm,
    "fedda-adam": fedda_adam,
    "fedda-adagrad": fedda_adagrad,
    "fedlada": fedlada,
    "fed-ams": fed_ams(False),
    "fed-lamb": fed_ams(True),
}

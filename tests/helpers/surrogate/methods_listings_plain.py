"""Plain listings, one coordinate: methods whose clients take gradient steps. Written from the papers, not the code.

Each takes clients [(a, b)] with gradient a y - b, their weights, who is drawn in each round, the first x, and the
method's settings as they were given; it returns the path of x.
"""

from __future__ import annotations

from fractions import Fraction as F
from typing import Any

from tests.helpers.surrogate.methods_listing_tools import Server, mean, moments, of, rate, server_of


def local_update(clients, weights, draws, x, *, gamma, theta, eta, inner_rates=None, server="sgd"):
    name, settings = server_of(server)
    run = Server(x, eta, name, **settings)
    for drawn in draws:
        q = {}
        for i in drawn:
            (a, b), y, q[i] = clients[i], run.x, 0
            for k, weight in enumerate(of(theta, i).weights):
                g = a * y - b
                q[i] += weight * g
                y -= rate(gamma, inner_rates, i, k) * g
        run.take(mean(weights, q))
    return run.path


def averaging(clients, weights, draws, run, gamma, steps, inner, sends):
    """FedAvg's clients under any server."""
    for drawn in draws:
        said = {}
        for i in drawn:
            (a, b), y, total = clients[i], run.x, 0
            for k in range(of(steps, i)):
                g = a * y - b
                total += g
                y -= rate(gamma, inner, i, k) * g
            said[i] = total if sends == "gradients" else run.x - y
        run.take(mean(weights, said))
    return run.path


def fedavg(clients, weights, draws, x, *, gamma, steps, eta=None, sends="updates", inner_rates=None):
    eta = (1 if sends == "updates" else gamma) if eta is None else eta
    return averaging(clients, weights, draws, Server(x, eta), gamma, steps, inner_rates, sends)


def reptile(clients, weights, draws, x, *, gamma, steps, eta, inner_rates=None):
    return averaging(clients, weights, draws, Server(x, eta), gamma, steps, inner_rates, "gradients")


def lookahead(clients, weights, draws, x, *, gamma, steps, eta):
    return averaging(clients, weights, draws, Server(x, eta), gamma, steps, None, "updates")


def fedopt(name):
    def listing(clients, weights, draws, x, *, gamma, steps, eta, sends="updates", **settings):
        return averaging(clients, weights, draws, Server(x, eta, name, **settings), gamma, steps, None, sends)

    return listing


def fomaml(clients, weights, draws, x, *, gamma, steps, eta):
    path = [x]
    for drawn in draws:
        q = {}
        for i in drawn:
            (a, b), y = clients[i], path[-1]
            for _ in range(of(steps, i) - 1):
                y -= gamma * (a * y - b)
            q[i] = a * y - b
        path.append(path[-1] - eta * mean(weights, q))
    return path


def maml(clients, weights, draws, x, *, gamma, steps, eta, order="", minibatches="", report=False):
    """d/dx f(X_K(x)), with the derivative (1 - gamma a)^K of the K steps X_K written out: true MAML."""
    path = [x]
    for drawn in draws:
        q = {}
        for i in drawn:
            (a, b), y, g = clients[i], path[-1], of(gamma, i)
            for _ in range(of(steps, i)):
                y -= g * (a * y - b)
            q[i] = (1 - g * a) ** of(steps, i) * (a * y - b)
        path.append(path[-1] - eta * mean(weights, q))
    return path


def central(name, **defaults):
    def listing(clients, weights, draws, x, *, eta, **settings):
        run = Server(x, eta, name, **{**defaults, **settings})
        for drawn in draws:
            run.take(mean(weights, {i: clients[i][0] * run.x - clients[i][1] for i in drawn}))
        return run.path

    return listing


def preconditioned(clients, weights, draws, x, *, gamma, steps, P, eta=1):
    path = [x]
    for drawn in draws:
        delta = {}
        for i in drawn:
            (a, b), y = clients[i], path[-1]
            for _ in range(of(steps, i)):
                y -= of(gamma, i) * P[i][0][0] * (a * y - b)
            delta[i] = path[-1] - y
        path.append(path[-1] - eta * mean(weights, delta))
    return path


def fedprox(clients, weights, draws, x, *, mu, gamma=None, steps=None, eta=1, exact=False):
    path = [x]
    for drawn in draws:
        ends = {}
        for i in drawn:
            (a, b), y, anchor = clients[i], path[-1], path[-1]
            if exact:
                y = (b + mu * anchor) / (a + mu)  # where a y - b + mu (y - x) = 0
            else:
                for _ in range(of(steps, i)):
                    y -= of(gamma, i) * (a * y - b + mu * (y - anchor))
            ends[i] = y
        path.append((1 - eta) * path[-1] + eta * mean(weights, ends))
    return path


def scaffold(clients, weights, draws, x, *, gamma, steps, eta=1, alpha=1, option="II"):
    """Karimireddy et al., Algorithm 1, with the printed option II where alpha = 1."""
    path, c, own = [x], 0, [0] * len(clients)
    for drawn in draws:
        delta, change = {}, {}
        for i in drawn:
            (a, b), y, K, total = clients[i], path[-1], of(steps, i), 0
            for _ in range(K):
                total += a * y - b
                y -= of(gamma, i) * (a * y - b + alpha * (c - own[i]))
            if option == "I":
                fresh = a * path[-1] - b
            elif alpha == 1:
                fresh = own[i] - c + (path[-1] - y) / (K * of(gamma, i))
            else:
                fresh = total / K
            delta[i], change[i] = y - path[-1], fresh - own[i]
            own[i] = fresh
        path.append(path[-1] + eta * mean(weights, delta))
        c = c + F(len(drawn), len(clients)) * mean(weights, change)
    return path


def fedlin(clients, weights, draws, x, *, gamma, steps, eta=1, inner_rates=None):
    path = [x]
    for drawn in draws:
        here = {i: clients[i][0] * path[-1] - clients[i][1] for i in drawn}
        g, delta = mean(weights, here), {}
        for i in drawn:
            (a, b), y = clients[i], path[-1]
            for k in range(of(steps, i)):
                y -= rate(gamma, inner_rates, i, k) * (a * y - b - here[i] + g)
            delta[i] = path[-1] - y
        path.append(path[-1] - eta * mean(weights, delta))
    return path


def fednova(clients, weights, draws, x, *, gamma, steps, eta=1):
    """x+ = x - eta tau_eff sum_i p_i d_i, with p_i = w_i over the drawn, d_i = gamma_i (sum of gradients) / tau_i."""
    path = [x]
    for drawn in draws:
        share = {i: weights[i] / sum(weights[j] for j in drawn) for i in drawn}
        tau_eff = sum(share[i] * of(steps, i) for i in drawn)
        move = 0
        for i in drawn:
            (a, b), y, total = clients[i], path[-1], 0
            for _ in range(of(steps, i)):
                total += a * y - b
                y -= of(gamma, i) * (a * y - b)
            move += share[i] * of(gamma, i) * total / of(steps, i)
        path.append(path[-1] - eta * tau_eff * move)
    return path


def amended(clients, weights, draws, run, gamma, steps, alpha):
    """FedCM's clients under any server: g_a is the mean step of the last round over gamma K."""
    g_a = 0
    for drawn in draws:
        delta, pace = {}, {}
        for i in drawn:
            (a, b), y = clients[i], run.x
            for _ in range(of(steps, i)):
                y -= of(gamma, i) * (alpha * (a * y - b) + (1 - alpha) * g_a)
            delta[i] = run.x - y
            pace[i] = delta[i] / (of(gamma, i) * of(steps, i))
        run.take(mean(weights, delta))
        g_a = mean(weights, pace)
    return run.path


def fedcm(clients, weights, draws, x, *, gamma, steps, eta=1, alpha=F(1, 10)):
    return amended(clients, weights, draws, Server(x, eta), gamma, steps, alpha)


def fedadam_amended(clients, weights, draws, x, *, gamma, steps, eta, beta1, alpha=F(1, 10)):
    run = Server(x, eta, "adam", beta1=beta1, eps=0, initial=F(1, 100))
    return amended(clients, weights, draws, run, gamma, steps, alpha)


def mimelite(clients, weights, draws, x, *, gamma, steps, eta=1, beta=F(9, 10), optimizer=None):
    """MimeLite: U mixes the server's m with the client's gradient; the server's moments follow the full gradients."""
    name, settings = ("sgdm", {"beta": beta}) if optimizer is None else server_of(optimizer)
    mix = settings.get("beta", settings.get("beta1", 0 if name == "adagrad" else F(9, 10)))
    path, full = [x], []
    for drawn in draws:
        P, m = moments(name, full, **settings) if full else (1 / settings.get("eps", F(1, 1000)), 0)
        P = 1 if name == "sgdm" else P
        delta = {}
        for i in drawn:
            (a, b), y = clients[i], path[-1]
            for _ in range(of(steps, i)):
                y -= of(gamma, i) * P * (mix * m + (1 - mix) * (a * y - b))
            delta[i] = path[-1] - y
        full.append(mean(weights, {i: clients[i][0] * path[-1] - clients[i][1] for i in drawn}))
        path.append(path[-1] - eta * mean(weights, delta))
    return path


def half_square(a, b, x):
    """The loss a/2 (x - c)^2 with gradient a x - b."""
    return a * (x - b / a) ** 2 / 2


def local_update_decay(
    clients,
    weights,
    draws,
    x,
    *,
    gamma,
    theta,
    eta,
    window,
    patience,
    cooldown,
    threshold,
    client_factor,
    server_factor,
    inner_rates=None,
    server="sgd",
):
    """OLR Algorithms 3 and 4 with 9.1, in words: the estimates so far, a counter, and the round of the last decay."""
    name, settings = server_of(server)
    run, said, estimates, count, silent, slow, decays = Server(x, eta, name, **settings), [], [], 0, cooldown, 1, 0
    for drawn in draws:
        q = {}
        for i in drawn:
            (a, b), y, q[i] = clients[i], run.x, 0
            for k, weight in enumerate(theta.weights):
                q[i] += weight * (a * y - b)
                y -= client_factor**decays * rate(gamma, inner_rates, i, k) * (a * y - b)
        said.append(mean(weights, {i: half_square(*clients[i], run.x) for i in drawn}))
        run.eta = eta * slow
        run.take(mean(weights, q))
        last = said[-window:]
        estimate = sum(last) / len(last)
        if silent > 0:
            silent, count = silent - 1, 0
        elif estimates and estimate > min(estimates) - threshold:
            count += 1
            if count == patience:
                decays, slow, silent, count = decays + 1, slow * server_factor, cooldown, 0
        else:
            count = 0
        estimates.append(estimate)
    return run.path


def climb(clients, weights, draws, x, *, gamma, steps, eta=1, dual_rate=F(1, 10), tolerance=F(1, 10), inner_rates=None):
    """The multipliers of all clients at once, and their mean over all with the changes of those drawn."""
    path, own, level = [x], [0] * len(clients), 0
    for drawn in draws:
        f = {i: half_square(*clients[i], path[-1]) for i in drawn}
        delta, change = {}, {}
        for i in drawn:
            (a, b), y = clients[i], path[-1]
            for k in range(of(steps, i)):
                y -= rate(gamma, inner_rates, i, k) * (a * y - b)
            delta[i] = (1 + own[i] - level) * (path[-1] - y)
            fresh = max(0, own[i] + dual_rate * (f[i] - mean(weights, f) - tolerance))
            change[i], own[i] = fresh - own[i], fresh
        path.append(path[-1] - eta * mean(weights, delta))
        level += mean(weights, change) * len(drawn) / len(clients)
    return path


def stem(clients, weights, draws, x, *, gamma, steps, a=F(1, 10), first="survey"):
    """With errors e = d - grad f_i at the point before: a step keeps 1 - a of it (Khanduri et al. (6), exact)."""
    path, shared = [x], 0
    for t, drawn in enumerate(draws):
        if t == 0 and first == "survey":
            shared = mean(weights, {i: clients[i][0] * x - clients[i][1] for i in drawn})
        delta, ends = {}, {}
        for i in drawn:
            (h, b), y = clients[i], path[-1]
            error = shared - (h * y - b)
            for k in range(of(steps, i)):
                y -= of(gamma, i) * (h * y - b + (1 - a) ** k * error)
            delta[i], ends[i] = path[-1] - y, h * y - b + (1 - a) ** of(steps, i) * error
        path.append(path[-1] - mean(weights, delta))
        shared = mean(weights, ends)
    return path


LISTINGS: dict[str, Any] = {
    "local-update-decay": local_update_decay,
    "climb": climb,
    "stem": stem,
    "local-update": local_update,
    "minibatch-sgd": central("sgd"),
    "fedavg": fedavg,
    "reptile": reptile,
    "fomaml": fomaml,
    "maml": maml,
    "lookahead": lookahead,
    **{f"fedopt-{name}": fedopt(name) for name in ("sgd", "sgdm", "adagrad", "adam", "amsgrad", "yogi")},
    "central-sgd": central("sgd"),
    "central-sgdm": central("sgdm"),
    "central-adam": central("adam", bias_correction=True),
    "central-adagrad": central("adagrad"),
    "preconditioned": preconditioned,
    "fedprox": fedprox,
    "scaffold": scaffold,
    "fedlin": fedlin,
    "fednova": fednova,
    "fedcm": fedcm,
    "fedadam-amended": fedadam_amended,
    "mimelite": mimelite,
}

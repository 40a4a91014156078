r"""The problem and the four methods of LA Figure 1, shared by its two halves.

The paper prints neither, so all numbers are ours, chosen for what the text says of them: "a synthetic 2D quadratic
problem" with "deterministic gradients", badly conditioned along the axes (AdaGrad scales coordinates), whose clients
differ. Three clients, steep along the first axis and flat along the second (eigenvalues (1, 1/100), (1/2, 1/50),
(1/2, 1/25)), turned by 0 and +-6 degrees, with minimizers (3/2, 0), (-1, 2), (-1/2, -2). Their Hessian-weighted mean
x*, their mean and their median all differ. (`toys.plane` would not do: its averaged Hessian is nearly a multiple of I.)

K = 20 local steps at client rate 1/20, server rate 1. AdaGrad as in LA (3): restarted each round, its accumulator at
1e-6, no eps. N_i as in LA (11), with the client rate; Algorithm 1 prints it without.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from surrogate import Quadratics, methods

__all__ = ["LABELS", "RATE", "advance", "clients"]

RATE, STEPS, ACCUMULATOR = 1 / 20, 20, 1e-6

LABELS = {
    "fedavg": "SGD clients (FedAvg)",
    "adagrad": "local AdaGrad",
    "local": "AdaGrad + local correction",
    "joint": "AdaGrad + joint correction",
}
CORRECTIONS = {"adagrad": "none", "local": "local", "joint": "joint"}

SPECTRA = [(1.0, 1 / 100), (1 / 2, 1 / 50), (1 / 2, 1 / 25)]
TURNS = [(1.0, 0.0), (180 / 181, 19 / 181), (180 / 181, -19 / 181)]  # cosine and sine
MINIMIZERS = [(3 / 2, 0.0), (-1.0, 2.0), (-1 / 2, -2.0)]


@cache
def clients() -> Quadratics:
    """The three clients, of equal weight."""
    frames = [np.array([[c, -s], [s, c]]) for c, s in TURNS]
    return Quadratics([R @ np.diag(spectrum) @ R.T for R, spectrum in zip(frames, SPECTRA, strict=True)], MINIMIZERS)


def advance(method: str, x: np.ndarray, rate: float = RATE) -> np.ndarray:
    """A(x): one round of the method's own code from each of the points x (2, points)."""
    population = clients()
    gradients = [_gradient(A, b) for A, b in zip(population.A, population.b, strict=True)]
    built = _build(method, rate)
    state, _ = methods.play(built, built.start(x), {}, gradients, population.weights.tolist())
    return np.asarray(state["x"])


@cache
def _build(method: str, rate: float) -> methods.Method:
    if method == "fedavg":
        return methods.build("fedavg", gamma=rate, steps=STEPS)
    correction = CORRECTIONS[method]
    return methods.build("local-adagrad", gamma=rate, steps=STEPS, eps=0, initial=ACCUMULATOR, correction=correction)


def _gradient(A: np.ndarray, b: np.ndarray) -> Any:
    """The client's gradient at many points at once."""
    return lambda y, k: A @ y - b[:, None]

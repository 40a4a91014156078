r"""LA's corrections (section 5, Algorithm 1): what clients divide their updates by, to send gradients to first order.

A client with momentum m_k and preconditioners P_k moves by ``x - y_K = sum_k gamma_k P_k m_k``. Had every gradient been
g, then m_k = w_k g with w_k the momentum of a constant 1, so that ``x - y_K = N g`` with

    N = sum_k gamma_k P_k w_k            w_k = 1 - beta^(k+1), k = 0, 1, ...; 1 without momentum      (corrected)
    N = sum_k M_k,  M_k = beta M_{k-1} + (1 - beta) P_k,  that is sum_k P_k (1 - beta^(K-k))          (as printed)

The printed N leaves out the rate, which scales all clients alike only while they share one, and it weighs P_k by
1 - beta^(K-k) in the place of 1 - beta^(k+1): the same where P_k is constant or beta = 0, else not what (11) asks for.
"""

from __future__ import annotations

from dataclasses import dataclass

from surrogate._types import Scalar, Vector
from surrogate.methods.method import Message, State
from surrogate.methods.optimizers import Optimizer
from surrogate.numbers import Kind

__all__ = ["Correction", "Tally"]


@dataclass(frozen=True)
class Tally:
    """N so far, summed up along the local steps; never changed, only replaced."""

    N: Vector
    printed: Scalar  # M_k of Algorithm 1, line 9
    unit: State  # the momentum's state when every gradient is 1

    def add(self, optimizer: Optimizer, rate: Scalar, P: Scalar, as_printed: bool, ops: Kind) -> Tally:
        """N after one more step."""
        if as_printed:
            M = P if optimizer.beta is None else optimizer.mix(self.printed, P)
            return Tally(self.N + M, M, self.unit)
        weight, unit = optimizer.momentum(self.unit, 1)
        return Tally(ops.moved(self.N, -rate * weight, 1, P), self.printed, unit)


@dataclass(frozen=True)
class Correction:
    """One of LA's four options.

    ``none``: mean(D_i) with D_i = x - y. ``local``: mean(N_i^-1 D_i). ``joint`` (printed as local and global together):
    N_s^-1 mean(N_i^-1 D_i) with N_s = mean(N_i^-1). ``global``: line 15 without line 12, N_s^-1 mean(D_i); the paper
    does not say what global alone means: this is our reading. N_s is the server's, so it moves no resting point.
    """

    kind: str

    @property
    def counts(self) -> bool:
        """Whether clients sum up N_i at all."""
        return self.kind != "none"

    def start(self, x: Vector) -> Tally | None:
        """The tally before the first step."""
        nothing = 0 * x
        return Tally(nothing, nothing, {"m": 0, "m_mass": 0}) if self.counts else None

    def message(self, delta: Vector, tally: Tally | None) -> Message:
        """What the client sends: x - y as it is, beside the q that the server takes instead."""
        if tally is None:
            return {"delta": delta}
        message = {"delta": delta} if self.kind == "global" else {"q": delta / tally.N, "delta": delta}
        return message if self.kind == "local" else {**message, "N_inverse": 1 / tally.N}

    def aggregate(self, message: Message) -> Vector:
        """What the server's optimizer takes, from the mean message."""
        sent = message["q"] if "q" in message else message["delta"]
        return sent / message["N_inverse"] if "N_inverse" in message else sent

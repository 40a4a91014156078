"""OLR Algorithms 3 and 4 (LocalUpdateDecay) as printed, and the refinements of section 9.1 as its text has them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from surrogate._types import Scalar


def inner_loop(
    gradient: Callable[[Any], Any], loss: Callable[[Any], Any], x: Scalar, gamma: Scalar, theta: Sequence[Any]
) -> Any:
    """Algorithm 4: the loss before any local step, and sum_k theta_k g_k (full gradients)."""
    estimate, total = loss(x), 0 * x
    for weight in theta:
        g = gradient(x)
        total = total + weight * g
        x = x - gamma * g
    return estimate, total


def outer_loop(
    clients: Sequence[Any], x: Scalar, eta: Scalar, gamma: Scalar, theta: Sequence[Any], **settings: Any
) -> list[Any]:
    """Algorithm 3 with full participation: rows (x_t, gamma, eta) after each of ``rounds`` rounds.

    ``clients``: pairs (gradient, loss). Settings: Delta, alpha, beta, rounds, and ``decide(losses) -> bool``.
    """
    losses: list[Any] = []
    rows = []
    for _ in range(settings["rounds"]):
        answers = [inner_loop(gradient, loss, x, gamma, theta) for gradient, loss in clients]
        losses.append(sum(loss for loss, _ in answers) / len(answers))
        q = sum(answer for _, answer in answers) / len(answers)
        x = x - eta * q
        if settings["decide"](losses):
            gamma, eta = settings["alpha"] * gamma, settings["beta"] * eta
        rows.append((x, gamma, eta))
    return rows


def algorithm_3(losses: Sequence[Any], Delta: Scalar) -> bool:
    """The last line of a round: l_t > min_{j<t} l_j - Delta; no decay in round 1, where the minimum is over nothing."""
    return len(losses) > 1 and losses[-1] > min(losses[:-1]) - Delta


@dataclass(frozen=True)
class State:
    """What the refinements carry: consecutive failures, and rounds of cooldown that are left."""

    counter: int = 0
    cooldown: int = 0


def refined_round(state: State, failed: bool, P: int, C: int, reset: bool = True) -> tuple[State, bool]:
    """Section 9.1: the counter of consecutive failures, decay once it reaches P, then C rounds without decay.

    ``failed``: (25) holds. ``reset``: the counter starts again after a decay (the text resets it on success alone).
    """
    counter = state.counter + 1 if failed else 0
    if state.cooldown > 0:
        return State(counter, state.cooldown - 1), False
    if counter == P:
        return State(0 if reset else counter, C), True
    return State(counter, 0), False


def decisions(failed: Sequence[bool], P: int, C: int, reset: bool = True) -> list[bool]:
    """The refined algorithm's decays; it starts with a cooldown of C rounds."""
    state, made = State(cooldown=C), []
    for f in failed:
        state, decay = refined_round(state, f, P, C, reset)
        made.append(decay)
    return made


def window_mean(losses: Sequence[Any], W: int) -> Any:
    """l^_t = (1/W) sum_{j<W} l_{t-j}; before round W the mean of what is there (the text leaves this open)."""
    last = losses[-W:]
    return sum(last) / len(last)

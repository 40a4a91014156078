"""LA's quadratic example in d = 1: curvatures H, preconditioners P, rates eta, minimizers x, weights w, steps tau."""

from theorems.vocabulary import *


def _sums(s: Instance, power: Scalar) -> Any:
    """Per client sum_{k < tau_i} (1 - eta_i P_i H_i)^k, times ``power``."""
    z = s.eta * s.P * s.H
    return np.stack([s.nb.geometric(z[..., i], t) for i, t in enumerate(s.tau)], -1) * power


def weighting(s: Instance) -> Any:
    """M_i = [1 - (1 - eta_i P_i H_i)^tau_i] / H_i."""
    return _sums(s, s.eta * s.P)


def limit_weights(s: Instance) -> Any:
    """gamma_i tau_i P_i, with the rates themselves for gamma_i."""
    return s.eta * s.P * np.array(s.tau, dtype=object if s.nb.exact else float)


def minimizer(s: Instance) -> Any:
    return (s.w * s.H * s.x).sum(axis=-1) / (s.w * s.H).sum(axis=-1)


def gradients(s: Instance, y: Numbers) -> Any:
    """grad F_i(y)."""
    return s.H * (y[..., None] - s.x)

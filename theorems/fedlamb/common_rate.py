"""The right sides of Theorem 1 and of what it simplifies to, as printed."""

from theorems.vocabulary import *


def theorem_1(s: Instance) -> Any:
    """The right side of (3) with L = a, p = h, and the appendix's terms for 'cst'."""
    nb, p, al = s.nb, s.h, s.alpha
    start = nb.sqrt(s.M**2 * p / s.n) * s.Delta / (s.h * al * s.R)
    drift = al**2 * s.L / s.sqrt_v0 * s.M**2 * (s.T - 1) ** 2 * s.phi**2 * (1 - s.beta2) * p
    scale = s.phi**2 * nb.sqrt(s.M**2 + p * s.sigma**2)
    noise = s.phi * s.sigma**2 / (s.R * s.n) * nb.sqrt((1 - s.beta2) / (s.M**2 * p))
    layers = s.phi * s.h * s.sigma**2 / nb.sqrt(al * 0 + s.n)
    return start + 4 * al * (drift + scale + s.M**2 / s.sqrt_v0 + layers) + noise + appendix_constant(s)


def appendix_constant(s: Instance) -> Any:
    """The terms of the proof's last inequality that (3) calls cst, L-bar = a."""
    p, al, b = s.h, s.alpha, s.beta1 / (1 - s.beta1)
    gap = s.L * al**2 * s.M**2 * s.phi**2 * (1 - s.beta2) * p / (s.T * s.sqrt_v0**2)
    momentum = al * b * s.nb.sqrt((1 - s.beta2) * p) * s.h * s.M**2 / s.sqrt_v0
    constant = s.L * b**2 * s.h * (1 - s.beta2) * s.M**2 * s.phi**2 * s.n / (2 * s.sqrt_v0**2)
    return gap + momentum + constant + 2 * al**3 * s.L * p * s.phi**2 * b**2 / s.sqrt_v0

"""Units of LAMB's letters, for losses in f and points in x; a layer's step has the length alpha phi."""

from surrogate.numbers.units import CURVATURE, GRADIENT, LOSS, NUMBER, POINT, RATE
from theorems.engines.units import Sheet

_RATE = "as printed, terms of (3) have different units: Delta M/alpha, phi^2 M, M^2/sqrt(v0), phi sigma^2"
_SMOOTH = "as printed, with L where smoothness gives its square"

SHEET = Sheet(
    units={
        **dict.fromkeys(("a", "A", "L", "b"), CURVATURE),
        **dict.fromkeys(("c", "x", "y", "best", "theta", "path", "old", "here", "then"), POINT),
        **dict.fromkeys(("phi", "phis", "phi_m", "phi_M", "d1", "d2"), POINT),
        **dict.fromkeys(
            ("g", "m", "M", "sigma", "met", "root", "root_0", "sqrt_v0", "V", "eps", "slope", "F", "nu"), GRADIENT
        ),
        **dict.fromkeys(("alpha", "beta1", "beta2", "one", "along", "turn"), NUMBER),
        **dict.fromkeys(("before", "now", "eta"), RATE),
        **dict.fromkeys(("s", "at_least"), GRADIENT),
        **dict.fromkeys(("delta", "step", "layers.theta"), POINT),
        "whole": GRADIENT**2,
        "layers.p": NUMBER,
        "mean": NUMBER,
        "z": NUMBER,
        "Delta": LOSS,
    },
    own={
        **{f"LAMB.{name}": {"eps": NUMBER} for name in ("A1b", "A1c")},  # against a root of 1
        "LAMB.B2": {"phi": NUMBER},  # of a gradient
        "LAMB.E6": {"c": CURVATURE},
        "LAMB.E11": {"f": GRADIENT},
        "LAMB.E12": {"ahead": GRADIENT, "here": GRADIENT, "local": GRADIENT, "bent": GRADIENT, "apart": POINT},
        "LAMB.H4": {"a": POINT},
        "LAMB.L2": {"met": GRADIENT**2},
    },
    numbers={
        "LAMB.C1 step 0": "alpha = 1/sqrt(h R), h and R are numbers",
        "LAMB.D1": "rates in the counts n, p, h, T, R alone",
        "LAMB.D1b": "rates in the counts n, p, h, T, R alone",
        "LAMB.D1c": "rates in numbers: sigma stands for sigma/M",
        "LAMB.D2": "counts of numbers sent",
        "LAMB.T2": "two problems in numbers: a = 1 and a = 1/2 from x_0 = 1",
    },
    mixed={
        "LAMB.B2 printed": _RATE,
        "LAMB.B2 step 1": "as printed, without the root of v",
        "LAMB.B2 step 2": "as printed, sigma^2 for sigma",
        "LAMB.B3 printed": "as printed, phi_M for alpha phi_M^2, and M for M^2",
        "LAMB.C1 printed": _RATE,
        "LAMB.C1 step 1": _RATE,
        "LAMB.C1b printed": _RATE,
        "LAMB.C1b step 1": "as printed, a factor L is left out: for L <= 1",
        "LAMB.D2b": _RATE,
        "LAMB.D3": _RATE,
        "LAMB.E12 step 1": _SMOOTH,
        "LAMB.E13 printed": _SMOOTH,
        "LAMB.L2 printed": _SMOOTH,
        "LAMB.L2 step 1": _SMOOTH,
        "LAMB.T1 printed": _RATE,
        "LAMB.T1b printed": _RATE,
    },
)

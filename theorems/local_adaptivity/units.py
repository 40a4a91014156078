"""Units of LA's letters, for losses in f and points in x."""

from surrogate.numbers.units import CURVATURE, GRADIENT, LOSS, NUMBER, POINT, RATE
from theorems.engines.units import Sheet

_AS_PRINTED = "a factor eta is missing in the print"

SHEET = Sheet(
    units={
        **{f"p.{name}": unit for name, unit in {"lam": CURVATURE, "R": NUMBER, "c": POINT, "w": NUMBER}.items()},
        "frames.R": NUMBER,
        **dict.fromkeys(("H", "L", "mu", "h", "left", "right", "a"), CURVATURE),
        **dict.fromkeys(("eta", "q", "root"), RATE),
        **dict.fromkeys(("x", "y", "t", "rest", "reach", "realised", "expected"), POINT),
        **dict.fromkeys(("f", "noise_x", "noise_y", "sigma", "up", "down", "b", "eps"), GRADIENT),
        **dict.fromkeys(("r", "noise", "bias", "start"), POINT**2),  # squared distances
        **dict.fromkeys(("sigma2", "v0"), GRADIENT**2),
        **dict.fromkeys(("w", "P", "A", "B", "C", "lam", "alpha", "beta1", "beta2", "rho", "slope"), NUMBER),
        **dict.fromkeys(("d", "moved"), NUMBER),
        **dict.fromkeys(("share", "common", "slack", "drop", "cap", "theta", "top_rate", "scale"), NUMBER),
        "D": LOSS,
    },
    own={
        **{name: {"start": POINT} for name in ("LA.B3", "LA.D1c", "LA.E127", "LA.E66")},
        "LA.B4": {"lam": CURVATURE, "eta": POINT},  # Adam's first step is eta g/(|g| + eps)
        "LA.D1c": {"eta": NUMBER, "rate": NUMBER, "P": RATE, "start": POINT},  # P_i = H_i^-1
        "LA.D3": {"h": NUMBER},
        "LA.D5c": dict.fromkeys(("top", "first", "second"), RATE),
        "LA.D6": {"start": POINT},
        "LA.D5b": {"b": CURVATURE, "e": NUMBER, "g": GRADIENT},
        "LA.E3": {"initial": NUMBER / GRADIENT, "eta": POINT, "start": POINT},
        "LA.L3": {**dict.fromkeys(("a", "b", "gammas", "shares"), NUMBER), "c": POINT**2},
        "LA.T1 corrected": {"v": POINT, "fixed": POINT, "offset": POINT, "reach": POINT, "bend": NUMBER},
        "LA.T3": {"reach": POINT},
        "LA.T2b": {"b": CURVATURE, "e": CURVATURE},
    },
    normalised={
        "LA.D5b": "G = 1",  # AdaGrad starts from v_0 = 1
        "LA.E66": "x = 1",  # |x^(0) - x~| = 1
        "LA.E92": "x = 1",  # between the points 0 and e_1
    },
    numbers={
        "LA.A2b": "a count of numbers sent",
        "LA.E54": "Lipschitz constants and weights are numbers",
        "LA.E82": "x = eta h and tau are numbers",
        "LA.E84": "x = eta h and tau are numbers",
        "LA.K1": "a count of numbers sent",
        "LA.T1b": "h, c and T are numbers, and the noise is 1",
    },
    mixed={
        "LA.A1": "eta is a rate for SGD, a length for AdaGrad and Adam: one field for all",
        "LA.D4": "alpha is a number for SGD, a length for AdaGrad and Adam: one field for all",
        "LA.E124": "eta is a rate for SGD, a length for AdaGrad and Adam: one field for all",
        "LA.E29 printed": _AS_PRINTED,
        "LA.E34 printed": _AS_PRINTED,
        "LA.E50 printed": _AS_PRINTED,
        "LA.L1": "the coefficient of t^k in F' has a unit of its own",
    },
)

"""Units of DA's letters, for losses in f and points in x; momenta are gradients, t eta is the time of a flow."""

from surrogate.numbers.units import CURVATURE, GRADIENT, NUMBER, POINT, RATE
from theorems.engines.units import Sheet

_ROOT = "the root of V is taken from the field x, a free number"
_SLOPE = "the constant gradient is taken from the field x, a free number"
_RANGE = {"0 < eta <= 1": "units in which the rate is at most 1: the claim is the same in others"}

SHEET = Sheet(
    units={
        **{f"p.{name}": unit for name, unit in {"lam": CURVATURE, "R": NUMBER, "c": POINT, "w": NUMBER}.items()},
        **dict.fromkeys(("a", "L", "mu"), CURVATURE),
        **dict.fromkeys(("c", "x", "y"), POINT),
        **dict.fromkeys(("m", "momenta", "v", "g", "starts", "eps"), GRADIENT),
        **dict.fromkeys(("p", "alpha", "beta", "beta1", "beta2", "mode", "part"), NUMBER),
        "eta": RATE,
    },
    own={
        **{
            name: {"A": CURVATURE, "R_i": GRADIENT, "G": GRADIENT, "G_i": GRADIENT}
            for name in ("DA.D2 printed", "DA.E56")
        },
        "DA.E8": {"starts": POINT},
        "DA.E31": {"v": GRADIENT**2},
        **{f"DA.E{k}": {"x": NUMBER, "y": NUMBER, "D": GRADIENT, "E": POINT, "R": GRADIENT} for k in (45, 46, 47)},
    },
    normalised={
        "DA.D1": "L = 1",
        "DA.D2 step 3": "L = 1",  # the concave client has curvature -1
    },
    numbers={"DA.R1": "Adam's ratio, a number, of gradients of one size that outcomes list with their chances"},
    ranges={name: _RANGE for name in ("DA.D2", "DA.E52", "DA.E53", "DA.E54", "DA.E55", "DA.E57")},
    mixed={
        "DA.A2 corrected": _ROOT,
        "DA.A2 step 0": _ROOT,
        "DA.E23 step 0": "as printed, the derivative of the gradient in the place of the gradient",
        "DA.E27 printed": "the factor eta of (25), as printed",
        "DA.E27 step 0": "the factor eta of (25), as printed",
        "DA.E31 printed": "a factor eta too many, as printed",
        "DA.E31 step 1": "the exponent tau is a time, as printed",
        "DA.E35 step 0": "beta_1 without its momentum, as printed",
        "DA.E35 step 1": _ROOT,
        "DA.E39 step 1": _SLOPE,
        "DA.E44 printed": "L_g without the factor eta under the root, as printed",
        "DA.E44 step 0": "the trace without its 1/eta, as printed",
        "DA.E47 printed": "A.3 adds the deviation of the momentum to that of the model, as printed",
        "DA.E47 corrected": "A.3 adds the deviation of the momentum to that of the model",
        "DA.E57 printed": "A.3 adds the deviation of the momentum to that of the model, as printed",
        "DA.I1 printed": "as printed, losses in the place of gradients",
        "DA.P1 printed": "the parenthesis of the print multiplies the pull by eta, not the gradient",
    },
)

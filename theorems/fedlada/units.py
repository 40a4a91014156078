"""Units of LADA's letters, for losses in f and points in x; theta is one over the root of v."""

from surrogate.numbers.units import CURVATURE, GRADIENT, LOSS, NUMBER, POINT, RATE
from theorems.engines.units import Sheet

_SCAFFOLD = {"g": GRADIENT, "eta_l": RATE, "x": POINT} | dict.fromkeys(
    ("g_a", "now", "before", "g_next", "last", "own", "u", "step"), GRADIENT
)
_UNIT = "the domain sets L = 1 and clips gradients at 1, so that all letters are numbers"
_CLIPPED = "the domain clips gradients at G_g = 1, which stands in no formula any more"
_CLOSED = {
    "x steps to (1 - pull) x plus a deviation of variance jump; L = G_g = eps_v = 1": "units of the closed form: the "
    "claim is the same in others"
}
_RATE, _NO_THETA = "0 < eta eta_l <= 1/(4 L)", "as printed, without the bound G_theta on theta"

_RUN = {"x": POINT, "c": POINT, "v": GRADIENT**2, "apart": GRADIENT**2} | dict.fromkeys(("A", "L"), CURVATURE)
_RUN |= dict.fromkeys(("nu", "eps", "G"), GRADIENT)  # eps_v and G_g bound roots of v-hat

SHEET = Sheet(
    units={
        **dict.fromkeys(("x", "x0", "y", "eta_l", "r"), POINT),
        **dict.fromkeys(("g", "m", "sigma", "nu", "gradient", "b", "z", "eps", "first", "rise"), GRADIENT),
        **dict.fromkeys(("theta", "G"), NUMBER / GRADIENT),
        **dict.fromkeys(("alpha", "beta1", "beta2", "eta_g", "g_a", "a", "share", "slack", "S", "K", "T"), NUMBER),
        **dict.fromkeys(("v", "sigma_u", "sigma2", "A"), GRADIENT**2),
        **dict.fromkeys(("pull", "low", "t", "one"), NUMBER),
        "reach": POINT,
        "start": LOSS,
        "jump": POINT**2,
    },
    own={
        **{f"LADA.{name}": {"g": NUMBER} for name in ("A3", "B8", "E3", "E4")},  # steps m theta
        **{f"LADA.{name}": _SCAFFOLD for name in ("E22", "E23", "E24", "E25", "E25b", "E26")},
        **{
            f"LADA.{name}": {"first": POINT, "G": GRADIENT} for name in ("T35", "T35b", "T35c")
        },  # G bounds the root of v
        **{f"LADA.{name} corrected": _RUN for name in ("T35", "T35b", "T35c", "C36")},
        "LADA.W": {"a": POINT},
        "LADA.B3": {"y": NUMBER, "rise": NUMBER},
        "LADA.B4": {"mu": NUMBER},
        "LADA.B6": {"p": POINT, "q": POINT, "size": POINT, "w": NUMBER},
        "LADA.B7": {"m": NUMBER},
        "LADA.E8": {"lam": CURVATURE, "c": POINT, "eta_l": RATE, "eta_g": RATE, "theta": NUMBER},
        "LADA.E20": {"X": NUMBER, "S_before": NUMBER, "eps_before": POINT**2, "g_a2": POINT**2},
        "LADA.E20 step 0": {"G": NUMBER / GRADIENT},
    },
    normalised={
        **{f"LADA.{name}": "L = 1" for name in ("T35", "T35b", "T35c", "E8", "E19", "E20", "E21", "R2", "C4")},
        **{f"LADA.{name} corrected": "" for name in ("T35", "T35b", "T35c")},
    },
    numbers={
        **{f"LADA.{name}": _UNIT for name in ("D1b", "C5")},
        **{f"LADA.C36 {which}": _UNIT for which in ("printed", *(f"step {k}" for k in range(3)))},
        **{f"LADA.{name} {which}": _UNIT for name in ("C4", "R2") for which in ("printed", "corrected")},
        **{f"LADA.{name}": _CLIPPED for name in ("Delta", "R3", "E6", "H3 printed")},
        **{f"LADA.{name}": "beta1, alpha and K are numbers" for name in ("C4 step 3", "M step 1", "R2 step 1")},
        "LADA.B7": "a power series in a number",
        "LADA.E20 step 1": "K is a number",
        "LADA.D2": "beta1 and K are numbers",
        "LADA.P": "beta1, K and t are numbers",
        "LADA.K9": "rates in the counts S, K, T alone",
        "LADA.D1": "rates in the counts S, K, T alone",
    },
    ranges={
        "LADA.T35": {
            **_CLOSED,
            _RATE: _NO_THETA,
            "|F_i'| <= G_g = 1, linear where local steps go": "gradients are clipped at 1",
        },
        "LADA.T35b": {**_CLOSED, _RATE: _NO_THETA},
        "LADA.T35c": {**_CLOSED, _RATE: _NO_THETA},
    },
    mixed={
        "LADA.C4 step 1": "theta and its square in one bracket, as printed",
        "LADA.E20 step 0": "as printed, g_a is multiplied by theta, whose bound G_theta is no number",
        "LADA.H3 step 0": "as printed, |grad F|^2 is a sum of entries without their squares",
        "LADA.T35 step 3": "theta and its square in one bracket, as printed",
    },
)

"""Units of OLR's letters, for losses in f and points in x."""

from surrogate.numbers.units import CURVATURE, GRADIENT, LOSS, NUMBER, POINT, RATE
from theorems.engines.units import Sheet

_CLIENTS = {"lam": CURVATURE, "R": NUMBER, "c": POINT, "w": NUMBER}

SHEET = Sheet(
    units={
        **{f"{who}.{name}": unit for who in ("p", "centred", "server") for name, unit in _CLIENTS.items()},
        **dict.fromkeys(("mu", "L", "lam", "A"), CURVATURE),
        **dict.fromkeys(("gamma", "gamma_1", "gamma_2", "eta", "lower"), RATE),
        **dict.fromkeys(("x", "y", "c", "e", "off", "v", "start", "pair.gap"), POINT),
        **dict.fromkeys(("alpha", "beta", "beta1", "beta2", "b", "w", "pair.a", "pair.w", "t", "weight"), NUMBER),
        **dict.fromkeys(("noise", "epsilon"), GRADIENT),
        "excess": LOSS,
        "shear": NUMBER,
    },
    own={
        **{name: {"x": NUMBER} for name in ("OLR.C19", "OLR.C20", "OLR.C28", "OLR.L18")},  # epsilon = 1 - e^-x
        "OLR.D2": {"start": RATE},  # gamma_t = start/t
        "OLR.D3": {"x": NUMBER, "more": NUMBER, "C": NUMBER},
        "OLR.D4": {"epsilon": LOSS},
        "OLR.L34": {"a": LOSS, "b": POINT, "c": GRADIENT},
        "OLR.S6": {"eta": NUMBER},  # the server's rate for model deltas
    },
    numbers={
        "OLR.S8": "the second client is two numbers, A_z = 1 and a < 1",
        "OLR.X1": "the paper's example in numbers: A_i = i, c_i = 1/i",
        "OLR.X2": "the paper's example in numbers: A_i = i, c_i = 1/i, gamma = 1/2",
        "OLR.X3": "the paper's example in numbers: clients i in [1/2, 2] of density 8 i/15",
    },
    mixed={
        "OLR.D3 printed": "beta_2 as printed has |x_1 - x*| where Corollary 28 has its square",
        "OLR.D3 step 0": "a square is shown to exceed every multiple of its root, in units in which it is large",
        "OLR.D6": "Adam's epsilon is 1/1000 whatever q is measured in, and eta is a rate or a length, as the server is",
        "OLR.E9 printed": "as printed, a norm whose square was meant",
        "OLR.L15 step 0": "as displayed, without the factor 1/gamma",
        "OLR.L15 step 1": "as displayed, without the factor 1/(2 gamma)",
        "OLR.L23 step 4": "as displayed, E|noise| <= G^2 for the square of the norm",
        "OLR.L32 printed": "I in place of A_i, as printed",
        "OLR.T29 step 4": "as displayed, sigma_c^2 without the square on the left",
    },
)

"""What every DICT statement claims: the method's own code rests at the closed form, which is x* as the entry says.

Two clients in d = 1 with curvatures a, b, minimizers 0, c and weights w, 1 - w, all symbols; then three clients in
d = 2 whose Hessians do not commute, in rationals. The method's round is probed on basis vectors of (x, state); what its
second moments come to is one free root each, so that adaptive methods rest at a point if they do for every root.
"""

from surrogate import dictionary, exact, methods
from surrogate.dictionary.settings import settings_for
from surrogate.numbers.rationals import FlintRationals
from surrogate.numbers.symbols import symbols
from theorems.dictionary.rounds import fixed_point
from theorems.dictionary.symbols import Free, SymbolRing, filled, free_names
from theorems.vocabulary import *

GAMMA, ETA, ALPHA, BETA, MU = Free("gamma"), Free("eta"), Free("alpha"), Free("beta"), Free("mu")
Settings = Mapping[str, Any]

_VALUES = ("1/3", "1/2", "1/5", "2/7", "3/4", "1/4", "2/5", "3/8", "5/7", "4/9", "2/3", "1/6")
_P = [[[1, 0], [0, "1/2"]], [["3/4", "1/4"], ["1/4", "1/2"]], [[2, 1], [1, 1]]]
_THREE = exact.Quadratics(
    [[["3/4", "1/4"], ["1/4", "1/2"]], [["1/3", 0], [0, "2/3"]], [["1/2", "-1/3"], ["-1/3", "1/2"]]],
    [[1, 0], ["-1/2", "1/3"], ["2/3", -1]],
    ["1/6", "1/3", "1/2"],
)


def unequal(**settings: Any) -> dict[str, Any]:
    """Two clients with a rate and a number of steps each."""
    return {"gamma": [Free("gamma"), Free("delta")], "steps": [2, 1], **settings}


def frozen(steps: int, *, common: bool = False) -> list[list[list[Free]]]:
    """Free preconditioners of two clients, one a step (the same of both where common)."""
    return [[[Free(f"p{0 if common else i}{k}")] for k in range(steps)] for i in range(2)]


def resting(name: str, distortion: str, cases: tuple[Settings, ...], at_minimizer: str, note: str = "") -> Statement:
    """The statement on one method; ``distortion`` is LaTeX, ``cases`` are settings, free ones among them."""
    known = dictionary.entry(name)
    says = f"{name} rests where sum_i w_i D_i A_i (x - c_i) = 0 with {known.formula}."
    return Statement(
        id=f"DICT.{name}",
        kind="identity",
        location=f"surrogate.dictionary, entry {name}; {known.paper}",
        says=says,
        reading="All clients take part, gradients are exact. The state that a round reaches and keeps is meant; of a "
        "second moment only that it has some root is used.",
        printed=Claim(
            "the round's fixed point is the closed form",
            rf"\sum_iw_iD_iA_i(\tilde x-c_i)=0,\quad {distortion}",
            None,
            lambda: _prove_rest(name, cases),
        ),
        steps=(
            Step(
                f"it rests at x*: {known.equals_minimizer}",
                Claim(
                    "the displacement vanishes identically where the entry says so, and nowhere else",
                    at_minimizer,
                    None,
                    lambda: _prove_minimizer(name, cases),
                ),
            ),
        ),
        note=" ".join(filter(None, [f"Why: {known.derivation}", note])),
    )


def _prove_rest(name: str, cases: tuple[Settings, ...]) -> Proof:
    for case in cases:
        clients, ring, settings = _two(case)
        closed = _closed(name, ring, settings, clients)
        found = fixed_point(_method(name, settings, _root(clients)), clients)
        if not bool(found[0] == closed):
            raise AssertionError(f"{name} at {case}: the code rests at {found[0]}, the closed form is {closed}")
        three = _valued(case)
        if three is not None:
            _compare_in_rationals(name, three)
    return Proof(
        "symbolic execution of the method's code, and exact rationals",
        "One round is played on basis vectors of (x, state) with symbols for curvatures, minimizers, weights and "
        "settings; the fixed point of the affine map that results, eliminated in the field of rational functions, is "
        "the closed form, identically. The order of factors that do not commute is checked on three clients in d = 2, "
        "in rationals.",
        f"d = 1 with two clients and all values of every symbol, at {_families(cases)}; one population in d = 2",
    )


def _prove_minimizer(name: str, cases: tuple[Settings, ...]) -> Proof:
    seen = set()
    for case in cases:
        clients, ring, settings = _two(case)
        says = dictionary.entry(name).is_minimizer(settings_for(name, ring, settings))
        gap = _closed(name, ring, settings, clients) - _mean_of(clients, [w * 0 + 1 for w in clients.weights])
        if says is not bool(gap == 0):
            raise AssertionError(f"{name} at {case}: the entry says {says}, the displacement is {gap}")
        seen.add(says)
    shown = {frozenset({True}): "always x*", frozenset({False}): "never x*"}.get(frozenset(seen), "both ways")
    return Proof(
        "symbolic identity",
        "The displacement of the closed form from x* is a rational function of the symbols: identically 0, or not the "
        f"zero function, and then not 0 at almost every population. Seen here: {shown}.",
        f"d = 1 with two clients, at {_families(cases)}",
    )


def _two(case: Settings) -> tuple[Instance, SymbolRing, dict[str, Any]]:
    """Two clients in d = 1 and the settings, in symbols."""
    values = symbols(["a", "b", "c", "w", "root", *free_names(case)])
    a, b, c, w = (values[k] for k in "abcw")
    A, places, weights = np.empty((2, 1, 1), dtype=object), np.empty((2, 1), dtype=object), np.empty(2, dtype=object)
    A[:, 0, 0], places[:, 0], weights[:] = [a, b], [0 * c, c], [w, 1 - w]
    clients = Instance(A=A, b=A[:, 0] * places, c=places, weights=weights, n=2, d=1, root=values["root"])
    return clients, SymbolRing(clients), filled(case, values)


def _closed(name: str, ring: SymbolRing, settings: Settings, clients: Instance) -> Any:
    chosen = settings_for(name, ring, settings)
    return _mean_of(clients, dictionary.entry(name).distortions(ring, chosen))


def _mean_of(clients: Instance, D: Any) -> Any:
    """Where sum_i w_i D_i A_i (x - c_i) = 0 in d = 1."""
    pull = [w * d * A for w, d, A in zip(clients.weights, D, clients.A[:, 0, 0], strict=True)]
    return sum((p * c for p, c in zip(pull, clients.c[:, 0], strict=True)), 0) / sum(pull, 0)


def _root(clients: Any) -> Any:
    """What the square root of any second moment comes to: a number that nothing else is known of."""
    return getattr(clients, "root", None) or exact.Quadratics([[["5/3"]]], [[0]]).A[0, 0, 0]


class _HeldRoot(FlintRationals):
    """Rationals or symbols, every square root of which is one number: adaptive methods rest as they do for any root."""

    def __init__(self, root: Any) -> None:
        self.held = root

    def sqrt(self, x: Scalar) -> Any:
        return 0 * x + self.held

    def maximum(self, x: Any, y: Any) -> Any:
        return x

    def sign(self, x: Scalar) -> Any:
        return 0 * x


def _method(name: str, settings: Settings, root: Any) -> Any:
    needed = {"eta": 1} if methods.describe(name).settings.get("eta") == "required" else {}
    given = {**needed, **settings}
    if "frozen" in given:
        given["frozen"] = [np.array(steps, dtype=object) for steps in given["frozen"]]
    return methods.build(name, ops=_HeldRoot(root), **given)


def _valued(case: Settings) -> Any:
    """The case for three clients in d = 2 with rationals for its symbols; None where it is for two clients."""
    if any(isinstance(case.get(k), list) for k in ("gamma", "steps", "theta")):
        return None
    from flint import fmpq

    ratios = [fmpq(*Fraction(v).as_integer_ratio()) for v in _VALUES]
    settings = {k: v for k, v in case.items() if k not in ("frozen", "P")}
    if "frozen" in case:
        steps = len(case["frozen"][0])
        settings["frozen"] = [[[ratios[3 * i + 2 * k + j] for j in range(2)] for k in range(steps)] for i in range(3)]
    if "P" in case:
        settings["P"] = _P if isinstance(case["P"][0][0], list) else _P[1]
    return _rational(filled(settings, dict(zip(free_names(settings), ratios, strict=False))))


def _rational(settings: Any) -> Any:
    """Fractions, and ratios as texts, as the rationals of ``surrogate.exact``."""
    if isinstance(settings, dict):
        return {key: _rational(value) for key, value in settings.items()}
    if isinstance(settings, list):
        return [_rational(value) for value in settings]
    ratio = isinstance(settings, Fraction) or (isinstance(settings, str) and settings[:1].isdigit())
    from flint import fmpq

    return fmpq(*Fraction(settings).as_integer_ratio()) if ratio else settings


def _compare_in_rationals(name: str, settings: dict[str, Any]) -> None:
    rest = dictionary.resting_point(name, _THREE, **settings)
    found = fixed_point(_method(name, settings, _root(_THREE)), _THREE)
    if not (found == rest).all():
        raise AssertionError(f"{name} at {settings}: three clients rest at {found}, the closed form is {rest}")


def _families(cases: tuple[Settings, ...]) -> str:
    return "; ".join(", ".join(f"{k} = {_short(v)}" for k, v in case.items()) or "any" for case in cases)


def _short(value: Any) -> str:
    if isinstance(value, (list, tuple)):
        return "(" + ", ".join(map(_short, value)) + ")"
    if isinstance(value, Mapping):
        return " ".join(_short(v) for v in value.values())
    return str(value)

"""What DA's statements share: quadratic clients in d = 1 with all settings free, and opaque gradients for proofs."""

from theorems.vocabulary import *

Sides = Callable[[Any], Sequence[tuple[str, Any, Any]]]


def setting(
    cursor: Cursor, n: int, T: int, beta_top: int = 1, extras: Sequence[str] = (), rate_span: int = 1
) -> Instance:
    """n clients a_i/2 (w - c_i)^2, 0 <= a_i <= 1, with weights p; a start (x, m), rates, beta.

    ``extras``: of "beta2" and "mu", which few statements need. Rates are in (1 - rate_span, 1].
    """
    one = cursor.u[..., 0] * 0 + 1
    raw = [one, *(1 - cursor.take() for _ in range(n - 1))]
    p = np.stack([w / sum(raw) for w in raw], -1)
    a = np.stack([one, *(1 - cursor.take() for _ in range(n - 1))], -1)
    c = np.stack([one * 0, *(1 - 2 * cursor.take() for _ in range(n - 1))], -1)
    x, m = 1 - 2 * cursor.take(), 1 - 2 * cursor.take()
    rates = {name: 1 - rate_span * below_one(cursor) for name in ("eta", "alpha")}
    betas = {"beta": below_one(cursor) * beta_top, **{name: below_one(cursor) for name in extras}}
    return Instance(nb=cursor.nb, p=p, a=a, c=c, x=x, m=m, **rates, **betas, n=n, T=T)


def below_one(cursor: Cursor) -> Any:
    """A number in [0, 1): floats stay in the box, exact instances take u and are judged by the hypotheses."""
    u = cursor.take()
    return u if cursor.nb.exact else np.clip(u, 0.0, 1 - 1e-6)


def procedures(n: Sequence[int] = (1, 2, 3), T: Sequence[int] = (1, 2, 3, 5, 10), extras: Sequence[str] = ()) -> Domain:
    """The domain of statements about procedures."""
    return Domain(
        lambda cursor, n, T: setting(cursor, n, T, extras=extras),
        grid(n=n, T=T),
        "quadratic clients in d = 1, any weights, 0 < eta, alpha <= 1",
    )


def numeric(s: Instance) -> Instance:
    """The instance as procedures take it: lists of gradients and of weights."""
    grads = [lambda w, i=i: s.a[..., i] * (w - s.c[..., i]) for i in range(s.a.shape[-1])]
    return Instance(**{**vars(s), "grads": grads, "p": [s.p[..., i] for i in range(s.p.shape[-1])]})


def symbolic(n: int, T: int) -> Instance:
    """Symbols for all numbers, and unknown functions for the gradients: equal only at equal points."""
    p = list(sympy.symbols(f"p1:{n}")) if n > 1 else []
    names = "x m eta alpha beta beta2 mu eps V"
    values = dict(zip(names.split(), sympy.symbols(names), strict=True))
    grads = [lambda w, i=i: sympy.Function(f"g{i}")(sympy.expand(w)) for i in range(n)]
    return Instance(**values, p=[*p, 1 - sum(p)], grads=grads, n=n, T=T)


def vanishes(difference: Any, what: str) -> None:
    """Raise unless the expression is 0."""
    rest = sympy.expand(difference)
    if rest != 0 and (rest := sympy.cancel(sympy.together(rest))) != 0:
        raise AssertionError(f"{what}: the sides differ by {rest}")


def agreement(
    says: str,
    latex: str,
    sides: Sides,
    argument: str = "",
    family: Sequence[Mapping[str, int]] = (),
    covers: str = "any losses in any dimension; n <= 3 clients, T <= 3 steps",
    also: Callable[[], None] | None = None,
    derive: Callable[[Derivation, Any], None] | None = None,
) -> Claim:
    """Both sides agree: on quadratics in numbers, with opaque gradients in symbols (where an argument is given).

    ``also``: what the argument needs beyond the family, as an induction. ``derive``: line by line in its place.
    """

    def compare(s: Instance) -> list[Comparison]:
        return [that(label, left) == right for label, left, right in sides(numeric(s))]

    def prove() -> Proof:
        for settings in family or grid(n=(1, 2, 3), T=(1, 2, 3)):
            for label, left, right in sides(symbolic(**settings)):
                vanishes(left - right, f"{label} at {dict(settings)}")
        if also is not None:
            also()
        return Proof("sympy identity with opaque gradients", argument, covers)

    return Claim(says, latex, compare, prove if argument else None, derive=derive)


def averages_are_linear() -> None:
    """By induction on n: weighted sums obey the momentum's and the model's step, for any gradients at any states.

    A, B, C, D: the sums of p m, p g, p w, p P over the first clients, to which one more is added.
    """
    A, B, C, D, p, m, g, w, P, beta, eta = sympy.symbols("A B C D p m g w P beta eta")
    new, total = beta * m + (1 - beta) * g, beta * A + (1 - beta) * B
    vanishes(total + p * new - (beta * (A + p * m) + (1 - beta) * (B + p * g)), "momenta")
    vanishes((C - eta * B) + p * (w - eta * g) - ((C + p * w) - eta * (B + p * g)), "models along gradients")
    vanishes((C - eta * total) + p * (w - eta * new) - ((C + p * w) - eta * (total + p * new)), "models along momenta")
    vanishes((D + total) + p * (P + new) - ((D + p * P) + (total + p * new)), "sums of momenta")


def _rates(s: Instance) -> list[Comparison]:
    return [that("eta", s.eta) > s.eta * 0, that("alpha", s.alpha) > s.alpha * 0]


def _beta(s: Instance) -> list[Comparison]:
    return [that(s.beta) < s.beta * 0 + 1, that("not negative", s.beta) >= s.beta * 0]


def _weights(s: Instance) -> list[Comparison]:
    return [that(s.p.sum(axis=-1)) == s.x * 0 + 1]


def _doubled(cursor: Cursor, n: int, T: int) -> Instance:
    s = setting(cursor, n, T)
    return Instance(**{**vars(s), "p": 2 * s.p})


LARGE_BETA = Domain(
    lambda cursor, n, T: setting(cursor, n, T, beta_top=3), grid(n=(1, 2), T=(1, 2, 5)), "0 <= beta < 3"
)
ANY_RATES = Domain(
    lambda cursor, n, T: setting(cursor, n, T, rate_span=2), grid(n=(1, 2), T=(1, 2, 5)), "-1 < eta, alpha <= 1"
)
RATES = Hypothesis("eta, alpha > 0", _rates)
BETA = Hypothesis("0 <= beta < 1", _beta)
WEIGHTS = Hypothesis(
    "sum_i N^i/N = 1", _weights, Domain(_doubled, grid(n=(1, 2), T=(1, 2, 5)), "weights that sum to 2")
)

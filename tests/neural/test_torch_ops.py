"""What tensors do in few passes is what `Kind` writes as formulas."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor
from torch.utils._python_dispatch import TorchDispatchMode

from neural.ops import TORCH, Tensors
from surrogate import numbers
from surrogate.numbers import Kind
from surrogate.numbers.scalars import Scalars


class Decimals(Scalars):
    """As many digits as the context has."""

    def _sqrt(self, x: Decimal) -> Decimal:
        return x.sqrt()


Case = Callable[[Kind], Any]
FORMULAS = Tensors()  # pass by pass
DIGITS = Decimals()  # 80
FLOATS = [torch.float64, torch.float32]
BETAS = [0.0, 0.1, 0.5, 0.9, 0.99, 0.999]
INF, NAN = float("inf"), float("nan")


def vectors(dtype: torch.dtype, *shapes: Any, seed: int = 0) -> list[Tensor]:
    """Of both signs, over eight orders of magnitude; 37 numbers have a rest beside what is taken together."""
    random = torch.Generator().manual_seed(seed)
    made = [torch.randn(*(s if isinstance(s, tuple) else (s,)), generator=random, dtype=torch.float64) for s in shapes]
    return [(part.sign() * 10 ** (2 * part)).to(dtype) for part in made]


def digits(v: Any) -> Any:
    return np.array([Decimal(z) for z in v.tolist()], dtype=object) if torch.is_tensor(v) else Decimal(v)


def holds(found: Tensor, ask: Callable[[Callable[[Any], Any]], Any], scale: Callable[[Any], Any], ulps: float) -> None:
    """|found - exact| <= ulps * eps * scale, or the least number there is."""
    info = torch.finfo(found.dtype)
    with localcontext() as context:
        context.prec = 80
        exact, least = ask(digits), Decimal(info.smallest_normal) * Decimal(info.eps)
        bound = np.abs(scale(digits)) * Decimal(ulps * info.eps)
        away = np.abs(digits(found) - exact)
        assert all(a <= max(b, least) for a, b in zip(away, bound, strict=True)), (away / bound).max()


@pytest.mark.parametrize(("dtype", "rate", "P"), [*product(FLOATS, [0.1, 0, 2, -0.3], [1, 0.25, None])])
def test_moved(dtype: torch.dtype, rate: float, P: Any) -> None:
    y, m, scale = vectors(dtype, 37, 37, 37)
    P = scale if P is None else P
    holds(
        TORCH.moved(y, rate, P, m),
        lambda d: DIGITS.moved(d(y), d(rate), d(P), d(m)),
        lambda d: np.abs(d(y)) + np.abs(d(rate) * d(P) * d(m)),
        2,
    )


@pytest.mark.parametrize(("dtype", "beta"), [*product(FLOATS, BETAS)])
def test_mixed(dtype: torch.dtype, beta: float) -> None:
    """float32 takes 1 - 0.999 in its own digits for a ten-thousandth more: 1e-5 of what is new."""
    old, new = vectors(dtype, 37, 37)
    for a, b in [(old, new), (old, 1e6 * new), (1e6 * old, new), (0 * old, new), (old, old)]:
        holds(
            TORCH.mixed(beta, a, b),
            lambda d, a=a, b=b: DIGITS.mixed(d(beta), d(a), d(b)),
            lambda d, a=a, b=b: d(beta) * np.abs(d(a)) + (1 - d(beta)) * np.abs(d(b)),
            3,
        )
    assert torch.equal(TORCH.mixed(beta, old, old), old)  # the weights are one together, in every format


@pytest.mark.parametrize(("dtype", "beta"), [*product(FLOATS, BETAS)])
def test_squares(dtype: torch.dtype, beta: float) -> None:
    v, g = vectors(dtype, 37, 37)
    v = v.abs()
    holds(TORCH.with_square(v, g), lambda d: DIGITS.with_square(d(v), d(g)), lambda d: d(v) + d(g) ** 2, 1.5)
    found = TORCH.mixed_with_square(beta, v, g)
    exact = lambda d: DIGITS.mixed_with_square(d(beta), d(v), d(g))  # noqa: E731
    holds(found, exact, exact, 2.5)


@pytest.mark.parametrize(("dtype", "eps"), [*product(FLOATS, [0, 0.0, 1e-8, 1e-3, 1])])
def test_inverse_root(dtype: torch.dtype, eps: float) -> None:
    """From the least number there is to the largest."""
    info, (v,) = torch.finfo(dtype), vectors(dtype, 37)
    edges = [info.smallest_normal * info.eps, info.smallest_normal, info.max]
    v = torch.cat([v.abs(), torch.tensor(edges, dtype=dtype)])
    exact = lambda d: DIGITS.inverse_root(d(v), d(eps))  # noqa: E731
    holds(TORCH.inverse_root(v, eps), exact, exact, 3)


@pytest.mark.parametrize(("dtype", "eps"), [*product(FLOATS, [0, 1e-3])])
def test_inverse_roots_of_what_is_no_number_or_none_above_zero(dtype: torch.dtype, eps: float) -> None:
    for length in (1, 40):
        v = torch.tensor([0.0, -0.0 if eps else 0.0, INF, NAN, -1.0] * length, dtype=dtype)
        torch.testing.assert_close(
            TORCH.inverse_root(v, eps), FORMULAS.inverse_root(v, eps), rtol=4e-16, atol=0, equal_nan=True
        )


@pytest.mark.parametrize("dtype", FLOATS)
def test_sums_that_overflow(dtype: torch.dtype) -> None:
    """Squares reach as far as the formula's, mixed ones further; what is infinite is no number by either way."""
    most = torch.finfo(dtype).max
    v = torch.tensor([most / 2, most / 2, most, INF, NAN, 1, 1, 1], dtype=dtype)
    g = torch.tensor([1, 1e3, 1e3, 1, 1, INF, NAN, most], dtype=dtype)
    assert torch.equal(TORCH.with_square(v, g).nan_to_num(7), FORMULAS.with_square(v, g).nan_to_num(7))
    mixed = TORCH.mixed_with_square(0.9, v, g)
    torch.testing.assert_close(mixed, FORMULAS.mixed_with_square(0.9, v, g), rtol=2e-7, atol=0, equal_nan=True)
    root = torch.tensor([2 * most**0.5], dtype=dtype)  # its square has no number, a hundredth of that has
    exact = lambda d: DIGITS.mixed_with_square(d(0.99), d(root), d(root))  # noqa: E731
    holds(TORCH.mixed_with_square(0.99, root, root), exact, exact, 2.5)

    old, new = (torch.tensor(part, dtype=dtype) for part in zip(*product([INF, -INF, NAN, 1.0], repeat=2), strict=True))
    for beta in (0.1, 0.9):
        assert torch.equal(TORCH.mixed(beta, old, new).isfinite(), FORMULAS.mixed(beta, old, new).isfinite())
        near = torch.tensor([most, -most], dtype=dtype)
        assert torch.isfinite(TORCH.mixed(beta, near, near)).all()


SHAPES = [((37,), (37,)), ((4, 37), (4, 37)), ((37,), (4, 37))]
SLICES = [
    [slice(None)],
    [slice(0, 5), slice(5, 6), slice(6, 37)],
    [slice(0, 5), slice(5, 5), slice(5, None)],
    [slice(6, 37), slice(0, 6)],  # in another order
    [slice(0, 20), slice(10, 37)],  # overlapping: sums
    [slice(0, 5), slice(9, 37)],  # a gap: 0
    [slice(0, 37), slice(0, 37)],
    [slice(0, 30)],
    [slice(0, 37, 2), slice(1, 37, 2)],
    [slice(-37, -30), slice(-30, None)],
    [[0, 3, 5], slice(6, 9)],
    [],
]


@pytest.mark.parametrize(("layers", "shape"), [*product(SLICES, SHAPES)])
def test_lengths(layers: Any, shape: Any) -> None:
    """Of one vector, of rows, and of rows beside a vector that all share."""
    y, r = vectors(torch.float64, *shape)
    found = TORCH.lengths(y, r, layers)
    assert found.shape == r.shape
    torch.testing.assert_close(found, FORMULAS.lengths(y, r, layers), rtol=2e-15, atol=0)


@pytest.mark.parametrize("layers", [SLICES[1], SLICES[4]])
def test_lengths_of_layers_that_are_zero(layers: Any) -> None:
    """Without y a layer has 0, without r infinity, without both no number: of layers, not of the vector."""
    y, r = vectors(torch.float32, 37, 37)
    y[:5], r[6:] = 0, 0
    found, expected = TORCH.lengths(y, r, layers), FORMULAS.lengths(y, r, layers)
    torch.testing.assert_close(found, expected, rtol=1e-6, atol=0, equal_nan=True)
    assert not expected.isfinite().all() and expected.isfinite().any()


ONE, ROWS, COLUMN = vectors(torch.float64, 37, (4, 37), (4, 1), seed=1)
OWN = {"one": ONE, "rows": ROWS}
CASES: dict[str, Case] = {
    "shared y": lambda ops: ops.moved(ONE, 0.1, 1, ROWS),
    "shared P": lambda ops: ops.moved(ROWS, 0.1, ONE, ROWS),
    "shared y and P": lambda ops: ops.moved(ONE, 0.1, ONE, ROWS),
    "a rate each": lambda ops: ops.moved(ROWS, COLUMN, ONE, ROWS),
    "a rate each, no P": lambda ops: ops.moved(ROWS, COLUMN, 1, ROWS),
    "a number as a tensor": lambda ops: ops.moved(ONE, torch.tensor(0.1), torch.tensor(2.0), ONE),
    "a P each": lambda ops: ops.moved(ROWS, 0.1, COLUMN, ROWS),
    "no vector moves": lambda ops: ops.moved(0, 0.1, ONE, ROWS),
    "shared old": lambda ops: ops.mixed(0.9, ONE, ROWS),
    "shared new": lambda ops: ops.mixed(0.1, ROWS, ONE),
    "a beta each": lambda ops: ops.mixed(COLUMN, ONE, ROWS),
    "old is a number": lambda ops: ops.mixed(0.9, 0, ONE),
    "numbers": lambda ops: ops.mixed(0.9, 0.25, 1),
    "other digits": lambda ops: ops.mixed(0.9, ONE.float(), ONE),
    "shared v": lambda ops: ops.with_square(ONE, ROWS),
    "shared v, mixed": lambda ops: ops.mixed_with_square(0.9, ONE, ROWS),
    "own v, shared g": lambda ops: ops.mixed_with_square(0.9, ROWS, ONE),
    "a beta2 each": lambda ops: ops.mixed_with_square(COLUMN, ONE, ROWS),
    "an eps each": lambda ops: ops.inverse_root(ONE.abs(), COLUMN.abs()),
    "eps as a tensor": lambda ops: ops.inverse_root(ROWS.abs(), torch.tensor(0.5)),
    "lengths": lambda ops: ops.lengths(ONE, ROWS, SLICES[1]),
    "lengths of others": lambda ops: ops.lengths(ROWS, ROWS, SLICES[4]),
}


@pytest.mark.parametrize("name", CASES)
def test_rows_and_numbers_of_any_kind(name: str) -> None:
    """The formulas' values and kinds, and nobody's tensor altered."""
    kept = [part.clone() for part in (ONE, ROWS, COLUMN)]
    found, expected = CASES[name](TORCH), CASES[name](FORMULAS)
    if torch.is_tensor(expected):
        torch.testing.assert_close(found, expected, rtol=1e-13, atol=1e-15)
    else:
        assert found == expected
    assert all(torch.equal(part, before) for part, before in zip((ONE, ROWS, COLUMN), kept, strict=True))


def test_fractions_are_their_floats() -> None:
    """Which a tensor times a Fraction would refuse."""
    v, third = ONE.abs(), Fraction(1, 3)
    asked: list[Callable[[Any], Tensor]] = [
        lambda z: TORCH.moved(ONE, z, 1, ONE + 1),
        lambda z: TORCH.moved(ONE, z, ONE, ONE + 1),
        lambda z: TORCH.moved(ONE, 2, z, ONE + 1),
        lambda z: TORCH.mixed(z, ONE, ONE + 1),
        lambda z: TORCH.mixed_with_square(z, v, ONE),
        lambda z: TORCH.inverse_root(v, z),
    ]
    for ask in asked:
        torch.testing.assert_close(ask(third), ask(1 / 3), rtol=1e-15, atol=1e-15)


class Passes(TorchDispatchMode):
    """The names of what torch computes."""

    def __init__(self) -> None:
        super().__init__()
        self.names: list[str] = []

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        self.names.append(func.overloadpacket.__name__)
        return func(*args, **(kwargs or {}))


@pytest.mark.parametrize("own", OWN)
def test_in_how_many_passes(own: str) -> None:
    """What the methods are for: of one client and of rows, the result of each is written once or twice."""
    y, v = OWN[own], OWN[own].abs()
    expected: list[tuple[Case, list[str]]] = [
        (lambda ops: ops.moved(y, 0.1, ONE, y), ["addcmul"]),
        (lambda ops: ops.moved(y, 0.1, 1, y), ["sub"]),
        (lambda ops: ops.mixed(0.9, y, v), ["lerp"]),
        (lambda ops: ops.with_square(v, y), ["addcmul"]),
        (lambda ops: ops.mixed_with_square(0.9, v, y), ["mul", "addcmul_"]),
        (lambda ops: ops.inverse_root(v, 0), ["rsqrt"]),
        (lambda ops: ops.inverse_root(v, 1e-3), ["rsqrt", "reciprocal_", "add_", "reciprocal_"]),
    ]
    for ask, names in expected:
        with Passes() as passes:
            ask(TORCH)
        assert passes.names == names


def test_a_number_that_is_one_costs_no_pass() -> None:
    """Nor a multiplication of rationals, where there is no preconditioner."""

    class Alone:
        def __rmul__(self, other: Any) -> Any:
            assert other != 1
            return 3

    assert FORMULAS.moved(10, 2, 1, Alone()) == 7


def test_tensors_are_a_registered_kind() -> None:
    """sqrt(x)^2 = x, maxima, norms, systems and eigenvalues, through the functions of ``surrogate.numbers``."""
    x = torch.tensor([0.0, 2.25, 16.0], dtype=torch.float64)
    assert numbers.kind(x) is TORCH and not numbers.is_exact(x) and not numbers.is_float(x)
    assert torch.equal(numbers.sqrt(x) ** 2, x)
    assert numbers.maximum(x, 3).tolist() == [3, 3, 16] and numbers.minimum(x, 3).tolist() == [0, 2.25, 3]
    A, b = torch.tensor([[2.0, 1.0], [1.0, 3.0]]), torch.tensor([0.0, -5.0])
    torch.testing.assert_close(numbers.solve(A, b), torch.tensor([1.0, -2.0]))
    torch.testing.assert_close(TORCH.solve(A[None], b[None]), torch.tensor([[1.0, -2.0]]))
    S = torch.tensor([[2.0, 2.0], [2.0, 5.0]])
    torch.testing.assert_close(TORCH.eigenvalues(S), torch.tensor([1.0, 6.0]))
    assert float(TORCH.norm(torch.tensor([3.0, 4.0]))) == 5
    torch.testing.assert_close(TORCH.geometric(x, 3), 1 + (1 - x) + (1 - x) ** 2)

"""Small LSTMs' outputs and gradients against autograd's of the equations."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor, nn

from neural.kernels.lstm import _sigmoid, _tanh
from neural.tasks.models import lstm_kernel
from neural.tasks.models.lstm import LSTM
from surrogate import ProblemError

CLOSE = {torch.float32: {"rtol": 1e-4, "atol": 2e-5}, torch.float64: {"rtol": 1e-11, "atol": 1e-12}}


def layer(F: int, U: int, dtype: torch.dtype, seed: int = 0) -> LSTM:
    torch.manual_seed(seed)
    made = LSTM(F, U).to(dtype)
    with torch.no_grad():
        made.bias.add_(torch.randn(4 * U, dtype=dtype))
    return made


def by_kernel(module: nn.Module) -> Any:
    """A copy whose LSTMs train by the kernel."""
    copied = copy.deepcopy(module)
    for part in copied.modules():
        if isinstance(part, LSTM):
            part.use_kernel()
    return copied


def gradients(layer: nn.Module, through: Any, x: Tensor) -> list[Tensor]:
    """The outputs, and the gradients of a sum that tells all of them apart by x and the parameters."""
    shown = x.clone().requires_grad_()
    h = through(shown)
    total = (h * torch.linspace(-1, 2, h.numel(), dtype=h.dtype).view(h.shape).sin()).sum()
    return [h.detach(), *torch.autograd.grad(total, [shown, *layer.parameters()])]


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@given(
    B=st.integers(1, 9), T=st.integers(1, 6), F=st.sampled_from([1, 3, 8, 16, 21]), U=st.sampled_from([1, 7, 16, 19]),
    seed=st.integers(0, 99), size=st.sampled_from([0.0, 1.0, 30.0]), turned=st.booleans(),
)  # fmt: skip
def test_against_the_equations(
    dtype: torch.dtype, B: int, T: int, F: int, U: int, seed: int, size: float, turned: bool
) -> None:  # fmt: skip
    """Inputs and units that are no whole vectors, gates that are as good as shut, inputs of any layout."""
    plain = layer(F, U, dtype, seed)
    own = by_kernel(plain)
    x = size * torch.randn(*((T, B) if turned else (B, T)), F, dtype=dtype)
    x = x.transpose(0, 1) if turned else x
    for found, expected in zip(gradients(own, own, x), gradients(plain, plain.stepwise, x), strict=True):
        torch.testing.assert_close(found, expected, **CLOSE[dtype])


def test_of_a_language_model() -> None:
    """As large as the laptop's, two on top of each other, against torch's own."""
    torch.manual_seed(0)
    plain = nn.Sequential(LSTM(8, 64), LSTM(64, 64))
    own, x = by_kernel(plain), torch.randn(4, 80, 8)
    for found, expected in zip(gradients(own, own, x), gradients(plain, plain, x), strict=True):
        torch.testing.assert_close(found, expected, **CLOSE[torch.float32])


def test_others_are_torchs(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*args: Any) -> None:
        raise AssertionError("not for these")

    monkeypatch.setattr(lstm_kernel._Steps, "apply", refuse)
    plain, x = layer(3, 5, torch.float32), torch.randn(2, 4, 3)
    own = by_kernel(plain)
    with torch.no_grad():
        torch.testing.assert_close(own(x), plain(x))
    with torch.autocast("cpu", dtype=torch.bfloat16):
        assert own(x).dtype == plain(x).dtype
    assert own(x[:0]).shape == (0, 4, 5)
    with pytest.raises(AssertionError, match="not for these"):
        own(x)
    for through in (plain, own):  # torch's kernel would read beyond them, and ours
        with pytest.raises(ProblemError, match=r"2 numbers wide[\s\S]*3 of them"):
            through(x[..., :2])
    monkeypatch.setattr(lstm_kernel, "MOST", 24)
    torch.testing.assert_close(own(x), plain(x))


def test_second_derivatives_are_refused() -> None:
    own, x = by_kernel(layer(3, 5, torch.float64)), torch.randn(2, 4, 3, dtype=torch.float64, requires_grad=True)
    with pytest.raises(ProblemError, match=r"create_graph=True[\s\S]*sequential"):
        torch.autograd.grad(own(x).sum(), x, create_graph=True)


def test_a_second_backward_pass() -> None:
    """For a graph that is kept; the first one writes over what the forward pass has left."""
    own = by_kernel(layer(3, 5, torch.float64))
    x = torch.randn(2, 4, 3, dtype=torch.float64, requires_grad=True)
    h = own(x).square().sum()
    first, second = (torch.autograd.grad(h, [x, *own.parameters()], retain_graph=True) for _ in range(2))
    for one, other in zip(first, second, strict=True):
        assert torch.equal(one, other)


def test_what_is_not_a_number_stays_none() -> None:
    """In its text alone, and in the gradients of all parameters."""
    own = by_kernel(layer(3, 5, torch.float32))
    x = torch.randn(2, 4, 3)
    x[1, 2, 0] = torch.nan
    h, by_x, *others = gradients(own, own, x)
    assert h.isnan().any(dim=-1).tolist() == [[False] * 4, [False, False, True, True]]
    assert not by_x[0].isnan().any() and by_x[1].isnan().any()
    assert all(part.isnan().any() for part in others)


def test_sigmoid_and_tanh_in_single_precision() -> None:
    """To four units in the last place, near 0 and far from it, and on both sides of where one formula ends."""
    near = np.logspace(-12, 2, 20_001)
    x = np.concatenate([near, -near, np.linspace(-0.26, 0.26, 20_001), [0.0]]).astype(np.float32)
    for function, exact in ((_tanh, np.tanh), (_sigmoid, lambda x: 1 / (1 + np.exp(-x)))):
        found, right = x.copy(), exact(x.astype(np.float64))
        function(found)
        unit = np.maximum(np.spacing(np.abs(right).astype(np.float32)), np.finfo(np.float32).tiny)
        assert (np.abs(found - right) <= 4 * unit).all(), function

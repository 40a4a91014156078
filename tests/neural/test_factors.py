"""Gradients of large matrices as factors: equal to what autograd writes down, by every way a matrix can be used."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor, nn

from neural import products
from neural.engine import Settings, build, dense
from neural.engine.inplace import InPlace, Loaded
from neural.engine.loop import train
from neural.engine.recipe import Recipe
from neural.tasks.losses import cross_entropy
from neural.tasks.models.layers import OwnLinear
from neural.tasks.task import Task
from surrogate import ProblemError, Theta
from tests.needs import lacking
from tests.neural import small
from tests.neural.test_engines_agree import compare


class Net(nn.Module):
    """Two dense layers on 36 pixels; ``use`` says how the first one is used."""

    def __init__(self, use: str, classes: int) -> None:
        super().__init__()
        self.use = use
        self.first, self.out = nn.Linear(36, 36), nn.Linear(36, classes)
        self.prompt = nn.Parameter(torch.full((1, 36), 0.3))

    def forward(self, x: Tensor) -> Tensor:
        x = x.flatten(1).to(self.out.weight.dtype)
        if self.use == "twice":
            x = self.first(x).relu()
        if self.use == "tied":
            x = x + nn.functional.linear(x, self.first.weight)
        x = x + self.first(self.prompt) if self.use == "on a parameter" else x
        return self.out(x.relu() if self.use in ("never", "on a parameter") else self.first(x).relu())


def task_of(use: str) -> Task:
    like = small.task("cnn", torch.float32)
    data = like.data
    assert data.x[0].numel() == 36
    return Task("net", data, partial(Net, use, small.CLASSES), cross_entropy, batch=4, dtype=torch.float32)


def take(which: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Multiply by oneDNN or by torch's BLAS, whatever is faster here."""
    if which == "onednn" and not products.there():
        lacking("this build of torch has no oneDNN")
    monkeypatch.setattr(products, "by_onednn", lambda: which == "onednn")


@pytest.fixture(params=["onednn", "blas"])
def every_layer(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Callable[[], int]:
    """All layers count as large; how often factors were asked for."""
    take(request.param, monkeypatch)
    asked: list[Any] = []
    put = dense.Factors.put
    monkeypatch.setattr(dense, "LARGE", 1)
    monkeypatch.setattr(dense, "SMALL", 1)
    monkeypatch.setattr(products, "PAYS", 1)
    monkeypatch.setattr(dense.Factors, "put", lambda self, *args: asked.append(1) or put(self, *args))
    return lambda: len(asked)


@pytest.mark.parametrize("use", ["once", "twice", "tied", "on a parameter", "never"])
def test_the_gradient_is_autograds(use: str, every_layer: Callable[[], int]) -> None:
    made = build("inplace", task_of(use), Settings(), "cpu")
    assert isinstance(made, InPlace)
    assert isinstance(made.loaded, Loaded)
    loaded = made.loaded
    random = torch.Generator().manual_seed(1)
    x, y = torch.rand(5, 1, 6, 6, generator=random), torch.randint(3, (5,), generator=random)
    wanted, found = loaded.gradient(x, y, None), loaded.gradient(x, y, None, factored=True)
    assert every_layer() == {"once": 2, "twice": 3, "tied": 2, "on a parameter": 2, "never": 1}[use]
    products = [part if torch.is_tensor(part) else part[0] @ part[1] for part in found]
    for one, other in zip(products, wanted, strict=True):
        torch.testing.assert_close(one, other, rtol=1e-5, atol=1e-6)
    again = loaded.gradient(x, y, None)  # nothing is left over
    assert all(torch.equal(one, other) for one, other in zip(again, wanted, strict=True))


def test_an_error_half_way_leaves_nothing_to_the_next_gradient(every_layer: Callable[[], int]) -> None:
    """Slopes come from above: the last layer has put its factors when what is below it fails."""
    made = build("inplace", task_of("once"), Settings(), "cpu")
    assert isinstance(made, InPlace)
    assert isinstance(made.loaded, Loaded)
    loaded = made.loaded
    random = torch.Generator().manual_seed(1)
    x, y = torch.rand(5, 1, 6, 6, generator=random), torch.randint(3, (5,), generator=random)
    wanted = loaded.gradient(x, y, None)

    def fail(*_: Any) -> None:
        raise ArithmeticError("half-way")

    layer = loaded.module.get_submodule("out")
    broken = layer.register_forward_pre_hook(lambda _, given: given[0].register_hook(fail) and None)
    with pytest.raises(ArithmeticError, match="half-way"):
        loaded.gradient(x, y, None, factored=True)
    assert every_layer() == 1
    broken.remove()
    for factored in (False, True):
        found = loaded.gradient(x, y, None, factored=factored)
        products = [part if torch.is_tensor(part) else part[0] @ part[1] for part in found]
        for one, other in zip(products, wanted, strict=True):
            torch.testing.assert_close(one, other, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("use", ["once", "twice", "tied", "on a parameter"])
@pytest.mark.parametrize(
    "method, settings, factored",
    [
        ("fedavg", {"steps": 3, "gamma": 0.5}, True),
        ("fedlin", {"steps": 3, "gamma": 0.5}, True),
        ("local-update", {"theta": Theta([1, 0, 2]), "eta": 0.1, "gamma": 0.5}, False),
    ],
)
def test_runs_agree(
    method: str, settings: dict[str, Any], factored: bool, use: str, every_layer: Callable[[], int]
) -> None:
    """With decay and corrections; with weights products are used twice, and are written down."""
    chosen = Settings(seed=3, clients_per_round=3, weight_decay=0.6)
    ends = [
        list(train(task_of(use), Recipe(method, settings), chosen, 2, engine=engine, device="cpu"))
        for engine in ("sequential", "inplace")
    ]
    assert (every_layer() > 0) == factored
    compare(*ends, 1e-4)


class Own(nn.Module):
    """A matrix of whole vectors that takes its steps at once, between two others."""

    def __init__(self, classes: int) -> None:
        super().__init__()
        self.first, self.own, self.out = nn.Linear(36, 32), OwnLinear(32, 48), nn.Linear(48, classes)

    def forward(self, x: Tensor) -> Tensor:
        x = self.first(x.flatten(1).to(self.out.weight.dtype)).tanh()
        return self.out(self.own(x).tanh())


@pytest.mark.parametrize(
    "method, settings, decay, at_once",
    [
        ("fedavg", {"steps": 3, "gamma": 0.5}, 0, True),
        ("fedlin", {"steps": 3, "gamma": 0.5}, 0, True),
        ("fedavg", {"steps": 3, "gamma": 0.5}, 0.6, False),
        ("local-update", {"theta": Theta([1, 0, 2]), "eta": 0.1, "gamma": 0.5}, 0, False),
        ("local-adam", {"steps": 3, "gamma": 0.01}, 0, False),
    ],
)
def test_steps_at_once(
    method: str, settings: dict[str, Any], decay: float, at_once: bool, every_layer: Callable[[], int],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    """Where a gradient is for nothing but a plain step; with weight decay, weights and optimizers it is for more."""
    moved: list[int] = []
    move = dense.Factors.move
    monkeypatch.setattr(dense.Factors, "move", lambda self, *given: moved.append(1) or move(self, *given))
    task = replace(task_of("once"), model=partial(Own, small.CLASSES))
    chosen = Settings(seed=3, clients_per_round=3, weight_decay=decay)
    ends = [
        list(train(task, Recipe(method, settings), chosen, 2, engine=engine, device="cpu"))
        for engine in ("sequential", "inplace")
    ]
    compare(*ends, 1e-4)
    assert (len(moved) > 0) == at_once


class Inner(nn.Module):
    """A model that looks for slopes of its own on the way."""

    def __init__(self, kind: type[nn.Linear] = OwnLinear) -> None:
        super().__init__()
        self.first, self.own, self.out = nn.Linear(36, 128), kind(128, 128), nn.Linear(128, small.CLASSES)

    def forward(self, x: Tensor) -> Tensor:
        with torch.enable_grad():
            h = self.first(x.flatten(1)).tanh()
            h = h if h.requires_grad else h.requires_grad_()
            z = self.own(h).tanh()
            (slopes,) = torch.autograd.grad(z.sum(), h, retain_graph=True)
        return self.out(z + slopes.detach())


class Squared(Inner):
    """And differentiates them again."""

    def forward(self, x: Tensor) -> Tensor:
        with torch.enable_grad():
            h = self.first(x.flatten(1)).tanh()
            h = h if h.requires_grad else h.requires_grad_()
            z = self.own(h).tanh()
            (slopes,) = torch.autograd.grad(z.sum(), h, create_graph=True)
        return self.out(z + slopes)


class Twice(nn.Module):
    """A layer that says it is called once."""

    def __init__(self) -> None:
        super().__init__()
        self.first, self.own, self.out = nn.Linear(36, 128), OwnLinear(128, 128), nn.Linear(128, small.CLASSES)

    def forward(self, x: Tensor) -> Tensor:
        return self.out(self.own(self.own(self.first(x.flatten(1))).tanh()))


@pytest.mark.parametrize("model", [Inner, Squared, partial(Squared, nn.Linear)])
def test_a_step_is_taken_in_the_engines_own_backward_pass_alone(
    model: Callable[[], nn.Module], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not where a model asks for slopes itself, in training or when it is evaluated."""
    assert 128 * 128 >= dense.SMALL
    monkeypatch.setattr(products, "PAYS", 1)
    task = small.task("cnn", torch.float32, model=model)
    recipe, settings = Recipe("fedavg", {"gamma": 0.1, "steps": 3}), Settings(eval_every=1)
    ends = [list(train(task, recipe, settings, 3, engine=engine, device="cpu")) for engine in ("sequential", "inplace")]
    compare(*ends, 1e-5)


def test_a_layer_that_is_called_twice_is_refused() -> None:
    task = small.task("cnn", torch.float32, model=Twice)
    with pytest.raises(ProblemError, match=r"an OwnLinear[\s\S]*called twice[\s\S]*nn.Linear"):
        list(train(task, Recipe("fedavg", {"gamma": 0.1, "steps": 1}), Settings(), 1, engine="inplace", device="cpu"))


def test_all_of_the_vector_is_trained() -> None:
    """Whatever a model's parameters ask for."""

    def model() -> nn.Module:
        made = Own(small.CLASSES)
        made.first.requires_grad_(False)
        return made

    task = small.task("cnn", model=model)
    ends = [
        list(train(task, Recipe("fedavg", {"gamma": 0.1, "steps": 3}), Settings(), 2, engine=by, device="cpu"))
        for by in ("sequential", "inplace")
    ]
    compare(*ends, 1e-10)


@pytest.mark.parametrize("n, by_convolution", [(1, False), (7, False), (8, True), (20, True), (129, True)])
def test_a_product_is_added_to_a_large_matrix(n: int, by_convolution: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """In place, in float32 to rounding; the factors are left alone."""
    take("onednn", monkeypatch)
    taken: list[int] = []
    own = dense._add_as_convolution
    monkeypatch.setattr(dense, "_add_as_convolution", lambda *given: taken.append(1) or own(*given))
    random = torch.Generator().manual_seed(n)
    vector = torch.randn(5 + 1024 * 1027, generator=random)  # a parameter within a vector, at an odd place
    slopes, rows = torch.randn(n, 1024, generator=random), torch.randn(n, 1027, generator=random)
    before = vector.clone(), slopes.clone(), rows.clone()
    dense.add_product(vector[5:].view(1024, 1027), slopes.t(), rows, -0.3)
    to, A, B = before[0][5:].view(1024, 1027).double(), slopes.double().t(), rows.double()
    allowed = (n + 4) * 2**-24 * (to.abs() + 0.3 * (A.abs() @ B.abs()))  # the factor, A, products, sums
    assert ((vector[5:].view(1024, 1027) - (to - 0.3 * (A @ B))).abs() <= allowed).all()
    assert torch.equal(vector[:5], before[0][:5])
    assert torch.equal(slopes, before[1]) and torch.equal(rows, before[2])
    assert bool(taken) == by_convolution


@pytest.mark.parametrize("shape, dtype", [((1024, 1024), torch.float64), ((3, 4), torch.float32), ((2, 3, 4), None)])
def test_a_product_is_added_to_other_matrices(shape: tuple[int, ...], dtype: torch.dtype | None) -> None:
    """In float64, small, and vectors of matrices."""
    to = torch.zeros(shape, dtype=dtype)
    A, B = torch.rand(*shape[:-1], 9, dtype=dtype), torch.rand(*shape[:-2], 9, shape[-1], dtype=dtype)
    dense.add_product(to, A, B, 2)
    torch.testing.assert_close(to, 2 * (A @ B))


def test_the_blas_adds_products_to_large_matrices_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    take("blas", monkeypatch)
    monkeypatch.setattr(dense, "_add_as_convolution", None)
    to, A, B = torch.zeros(1024, 1024), torch.rand(1024, 9), torch.rand(9, 1024)
    dense.add_product(to, A, B, 2)
    torch.testing.assert_close(to, 2 * (A @ B))


@pytest.mark.parametrize("vendor, intel", [("GenuineIntel", True), ("AuthenticAMD", False)])
def test_intels_cores_are_known(vendor: str, intel: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By Linux's file, else by what Python says of the processor."""
    told = tmp_path / "cpuinfo"
    monkeypatch.setattr("platform.processor", lambda: f"Family 6 Model 143, {vendor}")
    assert products.intel(told) == intel
    told = tmp_path / "another"
    told.write_text(f"processor\t: 0\nvendor_id\t: {vendor}\n", encoding="utf-8")
    monkeypatch.setattr("platform.processor", lambda: "")
    assert products.intel(told) == intel

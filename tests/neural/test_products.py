"""Products by whoever multiplies: the same to rounding, in any layout, and by the BLAS where oneDNN would not pay."""

from __future__ import annotations

import pytest
import torch

from neural import products
from neural.products import product
from tests.needs import lacking


@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("turned", [(False, False), (False, True), (True, False), (True, True)])
@pytest.mark.parametrize("by", ["onednn", "blas"])
def test_against_doubles(by: str, turned: tuple[bool, bool], bias: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if by == "onednn" and not products.there():
        lacking("this build of torch has no oneDNN")
    monkeypatch.setattr(products, "by_onednn", lambda: by == "onednn")
    monkeypatch.setattr(products, "PAYS", 1)
    rows, matrix, b = torch.randn(20, 300), torch.randn(70, 300), torch.randn(70) if bias else None
    rows, matrix = (
        part.t().contiguous().t() if way else part for part, way in zip((rows, matrix), turned, strict=True)
    )
    found = product(rows, matrix, b)
    expected = rows.double() @ matrix.double().t() + (0 if b is None else b.double())
    torch.testing.assert_close(found, expected.float(), rtol=1e-5, atol=1e-4)


@pytest.mark.parametrize(
    "kind, rows, by", [(torch.float32, 8, True), (torch.float32, 7, False), (torch.float64, 8, False)]
)
def test_who_is_asked(kind: torch.dtype, rows: int, by: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """oneDNN in single precision, where it pays."""
    asked: list[int] = []
    monkeypatch.setattr(products, "by_onednn", lambda: asked.append(1) or False)
    monkeypatch.setattr(products, "PAYS", 8 * 12)
    product(torch.ones(rows, 4, dtype=kind), torch.ones(3, 4, dtype=kind))
    assert bool(asked) == by

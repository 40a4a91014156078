"""Softmax regression's local steps in one call, against the same steps by torch's products (`tests.neural.test_steps`
has autograd's); and what the kernel makes of minibatches that come again and of numbers that are none.
"""

from __future__ import annotations

from typing import Any

import pytest
import torch

from neural.tasks import by_hand
from surrogate import ProblemError

M, F, C, K, B = 5, 30, 19, 4, 6


def asked(kind: torch.dtype = torch.float64) -> dict[str, Any]:
    """Ragged minibatches, weight decay, a correction, rates and weights that are 0 at times."""
    random = torch.Generator().manual_seed(1)
    start, fixed = (torch.randn(M, (F + 1) * C, generator=random, dtype=kind) for _ in range(2))
    share = torch.rand(M, B, generator=random, dtype=kind) * (torch.rand(M, B, generator=random) > 0.3)
    where, labels = (torch.randint(top, (K, M, B), generator=random) for top in (40, C))
    return {
        "y": start, "rates": [0.3, 0.2, 0, 0.1], "examples": torch.randn(40, F, generator=random, dtype=kind),
        "batches": [*zip(where, labels, [share] * K, strict=True)], "decay": 0.1, "correction": fixed,
        "weights": [1, 0, 0.5, 2],
    }  # fmt: skip


def walk(kind: torch.dtype = torch.float64, **changed: Any) -> Any:
    """Where the steps end, and the weighted sum of gradients."""
    return by_hand.Linear(C, by_hand.softmax).descend(**{**asked(kind), **changed})


@pytest.fixture
def torchs(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The same by torch's operations."""

    def found(*args: Any, **changed: Any) -> Any:
        with monkeypatch.context() as patched:
            patched.setattr(by_hand, "_compact", lambda *_: False)
            return walk(*args, **changed)

    return found


@pytest.mark.parametrize("kind, close", [(torch.float32, 3e-5), (torch.float64, 1e-12)])
@pytest.mark.parametrize("changed", [{}, {"correction": None}, {"decay": 0}, {"weights": None}])
def test_against_torch(kind: torch.dtype, close: float, changed: Any, torchs: Any) -> None:
    found, expected = walk(kind, **changed), torchs(kind, **changed)
    torch.testing.assert_close(found[0], expected[0], rtol=close, atol=close)
    if changed == {"weights": None}:
        assert found[1] is expected[1] is None
    else:
        torch.testing.assert_close(found[1], expected[1], rtol=close, atol=close)


@pytest.mark.parametrize("kind", [torch.float32, torch.float64])
@pytest.mark.parametrize("bias", [-3000.0, -75.0, 75.0, 3000.0])
def test_scores_beyond_what_numbers_can_say(bias: float, kind: torch.dtype, torchs: Any) -> None:
    """All of them high or low: softmax knows their differences alone. And spread as far."""
    start = asked(kind)["y"]
    shifted = torch.cat([start[:, : F * C], start[:, F * C :] + bias], dim=1)
    spread = torch.cat([start[:, : F * C] * bias, start[:, F * C :]], dim=1)
    for y in (shifted, spread):
        asked_for = {"y": y, "rates": [0.1] * K, "decay": 0, "correction": None}
        (_, found), (_, expected) = walk(kind, **asked_for), torchs(kind, **asked_for)  # gradients: y hides them
        assert expected.isfinite().all()
        torch.testing.assert_close(found, expected, rtol=0, atol=3e-3 if kind == torch.float32 else 1e-9)


def test_a_score_that_is_not_a_number_is_none_in_its_clients_end(torchs: Any) -> None:
    y = asked()["y"]
    y[2, 3] = torch.nan
    ends = walk(y=y)[0]
    assert ends.isnan().any(dim=1).tolist() == [False, False, True, False, False]
    assert torch.equal(ends.isnan(), torchs(y=y)[0].isnan())


@pytest.mark.parametrize("kind", [torch.float32, torch.float64])
def test_bytes(kind: torch.dtype, torchs: Any) -> None:
    x = torch.randint(256, (40, F), dtype=torch.uint8)
    for found, expected in zip(walk(kind, examples=x), torchs(kind, examples=x), strict=True):
        torch.testing.assert_close(found, expected, rtol=3e-5, atol=3e-5)


def test_one_minibatch_again_and_again() -> None:
    """As the same tensors, which are handed over once, and as copies."""
    where, labels, share = (torch.randint(19, (M, B)), torch.randint(C, (M, B)), torch.rand(M, B, dtype=torch.float64))
    same = walk(batches=[(where, labels, share)] * K)
    copies = walk(batches=[(where.clone(), labels.clone(), share.clone()) for _ in range(K)])
    assert all(map(torch.equal, same, copies))


def test_large_minibatches_and_other_examples_are_torchs() -> None:
    V, share = torch.zeros(1, 3, 2), torch.zeros(1, by_hand.MOST)
    batch, x = (share.long(), share.long(), share), torch.zeros(4, 2)
    assert by_hand._compact(V, x, [batch]) and by_hand._compact(V, x.byte(), [batch])
    wide = tuple(torch.cat([part, part], dim=1) for part in batch)
    assert not by_hand._compact(V, x, [batch, wide])  # type: ignore[list-item]
    assert not by_hand._compact(V, x.double(), [batch]) and not by_hand._compact(V, x.int(), [batch])
    assert not by_hand._compact(V.bfloat16(), x.bfloat16(), [batch])


def test_what_is_not_a_number_stays_with_its_client() -> None:
    """A client that sees NaN ends there; the others do not notice."""
    x, batches = asked()["examples"], asked()["batches"]
    x[7] = float("nan")
    touched = torch.stack([((where == 7) & (share != 0)).any(dim=1) for where, _, share in batches]).any(dim=0)
    assert touched.any() and not touched.all()
    ends, clean = walk(examples=x)[0], walk()[0]
    assert torch.equal(ends.isnan().any(dim=1), touched) and torch.equal(ends[~touched], clean[~touched])


@pytest.mark.parametrize("label", [-1, C, 10**9])
def test_labels_that_no_output_has_are_refused(label: int) -> None:
    batches = asked()["batches"]
    batches[1][1][2, 3] = label
    with pytest.raises(ProblemError, match=rf"0 to {C - 1}"):
        walk(batches=batches)


def test_as_many_rates_as_minibatches() -> None:
    with pytest.raises(ValueError, match="zip"):
        walk(rates=[0.1])


def test_one_place_with_other_labels_is_another_minibatch() -> None:
    where, labels, share = asked()["batches"][0]
    given = [(where, labels, share), (where, (labels + 1) % C, share)] * 2
    copies = [tuple(part.clone() for part in batch) for batch in given]
    assert all(map(torch.equal, walk(batches=given), walk(batches=copies)))

"""Every split gives each example to exactly one client, for any labels, clients and seed, and is what it says."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from neural.data import splits
from surrogate.kit.errors import ProblemError

LABELS = st.lists(st.integers(0, 7), min_size=1, max_size=80).map(np.array)
SPLITS = [
    ("iid", {}),
    ("one_class", {}),
    ("dirichlet", {"alpha": 0.1}),
    ("dirichlet", {"alpha": 1e-3}),
    ("dirichlet", {"alpha": 0.1, "balanced": False}),
    ("pachinko", {}),
    ("pachinko", {"alpha": 1e-3, "beta": 1e-3}),
]


@pytest.mark.parametrize(("split", "settings"), SPLITS)
@given(labels=LABELS, clients=st.integers(1, 30), seed=st.integers(0, 2**40))
@example(labels=np.array([7]), clients=30, seed=0)
def test_every_example_has_exactly_one_owner(
    split: str, settings: dict[str, Any], labels: np.ndarray[Any, Any], clients: int, seed: int
) -> None:
    assume(split != "one_class" or clients >= len(np.unique(labels)))
    owner = splits.assign(split, labels, clients, seed, **settings)
    order, offsets = splits.ranges(owner, clients)
    assert sorted(order.tolist()) == list(range(len(labels)))
    assert offsets[0] == 0 and offsets[-1] == len(labels) and len(offsets) == clients + 1
    for i in range(clients):
        assert (owner[order[offsets[i] : offsets[i + 1]]] == i).all()
    again = splits.assign(split, labels, clients, seed, **settings)
    assert (owner == again).all()


@pytest.mark.parametrize(
    ("split", "settings"), [s for s in SPLITS if s[1].get("balanced", True) and s[0] != "one_class"]
)
@given(labels=LABELS, clients=st.integers(1, 30), seed=st.integers(0, 2**40))
def test_sizes_differ_by_one_at_most(
    split: str, settings: dict[str, Any], labels: np.ndarray[Any, Any], clients: int, seed: int
) -> None:
    sizes = np.bincount(splits.assign(split, labels, clients, seed, **settings), minlength=clients)
    assert sizes.max() - sizes.min() <= 1


@given(labels=LABELS, clients=st.integers(8, 30), seed=st.integers(0, 99))
def test_one_class_gives_each_client_one_label_in_equal_parts(
    labels: np.ndarray[Any, Any], clients: int, seed: int
) -> None:
    owner = splits.assign("one_class", labels, clients, seed)
    for i in range(clients):
        assert len(np.unique(labels[owner == i])) <= 1
    for label in np.unique(labels):
        sizes = np.bincount(owner[labels == label])
        assert np.ptp(sizes[sizes > 0]) <= 1


def test_one_class_needs_as_many_clients_as_labels() -> None:
    with pytest.raises(ProblemError, match="at least 3, the number of labels"):
        splits.assign("one_class", np.array([0, 1, 2]), 2, 0)


def _mean_share(alpha: float, seed: int = 1, **settings: Any) -> float:
    """Mean over clients of the share of their commonest label."""
    labels = np.arange(20_000) % 10
    owner = splits.assign("dirichlet", labels, 200, seed, alpha=alpha, **settings)
    table = np.bincount(owner * 10 + labels, minlength=2_000).reshape(200, 10)
    return float((table.max(1) / np.maximum(table.sum(1), 1)).mean())


@pytest.mark.parametrize("balanced", [True, False])
def test_a_smaller_alpha_makes_clients_differ_more(balanced: bool) -> None:
    shares = [_mean_share(alpha, balanced=balanced) for alpha in (0.05, 0.6, 1000.0)]
    assert shares[0] > shares[1] > shares[2]
    assert shares[2] == pytest.approx(0.1, abs=0.06)  # nearly one tenth of each label


def test_first_clients_have_dirichlet_proportions() -> None:
    """Before any label runs out, a client's share of a label has the mean and variance of Dirichlet(alpha).

    Var p_c = (1/C)(1 - 1/C) / (C alpha + 1), and counts of m draws add p(1 - p)/m: E = mean(1 - mean) - Var, over m.
    """
    labels, alpha, C, m = np.arange(4_000) % 4, 0.5, 4, 10
    shares = []
    for seed in range(150):
        owner = splits.assign("dirichlet", labels, 400, seed, alpha=alpha)
        counts = np.stack([np.bincount(labels[owner == i], minlength=C) for i in range(40)])  # a tenth of the data
        shares.append(counts / m)
    shares = np.concatenate(shares)
    spread = (1 / C) * (1 - 1 / C) / (C * alpha + 1)
    expected = spread + ((1 / C) * (1 - 1 / C) - spread) / m
    assert shares.mean(0) == pytest.approx(np.full(C, 1 / C), abs=0.02)
    assert shares.var(0) == pytest.approx(np.full(C, expected), rel=0.06)


def _match(counts: np.ndarray[Any, Any]) -> float:
    """The chance that two examples of one client agree, mean over clients; counts (clients, kinds)."""
    m = counts.sum(1)
    return float(((counts * (counts - 1)).sum(1) / (m * (m - 1))).mean())


def test_pachinko_agrees_with_its_tree_before_labels_run_out() -> None:
    """Two draws of Dirichlet(a) on k points agree with chance (a + 1) / (k a + 1): over families, and inside one."""
    labels, family = np.arange(50_000) % 100, np.repeat(np.arange(20), 5)
    tables = []
    for seed in range(12):
        owner = splits.assign("pachinko", labels, 500, seed, coarse=family, alpha=0.1, beta=10.0)
        early = owner < 50  # a tenth of the data
        tables.append(np.bincount(owner[early] * 100 + labels[early], minlength=5_000).reshape(50, 100))
    table = np.concatenate(tables)
    over, all_of_it = _match(table.reshape(-1, 20, 5).sum(2)), _match(table)
    assert over == pytest.approx(1.1 / 3.0, rel=0.08)
    assert all_of_it / over == pytest.approx(11 / 51, rel=0.04)


def test_pachinko_follows_the_tree_it_is_given() -> None:
    """The tree matters: shuffling which labels are a family changes which labels come together."""
    labels = np.arange(3_000) % 9
    near, far = np.repeat(np.arange(3), 3), np.tile(np.arange(3), 3)

    def together(family: np.ndarray[Any, Any]) -> float:
        owner = splits.assign("pachinko", labels, 60, 3, coarse=family, alpha=0.1, beta=50.0)
        shares = [np.bincount(near[labels[owner == i]], minlength=3).max() / 50 for i in range(20)]
        return float(np.mean(shares))

    assert together(near) > together(far) + 0.2


def test_another_seed_deals_otherwise() -> None:
    labels = np.arange(200) % 5
    assert any((splits.assign("iid", labels, 4, 0) != splits.assign("iid", labels, 4, seed)).any() for seed in (1, 2))


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"split": "diriclet"}, "expected one of"),
        ({"split": "natural"}, "without writers"),
        ({"split": "dirichlet", "alpha": 0.0}, "alpha is 0.0"),
        ({"split": "dirichlet", "alpha": float("nan")}, "alpha is nan"),
        ({"split": "iid", "alpha": 0.3}, "would be ignored"),
        ({"split": "iid", "clients": 0}, "clients is 0"),
    ],
)
def test_wrong_settings_are_refused(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(ProblemError, match=message):
        splits.assign(**({"labels": np.array([0, 1]), "clients": 2, "seed": 0} | settings))


def test_labels_that_are_texts_are_refused_but_iid_takes_them() -> None:
    texts = np.zeros((6, 80), int)
    with pytest.raises(ProblemError, match="one label an example"):
        splits.assign("dirichlet", texts, 2, 0)
    assert np.bincount(splits.assign("iid", texts, 2, 0)).tolist() == [3, 3]

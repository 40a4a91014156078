"""Figures are found by their files, by id, by path, and by paper."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest

from figures import card, registry, style
from figures.figure import Figure
from figures.runner import make
from surrogate.kit.errors import ProblemError
from tests.figures.conftest import SOURCE, Fakes

FOUND = registry.discover()


def test_the_exact_figures_are_there() -> None:
    exact = [entry.id for entry in FOUND if entry.exact]
    assert exact == ["OLR.F1", "LA.F1a", "LA.F1b", "DA.A3", "LADA.F6", "LADA.T11", "B1", "B2", "B3", "B4", "B5"]


def test_ids_are_unique() -> None:
    assert len({entry.id for entry in FOUND}) == len(FOUND)


@pytest.mark.parametrize("entry", FOUND, ids=lambda entry: entry.id)
def test_every_figure_says_what_it_is(entry: Figure) -> None:
    short = registry.PAPERS[entry.paper][0]
    assert entry.id.startswith(short if entry.paper == "beyond" else f"{short}.")
    assert 10 <= len(entry.title) <= 90
    assert 80 <= len(entry.alt) <= 800
    assert entry.claims


@pytest.mark.parametrize("name", ["OLR.F1", "olr.f1", "outsized/figure_1", "figures/outsized/figure_1.py"])
def test_names_of_one_figure(name: str) -> None:
    assert [entry.id for entry in registry.find([name])] == ["OLR.F1"]


@pytest.mark.parametrize("paper", ["LA", "local_adaptivity"])
def test_a_paper_names_all_its_figures(paper: str) -> None:
    assert [entry.paper for entry in registry.find([paper])] == ["local_adaptivity"] * len(registry.find([paper]))
    assert len(registry.find([paper])) >= 2


def test_asked_twice_is_drawn_once_and_in_order() -> None:
    assert [entry.id for entry in registry.find(["LA.F1a", "OLR.F1", "outsized/figure_1"])] == ["OLR.F1", "LA.F1a"]


def test_nothing_asked_is_everything() -> None:
    assert registry.find([]) == FOUND


def test_an_unknown_figure_names_the_nearest() -> None:
    with pytest.raises(ProblemError, match=r"a slip for .*LA\.F1") as error:
        registry.find(["LA.F1c"])
    assert "LA.F1a" in str(error.value) and "--list" in str(error.value)


def test_an_unknown_scale_names_the_three() -> None:
    with pytest.raises(ProblemError, match="'smoke' or 'laptop' or 'paper'"):
        registry.known_scale("huge")


def test_numbers_count_as_numbers_and_papers_come_in_order(fakes: Fakes) -> None:
    for name in ("outsized/figure_10", "outsized/figure_2", "fedlamb/table_1", "local_adaptivity/figure_1b"):
        fakes.write(name, id=name)
    fakes.write("local_adaptivity/figure_1a", id="local_adaptivity/figure_1a")
    (fakes.folder / "outsized" / "helpers.py").write_text("")
    assert [entry.alias for entry in fakes.entries()] == [
        "outsized/figure_2",
        "outsized/figure_10",
        "local_adaptivity/figure_1a",
        "local_adaptivity/figure_1b",
        "fedlamb/table_1",
    ]


def test_a_file_without_a_figure_is_refused_by_name(fakes: Fakes) -> None:
    path = fakes.write()
    fakes.change("FIGURE = ", "UNFINISHED = ")
    with pytest.raises(ProblemError, match="without FIGURE") as error:
        fakes.entries()
    assert str(path) in str(error.value)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("draw=draw,", "", "draw"),
        ("draw=draw,", "draw=draw, sheet=draw,", "draw"),
        ("table=table,", "table=lambda scale: {},", "a lambda or an inner function"),
    ],
)
def test_a_figure_that_cannot_be_kept_is_refused(fakes: Fakes, old: str, new: str, said: str) -> None:
    fakes.write()
    fakes.change(old, new)
    with pytest.raises(ProblemError, match=said):
        fakes.entries()


def test_a_file_may_define_several_figures(fakes: Fakes) -> None:
    """Each is named by its kind and number."""
    fakes.write("outsized/tables_3_to_7", id="OLR.T3")
    fakes.change("FIGURE = Figure(", "FIRST = Figure(", "outsized/tables_3_to_7")
    path = fakes.folder / "outsized/tables_3_to_7.py"
    more = "\nfrom dataclasses import replace\nFIGURES = FIRST, replace(FIRST, id='OLR.T4')\n"
    path.write_text(path.read_text(encoding="utf-8") + more, encoding="utf-8")
    assert [(figure.id, figure.alias) for figure in fakes.entries()] == [
        ("OLR.T3", "outsized/table_3"),
        ("OLR.T4", "outsized/table_4"),
    ]


def test_a_users_file_is_a_figure_too(tmp_path: Path) -> None:
    """It is made alone, and its output lies in its folder's name."""
    path = tmp_path / "thesis" / "figure_1.py"
    path.parent.mkdir()
    path.write_text(SOURCE.format(id="MINE", slope=2.0, runs="no_runs"), encoding="utf-8")
    (figure,) = registry.find([str(path)])
    assert (figure.id, figure.alias) == ("MINE", "thesis/figure_1")
    outcome = make(figure, "smoke", tmp_path / "out", lambda line: None)
    assert outcome.state == "made" and (tmp_path / "out/thesis/figure_1.png").is_file()


def users_file(path: Path) -> str:
    path.parent.mkdir(parents=True)
    path.write_text(SOURCE.format(id="MINE", slope=2.0, runs="no_runs"), encoding="utf-8")
    return str(path)


@pytest.mark.parametrize("name", ["outsized/figure_1.py", "Outsized/figure_1.py", "beyond/mine.py"])
def test_a_users_file_in_a_folder_with_a_papers_name_is_refused(tmp_path: Path, name: str) -> None:
    """Else its drawings would replace ours."""
    path = users_file(tmp_path / name)
    with pytest.raises(ProblemError, match="rename the folder"):
        registry.find([path])


def test_two_files_that_would_be_written_to_one_place_are_refused(tmp_path: Path) -> None:
    one, other = (users_file(tmp_path / name / "thesis" / "figure_1.py") for name in "ab")
    assert len(registry.find([one, one])) == 1
    with pytest.raises(ProblemError, match="rename one of the files"):
        registry.find([one, other])


@pytest.mark.parametrize(
    ("name", "ids"), [("figure_1", ["OLR.F1"]), ("tables_3_to_7", [f"OLR.T{n}" for n in range(3, 8)])]
)
def test_our_files_by_their_full_paths_are_our_figures(name: str, ids: list[str]) -> None:
    found = registry.find([str(registry.FOLDER / "outsized" / f"{name}.py")])
    assert [(entry.id, entry.module) for entry in found] == [(id, f"figures.outsized.{name}") for id in ids]


def test_a_users_file_takes_the_name_of_no_module_of_ours(tmp_path: Path) -> None:
    path = tmp_path / "figures" / "style.py"
    path.parent.mkdir()
    path.write_text(SOURCE.format(id="MINE", slope=2.0, runs="no_runs"), encoding="utf-8")
    (figure,) = registry.find([str(path)])
    assert figure.alias == "figures/style" and importlib.import_module("figures.style") is style


def test_the_cards_are_those_of_the_figures() -> None:
    """Otherwise: python -m figures.registry."""
    assert registry.CARDS.read_text(encoding="utf-8") == card.written(FOUND)


def test_a_card_loads_its_figure() -> None:
    assert [listed.load() for listed in registry.cards()] == FOUND
    assert [(c.alias, c.exact, c.paper) for c in registry.cards()] == [(f.alias, f.exact, f.paper) for f in FOUND]


def test_a_figure_without_a_card_is_found(fakes: Fakes, monkeypatch: pytest.MonkeyPatch) -> None:
    fakes.write()
    monkeypatch.setattr(registry, "discover", fakes.entries)
    monkeypatch.setattr(registry, "cards", list)
    assert [figure.id for figure in registry.find(["T.F1"])] == ["T.F1"]

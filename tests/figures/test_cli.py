"""``surrogate figures``: what it draws, says, refuses, and how it ends."""

from __future__ import annotations

import html.parser
from pathlib import Path

import pytest

import figures
from figures import cli, registry
from figures.card import read, written
from surrogate.cli.main import main
from surrogate.kit.errors import ProblemError
from tests.figures.conftest import SOURCE, Fakes
from tests.helpers.tree import fresh


@pytest.fixture
def gallery(fakes: Fakes, monkeypatch: pytest.MonkeyPatch) -> Fakes:
    """Two made-up figures in the place of ours."""
    fakes.write("outsized/figure_1", id="T.F1")
    fakes.write("local_adaptivity/figure_1a", id="T.F2", slope=-1.0)
    monkeypatch.setattr(registry, "discover", fakes.entries)
    monkeypatch.setattr(registry, "cards", fakes.entries)
    return fakes


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "deep" / "out"


class Reader(html.parser.HTMLParser):
    """Open tags, texts, and attributes of images."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.images: list[dict[str, str | None]] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "img":
            self.images.append(dict(attrs))
        elif tag != "meta":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def test_all_figures_are_drawn_with_progress_and_pages(
    gallery: Fakes, out: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["figures", "--scale", "smoke", "--out", str(out)]) == 0
    said = capsys.readouterr().out.splitlines()
    assert said[0] == "[1/2] T.F1: A line, and <nothing> else"
    assert said[3].startswith("[2/2] T.F2: table of 4 rows computed in ")
    assert said[3].endswith("; findings: 2 not reproduced")
    assert said[-2] == "findings of this run: 1 reproduced, 3 not reproduced"
    assert str(out / "index.html") in said[-1]


def test_a_users_figure_is_on_the_page_with_ours(
    gallery: Fakes, tmp_path: Path, out: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Even where it has an id of ours."""
    path = tmp_path / "thesis" / "figure_1.py"
    path.parent.mkdir()
    path.write_text(SOURCE.format(id="T.F1", slope=2.0, runs="no_runs"), encoding="utf-8")
    assert main(["figures", "T.F1", str(path), "--out", str(out)]) == 0
    text = (out / "index.html").read_text()
    assert [text.count(f'href="{name}/figure_1.pdf"') for name in ("outsized", "thesis")] == [1, 1]


def test_the_gallery_is_one_sound_page(gallery: Fakes, out: Path) -> None:
    main(["figures", "--out", str(out)])
    text = (out / "index.html").read_text()
    page = Reader()
    page.feed(text)
    assert page.open == []
    assert [image["alt"] for image in page.images] == ['A straight line through 0 & 3, "the" line.'] * 2
    assert all(str(image["src"]).startswith("data:image/png;base64,iVBOR") for image in page.images)
    for shown in (
        "A line, and <nothing> else",
        "rise > 100",
        "rise: 3",
        "not reproduced",
        registry.PAPERS["outsized"][1],
    ):
        assert shown in page.text
    assert "://" not in text  # nothing is fetched


def test_the_notes_list_every_claim(gallery: Fakes, out: Path) -> None:
    main(["figures", "T.F1", "--out", str(out)])
    notes = (out / "findings.md").read_text()
    assert "- **reproduced**: the line goes up\n  - check: rise > 0\n  - rise: 3" in notes
    assert notes.count("**not run**") == 2  # the other figure's
    main(["figures", "T.F2", "--out", str(out)])
    notes = (out / "findings.md").read_text()
    assert notes.count("**not run**") == 0 and "- **reproduced**: the line goes up" in notes


def test_the_list_draws_nothing(gallery: Fakes, out: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["figures", "--list", "--out", str(out)]) == 0
    assert [line.split()[:2] for line in capsys.readouterr().out.splitlines()] == [
        ["T.F1", "outsized/figure_1"],
        ["T.F2", "local_adaptivity/figure_1a"],
    ]
    assert not out.exists()


def test_an_unknown_id_is_wrong_use_with_near_misses(gallery: Fakes, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["figures", "T.F3"]) == 2
    assert "a slip for T.F" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--scale", "huge"], "'smoke' or 'laptop' or 'paper'"),
        (["--budget", "soon"], "8h, 1h30m"),
        (["--budget", "-3h"], "8h, 1h30m"),
        (["--budget", ""], "8h, 1h30m"),
        (["--gpus", "0.5"], "add --engine ray"),
        (["--processes", "0"], "a whole number >= 1"),
    ],
)
def test_wrong_use_is_explained(
    gallery: Fakes, out: Path, arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["figures", *(f"{a}={b}" for a, b in [arguments]), "--out", str(out)]) == 2
    assert said in capsys.readouterr().err
    assert not out.exists()


def test_a_folder_that_is_a_file_is_refused(gallery: Fakes, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "taken").write_text("")
    assert main(["figures", "--out", str(tmp_path / "taken")]) == 2
    assert "pass another folder" in capsys.readouterr().err


def test_a_folder_that_cannot_be_written_is_refused_before_anything_is_drawn(
    gallery: Fakes, out: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refused(path: Path) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "touch", refused)
    assert main(["figures", "--out", str(out)]) == 2
    told = capsys.readouterr()
    assert "expected a folder that can be written" in told.err and "Permission denied" in told.err
    assert not told.out and not list(out.iterdir())


def test_no_budget_left_is_not_a_failure(gallery: Fakes, out: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["figures", "--budget", "0s", "--out", str(out)]) == 0
    assert "findings of this run: 4 not run" in capsys.readouterr().out
    assert "the budget of 0 s was used up" in (out / "index.html").read_text()


def test_a_figure_that_fails_shows_in_the_exit_status(gallery: Fakes, out: Path) -> None:
    gallery.change("figsize=(2, 2)", "figsize=(2, 1 / 0)")
    assert main(["figures", "--out", str(out)]) == 1
    assert "Failed: ZeroDivisionError: division by zero" in (out / "index.html").read_text()


@pytest.mark.parametrize("exact", [True, False])
@pytest.mark.parametrize("named", [True, False])
def test_a_file_that_cannot_be_imported_fails_by_name_and_stops_no_other(
    gallery: Fakes, out: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
    exact: bool, named: bool,
) -> None:  # fmt: skip
    gallery.write("outsized/figure_1", id="T.F1", exact=exact)
    gallery.change("SLOPE = 1.0", "SLOPE = 1.0  # edited")
    (gallery.folder / "cards.json").write_text(written(gallery.entries()), encoding="utf-8")
    monkeypatch.setattr(registry, "cards", lambda: read(gallery.folder / "cards.json"))
    gallery.change("SLOPE = 1.0", "SLOPE = 1 / 0")
    assert main(["figures", *(["T.F1", "T.F2"] if named else []), "--scale", "smoke", "--out", str(out)]) == 1
    said = capsys.readouterr().out
    assert "T.F1: failed: ZeroDivisionError: division by zero" in said and "T.F2: table of 4 rows computed" in said
    assert "Failed: ZeroDivisionError: division by zero" in (out / "index.html").read_text()


@pytest.mark.parametrize(
    ("given", "expected"), [("8h", 28800), ("1h30m", 5400), ("45m", 2700), ("90s", 90), ("1.5 h", 5400), ("7", 7)]
)
def test_budgets(given: str, expected: float) -> None:
    assert cli.seconds(given) == expected


def test_tables_from_python() -> None:
    rows = figures.table("outsized/figure_1", "smoke")
    assert rows.num_rows > 1000 and {"mean", "deviation", "path"} <= set(rows.column_names)
    assert figures.names() == [entry.id for entry in registry.discover()]
    with pytest.raises(ProblemError, match="OLR"):
        figures.table("OLR.F99")


def test_the_list_loads_nothing_heavy() -> None:
    code = (
        "import sys\nfrom surrogate.cli.main import main\nassert main(['figures', '--list']) == 0\n"
        "assert not {'numpy', 'matplotlib', 'pyarrow', 'torch'} & set(sys.modules)"
    )
    done = fresh("-c", code)
    assert done.returncode == 0, done.stderr

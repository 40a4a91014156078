"""Table, parquet, drawing, findings: computed once, kept, rebuilt when damaged, never half-written."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from figures import registry, runner, storage
from figures.figure import Figure
from figures.keys import key
from figures.queue import Plan
from tests.figures.conftest import Fakes


def make(entry: Figure, out: Path, scale: str = "smoke") -> tuple[runner.Outcome, str]:
    """The outcome and what was said."""
    lines: list[str] = []
    return runner.make(entry, scale, out, lines.append), "\n".join(lines)


@pytest.fixture
def entry(fakes: Fakes) -> Figure:
    fakes.write()
    return fakes.entry()


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "out"


def parquet(out: Path) -> Path:
    return out / "outsized" / "figure_1.parquet"


def test_a_figure_leaves_its_table_three_drawings_and_findings(entry: Figure, out: Path) -> None:
    outcome, _ = make(entry, out)
    assert [finding.status for finding in outcome.findings] == ["reproduced", "not reproduced"]
    written = {path.name: path.read_bytes() for path in (out / "outsized").iterdir()}
    starts = {"pdf": b"%PDF-", "svg": b"<?xml", "png": b"\x89PNG", "parquet": b"PAR1", "findings.json": b"{"}
    starts["thumb.png"] = starts["png"]
    assert set(written) == {f"figure_1.{kind}" for kind in starts}
    for kind, start in starts.items():
        assert written[f"figure_1.{kind}"].startswith(start)
    assert len(written["figure_1.png"]) > 1000
    record = json.loads(written["figure_1.findings.json"])
    assert record["findings"][1] == {
        "claim": "it is steep",
        "check": "rise > 100",
        "status": "not reproduced",
        "numbers": {"rise": 3.0},
    }


def test_every_output_is_the_same_to_the_byte(entry: Figure, tmp_path: Path) -> None:
    for name in ("one", "two"):
        make(entry, tmp_path / name)
    one, two = (
        {path.name: path.read_bytes() for path in (tmp_path / name / "outsized").iterdir()} for name in ("one", "two")
    )
    assert [name for name in one if one[name] != two[name]] == []
    assert len(one) == 6


def test_no_output_holds_the_time_of_day(entry: Figure, out: Path) -> None:
    make(entry, out)
    for kind, stamp in (("pdf", b"CreationDate"), ("svg", b"<dc:date>"), ("png", b"Creation Time")):
        assert stamp not in (out / "outsized" / f"figure_1.{kind}").read_bytes()


def test_the_parquet_says_what_it_is(entry: Figure, out: Path) -> None:
    make(entry, out)
    rows = pq.read_table(parquet(out))
    assert rows.to_pydict() == {"x": [0.0, 1.0, 2.0, 3.0], "y": [0.0, 1.0, 2.0, 3.0]}
    notes = storage.metadata(rows)
    assert (notes["figure"], notes["scale"], notes["key"]) == ("T.F1", "smoke", key(entry, "smoke"))


def test_redrawing_does_not_recompute(entry: Figure, out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make(entry, out)

    def refuse(self: Plan) -> None:
        raise AssertionError("the table was computed again")

    monkeypatch.setattr(Plan, "table", refuse)
    (out / "outsized" / "figure_1.svg").unlink()
    outcome, _ = make(entry, out)
    assert "table kept" in outcome.note
    assert (out / "outsized" / "figure_1.svg").is_file()
    parquet(out).unlink()
    with pytest.raises(AssertionError, match="computed again"):
        make(entry, out)


def test_an_edited_drawing_keeps_the_table_and_an_edited_table_does_not(fakes: Fakes, entry: Figure, out: Path) -> None:
    make(entry, out)
    fakes.change("figsize=(2, 2)", "figsize=(3, 2)")
    assert "table kept" in make(fakes.entry(), out)[0].note
    fakes.change("SLOPE = 1.0", "SLOPE = 50.0")
    outcome, said = make(fakes.entry(), out)
    assert "4 rows computed" in outcome.note and "damaged" not in said
    assert [finding.status for finding in outcome.findings] == ["reproduced", "reproduced"]


def test_another_scale_is_another_table(fakes: Fakes, out: Path) -> None:
    fakes.write(exact=False)
    make(fakes.entry(), out, "smoke")
    assert "table kept" in make(fakes.entry(), out, "smoke")[0].note
    assert "computed" in make(fakes.entry(), out, "laptop")[0].note


def _cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-40])


def _empty(path: Path) -> None:
    path.write_bytes(b"")


def _overwrite(path: Path) -> None:
    path.write_text("these are not the rows you are looking for")


def _other_values(path: Path) -> None:
    rows = pq.read_table(path)
    pq.write_table(rows.set_column(1, "y", pa.array([9.0, 8.0, 7.0, 6.0])), path)


def _no_notes(path: Path) -> None:
    pq.write_table(pq.read_table(path).replace_schema_metadata(None), path)


@pytest.mark.parametrize("damage", [_cut, _empty, _overwrite, _other_values, _no_notes])
def test_a_damaged_table_is_named_and_rebuilt(entry: Figure, out: Path, damage: object) -> None:
    make(entry, out)
    sound = parquet(out).read_bytes()
    damage(parquet(out))  # type: ignore[operator]
    outcome, said = make(entry, out)
    assert f"{parquet(out)} is damaged" in said and "rebuilding" in said
    assert "computed" in outcome.note
    assert parquet(out).read_bytes() == sound


def test_no_flipped_bit_goes_unnoticed(entry: Figure, out: Path) -> None:
    make(entry, out)
    sound = parquet(out).read_bytes()
    rows, wanted = storage.read(parquet(out), key(entry, "smoke")), key(entry, "smoke")
    for place in range(0, len(sound), 7):
        flipped = bytearray(sound)
        flipped[place] ^= 0x10
        parquet(out).write_bytes(flipped)
        try:
            found = storage.read(parquet(out), wanted)
        except storage.Unusable:
            continue
        assert found is None or found.equals(rows), f"bit flipped at byte {place}"


def test_who_reads_while_it_is_written_reads_the_old_file_to_its_end(tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    storage.write_text("old" * 100_000, path)
    with path.open() as reader:
        begin = reader.read(3)
        storage.write_text("new", path)
        assert begin + reader.read() == "old" * 100_000
    assert path.read_text() == "new"


def test_what_fails_while_writing_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    storage.write_text("old", path)
    with pytest.raises(RuntimeError), storage.atomic(path) as partial:
        partial.write_text("half of the n")
        raise RuntimeError
    assert path.read_text() == "old"
    assert [left.name for left in tmp_path.iterdir()] == ["page.html"]


KILLED = """
import os, signal, sys
from collections.abc import Callable
from pathlib import Path
from figures import storage
with storage.atomic(Path(sys.argv[1])) as partial:
    partial.write_text("half")
    os.kill(os.getpid(), signal.SIGKILL)
"""


def test_a_run_killed_half_way_goes_on(fakes: Fakes, out: Path) -> None:
    fakes.write("outsized/figure_1", id="T.F1")
    fakes.write("outsized/figure_2", id="T.F2")
    first, second = fakes.entries()
    make(first, out)
    command = [sys.executable, "-c", KILLED, str(out / "outsized" / "figure_2.parquet")]
    assert subprocess.run(command, cwd=registry.FOLDER.parent, check=False).returncode == -signal.SIGKILL
    assert len(list(out.rglob("*.partial"))) == 1 and not (out / "outsized" / "figure_2.parquet").exists()
    said: list[str] = []
    outcomes = runner.make_all([first, second], "smoke", out, say=said.append)
    assert ["table kept" in outcome.note for outcome in outcomes] == [True, False]
    assert "half-written" in said[0]
    assert list(out.rglob("*.partial")) == []


def test_a_file_that_another_run_is_writing_is_left_alone(tmp_path: Path) -> None:
    mine = tmp_path / f".a.png.{os.getpid()}.partial"
    mine.write_text("still writing")
    assert storage.sweep(tmp_path) == []
    assert storage.sweep(tmp_path, alive=lambda process: False) == [mine]


def test_a_budget_that_runs_out_marks_the_rest_not_run(fakes: Fakes, out: Path) -> None:
    for number in (1, 2, 3):
        fakes.write(f"outsized/figure_{number}", id=f"T.F{number}")
    said: list[str] = []
    outcomes = runner.make_all(
        fakes.entries(), "smoke", out, budget=10.0, say=said.append,
        clock=lambda: 11.0 if any("T.F1: table" in line for line in said) else 1.0,
    )  # fmt: skip
    assert [outcome.state for outcome in outcomes] == ["made", "not run", "not run"]
    assert [finding.status for finding in outcomes[2].findings] == ["not run", "not run"]
    assert [finding.claim for finding in outcomes[2].findings] == ["the line goes up", "it is steep"]
    assert said[-1] == "[3/3] T.F3: not run: the budget of 10 s was used up"
    assert not (out / "outsized" / "figure_2.parquet").exists()


def test_a_figure_that_fails_does_not_stop_the_rest(
    fakes: Fakes, out: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fakes.write("outsized/figure_1", id="T.F1")
    fakes.write("outsized/figure_2", id="T.F2")
    fakes.change("figsize=(2, 2)", "figsize=(2, 1 / 0)")
    outcomes = runner.make_all(fakes.entries(), "smoke", out, say=lambda line: None)
    assert [outcome.state for outcome in outcomes] == ["failed", "made"]
    assert outcomes[0].note == "ZeroDivisionError: division by zero"
    assert "figure_1.py" in capsys.readouterr().err
    assert {finding.status for finding in outcomes[0].findings} == {"not run"}


def test_findings_of_an_earlier_run_are_remembered_until_the_code_changes(
    fakes: Fakes, entry: Figure, out: Path
) -> None:
    assert runner.recorded(entry, out).state == "not run"
    made, _ = make(entry, out)
    assert runner.recorded(entry, out).findings == made.findings
    fakes.change("SLOPE = 1.0", "SLOPE = 2.0")
    stale = runner.recorded(fakes.entry(), out)
    assert stale.state == "not run" and "changed" in stale.note
    (out / "outsized" / "figure_1.findings.json").write_text("{")
    assert "damaged" in runner.recorded(entry, out).note


def damages() -> dict[str, Callable[[bytes], bytes]]:
    """What can happen to a file, by name."""
    return {
        "cut": lambda content: content[:-1],
        "empty": lambda content: b"",
        "garbage": lambda content: b"\0" * len(content),
        "a bit": lambda content: content[:-9] + bytes([content[-9] ^ 1]) + content[-8:],
    }


@pytest.mark.parametrize("kind", ["pdf", "svg", "png", "thumb.png"])
@pytest.mark.parametrize("damage", damages())
def test_a_damaged_drawing_is_drawn_again(entry: Figure, out: Path, kind: str, damage: str) -> None:
    make(entry, out)
    file = out / "outsized" / f"figure_1.{kind}"
    whole = file.read_bytes()
    file.write_bytes(damages()[damage](whole))
    assert "drawings kept" not in make(entry, out)[0].note
    assert len(file.read_bytes()) > len(whole) // 2
    assert "drawings kept" in make(entry, out)[0].note


@pytest.mark.parametrize("edit", [("not reproduced", "reproduced"), ("steep", "steeq"), ("T.F1", "T.F2"), ("\n}", "}")])
def test_edited_findings_go_into_no_gallery(entry: Figure, out: Path, edit: tuple[str, str]) -> None:
    honest = make(entry, out)[0].findings
    file = out / "outsized" / "figure_1.findings.json"
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace(*edit), encoding="utf-8")
    shown = runner.recorded(entry, out)
    if edit[0].strip() == "}":  # layout alone: the same record
        assert shown.findings == honest
    else:
        assert shown.state == "not run"
        assert "not as it was written" in shown.note
        assert make(entry, out)[0].findings == honest


def test_another_figures_record_is_not_taken_for_ones_own(fakes: Fakes, out: Path) -> None:
    fakes.write("outsized/figure_1", id="T.F1")
    fakes.write("outsized/figure_2", id="T.F2")
    first, second = fakes.entries()
    for figure in (first, second):
        make(figure, out)
    files = [out / "outsized" / f"figure_{k}.findings.json" for k in (1, 2)]
    files[0].write_bytes(files[1].read_bytes())
    assert "not as it was written" in runner.recorded(first, out).note

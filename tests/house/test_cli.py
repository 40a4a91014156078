"""The program ``surrogate``: verbs are found, run, explained, and their failures are readable."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import pytest

import surrogate
from surrogate.cli import verbs
from surrogate.cli.main import main
from tests.helpers.tree import ROOT, execute, fresh, project

VERBS = project()["entry-points"]["surrogate.verbs"]


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> None:
    """The verb ``fake`` beside a verb whose module is broken."""
    monkeypatch.setattr(verbs, "available", lambda: {"broken": "tests.house.nowhere", "fake": "tests.house.fake_verb"})


def test_version_of_the_tree() -> None:
    assert surrogate.__version__ == project()["version"]


def test_every_declared_verb_is_available() -> None:
    assert verbs.available().items() >= VERBS.items()


@pytest.mark.parametrize("name", VERBS)
def test_verb_has_a_summary_of_one_line(name: str) -> None:
    summary = verbs.load(name).SUMMARY
    assert summary.strip() == summary
    assert 10 <= len(summary) <= 100
    assert "\n" not in summary


@pytest.mark.parametrize("name", VERBS)
def test_examples_parse(name: str) -> None:
    verb = verbs.load(name)
    lines = [line.strip().removeprefix("$ ") for line in verb.EXAMPLES.strip().splitlines()]
    commands = [shlex.split(line, comments=True) for line in lines if line.startswith("surrogate ")]
    assert commands, "a verb shows at least one command"
    for program, called, *arguments in commands:
        assert (program, called) == ("surrogate", name)
        verbs.parser(name, verb).parse_args(arguments)


@pytest.mark.parametrize("name", VERBS)
def test_help_of_a_verb_ends_with_its_examples(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="0"):
        main([name, "--help"])
    shown = capsys.readouterr().out
    last = verbs.load(name).EXAMPLES.strip().splitlines()[-1].strip()
    assert shown.startswith(f"usage: surrogate {name}")
    assert shown.rstrip().endswith(last)


def test_help_lists_every_verb_with_its_summary(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    for name in VERBS:
        assert f"{name} {' '.join(verbs.load(name).SUMMARY.split())}" in shown


def test_no_arguments_is_wrong_use_and_shows_the_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert "usage: surrogate" in shown.err


def test_unknown_verb_names_the_nearest(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["figure"]) == 2
    shown = capsys.readouterr().err
    assert "'figure'" in shown
    assert "a slip for 'figures'" in shown


def test_unknown_verb_unlike_any_other_lists_all(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["xyzzy"]) == 2
    shown = capsys.readouterr().err
    assert ", ".join(verbs.available()) in shown
    assert "not installed" in shown


def test_version_is_that_of_pyproject(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"surrogate {project()['version']}\n"


@pytest.mark.usefixtures("fake")
def test_status_of_the_verb_is_the_status_of_the_program(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["fake"]) == 3
    assert capsys.readouterr().out == "line 0\n"


@pytest.mark.usefixtures("fake")
def test_problem_is_text_and_not_a_traceback(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["fake", "--how", "problem"]) == 2
    shown = capsys.readouterr()
    assert shown.err.startswith("surrogate: gamma is -1, expected a rate >= 0.\n")
    assert "What to do: pass a positive rate." in shown.err
    assert "Traceback" not in shown.err + shown.out


@pytest.mark.usefixtures("fake")
def test_interrupt_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["fake", "--how", "interrupt"]) == 130
    assert capsys.readouterr().err == "surrogate: interrupted\n"


@pytest.mark.usefixtures("fake")
def test_unknown_option_is_wrong_use(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["fake", "--hwo", "well"]) == 2
    assert "a slip for --how" in capsys.readouterr().err


@pytest.mark.usefixtures("fake")
def test_broken_verb_leaves_the_help_of_the_others(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "broken (cannot be loaded: ModuleNotFoundError" in shown
    assert "fake end in every way that a verb can end, 100 % of them" in shown


def plugin(folder: Path) -> dict[str, str]:
    """A distribution in ``folder`` that declares the verb ``fake``; the environment in which it counts as installed."""
    info = folder / "somebody_else-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: somebody-else\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[surrogate.verbs]\nfake = tests.house.fake_verb\n")
    return {"PYTHONPATH": f"{folder}:{ROOT}"}


def test_verb_of_another_distribution_is_found(tmp_path: Path) -> None:
    environment = plugin(tmp_path)
    done = fresh("-m", "surrogate", "fake", "--how", "well", cwd=tmp_path, **environment)
    assert (done.returncode, done.stdout, done.stderr) == (3, "line 0\n", "")


def test_reader_that_goes_away_is_no_traceback(tmp_path: Path) -> None:
    environment = plugin(tmp_path)
    script = '"$0" -m surrogate fake --how flood | head -n 1; echo "${PIPESTATUS[0]}"'
    done = execute("bash", "-c", script, sys.executable, cwd=tmp_path, **environment)
    assert (done.stdout, done.stderr) == ("line 0\n141\n", "")

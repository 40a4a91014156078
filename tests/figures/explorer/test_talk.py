"""Links, files, snippets and pictures say the same as the page; what is wrong with a file is said in words."""

from __future__ import annotations

import contextlib
import functools
import io
import json
import socket
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

import numpy as np
import pytest

from figures.explorer import State, cli, draw, files, link, menu, scene, talk
from figures.explorer.snippet import snippet
from surrogate import problems, reports
from surrogate.kit import errors
from tests.helpers.figures.explorer_states import of_each_method, various

ALL = various() | {s.method: s for s in of_each_method()}
seen = functools.cache(scene)


@pytest.mark.parametrize("state", ALL.values(), ids=ALL.keys())
def test_a_link_restores_the_state(state: State) -> None:
    query = link.query(state)
    assert link.from_query(dict(parse_qsl(query, strict_parsing=True))) == state
    assert json.loads(json.dumps(state.plain())) == json.loads(json.dumps(State.of(state.plain()).plain()))


@pytest.mark.parametrize("state", ALL.values(), ids=ALL.keys())
def test_a_file_round_trips_through_surrogate_toy(state: State, tmp_path: Path) -> None:
    """What `surrogate toy` says of the exported file is on the page; loaded again, it is the same page."""
    path = tmp_path / "exported.toml"
    path.write_text(files.as_toml(state), encoding="utf-8")
    read, shown = problems.load(path), seen(state)
    facts = reports.report(read, reports.resolve({}, read))
    if shown["rest"] is not None:
        np.testing.assert_allclose(facts["resting_point"], shown["rest"], rtol=1e-12, atol=1e-14)
        assert facts["distance"] == pytest.approx(shown["distance"], rel=1e-9, abs=1e-15)
    again = scene(files.load(path))
    for key in ("rest", "distance", "eta", "start", "run", "loss"):
        assert flat(again[key]) == pytest.approx(flat(shown[key]), rel=1e-9, abs=1e-13), key


def flat(value: Any) -> list[float]:
    """The numbers in nested data."""
    if isinstance(value, dict):
        return [x for key in sorted(value) for x in flat(value[key])]
    if isinstance(value, (list, tuple)):
        return [x for entry in value for x in flat(entry)]
    return [] if value is None else [float(value)]


@pytest.mark.parametrize("state", ALL.values(), ids=ALL.keys())
def test_the_snippet_prints_the_numbers_of_the_page(state: State) -> None:
    printed, shown = io.StringIO(), seen(state)
    with np.printoptions(precision=17, threshold=10_000, linewidth=100_000), contextlib.redirect_stdout(printed):
        exec(snippet(state), {})
    said = dict(line.rsplit(" ", 1) for line in printed.getvalue().splitlines() if "[" not in line)
    assert float(said["distance to x*"]) == pytest.approx(shown["distance"], rel=1e-12)
    if state.method == menu.LOCAL_UPDATE:
        assert float(said["E ||x_T - x*||^2"]) == pytest.approx(shown["run"]["distance2"][-1], rel=1e-9)
    rests = next(line for line in printed.getvalue().splitlines() if line.startswith("rests at"))
    assert [float(x) for x in rests.partition("[")[2].strip("]").split()] == pytest.approx(shown["rest"], rel=1e-12)


def test_the_page_and_python_understand_each_other() -> None:
    opening = talk.opening(State())
    assert json.loads(json.dumps(opening, allow_nan=False))["shown"]["form"]["problem"]["preset"] == "two-clients"
    assert {m["name"] for m in opening["methods"]} == set(menu.choices())
    reply, sent = talk.answer({"kind": "show", "seq": 7, "state": {"gamma": 0.5, "steps": 2}}, [])
    assert (reply["kind"], reply["seq"], sent) == ("scene", 7, [])
    assert reply["scene"]["rest"] == pytest.approx([5 / 7])
    assert reply["query"] == "preset=two-clients&gamma=0.5&steps=2"


@pytest.mark.parametrize("state", various().values(), ids=various().keys())
def test_the_form_of_a_state_is_that_state_again(state: State) -> None:
    """What main.js sends back of a form that nobody touched."""
    form = talk.opening(state)["shown"]["form"]
    p = form["problem"]
    clients = (
        {"preset": p["preset"]} if p["preset"] else {key: p[key] for key in ("kind", "A", "v", "weights", "owner")}
    )
    sent: dict[str, Any] = {"problem": clients | {"spread": p["spread"]}, "start": form["start"]}
    sent |= {key: form[key] for key in ("method", "gamma", "steps", "eta", "settings", "rounds")}
    if form["method"] == menu.LOCAL_UPDATE:
        sent |= {key: form[key] for key in ("theta", "per_round", "sampling", "batch")}
    if form["method"] == menu.PRECONDITIONED:
        sent |= {key: form[key] for key in ("P", "correction")}
    assert scene(State.of(json.loads(json.dumps(sent)))) == seen(state)


BAD = {
    "broken.toml": (b"[[client]\n", "not readable as TOML"),
    "empty.json": (b"{}", "without clients"),
    "noise.npz": (b"PK\x03\x04 and then nothing", "not readable as NPZ"),
    "notes.txt": (b"A = 1", "a file ending in '.txt'"),
    "indefinite.toml": (b"[[client]]\nA = -1\nc = 0\n", "indefinite"),
    "lists.toml": (b"[[client]]\nA = 1\nc = 0\n[run]\ngamma = [0.1]\n", "gamma in the file is 1 numbers"),
    "adaptive.toml": (b'[[client]]\nA = 1\nc = 0\n[run]\nmethod = "local-adam"\n', "method is 'local-adam'"),
    "odd.toml": (b"[[client]]\nA = 1\nc = 0\n[explore]\nround = 3\n", "explore.round is unknown"),
    "full.toml": (
        b'[[client]]\nA = [[1, 0], [0, 1]]\nc = [0, 0]\n[run]\nmethod = "preconditioned"\ngamma = 0.1\nsteps = 2\n'
        b"set = { P = [[2, 1], [1, 2]] }\n",
        "entries off the diagonal",
    ),
}


@pytest.mark.parametrize(("name", "content", "said"), [(name, *rest) for name, rest in BAD.items()], ids=BAD.keys())
def test_a_bad_file_is_answered_in_words(name: str, content: bytes, said: str) -> None:
    reply, sent = talk.answer({"kind": "open", "seq": 1, "name": name}, [content])
    assert (reply["kind"], sent) == ("problem", [])
    assert said in reply["text"]
    assert "What to do:" in reply["text"]
    assert "/tmp" not in reply["text"]


def test_a_file_name_leads_nowhere_else(tmp_path: Path) -> None:
    outside = tmp_path / "there.toml"
    reply, _ = talk.answer({"kind": "open", "seq": 1, "name": str(outside)}, [b"[[client]]\nA = 1\nc = 2\n"])
    assert reply["kind"] == "scene"
    assert reply["scene"]["loss"]["center"] == [2.0]
    assert not outside.exists()


def test_our_own_failures_reach_the_page(capsys: pytest.CaptureFixture[str]) -> None:
    reply, _ = talk.answer({"kind": "export", "seq": 3, "what": "gif", "state": {}}, [])
    assert reply == {"kind": "problem", "text": "The explorer itself failed (KeyError: 'gif').", "seq": 3}
    assert "KeyError" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("what", "begins"), [("png", b"\x89PNG"), ("pdf", b"%PDF"), ("toml", b"[[client]]"), ("python", b"import")]
)
def test_exports_are_files(what: str, begins: bytes) -> None:
    message = {"kind": "export", "seq": 1, "what": what, "state": {}}
    reply, (content,) = talk.answer(message, [])
    assert (reply["kind"], reply["what"]) == ("file", what)
    assert content.lstrip().startswith(begins)
    assert len(content) > 100


@pytest.mark.parametrize("name", ["two clients", "beyond", "minibatches", "preconditioned", "without minimizer"])
def test_a_state_can_be_drawn(name: str) -> None:
    figure = draw(various()[name])
    figure.draw_without_rendering()
    titles = [ax.get_title(loc="left") for ax in figure.axes]
    assert titles[:2] == ["Losses and resting point", "Truth against the theorems"]


@pytest.mark.parametrize("text", ["x", "AAAA", "eJw"])
def test_a_damaged_link_is_refused_in_words(text: str) -> None:
    with pytest.raises(errors.ProblemError, match="a link cut short"):
        link.from_query({"clients": text})


def test_a_link_that_swells_is_refused() -> None:
    import base64
    import zlib

    bomb = base64.urlsafe_b64encode(zlib.compress(b" " * 50_000_000)).decode()
    with pytest.raises(errors.ProblemError, match="clients in the link"):
        link.from_query({"clients": bomb})


def test_a_taken_port_is_said_before_anything_starts() -> None:
    with socket.socket() as taken:
        taken.bind((cli.HOST, 0))
        taken.listen()
        with pytest.raises(errors.ProblemError, match="a free port of this machine"):
            cli._listening(taken.getsockname()[1])


def test_without_marimo_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    import argparse
    import importlib.util

    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(errors.ProblemError, match=r"quadratic-surrogates\[explore\]"):
        cli.run(argparse.Namespace(problem=None, port=0, no_browser=True))

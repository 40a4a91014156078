"""``surrogate explore`` as people use it: the page starts, moves, says what the library says, and takes files."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

import pytest
from playwright.sync_api import Locator, Page, expect

from figures.explorer import State, files, link, scene
from tests.browser.conftest import PHONE, Record
from tests.helpers.browser.keyboard import here, lost, stops
from tests.helpers.tree import ROOT

Keep = Callable[[str], Path]
STARTS = 60_000  # milliseconds: a busy machine may take long, and no test says how long it should


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """Where a server of this module's own answers; ended with Ctrl-C, as people do."""
    command = [sys.executable, "-m", "surrogate", "explore", "--no-browser"]
    environment = os.environ | {"PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}
    server = subprocess.Popen(
        command, cwd=ROOT, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True
    )
    try:
        assert server.stdout is not None
        found = re.search(r"http://127\.0\.0\.1:\d+/\?token=[\w-]+", server.stdout.readline())
        assert found is not None
        yield found[0]
        server.send_signal(signal.SIGINT)
        said, _ = server.communicate(timeout=60)
        assert (server.returncode, said.strip()) == (0, "The explorer has ended.")
    finally:
        server.kill()
        server.communicate()


@pytest.fixture
def start(page: Page, address: str) -> Callable[..., Locator]:
    """``start("preset=plane")`` opens that link and returns the explorer, drawn."""

    def go(query: str = "") -> Locator:
        page.goto(f"{address}&{query}")
        explorer = page.locator(".explorer[data-seq]")
        explorer.wait_for(timeout=STARTS)
        return explorer

    return go


def settled(explorer: Locator) -> None:
    """Wait until the page shows the answer to what it asked last."""
    expect(explorer).not_to_have_attribute("aria-busy", "true", timeout=STARTS)


def fill(explorer: Locator, label: str, value: str) -> None:
    """Type into the control of this label, and wait for what follows."""
    field = explorer.get_by_label(label, exact=True)
    field.fill(value)
    field.press("Enter")
    settled(explorer)


def choose(explorer: Locator, label: str, value: str) -> None:
    explorer.get_by_label(label, exact=True).select_option(value)
    settled(explorer)


def numbers(explorer: Locator) -> dict[str, str]:
    """The table of numbers, as the page shows it."""
    rows: list[tuple[str, str]] = explorer.locator(".numbers tbody tr").evaluate_all(
        "rows => rows.map(row => [row.cells[0].textContent, row.cells[1].textContent])"
    )
    return dict(rows)


def says(explorer: Locator, state: State) -> None:
    """The page shows exactly the numbers of this state."""
    assert numbers(explorer) == {label: text for label, text, _ in scene(state)["table"]}


def test_it_starts_and_shows_the_librarys_numbers(
    start: Callable[..., Locator], keep: Keep, page: Page, record: Record, address: str
) -> None:
    """The fixture `page` refuses requests elsewhere; here, that it heard those that were made."""
    explorer = start()
    assert len([url for url in record.requests if url.startswith(address.partition("?")[0])]) > 5
    says(explorer, State())
    assert page.title() == "Explorer of quadratic surrogates"
    assert explorer.locator("figure svg path.line").count() > 8
    page.set_viewport_size({"width": 1280, "height": 1500})
    keep("explorer-two-clients")


def test_all_controls_move_the_numbers(start: Callable[..., Locator], page: Page, keep: Keep) -> None:
    explorer = start("preset=plane")
    fill(explorer, "client rate gamma", "0.25")
    fill(explorer, "number of local steps K", "4")
    choose(explorer, "server rate", "best")
    choose(explorer, "clients a round", "some")
    fill(explorer, "clients drawn a round", "2")
    choose(explorer, "local gradients", "mini")
    fill(explorer, "batch size", "3")
    fill(explorer, "rounds", "12")
    wanted = State.of(
        {"problem": {"preset": "plane", "spread": 0.5}, "gamma": 0.25, "steps": 4, "eta": "best", "rounds": 12}
        | {"per_round": 2, "batch": 3}
    )
    says(explorer, wanted)
    words = explorer.locator("#run .words").inner_text()
    assert f"{scene(wanted)['run']['distance2'][-1]:.4g}" in words
    assert link.from_query(dict(parse_qsl(urlsplit(page.url).query))) == wanted
    page.set_viewport_size({"width": 1280, "height": 1700})
    keep("explorer-noise")


def test_sliders_follow_the_keyboard(start: Callable[..., Locator]) -> None:
    """What the number beside a slider says is what the table was computed from; the slider keeps the focus."""
    explorer = start("preset=plane")
    before = numbers(explorer)
    for label in ("client rate gamma (log scale)", "local steps K"):
        slider = explorer.get_by_label(label, exact=True)
        slider.focus()
        for key in ("PageUp", "ArrowLeft", "ArrowLeft"):
            slider.press(key)
            settled(explorer)
        assert slider.evaluate("node => node.getRootNode().activeElement === node")
    gamma = float(explorer.get_by_label("client rate gamma", exact=True).input_value())
    steps = int(explorer.get_by_label("number of local steps K", exact=True).input_value())
    assert gamma > 0.1
    assert steps > 10
    assert numbers(explorer) != before
    says(explorer, State.of({"problem": {"preset": "plane"}, "gamma": gamma, "steps": steps}))


def test_the_slider_marks_one_over_L_and_where_a_client_turns(start: Callable[..., Locator]) -> None:
    ticks = start("preset=plane&steps=4").locator(".ticks .tick")
    assert ticks.all_inner_texts() == ["1/L", "client 0 indefinite"]
    left, right = (float(ticks.nth(k).get_attribute("data-share") or "nan") for k in (0, 1))
    assert (left, right) == pytest.approx((3 / (3 + 0.60206), 0.916), abs=0.002)  # log10 of 1 and of 2 in [1e-3, 4]


def test_methods_of_the_menu_can_be_chosen(start: Callable[..., Locator]) -> None:
    """One of each kind; tests/figures/explorer holds all of them to their numbers."""
    explorer = start("steps=3")
    for name in ("fedprox", "scaffold", "central-adam", "maml", "stem", "local-update"):
        choose(explorer, "method", name)
        assert explorer.locator(".trouble").inner_text() == ""
        says(explorer, State.of({"method": name, "steps": 3}))


def test_preconditioners_and_corrections(start: Callable[..., Locator], page: Page, keep: Keep) -> None:
    explorer = start("preset=plane")
    choose(explorer, "method", "preconditioned")
    fill(explorer, "preconditioner 2 of client 1", "3")
    P = [[1, 1], [1, 3], [1, 1]]
    says(explorer, State.of({"problem": {"preset": "plane"}, "method": "preconditioned", "P": P}))
    assert explorer.locator("#landscape .arrow").count() > 20  # no loss: the field is drawn
    page.set_viewport_size({"width": 1280, "height": 1700})
    keep("explorer-no-loss")
    choose(explorer, "correction", "local")
    says(
        explorer,
        State.of({"problem": {"preset": "plane"}, "method": "preconditioned", "P": P, "correction": "local"}),
    )


def test_clients_can_be_dragged_moved_by_keys_and_edited(start: Callable[..., Locator], page: Page) -> None:
    explorer = start("preset=plane")
    handle = explorer.locator('[data-mark="minimizer of client 1"]')
    box = handle.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(box["x"] + 40, box["y"] + 25, steps=5)
    page.mouse.up()
    settled(explorer)
    cells = [explorer.get_by_label(f"c{j} of client 1", exact=True) for j in (1, 2)]
    dragged = [float(cell.input_value()) for cell in cells]
    assert dragged[0] > -1
    assert dragged[1] < 1
    handle.focus()
    handle.press("ArrowRight")
    settled(explorer)
    assert float(cells[0].input_value()) > dragged[0]
    for cell, value in zip(("c1", "c2"), ("-2", "0.5"), strict=True):
        fill(explorer, f"{cell} of client 1", value)
    plane = State.of({"problem": {"preset": "plane"}}).problem
    moved = {"kind": "c", "A": plane.A, "v": [[1, 0], [-2, 0.5], [0, -1]]}
    says(explorer, State.of({"problem": moved}))
    explorer.get_by_role("button", name="Drop the last client").click()
    settled(explorer)
    says(explorer, State.of({"problem": {"kind": "c", "A": plane.A[:2], "v": [[1, 0], [-2, 0.5]]}}))


def test_the_start_of_the_run_can_be_moved(start: Callable[..., Locator]) -> None:
    explorer = start()
    fill(explorer, "start, coordinate 1", "4")
    words = explorer.locator("#run .words").inner_text()
    assert f"{scene(State(start=(4.0,)))['run']['distance2'][-1]:.4g}" in words


def test_an_export_round_trips_through_surrogate_toy(start: Callable[..., Locator], page: Page, tmp_path: Path) -> None:
    """Exported from the page, read by `surrogate toy`, loaded into the page again: the same resting point."""
    explorer = start("preset=plane&gamma=0.3&steps=6&method=fedprox&settings={%22mu%22:0.25}")
    before = numbers(explorer)
    with page.expect_download(timeout=STARTS) as download:
        explorer.get_by_role("button", name="TOML for surrogate toy").click()
    path = tmp_path / download.value.suggested_filename
    download.value.save_as(path)
    settled(explorer)
    assert explorer.locator("pre").inner_text().strip() == path.read_text().strip()
    done = subprocess.run(
        [sys.executable, "-m", "surrogate", "toy", str(path), "--json", "-"],
        cwd=ROOT, env=os.environ | {"PYTHONPATH": str(ROOT)}, capture_output=True, text=True, check=True,
    )  # fmt: skip
    told = json.loads(done.stdout)
    shown = [float(x) for x in before["resting point"].split(", ")]
    assert told["resting_point"] == pytest.approx(shown, rel=1e-9)
    explorer = start()
    explorer.get_by_label("load a problem file (TOML, JSON or NPZ)").set_input_files(path)
    expect(explorer.locator(".numbers")).to_contain_text(before["displacement"].split(", ")[0], timeout=STARTS)
    assert numbers(explorer) == before
    assert files.load(path).method == "fedprox"


def test_pictures_and_snippets_come_as_files(start: Callable[..., Locator], page: Page) -> None:
    explorer = start("preset=plane")
    for kind, begins in {"PNG": b"\x89PNG", "PDF": b"%PDF", "Python": b"import numpy"}.items():
        with page.expect_download(timeout=STARTS) as download:
            explorer.get_by_role("button", name=kind, exact=True).click()
        assert download.value.path().read_bytes().startswith(begins)


def test_a_link_restores_clients_of_ones_own(start: Callable[..., Locator]) -> None:
    clients = {"kind": "c", "A": [[[1, 0.5], [0.5, 2]], [[3, 0], [0, 1]]], "v": [[0, 0], [1, 2]]}
    state = State.of({"problem": clients, "gamma": 0.125, "theta": [1, 0, 2]})
    explorer = start(link.query(state))
    says(explorer, state)
    told = explorer.get_by_label("link that restores this state").input_value()
    assert link.from_query(dict(parse_qsl(urlsplit(told).query))) == state


def test_bad_files_links_and_values_show_a_message(start: Callable[..., Locator], page: Page, keep: Keep) -> None:
    explorer = start("gamma=-3")
    trouble = explorer.locator(".trouble")
    expect(trouble).to_contain_text("gamma is -3, expected a client rate > 0")
    chosen = explorer.get_by_label("load a problem file (TOML, JSON or NPZ)")
    chosen.set_input_files({"name": "mine.toml", "mimeType": "text/plain", "buffer": b"[[client]]\nA = [[1, 0]\n"})
    expect(trouble).to_contain_text("mine.toml: the file is not readable as TOML", timeout=STARTS)
    expect(trouble).to_contain_text("What to do:")
    before = numbers(explorer)
    page.set_viewport_size({"width": 1280, "height": 900})
    keep("explorer-bad-file")
    fill(explorer, "A of client 0", "-5")
    expect(trouble).to_contain_text("indefinite", timeout=STARTS)
    assert numbers(explorer) == before  # the last good state stays
    fill(explorer, "client rate gamma", "0.2")
    expect(trouble).to_have_text("")
    says(explorer, State(gamma=0.2))


def test_it_fits_a_phone_and_a_dark_room(start: Callable[..., Locator], page: Page, keep: Keep) -> None:
    page.set_viewport_size(PHONE)
    page.emulate_media(color_scheme="dark")
    explorer = start("preset=plane")
    wide = page.evaluate("document.documentElement.scrollWidth")
    assert wide <= PHONE["width"]
    beyond = explorer.evaluate(
        """node => [...node.querySelectorAll('*')].filter(part => !part.closest('.scroll, .unseen, svg'))
           .filter(part => part.getBoundingClientRect().right > innerWidth + 1).map(part => part.outerHTML)"""
    )
    assert beyond == []
    page.set_viewport_size(PHONE | {"height": 3900})
    keep("explorer-phone-dark")


CONTRAST = """root => {
  const light = (rgb) => {
    const [r, g, b] = rgb.map(v => v / 255).map(v => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const parts = (text) => text.match(/[\\d.]+/g).map(Number);
  const back = (node) => {
    for (let n = node; n; n = n.parentElement) {
      const colour = parts(getComputedStyle(n).backgroundColor);
      if (colour.length < 4 || colour[3] > 0) return colour.slice(0, 3);
    }
    throw new Error('no background');
  };
  const found = [];
  for (const node of root.querySelectorAll('*')) {
    const words = [...node.childNodes].filter(n => n.nodeType === 3).map(n => n.textContent.trim()).join('');
    if (!words) continue;
    const style = getComputedStyle(node), ink = node.closest('svg') ? style.fill : style.color;
    const [a, b] = [light(parts(ink).slice(0, 3)), light(back(node))].sort((x, y) => y - x);
    if ((a + 0.05) / (b + 0.05) < 4.5) found.push([words.slice(0, 40), ink, back(node).join()]);
  }
  return found;
}"""


def test_words_stand_out_from_their_ground(start: Callable[..., Locator], page: Page) -> None:
    explorer = start("preset=plane&steps=4&gamma=1.5")
    assert explorer.evaluate(CONTRAST) == []
    page.emulate_media(color_scheme="dark")
    assert explorer.evaluate(CONTRAST) == []


def test_everything_has_a_name_for_those_who_hear_the_page(start: Callable[..., Locator]) -> None:
    explorer = start("preset=plane&per_round=1")
    nameless = explorer.evaluate(
        """root => [...root.querySelectorAll('input, select, button, [tabindex]')].filter(node =>
           !node.getAttribute('aria-label') && !node.textContent.trim() && !node.labels?.length)
           .map(node => node.outerHTML)"""
    )
    assert nameless == []
    pictures = explorer.locator("svg[role=img]").evaluate_all(
        """nodes => nodes.map(node => node.getAttribute('aria-labelledby').split(' ')
           .map(id => node.getRootNode().getElementById(id).textContent).join(': '))"""
    )
    assert len(pictures) == 4
    assert all(re.match(r"^[A-Z].{10,}: .{30,}", text) for text in pictures)


CONTROLS = """root => [...root.querySelectorAll('input, select, button, [tabindex]')]
    .filter(node => !node.disabled && node.tabIndex >= 0 && node.checkVisibility())
    .map(node => (node.getAttribute('aria-label') || node.textContent).trim().slice(0, 60))"""

# Controls that come neither below the one before, nor to the right of it in its row; marks are where their clients are.
AGAINST_READING = """root => [...root.querySelectorAll('form, main')].flatMap(part => {
  const nodes = [...part.querySelectorAll('input, select, button, pre')].filter(node => node.checkVisibility());
  const boxes = nodes.map(node => node.getBoundingClientRect());
  const back = (now, before) => now.top < before.bottom - 3 && now.left < before.right - 3;
  return nodes.filter((_, k) => k && back(boxes[k], boxes[k - 1])).map(node => node.getAttribute('aria-label'));
})"""
NOISY = {"problem": {"preset": "plane", "spread": 0.5}, "theta": [1, 0.5], "eta": 0.5, "per_round": 2, "batch": 1}


@pytest.mark.parametrize("width", [1280, PHONE["width"]])
@pytest.mark.parametrize("query", ["preset=plane&method=preconditioned", link.query(State.of(NOISY))])
def test_every_control_is_a_stop_of_the_keyboard(
    query: str, width: int, start: Callable[..., Locator], still: Page
) -> None:
    """From the first to the last as one reads them, each in sight and marked, then out of the page; and back again."""
    still.set_viewport_size({"width": width, "height": 844})
    explorer = start(query)
    assert explorer.locator(".trouble").inner_text() == ""
    wanted = explorer.evaluate(CONTROLS)
    assert len(wanted) > 20
    assert explorer.evaluate(AGAINST_READING) == []
    for names, key, most in ((wanted, "Tab", len(wanted) + 5), (wanted[::-1], "Shift+Tab", len(wanted))):
        found = stops(still, most, key)
        assert [stop.name for stop in found] == names
        assert lost(found) == []


def test_the_keyboard_stays_where_it_is_when_controls_change(start: Callable[..., Locator], page: Page) -> None:
    """Buttons that are filled anew keep the focus; one that has no more to do gives it to the one beside it."""
    explorer = start("preset=plane")

    def press(key: str) -> str:
        page.keyboard.press(key)
        settled(explorer)
        stop = here(page)
        return "" if stop is None else stop.name

    explorer.get_by_label("weight of client 2", exact=True).fill("0.5")
    assert press("Tab") == "Add a client"
    assert press("Enter") == "Add a client"
    assert explorer.get_by_label("weight of client 3", exact=True).count() == 1
    assert press("Tab") == "Drop the last client"
    assert [press("Enter") for _ in range(3)] == ["Drop the last client", "Drop the last client", "Add a client"]
    assert explorer.get_by_label("weight of client 1", exact=True).count() == 0

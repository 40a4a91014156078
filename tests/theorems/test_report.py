"""The report: whole pages, links that lead somewhere, mathematics as MathML, nothing loaded from elsewhere."""

from __future__ import annotations

import html
import re
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

from surrogate.kit.errors import ProblemError
from theorems import records
from theorems.judging import judge_statement
from theorems.report import build
from theorems.report.bundle import bundle, write_bundle
from theorems.report.counts import counts, maps, sentences
from theorems.report.errata import latex, markdown
from theorems.report.overview import overview
from theorems.report.statement import statement_page
from theorems.template import STATEMENT

VOID = {"meta", "br", "img", "hr", "link"}


class Page(HTMLParser):
    """Collects links and checks that tags nest."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.links: list[str] = []
        self.tags: set[str] = set()

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.links += [value for name, value in attrs if name in ("href", "src")]
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def parsed(file: Path) -> Page:
    page = Page()
    page.feed(file.read_text(encoding="utf-8"))
    assert not page.open
    return page


@pytest.fixture(scope="module")
def site(tmp_path_factory) -> Path:
    out = tmp_path_factory.mktemp("report")
    build(out)
    return out


def test_every_recorded_statement_has_a_page_that_is_linked(site):
    linked = parsed(site / "index.html").links
    for record in records.read_all():
        assert f"statements/{record['id']}.html" in linked
        assert html.escape(record["says"]) in (site / f"statements/{record['id']}.html").read_text(encoding="utf-8")


def test_links_lead_to_files_of_the_site_and_nothing_is_loaded_from_elsewhere(site):
    for file in site.rglob("*.html"):
        for link in parsed(file).links:
            target, _, fragment = link.partition("#")
            assert not re.match(r"[a-z]+:", link), link
            found = (file.parent / target).resolve() if target else file
            assert found.is_file(), f"{file.name} links to {link}"
            assert not fragment or f'id="{fragment}"' in found.read_text(encoding="utf-8")
        assert "<script" not in file.read_text(encoding="utf-8")


def test_formulas_become_mathml(site):
    """No page shows LaTeX source where a formula should stand."""
    for file in (site / "statements").glob("*.html"):
        text = file.read_text(encoding="utf-8")
        assert '<div class="formula"><code>' not in text, f"{file.name} shows LaTeX source"


def test_a_page_shows_both_sides_the_correction_and_the_instance():
    page = statement_page(judge_statement(STATEMENT, 2000))
    for words in (
        "Counterexample",
        "left &lt;= right fails [bound]",
        "is false",
        "What holds in its place",
        "A_1",
        "<math",
    ):
        assert words in page


def test_errata_name_what_fails_and_what_replaces_it():
    record = judge_statement(STATEMENT, 2000)
    text = markdown("My paper", [record])
    assert (
        "1 fail as printed" in text
        and "The printed one fails at " in text
        and "What holds in its place: at most L/mu" in text
    )
    source = latex("My paper", [record])
    assert source.count(r"\begin{") == source.count(r"\end{")
    ours = {**record, "location": "not in the paper: about it"}
    assert "Of 1 of the paper's statements" in markdown("My paper", [record, ours])
    assert r"\frac{L}{\mu}" in source and "gamma\\_" not in source.split(r"\[")[1].split(r"\]")[0]


def test_the_overview_tells_proofs_from_proofs_for_a_family_and_from_search(site):
    kinds = [record["evidence"] for record in records.read_all()]
    page = (site / "index.html").read_text(encoding="utf-8")
    for kind, words in (
        ("refuted", "by an exact counterexample"),
        ("argued", "by an argument in words"),
        ("family", "for a family that"),
        ("searched", "by search alone"),
    ):
        assert (f"{kinds.count(kind)} {words}" in page) is (kind in kinds)


def test_what_was_only_searched_is_not_called_decided():
    one = records.read("OLR.T16")
    page = overview([{**one, "evidence": "searched"}, {**one, "evidence": "argued"}, {**one, "evidence": ""}])
    assert (
        "1 by an argument in words, whose scalar steps a solver decided, 1 by search alone" in page
        and "Decided" not in page
    )


def test_the_report_ends_with_counts_of_what_is_recorded(site):
    """Each number follows its record: another evidence word, a certificate or a place taken away changes it."""
    found, mapped = records.read_all(), maps()
    before = counts(found, mapped)
    page = (site / "index.html").read_text(encoding="utf-8")
    for line in sentences(before)[:2] + sentences(before)[4:]:
        assert html.escape(line) in page
    assert before.statements == Counter(record["evidence"] or record["verdict"] for record in found)
    assert sum(map(sum, before.places.values())) == sum(len(each.places) for each in mapped.values())
    refuted = next(k for k, record in enumerate(found) if record["evidence"] == "refuted" and record["certificate"])
    planted = [*found]
    planted[refuted] = {**found[refuted], "evidence": "searched", "certificate": None, "bridges": ["a new bridge"]}
    after = counts(planted, {**mapped, "outsized": replace(mapped["outsized"], places=mapped["outsized"].places[1:])})
    assert after.statements["refuted"] == before.statements["refuted"] - 1
    assert after.refutations == before.refutations - 1
    assert len(after.bridges) == len(before.bridges) + 1
    assert after.places["outsized"] == (before.places["outsized"][0] - 1, before.places["outsized"][1])


def test_each_map_has_a_page_with_every_place_and_the_verdicts_of_its_statements(site):
    for folder, found in maps().items():
        page = (site / f"coverage/{folder}.html").read_text(encoding="utf-8")
        for place in found.places:
            assert html.escape(place.at) in page
            assert html.escape(place.says) in page
            assert html.escape(place.reason) in page
            assert all(f'href="../statements/{name}.html"' in page for name in place.ids)
        assert f"coverage/{folder}.html" in parsed(site / "index.html").links


def run(file: Path) -> subprocess.CompletedProcess[str]:
    """The bundle in a bare Python: no packages, no paths of ours."""
    command = [sys.executable, "-I", "-S", str(file)]
    return subprocess.run(command, cwd=file.parent, capture_output=True, text=True, timeout=60)


def test_a_bundle_is_rechecked_by_a_bare_python_and_notices_what_was_altered(tmp_path):
    file = write_bundle(records.read("OLR.C22"), tmp_path)
    answer = run(file)
    assert (answer.returncode, answer.stdout.splitlines()[-1]) == (0, "0 dead"), answer.stderr
    assert "counterexample printed: re-checked" in answer.stdout
    assert answer.stdout.count("leaf ") == len(records.leaves([records.read("OLR.C22")]))
    text = file.read_text(encoding="utf-8")
    altered = re.sub(r'"relation": "<="', '"relation": ">="', text)
    assert altered != text
    file.write_text(altered, encoding="utf-8")
    answer = run(file)
    assert answer.returncode == 1
    assert "DEAD" in answer.stdout


def test_a_statement_without_certificates_has_no_bundle():
    with pytest.raises(ProblemError, match="argued"):
        bundle({**records.read("OLR.C22"), "certificate": None, "steps": [], "correction": None})


def test_pages_say_what_a_statement_rests_on_and_how_to_contest_it(site):
    page = (site / "statements/OLR.C22.html").read_text(encoding="utf-8")
    for words in (
        "rests on",
        "OLR.T21b",
        "How to contest this",
        "surrogate report --bundle OLR.C22",
        "domain = hypoth",
    ):
        assert words in page
    assert "<svg" in (site / "graph/outsized.html").read_text(encoding="utf-8")


def test_a_derivation_is_shown_line_by_line_with_references(site):
    page = (site / "statements/OLR.T17.html").read_text(encoding="utf-8")
    for words in ("The derivation:", "monotone powers", "Hardy, Littlewood", "phi_mu &gt; 0"):
        assert words in page

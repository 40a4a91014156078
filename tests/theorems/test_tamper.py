"""Whatever is altered in what is recorded is noticed: by ``verify``, or by ``check`` where hashes were forged.

One in a hundred of the alterations of single fields is looked at, of each kind at least one; all of them with
``HYPOTHESIS_PROFILE=thorough``.
"""

from __future__ import annotations

import json
import os
import shutil
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from surrogate.cli.main import main
from tests.helpers.theorems.alterations import alterations, changed, kind
from theorems import agreement, integrity, leaf_store, records, registry
from theorems.cli import check
from theorems.engines.tightness import replayed
from theorems.record import fails_in_proof
from theorems.schema import unlike_a_record

ONE_IN = 1 if os.environ.get("HYPOTHESIS_PROFILE") == "thorough" else 100
STATEMENTS = registry.all_statements()
RECORDS = {record["id"]: record for record in records.read_all()}


def noticed(altered: dict, honest: dict | None = None) -> bool:
    """By ``verify``, whose manifest lists the altered bytes; or by ``check``, whose judgement is the honest record."""
    honest = honest or RECORDS[altered["id"]]
    unlike = next(unlike_a_record(altered), None)
    return bool(unlike or next(integrity.unbacked(altered), None) or differ(altered, honest))


def differ(altered: dict, honest: dict) -> bool:
    return next(agreement.differences(altered, honest, STATEMENTS[honest["id"]]), None) is not None


def test_no_honest_record_is_complained_about() -> None:
    assert not [name for name, record in RECORDS.items() if noticed(record)]


def test_every_altered_field_is_noticed(capsys) -> None:
    """Fields altered, left out, exchanged, added; single numbers of programs, nodes, hypotheses."""
    seen: Counter[Any] = Counter()
    looked_at, missed = 0, []
    for name, record in RECORDS.items():
        for path, value, new in alterations(record):
            what = kind(path, value, new)
            seen[what] += 1
            if seen[what] % ONE_IN == 1 % ONE_IN:
                looked_at += 1
                if not noticed(changed(record, path, new), record):
                    missed.append(f"{name}: {'.'.join(map(str, path))}: {value!r:.60} to {new!r:.60}")
    with capsys.disabled():
        print(f"\naltered fields noticed: {looked_at - len(missed)} of {looked_at}, of {len(seen)} kinds")
    assert len(seen) > 500 and not missed, missed


def false_ones() -> list[dict]:
    return [record for record in RECORDS.values() if record["verdict"] == "false"]


def test_an_exchanged_part_is_noticed() -> None:
    """Each part is another statement's; each record is another's but for its id."""
    order = list(RECORDS.values())
    parts = ("certificate", "counterexample", "correction", "steps", "needs")
    for record, other in zip(order, order[1:] + order[:1], strict=True):
        assert noticed({**other, "id": record["id"]})
        for part in parts:
            if record[part] != other[part]:
                assert noticed({**record, part: other[part]}), (record["id"], part)


def test_a_counterexample_exchanged_with_its_certificate_is_noticed() -> None:
    """The certificate is filed under the statement's own id, hash of its claim and point, and it holds."""
    false = false_ones()
    for record, other in zip(false, false[1:] + false[:1], strict=True):
        named = {"id": record["id"], "expression": record["expression"]}
        both = {"counterexample": other["counterexample"], "certificate": {**other["certificate"], **named}}
        assert next(integrity.unbacked({**record, **both}), None) is None
        assert differ({**record, **both}, record), record["id"]


def test_a_proved_statement_recorded_as_false_is_noticed() -> None:
    """With a certificate of "1 <= 0" that is sound, carries every hash, and belongs to its counterexample."""
    program = {"program": [["const", "1"], ["const", "0"]], "hypotheses": []}
    for record in (record for record in RECORDS.values() if record["verdict"] == "holds"):
        sides = {"label": "", "relation": "<=", "instance": {}, "sides": {"lhs": "1", "rhs": "0"}}
        point = {"u": (record["tightness"] or {"u": []})["u"], "discrete": {}}
        found = {**sides, **point}
        signed = {"id": record["id"], "claim_checked": "printed", "expression": record["expression"]}
        certificate = {**signed, "point": records.digest(found), "claim": {"relation": "<=", "lhs": 0, "rhs": 1}}
        forged = {"verdict": "false", "evidence": "refuted", "severity": "typo", "counterexample": found}
        forged = {**record, **forged, "certificate": {**certificate, **program}}
        if not record["steps"] and not record["correction"]:
            assert next(integrity.unbacked(forged), None) is None
        assert differ(forged, record), record["id"]


def test_a_refuted_statement_recorded_as_holding_is_noticed() -> None:
    for record in false_ones():
        cleared = {"counterexample": None, "certificate": None, "correction": None, "severity": ""}
        forged = {**record, **cleared, "verdict": "holds", "evidence": "searched", "decided_by": "no violation found"}
        assert next(integrity.unbacked(forged), None) is None
        assert differ(forged, record), record["id"]


def test_a_step_recorded_as_holding_is_noticed() -> None:
    for record in RECORDS.values():
        for k, step in enumerate(record["steps"]):
            if step["verdict"] == "false":
                well = {**step, "verdict": "holds", "evidence": "argued", "counterexample": None, "certificate": None}
                steps = [*record["steps"][:k], well, *record["steps"][k + 1 :]]
                broken = next((each["name"] for each in steps if fails_in_proof(each)), None)
                assert differ({**record, "steps": steps, "proof_broken": broken}, record), record["id"]


def test_a_tightness_that_is_not_the_largest_is_noticed() -> None:
    """The middle of the domain, with the ratio that is there."""
    moved = 0
    for record in RECORDS.values():
        found, statement = record["tightness"], STATEMENTS[record["id"]]
        domain = statement.where(statement.printed) if found else None
        there = replayed(domain, statement.printed, {**found, "u": ["0.5"] * len(found["u"])}) if found else []
        if there and there[0]["ratio"] < found["ratio"] - agreement.LOOSE:
            moved += 1
            assert differ({**record, "tightness": there[0]}, record), record["id"]
    assert moved > 30


@pytest.fixture
def copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Records, table and manifest in a folder of their own."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    shutil.copytree(records.RECORDS, tmp_path / "records")
    shutil.copy(records.TABLE, tmp_path)
    for name, path in (("HERE", ""), ("RECORDS", "records"), ("MANIFEST", "records/manifest.json")):
        monkeypatch.setattr(records, name, tmp_path / path)
    monkeypatch.setattr(records, "TABLE", tmp_path / "verdicts.json")
    monkeypatch.setattr(leaf_store, "FILE", tmp_path / "records" / leaf_store.FILE.name)
    return tmp_path


HONEST = set(integrity.troubles(registry.ids()))


def troubles() -> str:
    """What ``verify`` says of the copy alone."""
    found = integrity.troubles(registry.ids())
    return "\n".join(f"{name}: {text}" for name, text in found if (name, text) not in HONEST)


def test_what_is_recorded_has_no_troubles() -> None:
    assert not HONEST


def edited(file: Path, old: str, new: str) -> None:
    text = file.read_text(encoding="utf-8")
    assert text.count(old) >= 1
    file.write_text(text.replace(old, new, 1), encoding="utf-8")


def test_files_deleted_added_moved_or_edited_are_noticed(copy: Path) -> None:
    file = records.path("OLR.C22")
    honest = file.read_bytes()
    for old, new in (('"false"', '"holds"'), ('"id"', '"says":"", "id"'), ("{", "{ ")):
        edited(file, old, new)
        assert "OLR.C22: " in troubles(), new
        file.write_bytes(honest)
    for text in ("[]", '{"id":"OLR.C22"}', '{"id":["OLR.C22"]}'):
        file.write_text(text, encoding="utf-8")
        assert "c22" in troubles().lower(), text
    file.write_bytes(honest)
    assert not troubles()
    file.rename(file.with_name("c99.json"))
    assert "OLR.C22: no record" in troubles() and "outsized/c99.json: a foreign record" in troubles()
    assert main(["verify"]) == 1
    file.with_name("c99.json").rename(file)
    foreign = {**RECORDS["OLR.C22"], "id": "OLR.C99"}
    records.write(foreign)
    assert "outsized/c99.json: a foreign record" in troubles()
    records.write_table()
    assert "outsized/c99.json: a foreign record" in troubles()


@pytest.mark.parametrize("name", ["verdicts.json", "records/manifest.json"])
def test_an_edited_table_or_manifest_is_noticed(copy: Path, name: str) -> None:
    file, against = copy / name, integrity._against_manifest if "manifest" in name else integrity._against_table
    honest = file.read_text(encoding="utf-8")
    rows = json.loads(honest)
    keys = list(range(len(rows)) if isinstance(rows, list) else rows)[::120]
    edits = [changed(rows, (key, field), f"{value}x") for key in keys for field, value in rows[key].items()]
    for key in keys:
        edits += [changed(rows, (key,), {**rows[key], "unknown": ""}), changed(rows, (key,), {})]
        edits += [[r for r in rows if r is not rows[key]] if isinstance(rows, list) else {**rows, "OLR.C99": {}}]
    edits += [[], {}, None, [1], [*rows][::-1], [*rows, *rows][: len(rows) + 1]]
    texts = [json.dumps(edit, indent=1) for edit in edits]
    for text in [*texts, "", honest[:-1], honest.replace('"id"', '"id":"", "id"'), honest.replace("sha", "h", 1)]:
        if text != honest:
            file.write_text(text, encoding="utf-8")
            assert next(against(RECORDS, ()), None), text[:500]
    file.unlink()
    assert next(against(RECORDS, ()), None)


def test_a_forged_manifest_leaves_it_to_check(copy: Path, capsys) -> None:
    """``verify`` finds nothing where words were altered and all hashes made anew; ``check`` judges again."""
    record = RECORDS["OLR.L5"]
    for field in ("says", "domain"):
        records.write({**record, field: f"{record[field]} for all K"})
        records.write_table()
        assert not troubles()
        assert main(["check", "OLR.L5", "--processes", "1"]) == 1
        assert f"CONTRADICTION: {field}: recorded" in capsys.readouterr().out


def test_a_record_made_of_fewer_or_more_instances_is_noticed(copy: Path) -> None:
    """``check`` asks for as many as are recorded: the number seen tells."""
    for asked in (100, 20_000):
        records.write({**RECORDS["OLR.L5"], "asked": asked})
        assert "examples: recorded" in check.judge_one("OLR.L5", None, fresh=False, record=False)[2]


def test_check_notices_that_a_record_is_gone(copy: Path) -> None:
    assert not check.judge_one("OLR.L5", 1000, fresh=False, record=False)[2]
    records.path("OLR.L5").unlink()
    assert "no record" in check.judge_one("OLR.L5", 1000, fresh=False, record=False)[2]

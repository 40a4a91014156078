"""theorems/verdicts.schema.json: what the typed dictionaries say, what verdicts.json keeps to, what faults do not."""

from __future__ import annotations

import json
from typing import get_args

import pytest
from jsonschema import Draft202012Validator

from tests.helpers.theorems.alterations import changed
from theorems import integrity, records, schema
from theorems.statement import Kind, Relation

SCHEMA = json.loads(schema.FILE.read_text(encoding="utf-8"))
ROWS = json.loads(records.TABLE.read_text(encoding="utf-8"))
NAMES = [row["id"] for row in ROWS]
VALID = Draft202012Validator(SCHEMA)
FAULTS = {
    "a word that is none": (("verdict",), "true"),
    "a severity in other words": (("severity",), "serious"),
    "evidence from elsewhere": (("evidence",), "believed"),
    "a number as text": (("examples",), "10000"),
    "fewer than none": (("examples",), -1),
    "a tightness without a label": (("tightness",), {"ratio": 1.0, "status": "", "at": {}}),
    "a counterexample of words": (("counterexample",), "x = 1"),
    "a relation that is none": (("counterexample", "relation"), "=<"),
    "sides as numbers": (("counterexample", "sides", "lhs"), 1),
    "an instance of numbers": (("counterexample", "instance", "K"), 60),
    "a correction without evidence": (("correction", "evidence"), None),
    "a step with a field of its own": (("steps", 0, "unknown"), ""),
    "a step without a name": (("steps", 0), {}),
    "a need in no words": (("needs", 0, "without"), 0),
    "bridges as text": (("bridges",), "Jensen"),
    "a certificate in the row": (("certificate",), {"program": []}),
    "a broken proof as a flag": (("proof_broken",), True),
    "a field of its own": (("unknown",), ""),
}


def test_the_schema_is_what_the_typed_dictionaries_say() -> None:
    Draft202012Validator.check_schema(SCHEMA)
    assert SCHEMA == schema.of_table(), "surrogate check ID --record writes it anew"
    assert set(SCHEMA["$defs"]["Record"]["properties"]) == set(records.COLUMNS)


def test_the_table_keeps_to_it() -> None:
    assert not [f"{error.json_path}: {error.message}" for error in VALID.iter_errors(ROWS)]


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_does_not(fault: str) -> None:
    path, value = FAULTS[fault]
    whole = ROWS[NAMES.index("OLR.C22")]
    for validates in (VALID.is_valid, lambda rows: not list(schema.misfits(rows, SCHEMA, SCHEMA["$defs"]))):
        assert validates([whole])
        assert not validates([changed(whole, path, value)])
        assert not validates(whole)


@pytest.mark.parametrize("field", records.COLUMNS)
def test_a_row_that_lacks_a_field_does_not(field: str) -> None:
    row = {key: value for key, value in ROWS[0].items() if key != field}
    assert not VALID.is_valid([row]) and list(schema.misfits([row], SCHEMA, SCHEMA["$defs"]))


def test_its_words_are_those_of_statements_and_of_the_judge() -> None:
    assert tuple(schema.VOCABULARY["kind"]) == get_args(Kind)
    assert tuple(schema.VOCABULARY["relation"]) == get_args(Relation)
    assert [*integrity.EVIDENCE] == schema.VOCABULARY["verdict"]
    assert {word for words in integrity.EVIDENCE.values() for word in words} == {*schema.VOCABULARY["evidence"]}

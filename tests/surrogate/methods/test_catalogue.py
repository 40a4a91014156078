"""A method is found by its name, and loaded when it is asked for."""

from __future__ import annotations

from pathlib import Path

from surrogate import dictionary, methods
from surrogate.dictionary import entries
from surrogate.methods import catalogue, registry
from tests.helpers.tree import fresh


def test_the_catalogue_lists_what_the_files_register() -> None:
    """Each method and alias is registered by the file in which the catalogue looks for it, and by no other."""
    stem = {name: methods.describe(name) and registry._ENTRIES[name].factory.__module__ for name in catalogue.FILES}
    assert stem == {name: f"surrogate.methods.{file}" for name, file in catalogue.FILES.items()}
    files = {path.stem for path in Path(methods.__file__).parent.glob("*.py") if "register(" in path.read_text()}
    assert files == {*catalogue.FILES.values(), "registry"}
    assert set(registry._ENTRIES) == set(catalogue.FILES)
    assert {alias: name for alias, (name, _) in registry._ALIASES.items()} == catalogue.ALIASES


def test_a_method_is_loaded_when_it_is_asked_for() -> None:
    code = (
        "import sys; from surrogate import methods, dictionary; methods.names(); methods.aliases()\n"
        "methods.build('fednova', gamma=0.1, steps=2); dictionary.entry('fednova')\n"
        "print(*[name for name in sys.modules if name.startswith('surrogate.')])"
    )
    loaded = fresh("-c", code).stdout.split()
    files = {f"surrogate.methods.{file}" for file in catalogue.FILES.values()}
    assert files & set(loaded) == {"surrogate.methods.fednova"}
    assert "surrogate.dictionary.control" in loaded and "surrogate.dictionary.momentum" not in loaded


def test_the_dictionary_lists_what_its_files_enter() -> None:
    for name in dictionary.methods():
        assert dictionary.entry(name).distortions.__module__.startswith("surrogate.dictionary.")
    assert set(entries.TABLE) == set(dictionary.methods())

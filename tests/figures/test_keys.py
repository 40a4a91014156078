"""A table's key changes with what it depends on, and with nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from figures import keys, registry
from figures.keys import dependencies, key
from surrogate.kit import sources
from tests.figures.conftest import Fakes


@pytest.fixture
def before(fakes: Fakes) -> str:
    fakes.write()
    return key(fakes.entry(), "smoke")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("ax.plot(", "ax.scatter("),  # the drawing
        ("rise > 100", "rise > 200"),  # a check
        ("x = np.arange(4.0)", "x = np.arange(4.0)  # four points"),  # a comment
        ('"""What is drawn."""', '"""Four points."""'),
        ("results: Any = ()", "results: tuple[Any, ...] = ()"),
        ("import numpy as np", "import numpy as np\nfrom surrogate.toys import plane as Any"),  # an annotation's
        ("A straight line", "A line"),  # the picture in words
    ],
)
def test_what_the_table_does_not_use_leaves_the_key(fakes: Fakes, before: str, old: str, new: str) -> None:
    fakes.change(old, new)
    assert key(fakes.entry(), "smoke") == before


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("np.arange(4.0)", "np.arange(5.0)"),
        ("SLOPE = 1.0", "SLOPE = 2.0"),  # a setting
        ("import numpy as np", "import numpy as np\nfrom surrogate import toys as np"),  # what a name means
        ('"T.F1"', '"T.F2"'),
    ],
)
def test_what_the_table_uses_changes_the_key(fakes: Fakes, before: str, old: str, new: str) -> None:
    fakes.change(old, new)
    assert key(fakes.entry(), "smoke") != before


def test_scales_share_a_table_where_it_is_exact(fakes: Fakes, before: str) -> None:
    assert key(fakes.entry(), "paper") == before
    fakes.change("runs=no_runs", "runs=runs")
    assert len({key(fakes.entry(), scale) for scale in registry.SCALES}) == 3


def test_modules_of_ours_count_and_lazy_names_are_followed_home() -> None:
    found = dependencies(registry.find(["OLR.F1"])[0])
    wanted = ["local_update", "theta", "toys", "quadratics", "moments/trajectory", "moments/round_law", "filters"]
    assert {f"surrogate/{name}.py" for name in wanted} <= set(found)
    assert not [name for name in found if name.startswith(("figures/", "surrogate/cli/", "surrogate/simulate"))]


def test_a_package_counts_whole(fakes: Fakes) -> None:
    fakes.write()
    fakes.change("x = np.arange(4.0)", "from surrogate import methods\n    x = np.arange(4.0)")
    package = Path(sources.TREE, "surrogate", "methods")
    assert {path.relative_to(sources.TREE).as_posix() for path in package.rglob("*.py")} <= set(
        dependencies(fakes.entry())
    )


def test_an_edited_module_changes_the_key(fakes: Fakes, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    library = tmp_path / "tree"
    (library / "surrogate").mkdir(parents=True)
    (library / "surrogate" / "__init__.py").write_text("")
    (library / "surrogate" / "inner.py").write_text("ONE = 1\n")
    (library / "surrogate" / "outer.py").write_text(
        "def two():\n    from surrogate.inner import ONE\n    return 2 * ONE\n"
    )
    monkeypatch.setattr(sources, "TREE", library)
    fakes.write()
    fakes.change("x = np.arange(4.0)", "from surrogate import outer\n    x = np.arange(2.0 * outer.two())")
    assert dependencies(fakes.entry()) == ["surrogate/inner.py", "surrogate/outer.py"]
    before = key(fakes.entry(), "smoke")
    (library / "surrogate" / "inner.py").write_text("ONE = 1.5\n")
    assert key(fakes.entry(), "smoke") != before


def test_what_only_type_checkers_import_does_not_count(fakes: Fakes) -> None:
    fakes.write()
    old = "x = np.arange(4.0)"
    fakes.change(old, "if TYPE_CHECKING:\n        from surrogate import sweep\n    x = np.arange(4.0)")
    assert dependencies(fakes.entry()) == []


def test_data_that_the_table_reads_changes_the_key(
    fakes: Fakes, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(sources, "TREE", tmp_path)
    (tmp_path / "verdicts.json").write_text("[]")
    fakes.write()
    fakes.change("SLOPE = ", 'READS = ("verdicts.json",)\nSLOPE = ')
    before = key(fakes.entry(), "smoke")
    (tmp_path / "verdicts.json").write_text("[1]")
    assert key(fakes.entry(), "smoke") != before


def test_what_partials_have_fixed_reads_the_same_in_every_process() -> None:
    for figure in registry.discover():
        for names in (("table", "then"), ("draw", "sheet", "findings")):
            assert " at 0x" not in repr(keys._code(figure, *names)[1]), figure.id

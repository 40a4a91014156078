"""One file a figure or table of the papers, one folder a paper: runs or numbers, the table, the drawing, the findings.

A file ``figures/<paper>/figure_1.py`` (or ``table_1.py``) is found by itself. It holds plain constants, which are read
without running it, and functions:

    ID, TITLE, ALT   "OLR.F2"; up to 90 letters; the picture in words, 80 to 800 letters
    CLAIMS           what the paper concludes, by short name
    EXACT            True: the same table at every scale, nothing is trained
    FLAGSHIP         True: trained before others, and at paper scale without being named (default False)
    STATEMENTS       ids of the statements concerned, ("OLR.C13",) (default none)
    READS            data files that the table depends on, ("theorems/verdicts.json",) (default none)

    table(scale)                columns of an exact figure
    runs(scale)                 of a trained one: flat keys of `neural.runs.config.Config.of`, a dict a run
    then(scale, results)        optional: further runs, picked when the first have ended (other seeds of the best rate)
    table(scale, results)       columns; results: a `figures.training.Trained` a run, in the order of ``runs``
    draw(rows)                  a matplotlib figure
    sheet(rows)                 of a table, in place of draw: a `figures.tables.Sheet`, ours beside the printed numbers
    findings(rows)              one `Finding` a claim, in order: `judge`, or `vote` where each seed has its say

Figures that differ in a few words take their functions from the paper's own modules, as a tuple; what ``table`` comes
from is best a call of its own, for a table is computed again when the statement or module that gives it changes
(``figures/fedda/figure_1.py``):

    runs, then, table = tuning.methods(settings.CIFAR)
    findings, draw = convergence.frame(settings.CIFAR, "value", CLAIMS)

A template, to be copied from ``figures/outsized/figure_2.py`` with its ``settings.py``:

    EXACT, FLAGSHIP = False, True            # written as two assignments

    def runs(scale):
        return settings.fixed(settings.IMAGES_AND_PLAYS, scale)

    def table(scale, results):               # a row a run and measured round
        return series.long(results, ("task", "gamma", "seed"), ("loss",))

    def findings(rows):
        low, high = (series.curve(rows, "loss", gamma=gamma) for gamma in (0.001, 0.1))
        margins = [b - a for a, b in zip(low.ends, high.ends)]          # one a seed
        return [vote(CLAIMS["lower"], "with each seed ...", margins, {"0.001": low.end, "0.1": high.end})]

    def draw(rows):                          # imports matplotlib inside
        curves.line(ax, series.curve(rows, "loss", gamma=0.1), looks[0.1], "gamma = 0.1", window=3)
        style.sourced(figure, rows, "Which settings are the paper's, which ours.")

- Runs are shared: two figures that list the same configuration train it once, so build it by one function of the
  paper's ``settings.py`` (grids, rounds and task options per scale; the published numbers exactly at ``paper``; three
  seeds at ``laptop``), which imports neither torch nor neural. ``scale`` is added to the keys; a run has one thread.
- Cost: ``surrogate figures ID --dry-run`` (``--verbose``: run by run). Measure with ``eval_every`` and
  ``eval_clients``: looking costs more than training where clients are many. A figure takes at most 8 minutes at
  ``laptop`` on two cores, a second or two at ``smoke`` (three rounds, few settings, one seed).
- ``Trained.status`` is "done" or "diverged"; `series.Curve.end` is infinite where a seed diverged. Missing numbers are
  NaN and make a finding inconclusive.
- Printed numbers are data: ``figures/<paper>/printed.py``.
- Commit the checks before their first run, and do not move them after it, but to make one stricter that passes where
  nothing was shown (then `CHANGELOG.md` names it). What compares nothing (all diverged, none learnt) is inconclusive.
- Importing a figure's file loads no torch, matplotlib or pyarrow.
- Tests: tests/figures/test_every_figure.py holds every figure to the same; add a table that passes and one that fails
  each finding (tests/figures/test_outsized_figure_2.py).
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from figures.findings import Finding
    from figures.public import names, table

_HOMES = {"Finding": "findings", "names": "public", "table": "public"}

__all__ = ["Finding", "names", "table"]


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(importlib.import_module(f"figures.{_HOMES[name]}"), name)
    raise AttributeError(f"module 'figures' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)

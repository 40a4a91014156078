"""One file a figure or table of the papers, one folder a paper: runs or numbers, the table, the drawing, the findings.

A file ``figures/<paper>/figure_1.py`` (or ``table_1.py``) is found by itself. It ends with a constant
``FIGURE = Figure(...)``: id, title, the picture in words, the paper's claims, and the functions above it that list its
runs, make its table, judge the claims and draw (`figures.figure.Figure` says each). Figures that differ in a few words
share a file, such as ``outsized/tables_3_to_7.py``, with all of them in FIGURES and their functions as partials.

A template, to be copied from ``figures/outsized/figure_2.py`` with its ``settings.py``:

    def runs(scale):                         # at the top of the file, not a lambda: its source is hashed
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

    FIGURE = Figure(module=__name__, id="OLR.F2", title="...", alt="...", claims=CLAIMS, runs=runs, table=table,
                    findings=findings, draw=draw)

From Python: ``figures.table("OLR.F2", "smoke")``; of one file ``FIGURE.findings(rows)``, ``FIGURE.picture(rows)``.

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

from typing import TYPE_CHECKING

from surrogate.kit.lazy import lazy

if TYPE_CHECKING:
    from figures.api import names, table
    from figures.findings import Finding

__all__ = ["Finding", "names", "table"]

__getattr__ = lazy(__name__, {"api": "names table", "findings": "Finding"})


def __dir__() -> list[str]:
    return sorted(__all__)

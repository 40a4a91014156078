"""The page of ``surrogate explore``: one widget, opened with the state in the link or on the command line."""

import marimo

app = marimo.App(width="full", app_title="Explorer of quadratic surrogates")


@app.cell
def _() -> None:
    import os

    import marimo as mo

    from figures.explorer import files, link
    from figures.explorer.cli import OPENS
    from figures.explorer.state import State
    from figures.explorer.widget import Explorer
    from surrogate.kit.errors import ProblemError

    usual = files.load(os.environ[OPENS]) if os.environ.get(OPENS) else State()
    try:
        shown, trouble = link.from_query(mo.query_params().to_dict()) or usual, ""
    except ProblemError as error:
        shown, trouble = usual, str(error)
    mo.ui.anywidget(Explorer(shown, trouble))
    return


if __name__ == "__main__":
    app.run()

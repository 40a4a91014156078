"""How the docs are built: ``make docs`` writes out/docs. Warnings are errors, and nothing is loaded from elsewhere."""

from __future__ import annotations

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE)]  # the tree itself, and our small extensions

import surrogate  # noqa: E402  (from this tree)

project = "quadratic-surrogates"
author = "The quadratic-surrogates maintainers"
version = release = surrogate.__version__
language = "en"

extensions = ["myst_parser", "sphinx.ext.autodoc", "_ext.mathml", "_ext.generated", "_ext.docstrings"]
myst_enable_extensions = ["colon_fence", "dollarmath"]
myst_heading_anchors = 3
source_suffix = {".md": "markdown"}
exclude_patterns = ["_ext", "scripts", "build.py"]
keep_warnings = True
suppress_warnings = ["ref.python"]  # in a signature, `Quadratics` may be the float one or that of surrogate.exact

autodoc_typehints = "signature"
autodoc_member_order = "bysource"
autodoc_preserve_defaults = True
python_use_unqualified_type_names = True
maximum_signature_line_length = 90

html_theme = "furo"
html_title = "quadratic-surrogates"
html_static_path = ["_static"]
html_css_files = ["ours.css"]
html_math_renderer = "mathml"
html_show_sourcelink = False
html_show_copyright = False
html_show_search_summary = False  # would fetch every page found, which browsers forbid from a file
html_copy_source = False
html_last_updated_fmt = None  # the same bytes each time
html_theme_options = {"footer_icons": []}

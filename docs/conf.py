"""The documentation site: Sphinx, MyST and furo. `make docs` builds it in docs/_build/html."""

import re
import sys
from pathlib import Path

DOCS = Path(__file__).parent
sys.path.insert(0, str(DOCS / "gallery"))

import lexiscope  # noqa: E402

project = "Lexiscope"
author = "The Lexiscope developers"
project_copyright = "The Lexiscope developers"
version = release = lexiscope.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
source_suffix = {".md": "markdown"}
exclude_patterns = ["_build", "gallery/pages"]
nitpicky = False  # types of the signatures have no pages of their own

myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 4

default_role = "code"
autodoc_typehints = "none"  # the Parameters sections describe the types
autodoc_member_order = "bysource"
autodoc_default_options = {"members": True}
napoleon_google_docstring = False
napoleon_use_rtype = False

html_theme = "furo"
html_title = "Lexiscope"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_extra_path = ["gallery/pages"]  # a report, as lexiscope writes it
html_show_sphinx = False
html_copy_source = False
html_theme_options = {
    "top_of_page_buttons": [],
    "light_css_variables": {"color-brand-primary": "#1f5f8b", "color-brand-content": "#1f5f8b"},
    "dark_css_variables": {"color-brand-primary": "#8cc4e8", "color-brand-content": "#8cc4e8"},
}
pygments_style = "friendly"
pygments_dark_style = "github-dark"


def escape_patterns(app, what, name, thing, options, lines):
    """A star in a quoted pattern, such as "cbow-*", does not begin emphasis."""
    lines[:] = [re.sub(r'(?<=-)\*(?=")', r"\\*", line) for line in lines]


def setup(app):
    """Draw the figures before the pages that show them are read."""
    import figures

    (DOCS / "gallery" / "pages").mkdir(exist_ok=True)
    app.connect("autodoc-process-docstring", escape_patterns, priority=100)
    app.connect("builder-inited", lambda _: figures.draw_missing())

"""Results as files for other programs: tables for papers and spreadsheets, figures.

Words are untrusted text: each format has its own escaping.
"""

from lexiscope.report.exports.compact_latex import to_compact_latex
from lexiscope.report.exports.figures import to_png, to_svg
from lexiscope.report.exports.latex import to_latex
from lexiscope.report.exports.markdown import to_markdown
from lexiscope.report.exports.spreadsheet import comparisons_csv, policies_csv, scores_csv, to_csv

__all__ = [
    "comparisons_csv",
    "policies_csv",
    "scores_csv",
    "to_compact_latex",
    "to_csv",
    "to_latex",
    "to_markdown",
    "to_png",
    "to_svg",
]

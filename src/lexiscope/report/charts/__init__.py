"""Chart specifications in Vega-Lite."""

from lexiscope.report.charts._theme import vega_lite
from lexiscope.report.charts.forest import Mark, forest, marks, ranges
from lexiscope.report.charts.heat import heat
from lexiscope.report.charts.lines import Point, lines, lines_over

__all__ = ["Mark", "Point", "forest", "heat", "lines", "lines_over", "marks", "ranges", "vega_lite"]

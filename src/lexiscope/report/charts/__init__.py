"""Chart specifications in Vega-Lite."""

from lexiscope.report.charts._theme import vega_lite
from lexiscope.report.charts.forest import (
    Mark,
    forest,
    forest_of_shared_items,
    marks,
    ranges,
)
from lexiscope.report.charts.heat_map import heat_map
from lexiscope.report.charts.lines import Point, lines, lines_over

__all__ = [
    "Mark",
    "Point",
    "forest",
    "forest_of_shared_items",
    "heat_map",
    "lines",
    "lines_over",
    "marks",
    "ranges",
    "vega_lite",
]

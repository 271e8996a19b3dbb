"""The figures of the report as SVG or PNG files."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from lexiscope.data.atomic_write import replacing
from lexiscope.evaluation.results import Results
from lexiscope.report.charts import vega_lite
from lexiscope.report.layout import Figure, Section, file_names
from lexiscope.report.sections import sections

_SCALE = 2


def to_svg(results: Results, folder: str | Path) -> list[Path]:
    """Write the figures as SVG files, named by section and title."""
    return write_figures(sections(results), folder, ".svg")


def to_png(results: Results, folder: str | Path) -> list[Path]:
    """Write the figures as PNG files with twice the resolution of a screen."""
    return write_figures(sections(results), folder, ".png")


def write_figures(found: Iterable[Section], folder: str | Path, ending: str) -> list[Path]:
    """Write the figures of sections as ".svg" or ".png" files."""
    paths = []
    for name, figure in file_names(found):
        path = Path(folder) / f"{name}{ending}"
        with replacing(path) as file:
            file.write(drawn(figure, ending))
        paths.append(path)
    return paths


def drawn(figure: Figure, ending: str) -> bytes:
    """Return a figure with its title as SVG or PNG, as the ending says."""
    return (_svg if ending == ".svg" else _png)(_titled(figure))


def _svg(spec: dict[str, Any]) -> bytes:
    from vl_convert import vegalite_to_svg

    return vegalite_to_svg(spec, vl_version=vega_lite(), allowed_base_urls=[]).encode("utf-8")


def _png(spec: dict[str, Any]) -> bytes:
    from vl_convert import vegalite_to_png

    return vegalite_to_png(spec, vl_version=vega_lite(), scale=_SCALE, allowed_base_urls=[])


def _titled(figure: Figure) -> dict[str, Any]:
    """The chart with its title, which the page prints above it."""
    return {**figure.spec, "title": figure.title, "padding": 12}

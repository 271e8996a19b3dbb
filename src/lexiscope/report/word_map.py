"""A map of words as a page, or as a figure in a file."""

from pathlib import Path

from lexiscope.core.display import shown
from lexiscope.core.versions import versions
from lexiscope.data.atomic_write import replacing
from lexiscope.experiments.inspection.results import MappedWords
from lexiscope.report.exports.figures import drawn
from lexiscope.report.inspection.charts import word_map as chart
from lexiscope.report.inspection.tables import map_table
from lexiscope.report.layout import Figure, Section
from lexiscope.report.numbers import percent
from lexiscope.report.page import Heading, rendered

_CAUTION = "Distances on the map are not cosines: a plane keeps little of the space."


def write_map(found: MappedWords, path: Path) -> None:
    """Write a map; the ending of the file selects page, SVG or PNG."""
    figure = Figure(_title(found), chart(found), map_table(found))
    content = (
        _page(found, figure).encode() if path.suffix.lower() == ".html"
        else drawn(figure, path.suffix.lower())
    )  # fmt: skip
    with replacing(path) as file:
        file.write(content)


def _title(found: MappedWords) -> str:
    return f"{len(found.map.points)} words of {shown(found.embedding)}"


def _page(found: MappedWords, figure: Figure) -> str:
    explained = found.map.explained
    kept = "" if explained is None else f" It has {percent(explained)} of their variance."
    text = (
        f"Projection of the unit vectors by {found.map.projection}.{kept} {_CAUTION}",
        f"Colours: {found.source.unit}, from {shown(found.source.name)}.",
    )
    heading = Heading(figure.title, figure.title, text[0], versions()["lexiscope"])
    return rendered(heading, [Section("Words on a plane", text[1:], (figure,))])

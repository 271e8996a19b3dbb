"""A map of words as a page, or as a figure in a file."""

from pathlib import Path

from lexiscope.core.display import shown
from lexiscope.core.versions import versions
from lexiscope.data.atomic_write import replacing
from lexiscope.experiments.inspection.results import MappedWords
from lexiscope.report.exports.figures import drawn
from lexiscope.report.inspection.tables import map_table
from lexiscope.report.inspection.word_map import word_map as chart
from lexiscope.report.layout import Figure, Section
from lexiscope.report.numbers import percent
from lexiscope.report.page import Heading, rendered

_CAUTION = "Distances on the map are not cosines: a plane keeps little of the space."
_PROJECTIONS = {"pca": "principal components", "tsne": "t-SNE", "umap": "UMAP"}


def write_map(found: MappedWords, path: Path) -> None:
    """Write a map; the ending of the file selects page, SVG or PNG."""
    figure = _figure(found, is_interactive=True)
    content = (
        _page(found, figure).encode() if path.suffix.lower() == ".html"
        else drawn(figure, path.suffix.lower())
    )  # fmt: skip
    with replacing(path) as file:
        file.write(content)


def map_section(found: MappedWords) -> Section:
    """A map as a section of a report; it stays where it is while the page scrolls."""
    return Section("Words on a plane", (_about(found),), (_figure(found, is_interactive=False),))


def _figure(found: MappedWords, is_interactive: bool) -> Figure:
    title = f"{len(found.map.points)} words of {shown(found.embedding)}"
    return Figure(title, chart(found, is_interactive), map_table(found))


def _about(found: MappedWords) -> str:
    explained = found.map.explained
    kept = "" if explained is None else f" It has {percent(explained)} of their variance."
    return (
        f"Projection of the unit vectors by {_PROJECTIONS[found.map.projection]}.{kept} {_CAUTION} "
        f"Colours: {found.source.unit}, from {shown(found.source.name)}."
    )


def _page(found: MappedWords, figure: Figure) -> str:
    heading = Heading(figure.title, figure.title, _about(found), versions()["lexiscope"])
    return rendered(heading, [Section("Words on a plane", (), (figure,))])

"""The report: one HTML file that needs no network.

Words are untrusted text. The template escapes them, and in chart data every character that could
end a script is written as an escape. The content security policy of the page allows only the
scripts whose hashes it lists, so a word cannot run code.
"""

import base64
import hashlib
import json
from collections.abc import Iterable, Sequence, Sized
from functools import cache
from importlib.resources import files
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

from lexiscope.core.display import shown
from lexiscope.core.errors import BadUsage
from lexiscope.data.atomic_write import replacing
from lexiscope.evaluation.results import Results
from lexiscope.report.charts import vega_lite
from lexiscope.report.layout import GridRow, Section, file_names, slug
from lexiscope.report.sections import sections
from lexiscope.report.sentences import counted, listed, named, timestamp

_NAMED = 8  # embeddings in the title


def write_report(results: Results, path: str | Path) -> Path:
    """Write the HTML report of a run: one file that needs no network.

    The report has the verdict, scores with confidence intervals, tests of all differences,
    breakdowns, coverage and everything needed to repeat the run.

    Parameters
    ----------
    results : Results
        Results of `lexiscope.run`.
    path : str or Path
        File to write. An existing file is replaced; missing folders are created.

    Returns
    -------
    Path
        The file that was written.

    Examples
    --------
    >>> import lexiscope
    >>> pairs = lexiscope.WordPairs.example()
    >>> vectors = {word: [len(word), word.count("a")] for word in pairs.all_words}
    >>> results = lexiscope.run({"spelling": vectors}, "similarity", pairs)
    >>> lexiscope.write_report(results, "report.html").name
    'report.html'
    """
    if not isinstance(results, Results):
        raise BadUsage(f"write_report needs Results of run(), found {type(results).__name__}.")
    return write_page(results, Path(path))


def write_page(results: Results, path: Path, more: Sequence[Section] = ()) -> Path:
    """Write the report with further sections."""
    with replacing(path) as file:
        file.write(page(results, more).encode("utf-8"))
    return path


def page(results: Results, more: Sequence[Section] = ()) -> str:
    """The report as HTML; further sections follow the open ones."""
    parts: dict[str, Sized] = {
        "embedding": results.embeddings,
        "evaluation": results.evaluations,
        "comparison": results.comparisons,
    }
    counts = [counted(len(part), noun) for noun, part in parts.items()]
    partial = "This run is not finished; the report is partial"
    when = f"Finished {timestamp(results.finished)}" if results.finished else partial
    headline = title(results)
    version = results.manifest["versions"]["lexiscope"]
    lead = f"{', '.join(counts)}. {when}."
    heading = Heading(f"{headline} – Lexiscope", headline, lead, version)
    found = sections(results)
    first = sum(not section.folded for section in found)
    return rendered(heading, [*found[:first], *more, *found[first:]])


def title(results: Results) -> str:
    """What is compared, on what."""
    datasets = list(dict.fromkeys(shown(dataset) for _, dataset in results.evaluations))
    names = listed([shown(name) for name in results.embeddings])
    if len(results.embeddings) > _NAMED:
        names = counted(len(results.embeddings), "embedding")
    return f"{names} on {named(datasets, 'dataset')}" if datasets else names


class Heading(NamedTuple):
    """The head of a page: title of the document, headline, first paragraph, version."""

    title: str
    headline: str
    lead: str
    version: str


def rendered(heading: Heading, found: list[Section]) -> str:
    """A page of sections as HTML."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("lexiscope.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals["runs"] = _runs
    environment.filters["groupby_runs"] = _groups
    charts = _charts(found)
    scripts = [_script("folding.js"), _script("sorting.js")]
    scripts += [_bundle(), _script("charts.js")] if charts else []
    return environment.get_template("report.html.j2").render(
        heading=heading,
        sections=[(f"{slug(each.title)}-{k}", each) for k, each in enumerate(found)],
        charts=charts,
        scripts=scripts,
        hashes=" ".join(f"'sha256-{_hash(script)}'" for script in scripts),
        kind_of=lambda part: type(part).__name__,
    )


def _runs(texts: list[str]) -> list[tuple[str, int]]:
    """Equal neighbours as one text with their number."""
    return [(text, len(list(group))) for text, group in groupby(texts)]


def _groups(rows: Iterable[GridRow]) -> list[tuple[str, list[GridRow]]]:
    """Neighbours of one group."""
    return [(name, list(group)) for name, group in groupby(rows, key=lambda row: row.group)]


def _charts(found: list[Section]) -> list[tuple[str, str]]:
    """The file name and the specification of each chart, in the order of the page."""
    return [(name, safe_json(_fitting(figure.spec))) for name, figure in file_names(found)]


def _fitting(spec: dict[str, Any]) -> dict[str, Any]:
    """Make a chart as wide as the page, unless its width follows from its content."""
    return {**spec, "width": "container"} if isinstance(spec["width"], int) else spec


def safe_json(value: Any) -> str:
    """JSON that cannot end the script element that contains it."""
    text = json.dumps(value, ensure_ascii=True)
    for character in "<>&":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text


@cache
def _script(name: str) -> str:
    return files("lexiscope.report").joinpath("templates", name).read_text("utf-8")


@cache
def _bundle() -> str:
    import vl_convert

    bundle: str = vl_convert.javascript_bundle(vl_version=vega_lite())  # type: ignore[call-arg]
    return bundle.replace("</script", "<\\/script")


def _hash(script: str) -> str:
    return base64.b64encode(hashlib.sha256(script.encode("utf-8")).digest()).decode()

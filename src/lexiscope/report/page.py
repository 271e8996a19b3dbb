"""The report: one HTML file that needs no network.

Words are untrusted text. The template escapes them, and in chart data every character that could
end a script is written as an escape. The content security policy of the page allows only the
scripts whose hashes it lists, so a word cannot run code.
"""

import base64
import hashlib
import json
from collections.abc import Sized
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from lexiscope.core.errors import BadUsage
from lexiscope.data.atomic_write import replacing
from lexiscope.evaluation.results import Results
from lexiscope.report.charts import vega_lite
from lexiscope.report.layout import Figure, Section, file_names
from lexiscope.report.sections import sections
from lexiscope.report.sentences import counted, timestamp

_DRAW = """
const narrow = element => {
  const width = element.clientWidth;
  if (width >= 560) return {};
  return {axis: {labelLimit: width - 30, titleLimit: width - 50}, axisQuantitative: {tickCount: 4},
    legend: {columns: 1, labelLimit: width - 40}};
};
const draw = element => {
  const spec = JSON.parse(document.getElementById(element.dataset.chart).textContent);
  for (const [part, settings] of Object.entries(narrow(element))) {
    Object.assign(spec.config[part], settings);
  }
  const actions = {export: true, source: false, compiled: false, editor: false};
  return vegaEmbed(element, spec, {actions, renderer: "svg", ast: true, loader: {http: {}},
    downloadFileName: element.dataset.name})
    .then(() => { element.dataset.drawn = "yes"; })
    .catch(problem => { element.textContent = "This chart could not be drawn: " + problem; });
};
Promise.all([...document.querySelectorAll("[data-chart]")].map(draw))
  .then(() => { document.documentElement.dataset.drawn = "yes"; });
"""


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
    target = Path(path)
    with replacing(target) as file:
        file.write(page(results).encode("utf-8"))
    return target


def page(results: Results) -> str:
    """The report as HTML."""
    parts: dict[str, Sized] = {
        "embedding": results.embeddings,
        "evaluation": results.evaluations,
        "comparison": results.comparisons,
    }
    counts = [counted(len(part), noun) for noun, part in parts.items()]
    partial = "This run is not finished; the report is partial"
    when = f"Finished {timestamp(results.finished)}" if results.finished else partial
    heading = Heading(
        f"Lexiscope report: {counts[0]}",
        "Which embedding is better, and is the difference significant?",
        f"{', '.join(counts)}. {when}.",
        results.manifest["versions"]["lexiscope"],
    )
    return rendered(heading, sections(results))


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
    charts = _charts(found)
    scripts = [_bundle(), _DRAW] if charts else []
    return environment.get_template("report.html.j2").render(
        heading=heading,
        sections=found,
        charts=charts,
        scripts=scripts,
        hashes=" ".join(f"'sha256-{_hash(script)}'" for script in scripts),
        is_figure=lambda part: isinstance(part, Figure),
    )


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
def _bundle() -> str:
    import vl_convert

    bundle: str = vl_convert.javascript_bundle(vl_version=vega_lite())  # type: ignore[call-arg]
    return bundle.replace("</script", "<\\/script")


def _hash(script: str) -> str:
    return base64.b64encode(hashlib.sha256(script.encode("utf-8")).digest()).decode()

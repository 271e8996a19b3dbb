"""The report: one HTML file that asks for nothing from the network.

Words are attacker-controlled text. They are escaped by the template, and in chart data every
character that could end a script is written as an escape. The page's policy allows only the
scripts whose hashes it lists, so nothing hidden in a word could run.
"""

import base64
import hashlib
import json
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from lexiscope.bench.results import Results
from lexiscope.core.errors import BadUsage
from lexiscope.data.files import replacing
from lexiscope.report.charts import vega_lite
from lexiscope.report.layout import Figure, Section
from lexiscope.report.naming import file_names
from lexiscope.report.sections import sections
from lexiscope.report.wording import counted, moment

_DRAW = """
const narrow = place => {
  const width = place.clientWidth;
  if (width >= 560) return {};
  return {axis: {labelLimit: width - 30, titleLimit: width - 50}, axisQuantitative: {tickCount: 4},
    legend: {columns: 1, labelLimit: width - 40}};
};
const draw = place => {
  const spec = JSON.parse(document.getElementById(place.dataset.chart).textContent);
  for (const [part, settings] of Object.entries(narrow(place))) {
    Object.assign(spec.config[part], settings);
  }
  const actions = {export: true, source: false, compiled: false, editor: false};
  return vegaEmbed(place, spec, {actions, renderer: "svg", ast: true, loader: {http: {}},
    downloadFileName: place.dataset.name})
    .then(() => { place.dataset.drawn = "yes"; })
    .catch(problem => { place.textContent = "This chart could not be drawn: " + problem; });
};
Promise.all([...document.querySelectorAll("[data-chart]")].map(draw))
  .then(() => { document.documentElement.dataset.drawn = "yes"; });
"""


def write(results: Results, path: str | Path) -> Path:
    """Write the report of a run."""
    if not isinstance(results, Results):
        raise BadUsage(f"A report is of results of run(), found {type(results).__name__}.")
    place = Path(path)
    with replacing(place) as file:
        file.write(page(results).encode("utf-8"))
    return place


def page(results: Results) -> str:
    """The report as HTML."""
    counts = (
        counted(len(results.embeddings), "embedding"),
        counted(len(results.columns), "question"),
        counted(len(results.comparisons), "comparison"),
    )
    partial = "This run is not finished: what follows is partial"
    when = f"Finished {moment(results.finished)}" if results.finished else partial
    heading = Heading(
        f"Lexiscope report: {counts[0]}",
        "Which embedding answers better, and is the difference real?",
        f"{', '.join(counts)}. {when}.",
        results.manifest["versions"]["lexiscope"],
    )
    return rendered(heading, sections(results))


class Heading(NamedTuple):
    """What stands above the sections of a page."""

    title: str
    question: str
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
    """A speaking name and the specification of each chart, in the order of the page."""
    return [(name, safe_json(_fitting(figure.spec))) for name, figure in file_names(found)]


def _fitting(spec: dict[str, Any]) -> dict[str, Any]:
    """As wide as its place on the page, except a chart whose width follows from its content."""
    return {**spec, "width": "container"} if isinstance(spec["width"], int) else spec


def safe_json(value: Any) -> str:
    """JSON that cannot end the script element it stands in."""
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

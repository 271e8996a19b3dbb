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
from typing import Any

from lexiscope.bench.results import Results
from lexiscope.data.files import replacing
from lexiscope.report.sections import SECTIONS, Figure, Section

_DRAW = """
for (const place of document.querySelectorAll("[data-chart]")) {
  const spec = JSON.parse(document.getElementById(place.dataset.chart).textContent);
  vegaEmbed(place, spec, {actions: {export: true, source: false, compiled: false, editor: false},
    renderer: "svg", ast: true, downloadFileName: place.dataset.chart, loader: {http: {}}})
    .catch(problem => { place.textContent = "This chart could not be drawn: " + problem; });
}
document.documentElement.dataset.drawn = "yes";
"""


def write(results: Results, path: str | Path) -> Path:
    """Write the report of a run."""
    place = Path(path)
    with replacing(place) as file:
        file.write(page(results).encode("utf-8"))
    return place


def page(results: Results) -> str:
    """The report as HTML."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    sections = [section for make in SECTIONS if (section := make(results)) is not None]
    environment = Environment(
        loader=PackageLoader("lexiscope.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    scripts = [_bundle(), _DRAW] if _charts(sections) else []
    return environment.get_template("report.html.j2").render(
        results=results,
        sections=sections,
        charts=_charts(sections),
        scripts=scripts,
        hashes=" ".join(f"'sha256-{_hash(script)}'" for script in scripts),
        is_figure=lambda part: isinstance(part, Figure),
    )


def _charts(sections: list[Section]) -> dict[str, str]:
    figures = [part for section in sections for part in section.parts if isinstance(part, Figure)]
    return {f"chart-{n}": safe_json(figure.spec) for n, figure in enumerate(figures, 1)}


def safe_json(value: Any) -> str:
    """JSON that cannot end the script element it stands in."""
    text = json.dumps(value, ensure_ascii=True)
    for character in "<>&":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text


@cache
def _bundle() -> str:
    import altair
    import vl_convert

    version = altair.SCHEMA_VERSION.removeprefix("v").rpartition(".")[0]
    bundle: str = vl_convert.javascript_bundle(vl_version=version)  # type: ignore[call-arg]
    return bundle.replace("</script", "<\\/script")


def _hash(script: str) -> str:
    return base64.b64encode(hashlib.sha256(script.encode("utf-8")).digest()).decode()

"""Pages from templates, and static files from the package."""

import hashlib
from collections.abc import Mapping
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup
from starlette.responses import HTMLResponse, Response

from lexiscope.core.display import shown
from lexiscope.human.instructions import with_emphasis
from lexiscope.web.platforms import completion_link

_REMEMBERED = 4096  # words that are ready for display; judges see the same ones
_TYPES = {"css": "text/css", "js": "text/javascript", "svg": "image/svg+xml"}


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("lexiscope.web", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    environment.filters["shown"] = lru_cache(_REMEMBERED)(shown)
    environment.filters["clean"] = lambda text: shown(text, 4000)
    environment.filters["emphasis"] = lambda text: Markup(with_emphasis(text))
    environment.globals["static"] = _address
    return environment


def page(template: str, status: int = 200, **values: Any) -> HTMLResponse:
    """Return a page as a response."""
    text = _environment().get_template(f"{template}.html.j2").render(values)
    return HTMLResponse(text.encode("utf-8", "replace"), status)


def error_page(
    status: int, heading: str, text: str, link: str = "", prolific: str = ""
) -> HTMLResponse:
    """Return a short page that says what went wrong, with a link for going on.

    `prolific` is a code that a participant returns to Prolific with.
    """
    address = completion_link(prolific) if prolific else ""
    return page(
        "message", status, heading=heading, text=text, link=link, code=prolific, address=address
    )


@cache
def _static_files() -> Mapping[str, bytes]:
    folder = files("lexiscope.web") / "static"
    return {each.name: each.read_bytes() for each in folder.iterdir() if each.is_file()}


@cache
def _address(name: str) -> str:
    version = hashlib.sha256(_static_files()[name]).hexdigest()[:12]
    return f"/static/{name}?{version}"


def static_file(name: str) -> Response:
    """Return a static file of the package; only known names exist."""
    content = _static_files().get(name)
    if content is None:
        return error_page(404, "Not found", "There is no such page.")
    return Response(
        content,
        media_type=_TYPES.get(name.rsplit(".", 1)[-1], "application/octet-stream"),
        headers={"cache-control": "public, max-age=86400"},
    )

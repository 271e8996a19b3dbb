"""The routes of a study."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from starlette.applications import Starlette
from starlette.convertors import Convertor, register_url_convertor
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from lexiscope.web import admin, closing, judging, starting
from lexiscope.web.pages import error_page, static_file
from lexiscope.web.security import Guard
from lexiscope.web.settings import WebSettings
from lexiscope.web.site import Site


class ItemNumber(Convertor[int]):
    """The number of an item in an address, which is short."""

    regex = "[0-9]{1,6}"

    def convert(self, value: str) -> int:
        """Return the number."""
        return int(value)

    def to_string(self, value: int) -> str:
        """Return the text of the number."""
        return str(value)


register_url_convertor("item_number", ItemNumber())

ROUTES = [
    Route("/", starting.landing),
    Route("/start", starting.start, methods=["POST"]),
    Route("/j/{token}", judging.for_judge(judging.resume)),
    Route("/j/{token}/instructions", judging.for_judge(judging.instructions)),
    Route("/j/{token}/closing", judging.for_judge(closing.show)),
    Route("/j/{token}/closing", judging.for_judge(closing.store), methods=["POST"]),
    Route("/j/{token}/thanks", judging.for_judge(judging.thanks)),
    Route("/j/{token}/{number:item_number}", judging.for_judge(judging.show_item)),
    Route(
        "/j/{token}/{number:item_number}",
        judging.for_judge(judging.answer_item),
        methods=["POST"],
    ),
    Route("/admin", admin.dashboard),
    Route("/admin/login", admin.login, methods=["POST"]),
    Route("/admin/status", admin.status),
    Route("/admin/results", admin.results),
    Route("/admin/close", admin.close, methods=["POST"]),
    Route("/admin/open", admin.reopen, methods=["POST"]),
    Route("/admin/forget", admin.forget, methods=["POST"]),
]


async def _static(request: Request) -> Response:
    return static_file(request.path_params["name"])


async def _robots(request: Request) -> Response:
    return PlainTextResponse("User-agent: *\nDisallow: /\n")


async def _http_error(request: Request, problem: Exception) -> Response:
    status = problem.status_code if isinstance(problem, HTTPException) else 500
    if status == 405:
        return error_page(405, "Not possible", "This page does not accept this request.")
    return error_page(status, "Not found", "There is no such page.")


def create_app(path: str, settings: WebSettings) -> Starlette:
    """Return the application that serves a study file.

    Parameters
    ----------
    path : str
        The study file.
    settings : WebSettings
        Mode, public address and limits.
    """
    site = Site.open(path, settings)

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        yield
        await site.close()

    app = Starlette(
        routes=[*ROUTES, Route("/static/{name}", _static), Route("/robots.txt", _robots)],
        middleware=[Middleware(Guard, settings.mode, settings.limits)],
        exception_handlers={HTTPException: _http_error},
        lifespan=lifespan,
    )
    app.router.redirect_slashes = False
    app.state.site = site
    return app

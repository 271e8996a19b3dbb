"""Headers of every response, the bound on request bodies, and the origin of requests."""

import asyncio
import logging
import secrets
from collections.abc import Mapping

from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from lexiscope.core.errors import LexiscopeError
from lexiscope.web.pages import error_page
from lexiscope.web.platforms import FRAMES, SUBMIT_HOSTS
from lexiscope.web.settings import Limits, Mode

logger = logging.getLogger(__name__)

_SEPARATORS = len(": \r\n")  # of each header
_OWN_SITES = frozenset({"same-origin", "none"})  # of Sec-Fetch-Site


def content_policy(mode: Mode) -> str:
    """Return the Content-Security-Policy of all pages except the report."""
    mturk = mode == "mturk"
    forms = " ".join(["'self'", *(SUBMIT_HOSTS if mturk else ())])
    return (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
        f"connect-src 'self'; form-action {forms}; base-uri 'none'; "
        f"frame-ancestors {FRAMES if mturk else chr(39) + 'none' + chr(39)}"
    )


# The report has its charts, styles and scripts inside. The sandbox gives it an origin of its own.
REPORT_POLICY = (
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; "
    "img-src data:; font-src data:; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'; sandbox allow-scripts allow-downloads"
)


def default_headers(mode: Mode) -> dict[str, str]:
    """Return the headers that a response gets unless it sets them itself."""
    headers = {
        "content-security-policy": content_policy(mode),
        "x-content-type-options": "nosniff",
        "referrer-policy": "no-referrer",
        "cache-control": "no-store",
        "cross-origin-opener-policy": "same-origin",
        "permissions-policy": "camera=(), geolocation=(), microphone=()",
    }
    if mode != "mturk":
        headers |= {"cross-origin-resource-policy": "same-origin", "x-frame-options": "DENY"}
    return headers


class Guard:
    """The outermost layer: adds headers, bounds bodies, and turns errors into short pages."""

    def __init__(self, app: ASGIApp, mode: Mode, limits: Limits) -> None:
        self._app, self._limits = app, limits
        self._headers = _encoded(default_headers(mode))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        body = _BoundedBody(receive, self._limits)
        answer = _Answer(send, self._headers)
        try:
            _check_sizes(scope, self._limits)
            await self._app(scope, body, answer)
        except ClientDisconnect:
            return  # nobody is there to read a response
        except Exception as problem:
            if answer.started:
                raise
            await _error_response(problem)(scope, receive, answer)


class _HeadersTooLarge(Exception):  # noqa: N818
    pass


class _BodyTooLarge(Exception):  # noqa: N818
    pass


class _BodyTooSlow(Exception):  # noqa: N818
    pass


class _BoundedBody:
    def __init__(self, receive: Receive, limits: Limits) -> None:
        self._receive, self._left = receive, limits.body_bytes
        self._deadline = asyncio.get_running_loop().time() + limits.body_seconds

    async def __call__(self) -> Message:
        try:
            async with asyncio.timeout_at(self._deadline):
                message = await self._receive()
        except TimeoutError:
            raise _BodyTooSlow from None
        self._left -= len(message.get("body", b""))
        if self._left < 0:
            raise _BodyTooLarge
        return message


class _Answer:
    """Adds the default headers to the start of a response."""

    def __init__(self, send: Send, headers: list[tuple[bytes, bytes]]) -> None:
        self._send, self._headers = send, headers
        self.started = False

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.started = True
            own = list(message.get("headers", ()))
            names = {name for name, _ in own}
            own += [pair for pair in self._headers if pair[0] not in names]
            message = {**message, "headers": own}
        await self._send(message)


def _encoded(headers: Mapping[str, str]) -> list[tuple[bytes, bytes]]:
    return [(name.encode(), value.encode()) for name, value in headers.items()]


def _check_sizes(scope: Scope, limits: Limits) -> None:
    """Refuse what is too large; the server itself bounds only headers that arrive in parts."""
    headers = sum(len(name) + len(value) + _SEPARATORS for name, value in scope["headers"])
    if headers + len(scope["path"]) + len(scope["query_string"]) > limits.header_bytes:
        raise _HeadersTooLarge
    if _declared_length(scope) > limits.body_bytes:
        raise _BodyTooLarge


def _declared_length(scope: Scope) -> int:
    text = dict(scope["headers"]).get(b"content-length", b"0")
    return int(text) if text.isdigit() else 0


def _error_response(problem: Exception) -> ASGIApp:
    if isinstance(problem, _BodyTooLarge):
        text = "The request is larger than this server accepts."
        return _last_response(error_page(413, "Too much data", text))
    if isinstance(problem, _HeadersTooLarge):
        text = "The address or the headers are longer than this server accepts."
        return _last_response(error_page(431, "Too much data", text))
    if isinstance(problem, _BodyTooSlow):
        text = "The request did not arrive in time. Please go back and try again."
        return _last_response(error_page(408, "Too slow", text))
    number = secrets.token_hex(4)
    # No message: it could contain words, ids or tokens.
    logger.error("error %s: %s at %s", number, type(problem).__name__, _position(problem))
    if isinstance(problem, LexiscopeError):
        return error_page(
            503, "Not stored", "Your answer could not be stored. Please go back and try again. "
            f"If this happens again, mention error {number} to the researcher.",
        )  # fmt: skip
    return error_page(
        500, "Something went wrong", f"This is our fault. Earlier answers are safe. Error {number}."
    )


def _last_response(response: Response) -> Response:
    """The response after which the connection ends, so that the rest of the body is not read."""
    response.headers["connection"] = "close"
    return response


def _position(problem: Exception) -> str:
    trace = problem.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return "?" if trace is None else f"{trace.tb_frame.f_code.co_name}:{trace.tb_lineno}"


def same_origin(request: Request, base_url: str) -> bool:
    """Return whether a request comes from a page of this server, or from no page."""
    site = request.headers.get("sec-fetch-site")
    if site is not None:
        return site in _OWN_SITES
    origin = request.headers.get("origin")
    if origin is None:  # no browser sends a bearer token by itself
        return request.headers.get("authorization", "").lower().startswith("bearer ")
    return _is_own(origin, request, base_url)


def from_other_site(request: Request, base_url: str) -> bool:
    """Return whether a browser says that a page of another site sends a request.

    Our own pages send the origin "null" where a browser has no Sec-Fetch-Site, because they send
    no referrer.
    """
    site = request.headers.get("sec-fetch-site")
    if site is not None:
        return site not in _OWN_SITES
    origin = request.headers.get("origin", "null")
    return origin != "null" and not _is_own(origin, request, base_url)


def _is_own(origin: str, request: Request, base_url: str) -> bool:
    host = request.headers.get("host", "")
    return origin in {base_url, f"http://{host}", f"https://{host}"}

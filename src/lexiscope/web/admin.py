"""The administrator's pages: progress, closing, deletion of a judge's data, and results."""

from collections.abc import Awaitable, Callable
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response

from lexiscope.core.errors import BadData
from lexiscope.web.judging import other_site_page, redirect
from lexiscope.web.pages import error_page, page
from lexiscope.web.qr import svg
from lexiscope.web.results import report
from lexiscope.web.security import REPORT_POLICY, from_other_site, same_origin
from lexiscope.web.site import Site, address_of, form_of, now, site_of

COOKIE = "lexiscope_admin"
_MOST_JUDGES = 500  # rows of the table

Handler = Callable[[Request], Awaitable[Response]]


def for_admin(handler: Handler) -> Handler:
    """Let only the administrator in; changes must come from a page of this server."""

    async def checked(request: Request) -> Response:
        if not _is_admin(request):
            return _refused(request)
        if request.method == "POST" and not same_origin(request, _base_url(request)):
            return other_site_page()
        return await handler(request)

    return checked


def _is_admin(request: Request) -> bool:
    site = site_of(request)
    token = _bearer(request)
    if token:
        return _valid(site, request, token)
    cookie = request.cookies.get(COOKIE, "")
    return site.tokens.is_session(cookie) and not from_other_site(request, _base_url(request))


def _base_url(request: Request) -> str:
    return site_of(request).settings.base_url


def _bearer(request: Request) -> str:
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else ""


def _valid(site: Site, request: Request, token: str) -> bool:
    """Whether a token is right; many wrong ones from an address are refused unread."""
    address = address_of(request)
    if site.limits.logins.exhausted(address):
        return False
    if site.tokens.is_admin(token):
        return True
    site.limits.logins.allows(address)
    return False


def _refused(request: Request) -> Response:
    if request.method in {"GET", "HEAD"} and request.url.path == "/admin":
        return page("login")
    return error_page(401, "Log in first", "Open the administrator's link again.", "/admin")


async def login(request: Request) -> Response:
    """Exchange the administrator's token for a cookie."""
    site = site_of(request)
    token = _bearer(request) or (await form_of(request)).get("token", "")
    if not same_origin(request, _base_url(request)) or not _valid(site, request, token):
        return error_page(403, "Wrong token", "Copy the whole link that was printed.", "/admin")
    response = redirect("/admin")
    response.set_cookie(
        COOKIE, site.tokens.new_session(), path="/admin", httponly=True, samesite="strict",
        secure="https" in {request.url.scheme, _base_url(request).split(":")[0]},
    )  # fmt: skip
    return response


@for_admin
async def dashboard(request: Request) -> Response:
    """Show the link, the progress and the judges."""
    site = site_of(request)
    link = f"{site.settings.base_url}/"
    return page(
        "admin",
        title=site.file.study.settings.title,
        mode=site.settings.mode,
        link=_platform_link(site, link),
        qr=svg(link) if site.settings.mode in {"link", "class"} else "",
        closed=site.file.closed is not None,
        progress=progress(site),
        judges=_judges(site),
        most=_MOST_JUDGES,
    )


def _platform_link(site: Site, link: str) -> str:
    if site.settings.mode != "prolific":
        return link
    names = ("PROLIFIC_PID", "STUDY_ID", "SESSION_ID")
    return link + "?" + "&".join(f"{name}={{{{%{name}%}}}}" for name in names)


def progress(site: Site) -> dict[str, Any]:
    """Return the numbers of judges and judgments, and how many items have enough judgments."""
    study, judges = site.file.study, site.file.judges()
    per_item = site.file.judgments_per_item()
    target = study.settings.judges_per_item
    collected = sum(min(target, per_item.get(item.id, 0)) for item in study.scored)
    return {
        "judges": len(judges),
        "finished": sum(judge.finished is not None for judge in judges),
        "judgments": sum(per_item.values()),
        "items": len(study.scored),
        "complete": sum(per_item.get(item.id, 0) >= target for item in study.scored),
        "percent": round(100 * collected / max(1, target * len(study.scored))),
    }


def _judges(site: Site) -> list[dict[str, Any]]:
    answered = site.file.judgments_per_judge()
    latest = site.file.judges()[-_MOST_JUDGES:][::-1]
    return [
        {"id": each.id, "answered": answered.get(each.id, 0), "finished": each.finished is not None}
        for each in latest
    ]


@for_admin
async def status(request: Request) -> Response:
    """Return the progress as JSON."""
    return JSONResponse(progress(site_of(request)))


@for_admin
async def close(request: Request) -> Response:
    """Close the study for judges."""
    at = now()
    await site_of(request).writer.run(lambda file: file.close_study(at))
    return redirect("/admin")


@for_admin
async def reopen(request: Request) -> Response:
    """Open the study again."""
    await site_of(request).writer.run(lambda file: file.close_study(None))
    return redirect("/admin")


@for_admin
async def forget(request: Request) -> Response:
    """Delete everything that one judge answered."""
    judge, site = (await form_of(request)).get("judge", "").strip(), site_of(request)
    if site.file.judge(judge) is None:
        return error_page(404, "Nothing deleted", "No judge has this participant ID.", "/admin")
    try:
        await site.writer.run_alone(lambda file: file.forget(judge))
    except BadData:
        return error_page(
            503, "Not deleted completely", "The file may still hold the data. Stop the server and "
            f"run 'lexiscope study forget' with the participant ID {judge}.", "/admin",
        )  # fmt: skip
    return redirect("/admin")


@for_admin
async def results(request: Request) -> Response:
    """Show the report, which exists after the study is closed."""
    site = site_of(request)
    if site.file.closed is None:
        return error_page(
            409, "The study is still open", "Results appear after it is closed, so that they "
            "cannot influence judges or the decision when to stop.", "/admin",
        )  # fmt: skip
    text = await run_in_threadpool(report, site.file)
    if text is None:
        return error_page(200, "No results yet", "No answer can be scored.", "/admin")
    return HTMLResponse(
        text.encode("utf-8", "replace"), headers={"content-security-policy": REPORT_POLICY}
    )

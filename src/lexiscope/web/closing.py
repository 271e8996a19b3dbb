"""Voluntary questions about the judge after the last item. The completion code never needs them."""

from collections.abc import Mapping
from typing import cast

from starlette.responses import Response

from lexiscope.core.errors import BadData
from lexiscope.core.study import LANGUAGE_LENGTH, ClosingAnswers, OtherHelp, StudySettings
from lexiscope.web.answers import first_unanswered
from lexiscope.web.judging import Visit, redirect
from lexiscope.web.pages import error_page, page
from lexiscope.web.site import form_of

_OTHER_HELP: Mapping[OtherHelp, str] = {
    "no": "No",
    "some": "Yes, for some answers",
    "most": "Yes, for most answers",
}


async def show(visit: Visit) -> Response:
    """Show the closing questions, with what the judge said before."""
    if not await _is_open(visit):
        return redirect(f"{visit.home}/thanks")
    return _page(visit)


async def store(visit: Visit) -> Response:
    """Store the answers, which may be empty, then go to the end."""
    site, form = visit.site, await form_of(visit.request)
    if not site.limits.answers.allows(visit.judge.id):
        return error_page(429, "A little slower, please", "Please go back and send it again.")
    if await _is_open(visit):
        try:
            answers = _read(form, site.file.study.settings)
        except BadData:
            return _page(visit, "Please choose one of the answers, or leave the question out.")
        await site.writer.run(lambda file: file.close_judge(visit.judge.id, answers))
    return redirect(f"{visit.home}/thanks")


async def _is_open(visit: Visit) -> bool:
    """Whether the judge may answer: the study has such questions, and all items are answered."""
    file = visit.site.file
    if not file.study.settings.has_closing_questions or file.closed is not None:
        return False
    assigned = await visit.assigned()
    return bool(assigned) and first_unanswered(assigned) is None


def _read(form: Mapping[str, str], settings: StudySettings) -> ClosingAnswers:
    language, found = _plain(form.get("first_language", "")), form.get("other_help", "")
    return ClosingAnswers(
        language if settings.ask_first_language else "",
        cast("OtherHelp", found) if settings.ask_other_help else "",
    )


def _plain(text: str) -> str:
    """A text on one line, without control characters."""
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())


def _page(visit: Visit, message: str = "") -> Response:
    settings = visit.site.file.study.settings
    return page(
        "closing",
        400 if message else 200,
        number=settings.ask_first_language + settings.ask_other_help,
        paid=settings.pay_per_judge > 0,
        ask_first_language=settings.ask_first_language,
        ask_other_help=settings.ask_other_help,
        said=visit.judge.closing or ClosingAnswers(),
        length=LANGUAGE_LENGTH,
        options=_OTHER_HELP,
        action=f"{visit.home}/closing",
        message=message,
    )

"""The first page of a study, and the start of a judge."""

from starlette.requests import Request
from starlette.responses import Response

from lexiscope.human.instructions import instructions
from lexiscope.web.answers import Arrival, Refusal, start_judge
from lexiscope.web.judging import closed_page, is_foreign, other_site_page, redirect
from lexiscope.web.pages import error_page, page
from lexiscope.web.platforms import Participant, from_form, participant
from lexiscope.web.site import Site, address_of, form_of, now, site_of
from lexiscope.web.tokens import JudgeLink

_WRONG_LINK = {
    "prolific": "Please open this study from your page on Prolific.",
    "mturk": "Please open this study from your page on Mechanical Turk.",
}

_REFUSALS: dict[Refusal, tuple[int, str, str]] = {
    "full": (
        200, "We have all answers",
        "Every question of this study has enough answers. Thank you for your interest.",
    ),
    "finished": (
        403, "You have taken part already",
        "Each person takes part in this study once. Thank you for your answers.",
    ),
    "elsewhere": (
        403, "You have started already",
        "You began this study in another session, and your answers are stored there. Please go on "
        "in that session, or with the link that it showed you.",
    ),
}  # fmt: skip
_RETURN = {
    "prolific": " Please return this submission on Prolific.",
    "mturk": " Please return this task on Mechanical Turk.",
}


async def landing(request: Request) -> Response:
    """Show what the study is about and what a judge agrees to."""
    site = site_of(request)
    if site.file.closed is not None:
        return closed_page(_full_code(site))
    found = participant(site.settings.mode, request.query_params)
    if found is None:
        return _wrong_link(site)
    if found.preview:
        return _preview(site)
    return _consent_page(site, found, site.tokens.new_start())


async def start(request: Request) -> Response:
    """Add a judge who has agreed; the same form twice adds one judge."""
    if is_foreign(request):
        return other_site_page()
    site, form = site_of(request), await form_of(request)
    if site.file.closed is not None:
        return closed_page(_full_code(site))
    found = from_form(site.settings.mode, form)
    judge = site.tokens.judge_of_start(form.get("start", ""))
    if found is None or judge is None:
        return _wrong_link(site)
    if form.get("agree") != "yes":
        message = "Please tick the box if you agree to take part."
        return _consent_page(site, found, form["start"], message)
    if not site.limits.starts.allows(address_of(request)):
        return error_page(429, "Many people are starting", "Please try again in a minute.")
    arrival = Arrival(
        site.settings.mode, site.consent.fingerprint, judge, found.person, found.session
    )
    return await _started(site, found, arrival)


async def _started(site: Site, found: Participant, arrival: Arrival) -> Response:
    outcome = await site.writer.run(lambda file: start_judge(file, arrival, now()))
    if outcome.refusal is not None:
        return _refused(site, outcome.refusal)
    assignment = found.session if found.submit_to else ""
    token = site.tokens.link(JudgeLink(outcome.judge, assignment, found.submit_to))
    return redirect(f"/j/{token}/instructions")


def _refused(site: Site, refusal: Refusal) -> Response:
    status, heading, text = _REFUSALS[refusal]
    code = _full_code(site) if refusal == "full" else ""
    ending = "" if code else _RETURN.get(site.settings.mode, "")
    return error_page(status, heading, text + ending, prolific=code)


def _full_code(site: Site) -> str:
    """The code of those who come from Prolific and find nothing to do; empty if there is none."""
    return site.file.study.settings.full_code if site.settings.mode == "prolific" else ""


def _consent_page(site: Site, found: Participant, start: str, message: str = "") -> Response:
    return page(
        "consent",
        400 if message else 200,
        title=site.consent.title,
        consent=site.consent,
        fields={"start": start, **found.fields},
        message=message,
    )


def _preview(site: Site) -> Response:
    """The page before a worker accepts: nothing can be answered, nothing is stored."""
    study = site.file.study
    return page(
        "preview",
        title=study.settings.title,
        consent=site.consent,
        instructions=instructions(study.kind),
    )


def _wrong_link(site: Site) -> Response:
    text = _WRONG_LINK.get(site.settings.mode, "Please open the link of the study again.")
    return error_page(403, "This link does not start the study", text)

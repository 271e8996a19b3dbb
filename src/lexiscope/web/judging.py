"""The pages of judges: consent, instructions, items, and thanks."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from lexiscope.core.study import OPT_OUT, Item, Judge
from lexiscope.human.assignment import current_items, needs_items, option_order
from lexiscope.human.instructions import UNKNOWN as UNKNOWN_WORDS
from lexiscope.human.instructions import instructions as instructions_of
from lexiscope.store.study_file import Assigned
from lexiscope.web.answers import UNKNOWN, Answer, first_unanswered, read_position, store_answer
from lexiscope.web.pages import error_page, page
from lexiscope.web.platforms import completion_link, submit_link
from lexiscope.web.security import from_other_site
from lexiscope.web.site import Site, form_of, now, site_of
from lexiscope.web.tokens import JudgeLink

_CLOSED = "It takes no more answers. Answers that were given before are stored. Thank you!"


@dataclass(frozen=True)
class Visit:
    """A request of a judge."""

    site: Site
    request: Request
    token: str
    link: JudgeLink
    judge: Judge

    @property
    def home(self) -> str:
        """The address that leads to the next item of the judge."""
        return f"/j/{self.token}"

    async def assigned(self) -> tuple[Assigned, ...]:
        """Return the items of the judge; expired ones are replaced while the study is open."""
        file = self.site.file
        found = file.assigned(self.judge.id)
        if file.closed is not None or not needs_items(file.study, found, now()):
            return found
        return await self.site.writer.run(
            lambda writing: current_items(writing, self.judge.id, now())
        )


Handler = Callable[[Visit], Awaitable[Response]]


def for_judge(handler: Handler) -> Callable[[Request], Awaitable[Response]]:
    """Let only judges in: the token in the path must be signed, known and not expired."""

    async def checked(request: Request) -> Response:
        site = site_of(request)
        token = request.path_params["token"]
        link = site.tokens.read_link(token)
        judge = site.file.judge(link.judge) if link else None
        if link is None or judge is None:
            return error_page(
                404, "Unknown link", "This link is incomplete, or its answers have been deleted. "
                "Please open the link exactly as you received it.",
            )  # fmt: skip
        if now() - judge.started > 86_400.0 * site.settings.limits.link_days:
            text = "Answers that you gave are stored. Thank you for taking part."
            return error_page(403, "This link has expired", text)
        if request.method == "POST" and is_foreign(request):
            return other_site_page()
        return await handler(Visit(site, request, token, link, judge))

    return checked


def is_foreign(request: Request) -> bool:
    """Return whether a page of another site sends a form of a judge.

    On MTurk this cannot be known: a frame with a sandbox has an origin of its own.
    """
    settings = site_of(request).settings
    return settings.mode != "mturk" and from_other_site(request, settings.base_url)


def other_site_page() -> Response:
    """Return the page for a form that a page of another site sent."""
    return error_page(403, "Refused", "This request came from another site.")


def redirect(address: str) -> Response:
    """Return a redirect after which the browser uses GET."""
    return RedirectResponse(address, 303)


def closed_page(prolific: str = "") -> Response:
    """Return the page of a closed study, with a code for those who come from Prolific."""
    return error_page(403, "The study is closed", _CLOSED, prolific=prolific)


async def resume(visit: Visit) -> Response:
    """Go to the next item, or to the end."""
    return redirect(_next(visit, await visit.assigned()))


async def instructions(visit: Visit) -> Response:
    """Show the instructions with a worked example."""
    study = visit.site.file.study
    return page(
        "instructions",
        title=study.settings.title,
        instructions=instructions_of(study.kind),
        forward=visit.home,
        resume=visit.site.settings.base_url + visit.home,
    )


async def show_item(visit: Visit) -> Response:
    """Show one item; items after the first one without an answer are not open yet."""
    if visit.site.file.closed is not None:
        return closed_page()
    assigned = await visit.assigned()
    index = visit.request.path_params["number"] - 1
    first = first_unanswered(assigned)
    if not 0 <= index < len(assigned) or (first is not None and index > first):
        return redirect(_next(visit, assigned))
    await _start_clock(visit, assigned[index])
    return _item_page(visit, assigned, index)


async def _start_clock(visit: Visit, each: Assigned) -> None:
    if each.shown is not None:
        return
    at, judge = now(), visit.judge.id
    visit.site.stopwatch.start(judge, each.item)
    await visit.site.writer.run(lambda file: file.show(judge, each.item, at))


async def answer_item(visit: Visit) -> Response:
    """Store an answer, then go to the next item."""
    site, form = visit.site, await form_of(visit.request)
    if not site.limits.answers.allows(visit.judge.id):
        return error_page(429, "A little slower, please", "Please go back and send it again.")
    if site.file.closed is not None:
        return closed_page()
    item = site.file.items.get(form.get("item", ""))
    if item is None:
        return _not_assigned(visit)
    try:
        position = read_position(form.get("choice", ""), len(item.options))
    except ValueError:
        return await _choice_missing(visit, item)
    answer = Answer(visit.judge.id, item.id, position)
    after = await site.writer.run(lambda file: store_answer(file, answer, now(), site.stopwatch))
    return _not_assigned(visit) if after is None else redirect(_next(visit, after))


def _not_assigned(visit: Visit) -> Response:
    return error_page(
        409, "This question is not yours", "It was not given to you, or the time for it has "
        "passed and someone else answered it.", visit.home,
    )  # fmt: skip


async def _choice_missing(visit: Visit, item: Item) -> Response:
    assigned = await visit.assigned()
    index = next((k for k, each in enumerate(assigned) if each.item == item.id), None)
    if index is None:
        return _not_assigned(visit)
    return _item_page(visit, assigned, index, "Please choose one of the answers.")


async def thanks(visit: Visit) -> Response:
    """Show the last page, which has the completion code, after the last answer is stored."""
    assigned = await visit.assigned()
    if first_unanswered(assigned) is not None:
        return redirect(visit.home)
    await _finish(visit, assigned)
    site, settings = visit.site, visit.site.file.study.settings
    on_prolific = site.settings.mode == "prolific"
    without_items = settings.full_code if on_prolific else ""
    code = settings.completion_code if assigned else without_items
    return page(
        "thanks",
        title=settings.title,
        judge=visit.judge.id,
        contact=settings.contact,
        answered=len(assigned),
        code=code,
        address=completion_link(code) if on_prolific and code else "",
        submit=submit_link(visit.link.submit_to) if visit.link.submit_to else "",
        assignment=visit.link.assignment,
        back=f"{visit.home}/{len(assigned)}" if site.file.closed is None and assigned else "",
    )


async def _finish(visit: Visit, assigned: Sequence[Assigned]) -> None:
    """Record the end of a judge whose last items others have answered."""
    if assigned and visit.judge.finished is None:
        await visit.site.writer.run(lambda file: file.finish(visit.judge.id, now()))


def _next(visit: Visit, assigned: Sequence[Assigned]) -> str:
    index = first_unanswered(assigned)
    if index is not None:
        return f"{visit.home}/{index + 1}"
    return f"{visit.home}/closing" if assigned and _is_to_close(visit) else f"{visit.home}/thanks"


def _is_to_close(visit: Visit) -> bool:
    """Whether the judge has not seen the closing questions; thanks and code never need them."""
    file = visit.site.file
    settings = file.study.settings
    return settings.has_closing_questions and visit.judge.closing is None and file.closed is None


def _item_page(
    visit: Visit, assigned: Sequence[Assigned], index: int, message: str = ""
) -> Response:
    study = visit.site.file.study
    item = visit.site.file.items[assigned[index].item]
    order = option_order(study, visit.judge.id, item)
    return page(
        "item",
        400 if message else 200,
        title=study.settings.title,
        language=study.settings.language,
        question=instructions_of(item.kind).question,
        query=item.query if item.kind == "comparison" else "",
        item=item.id,
        options=[(str(k), item.options[option]) for k, option in enumerate(order)],
        unknown=UNKNOWN,
        unknown_words=UNKNOWN_WORDS,
        chosen=_stored_choice(visit, item, order) if assigned[index].answered else None,
        number=index + 1,
        total=len(assigned),
        action=f"{visit.home}/{index + 1}",
        back=f"{visit.home}/{index}" if index else "",
        help=f"{visit.home}/instructions",
        message=message,
    )


def _stored_choice(visit: Visit, item: Item, order: Sequence[int]) -> str | None:
    """The value of the answer that is stored already."""
    found = visit.site.file.judgment(visit.judge.id, item.id)
    if found is None:
        return None
    return UNKNOWN if found.choice == OPT_OUT else str(order.index(found.choice))

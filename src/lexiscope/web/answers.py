"""The start of a judge and the storage of answers, as operations of one transaction each."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from lexiscope.core.study import OPT_OUT, Judge, Judgment, Platform
from lexiscope.human.assignment import choose_items, current_items, needs_items, option_order
from lexiscope.store.study_file import Assigned, StudyFile
from lexiscope.web.stopwatch import Stopwatch

UNKNOWN = "unknown"  # the value of "I don't know the meaning of one (or several) of the words"


@dataclass(frozen=True)
class Arrival:
    """A person who wants to start: platform, its ids, the consent, and an id for a new judge."""

    platform: Platform
    consent: str
    judge: str = ""
    person: str = ""
    session: str = ""


@dataclass(frozen=True)
class Answer:
    """An answer as it was sent: the position of the chosen option, or None for an opt-out."""

    judge: str
    item: str
    position: int | None


Refusal = Literal["full", "finished", "elsewhere"]


@dataclass(frozen=True)
class Start:
    """The outcome of a start: the id of a judge, or why there is none."""

    judge: str = ""
    refusal: Refusal | None = None


def start_judge(file: StudyFile, arrival: Arrival, now: float) -> Start:
    """Return the judge of this arrival, who is added once, or why nobody is added.

    A judge is resumed only by the ids of both person and session: the id of a person is not
    secret, so that it must not open the answers of that person.
    """
    known = _known(file, arrival)
    if known is not None:
        return Start(known.id)
    refusal = _other_session(file, arrival.person)
    if refusal is not None:
        return Start(refusal=refusal)
    if file.closed is not None or not choose_items(file.study, file.loads(now), arrival.judge):
        return Start(refusal="full")
    judge = file.add_judge(
        arrival.platform, now, person=arrival.person, session=arrival.session,
        consent=arrival.consent, judge_id=arrival.judge,
    )  # fmt: skip
    current_items(file, judge.id, now)
    return Start(judge.id)


def _known(file: StudyFile, arrival: Arrival) -> Judge | None:
    if arrival.person:
        return file.judge_of_session(arrival.person, arrival.session)
    return file.judge(arrival.judge)


def _other_session(file: StudyFile, person: str) -> Refusal | None:
    """Return why a person who came with another session before does not start again.

    A session without answers does not count: it is replaced, and its link ends.
    """
    before = file.judges_of_person(person) if person else ()
    for judge in before:
        if judge.finished is not None:
            return "finished"
        if any(each.answered for each in file.assigned(judge.id)):
            return "elsewhere"
    for judge in before:
        file.discard(judge.id)
    return None


def store_answer(
    file: StudyFile, answer: Answer, now: float, stopwatch: Stopwatch
) -> tuple[Assigned, ...] | None:
    """Store an answer; returns the judge's items after it, or None if it is not accepted.

    An answer is accepted if the item is assigned to the judge. After the reservation has expired,
    the item must still need a judgment.
    """
    assigned = () if file.closed is not None else file.assigned(answer.judge)
    found = next((each for each in assigned if each.item == answer.item), None)
    if found is None or not (found.answered or _has_room(file, answer, found.reserved, now)):
        return None
    seconds = stopwatch.seconds(answer.judge, answer.item, found.shown, now)
    file.record(_judgment(file, answer, seconds, now))
    after = tuple(
        each._replace(answered=True) if each.item == answer.item else each for each in assigned
    )
    if needs_items(file.study, after, now):
        after = current_items(file, answer.judge, now)
    if first_unanswered(after) is None:
        file.finish(answer.judge, now)
    elif _ageing(file, after, now):
        file.reserve_again(answer.judge, now)
    return after


def _has_room(file: StudyFile, answer: Answer, reserved: float, now: float) -> bool:
    settings = file.study.settings
    if file.items[answer.item].control or now - reserved < 60.0 * settings.reservation_minutes:
        return True
    others = file.loads(now, without=answer.judge).get(answer.item, 0)
    return others < settings.judges_per_item


def _judgment(file: StudyFile, answer: Answer, seconds: float | None, now: float) -> Judgment:
    order = option_order(file.study, answer.judge, file.items[answer.item])
    choice = OPT_OUT if answer.position is None else order[answer.position]
    return Judgment(answer.judge, answer.item, choice, order, seconds, now)


def _ageing(file: StudyFile, assigned: Sequence[Assigned], now: float) -> bool:
    """Whether a quarter of the reservation of unanswered items has passed."""
    oldest = min(each.reserved for each in assigned if not each.answered)
    return now - oldest > 15.0 * file.study.settings.reservation_minutes


def first_unanswered(assigned: Sequence[Assigned]) -> int | None:
    """Return the index of the first item without an answer; None if all have one."""
    return next((k for k, each in enumerate(assigned) if not each.answered), None)


def read_position(text: str, options: int) -> int | None:
    """Return the chosen position, or None for an opt-out; ValueError if it was not shown."""
    if text == UNKNOWN:
        return None
    if not (text.isascii() and text.isdigit() and int(text) < options):
        raise ValueError("no such option")
    return int(text)

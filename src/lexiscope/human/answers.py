"""Answers that were given outside the web page, and how they enter a study.

Everything is stored in one transaction, or nothing. An answer that the study has already changes
nothing, so that the same file can be imported again.
"""

import hashlib
import hmac
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import msgspec

from lexiscope.core.errors import BadData
from lexiscope.core.study import OPT_OUT, Item, Judge, Judgment, Platform, Study
from lexiscope.store.study_file import StudyFile

MAX_ANSWERS = 2_000_000
# Ids that lexiscope made. Any other id could be the name of a person.
_OWN_ID = re.compile(r"[0-9a-f]{16}|simulated[0-9]{4,}")


@dataclass(frozen=True)
class Answer:
    """An answer in a file.

    Parameters
    ----------
    where : str
        The file and the line, for messages.
    judge : str
        What identifies the judge in the file: an id that lexiscope made, or that of a platform.
    item : str
        The id of the item.
    choice : int
        The index of the chosen option in `Item.options`, or `OPT_OUT`.
    order : tuple of int
        The options as they were shown.
    seconds, answered : float, optional
        The time that the answer took, and when it was given.
    platform : str
        Where the judge came from.
    """

    where: str
    judge: str
    item: str
    choice: int
    order: tuple[int, ...]
    seconds: float | None = None
    answered: float | None = None
    platform: Platform = "import"


@dataclass(frozen=True)
class Contents:
    """What was read from files: answers, and judges and revisions where the format has them.

    `skipped` says what was left out, and why; `notes` says what the files disagree on.
    """

    answers: Sequence[Answer] = ()
    judges: Sequence[Judge] = ()
    revisions: Sequence[tuple[str, str, int, float]] = ()
    skipped: Sequence[str] = ()
    notes: Sequence[str] = ()


@dataclass(frozen=True)
class Imported:
    """The numbers of new judges, of new judgments, and of those that the study had already."""

    judges: int
    judgments: int
    unchanged: int
    skipped: tuple[str, ...] = field(default=())
    notes: tuple[str, ...] = field(default=())


def fingerprint(study: Study) -> str:
    """Return what identifies the items of a study in exported files.

    It depends on items and seed, not on the statements of the consent page.
    """
    text = msgspec.json.encode([study.kind, study.settings.seed, study.items])
    return hashlib.sha256(text).hexdigest()[:16]


def check_fingerprint(study: Study, found: str, where: str) -> None:
    """Raise `BadData` if a file belongs to another study."""
    expected = fingerprint(study)
    if found != expected:
        raise BadData(
            f"{where}: belongs to another study ({found[:40] or 'none'}, expected {expected})."
        )


def item_of(items: Mapping[str, Item], key: str, where: str) -> Item:
    """Return the item with this id."""
    if key not in items:
        raise BadData(f"{where}: the study has no item '{key[:60]}'.")
    return items[key]


def choice_of(text: str, item: Item, order: Sequence[int], where: str) -> int:
    """Return the choice for an answer 1 to n in order of display, or 0 for "I don't know"."""
    try:
        number = float(text)
    except ValueError:
        number = -1.0
    if number != int(number) or not 0 <= number <= len(item.options):
        raise BadData(
            f"{where}: expected 0 or an option from 1 to {len(item.options)}, found '{text[:40]}'."
        )
    return order[int(number) - 1] if number else OPT_OUT


def store_contents(file: StudyFile, found: Contents, now: float) -> Imported:
    """Store answers and judges in one transaction; returns how many are new.

    Raises `BadData` for answers that the study cannot have, for different answers of one judge to
    one item, and if simulated judges would mix with people.
    """
    _check(file, found.answers)
    _check_mixture(file, found)
    with file.transaction():
        ids, added = _add_judges(file, found, now)
        new = 0
        for each in found.answers:
            new += _record(file, each, ids[each.judge], now)
        if added:
            file.add_revisions([r for r in found.revisions if ids.get(r[0], r[0]) in added])
        _finish(file, found, ids, added, now)
    unchanged = len(found.answers) - new
    return Imported(len(added), new, unchanged, tuple(found.skipped), tuple(found.notes))


def _check(file: StudyFile, answers: Sequence[Answer]) -> None:
    seen: dict[tuple[str, str], str] = {}
    if len(answers) > MAX_ANSWERS:
        raise BadData(f"{answers[0].where}: more than {MAX_ANSWERS:,} answers.")
    for each in answers:
        item = item_of(file.items, each.item, each.where)
        options = range(len(item.options))
        if each.choice != OPT_OUT and each.choice not in options:
            raise BadData(f"{each.where}: item '{item.id}' has no option {each.choice + 1}.")
        if sorted(each.order) != list(options):
            raise BadData(f"{each.where}: the order must list every option of the item once.")
        if (each.judge, each.item) in seen:
            first = seen[each.judge, each.item]
            raise BadData(
                f"{each.where}: the judge has answered item '{each.item}' already ({first})."
            )
        seen[each.judge, each.item] = each.where


def _check_mixture(file: StudyFile, found: Contents) -> None:
    """Simulated judges and people never share a study."""
    kinds = {judge.platform == "simulation" for judge in (*file.judges(), *found.judges)}
    kinds |= {each.platform == "simulation" for each in found.answers}
    if len(kinds) > 1:
        raise BadData(
            f"{file.path}: simulated judges and people never share a study. Import into a new one."
        )


def _add_judges(
    file: StudyFile, found: Contents, now: float
) -> tuple[dict[str, str], frozenset[str]]:
    """Add the judges that are new; returns the id of each judge in the files, and the new ids."""
    known = {judge.id: judge for judge in found.judges}
    present = {judge.id for judge in file.judges()}
    ids: dict[str, str] = {}
    added: set[str] = set()
    starts = _starts(found.answers, now)
    for key in dict.fromkeys([*known, *(each.judge for each in found.answers)]):
        ids[key] = judge_id(file, key)
        if ids[key] not in present | added:
            person = "" if ids[key] == key else key
            base = known.get(key) or Judge(key, *starts[key])
            file.add_judge(
                base.platform, base.started, person=person, consent=base.consent, judge_id=ids[key]
            )
            if base.closing is not None:
                file.close_judge(ids[key], base.closing)
            added.add(ids[key])
    return ids, frozenset(added)


def _starts(answers: Sequence[Answer], now: float) -> dict[str, tuple[Platform, float]]:
    """The platform and the first time of each judge."""
    found: dict[str, tuple[Platform, float]] = {}
    for each in answers:
        at = now if each.answered is None else each.answered - (each.seconds or 0.0)
        earlier = found.get(each.judge, (each.platform, at))
        found[each.judge] = (each.platform, min(at, earlier[1]))
    return found


def judge_id(file: StudyFile, key: str) -> str:
    """Return the random id of a judge; ids of platforms are replaced by a keyed hash."""
    if _OWN_ID.fullmatch(key):
        return key
    before = file.judges_of_person(key)
    if before:
        return before[0].id
    return hmac.new(file.secret, key.encode("utf-8", "replace"), hashlib.sha256).hexdigest()[:16]


def _record(file: StudyFile, each: Answer, judge: str, now: float) -> bool:
    """Store an answer; returns whether it is new."""
    before = file.judgment(judge, each.item)
    if before is not None and before.choice != each.choice:
        raise BadData(
            f"{each.where}: judge '{judge}' has given another answer to item '{each.item}' already."
        )
    at = now if each.answered is None else each.answered
    made = Judgment(judge, each.item, each.choice, each.order, each.seconds, at)
    return before is None and file.record(made)


def _finish(
    file: StudyFile,
    found: Contents,
    ids: Mapping[str, str],
    added: frozenset[str],
    now: float,
) -> None:
    """Record when the new judges finished: as in the file, or with their last answer."""
    given = {judge.id: judge.finished for judge in found.judges}
    ends = dict(given)
    for each in found.answers:
        if each.judge not in given:
            at = now if each.answered is None else each.answered
            ends[each.judge] = max(at, ends.get(each.judge) or at)
    for key, end in ends.items():
        if end is not None and ids[key] in added:
            file.finish(ids[key], end)

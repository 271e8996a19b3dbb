"""The statements that a judge agrees to, and their fingerprint."""

import hashlib
import math
from dataclasses import dataclass
from typing import Literal

from lexiscope.core.study import Kind, Study, StudySettings
from lexiscope.human.workload import items_of_judge, minutes_of_judge

# How a judge takes part: pages of the server, or files for others.
Medium = Literal["link", "class", "prolific", "mturk", "mturk_batch", "potato", "spreadsheet"]

_TASKS: dict[Kind, str] = {
    "comparison": "You see one word at a time, and choose which of several other words is "
    "closest to it in meaning.",
    "intrusion": "You see a few words at a time, and choose the one that does not belong with "
    "the others.",
}
_ON_PAGE = (
    "Your answers, how long each took, and when you took part, under a random participant ID. "
    "No name, network address or cookie."
)
_OWN_TABLE = "is kept in a separate table, for payment only, and is not part of published data."
_STORED: dict[Medium, str] = {
    "link": _ON_PAGE,
    "class": _ON_PAGE,
    "prolific": f"{_ON_PAGE} Your Prolific ID {_OWN_TABLE}",
    "mturk": f"{_ON_PAGE} Your worker ID {_OWN_TABLE}",
    "mturk_batch": "Your answers and the time of the task, under a random participant ID. Your "
    f"worker ID {_OWN_TABLE}",
    "potato": "Your answers, how long each took, and when you took part, under a random "
    "participant ID. Your user name is kept in a separate table, and is not part of published "
    "data.",
    "spreadsheet": "Your answers, under a random participant ID. No name.",
}
_PAGES: tuple[Medium, ...] = ("link", "class", "prolific", "mturk")
_STOP: dict[Medium, str] = {"spreadsheet": "by not handing in your file"}
# What a judge sends to have their answers deleted.
_SHOWN_ID = "At the end you see your participant ID. Send it"
_WITHDRAWAL_ID: dict[Medium, str] = {
    "mturk_batch": "Send your worker ID",
    "potato": "Send your user name",
    "spreadsheet": "Your participant ID is in the column 'judge' of your file. Send it",
}


@dataclass(frozen=True)
class Statement:
    """A paragraph of the consent page with its heading."""

    heading: str
    text: str


@dataclass(frozen=True)
class Consent:
    """The consent page of a study."""

    title: str
    statements: tuple[Statement, ...]
    agreement: str

    @property
    def fingerprint(self) -> str:
        """A short hash of everything that the judge agrees to."""
        parts = [self.title, self.agreement]
        parts += [part for each in self.statements for part in (each.heading, each.text)]
        return hashlib.sha256("\0".join(parts).encode("utf-8", "replace")).hexdigest()[:16]


def consent(study: Study, medium: Medium) -> Consent:
    """Return what a judge of this study agrees to."""
    settings = study.settings
    pairs = [
        ("Who", _who(settings.institution, medium)),
        ("What", _what(study)),
        ("Payment", _payment(settings.pay_per_judge, settings.currency)),
        ("Your choice", "Taking part is voluntary. You can stop at any time "
         f"{_STOP.get(medium, 'by closing the page')}, without giving a reason."),
        ("Withdrawal", _withdrawal(settings.contact, medium)),
        ("What is stored", _STORED[medium] + _closing(settings, medium)),
        ("How long it is kept", settings.retention),
        ("Ethics approval", settings.ethics),
        ("Contact", settings.contact),
    ]  # fmt: skip
    return Consent(
        settings.title,
        tuple(Statement(heading, text) for heading, text in pairs if text),
        "I have read this page, I am 18 or older or take part with my school's permission, and "
        "I agree to take part.",
    )


def _who(institution: str, medium: Medium) -> str:
    return f"This study is run by {institution or _giver(medium)}."


def _giver(medium: Medium) -> str:
    return f"the person who gave you this {'file' if medium == 'spreadsheet' else 'link'}"


def _what(study: Study) -> str:
    number, needed = items_of_judge(study), max(1, math.ceil(minutes_of_judge(study)))
    duration = "a minute" if needed == 1 else f"{needed} minutes"
    return (
        f"{_TASKS[study.kind]} There are {number} short questions; most people need about "
        f"{duration}. There is no known risk. Words are chosen by computer programs, "
        "so some may be odd or unpleasant."
    )


def _payment(pay: float, currency: str) -> str:
    return f"You receive {pay:.2f} {currency} when you finish." if pay > 0 else ""


def _closing(settings: StudySettings, medium: Medium) -> str:
    """What judges may say about themselves, on the page after the last item."""
    names = [
        *(["your first language"] if settings.ask_first_language else []),
        *(["whether you used other help"] if settings.ask_other_help else []),
    ]
    if not names or medium not in _PAGES:
        return ""
    return f" If you choose to say so at the end: {' and '.join(names)}."


def _withdrawal(contact: str, medium: Medium) -> str:
    return (
        f"{_WITHDRAWAL_ID.get(medium, _SHOWN_ID)} to "
        f"{contact or _giver(medium)}, and everything that you answered "
        "is deleted."
    )

"""Parameters that Prolific and MTurk append to the link of a study."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import quote

from lexiscope.web.settings import Mode
from lexiscope.web.tokens import SubmitTo

PREVIEW = "ASSIGNMENT_ID_NOT_AVAILABLE"
# Exactly these: any other address would receive the ids of workers.
SUBMIT_HOSTS: Mapping[str, SubmitTo] = {
    "https://www.mturk.com": "live",
    "https://workersandbox.mturk.com": "sandbox",
}
FRAMES = (
    "https://www.mturk.com https://worker.mturk.com https://workersandbox.mturk.com "
    "https://requester.mturk.com https://requestersandbox.mturk.com"
)
_COMPLETE = "https://app.prolific.com/submissions/complete?cc="
_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")


@dataclass(frozen=True)
class Participant:
    """The ids of a person and of this session on a platform; empty for a plain link."""

    person: str = ""
    session: str = ""
    submit_to: SubmitTo = ""
    preview: bool = False

    @property
    def fields(self) -> dict[str, str]:
        """The hidden fields of the start form."""
        return {"person": self.person, "session": self.session, "submit_to": self.submit_to}


def participant(mode: Mode, query: Mapping[str, str]) -> Participant | None:
    """Return who arrives with these parameters; None if the platform did not send them."""
    if mode == "prolific":
        person, session = query.get("PROLIFIC_PID", ""), query.get("SESSION_ID", "")
        return _checked(Participant(person, session))
    if mode == "mturk":
        return _mturk(query)
    return Participant()


def _mturk(query: Mapping[str, str]) -> Participant | None:
    assignment = query.get("assignmentId", PREVIEW)
    if assignment == PREVIEW:
        return Participant(preview=True)
    submit_to = SUBMIT_HOSTS.get(query.get("turkSubmitTo", "").removesuffix("/"))
    if submit_to is None:
        return None
    return _checked(Participant(query.get("workerId", ""), assignment, submit_to))


def from_form(mode: Mode, form: Mapping[str, str]) -> Participant | None:
    """Return who sends a start form; None if its fields do not fit the mode."""
    if mode in {"link", "class"}:
        return Participant()
    submit_to = form.get("submit_to", "")
    known: dict[str, SubmitTo] = {"": "", "live": "live", "sandbox": "sandbox"}
    if submit_to not in known or bool(submit_to) != (mode == "mturk"):
        return None
    return _checked(Participant(form.get("person", ""), form.get("session", ""), known[submit_to]))


def _checked(found: Participant) -> Participant | None:
    valid = _ID.fullmatch(found.person) and _ID.fullmatch(found.session)
    return found if valid and found.session != PREVIEW else None


def completion_link(code: str) -> str:
    """Return the address that reports a completed session to Prolific."""
    return _COMPLETE + quote(code, safe="")


def submit_link(submit_to: SubmitTo) -> str:
    """Return the address that the last form of an MTurk assignment is sent to."""
    return next(host for host, name in SUBMIT_HOSTS.items() if name == submit_to) + (
        "/mturk/externalSubmit"
    )

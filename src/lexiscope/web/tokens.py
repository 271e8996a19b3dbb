"""Signed tokens: the links of judges, start forms, and the administrator."""

import hashlib
import hmac
import secrets
from dataclasses import dataclass
from typing import Literal

from itsdangerous import BadSignature, Signer, TimestampSigner, URLSafeSerializer

SubmitTo = Literal["", "live", "sandbox"]
_SESSION_HOURS = 12


@dataclass(frozen=True)
class JudgeLink:
    """What the link of a judge carries: their id and, on MTurk, where the last form goes."""

    judge: str
    assignment: str = ""
    submit_to: SubmitTo = ""


class Tokens:
    """Signs and checks tokens with the secret of a study; nothing is stored."""

    def __init__(self, secret: bytes) -> None:
        self._links = URLSafeSerializer(
            secret, salt="judge", signer_kwargs={"digest_method": hashlib.sha256}
        )
        self._starts = Signer(secret, salt="start", digest_method=hashlib.sha256)
        self._sessions = TimestampSigner(secret, salt="session", digest_method=hashlib.sha256)
        self.admin = hmac.new(secret, b"admin", hashlib.sha256).hexdigest()[:40]

    def link(self, link: JudgeLink) -> str:
        """Return the token of a judge's link; it is the same each time."""
        return str(self._links.dumps([link.judge, link.assignment, link.submit_to]))

    def read_link(self, token: str) -> JudgeLink | None:
        """Return what a valid token carries."""
        try:
            return JudgeLink(*self._links.loads(token))
        except BadSignature:
            return None

    def new_start(self) -> str:
        """Return a random token for a start form: sending the form twice adds one judge."""
        return self._starts.sign(secrets.token_urlsafe(18)).decode()

    def judge_of_start(self, start: str) -> str | None:
        """Return the id of the judge whom this form adds."""
        try:
            value = self._starts.unsign(start)
        except BadSignature:
            return None
        return hashlib.sha256(value).hexdigest()[:16]

    def is_admin(self, token: str) -> bool:
        """Return whether this is the administrator's token, in constant time."""
        return hmac.compare_digest(token.encode(), self.admin.encode())

    def new_session(self) -> str:
        """Return the value of the administrator's cookie."""
        return self._sessions.sign(secrets.token_urlsafe(12)).decode()

    def is_session(self, value: str) -> bool:
        """Return whether this is a cookie of the administrator that has not expired."""
        try:
            self._sessions.unsign(value, max_age=3600 * _SESSION_HOURS)
        except BadSignature:
            return False
        return True

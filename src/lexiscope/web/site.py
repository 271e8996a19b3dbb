"""What all handlers of requests share."""

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import parse_qsl

from starlette.requests import Request

from lexiscope.human.consent import Consent, consent
from lexiscope.store.study_file import StudyFile
from lexiscope.web.rate_limit import RateLimit
from lexiscope.web.settings import Limits, WebSettings
from lexiscope.web.stopwatch import Stopwatch
from lexiscope.web.tokens import Tokens
from lexiscope.web.writer import Writer


@dataclass(frozen=True)
class RateLimits:
    """The rate limits of answers, new judges and failed log-ins."""

    answers: RateLimit
    starts: RateLimit
    logins: RateLimit

    @classmethod
    def of(cls, limits: Limits) -> "RateLimits":
        """Return new rate limits."""
        return cls(
            RateLimit(limits.answers_per_second, limits.answer_burst),
            RateLimit(limits.starts_per_minute / 60.0, limits.starts_per_minute),
            RateLimit(limits.logins_per_hour / 3600.0, limits.logins_per_hour),
        )


@dataclass(frozen=True)
class Site:
    """A study as it is served.

    Pages read from `file`; everything is written through `writer`, which has a connection of its
    own, so that reading never waits for a commit.
    """

    file: StudyFile
    writer: Writer
    settings: WebSettings
    tokens: Tokens
    consent: Consent
    limits: RateLimits
    stopwatch: Stopwatch = field(default_factory=Stopwatch)

    @classmethod
    def open(cls, path: str, settings: WebSettings) -> "Site":
        """Open a study file for serving."""
        file = StudyFile(path)
        return cls(
            file,
            Writer(StudyFile(path)),
            settings,
            Tokens(file.secret),
            consent(file.study, settings.mode),
            RateLimits.of(settings.limits),
        )

    async def close(self) -> None:
        """Close the study file after the last write."""
        await self.writer.close()
        self.file.close()


def site_of(request: Request) -> Site:
    """Return the site that a request is for."""
    found: Site = request.app.state.site
    return found


def now() -> float:
    """Return the time, in seconds since 1970."""
    return time.time()


def address_of(request: Request) -> str:
    """Return the network address of the visitor."""
    return request.client.host if request.client else ""


async def form_of(request: Request) -> Mapping[str, str]:
    """Return the fields of a form; other content gives none."""
    kind = request.headers.get("content-type", "").split(";")[0].strip().lower()
    if kind != "application/x-www-form-urlencoded":
        return {}
    body = (await request.body()).decode("utf-8", "replace")
    try:
        return dict(parse_qsl(body, keep_blank_values=True, max_num_fields=20))
    except ValueError:
        return {}

"""Settings of the web server: mode, addresses and limits."""

from dataclasses import dataclass, field
from typing import Literal
from urllib.parse import urlsplit

from lexiscope.core.errors import BadUsage

Mode = Literal["link", "class", "prolific", "mturk"]
MODES: tuple[Mode, ...] = ("link", "class", "prolific", "mturk")


@dataclass(frozen=True)
class Limits:
    """Bounds on what visitors may request.

    Parameters
    ----------
    answers_per_second, answer_burst : float
        Answers of one judge: the sustained rate, and the number at once.
    starts_per_minute : float
        New judges from one network address.
    logins_per_hour : float
        Failed log-ins from one network address.
    header_bytes, body_bytes : int
        The largest request line with headers, and the largest request body.
    body_seconds : float
        The time in which a request body must arrive.
    connections : int
        The largest number of open connections.
    link_days : float
        The number of days after which the link of a judge expires.
    """

    answers_per_second: float = 5.0
    answer_burst: float = 20.0
    starts_per_minute: float = 30.0
    logins_per_hour: float = 50.0
    header_bytes: int = 16_384
    body_bytes: int = 16_384
    body_seconds: float = 30.0
    connections: int = 900
    link_days: float = 30.0


# A class shares one network address.
CLASS_LIMITS = Limits(starts_per_minute=600.0)


def default_limits(mode: Mode) -> Limits:
    """Return the limits of a mode."""
    return CLASS_LIMITS if mode == "class" else Limits()


@dataclass(frozen=True)
class WebSettings:
    """How a study is served: the mode, the public address without a final slash, and limits."""

    mode: Mode = "link"
    base_url: str = "http://127.0.0.1:8000"
    limits: Limits = field(default_factory=Limits)

    def __post_init__(self) -> None:
        if self.mode not in MODES:
            raise BadUsage(f"No mode named '{self.mode}'. Available: {', '.join(MODES)}.")
        if not _is_address(self.base_url):
            raise BadUsage(
                f"The address '{self.base_url}' should look like https://study.example.org, "
                "without a path."
            )


def _is_address(text: str) -> bool:
    """Whether a text is a scheme and a host, and nothing else."""
    try:
        address = urlsplit(text)
    except ValueError:
        return False
    named = address.scheme in {"http", "https"} and address.netloc != ""
    return named and text == f"{address.scheme}://{address.netloc}"

"""A server of a study in a thread of the tests, and judges who visit it without a browser."""

import html
import re
import socket
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import requests

from lexiscope.store.study_file import StudyFile
from lexiscope.web.serve import new_server
from lexiscope.web.settings import Limits, WebSettings
from lexiscope.web.tokens import Tokens

FAST = Limits(
    answers_per_second=1e4, answer_burst=1e4, starts_per_minute=1e5, logins_per_hour=1e5
)  # fmt: skip
FORM = {"content-type": "application/x-www-form-urlencoded"}
SAME_ORIGIN = {"sec-fetch-site": "same-origin"}


@dataclass(frozen=True)
class Served:
    """A study that a server in this process serves."""

    path: Path
    url: str
    tokens: Tokens

    @property
    def port(self) -> int:
        """The port of the server."""
        return int(self.url.rsplit(":", 1)[1])

    @property
    def bearer(self) -> dict[str, str]:
        """The headers of the administrator."""
        return {"authorization": f"Bearer {self.tokens.admin}"}

    def file(self) -> StudyFile:
        """The study file, for looking at what is stored."""
        return StudyFile(self.path)

    def contents(self) -> list[str]:
        """Everything that is stored."""
        with closing(sqlite3.connect(self.path, timeout=60)) as database:
            return list(database.iterdump())

    def execute(self, statement: str, *values: object) -> None:
        """Change the file without the server."""
        with closing(sqlite3.connect(self.path, timeout=60)) as database, database:
            database.execute(statement, values)

    def get(self, path: str, **options) -> requests.Response:
        """Request a page without following redirects."""
        return self.request("GET", path, **options)

    def post(self, path: str, data=None, **options) -> requests.Response:
        """Send a form without following redirects."""
        return self.request("POST", path, data=data, **options)

    def request(self, method: str, path: str, **options) -> requests.Response:
        """Send a request without following redirects."""
        with requests.Session() as session:
            session.trust_env = False
            return session.request(
                method, self.url + path, allow_redirects=False, timeout=60, **options
            )

    def raw(self, request: bytes, seconds: float = 5.0) -> bytes:
        """Send bytes, and return what the server sends until it closes the connection."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=seconds) as connection:
            connection.sendall(request)
            return received(connection)


def received(connection: socket.socket) -> bytes:
    """Return everything that arrives until the end of a connection."""
    parts = []
    while True:
        try:
            part = connection.recv(65_536)
        except ConnectionResetError:
            part = b""
        if not part:
            return b"".join(parts)
        parts.append(part)


@contextmanager
def served(path, mode="link", limits=FAST, base_url: str = "") -> Iterator[Served]:
    """Serve a study file on a free port of this machine."""
    with socket.create_server(("127.0.0.1", 0), backlog=256) as listening:
        url = f"http://127.0.0.1:{listening.getsockname()[1]}"
        server = new_server(path, WebSettings(mode, base_url or url, limits))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
        thread.start()
        while not server.started and thread.is_alive():
            time.sleep(0.005)
        with StudyFile(path) as file:
            found = Served(Path(path), url, Tokens(file.secret))
        try:
            yield found
        finally:
            server.should_exit = True
            thread.join(10)


def hidden_fields(page: str) -> dict[str, str]:
    """Return the hidden fields of the form of a page."""
    pairs = re.findall(r'<input type="hidden" name="([^"]*)" value="([^"]*)">', page)
    return {name: html.unescape(value) for name, value in pairs}


def shown_options(page: str) -> list[str]:
    """Return the words that can be chosen, in the order of the page."""
    return re.findall(r'<bdi class="word"[^>]*>([^<]*)</bdi>', page)


def checked_value(page: str) -> str | None:
    """Return the value of the answer that is selected already."""
    found = re.search(r'name="choice" value="([^"]*)" required checked', page)
    return found[1] if found else None


@dataclass
class Visitor:
    """A judge who has agreed and started."""

    site: Served
    token: str
    items: dict[int, str] = field(default_factory=dict)

    @property
    def id(self) -> str:
        """The id of the judge."""
        link = self.site.tokens.read_link(self.token)
        assert link is not None
        return link.judge

    def get(self, page: str = "", **options) -> requests.Response:
        """Request one of the judge's pages."""
        return self.site.get(f"/j/{self.token}{page}", **options)

    def item(self, number: int) -> str:
        """Return the id of an item, which its page shows."""
        self.items[number] = hidden_fields(self.get(f"/{number}").text)["item"]
        return self.items[number]

    def answer(self, number: int, choice: object = 0, item: str = "", **options):
        """Send an answer, to the item that the page shows."""
        form = {"item": item or self.item(number), "choice": str(choice)}
        return self.site.post(f"/j/{self.token}/{number}", form, **options)

    def answer_all(self) -> requests.Response:
        """Answer every item, and return the last page."""
        address = self.get().headers["location"]
        while not address.endswith("/thanks"):
            address = self.answer(int(address.rsplit("/", 1)[1])).headers["location"]
        return self.site.get(address)

    def judgments(self):
        """Return what is stored of this judge."""
        with self.site.file() as file:
            return {each.item: each for each in file.judgments() if each.judge == self.id}

    def revisions(self):
        """Return the replaced answers of this judge: item and choice."""
        with self.site.file() as file:
            return [(item, choice) for judge, item, choice, _ in file.revisions()
                    if judge == self.id]  # fmt: skip


def start_form(site: Served, query: str = "") -> dict[str, str]:
    """Return the fields of the start form, with the box ticked."""
    return {**hidden_fields(site.get(f"/{query}").text), "agree": "yes"}


def start(site: Served, query: str = "") -> Visitor:
    """Agree and start as a new judge."""
    answer = site.post("/start", start_form(site, query))
    assert answer.status_code == 303, answer.text
    return Visitor(site, answer.headers["location"].split("/")[2])

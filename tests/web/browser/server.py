"""A server of a study that a test can stop and start again at the same address."""

import socket
import threading
import time

from lexiscope.store.study_file import StudyFile
from lexiscope.web.serve import new_server
from lexiscope.web.settings import WebSettings
from lexiscope.web.tokens import Tokens
from tests.web.http import FAST, Served, start


class Server:
    """Serves a study file on a port of this machine, in a thread."""

    def __init__(self, path, mode="link"):
        self.path, self._mode, self._port = path, mode, 0
        with StudyFile(path) as file:
            self.tokens = Tokens(file.secret)
        self.start()

    def start(self):
        self._listening = socket.create_server(("127.0.0.1", self._port), backlog=256)
        self._port = self._listening.getsockname()[1]
        self._server = new_server(self.path, WebSettings(self._mode, self.url, FAST))
        self._thread = threading.Thread(
            target=self._server.run, kwargs={"sockets": [self._listening]}, daemon=True
        )
        self._thread.start()
        while not self._server.started and self._thread.is_alive():
            time.sleep(0.005)

    def stop(self):
        self._server.should_exit = True
        self._thread.join(10)
        self._listening.close()

    @property
    def url(self):
        return f"http://127.0.0.1:{self._port}"

    @property
    def admin_link(self):
        return f"{self.url}/admin#{self.tokens.admin}"

    def new_judge(self):
        """Start a judge without a browser; returns the address of their next item."""
        token = start(Served(self.path, self.url, self.tokens)).token
        return f"{self.url}/j/{token}"

    def file(self):
        """The study file, for looking at what is stored."""
        return StudyFile(self.path)

    def judgments(self):
        """All stored judgments, in the order in which they were given."""
        with self.file() as file:
            return sorted(file.judgments(), key=lambda each: each.answered)

    def revisions(self):
        """The replaced answers: judge, item, choice, time."""
        with self.file() as file:
            return file.revisions()

    def close_study(self):
        with self.file() as file:
            file.close_study(time.time())

"""Random requests, from a fixed seed: whatever arrives, the server has no error of its own."""

import http.client
import random
from urllib.parse import quote, urlencode

from tests.web.http import FORM, Visitor, start, start_form

REQUESTS = 2000
_METHODS = ("GET",) * 5 + ("POST",) * 5 + ("HEAD", "PUT", "DELETE", "OPTIONS", "PATCH", "BREW")
_TEXTS = (
    "", "0", "1", "6", "-1", "9" * 30, "unknown", "yes", "é", "\x00", "\r\n", "'; DROP TABLE judge",
    "../..", "%", "%%30", "{{7*7}}", "a" * 300, "\udcff", "𝕏", "\u202e", "null", "[]", "None",
)  # fmt: skip
_FIELDS = ("item", "choice", "start", "agree", "person", "session", "submit_to", "token", "judge")
_HEADERS = {
    "sec-fetch-site": ("same-origin", "cross-site", "none", "\xff"),
    "origin": ("null", "http://[", "https://evil.example", "://", "\xff"),
    "authorization": ("Bearer", "Bearer x", "Basic eDp5", "\xff\xfe", "Bearer " + "a" * 500),
    "cookie": ("lexiscope_admin=x", "lexiscope_admin=", ";;;", '="', "a=b; " * 50, "\xff"),
    "content-type": (*FORM.values(), "application/json", "multipart/form-data", "\xff", ";"),
    "x-forwarded-for": ("1.2.3.4", "\xff", ","),
    "host": ("evil.example", "[::1", ""),
    "range": ("bytes=0-1", "bytes=-"),
    "if-none-match": ("*",),
    "accept-encoding": ("gzip;q=x",),
}


def test_random_requests_give_no_server_error(site):
    rng = random.Random(17)
    judges = [start(site) for _ in range(4)]
    known = _known(site, judges)
    statuses = {}
    connection = http.client.HTTPConnection("127.0.0.1", site.port, timeout=60)
    try:
        for _ in range(REQUESTS):
            status = _send(connection, rng, _path(rng, judges), known)
            statuses[status] = statuses.get(status, 0) + 1
    finally:
        connection.close()
    assert not [status for status in statuses if status >= 500], statuses
    assert statuses[200] > 50
    assert statuses[303] > 20
    _assert_consistent(site)


def _known(site, judges):
    """Values that are valid somewhere, so that requests reach further than the first check."""
    with site.file() as file:
        items = [each.item for judge in judges for each in file.assigned(judge.id)]
    return {"item": items, "choice": ["0", "1", "2", "unknown"], "agree": ["yes"],
            "start": [start_form(site)["start"]]}  # fmt: skip


def _text(rng):
    return "".join(rng.choice(_TEXTS) for _ in range(rng.randint(1, 2)))


def _path(rng, judges):
    token = rng.choice(judges).token if rng.random() < 0.8 else _quoted(_text(rng))
    last = rng.choice(
        ["", "/1", "/2", "/6", "/thanks", "/closing", "/instructions", f"/{_quoted(_text(rng))}"]
    )
    others = ["/", "/start", "/admin", "/admin/login", "/admin/status", "/admin/results",
              "/admin/close", "/admin/open", "/admin/forget", "/static/style.css", "/robots.txt",
              f"/static/{_quoted(_text(rng))}", f"/{_quoted(_text(rng))}"]  # fmt: skip
    path = f"/j/{token}{last}" if rng.random() < 0.6 else rng.choice(others)
    return path + (f"?{_body(rng, {})}" if rng.random() < 0.3 else "")


def _quoted(text):
    return quote(text.encode("utf-8", "surrogateescape"), safe="/.%")


def _body(rng, known):
    names = [rng.choice(_FIELDS) for _ in range(rng.choice([0, 1, 2, 3, 5, 30]))]
    names += [name for name in known if rng.random() < 0.7]
    pairs = [(name, rng.choice(known[name]) if name in known and rng.random() < 0.8
              else _text(rng)) for name in names]  # fmt: skip
    return urlencode(pairs, errors="surrogateescape")


def _send(connection, rng, path, known):
    headers = {name: rng.choice(values) for name, values in _HEADERS.items() if rng.random() < 0.1}
    body = _body(rng, known).encode() if rng.random() < 0.7 else rng.randbytes(rng.randint(0, 200))
    headers = {**(FORM if rng.random() < 0.9 else {}), **headers}
    connection.request(rng.choice(_METHODS), path, body, headers)
    response = connection.getresponse()
    response.read()
    return response.status


def _assert_consistent(site):
    """Every judgment is of an assigned item, and the study is as it was."""
    with site.file() as file:
        assigned = {judge.id: {each.item for each in file.assigned(judge.id)}
                    for judge in file.judges()}  # fmt: skip
        judgments = file.judgments()
        assert len(judgments) > 2
        assert all(each.item in assigned[each.judge] for each in judgments)
        assert file.closed is None
    for judge in assigned:
        assert isinstance(judge, str)
    assert Visitor(site, "x").get().status_code == 404

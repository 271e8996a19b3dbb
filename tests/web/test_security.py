"""Headers of every response, bounds on requests, and what pages and logs reveal."""

import logging
import re
import socket
import time
from dataclasses import replace

import pytest

from lexiscope.core.errors import BadData, BadUsage
from lexiscope.web.settings import WebSettings
from tests.web.http import FAST, received, start
from tests.web.studies import comparison

STRICT = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
STATIC = ("style.css", "item.js", "admin.js", "login.js", "icon.svg")


def _pages(site):
    """A response of every kind: pages, redirects, errors, JSON and static files."""
    judge = start(site)
    addresses = [
        ("GET", "/"), ("POST", "/start"), ("GET", "/nothing"), ("PUT", "/"), ("OPTIONS", "/"),
        ("GET", f"/j/{judge.token}"), ("GET", f"/j/{judge.token}/1"), ("GET", "/j/x"),
        ("GET", f"/j/{judge.token}/instructions"), ("POST", f"/j/{judge.token}/1"),
        ("GET", "/admin"), ("GET", "/admin/status"), ("POST", "/admin/login"), ("HEAD", "/"),
        ("GET", "/robots.txt"), *(("GET", f"/static/{name}") for name in STATIC),
    ]  # fmt: skip
    return [
        *(site.request(method, path) for method, path in addresses),
        site.get("/admin", headers=site.bearer),
        site.get("/admin/status", headers=site.bearer),
        site.post("/start", b"x" * 20_000),
        judge.answer_all(),
    ]


def test_every_response_has_the_security_headers(site):
    for answer in _pages(site):
        headers = answer.headers
        assert headers["content-security-policy"] == STRICT, answer.url
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
        assert headers["x-frame-options"] == "DENY"
        assert headers["cross-origin-resource-policy"] == "same-origin"
        stored = "public, max-age=86400" if "/static/" in answer.url else "no-store"
        assert headers["cache-control"] == (stored if answer.ok else "no-store"), answer.url
        assert "server" not in headers
        assert "access-control-allow-origin" not in headers


def test_no_page_names_another_address(site):
    pages = [page for page in _pages(site) if "html" in page.headers.get("content-type", "")]
    assert len(pages) > 10
    for page in pages:
        addresses = re.findall(r'(?:src|href|action)="([^"]*)"', page.text)
        assert all(each.startswith("/") and not each.startswith("//") for each in addresses)
        text = page.text.replace("http://www.w3.org/2000/svg", "")  # a name, not an address
        named = re.findall(r"https?://[^\s<\"']*", text)
        assert all(each.startswith(site.url) for each in named), page.url


def test_no_page_has_inline_scripts_or_styles(site):
    for page in _pages(site):
        assert not re.search(r"<script(?![^>]*\bsrc=)|<style|\bstyle=|\bon\w+=\"", page.text)


@pytest.mark.parametrize(
    "path",
    [
        "/static/../app.py", "/static/..%2fapp.py", "/static/%2e%2e/app.py", "/static/..\\app.py",
        "/static//etc/passwd", "/static/%2fetc%2fpasswd", "/static/style.css/", "/static/",
        "/static", "/static/style.css%00.js", "/static/STYLE.CSS", "//", "/j", "/j/", "/j//1",
        "/admin/", "/admin/x", "/.git/config", "/index.html", "/j/x/y/z", "/%00", "/%ff%fe",
    ],
)  # fmt: skip
def test_unknown_paths_are_not_found(site, path):
    answer = site.raw(f"GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".encode())
    assert answer.startswith(b"HTTP/1.1 404 ")
    assert b"no such page" in answer
    assert STRICT.encode() in answer


@pytest.mark.parametrize("path", ["/start", "/admin/login", "/admin/forget", "/j/TOKEN/1"])
def test_a_body_of_more_than_16_kib_is_refused(site, path):
    judge = start(site)
    before, address = site.contents(), path.replace("TOKEN", judge.token)
    answer = site.post(address, b"x" * 16_385, headers=site.bearer)
    assert answer.status_code == 413
    assert answer.headers["connection"] == "close"
    assert site.post(address, b"x" * 16_384, headers=site.bearer).status_code < 413
    assert site.contents() == before


def _head(path, *headers):
    lines = [f"POST {path} HTTP/1.1", "Host: x", *headers, "", ""]
    return "\r\n".join(lines).encode()


def test_a_body_without_a_declared_length_is_bounded(site):
    kind = "Content-Type: application/x-www-form-urlencoded"
    with socket.create_connection(("127.0.0.1", site.port), timeout=5) as connection:
        connection.sendall(_head("/start", kind, "Transfer-Encoding: chunked"))
        for _ in range(3):
            connection.sendall(b"1f40\r\n" + b"x" * 8000 + b"\r\n")
        answer = received(connection)  # the server ends the connection
    assert answer.startswith(b"HTTP/1.1 413 ")


@pytest.mark.parametrize(
    "headers",
    [
        ["Content-Length: 1000000000"],
        ["Content-Length: 99999999999999999999"],
        ["Content-Length: -1"],
        ["Content-Length: 1", "Content-Length: 2"],
        ["Content-Length: 1e3"],
        [f"Content-Length: {'9' * 5000}"],
        ["Content-Length: 5", "Transfer-Encoding: chunked"],
        ["Transfer-Encoding: gzip"],
    ],
)
def test_a_false_length_is_refused_without_reading(site, headers):
    answer = site.raw(_head("/start", *headers, "Connection: close") + b"0\r\n\r\n")
    assert re.match(rb"HTTP/1.1 4(00|03|13) ", answer) or re.match(rb"HTTP/1.1 501 ", answer)


def test_a_body_that_does_not_arrive_ends_the_request(serve_study):
    site = serve_study(limits=replace(FAST, body_seconds=0.2))
    begin = time.monotonic()
    head = _head("/start", "Content-Type: application/x-www-form-urlencoded", "Content-Length: 9")
    answer = site.raw(head + b"start=")
    assert answer.startswith(b"HTTP/1.1 408 ")
    assert time.monotonic() - begin < 3.0


def test_slow_visitors_do_not_stop_others(serve_study):
    site = serve_study()
    slow = []
    try:
        for k in range(100):
            connection = socket.create_connection(("127.0.0.1", site.port), timeout=5)
            connection.sendall(b"POST /start HTTP/1.1\r\nHost: x\r\nContent-Length: 90\r\n"
                               + (b"\r\nstart=" if k % 2 else b"X-Slow: "))  # fmt: skip
            slow.append(connection)
        begin = time.monotonic()
        start(site)
        assert time.monotonic() - begin < 2.0
    finally:
        for connection in slow:
            connection.close()


def test_a_visitor_who_leaves_while_sending_is_no_error(site, caplog):
    before = site.contents()
    for _ in range(3):
        with socket.create_connection(("127.0.0.1", site.port), timeout=5) as connection:
            connection.sendall(
                _head(
                    "/start",
                    "Content-Length: 100",
                    "Content-Type: application/x-www-form-urlencoded",
                )
                + b"st"
            )
    assert site.get("/").status_code == 200
    time.sleep(0.1)
    assert site.contents() == before
    assert caplog.records == []


@pytest.mark.parametrize(
    "request_bytes",
    [
        b"GET /" + b"a" * 17_000 + b" HTTP/1.1\r\nHost: x\r\n\r\n",
        b"GET /?" + b"a" * 17_000 + b" HTTP/1.1\r\nHost: x\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: x\r\nX: " + b"a" * 17_000 + b"\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: x\r\n" + b"X: y\r\n" * 5000 + b"\r\n",
        b"GET / HTTP/1.1\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: x\r\nBad Header: y\r\n\r\n",
        b"GET /\x00 HTTP/1.1\r\nHost: x\r\n\r\n",
    ],
)
def test_malformed_or_long_headers_are_refused(site, request_bytes):
    answer = site.raw(request_bytes)
    assert re.match(rb"HTTP/1.1 4\d\d ", answer) or answer == b""
    assert site.get("/").status_code == 200


def test_an_upgrade_to_a_websocket_is_an_ordinary_request(site):
    request = b"GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, close\r\nUpgrade: websocket\r\n"
    key = b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
    assert site.raw(request + key).startswith(b"HTTP/1.1 200 ")


def _raise(problem):
    def failing(*values, **options):
        raise problem

    return failing


def test_an_error_shows_and_logs_a_number_and_nothing_else(site, monkeypatch, caplog):
    judge = start(site)
    monkeypatch.setattr("lexiscope.web.judging._item_page", _raise(KeyError("secret word")))
    answer = judge.get("/1")
    assert answer.status_code == 500
    number = re.search(r"Error ([0-9a-f]{8})", answer.text)[1]
    assert not re.search(r"secret|KeyError|Traceback|\.py", answer.text)
    assert answer.headers["content-security-policy"] == STRICT
    (record,) = caplog.records
    assert record.getMessage() == f"error {number}: KeyError at failing:{_line_of_raise()}"
    assert record.exc_info is None


def _line_of_raise():
    code = _raise(None).__code__
    return code.co_firstlineno + 1


def test_an_answer_that_cannot_be_stored_is_not_acknowledged(site, monkeypatch, caplog):
    judge = start(site)
    item = judge.item(1)
    monkeypatch.setattr("lexiscope.web.judging.store_answer", _raise(BadData("disk full")))
    answer = judge.answer(1, 0, item)
    assert answer.status_code == 503
    assert "Your answer could not be stored." in answer.text
    assert "disk full" not in answer.text + caplog.text
    assert judge.judgments() == {}


def test_logs_have_no_tokens_ids_or_words(site, caplog):
    caplog.set_level(logging.DEBUG)
    judge = start(site)
    judge.answer_all()
    site.get("/admin", headers=site.bearer)
    site.post("/admin/login", {"token": "wrong"}, headers={"origin": site.url})
    logged = "\n".join(
        record.getMessage() for record in caplog.records if not record.name.startswith("urllib3")
    )
    for secret in (judge.token, judge.id, site.tokens.admin, "query0", "river", "127.0.0.1"):
        assert secret not in logged


def test_hostile_words_are_escaped(serve_study):
    words = (
        "<script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "{{ 7 * 7 }}", "a\u202eb",
        "javascript:alert(1)", "</bdi></label>", "x\x00y", "' onfocus='alert(1)",
    )  # fmt: skip
    judge = start(serve_study(comparison(words=words)))
    for number in range(1, 7):
        page = judge.get(f"/{number}").text
        assert "<script>" not in page
        assert "<img" not in page
        assert page.count("</bdi>") == page.count("<bdi")
        assert "\u202e" not in page
        assert "\x00" not in page
        assert "49" not in page
        judge.answer(number)


@pytest.mark.parametrize(
    "address",
    ["", "study.example.org", "ftp://x", "https://", "https://x/path", "https://x?y", "https://x#y",
     "http://[", "https://x/", "javascript:alert(1)"],
)  # fmt: skip
def test_a_public_address_is_a_scheme_and_a_host(address):
    with pytest.raises(BadUsage, match=r"should look like https://study\.example\.org"):
        WebSettings("link", address)

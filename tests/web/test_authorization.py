"""Who may do what: every visitor at every route."""

from dataclasses import dataclass, field
from secrets import token_hex

import pytest
from itsdangerous import TimestampSigner

from lexiscope.web.app import create_app
from lexiscope.web.settings import WebSettings
from lexiscope.web.tokens import JudgeLink, Tokens
from tests.web.conftest import ROOMY
from tests.web.http import SAME_ORIGIN, Visitor, served, start, start_form
from tests.web.studies import comparison, write

COOKIE = "lexiscope_admin"
CROSS_SITE = {"sec-fetch-site": "cross-site", "origin": "https://evil.example"}
VISITORS = ("anonymous", "judge", "other", "forged", "expired", "admin", "wrong", "cross",
            "impostor")  # fmt: skip

# "judge" and "other" have links of their own; "cross" has the judge's link and the administrator's
# cookie, but comes from a page of another site. "wrong" has a wrong administrator's token.
# "impostor" knows the judge's id on the platform, and arrives with a session of their own.
TABLE = """
                              anonymous judge other forged expired admin wrong cross impostor
GET  /                              200   200   200    200     200   200   200   200     200
POST /start                         303   303   303    303     303   303   303   403     403
GET  /j/{token}                     404   303   303    404     403   404   404   303     404
GET  /j/{token}/instructions        404   200   200    404     403   404   404   200     404
GET  /j/{token}/closing             404   303   303    404     403   404   404   303     404
POST /j/{token}/closing             404   303   303    404     403   404   404   403     404
GET  /j/{token}/thanks              404   303   303    404     403   404   404   303     404
GET  /j/{token}/{number:item_number}  404   200   200    404     403   404   404   200     404
POST /j/{token}/{number:item_number}  404   303   303    404     403   404   404   403     404
GET  /admin                         200   200   200    200     200   200   200   200     200
POST /admin/login                   403   403   403    403     403   303   403   403     403
GET  /admin/status                  401   401   401    401     401   200   401   401     401
GET  /admin/results                 401   401   401    401     401   409   401   401     401
POST /admin/close                   401   401   401    401     401   303   401   401     401
POST /admin/open                    401   401   401    401     401   303   401   401     401
POST /admin/forget                  401   401   401    401     401   303   401   401     401
GET  /static/{name}                 200   200   200    200     200   200   200   200     200
GET  /robots.txt                    200   200   200    200     200   200   200   200     200
"""


def _expected():
    rows = [line.split() for line in TABLE.strip().splitlines()]
    assert tuple(rows[0]) == VISITORS
    return {(method, path): dict(zip(VISITORS, map(int, codes), strict=True))
            for method, path, *codes in rows[1:]}  # fmt: skip


EXPECTED = _expected()


@dataclass(frozen=True)
class Credentials:
    """What a visitor sends: the token in the path, headers, the platform's ids and a log-in."""

    token: str = "unknown"
    headers: dict[str, str] = field(default_factory=dict)
    login: str = ""
    query: str = field(default_factory=lambda: _query())


def _query(person="", session=""):
    """The parameters of Prolific, of a new person and session if not given."""
    person, session = person or f"P{token_hex(8)}", session or f"S{token_hex(8)}"
    return f"?PROLIFIC_PID={person}&STUDY_ID=T1&SESSION_ID={session}"


@pytest.fixture(scope="module")
def platform(tmp_path_factory):
    """A study for people from a platform."""
    path = write(tmp_path_factory.mktemp("platform") / "study.db", comparison(settings=ROOMY))
    with served(path, mode="prolific") as found:
        yield found


def _started(site):
    """A judge from the platform with one answer."""
    judge = start(site, _query())
    judge.answer(1)
    return judge


def _visitors(site, judge):
    """The credentials of each visitor; the judge is the one whom requests are about."""
    other, expired = start(site, _query()), start(site, _query())
    with site.file() as file:
        ids = file.platform_ids().get(judge.id, ("", ""))
    long_ago = "UPDATE judge SET started = started - 86400.0 * 31 WHERE id = ?"
    site.execute(long_ago, expired.id)
    forged = Tokens(b"another secret").link(JudgeLink(judge.id))
    cookie = {"cookie": f"{COOKIE}={site.tokens.new_session()}"}
    wrong = "0" * 40
    return {
        "anonymous": Credentials(),
        "judge": Credentials(judge.token, SAME_ORIGIN, query=_query(*ids)),
        "other": Credentials(other.token, SAME_ORIGIN, other.token),
        "forged": Credentials(
            forged, {"cookie": f"{COOKIE}={Tokens(b'x').new_session()}", **SAME_ORIGIN}, forged
        ),
        "expired": Credentials(expired.token, SAME_ORIGIN),
        "admin": Credentials(headers={**cookie, **SAME_ORIGIN}, login=site.tokens.admin),
        "wrong": Credentials(
            headers={"authorization": f"Bearer {wrong}", **SAME_ORIGIN}, login=wrong
        ),
        "cross": Credentials(judge.token, {**cookie, **CROSS_SITE}, site.tokens.admin),
        "impostor": Credentials(headers=SAME_ORIGIN, query=_query(ids[0])),
    }


def _form(site, path, who, judge):
    if path == "/start":
        return start_form(site, who.query)
    if path == "/admin/login":
        return {"token": who.login}
    if path == "/admin/forget":
        return {"judge": judge.id}
    if path.startswith("/j/"):
        own = Visitor(site, who.token).get("/1").text
        return {"item": own.partition('name="item" value="')[2].partition('"')[0], "choice": "0"}
    return {}


def _send(site, method, path, who, judge):
    address = path.replace("{token}", who.token)
    address = address.replace("{number:item_number}", "1").replace("{name}", "style.css")
    address += who.query if path == "/" else ""
    data = _form(site, path, who, judge) if method == "POST" else None
    before = site.contents()
    answer = site.request(method, address, data=data, headers=who.headers)
    return answer, before


def test_the_table_has_every_route(tmp_path):
    app = create_app(str(write(tmp_path / "study.db", comparison())), WebSettings())
    routes = {(method, route.path) for route in app.routes for method in route.methods}
    app.state.site.writer._file.close()
    app.state.site.file.close()
    heads = {("HEAD", path) for method, path in EXPECTED if method == "GET"}
    assert routes == set(EXPECTED) | heads


@pytest.mark.parametrize(("method", "path"), EXPECTED)
def test_every_visitor_gets_what_the_table_says(platform, method, path):
    site, judge, found = platform, _started(platform), {}
    for name, who in _visitors(site, judge).items():
        answer, before = _send(site, method, path, who, judge)
        found[name] = answer.status_code
        if answer.status_code >= 400:
            assert site.contents() == before, name
        site.post("/admin/open", headers=site.bearer)
    assert found == EXPECTED[method, path]


@pytest.mark.parametrize("path", [path for method, path in EXPECTED if method == "GET"])
def test_head_has_the_status_of_get(platform, path):
    site, judge, found = platform, _started(platform), {}
    for name, who in _visitors(site, judge).items():
        answer, _ = _send(site, "HEAD", path, who, judge)
        found[name] = answer.status_code
        assert answer.content == b""
    assert found == EXPECTED["GET", path]


@pytest.mark.parametrize("name", [name for name in VISITORS if name != "admin"])
def test_only_the_administrator_sees_the_judges(site, name):
    judge = start(site)
    who = _visitors(site, judge)
    assert judge.id in site.get("/admin", headers=who["admin"].headers).text
    page = site.get("/admin", headers=who[name].headers).text
    assert judge.id not in page
    assert "paste the part after" in page


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "PROPFIND", "X"])
@pytest.mark.parametrize("path", sorted({path for _, path in EXPECTED}))
def test_other_methods_do_nothing(site, method, path):
    judge = start(site)
    judge.get("/1")
    who = Credentials(judge.token, {**site.bearer, **SAME_ORIGIN})
    answer, before = _send(site, method, path, who, judge)
    assert answer.status_code == 405
    assert site.contents() == before


@pytest.mark.parametrize("path", ["/admin/close", "/admin/open", "/admin/forget", "/admin/login"])
@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"sec-fetch-site": "same-site"},
        {"sec-fetch-site": "cross-site"},
        {"origin": "https://evil.example"},
        {"origin": "null"},
        {"origin": "http://["},
        {"origin": ""},
        {"authorization": "Basic dXNlcjpwYXNz"},
    ],
)
def test_changes_by_cookie_come_only_from_our_own_pages(site, path, headers):
    cookie = {"cookie": f"{COOKIE}={site.tokens.new_session()}"}
    judge = start(site)
    before = site.contents()
    form = {"judge": judge.id, "token": site.tokens.admin}
    answer = site.post(path, form, headers={**cookie, **headers})
    assert answer.status_code in {401, 403}
    assert site.contents() == before


@pytest.mark.parametrize("headers", [SAME_ORIGIN, {"sec-fetch-site": "none"}, "own origin"])
def test_changes_from_our_own_pages_are_accepted(site, headers):
    cookie = {"cookie": f"{COOKIE}={site.tokens.new_session()}"}
    sent = {"origin": site.url} if headers == "own origin" else headers
    assert site.post("/admin/open", headers={**cookie, **sent}).status_code == 303


@pytest.mark.parametrize(
    "headers",
    [{"sec-fetch-site": "cross-site"}, {"sec-fetch-site": "same-site"}, {"origin": "https://e.x"}],
)
def test_answers_from_pages_of_other_sites_are_refused(site, headers):
    judge = start(site)
    item, before = judge.item(1), site.contents()
    assert judge.answer(1, 0, item, headers=headers).status_code == 403
    assert site.contents() == before


@pytest.mark.parametrize("headers", [{}, {"origin": "null"}, {"sec-fetch-site": "same-origin"}])
def test_answers_do_not_need_a_modern_browser(site, headers):
    assert start(site).answer(1, headers=headers).status_code == 303


def test_logging_in_sets_a_cookie_that_scripts_and_other_sites_cannot_use(site):
    answer = site.post("/admin/login", {"token": site.tokens.admin}, headers=SAME_ORIGIN)
    cookie = answer.headers["set-cookie"]
    assert answer.headers["location"] == "/admin"
    assert cookie.startswith(f"{COOKIE}=")
    assert "HttpOnly; Path=/admin; SameSite=strict" in cookie
    assert site.tokens.admin not in cookie
    value = cookie.split(";")[0]
    assert site.get("/admin/status", headers={"cookie": value}).status_code == 200


def test_the_cookie_is_secure_where_the_public_address_has_https(serve_study):
    site = serve_study(base_url="https://study.example.org")
    headers = {"origin": "https://study.example.org", "host": "internal:8000"}
    answer = site.post("/admin/login", {"token": site.tokens.admin}, headers=headers)
    assert answer.status_code == 303
    assert "; Secure" in answer.headers["set-cookie"]


def test_the_cookie_expires_after_twelve_hours(site, monkeypatch):
    real = TimestampSigner.get_timestamp
    cookie = {"cookie": f"{COOKIE}={site.tokens.new_session()}"}
    statuses = []
    for hours in (11.9, 12.1, -1):
        monkeypatch.setattr(
            TimestampSigner, "get_timestamp", lambda self, h=hours: real(self) + int(3600 * h)
        )
        statuses.append(site.get("/admin/status", headers=cookie).status_code)
    assert statuses == [200, 401, 401]


@pytest.mark.parametrize("value", ["", "x", "a.b.c", '"quoted', "é", "a" * 8000, "=;=;"])
def test_other_cookies_open_nothing(site, value):
    cookie = f"{COOKIE}={value}".encode()
    assert site.get("/admin/status", headers={"cookie": cookie}).status_code == 401


@pytest.mark.parametrize("value", ["Bearer", "Bearer ", "bearer x", "Basic x", "é", "Bearer é"])
def test_other_authorization_opens_nothing(site, value):
    answer = site.get("/admin/status", headers={"authorization": value.encode()})
    assert answer.status_code == 401


def test_forgetting_nobody_says_so(site):
    before = site.contents()
    answer = site.post("/admin/forget", {"judge": "nobody"}, headers=site.bearer)
    assert answer.status_code == 404
    assert site.contents() == before


def test_results_appear_only_after_closing(serve_study, monkeypatch):
    monkeypatch.setattr("lexiscope.web.admin.report", lambda file: f"{len(file.judgments())} rows")
    site = serve_study()
    start(site).answer_all()
    assert site.get("/admin/results", headers=site.bearer).status_code == 409
    assert site.post("/admin/close", headers=site.bearer).status_code == 303
    answer = site.get("/admin/results", headers=site.bearer)
    assert (answer.status_code, answer.text) == (200, "6 rows")
    policy = answer.headers["content-security-policy"]
    assert policy.endswith("sandbox allow-scripts allow-downloads")
    assert "default-src 'none'" in policy


def test_status_counts_judges_and_judgments(serve_study):
    site = serve_study()
    start(site).answer_all()
    start(site).answer(1)
    found = site.get("/admin/status", headers=site.bearer).json()
    assert (found["judges"], found["finished"], found["judgments"]) == (2, 1, 7)
    assert (found["items"], found["complete"]) == (6, 0)


def test_answers_that_cannot_be_scored_give_no_results_yet(serve_study):
    site = serve_study()
    start(site).answer(1, "unknown")
    site.post("/admin/close", headers=site.bearer)
    answer = site.get("/admin/results", headers=site.bearer)
    assert answer.status_code == 200
    assert "No answer can be scored." in answer.text

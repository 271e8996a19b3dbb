"""The server of a study."""

import socket
from collections.abc import Callable, Mapping
from contextlib import suppress
from ipaddress import ip_address
from pathlib import Path

import uvicorn

from lexiscope.core.errors import BadUsage
from lexiscope.store.study_file import StudyFile
from lexiscope.web.app import create_app
from lexiscope.web.settings import Limits, Mode, WebSettings, default_limits
from lexiscope.web.tokens import Tokens

_LOCAL_NAME = "localhost"
_LAST_PORT = 65_535


def serve(
    path: str | Path, host: str = "127.0.0.1", port: int = 8000, *, mode: Mode = "link",
    behind_proxy: bool = False, base_url: str | None = None, proxies: str = "127.0.0.1,::1",
    limits: Limits | None = None, echo: Callable[[str], None] = print,
    started: Callable[[Mapping[str, str]], None] | None = None,
) -> None:  # fmt: skip
    """Serve a study until it is interrupted.

    Parameters
    ----------
    path : str or Path
        The study file.
    host, port : str, int
        The address to listen on; port 0 chooses a free one.
    mode : {"link", "class", "prolific", "mturk"}
        How judges arrive.
    behind_proxy : bool
        Whether a proxy with HTTPS is in front; needed for a host other than this machine.
    base_url : str, optional
        The public address, such as https://study.example.org.
    proxies : str
        Addresses of proxies whose forwarded addresses are trusted.
    limits : Limits, optional
        Rate limits and bounds; the default depends on the mode.
    echo : callable
        Receives the lines that are printed.
    started : callable, optional
        Receives the addresses for judges and administrator instead, when the server listens.
    """
    _check_host(host, behind_proxy, echo)
    listening = _listen(host, port)
    with listening:
        address = base_url.rstrip("/") if base_url else _local_address(listening, host)
        settings = WebSettings(mode, address, limits or default_limits(mode))
        _check_mode(path, settings, echo)
        server = new_server(path, settings, proxies if behind_proxy else "")
        links = _links(path, settings)
        if started is not None:
            started(links)
        else:
            for line in _lines(links):
                echo(line)
        with suppress(KeyboardInterrupt):
            server.run(sockets=[listening])
    if started is None:
        echo("Stopped. All answers are stored.")


def _check_host(host: str, behind_proxy: bool, echo: Callable[[str], None]) -> None:
    if _is_loopback(host):
        return
    if not behind_proxy:
        raise BadUsage(
            f"The host {host} can be reached from other machines, without encryption. Put a "
            "proxy with HTTPS in front (such as Caddy or nginx) and confirm it with "
            "--behind-proxy, or listen on 127.0.0.1."
        )
    echo(f"Warning: {host} can be reached from other machines. Only the proxy should reach it.")


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == _LOCAL_NAME


def _check_mode(path: str | Path, settings: WebSettings, echo: Callable[[str], None]) -> None:
    with StudyFile(path) as file:
        code = file.study.settings.completion_code
    if settings.mode == "prolific" and not code:
        raise BadUsage(
            "Prolific needs a completion code, and the study has none. Add the code of its page on "
            "Prolific with 'lexiscope study edit --completion-code CODE'."
        )
    if settings.mode == "mturk" and not settings.base_url.startswith("https://"):
        echo("Warning: MTurk shows only pages with HTTPS. Put a proxy in front and give its URL.")


def _listen(host: str, port: int) -> socket.socket:
    if not 0 <= port <= _LAST_PORT:
        raise BadUsage(f"Cannot listen on port {port}: ports are 0 to {_LAST_PORT}.")
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=1024)
    except OSError as problem:
        reason = (problem.strerror or str(problem)).partition(" (while")[0]
        raise BadUsage(
            f"Cannot listen on {host}, port {port} ({reason}). "
            "Choose another port with --port; 0 takes a free one."
        ) from None


def _local_address(listening: socket.socket, host: str) -> str:
    name = f"[{host}]" if ":" in host else host
    return f"http://{name}:{listening.getsockname()[1]}"


def new_server(path: str | Path, settings: WebSettings, proxies: str = "") -> uvicorn.Server:
    """Return a server of a study; forwarded addresses are trusted only from `proxies`."""
    config = uvicorn.Config(
        create_app(str(path), settings),
        access_log=False,
        log_level="warning",
        limit_concurrency=settings.limits.connections,
        timeout_keep_alive=5,
        timeout_graceful_shutdown=3,
        h11_max_incomplete_event_size=settings.limits.header_bytes,
        proxy_headers=bool(proxies),
        forwarded_allow_ips=proxies or None,
        server_header=False,
        ws="none",
    )
    return uvicorn.Server(config)


def _links(path: str | Path, settings: WebSettings) -> dict[str, str]:
    with StudyFile(path) as file:
        token = Tokens(file.secret).admin
    return {
        "judges": f"{settings.base_url}/",
        "administrator": f"{settings.base_url}/admin#{token}",
    }


def _lines(links: Mapping[str, str]) -> list[str]:
    """Return what a terminal of 80 columns shows; each link has a line of its own."""
    lines = [
        "Judges:",
        f"  {links['judges']}",
        "Administrator (keep this link secret):",
        f"  {links['administrator']}",
        "",
    ]
    if links["judges"].startswith("http://"):
        lines += [
            "Only this machine can open these links. For judges elsewhere, put a proxy with",
            "HTTPS in front, and give its address by --base-url. docs/studies/hosting.md has",
            "examples.",
        ]
    return [*lines, "Every answer is stored at once. Ctrl-C stops the server."]

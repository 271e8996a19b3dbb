"""Check the installation."""

import os
from pathlib import Path
from typing import Any

import click

from lexiscope.cli import options
from lexiscope.cli.paragraphs import print_paragraph

_VARIABLES = (
    "LEXISCOPE_CACHE_DIR", "LEXISCOPE_DATA_DIR", "LEXISCOPE_OFFLINE", "LEXISCOPE_SEED",
    "LEXISCOPE_N_JOBS", "LEXISCOPE_THREADS", "LEXISCOPE_MEMORY", "LEXISCOPE_DASK", "NO_COLOR",
)  # fmt: skip
_TOOLS = {"pip": "data from PyPI", "npm": "data from npm"}


@click.command()
@options.as_json
def command(as_json: bool) -> int:
    """Print versions, machine, folders and environment variables, and report problems."""
    from lexiscope.cli.json_output import print_json

    found = _found()
    if as_json:
        print_json(found)
    else:
        _print(found)
    for problem in found["problems"]:
        click.echo(f"PROBLEM: {problem}", err=True)
    return 1 if found["problems"] else 0


def _found() -> dict[str, Any]:
    import platform
    import shutil
    import sqlite3

    import numpy  # noqa: F401 - loads its BLAS, which is listed below
    from threadpoolctl import threadpool_info

    import lexiscope
    from lexiscope.core.machine import threads
    from lexiscope.core.versions import versions
    from lexiscope.data.catalogue import catalogue
    from lexiscope.data.local_data import LocalData, is_offline

    local_data = LocalData()
    available = [entry.name for entry in catalogue().values() if local_data.is_available(entry)]
    wanted = ("user_api", "internal_api", "version")
    return {
        "version": lexiscope.__version__,
        "platform": platform.platform(),
        "versions": versions(),
        "sqlite": sqlite3.sqlite_version,
        "threads": threads(),
        "cores": os.cpu_count(),
        "libraries": [{name: part.get(name) for name in wanted} for part in threadpool_info()],
        "cache": str(local_data.cache),
        "offline": is_offline(),
        "downloaded": available,
        "tools": {tool: shutil.which(tool) for tool in _TOOLS},
        "environment": {name: os.environ.get(name) for name in _VARIABLES},
        "problems": _problems(local_data.cache),
    }


def _print(found: dict[str, Any]) -> None:
    click.echo(f"lexiscope {found['version']} on {found['platform']}")
    print_paragraph(", ".join(f"{name} {each}" for name, each in found["versions"].items()), "  ")
    click.echo(f"  SQLite {found['sqlite']}, {found['threads']} threads of {found['cores']}")
    for part in found["libraries"]:
        click.echo(f"  {part['user_api']}: {part['internal_api']} {part['version'] or ''}")
    print_paragraph(f"{found['cache']}{' (offline)' if found['offline'] else ''}", "  cache: ")
    nothing = "nothing yet; try: lexiscope data get demo"
    print_paragraph(", ".join(found["downloaded"]) or nothing, "  downloaded: ", indent=4)
    for tool, path in found["tools"].items():
        click.echo(f"  {tool}: {path or 'not found'} ({_TOOLS[tool]})")
    for name, value in found["environment"].items():
        click.echo(f"  {name}={value or ''}")


def _problems(cache: Path) -> list[str]:
    import shutil
    import tempfile

    found = []
    try:
        cache.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=cache):
            pass
    except OSError as problem:
        found.append(f"the cache {cache} is not writeable ({problem.strerror}).")
    else:
        free = shutil.disk_usage(cache).free
        if free < 1 << 30:
            found.append(f"only {free / 1e6:.0f} MB are free for the cache {cache}.")
    return found

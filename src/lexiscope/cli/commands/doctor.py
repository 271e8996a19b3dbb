"""Check the installation."""

import os
from pathlib import Path

import click

_VARIABLES = (
    "LEXISCOPE_CACHE_DIR", "LEXISCOPE_DATA_DIR", "LEXISCOPE_OFFLINE", "LEXISCOPE_SEED",
    "LEXISCOPE_N_JOBS", "LEXISCOPE_THREADS", "LEXISCOPE_MEMORY", "LEXISCOPE_DASK", "NO_COLOR",
)  # fmt: skip


@click.command()
def command() -> int:
    """Print versions, machine, folders and environment variables, and report problems."""
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
    problems = _problems(local_data.cache)
    click.echo(f"lexiscope {lexiscope.__version__} on {platform.platform()}")
    click.echo("  " + ", ".join(f"{name} {found}" for name, found in versions().items()))
    click.echo(f"  SQLite {sqlite3.sqlite_version}, {threads()} threads of {os.cpu_count()}")
    for part in threadpool_info():
        click.echo(f"  {part['user_api']}: {part['internal_api']} {part.get('version') or ''}")
    click.echo(f"  cache: {local_data.cache}{' (offline)' if is_offline() else ''}")
    available = [entry.name for entry in catalogue().values() if local_data.is_available(entry)]
    nothing = "nothing yet; try: lexiscope data get demo"
    click.echo(f"  downloaded: {', '.join(available) or nothing}")
    for tool, use in (("pip", "data from PyPI"), ("npm", "data from npm")):
        click.echo(f"  {tool}: {shutil.which(tool) or 'not found'} ({use})")
    for name in _VARIABLES:
        click.echo(f"  {name}={os.environ.get(name, '')}")
    for problem in problems:
        click.echo(f"PROBLEM: {problem}", err=True)
    return 1 if problems else 0


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

"""Downloads of the catalogue entries that a command names, with progress."""

from collections.abc import Iterable


def fetch_named(names: Iterable[str | None], folder: str | None) -> None:
    """Download the names and suites that are in the catalogue; other names are files.

    Members of a suite that cannot be downloaded are reported and left out; a name is an error.
    """
    from lexiscope.cli.progress import progress_bar
    from lexiscope.core.notices import notice
    from lexiscope.data.download import DownloadFailed, fetch
    from lexiscope.data.local_data import LocalData
    from lexiscope.data.named_entries import entries_to_download, suite_members

    wanted, local_data = list(names), LocalData(folder)
    missing = entries_to_download(wanted, local_data)
    if not missing:
        return
    members = suite_members(wanted)
    with progress_bar(counts_bytes=True) as progress:
        for entry in missing:
            try:
                fetch(local_data, entry, progress)
            except DownloadFailed as problem:
                if entry.name not in members:
                    raise
                notice(f"Left out: {problem}")

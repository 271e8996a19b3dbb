"""Downloads the catalogue entries that a command names, with progress."""

from collections.abc import Iterable


def fetch_named(names: Iterable[str | None], folder: str | None) -> None:
    """Download the names and suites that are in the catalogue; other names are files.

    `NAME=`, what follows `@`, and the plus of a WordNet are not part of a name. The name `wordnet`
    without a version downloads WordNet 3.1. Nothing is downloaded offline: whatever needs a
    missing file reports it.
    """
    from lexiscope.cli.progress import progress_bar
    from lexiscope.core.paths import exists
    from lexiscope.data.catalogue import catalogue, chosen, suites
    from lexiscope.data.download import fetch
    from lexiscope.data.local_data import LocalData, is_offline
    from lexiscope.data.vectors.resolve import split_name

    if is_offline():
        return
    named = [split_name(name)[1] for name in names if name and not exists(name)]
    bare = [name.partition("@")[0].removesuffix("+") for name in named]
    wanted = dict.fromkeys("wordnet-3.1" if name == "wordnet" else name for name in bare)
    known = [name for name in wanted if name in catalogue() or name in suites()]
    local_data = LocalData(folder)
    missing = [entry for entry in chosen(known) if not local_data.is_available(entry)]
    if not missing:
        return
    with progress_bar(counts_bytes=True) as progress:
        for entry in missing:
            fetch(local_data, entry, progress)

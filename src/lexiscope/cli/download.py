"""Downloads the catalogue entries that a command names."""

from collections.abc import Iterable


def fetch_named(names: Iterable[str], folder: str | None) -> None:
    """Download the names that are in the catalogue; other names are files.

    `@first=N`, `@centred` and the plus of a WordNet are not part of a name. The name `wordnet`
    without a version downloads WordNet 3.1.
    """
    from lexiscope.cli.progress import progress_bar
    from lexiscope.data.catalogue import catalogue
    from lexiscope.data.download import fetch
    from lexiscope.data.local_data import LocalData

    bare = [name.partition("@")[0].removesuffix("+") for name in names]
    wanted = dict.fromkeys("wordnet-3.1" if name == "wordnet" else name for name in bare)
    with progress_bar(counts_bytes=True) as progress:
        for name in wanted:
            if name in catalogue():
                fetch(LocalData(folder), catalogue()[name], progress)

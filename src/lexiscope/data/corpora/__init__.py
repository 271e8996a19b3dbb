"""Running text of every source, behind one `read`."""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from lexiscope.core.corpus import Corpus
from lexiscope.core.display import shown
from lexiscope.core.errors import BadData, BadUsage
from lexiscope.core.preparation import Preparation
from lexiscope.core.progress import Progress, silent
from lexiscope.core.vocabulary import Vocabulary
from lexiscope.data.corpora._decoding import OnError
from lexiscope.data.corpora._sources import Place, Source, files_of, places
from lexiscope.data.library import Library

if TYPE_CHECKING:
    from lexiscope.data.corpora._cutting import Cutter
    from lexiscope.data.corpora._finishing import Kept

__all__ = ["VERSION", "OnError", "check", "files_of", "read"]

VERSION = 2  # a change of what the same text becomes raises it

_ENDINGS = re.compile(r"(\.(gz|bz2|xz|zip|txt|text|md))+$", re.I)
_MOST_LISTED = 1000


def read(
    sources: Source | Sequence[Source],
    preparation: Preparation,
    name: str | None = None,
    tell: Progress = silent,
    library: Library | None = None,
    on_error: OnError = "stop",
) -> Corpus:
    """One corpus from one or several sources.

    - a text file, also as .gz, .bz2 or .xz; a .zip of texts (`archive.zip#member` picks one);
    - a folder: all files below it, sorted by their paths, hidden ones aside;
    - "-", standard input; a name of the catalogue.

    Text is UTF-8, or UTF-16 or UTF-32 with a mark at its start. `on_error` says what happens to
    bytes that are not: "stop", or "replace" (they become U+FFFD, and are listed in `repairs`).
    A file is a document, and so is a member of an archive; each ends a sentence. Memory is
    bounded but for the vocabulary.
    """
    if on_error not in ("stop", "replace"):
        raise BadUsage(f"on_error is 'stop' or 'replace', found '{on_error}'.")
    from lexiscope.data.corpora import _finishing, _reading
    from lexiscope.data.corpora._cutting import Cutter

    found, notes = places(sources, library), list[str]()
    cutter = Cutter(preparation)
    words = _reading.count(found, cutter, tell, on_error, notes)
    called = name or _name(found)
    kept = _finishing.vocabulary(words, preparation)
    if not kept.words:
        raise BadData(_nothing_left(called, cutter.seen, kept, preparation))
    text = _finishing.text(words.numbers.finished(), kept.places)
    left_out = cutter.seen - len(text.tokens)
    repairs = (*_listed(notes), *_dropped(called, cutter, kept))
    about = preparation, left_out, _origin(found), repairs
    vocabulary = Vocabulary(kept.words)
    return Corpus(called, vocabulary, text.tokens, text.starts, *about, text.documents)


def check(sources: Source | Sequence[Source], library: Library | None = None) -> None:
    """Refuse sources that are not there, before long work."""
    places(sources, library)


def _name(found: list[Place]) -> str:
    """The names of what was read, without endings."""
    names = [shown(_ENDINGS.sub("", place.name) or place.name) for place in found]
    return " + ".join(names) if len(names) <= 3 else f"{names[0]} and {len(names) - 1} more"


def _origin(found: list[Place]) -> str:
    """Where the text came from: names, numbers of files, bytes."""
    some = [shown(place.name) + _amount(place) for place in found[:5]]
    more = [f"{len(found) - 5:,} more"] if len(found) > 5 else []
    return ", ".join([*some, *more])


def _amount(place: Place) -> str:
    files = f"{place.files:,} files, " if place.files > 1 else ""
    return "" if place.size is None else f" ({files}{place.size:,} bytes)"


def _nothing_left(name: str, seen: int, kept: "Kept", steps: Preparation) -> str:
    if not seen:
        return f"{name}: holds no words."
    if not kept.most:
        return (
            f"{name}: {seen:,} tokens, but each has fewer than {steps.shortest} characters, more "
            "than 1,024 bytes, or control characters."
        )
    return (
        f"{name}: {seen:,} tokens, but no word occurs {steps.minimum} times or more (the most "
        f"frequent one {kept.most}). Use --minimum {kept.most}, or more text."
    )


def _dropped(name: str, cutter: "Cutter", kept: "Kept") -> list[str]:
    too_long, unfit = cutter.dropped
    return [
        f"{name}: {number:,} tokens {what}. Left out."
        for number, what in (
            (too_long + kept.too_long, "of more than 1,024 bytes"),
            (unfit, "with control characters, which no vector file can hold"),
        )
        if number
    ]


def _listed(notes: list[str]) -> list[str]:
    more = len(notes) - _MOST_LISTED
    return [*notes[:_MOST_LISTED], f"... and {more:,} more."] if more > 0 else notes

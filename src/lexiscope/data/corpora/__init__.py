"""Corpora from text files, folders, standard input and the catalogue, behind one `read`."""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from lexiscope.core.corpus import Corpus
from lexiscope.core.display import shown
from lexiscope.core.errors import BadData, BadUsage
from lexiscope.core.preprocessing import Preprocessing
from lexiscope.core.progress import Progress, silent
from lexiscope.core.vocabulary import Vocabulary
from lexiscope.data.corpora._decoder import OnError
from lexiscope.data.corpora._sources import Location, Source, files_of, locate
from lexiscope.data.local_data import LocalData

if TYPE_CHECKING:
    from lexiscope.data.corpora._tokenizer import Tokenizer
    from lexiscope.data.corpora._vocabulary import VocabularySelection

__all__ = ["VERSION", "OnError", "check", "files_of", "read"]

VERSION = 3  # increased when the same text gives a different corpus

_ENDINGS = re.compile(r"(\.(gz|bz2|xz|zip|tar|tgz|txt|text|md))+$", re.I)
_MOST_LISTED = 1000


def read(
    sources: Source | Sequence[Source],
    preprocessing: Preprocessing,
    name: str | None = None,
    progress: Progress = silent,
    local_data: LocalData | None = None,
    on_error: OnError = "stop",
) -> Corpus:
    """Read one corpus from one or several sources.

    Each file and each member of an archive is a document, and ends a sentence. Memory use is
    bounded, except for the vocabulary.

    Parameters
    ----------
    sources : str, Path or sequence of these
        One of:

        - a text file, possibly compressed (.gz, .bz2, .xz), or a .zip or .tar of texts
          (`archive.zip#member` selects a member);
        - a folder: all files in it, recursively, sorted by path, without hidden ones;
        - "-", standard input;
        - a corpus of the catalogue.

        Text is UTF-8, or UTF-16 or UTF-32 with a byte order mark. The header and the licence of a
        book of Project Gutenberg are left out, and listed in `Corpus.repairs`.
    preprocessing : Preprocessing
        How text becomes tokens and sentences.
    name : str, optional
        Name of the corpus. The default is derived from the sources.
    progress : callable, optional
        Called with a description, the bytes read so far and their total.
    local_data : LocalData, optional
        Where catalogue files are.
    on_error : {"stop", "replace"}, default "stop"
        What to do about bytes that are not valid text: raise an error, or replace them with
        U+FFFD and list them in `Corpus.repairs`.

    Returns
    -------
    Corpus
    """
    if on_error not in ("stop", "replace"):
        raise BadUsage(f"on_error is 'stop' or 'replace', found '{on_error}'.")
    from lexiscope.data.corpora import _counter
    from lexiscope.data.corpora._tokenizer import Tokenizer
    from lexiscope.data.corpora._vocabulary import encode, select

    found, notes = locate(sources, local_data), list[str]()
    tokenizer = Tokenizer(preprocessing)
    words = _counter.count(found, tokenizer, progress, on_error, notes)
    name = name or _name(found)
    kept = select(words, preprocessing)
    if not kept.words:
        raise BadData(_empty_message(name, tokenizer.seen, kept, preprocessing))
    text = encode(words.numbers.finished(), kept.indices)
    left_out = tokenizer.seen - len(text.tokens)
    repairs = (*_listed(notes), *_dropped(name, tokenizer, kept))
    about = preprocessing, left_out, _origin(found), repairs
    vocabulary = Vocabulary(kept.words)
    return Corpus(name, vocabulary, text.tokens, text.starts, *about, text.documents)


def check(sources: Source | Sequence[Source], local_data: LocalData | None = None) -> None:
    """Raise an error if a source does not exist; call it before long computations."""
    locate(sources, local_data)


def _name(found: list[Location]) -> str:
    """The names of the sources, without endings."""
    names = [shown(_ENDINGS.sub("", each.name) or each.name) for each in found]
    return " + ".join(names) if len(names) <= 3 else f"{names[0]} and {len(names) - 1} more"


def _origin(found: list[Location]) -> str:
    """The sources of the text: names, numbers of files, bytes."""
    some = [shown(each.name) + _amount(each) for each in found[:5]]
    more = [f"{len(found) - 5:,} more"] if len(found) > 5 else []
    return ", ".join([*some, *more])


def _amount(location: Location) -> str:
    files = f"{location.files:,} files, " if location.files > 1 else ""
    return "" if location.size is None else f" ({files}{location.size:,} bytes)"


def _empty_message(name: str, seen: int, kept: "VocabularySelection", steps: Preprocessing) -> str:
    if not seen:
        return f"{name}: contains no words."
    if not kept.highest_count:
        return (
            f"{name}: {seen:,} tokens, but each has fewer than {steps.min_length} characters, more "
            "than 1,024 bytes, or control characters."
        )
    return (
        f"{name}: {seen:,} tokens, but no word occurs {steps.min_count} times or more (the most "
        f"frequent one {kept.highest_count}). Use --min-count {kept.highest_count}, or more text."
    )


def _dropped(name: str, tokenizer: "Tokenizer", kept: "VocabularySelection") -> list[str]:
    too_long, unfit = tokenizer.dropped
    return [
        f"{name}: {number:,} tokens {what}. Left out."
        for number, what in (
            (too_long + kept.too_long, "of more than 1,024 bytes"),
            (unfit, "with control characters, which no vector file can contain"),
        )
        if number
    ]


def _listed(notes: list[str]) -> list[str]:
    more = len(notes) - _MOST_LISTED
    return [*notes[:_MOST_LISTED], f"... and {more:,} more."] if more > 0 else notes

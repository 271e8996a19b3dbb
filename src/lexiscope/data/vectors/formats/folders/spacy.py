"""Reader of the vectors of a spaCy pipeline: its folder `vocab`.

`vectors` is a table in .npy format, `key2row` the row of each word, which is identified by a hash
(MurmurHash64A), and `strings.json` a list of words to be hashed. A pruned table has fewer rows than
words. In the mode floret there are no words, only vectors of n-grams.
"""

from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from lexiscope.core.embedding import Embedding
from lexiscope.core.errors import BadData
from lexiscope.data.vectors.columns import from_columns
from lexiscope.data.vectors.formats.arrays import array_in
from lexiscope.data.vectors.formats.floret import embedding_of
from lexiscope.data.vectors.formats.folders.parts import json_in, msgpack_in, valid_words
from lexiscope.data.vectors.formats.stream import Settings
from lexiscope.data.vectors.shared_rows import shared_rows
from lexiscope.data.vectors.subwords.ngrams import FloretNGrams, encoded, joined

_SEED = 1
# Words with a number instead of a hash, because spaCy uses them as labels (spacy/symbols.pyx).
_NUMBERED = {
    "ID": 64, "ORTH": 65, "LOWER": 66, "NORM": 67, "SHAPE": 68, "PREFIX": 69, "SUFFIX": 70,
    "LENGTH": 71, "CLUSTER": 72, "LEMMA": 73, "POS": 74, "TAG": 75, "DEP": 76, "HEAD": 79,
    "SPACY": 81, "PROB": 82, "LANG": 83, "ADJ": 84, "ADP": 85, "ADV": 86, "AUX": 87, "CONJ": 88,
    "CCONJ": 89, "DET": 90, "INTJ": 91, "NOUN": 92, "NUM": 93, "PART": 94, "PRON": 95,
    "PROPN": 96, "PUNCT": 97, "SCONJ": 98, "SYM": 99, "VERB": 100, "X": 101, "EOL": 102,
    "SPACE": 103, "PERSON": 380, "NORP": 381, "FACILITY": 382, "ORG": 383, "GPE": 384, "LOC": 385,
    "PRODUCT": 386, "EVENT": 387, "LANGUAGE": 389, "LAW": 390, "DATE": 391, "TIME": 392,
    "PERCENT": 393, "MONEY": 394, "QUANTITY": 395, "ORDINAL": 396, "CARDINAL": 397, "acomp": 398,
    "advcl": 399, "advmod": 400, "agent": 401, "amod": 402, "appos": 403, "attr": 404, "aux": 405,
    "auxpass": 406, "cc": 407, "ccomp": 408, "complm": 409, "conj": 410, "cop": 411, "csubj": 412,
    "csubjpass": 413, "dep": 414, "det": 415, "dobj": 416, "expl": 417, "hmod": 418, "hyph": 419,
    "infmod": 420, "intj": 421, "iobj": 422, "mark": 423, "meta": 424, "neg": 425, "nmod": 426,
    "nn": 427, "npadvmod": 428, "nsubj": 429, "nsubjpass": 430, "num": 431, "number": 432,
    "oprd": 433, "obj": 434, "obl": 435, "parataxis": 436, "partmod": 437, "pcomp": 438,
    "pobj": 439, "poss": 440, "possessive": 441, "preconj": 442, "prep": 443, "prt": 444,
    "punct": 445, "quantmod": 446, "relcl": 447, "rcmod": 448, "root": 449, "xcomp": 450,
    "acl": 451, "MORPH": 453, "IDX": 455, "_": 456,
}  # fmt: skip


class _Settings(msgspec.Struct):
    """The file vectors.cfg."""

    mode: str = "default"
    minn: int = 0
    maxn: int = 0
    hash_count: int = 1
    hash_seed: int = 0
    bow: str = "<"
    eow: str = ">"


def read(folder: Path, settings: Settings) -> Embedding:
    """Read the vectors in the folder `vocab` of spaCy."""
    path, table = str(folder), array_in(str(folder / "vectors"))
    config = folder / "vectors.cfg"
    chosen = json_in(config, _Settings) if config.exists() else _Settings()
    if table.ndim != 2 or table.dtype.kind != "f" or not table.size:
        raise BadData(f"{path}/vectors: {table.shape} {table.dtype} is no table of numbers.")
    if chosen.mode == "floret":
        return _floret(path, table, chosen)
    if chosen.mode != "default":
        raise BadData(f"{path}/vectors.cfg: the mode is neither default nor floret.")
    listed, rows = _words(folder, len(table))
    kept, left_out = valid_words(listed, path)
    kept = kept if settings.limit is None else kept[: settings.limit]
    words, rows = [listed[position] for position in kept.tolist()], rows[kept]
    found = from_columns("", words, table[rows], path, settings.on_error)
    notes = (*left_out, *shared_rows(words, rows, path))
    return replace(found, repairs=(*notes, *found.repairs))


def _words(folder: Path, number: int) -> tuple[list[str], NDArray[np.int64]]:
    """The words that have a row, in the order of the file, and their rows."""
    rows = msgpack_in(folder / "key2row", dict[int, int])
    strings = json_in(folder / "strings.json", list[str])
    names = dict(zip(_hashes(strings).tolist(), strings, strict=True))
    names |= {key: word for word, key in _NUMBERED.items()}
    known = [(names[key], row) for key, row in rows.items() if key in names]
    if not known:
        raise BadData(f"{folder}: no word of strings.json has a row in key2row.")
    for _, row in known:
        if not 0 <= row < number:
            raise BadData(
                f"{folder}/key2row: names row {row} of {number:,} vectors for a word. The file is "
                "damaged."
            )
    return [word for word, _ in known], np.array([row for _, row in known], np.int64)


def _hashes(words: list[str]) -> NDArray[np.uint64]:
    from lexiscope.kernels.ngrams import murmur64a

    text, ends = joined([encoded(word) for word in words])
    hashes = np.empty(len(words), np.uint64)
    murmur64a(text, np.append(0, ends[:-1])[: len(ends)], ends, _SEED, hashes)
    return hashes


def _floret(path: str, table: NDArray[Any], chosen: _Settings) -> Embedding:
    return embedding_of(
        path,
        FloretNGrams(
            np.asarray(table, np.float32),
            chosen.minn,
            chosen.maxn,
            chosen.hash_count,
            chosen.hash_seed,
            chosen.bow,
            chosen.eow,
            single_ends=True,
        ),
    )

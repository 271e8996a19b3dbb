"""What tags of sentences are worth: F1 over the chunks that they mark.

An answer is the tags of a sentence with spaces between: "B-NP I-NP O". A chunk is right when its
beginning, its end and its type are (Tjong Kim Sang and Buchholz 2000).
"""

from itertools import chain

import numpy as np
from numpy.typing import NDArray

from lexiscope.core.measure import Floats, Values
from lexiscope.stats.measures import summed
from lexiscope.stats.randomization import f1_of_totals, shares

Numbers = NDArray[np.int64]


def chunk_counts(given: Values, gold: Values, only: str = "") -> Floats:
    """Chunks that are right, wrongly found and missed in each sentence (sentences, 3).

    With `only`, chunks of this type. A tag that is lacking counts as O.
    """
    wanted = [text.split() for text in gold]
    found = [_of_length(text.split(), len(tags)) for text, tags in zip(given, wanted, strict=True)]
    lengths = np.array([len(tags) for tags in wanted], np.int64)
    kinds: dict[str, int] = {}
    ours, theirs = (_chunks(tags, lengths, kinds, only) for tags in (found, wanted))
    sentence = np.repeat(np.arange(len(lengths)), lengths)
    both = np.intersect1d(ours[:, 0] * len(kinds) + ours[:, 1],
                          theirs[:, 0] * len(kinds) + theirs[:, 1])  # fmt: skip
    width = int(lengths.sum()) + 1
    right, here, there = (
        np.bincount(sentence[starts // width], minlength=len(lengths))
        for starts in (both // len(kinds) if kinds else both, ours[:, 0], theirs[:, 0])
    )
    return np.stack([right, here - right, there - right], axis=1).astype(np.float64)


def _of_length(tags: list[str], length: int) -> list[str]:
    return (tags + ["O"] * (length - len(tags)))[:length]


def _chunks(
    sentences: list[list[str]], lengths: Numbers, kinds: dict[str, int], only: str
) -> Numbers:
    """The chunks (chunks, 2): one number for beginning and end, one for the type.

    A chunk begins with B, and with I where no chunk of its type goes on; it ends before the next
    chunk, before O, and with its sentence.
    """
    tags = list(chain.from_iterable(sentences))
    marks = np.array([tag[:1] for tag in tags], "U1")
    types = np.array([kinds.setdefault(tag[2:], len(kinds)) for tag in tags], np.int64)
    inside, first = marks != "O", np.zeros(len(tags), bool)
    first[np.cumsum(lengths)[:-1][lengths[1:] > 0]] = True
    first[:1] = True
    goes_on = np.zeros(len(tags), bool)
    goes_on[1:] = (marks[1:] == "I") & inside[:-1] & (types[1:] == types[:-1]) & ~first[1:]
    begins = np.flatnonzero(inside & ~goes_on)
    stops = np.append(np.flatnonzero(~goes_on), len(tags))
    ends = stops[np.searchsorted(stops, begins, side="right")]
    chosen = types[begins] == kinds.get(only, -1) if only else np.ones(len(begins), bool)
    found = np.stack([begins * (len(tags) + 1) + ends, types[begins]], axis=1)
    return np.asarray(found[chosen])


def _noun_phrases(given: Values, gold: Values) -> Floats:
    return chunk_counts(given, gold, "NP")


def _precision(totals: Floats) -> Floats:
    return shares(totals[..., 0], totals[..., 0] + totals[..., 1])


def _recall(totals: Floats) -> Floats:
    return shares(totals[..., 0], totals[..., 0] + totals[..., 2])


chunk_f1 = summed("chunk_f1", chunk_counts, f1_of_totals)
chunk_precision = summed("chunk_precision", chunk_counts, _precision)
chunk_recall = summed("chunk_recall", chunk_counts, _recall)
noun_phrase_f1 = summed("noun_phrase_f1", _noun_phrases, f1_of_totals)

"""Precision, recall and F1 of the chunks in tagged sentences.

A prediction is the tags of a sentence, separated by spaces: "B-NP I-NP O". A chunk is right if
its start, its end and its type are right (Tjong Kim Sang and Buchholz 2000).

Examples
--------
>>> import numpy as np
>>> round(chunk_f1(np.array(["B-NP I-NP B-VP"]), np.array(["B-NP I-NP O"])), 2)
0.67
"""

from itertools import chain

import numpy as np
from numpy.typing import NDArray

from lexiscope.core.contracts.metric import Floats, Values
from lexiscope.metrics.f1 import f1_of_totals, metric_of_totals, ratio

Codes = NDArray[np.int64]


def chunk_counts(predicted: Values, gold: Values, only: str = "") -> Floats:
    """Count true positives, false positives and false negatives per sentence (sentences, 3).

    With `only`, chunks of this type. A missing tag counts as O.
    """
    wanted = [text.split() for text in gold]
    found = [
        _of_length(text.split(), len(tags)) for text, tags in zip(predicted, wanted, strict=True)
    ]
    lengths = np.array([len(tags) for tags in wanted], np.int64)
    types: dict[str, int] = {}
    ours, theirs = (_chunks(tags, lengths, types, only) for tags in (found, wanted))
    sentence = np.repeat(np.arange(len(lengths)), lengths)
    both = np.intersect1d(ours[:, 0] * len(types) + ours[:, 1],
                          theirs[:, 0] * len(types) + theirs[:, 1])  # fmt: skip
    width = int(lengths.sum()) + 1
    right, here, there = (
        np.bincount(sentence[spans // width], minlength=len(lengths))
        for spans in (both // len(types) if types else both, ours[:, 0], theirs[:, 0])
    )
    return np.stack([right, here - right, there - right], axis=1).astype(np.float64)


def _of_length(tags: list[str], length: int) -> list[str]:
    return (tags + ["O"] * (length - len(tags)))[:length]


def _chunks(sentences: list[list[str]], lengths: Codes, types: dict[str, int], only: str) -> Codes:
    """The chunks (chunks, 2): a code of start and end, and a code of the type.

    A chunk starts at B, and at I that does not continue a chunk of its type. It ends before the
    next chunk, before O, and with its sentence.
    """
    tags = list(chain.from_iterable(sentences))
    prefixes = np.array([tag[:1] for tag in tags], "U1")
    type_codes = np.array([types.setdefault(tag[2:], len(types)) for tag in tags], np.int64)
    inside, first = prefixes != "O", np.zeros(len(tags), bool)
    first[np.cumsum(lengths)[:-1][lengths[1:] > 0]] = True
    first[:1] = True
    continues = np.zeros(len(tags), bool)
    same_type = type_codes[1:] == type_codes[:-1]
    continues[1:] = (prefixes[1:] == "I") & inside[:-1] & same_type & ~first[1:]
    starts = np.flatnonzero(inside & ~continues)
    stops = np.append(np.flatnonzero(~continues), len(tags))
    ends = stops[np.searchsorted(stops, starts, side="right")]
    chosen = type_codes[starts] == types.get(only, -1) if only else np.ones(len(starts), bool)
    found = np.stack([starts * (len(tags) + 1) + ends, type_codes[starts]], axis=1)
    return np.asarray(found[chosen])


def _noun_phrase_counts(predicted: Values, gold: Values) -> Floats:
    return chunk_counts(predicted, gold, "NP")


def _precision(totals: Floats) -> Floats:
    return ratio(totals[..., 0], totals[..., 0] + totals[..., 1])


def _recall(totals: Floats) -> Floats:
    return ratio(totals[..., 0], totals[..., 0] + totals[..., 2])


chunk_f1 = metric_of_totals("chunk_f1", chunk_counts, f1_of_totals)
chunk_precision = metric_of_totals("chunk_precision", chunk_counts, _precision)
chunk_recall = metric_of_totals("chunk_recall", chunk_counts, _recall)
noun_phrase_f1 = metric_of_totals("noun_phrase_f1", _noun_phrase_counts, f1_of_totals)

"""From datasets to the items of learning curves: covered by all embeddings, without conflicts."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from lexiscope.core.contracts.learner import Family, Indices
from lexiscope.core.datasets import Analogies, Categories, Dataset, Relations, Texts, WordPairs
from lexiscope.core.datasets.base import Words, word_array
from lexiscope.core.display import shown
from lexiscope.core.errors import BadData
from lexiscope.core.policy import Policy
from lexiscope.core.vocabulary import Vocabulary
from lexiscope.learners.curve_splits import SplitItems, stratified_order

KINDS: tuple[type[Dataset], ...] = (Texts, WordPairs, Analogies, Relations, Categories)
POLICY = Policy("shared", "fold")
MIN_ITEMS = 20
_FEW = 10  # items of a class, below which a test set has hardly any of them
_NAMED = 3  # words in a message


@dataclass(frozen=True, eq=False)
class CurveItems:
    """The items of a dataset that can be learned by every embedding.

    `gold` are class codes (words, texts), ratings (pairs) or indices in `candidates` (analogies,
    of the target). `words` (items, words per item) are the words of each item, None for texts.
    `total` counts the items of the dataset, `notes` say what was left out and why.
    """

    dataset: str
    fingerprint: str
    family: Family
    gold: NDArray[Any]
    total: int
    words: Words | None = None
    classes: tuple[str, ...] = ()
    relation: Indices | None = None
    candidates: tuple[str, ...] = ()
    texts: Texts | None = None
    notes: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.gold)

    @property
    def needed_words(self) -> tuple[str, ...]:
        """Every word whose vector is needed."""
        if self.texts is not None:
            return self.texts.encoded.words
        if self.candidates:
            return self.candidates
        assert self.words is not None
        return tuple(dict.fromkeys(self.words.ravel().tolist()))

    @cached_property
    def word_codes(self) -> Indices | None:
        """The words of items with several words as integers (items, words per item)."""
        if self.words is None or self.words.shape[1] < 2:
            return None
        codes = np.unique(self.words, return_inverse=True)[1]
        return np.asarray(codes.reshape(self.words.shape), np.int64)

    def split_items(self, shared_words: bool) -> SplitItems:
        """Return what splits depend on."""
        classes = self.gold if self.family in ("words", "texts") else None
        return SplitItems(len(self), classes, self.word_codes, shared_words)


class _Kept(NamedTuple):
    """Indices of items, and sentences about those that were left out."""

    items: Indices
    notes: tuple[str, ...]


def curve_items(
    dataset: Dataset, known: Vocabulary, candidates: int, most: int, rng: Generator
) -> CurveItems:
    """Return the items of a dataset that all embeddings cover.

    Parameters
    ----------
    dataset : Dataset
        Words with classes, rated pairs, analogies, pairs in relations, or labelled texts.
    known : Vocabulary
        The words that all embeddings have, most frequent first.
    candidates : int
        How many words can be predicted in analogies, in addition to those of the dataset.
    most : int
        Sample this many items if there are more.
    rng : Generator
        Source of random numbers for the sample.
    """
    builder: Callable[..., CurveItems] = next(
        build for kind, build in _BUILDERS.items() if isinstance(dataset, kind)
    )
    found = builder(dataset, dataset.normalised(POLICY), known, candidates)
    if len(found) < MIN_ITEMS:
        raise BadData(
            f"{dataset.name}: {len(found)} of {found.total} items can be used, and a learning "
            f"curve needs at least {MIN_ITEMS}. {' '.join(found.notes)}".rstrip()
        )
    return _checked(_sampled(found, most, rng))


def _words(dataset: Categories, normalised: Categories, known: Vocabulary, _: int) -> CurveItems:
    words, labels = normalised.word.tolist(), normalised.category.tolist()
    kept = _without_conflicts(words, labels, "word")
    items, notes = _covered(kept, [known.find(word_array(words)) >= 0], words)
    return _classified(dataset, "words", word_array(words)[items][:, None], labels, items, notes)


def _texts(dataset: Texts, normalised: Texts, known: Vocabulary, _: int) -> CurveItems:
    parts = [part for part in (normalised, normalised.train, normalised.dev) if part is not None]
    texts = [text for part in parts for text in part.text]
    labels = [label for part in parts for label in part.label]
    kept = _without_conflicts(texts, labels, "text")
    whole = Texts(dataset.name, word_array(texts), word_array(labels))
    words, numbers, ends = whole.encoded
    tokens = np.append(0, np.cumsum((known.find(words) >= 0)[numbers]))
    has_token = tokens[ends] > tokens[np.append(0, ends[:-1])]
    items = kept.items[has_token[kept.items]]
    gone = len(kept.items) - len(items)
    notes = (*kept.notes, *([f"{_count(gone, 'text')} without a known word."] if gone else []))
    found = _classified(dataset, "texts", None, labels, items, notes)
    return replace(found, texts=whole.take(items))


def _classified(
    dataset: Dataset,
    family: Family,
    words: Words | None,
    labels: Sequence[str],
    items: Indices,
    notes: tuple[str, ...],
) -> CurveItems:
    names = word_array([str(label) for label in labels])
    classes, gold = np.unique(names[items], return_inverse=True)
    codes = np.asarray(gold, np.int64).ravel()
    return CurveItems(
        dataset.name, dataset.fingerprint, family, codes, len(labels), words,
        tuple(classes.tolist()), notes=notes,
    )  # fmt: skip


def _pairs(dataset: WordPairs, normalised: WordPairs, known: Vocabulary, _: int) -> CurveItems:
    words = np.stack([normalised.left, normalised.right], axis=1)
    items, notes = _covered_rows(words, known, "pair")
    repeated = len(items) - len({frozenset(row) for row in words[items].tolist()})
    if repeated:
        again = "pair is a repetition" if repeated == 1 else "pairs are repetitions"
        notes = (*notes, f"{repeated:,} {again} of another pair, in either order; all are used.")
    return CurveItems(
        dataset.name, dataset.fingerprint, "pairs", normalised.rating[items], len(words),
        words[items], notes=notes,
    )  # fmt: skip


def _relations(
    dataset: Relations, normalised: Relations, known: Vocabulary, candidates: int
) -> CurveItems:
    rows = zip(normalised.source, normalised.target, normalised.relation, strict=True)
    return _related(dataset, list(dict.fromkeys(rows)), known, candidates)


def _analogies(
    dataset: Analogies, normalised: Analogies, known: Vocabulary, candidates: int
) -> CurveItems:
    given = zip(normalised.a, normalised.b, normalised.section, strict=True)
    asked = zip(normalised.c, normalised.answer, normalised.section, strict=True)
    return _related(dataset, list(dict.fromkeys([*given, *asked])), known, candidates)


def _related(
    dataset: Dataset, rows: list[tuple[str, str, str]], known: Vocabulary, candidates: int
) -> CurveItems:
    """Distinct pairs of words in a relation; a pair of a word with itself says nothing."""
    total, rows = len(rows), [row for row in rows if row[0] != row[1]]
    table = np.array(rows, object).reshape(-1, 3)
    items, notes = _covered_rows(table[:, :2], known, "pair")
    if total > len(rows):
        notes = (f"{_count(total - len(rows), 'pair')} of a word with itself.", *notes)
    words = table[items, :2]
    choices = tuple(dict.fromkeys([*known.words[:candidates], *words.ravel().tolist()]))
    indices = {word: index for index, word in enumerate(choices)}
    names = word_array([str(name) for name in table[items, 2]])
    relation = np.unique(names, return_inverse=True)[1]
    return CurveItems(
        dataset.name, dataset.fingerprint, "analogies",
        np.array([indices[word] for word in words[:, 1]], np.int64), total, words,
        relation=np.asarray(relation, np.int64).ravel(), candidates=choices, notes=notes,
    )  # fmt: skip


_BUILDERS: dict[type[Dataset], Callable[..., CurveItems]] = {
    Categories: _words,
    Texts: _texts,
    WordPairs: _pairs,
    Relations: _relations,
    Analogies: _analogies,
}


def _without_conflicts(items: Sequence[str], labels: Sequence[str], noun: str) -> _Kept:
    """Keep each item once, and none with two labels: it would be in training and test set."""
    found: dict[str, set[str]] = {}
    for item, label in zip(items, labels, strict=True):
        found.setdefault(item, set()).add(label)
    several = [item for item, here in found.items() if len(here) > 1]
    first = {item: index for index, item in reversed(list(enumerate(items)))}
    kept = sorted(index for item, index in first.items() if len(found[item]) == 1)
    repeated = len(items) - len(found)
    notes = []
    if several:
        notes.append(f"{_count(len(several), noun)} with two labels: {_listed(several)}.")
    if repeated and not several:
        notes.append(f"{_count(repeated, 'repetition')} of a {noun}.")
    return _Kept(np.array(kept, np.int64), tuple(notes))


def _covered(kept: _Kept, known: list[NDArray[np.bool_]], words: Sequence[str]) -> _Kept:
    inside = np.logical_and.reduce(known)
    items = kept.items[inside[kept.items]]
    absent = [words[index] for index in kept.items.tolist() if not inside[index]]
    if not absent:
        return _Kept(items, kept.notes)
    note = f"{_count(len(absent), 'word')} that some embedding does not have: {_listed(absent)}."
    return _Kept(items, (*kept.notes, note))


def _covered_rows(words: NDArray[Any], known: Vocabulary, noun: str) -> _Kept:
    inside = np.stack([known.find(column) >= 0 for column in words.T], axis=1)
    items = np.flatnonzero(inside.all(axis=1))
    if len(items) == len(words):
        return _Kept(items, ())
    absent = list(dict.fromkeys(words[~inside].tolist()))
    note = (
        f"{_count(len(words) - len(items), noun)} with a word that some embedding does not have: "
        f"{_listed(absent)}."
    )
    return _Kept(items, (note,))


def _sampled(found: CurveItems, most: int, rng: Generator) -> CurveItems:
    """A sample of the items, stratified by class."""
    if len(found) <= most:
        return found
    by_class = found.family in ("words", "texts")
    order = stratified_order(found.gold, rng) if by_class else rng.permutation(len(found))
    items = np.sort(order[:most])
    note = f"{len(found) - most:,} items beyond a random sample of {most:,}."
    return replace(
        found,
        gold=found.gold[items],
        words=None if found.words is None else found.words[items],
        relation=None if found.relation is None else found.relation[items],
        texts=None if found.texts is None else found.texts.take(items),
        notes=(*found.notes, note),
    )


def _checked(found: CurveItems) -> CurveItems:
    """Raise an error if there is nothing to learn, and note classes with few items."""
    if found.family == "pairs" and not np.isfinite(found.gold).all():
        raise BadData(f"{found.dataset}: a rating is not a finite number.")
    if found.family == "pairs" and not np.ptp(found.gold):
        raise BadData(f"{found.dataset}: all pairs have the same rating; nothing can be learned.")
    if not found.classes:
        return found
    counts = np.bincount(found.gold, minlength=len(found.classes))
    if (counts > 0).sum() < 2:
        only = shown(found.classes[int(np.argmax(counts))], 40)
        raise BadData(f"{found.dataset}: all items that can be used have the label '{only}'.")
    if (counts > 1).sum() < 2:
        raise BadData(
            f"{found.dataset}: {(counts > 1).sum()} of {len(counts)} labels occur more than once "
            "among the items that can be used; at least two must, to train and to test."
        )
    few = [
        f"'{shown(name, 40)}' ({count})"
        for name, count in zip(found.classes, counts.tolist(), strict=True)
        if count < _FEW
    ]
    if not few:
        return found
    note = (
        f"Classes with few items: {', '.join(few[:_NAMED])}{', ...' * (len(few) > _NAMED)}; "
        "results say little about them."
    )
    return replace(found, notes=(*found.notes, note))


def _count(number: int, noun: str) -> str:
    return f"Left out: {number:,} {noun}{'s' * (number != 1)}"


def _listed(words: Sequence[str]) -> str:
    more = f" and {len(words) - _NAMED:,} more" if len(words) > _NAMED else ""
    return ", ".join(shown(word, 30) for word in words[:_NAMED]) + more

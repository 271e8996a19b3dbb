"""The base class of datasets: items made of words, and the gold annotation of each item."""

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields, replace
from functools import cached_property
from itertools import chain
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from lexiscope.core.policy import Policy
from lexiscope.core.vocabulary import Vocabulary

Words = NDArray[np.object_]
Mask = NDArray[np.bool_]
# Sampling units of items: integer codes, shape (items, units per item).
Units = NDArray[np.int64]


class TokenCoverage(NamedTuple):
    """How many tokens of a dataset are in the vocabulary of an embedding."""

    known: int
    total: int


@dataclass(frozen=True, eq=False)
class Dataset:
    """A dataset stored as columns: every array has one entry per item.

    A subclass defines one kind of dataset. Its fields are the columns, and these class
    variables describe them:

    - `kind`: the name of the kind; the reader is the module of this name in `data.datasets`;
    - `word_columns`: the columns that hold words;
    - `gold_column`: the column that holds the gold annotation;
    - `training_sets`: fields that hold another dataset of the same kind, or None, from which
      supervised tasks learn; their items are never evaluated;
    - `stored`: whether stores keep every column, or labels and gold only;
    - `read_priority`: a file of unknown kind is read as the kind with the lowest number that
      accepts it, so strict formats have low numbers;
    - `hashed_as`: the name under which `fingerprint` hashes a kind that was renamed, because
      fingerprints seed random generators.
    """

    name: str
    kind: ClassVar[str]
    word_columns: ClassVar[tuple[str, ...]]
    gold_column: ClassVar[str]
    training_sets: ClassVar[tuple[str, ...]] = ()
    stored: ClassVar[bool] = True
    read_priority: ClassVar[int] = 100
    hashed_as: ClassVar[str] = ""

    def __post_init__(self) -> None:
        for column in self.columns():
            # A view, so that the caller's array stays writeable.
            values = getattr(self, column).view()
            values.flags.writeable = False
            object.__setattr__(self, column, values)

    def __len__(self) -> int:
        return len(getattr(self, self.word_columns[0]))

    @property
    def gold(self) -> NDArray[Any]:
        """The gold annotation of each item."""
        values: NDArray[Any] = getattr(self, self.gold_column)
        return values

    @property
    def words(self) -> tuple[Words, ...]:
        """The word columns."""
        return tuple(getattr(self, column) for column in self.word_columns)

    @property
    def slices(self) -> Mapping[str, Mask]:
        """Named subsets of the items that get scores of their own."""
        return {}

    @property
    def units(self) -> Units | None:
        """The sampling units of each item, such as its words, as rows of integer codes.

        Items that share a unit are not independent; intervals and tests account for that.
        None if no unit recurs across items.
        """
        return None

    @property
    def strata(self) -> NDArray[np.int64] | None:
        """Codes of fixed groups of items, such as sections; None if there are none.

        Another sample of items would have the same groups, so differences between them are no
        sampling error.
        """
        return None

    @property
    def item_words(self) -> set[str]:
        """Every word of the items, without those of the training sets."""
        return {word for words in self.words for word in words}

    @property
    def all_words(self) -> set[str]:
        """Every word that a task may look up: in the items and in the training sets."""
        return self.item_words.union(
            *(training_set.all_words for _, training_set in self._training_sets())
        )

    @property
    def labels(self) -> list[str]:
        """A label for each item, for use in tables."""
        return [" · ".join(words) for words in zip(*self.words, strict=True)]

    @classmethod
    def example(cls) -> Self:
        """Return a tiny dataset of this kind, for documentation and contract checks."""
        raise NotImplementedError

    def covered_by(self, vocabulary: Vocabulary) -> Mask:
        """Return which items have all their words in the vocabulary."""
        found = np.array([vocabulary.find(words) >= 0 for words in self.words])
        return np.asarray(found.all(axis=0))

    def token_coverage(self, vocabulary: Vocabulary) -> "TokenCoverage | None":
        """Count the known tokens, for datasets where an OOV token does not exclude its item."""
        return None

    def missing_from(self, vocabulary: Vocabulary) -> list[str]:
        """Return the words of the items that the vocabulary lacks, those in most items first.

        Words of training sets are left out: a training item can be dropped, a test item cannot.
        """
        words = list(self.item_words)
        known = (vocabulary.find(words) >= 0).tolist()
        missing = {word for word, is_known in zip(words, known, strict=True) if not is_known}
        items = Counter(
            w for row in zip(*self.words, strict=True) for w in missing.intersection(row)
        )
        return sorted(missing, key=lambda word: (-items[word], word))

    def take(self, items: Mask | NDArray[np.int64]) -> Self:
        """Return the dataset with these items only."""
        return replace(self, **{column: getattr(self, column)[items] for column in self.columns()})

    def map_words(self, function: Callable[[str], str]) -> Self:
        """Return the dataset with the function applied to every word."""
        columns: dict[str, Any] = {
            column: word_array(map(function, getattr(self, column))) for column in self.word_columns
        }
        training: dict[str, Any] = {
            name: training_set.map_words(function) for name, training_set in self._training_sets()
        }
        return replace(self, **columns, **training)

    def normalised(self, policy: Policy) -> Self:
        """Return the dataset with the words in the policy's normalised form; cached."""
        key = policy.normalisation
        if key not in self._normalised:
            self._normalised[key] = self.map_words(policy.normalise)
        return self._normalised[key]

    @cached_property
    def _normalised(self) -> dict[tuple[str, ...], Self]:
        return {}

    def __getstate__(self) -> dict[str, Any]:
        # Cached values are not pickled: other processes compute them again.
        return {
            name: getattr(self, name) for name in ("name", *self.columns(), *self.training_sets)
        }

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 of the items: equal content has an equal fingerprint, whatever the file."""
        kind = self.hashed_as or self.kind
        digest = hashlib.sha256(f"{kind} 1 {len(self)}".encode())
        for column in self.columns():
            values = "\0".join(map(repr, getattr(self, column).tolist()))
            digest.update(f"{column}\0{values}\0".encode("utf-8", "surrogatepass"))
        for name, training_set in self._training_sets():
            digest.update(f"{name}\0{training_set.fingerprint}\0".encode())
        return digest.hexdigest()

    def _training_sets(self) -> list[tuple[str, Self]]:
        """The training sets that are not None, by name."""
        return [
            (name, part) for name in self.training_sets if (part := getattr(self, name)) is not None
        ]

    @classmethod
    def columns(cls) -> list[str]:
        """Return the names of all columns."""
        others = ("name", *cls.training_sets)
        return [field.name for field in fields(cls) if field.name not in others]


def word_array(words: Iterable[str]) -> Words:
    """Return the words as an object array, which stores long words without padding."""
    words = list(words)
    array = np.empty(len(words), object)
    array[:] = words
    return array


def sampling_units(*columns: Iterable[str]) -> Units | None:
    """Return integer codes of the names in each column, equal for equal names.

    Returns
    -------
    ndarray of shape (items, columns), or None if no name occurs in more than one item.
    """
    names = [list(column) for column in columns]
    distinct, codes = np.unique(word_array(chain(*names)), return_inverse=True)
    rows = codes.reshape(len(names), -1).T.astype(np.int64)
    none_recurs = len(distinct) == sum(len(set(row)) for row in rows.tolist())
    return None if none_recurs else rows


def pair_keys(left: Iterable[str], right: Iterable[str]) -> list[str]:
    """Return one key for each pair of words in two columns."""
    return [f"{one}\0{other}" for one, other in zip(left, right, strict=True)]

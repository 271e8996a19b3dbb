"""A corpus: a text as the places of its words in a vocabulary."""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from lexiscope.core.embedding import Embedding, Vectors
from lexiscope.core.errors import BadData
from lexiscope.core.preparation import Preparation
from lexiscope.core.vocabulary import Vocabulary, pack

_TOKENS_AT_ONCE = 1 << 16


@dataclass(frozen=True, eq=False)
class Corpus:
    """Words of a text, sentence after sentence; arrays are read-only and may be memory-mapped.

    `tokens` (tokens,) are places in the vocabulary, the most frequent word being 0. Sentence `s`
    is tokens[starts[s]:starts[s + 1]]. Words that the preparation left out are not in `tokens`;
    `left_out` is how many occurrences that were. `origin` says where the text came from.
    Document `d` is the sentences from documents[d] to documents[d + 1]; where no one tells, the
    whole text is one, or every sentence, if only the ends of documents end sentences.
    """

    name: str
    vocabulary: Vocabulary
    tokens: NDArray[np.int32]
    starts: NDArray[np.int64]
    preparation: Preparation = field(default_factory=Preparation)
    left_out: int = 0
    origin: str = ""
    repairs: tuple[str, ...] = ()
    documents: NDArray[np.int64] = field(default_factory=lambda: np.empty(0, np.int64))

    def __post_init__(self) -> None:
        if self.tokens.dtype != np.int32 or self.starts.dtype != np.int64:
            raise ValueError(f"tokens are {self.tokens.dtype}, starts are {self.starts.dtype}")
        if not len(self.documents):
            object.__setattr__(self, "documents", _untold(self.sentences, self.preparation))
        _check_places(self.tokens, len(self.vocabulary))
        _check_cuts("starts", self.starts, len(self.tokens), "tokens")
        _check_cuts("documents", self.documents, self.sentences, "sentences")
        for name in ("tokens", "starts", "documents"):
            view = getattr(self, name).view()
            view.flags.writeable = False
            object.__setattr__(self, name, view)

    def __len__(self) -> int:
        return len(self.tokens)

    def __repr__(self) -> str:
        return f"Corpus({self.name!r}, {len(self):,} tokens, {len(self.vocabulary):,} words)"

    @property
    def sentences(self) -> int:
        """How many sentences there are."""
        return len(self.starts) - 1

    @cached_property
    def counts(self) -> NDArray[np.int64]:
        """How often each word of the vocabulary stands in the text."""
        counts = np.zeros(len(self.vocabulary), np.int64)
        for start in range(0, len(self), _TOKENS_AT_ONCE):  # bincount copies what it counts
            part = self.tokens[start : start + _TOKENS_AT_ONCE]
            counts += np.bincount(part, minlength=len(counts))
        counts.flags.writeable = False
        return counts

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 of words, sentences and documents: equal after preparation, equal here."""
        packed = pack(self.vocabulary.words)
        digest = hashlib.sha256(f"corpus 2 {len(self.tokens)} {self.sentences}".encode())
        for part in (packed.ends, packed.block, self.tokens, self.starts, self.documents):
            digest.update(np.ascontiguousarray(part).data)
        return digest.hexdigest()

    def embedding(self, name: str, vectors: Vectors) -> Embedding:
        """Vectors for the words of this corpus, with how often each stands in it."""
        return Embedding(name, self.vocabulary, vectors, self.counts, origin=self.origin)


def _untold(sentences: int, preparation: Preparation) -> NDArray[np.int64]:
    """The documents of a text of which no one has told them; none where nothing is."""
    alone = preparation.sentences == "documents" or not sentences
    return np.arange(0, sentences + 1, 1 if alone else sentences, dtype=np.int64)


# Kernels look at no bounds, so places that are none are refused here.
def _check_places(tokens: NDArray[np.int32], words: int) -> None:
    if tokens.ndim != 1:
        raise ValueError(f"tokens have {tokens.ndim} axes; 1 is needed")
    if len(tokens) and (tokens.min() < 0 or tokens.max() >= words):
        raise ValueError(f"tokens are {tokens.min()} to {tokens.max()} for {words:,} words")


def _check_cuts(name: str, cuts: NDArray[np.int64], total: int, what: str) -> None:
    if cuts.ndim != 1 or cuts.dtype != np.int64:
        raise ValueError(f"{name} are {cuts.dtype} with {cuts.ndim} axes; int64 with 1 is needed")
    if not len(cuts) or cuts[0] != 0 or cuts[-1] != total:
        raise ValueError(f"{name} must begin with 0 and end with the number of {what}")
    for at in range(0, len(cuts), _TOKENS_AT_ONCE):  # a difference is as large as what it is of
        if (np.diff(cuts[at : at + _TOKENS_AT_ONCE + 1]) < 0).any():
            raise ValueError(f"{name} must rise")


def corpus(name: str, sentences: Iterable[Sequence[str]], minimum: int = 1) -> Corpus:
    """A corpus from sentences that are lists of words; equally frequent words sort by letters."""
    listed = [list(sentence) for sentence in sentences]
    counts: dict[str, int] = {}
    for sentence in listed:
        for word in sentence:
            counts[word] = counts.get(word, 0) + 1
    kept = sorted((w for w, n in counts.items() if n >= minimum), key=lambda w: (-counts[w], w))
    place = {word: number for number, word in enumerate(kept)}
    rows = [[place[word] for word in sentence if word in place] for sentence in listed]
    tokens = np.array([token for row in rows for token in row], np.int32)
    starts = np.cumsum([0, *map(len, rows)]).astype(np.int64)
    if not len(tokens):
        raise BadData(f"{name}: holds no word that occurs {minimum} times or more.")
    left_out = sum(map(len, listed)) - len(tokens)
    steps = Preparation("spaces", "lines", lower=False, minimum=minimum)
    return Corpus(name, Vocabulary(tuple(kept)), tokens, starts, steps, left_out)


def sentences_of(corpus: Corpus) -> list[list[str]]:
    """The sentences as lists of words, for small texts."""
    words = corpus.vocabulary.words
    tokens = [words[token] for token in corpus.tokens.tolist()]
    return [tokens[start:end] for start, end in pairwise(corpus.starts.tolist())]


NO_TEXT = Corpus("", Vocabulary(()), np.empty(0, np.int32), np.zeros(1, np.int64))

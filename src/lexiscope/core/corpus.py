"""A corpus: a tokenised text as indices into a vocabulary."""

import hashlib
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from lexiscope.core.embedding import Embedding, Vectors
from lexiscope.core.errors import BadData
from lexiscope.core.preprocessing import Preprocessing
from lexiscope.core.vocabulary import Vocabulary, pack

_BLOCK = 1 << 16


@dataclass(frozen=True, eq=False)
class Corpus:
    """A tokenised text. Arrays are read-only and may be memory-mapped.

    Use `lexiscope.read_corpus` to create one.

    Attributes
    ----------
    name
        The name, used in messages.
    vocabulary
        The words, most frequent first.
    tokens : array of int32, shape (n_tokens,)
        The text as indices into the vocabulary.
    starts : array of int64, shape (n_sentences + 1,)
        Sentence `s` is tokens[starts[s]:starts[s + 1]].
    preprocessing
        The preprocessing that was applied.
    left_out
        Number of tokens that the preprocessing discarded; they are not in `tokens`.
    origin
        The source of the text.
    repairs
        Changes that were necessary to read the text, as sentences.
    documents : array of int64, shape (n_documents + 1,)
        Document `d` is the sentences from documents[d] to documents[d + 1]. By default the whole
        text is one document or, with `sentences="documents"`, each sentence is one.

    Examples
    --------
    >>> import lexiscope
    >>> corpus = lexiscope.read_corpus([["a", "rose"], ["a", "tulip"]], min_count=1)
    >>> len(corpus), corpus.sentences
    (4, 2)
    >>> corpus.vocabulary.words[0], int(corpus.counts[0])
    ('a', 2)
    """

    name: str
    vocabulary: Vocabulary
    tokens: NDArray[np.int32]
    starts: NDArray[np.int64]
    preprocessing: Preprocessing = field(default_factory=Preprocessing)
    left_out: int = 0
    origin: str = ""
    repairs: tuple[str, ...] = ()
    documents: NDArray[np.int64] = field(default_factory=lambda: np.empty(0, np.int64))

    def __post_init__(self) -> None:
        if self.tokens.dtype != np.int32 or self.starts.dtype != np.int64:
            raise ValueError(f"tokens are {self.tokens.dtype}, starts are {self.starts.dtype}")
        if not len(self.documents):
            object.__setattr__(
                self, "documents", _default_documents(self.sentences, self.preprocessing)
            )
        _check_tokens(self.tokens, len(self.vocabulary))
        _check_boundaries("starts", self.starts, len(self.tokens), "tokens")
        _check_boundaries("documents", self.documents, self.sentences, "sentences")
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
        """The number of sentences."""
        return len(self.starts) - 1

    @cached_property
    def counts(self) -> NDArray[np.int64]:
        """The frequency of each word of the vocabulary in the text."""
        counts = np.zeros(len(self.vocabulary), np.int64)
        for start in range(0, len(self), _BLOCK):  # bincount copies its input
            part = self.tokens[start : start + _BLOCK]
            counts += np.bincount(part, minlength=len(counts))
        counts.flags.writeable = False
        return counts

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 of vocabulary, tokens, sentences and documents."""
        packed = pack(self.vocabulary.words)
        digest = hashlib.sha256(f"corpus 2 {len(self.tokens)} {self.sentences}".encode())
        for part in (packed.ends, packed.block, self.tokens, self.starts, self.documents):
            digest.update(np.ascontiguousarray(part).data)
        return digest.hexdigest()

    def embedding(self, name: str, vectors: Vectors) -> Embedding:
        """An embedding of the vocabulary of this corpus, with the word counts."""
        return Embedding(name, self.vocabulary, vectors, self.counts, origin=self.origin)


def _default_documents(sentences: int, preprocessing: Preprocessing) -> NDArray[np.int64]:
    """Document boundaries for a text without any: one document, or one per sentence."""
    each = preprocessing.sentences == "documents" or not sentences
    return np.arange(0, sentences + 1, 1 if each else sentences, dtype=np.int64)


# Kernels do not check bounds, so invalid indices are refused here.
def _check_tokens(tokens: NDArray[np.int32], words: int) -> None:
    if tokens.ndim != 1:
        raise ValueError(f"tokens have {tokens.ndim} axes; 1 is needed")
    if len(tokens) and (tokens.min() < 0 or tokens.max() >= words):
        raise ValueError(f"tokens are {tokens.min()} to {tokens.max()} for {words:,} words")


def _check_boundaries(name: str, boundaries: NDArray[np.int64], total: int, what: str) -> None:
    if boundaries.ndim != 1 or boundaries.dtype != np.int64:
        shape = f"{boundaries.dtype} with {boundaries.ndim} axes"
        raise ValueError(f"{name} are {shape}; int64 with 1 is needed")
    if not len(boundaries) or boundaries[0] != 0 or boundaries[-1] != total:
        raise ValueError(f"{name} must begin with 0 and end with the number of {what}")
    for at in range(0, len(boundaries), _BLOCK):  # in blocks: np.diff copies
        if (np.diff(boundaries[at : at + _BLOCK + 1]) < 0).any():
            raise ValueError(f"{name} must not decrease")


def corpus(
    name: str, sentences: Iterable[Sequence[str]], min_count: int = 1, limit: int | None = None
) -> Corpus:
    """Build a corpus from sentences that are lists of words.

    Words are sorted by frequency, ties alphabetically. Words that occur less often than `min_count`
    are discarded; of the others the `limit` most frequent are kept.
    """
    listed = [list(sentence) for sentence in sentences]
    counts = Counter(word for sentence in listed for word in sentence)
    frequent = (word for word, count in counts.items() if count >= min_count)
    words = sorted(frequent, key=lambda word: (-counts[word], word))[:limit]
    index = {word: number for number, word in enumerate(words)}
    rows = [[index[word] for word in sentence if word in index] for sentence in listed]
    tokens = np.array([token for row in rows for token in row], np.int32)
    starts = np.cumsum([0, *map(len, rows)]).astype(np.int64)
    if not len(tokens):
        raise BadData(f"{name}: contains no word that occurs {min_count} times or more.")
    left_out = sum(map(len, listed)) - len(tokens)
    steps = Preprocessing("spaces", "lines", lower=False, min_count=min_count, limit=limit)
    return Corpus(name, Vocabulary(tuple(words)), tokens, starts, steps, left_out)


def sentences_of(corpus: Corpus) -> list[list[str]]:
    """The sentences as lists of words, for small corpora."""
    words = corpus.vocabulary.words
    tokens = [words[token] for token in corpus.tokens.tolist()]
    return [tokens[start:end] for start, end in pairwise(corpus.starts.tolist())]


def empty_corpus() -> Corpus:
    """Return a corpus without text, for trainers that need none."""
    return Corpus("", Vocabulary(()), np.empty(0, np.int32), np.zeros(1, np.int64))

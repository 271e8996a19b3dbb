"""The text of an experiment on consistency, its terms, and the samples of their sentences."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lexiscope.core.contracts.term_model import Background
from lexiscope.core.corpus import Corpus
from lexiscope.core.corpus import corpus as corpus_of
from lexiscope.core.errors import BadData, BadUsage
from lexiscope.core.execution import Execution
from lexiscope.core.seeding import generator
from lexiscope.data import term_samples
from lexiscope.data.corpora import OnError
from lexiscope.data.inputs import Inputs
from lexiscope.data.term_lists import read_index, read_terms
from lexiscope.experiments.consistency.samples import (
    SampledTerms,
    SamplingRule,
    published_samples,
    samples_of,
)
from lexiscope.experiments.consistency.terms import (
    CUTOFF,
    Chosen,
    divide,
    keywords,
    random_terms,
)
from lexiscope.experiments.consistency.texts import read_texts

KEYWORDS = 100  # if no terms are given


@dataclass(frozen=True)
class TermChoice:
    """Where the terms come from: a list, a file, the index of a book, keywords or random words.

    Without any of them, the 100 best keywords of the text. With `part`, only the development terms
    (about 70 %), on which settings can be chosen, or only the test terms.

    Examples
    --------
    >>> import lexiscope
    >>> lexiscope.TermChoice(["sense datum", "belief"]).keywords is None
    True
    >>> lexiscope.TermChoice(["belief"], random=5)
    Traceback (most recent call last):
        ...
    lexiscope.core.errors.BadUsage: Choose one source of terms, found terms and random.
    """

    terms: Sequence[str] | str | Path | None = None
    index: str | Path | None = None
    keywords: int | None = None
    random: int | None = None
    part: Literal["development", "test"] | None = None

    def __post_init__(self) -> None:
        sources = ("terms", "index", "keywords", "random")
        given = [name for name in sources if getattr(self, name) is not None]
        if len(given) > 1:
            raise BadUsage(f"Choose one source of terms, found {' and '.join(given)}.")
        if self.part not in (None, "development", "test"):
            raise BadUsage(f"The part of the terms is development or test, found '{self.part}'.")


class _Reference(NamedTuple):
    """Words, most frequent first, and their counts, which keywords are compared with."""

    words: Sequence[str]
    counts: NDArray[np.int64] | None
    name: str


class Source(NamedTuple):
    """The samples of all terms, and the text that they come from; None for published samples.

    `words` are all words of the sentences, and `encode` returns the same samples as indices in
    other words.
    """

    sampled: SampledTerms
    fingerprint: str
    chosen: str
    corpus: Corpus | None
    words: tuple[str, ...]
    encode: Callable[[Sequence[str]], SampledTerms]

    @property
    def repairs(self) -> tuple[str, ...]:
        """What was left out or changed while the text was read."""
        return () if self.corpus is None else self.corpus.repairs


def source_from(
    texts: Any,
    choice: TermChoice,
    rule: SamplingRule | None,
    background: Background,
    other_text: Corpus | None,
    seed: int,
    inputs: Inputs,
    execution: Execution,
) -> Source:
    """Read the text, choose its terms and sample their sentences."""
    listed = list(texts) if isinstance(texts, list | tuple) else [texts]
    if len(listed) == 1 and str(listed[0]) in term_samples.names():
        if choice != TermChoice() or (rule or SamplingRule()).split not in ("random", "published"):
            raise BadUsage(
                f"{listed[0]} has terms and samples of its own, so no terms and no split can be "
                "chosen."
            )
        published = term_samples.load(str(listed[0]), inputs.local_data)
        words = tuple(sorted({w for t in published.terms for s in t.samples for x in s for w in x}))
        encode = partial(published_samples, published)
        sampled = encode(background.words)
        return Source(sampled, f"samples {published.name}", "", None, words, encode)
    if listed and not isinstance(listed[0], str | Path):
        corpus = corpus_of("text", [list(sentence) for sentence in listed])
    else:
        corpus = _read(texts, inputs, execution)
    sampling = rule or SamplingRule()
    reference = _reference(background, other_text, inputs)
    chosen = _part(_terms(choice, corpus, reference, seed, sampling), choice)

    def encoded(words: Sequence[str]) -> SampledTerms:
        return samples_of(corpus, chosen.terms, sampling, words, seed)

    words = tuple(corpus.vocabulary.words)
    sampled = encoded(background.words)
    return Source(sampled, corpus.fingerprint, chosen.rule, corpus, words, encoded)


def _terms(
    choice: TermChoice, corpus: Corpus, reference: _Reference, seed: int, rule: SamplingRule
) -> Chosen:
    if choice.index is not None:
        return Chosen(read_index(choice.index), f"Terms: the index {choice.index}.")
    if isinstance(choice.terms, str | Path):
        return Chosen(read_terms(choice.terms), f"Terms: the list {choice.terms}.")
    if choice.terms is not None:
        return Chosen(tuple(choice.terms), "Terms: a given list.")
    cutoff = CUTOFF if rule.cutoff is None else rule.cutoff
    if choice.random is not None:
        rng = generator(seed, "terms", corpus.fingerprint)
        return random_terms(corpus, choice.random, rng, cutoff)
    number = choice.keywords or KEYWORDS
    return keywords(
        corpus, number, reference.words, reference.counts, cutoff, reference=reference.name
    )


def _part(chosen: Chosen, choice: TermChoice) -> Chosen:
    """The development or the test terms, if only these are wanted."""
    if choice.part is None:
        return chosen
    terms = getattr(divide(chosen.terms), choice.part)
    if not terms:
        raise BadData(f"None of the {len(chosen.terms):,} terms is a {choice.part} term.")
    rule = f"Only the {choice.part} terms, {len(terms):,} of {len(chosen.terms):,}."
    return Chosen(terms, f"{chosen.rule} {rule}")


def text_of(text: Corpus | None) -> Corpus:
    """Return the text; raise an error for published samples, which have none."""
    if text is None:
        raise BadUsage("Published samples are no text that a trainer could be trained on.")
    return text


def other_text_from(source: Any, inputs: Inputs, execution: Execution) -> Corpus | None:
    """Read the background text, if there is one."""
    if source is None:
        return None
    return _read(source, inputs, execution)


def _read(sources: Any, inputs: Inputs, execution: Execution) -> Corpus:
    # A text has no rows that could be left out, so only invalid characters can be replaced.
    on_error: OnError = "replace" if inputs.on_error == "replace" else "stop"
    return read_texts(
        sources, progress=execution.progress, local_data=inputs.local_data, on_error=on_error
    )


def _reference(background: Background, other_text: Corpus | None, inputs: Inputs) -> _Reference:
    """The counts of a table, else those of the background, else those of its text."""
    if inputs.frequencies is not None and background.counts is not None:
        order = np.argsort(-background.counts, kind="stable")
        words = [background.words[row] for row in order.tolist()]
        return _Reference(words, background.counts[order], str(inputs.frequencies))
    if background.counts is None and other_text is not None:
        return _Reference(other_text.vocabulary.words, other_text.counts, other_text.name)
    return _Reference(background.words, background.counts, "the background")

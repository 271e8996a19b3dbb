"""Consistency of vectors that are learned from samples of a small text."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lexiscope.core.contracts.metric import Floats
from lexiscope.core.contracts.term_model import Background, TermModel
from lexiscope.core.contracts.trainer import Trainer
from lexiscope.core.corpus import Corpus
from lexiscope.core.corpus import corpus as corpus_of
from lexiscope.core.decision import DEFAULT_RULE, DecisionRule
from lexiscope.core.errors import BadData, BadUsage
from lexiscope.core.execution import Execution
from lexiscope.core.seeding import generator
from lexiscope.core.versions import versions
from lexiscope.data import term_samples
from lexiscope.data.inputs import Inputs
from lexiscope.data.term_lists import read_index, read_terms
from lexiscope.experiments.consistency.background import LoadedBackground, background_from
from lexiscope.experiments.consistency.joint import learn_jointly
from lexiscope.experiments.consistency.models import AvailableModels, models_of
from lexiscope.experiments.consistency.results import (
    ConsistencyOptions,
    ConsistencyResults,
    TermVectors,
)
from lexiscope.experiments.consistency.samples import (
    SampledTerms,
    SamplingRule,
    published_samples,
    samples_of,
)
from lexiscope.experiments.consistency.stability import (
    document_stability,
    joined,
    reliability,
    stability,
)
from lexiscope.experiments.consistency.summary import summarise
from lexiscope.experiments.consistency.sweep import Setup, TermJob, learn
from lexiscope.experiments.consistency.term_scores import background_rows
from lexiscope.experiments.consistency.terms import (
    CUTOFF,
    Chosen,
    divide,
    keywords,
    random_terms,
)
from lexiscope.experiments.consistency.texts import read_texts
from lexiscope.learners.induction_map import InductionMap
from lexiscope.store.store import Store

KEYWORDS = 100  # if no terms are given
BACKGROUND = "glove-6b-50d"  # if no background is given


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


def consistency(
    texts: Any,
    background: Any = BACKGROUND,
    *,
    choice: TermChoice | None = None,
    models: Iterable[str] | Mapping[str, str] | str = (),
    settings: Mapping[str, Any] | None = None,
    rule: SamplingRule | None = None,
    options: ConsistencyOptions | None = None,
    background_text: Any = None,
    resamples: int = 0,
    retrainings: int = 0,
    decision: DecisionRule | None = None,
    seed: int = 0,
    inputs: Inputs | None = None,
    execution: Execution | None = None,
) -> ConsistencyResults:
    """Measure how consistently models learn vectors of terms from samples of a text.

    Parameters
    ----------
    texts
        A path, a folder, a catalogue name, or a list of these: the text. Also sentences, as lists
        of words, or the name of a published dataset of samples.
    background
        An embedding that stays frozen: a path, a catalogue name or an object.
    choice : TermChoice, optional
        The terms. The default is the 100 best keywords of the text.
    models : str, list of str or dict of str to str, optional
        Names of models: "additive", "alacarte", "nonce2vec", or a trainer such as "svd", which is
        trained on the background text and the samples, with the terms of each sample marked. The
        default is every model that the background allows. A dict names the model of each label,
        so that a model can be compared under several settings.
    settings : dict, optional
        Settings of models by name or label, such as ``{"additive.window": 5}``.
    rule : SamplingRule, optional
        How sentences are sampled: five random samples of up to ten sentences by default.
    options : ConsistencyOptions, optional
        Choices of the summary.
    background_text
        A text from which the map of `alacarte` is learned, by default the text itself, and to
        which marked samples are added for a trainer, by default none.
    resamples : int, default 0
        How often the sentences of each term are resampled with replacement, to find out which
        neighbours are stable. A trainer is trained on resampled documents of the text.
    retrainings : int, default 0
        How often each trainer is trained on the whole text with another seed, to find out how far
        neighbours depend on the seed.
    decision : DecisionRule, optional
        The equivalence margin of comparisons between models.
    seed : int, default 0
        Seed of all random numbers.
    inputs : Inputs, optional
        Where data files are, and what to do about broken rows.
    execution : Execution, optional
        Where vectors are stored, and how progress is reported.

    Returns
    -------
    ConsistencyResults
        Consistency of every model and term, with its null, intervals and comparisons.

    Examples
    --------
    >>> import numpy as np
    >>> import lexiscope
    >>> rng = np.random.default_rng(0)
    >>> words = [f"w{n}" for n in range(30)]
    >>> text = [[*rng.choice(words, 4), f"term{k % 3}", *rng.choice(words, 4)] for k in range(60)]
    >>> found = lexiscope.consistency(
    ...     text, (words, rng.normal(size=(30, 5))), models="additive",
    ...     choice=lexiscope.TermChoice(["term0", "term1", "term2"]),
    ... )
    >>> found.models[0].terms, found.terms[0].verdict
    (3, 'untested')
    """
    execution, inputs = execution or Execution(), inputs or Inputs()
    loaded = background_from(background, inputs)
    source = _source(
        texts, choice or TermChoice(), rule, loaded.background, seed, inputs, execution
    )
    sampled = source.sampled
    options = _options(options, source)
    other_text = _other_text(background_text, inputs, execution)
    terms = [each.term for each in sampled.terms]
    text = other_text or source.corpus
    used = models_of(models, settings or {}, loaded.background, text, terms)
    _check_repeats(used, retrainings)
    setup = Setup(source.fingerprint, loaded.fingerprint, sampled.rule.split, seed)
    with Store(execution.store) as store:
        found = [
            _learned(name, model, sampled, loaded.background, setup, store, execution)
            for name, model in used.models.items()
        ]
        stable = [
            stability(
                name, model, sampled, loaded.background, setup, store, execution, resamples,
                options.neighbours,
            )
            for name, model in (used.models.items() if resamples else ())
        ]  # fmt: skip
    for name, trainer in used.trainers.items() if resamples or retrainings else ():
        corpus = _text_of(source.corpus)
        if resamples:
            stable.append(
                document_stability(name, trainer, corpus, other_text, terms, resamples, seed,
                                   options.neighbours, execution)
            )  # fmt: skip
        if retrainings:
            stable.append(
                reliability(name, trainer, joined(corpus, other_text), terms, retrainings, seed,
                            options.neighbours, execution)
            )  # fmt: skip
    with Store(execution.store) as store:
        found += [
            _jointly(name, trainer, source, other_text, setup, store, execution)
            for name, trainer in used.trainers.items()
        ]
    results = summarise(
        found,
        loaded.background,
        decision or DEFAULT_RULE,
        seed,
        execution.progress,
        options=options,
        left_out=[(each.term, each.reason) for each in sampled.left_out],
        stability=[each.overall for each in stable],
        warnings=sampled.warnings,
        manifest=_manifest(source, loaded, {**used.models, **used.trainers}, seed),
    )
    marked = _marked(used.trainers, other_text)
    return replace(
        results,
        notes=tuple(filter(None, (source.chosen, *sampled.notes, marked, *used.notes))),
        stable_neighbours=tuple(t for each in stable for t in each.terms),
    )


class _Source(NamedTuple):
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


def _source(
    texts: Any,
    choice: TermChoice,
    rule: SamplingRule | None,
    background: Background,
    seed: int,
    inputs: Inputs,
    execution: Execution,
) -> _Source:
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
        return _Source(sampled, f"samples {published.name}", "", None, words, encode)
    if listed and not isinstance(listed[0], str | Path):
        corpus = corpus_of("text", [list(sentence) for sentence in listed])
    else:
        corpus = read_texts(texts, progress=execution.progress, local_data=inputs.local_data)
    sampling = rule or SamplingRule()
    chosen = _part(_terms(choice, corpus, background, seed, sampling), choice)

    def encoded(words: Sequence[str]) -> SampledTerms:
        return samples_of(corpus, chosen.terms, sampling, words, seed)

    words = tuple(corpus.vocabulary.words)
    sampled = encoded(background.words)
    return _Source(sampled, corpus.fingerprint, chosen.rule, corpus, words, encoded)


def _options(given: ConsistencyOptions | None, source: _Source) -> ConsistencyOptions:
    """The choices of the summary, with the sizes of samples and text unless they are given."""
    found = given or ConsistencyOptions(full_size=source.sampled.rule.size)
    if found.text_tokens is not None or source.corpus is None:
        return found
    return replace(found, text_tokens=len(source.corpus))


def _text_of(text: Corpus | None) -> Corpus:
    if text is None:
        raise BadUsage("Published samples are no text that a trainer could be trained on.")
    return text


def _other_text(source: Any, inputs: Inputs, execution: Execution) -> Corpus | None:
    if source is None:
        return None
    return read_texts(source, progress=execution.progress, local_data=inputs.local_data)


def _terms(
    choice: TermChoice, corpus: Corpus, background: Background, seed: int, rule: SamplingRule
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
    return keywords(corpus, number, background.words, background.counts, cutoff)


def _part(chosen: Chosen, choice: TermChoice) -> Chosen:
    """The development or the test terms, if only these are wanted."""
    if choice.part is None:
        return chosen
    terms = getattr(divide(chosen.terms), choice.part)
    if not terms:
        raise BadData(f"None of the {len(chosen.terms):,} terms is a {choice.part} term.")
    rule = f"Only the {choice.part} terms, {len(terms):,} of {len(chosen.terms):,}."
    return Chosen(terms, f"{chosen.rule} {rule}")


def _marked(trainers: Iterable[str], other_text: Corpus | None) -> str:
    """What trainers are trained on, as a sentence; empty without trainers."""
    names = ", ".join(trainers)
    added = "without a background text" if other_text is None else f"added to {other_text.name}"
    return f"{names}: trained on the samples with marked terms, {added}." if names else ""


def _check_repeats(used: AvailableModels, retrainings: int) -> None:
    """Raise an error if no model can do what is to be repeated."""
    if retrainings and not used.trainers:
        raise BadUsage(
            "Retraining with other seeds (--retrain) needs a trainer, such as --model skipgram."
        )


def _learned(
    name: str,
    model: TermModel,
    sampled: SampledTerms,
    background: Background,
    setup: Setup,
    store: Store,
    execution: Execution,
) -> TermVectors:
    """The vectors of all samples of all terms, and of samples of increasing size."""
    jobs = [TermJob(each.term, "sample", each.samples) for each in sampled.terms]
    vectors = learn(name, model, jobs, background, setup, store, execution)
    rows = np.asarray(background_rows([each.term for each in sampled.terms], background))
    known = rows >= 0
    own = np.full((len(jobs), background.dimension), np.nan)
    own[known] = background.vectors[rows[known]]
    counts = np.zeros(len(jobs), np.int64)
    if background.counts is not None:
        counts[known] = background.counts[rows[known]]
    return TermVectors(
        name,
        sampled.rule.split,
        tuple(each.term for each in sampled.terms),
        np.array([each.frequency for each in sampled.terms], np.int64),
        None if background.counts is None else counts,
        tuple(vectors),
        tuple(each.sizes for each in sampled.terms),
        own,
        _by_size(name, model, sampled, background, setup, store, execution),
    )


def _jointly(
    name: str,
    trainer: Trainer,
    source: _Source,
    text: Corpus | None,
    setup: Setup,
    store: Store,
    execution: Execution,
) -> TermVectors:
    """The vectors of a trainer on marked text; they are in a space of their own."""
    execution.progress(f"Training {name} on marked text", 0, 1)
    sampled = source.encode(source.words)
    terms = [each.term for each in sampled.terms]
    samples = [each.samples for each in sampled.terms]
    vectors = learn_jointly(
        name, trainer, terms, samples, source.words, text, setup, store, force=execution.force
    )
    execution.progress(f"Training {name} on marked text", 1, 1)
    return TermVectors(
        name,
        sampled.rule.split,
        tuple(terms),
        np.array([each.frequency for each in sampled.terms], np.int64),
        _counts_in(text, terms),
        tuple(each[:-1] for each in vectors),
        tuple(each.sizes for each in sampled.terms),
        np.array([each[-1] for each in vectors]),
        in_background=False,
    )


def _counts_in(text: Corpus | None, terms: Sequence[str]) -> NDArray[np.int64] | None:
    """How often each term occurs in the background text; 0 for terms of several words."""
    if text is None:
        return None
    rows = text.vocabulary.find([term.casefold() for term in terms])
    return np.where(rows >= 0, np.asarray(text.counts)[rows], 0).astype(np.int64)


def _by_size(
    name: str,
    model: TermModel,
    sampled: SampledTerms,
    background: Background,
    setup: Setup,
    store: Store,
    execution: Execution,
) -> dict[int, tuple[Floats, ...]]:
    """The vectors of two samples of each size; NaN for a term with too few sentences."""
    drawn = sampled.by_size(setup.seed)
    empty = np.full((2, background.dimension), np.nan)
    found = {}
    for size, terms in drawn.items():
        jobs = [TermJob(each.term, f"size {size}", each.samples) for each in terms if each]
        vectors = iter(learn(name, model, jobs, background, setup, store, execution))
        found[size] = tuple(next(vectors) if each else empty for each in terms)
    return found


def _manifest(
    source: _Source,
    loaded: LoadedBackground,
    models: Mapping[str, TermModel | Trainer],
    seed: int,
) -> dict[str, Any]:
    sampled, corpus, background = source.sampled, source.corpus, loaded.background
    return {
        "versions": versions(),
        "seed": seed,
        "text": {
            "name": sampled.name,
            "tokens": None if corpus is None else len(corpus),
            "sentences": None if corpus is None else corpus.sentences,
            "sha256": source.fingerprint,
            "coverage": sampled.coverage,
        },
        "background": {
            "name": loaded.name,
            "words": len(background.words),
            "dimension": background.dimension,
            "sha256": loaded.fingerprint,
            "counts": background.counts is not None,
            "output": background.output is not None,
            "repairs": list(loaded.repairs),
        },
        "rule": {**asdict(sampled.rule), "cutoff": sampled.rule.least},
        "saturation": sampled.saturation,
        "left_out": [each._asdict() for each in sampled.left_out],
        "models": [
            {
                "name": name,
                "version": model.version,
                "settings": {key: _setting(value) for key, value in model.settings.items()},
            }
            for name, model in models.items()
        ],
    }


def _setting(value: Any) -> str:
    """A setting as text; a map by its text and its fingerprint."""
    if isinstance(value, InductionMap):
        return f"learned from {value.name}, sha256 {value.fingerprint}"
    return str(value)

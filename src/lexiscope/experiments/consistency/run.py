"""Consistency of vectors that are learned from samples of a small text."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from lexiscope.core.contracts.term_model import Background
from lexiscope.core.corpus import Corpus
from lexiscope.core.decision import DEFAULT_RULE, DecisionRule
from lexiscope.core.execution import Execution
from lexiscope.data.inputs import Inputs
from lexiscope.experiments.consistency.background import background_from
from lexiscope.experiments.consistency.manifest import manifest_of
from lexiscope.experiments.consistency.models import AvailableModels, models_of
from lexiscope.experiments.consistency.results import ConsistencyOptions, ConsistencyResults
from lexiscope.experiments.consistency.samples import SamplingRule
from lexiscope.experiments.consistency.source import (
    Source,
    TermChoice,
    other_text_from,
    source_from,
)
from lexiscope.experiments.consistency.stability import (
    Repeats,
    repeated_models,
    repeated_trainers,
)
from lexiscope.experiments.consistency.summary import summarise
from lexiscope.experiments.consistency.sweep import Learning, Setup
from lexiscope.experiments.consistency.term_vectors import learned, learned_jointly
from lexiscope.store.store import Store

BACKGROUND = "glove-6b-50d"  # if no background is given
_SHOWN_REPAIRS = 5


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
        How often the documents of the text are resampled with replacement, to find out which
        neighbours of a term are stable; the sentences of a term if there is one document.
    retrainings : int, default 0
        How often each model learns from the whole text with another seed, to find out how far
        neighbours depend on the seed.
    decision : DecisionRule, optional
        The equivalence margin of comparisons between models.
    seed : int, default 0
        Seed of all random numbers.
    inputs : Inputs, optional
        Where data files are, and what to do about broken rows. A table of frequencies replaces
        the counts of the background.
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
    other_text = other_text_from(background_text, inputs, execution)
    source = source_from(
        texts, choice or TermChoice(), rule, loaded.background, other_text, seed, inputs, execution
    )
    sampled = source.sampled
    options = _options(options, source)
    terms = [each.term for each in sampled.terms]
    used = models_of(models, settings or {}, loaded.background, other_text or source.corpus, terms)
    setup = Setup(source.fingerprint, loaded.fingerprint, sampled.rule.split, seed)
    with Store(execution.store) as store:
        learning = Learning(loaded.background, setup, store, execution)
        found = [
            *(learned(name, model, sampled, learning) for name, model in used.models.items()),
            *(
                learned_jointly(name, trainer, source, other_text, learning)
                for name, trainer in used.trainers.items()
            ),
        ]
        repeats = Repeats(resamples, retrainings, options.neighbours)
        stable = repeated_models(used.models, source, learning, repeats)
    stable += repeated_trainers(used.trainers, source, other_text, terms, seed, repeats, execution)
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
        manifest=manifest_of(source, loaded, {**used.models, **used.trainers}, seed),
    )
    return replace(
        results,
        notes=tuple(_notes(source, used, other_text, retrainings, loaded.background)),
        stable_neighbours=tuple(t for each in stable for t in each.terms),
    )


def _options(given: ConsistencyOptions | None, source: Source) -> ConsistencyOptions:
    """The choices of the summary, with the sizes of samples and text unless they are given."""
    found = given or ConsistencyOptions(full_size=source.sampled.rule.size)
    if found.text_tokens is not None or source.corpus is None:
        return found
    return replace(found, text_tokens=len(source.corpus))


def _notes(
    source: Source,
    used: AvailableModels,
    other_text: Corpus | None,
    retrainings: int,
    background: Background,
) -> Iterator[str]:
    """What ran and what was left out, as sentences."""
    if source.chosen:
        yield source.chosen
    yield from source.sampled.notes
    yield from source.repairs[:_SHOWN_REPAIRS]
    if len(source.repairs) > _SHOWN_REPAIRS:
        more = len(source.repairs) - _SHOWN_REPAIRS
        yield f"{more:,} more repairs of the text are in the JSON document."
    if used.trainers:
        added = "without a background text" if other_text is None else f"added to {other_text.name}"
        yield f"{', '.join(used.trainers)}: trained on the samples with marked terms, {added}."
    yield from used.notes
    fixed = [name for name, model in used.models.items() if not model.is_random(background)]
    if retrainings and fixed:
        yield f"{', '.join(fixed)}: uses no random numbers, so another seed changes nothing."

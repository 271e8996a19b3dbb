"""Learning curves of embeddings: split, train, score, summarise."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from lexiscope.core.contracts.learner import Learner
from lexiscope.core.datasets.base import Dataset
from lexiscope.core.decision import DecisionRule
from lexiscope.core.embedding import Embedding
from lexiscope.core.errors import BadData, BadUsage
from lexiscope.core.execution import Execution
from lexiscope.core.seeding import generator
from lexiscope.core.versions import versions
from lexiscope.core.vocabulary import Vocabulary
from lexiscope.data.inputs import Inputs
from lexiscope.data.vectors.resolve import Reading, embeddings_from
from lexiscope.evaluation.resolve import resolve_datasets, words_of
from lexiscope.evaluation.vocabulary import AlignedEmbeddings
from lexiscope.experiments.curves.items import KINDS, POLICY, CurveItems, curve_items
from lexiscope.experiments.curves.loss import check_names, size_names
from lexiscope.experiments.curves.plan import CurvePlan, curve_models, families_of
from lexiscope.experiments.curves.protocol import Protocol
from lexiscope.experiments.curves.results import SHARED_WORDS, CurveResults, DatasetScores
from lexiscope.experiments.curves.scores import scores
from lexiscope.experiments.curves.summary import summarise
from lexiscope.experiments.curves.sweep import run_curves
from lexiscope.experiments.curves.vectors import RANDOM, CurveVectors, random_control
from lexiscope.store.store import Store


def curves(
    embeddings: Any,
    datasets: Any,
    *,
    models: Iterable[str] | str = (),
    settings: Mapping[str, Any] | None = None,
    protocol: Protocol | None = None,
    decision: DecisionRule | None = None,
    weights: Mapping[str, Mapping[str, float]] | None = None,
    target: float | None = None,
    seed: int = 0,
    inputs: Inputs | None = None,
    execution: Execution | None = None,
) -> CurveResults:
    """Measure how fast supervised models learn from each embedding.

    Parameters
    ----------
    embeddings
        A path, a catalogue name, an object, a list of these, or a dict that names them, as for
        `run`.
    datasets
        Catalogue names, paths, data frames or dataset objects: words with classes, rated word
        pairs, analogies, word pairs in relations, or texts with classes. One, or a list.
    models : str or list of str, optional
        Names of supervised models. The default is every model of the datasets' kinds, except the
        convolutional network.
    settings : dict, optional
        Settings of models, such as ``{"svm.c": "1,10"}``.
    protocol : Protocol, optional
        Repeats, test sets and training sizes.
    decision : DecisionRule, optional
        The equivalence margin of comparisons.
    weights : dict, optional
        Weights of datasets, models and training sizes in the expected loss:
        ``{"datasets": {"my-words": 2}, "models": {...}, "sizes": {...}}``.
    target : float, optional
        The score for which needed labels are computed. The default is the lowest final score
        among the embeddings, for each dataset.
    seed : int, default 0
        Seed of all random numbers.
    inputs : Inputs, optional
        Where data files are, and what to do about broken rows.
    execution : Execution, optional
        Where results are stored, and how the work is distributed.

    Returns
    -------
    CurveResults
        Curves with confidence intervals, areas, needed labels, ranks and comparisons.

    Examples
    --------
    >>> import numpy as np
    >>> import lexiscope
    >>> rng = np.random.default_rng(0)
    >>> words = [f"word{n}" for n in range(60)]
    >>> classes = np.array(["even", "odd"] * 30, object)
    >>> signal = np.where(classes == "odd", 1.0, -1.0)[:, None]
    >>> good = (words, signal + rng.normal(size=(60, 5)))
    >>> data = lexiscope.Categories("parity", np.array(words, object), classes)
    >>> found = lexiscope.curves({"good": good}, data, models="logistic_regression")
    >>> [curve.embedding for curve in found.curves if curve.model == "logistic_regression"]
    ['good', 'random vectors']
    """
    execution = execution or Execution()
    _check_target(target)
    plan = curve_plan(embeddings, datasets, models, settings, protocol, seed, inputs)
    check_names(_weighted_names(plan), weights or {})  # not only after hours of training
    found = measure(plan, execution)
    results = summarise(found, decision, weights, target, seed, execution.progress)
    warnings = (*plan_warnings(plan), *results.warnings)
    return replace(results, warnings=warnings, manifest=manifest(plan, execution))


def plan_warnings(plan: CurvePlan) -> list[str]:
    """Return what was left out of each dataset, and whether words leak into test sets."""
    notes = [f"{items.dataset}: {note}" for items in plan.items for note in items.notes]
    for items, splits in zip(plan.items, plan.splits, strict=True):
        unused = plan.protocol.unused_sizes(splits.pool)
        if unused:
            notes.append(
                f"{items.dataset}: training sizes that are left out: {', '.join(unused)}; there "
                f"are {splits.pool:,} training items."
            )
    leaking = [items.dataset for items in plan.items if items.word_codes is not None]
    if plan.protocol.shared_words and leaking:
        notes.append(
            f"{', '.join(leaking)}: {SHARED_WORDS}, as requested; scores are "
            "higher than for new words."
        )
    return notes


def _weighted_names(plan: CurvePlan) -> dict[str, set[str]]:
    """What can have a weight in the expected loss."""
    return {
        "datasets": {items.dataset for items in plan.items},
        "models": {name for items in plan.items for name in plan.models_of(items.family)},
        "sizes": {
            name
            for splits in plan.splits
            for size in splits.sizes
            for name in size_names(size, splits.pool)
        },
    }


def _check_target(target: Any) -> None:
    if target is None:
        return
    if not isinstance(target, int | float) or not -1 <= target <= 1:
        raise BadUsage(f"The target is a score, at most 1, such as 0.8; found {target}.")


def measure(plan: CurvePlan, execution: Execution) -> tuple[DatasetScores, ...]:
    """Train what is not stored yet, and score all predictions of a plan."""
    with Store(execution.store) as store:
        run_curves(plan, store, execution)
        return scores(plan, store, execution.progress)


def curve_plan(
    embeddings: Any,
    datasets: Any,
    models: Iterable[str] | str = (),
    settings: Mapping[str, Any] | None = None,
    protocol: Protocol | None = None,
    seed: int = 0,
    inputs: Inputs | None = None,
) -> CurvePlan:
    """Load embeddings and datasets, and plan their learning curves."""
    inputs, protocol = inputs or Inputs(), protocol or Protocol()
    found = resolve_datasets(_listed(datasets), KINDS, inputs.local_data)
    reading = Reading(None, inputs.on_error, inputs.local_data)
    vectors = aligned_vectors(embeddings_from(embeddings, words_of(found, POLICY), reading), seed)
    items = all_items(found, vectors, protocol, seed)
    wanted = [models] if isinstance(models, str) else list(models or ())
    chosen = curve_models(wanted, families_of(items), list((settings or {}).items()))
    return CurvePlan(vectors, items, chosen, protocol, seed)


def aligned_vectors(embeddings: Sequence[Embedding], seed: int) -> tuple[CurveVectors, ...]:
    """Return the embeddings with their common words, and a control with random vectors."""
    aligned = AlignedEmbeddings(embeddings)
    try:
        aligned.shared_words(POLICY)
    except BadData:
        raise BadData(
            "The embeddings have no word in common, so no item can be used. Check their case."
        ) from None
    found = [aligned.get(index, POLICY).embedding for index in range(len(embeddings))]
    own = [
        CurveVectors(given.name, given.fingerprint, each, each.dimension, seed)
        for given, each in zip(embeddings, found, strict=True)
    ]
    control = random_control(own[0].dimension, seed)
    taken = {each.name for each in own}
    names = (RANDOM, *(f"{RANDOM}-{number}" for number in range(2, len(own) + 3)))
    return (*own, replace(control, name=next(name for name in names if name not in taken)))


def all_items(
    datasets: Sequence[Dataset], vectors: Sequence[CurveVectors], protocol: Protocol, seed: int
) -> tuple[CurveItems, ...]:
    """Return the items of every dataset."""
    first = vectors[0].embedding
    known = first.vocabulary if first is not None else Vocabulary(())
    return tuple(
        curve_items(
            dataset, known, protocol.candidates, protocol.max_items,
            generator(seed, "items", dataset.fingerprint),
        )
        for dataset in datasets
    )  # fmt: skip


def manifest(plan: CurvePlan, execution: Execution) -> dict[str, Any]:
    """Return what determines the numbers."""
    return {
        "versions": versions(),
        "seed": plan.seed,
        "backend": execution.backend,
        "n_jobs": execution.n_jobs,
        "policy": POLICY.as_dict(),
        "protocol": plan.protocol.as_dict(),
        "embeddings": [_embedding_entry(each) for each in plan.vectors],
        "datasets": [_dataset_entry(each) for each in plan.items],
        "models": [_model_entry(name, model) for name, model in plan.models.items()],
    }


def _embedding_entry(vectors: CurveVectors) -> dict[str, Any]:
    own = vectors.embedding
    return {
        "name": vectors.name,
        "control": vectors.control,
        "dimension": vectors.dimension,
        "words": len(own) if own is not None else None,
        "origin": own.origin if own is not None else "",
        "sha256": vectors.fingerprint,
        "repairs": list(own.repairs) if own is not None else [],
    }


def _dataset_entry(items: CurveItems) -> dict[str, Any]:
    return {
        "name": items.dataset,
        "family": items.family,
        "items": len(items),
        "total": items.total,
        "classes": list(items.classes),
        "candidates": len(items.candidates),
        "sha256": items.fingerprint,
        "notes": list(items.notes),
    }


def _model_entry(name: str, model: Learner) -> dict[str, Any]:
    settings = {key: list(v) if isinstance(v, tuple) else v for key, v in model.settings.items()}
    return {"name": name, "version": model.version, "settings": settings}


def _listed(datasets: Any) -> list[Any]:
    several = isinstance(datasets, list | tuple)
    found = list(datasets) if several else [datasets]
    if not found or datasets is None:
        raise BadUsage("A learning curve needs at least one dataset.")
    return found

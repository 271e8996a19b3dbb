"""Effect of transforms on scores: vectors before and after, with the paired tests of a run."""

from collections.abc import Iterator, Sequence
from functools import reduce
from typing import Any

from lexiscope.core.embedding import Embedding
from lexiscope.core.errors import BadUsage
from lexiscope.core.estimate import Estimate
from lexiscope.core.execution import Execution
from lexiscope.core.result import WHOLE, Comparison, Result
from lexiscope.data.inputs import Inputs
from lexiscope.data.vectors.transforms import transformed
from lexiscope.evaluation.comparison import correct
from lexiscope.evaluation.results import Results
from lexiscope.evaluation.run import run
from lexiscope.experiments.inspection.frequencies import Frequencies
from lexiscope.experiments.inspection.results import TransformEffect

TASKS = ("similarity", "analogy", "categorization", "synonymy", "preference")


def apply_all(
    embedding: Embedding, transforms: Sequence[str], frequencies: Frequencies
) -> dict[str, Embedding]:
    """Return the embedding after each transform; `a@b` is transform a, then b.

    The transform `frequency` uses these frequencies.
    """
    counts = frequencies.values if frequencies.unit == "count" else None

    def apply(each: Embedding, name: str) -> Embedding:
        return transformed(each, name, None if counts is None else counts[: len(each)])

    found = {name: reduce(apply, name.split("@"), embedding) for name in transforms}
    if len({each.fingerprint for each in found.values()} | {embedding.fingerprint}) <= len(found):
        raise BadUsage(
            f"{embedding.name}: two of the transforms {', '.join(transforms)} give the same "
            "vectors, or one changes nothing."
        )
    return found


def evaluated(
    embedding: Embedding,
    variants: dict[str, Embedding],
    datasets: Sequence[Any],
    seed: int,
    inputs: Inputs,
    execution: Execution,
) -> Results:
    """Evaluate an embedding with its variants.

    Without datasets, on those that are available locally of the tasks of the absolute intrinsic
    evaluation (Schnabel et al. 2015, section 3).
    """
    named = {embedding.name: embedding} | {each.name: each for each in variants.values()}
    tasks = None if datasets else list(TASKS)
    return run(named, tasks, list(datasets) or None, seed=seed, inputs=inputs, execution=execution)


def comparisons(
    embedding: Embedding, variants: dict[str, Embedding], results: Results
) -> Iterator[Comparison]:
    """Yield the comparisons of the embedding with its variants, not those of two variants."""
    names = {each.name for each in variants.values()}
    for each in results.comparisons:
        if each.first == embedding.name and each.second in names:
            yield each


def effects(
    embeddings: Sequence[Embedding],
    variants: Sequence[dict[str, Embedding]],
    runs: Sequence[Results],
) -> tuple[TransformEffect, ...]:
    """Return the effect of each transform on each evaluation of each embedding.

    p-values are corrected over all of these comparisons.
    """
    found = [
        (transform, each, _scores(results))
        for embedding, changed, results in zip(embeddings, variants, runs, strict=True)
        for transform, variant in changed.items()
        for each in comparisons(embedding, {transform: variant}, results)
    ]
    corrected = correct([each for _, each, _ in found])
    return tuple(
        _effect(transform, each, scores)
        for (transform, _, scores), each in zip(found, corrected, strict=True)
    )


def _scores(results: Results) -> dict[tuple[str, str, str], Result]:
    return {
        (each.embedding, each.variant, each.dataset): each
        for each in results.main()
        if each.slice == WHOLE
    }


def _effect(
    transform: str, found: Comparison, scores: dict[tuple[str, str, str], Result]
) -> TransformEffect:
    before, after = (
        _score(scores.get((each, found.variant, found.dataset)))
        for each in (found.first, found.second)
    )
    return TransformEffect(
        found.first, transform, found.variant, found.dataset, before, after,
        _after_minus_before(found), found.p_holm, found.outcome,
    )  # fmt: skip


def _score(found: Result | None) -> float | None:
    if found is None:
        return None
    return found.value if found.shared_value is None else found.shared_value


def _after_minus_before(found: Comparison) -> Estimate:
    low, high = (None if end is None else -end for end in (found.high, found.low))
    value = None if found.difference is None else -found.difference
    return Estimate(value, low, high, found.state if value is None else "")


def failures(results: Results) -> tuple[str, ...]:
    """Return what could not be evaluated, and why."""
    return tuple(
        f"{each.embedding}, {each.task} on {each.dataset}: {each.reason}"
        for each in results.failures
    )

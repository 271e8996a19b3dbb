"""From scores of models to correlations between evaluations."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np

from lexiscope.core.result import WHOLE, Result
from lexiscope.core.versions import versions
from lexiscope.evaluation.analysis.correlation import (
    ScoreTable,
    against_consensus,
    consensus_rankings,
    correlations,
)
from lexiscope.evaluation.results import Results
from lexiscope.experiments.correlation.plan import CorrelationPlan, Evaluation, NotRun
from lexiscope.experiments.correlation.results import (
    CorrelationResults,
    ModelScore,
    PredictorDifference,
)
from lexiscope.stats.correlations import correlation_difference
from lexiscope.training import record as recording

Ends = tuple[float | None, float | None]


def analyse(
    plan: CorrelationPlan, found: Mapping[int, Results], folder: Path
) -> CorrelationResults:
    """Correlate the evaluations over the models of each dimensionality."""
    scored = [score_table(plan, dimension, results) for dimension, results in found.items()]
    consensus, rankings = [], {}
    for each in scored:
        tasks = [name for name in plan.tasks if name in each.evaluations]
        if len(tasks) > 1 and each.dimension is not None:
            scores = np.stack([each.of(name) for name in tasks], axis=1)
            rankings[each.dimension] = tuple(
                tuple(each.model_names[m] for m in order) for order in consensus_rankings(scores)[0]
            )
            if plan.predictor in each.evaluations:
                consensus.append(against_consensus(each, plan.predictor, scores))
    failures = tuple(
        NotRun(f"{f.task} on {f.dataset} of {f.embedding}", f.reason)
        for results in found.values()
        for f in results.failures
    )
    return CorrelationResults(
        plan,
        correlations(scored),
        correlations([over_bases(plan, each) for each in scored]),
        tuple(s for each in scored for s in _model_scores(plan, each, found)),
        tuple(consensus),
        rankings,
        tuple(_differences(plan, scored)),
        plan.not_run,
        failures,
        {dimension: results.run for dimension, results in found.items()},
        _manifest(plan, found, folder),
    )


def score_table(plan: CorrelationPlan, dimension: int, results: Results) -> ScoreTable:
    """Return the scores of a dimensionality under the names of the plan's evaluations."""
    models = plan.embeddings(dimension)
    columns: dict[str, list[float]] = {}
    left_out = []
    for evaluation in _members_first(plan):
        parts = [_part_scores(results, evaluation, *part) for part in evaluation.parts]
        parts += [dict(zip(models, columns[m], strict=True)) if m in columns else {}
                  for m in evaluation.members]  # fmt: skip
        if all(name in scores for scores in parts for name in models):
            columns[evaluation.name] = [float(np.mean([s[name] for s in parts])) for name in models]
        else:
            left_out.append(evaluation.name)
    columns = {each.name: columns[each.name] for each in plan.evaluations if each.name in columns}
    values = np.array(list(columns.values()), np.float64).reshape(len(columns), len(models)).T
    return ScoreTable(
        tuple(columns), tuple(models), tuple(models.values()), values, dimension, tuple(left_out)
    )


def _members_first(plan: CorrelationPlan) -> list[Evaluation]:
    """Return the evaluations, those that average others last."""
    return sorted(plan.evaluations, key=lambda each: bool(each.members))


def _part_scores(
    results: Results, evaluation: Evaluation, task: str, dataset: str
) -> dict[str, float]:
    """Return the score of each embedding in a part of an evaluation."""
    rows = part_results(results.results, evaluation, task, dataset)
    return {each.embedding: each.value for each in rows if each.value is not None}


def part_results(
    results: Sequence[Result], evaluation: Evaluation, task: str, dataset: str
) -> list[Result]:
    """Return the results of a part of an evaluation, on its slice."""
    wanted = task, _result_name(dataset), evaluation.slice or WHOLE
    return [r for r in results if r.main and (r.variant, r.dataset, r.slice) == wanted]


def _result_name(dataset: str) -> str:
    """Return the name of a dataset in results: that of a file has no folder and no suffix."""
    return Path(dataset).stem if Path(dataset).is_file() else dataset


def over_bases(plan: CorrelationPlan, scored: ScoreTable) -> ScoreTable:
    """Return the same scores with a model and those based on it counted as one model."""
    bases = {model.name: model.base or model.name for model in plan.models}
    return replace(scored, models=tuple(bases[name] for name in scored.models))


def _model_scores(
    plan: CorrelationPlan, scored: ScoreTable, found: Mapping[int, Results]
) -> Iterator[ModelScore]:
    dimension = scored.dimension or 0
    models = np.array(scored.models, object)
    for evaluation in plan.evaluations:
        if evaluation.name not in scored.evaluations:
            continue
        column = scored.values[:, scored.evaluations.index(evaluation.name)]
        ends = _intervals(plan, evaluation, found[dimension])
        for model, mean in zip(scored.model_names, scored.of(evaluation.name), strict=True):
            runs = column[models == model]
            names = [n for n, m in zip(scored.embeddings, scored.models, strict=True) if m == model]
            low, high = _envelope([ends.get(name, (None, None)) for name in names])
            yield ModelScore(
                model, evaluation.name, dimension, float(mean), float(runs.min()),
                float(runs.max()), len(runs), low, high,
            )  # fmt: skip


def _intervals(plan: CorrelationPlan, evaluation: Evaluation, results: Results) -> dict[str, Ends]:
    """Return the interval of each embedding; none for a mean over several datasets.

    The limits of an average of evaluations are the means of their limits. These are conservative:
    whatever the dependence, the error of a mean is at most the mean of the errors.
    """
    if evaluation.members:
        named = {each.name: each for each in plan.evaluations}
        found = [_intervals(plan, named[name], results) for name in evaluation.members]
        return {name: _mean_ends([ends[name] for ends in found]) for name in found[0]
                if all(name in ends for ends in found)}  # fmt: skip
    if len(evaluation.parts) > 1:
        return {}
    rows = part_results(results.results, evaluation, *evaluation.parts[0])
    return {row.embedding: (row.low, row.high) for row in rows}


def _mean_ends(ends: Sequence[Ends]) -> Ends:
    lows = [low for low, _ in ends if low is not None]
    highs = [high for _, high in ends if high is not None]
    if len(lows) < len(ends) or len(highs) < len(ends):
        return None, None
    return float(np.mean(lows)), float(np.mean(highs))


def _envelope(ends: Sequence[Ends]) -> Ends:
    lows = [low for low, _ in ends if low is not None]
    highs = [high for _, high in ends if high is not None]
    if len(lows) < len(ends) or len(highs) < len(ends):
        return None, None
    return min(lows), max(highs)


def _differences(
    plan: CorrelationPlan, scored: Sequence[ScoreTable]
) -> Iterator[PredictorDifference]:
    """Compare the predictor with every other evaluation that is not a downstream task."""
    table = next(each for each in scored if each.dimension == plan.table_dimension)
    rivals = [task for task in plan.tasks if task not in plan.downstream]
    for target in plan.downstream:
        for rival in rivals:
            names = (plan.predictor, rival, target)
            if all(name in table.evaluations for name in names):
                found = correlation_difference(*(table.of(name) for name in names))
                yield PredictorDifference(*names, plan.table_dimension, found)


def _manifest(plan: CorrelationPlan, found: Mapping[int, Results], folder: Path) -> dict[str, Any]:
    """Record everything that determines the numbers."""
    first = next(iter(found.values()))
    name = next(iter(plan.embeddings(plan.dimensions[0])))
    record = recording.read_record(folder / f"{name}.safetensors")
    corpus = (record or {}).get("corpus", {})
    return {
        "plan": plan.name,
        "about": plan.about,
        "texts": list(plan.texts),
        "corpus": {name: corpus.get(name) for name in ("tokens", "sentences", "words", "sha256")},
        "dimensions": list(plan.dimensions),
        "runs_per_model": plan.runs,
        "seed": plan.seed,
        "models": [asdict(replace(m, settings=dict(m.settings))) for m in plan.models],
        "evaluations": [asdict(e) for e in plan.evaluations],
        "datasets": first.manifest["datasets"],
        "coverage": [
            {"dataset": c.dataset, "used": c.used, "total": c.total}
            for c in first.coverage
            if c.embedding == first.embeddings[0]
        ],
        "slices": {
            each.name: [row.used, row.total]
            for each in plan.evaluations
            if each.slice
            for row in part_results(first.results, each, *each.parts[0])
            if row.embedding == first.embeddings[0]
        },
        "intervals": "Fisher (Pearson), Bonett and Wright (Spearman) over models; the runs of a "
        "model are one point, their mean; level 95 %",
        "versions": versions(),
    }

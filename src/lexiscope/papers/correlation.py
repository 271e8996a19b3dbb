"""Papers that train models on texts and evaluate them: plans, and their execution."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import msgspec

from lexiscope.core.errors import UnknownName
from lexiscope.core.execution import Execution
from lexiscope.data.inputs import Inputs
from lexiscope.experiments.correlation.plan import CorrelationPlan, Evaluation, fingerprint
from lexiscope.experiments.correlation.results import CorrelationResults
from lexiscope.experiments.correlation.run import run
from lexiscope.experiments.models import (
    Model,
    Setting,
    check_settings,
    with_bases,
    with_hyperparameters,
)
from lexiscope.papers.schema import (
    CorrelationPaper,
    CorrelationScale,
    EvaluationEntry,
    ScorePaper,
    experiment_models,
    scale_of,
)

WORDNET = "wordnet-3.1"
_RESERVED = {
    "dimension": "The dimensionality is chosen with --dimension, not with --set.",
    "space": "The space of the vectors is fixed: downstream tasks use the input vectors.",
    "base": "The base of a model is fixed by the paper.",
    "lexicon": "The lexicon of a model is fixed by the paper.",
}


def plan(
    paper: CorrelationPaper | ScorePaper,
    scale: str = "small",
    *,
    models: Iterable[str] = (),
    settings: Sequence[Setting] = (),
    texts: Sequence[str] = (),
    datasets: Mapping[str, str] | None = None,
    dimensions: Sequence[int] = (),
    trials: int | None = None,
    seed: int = 0,
) -> CorrelationPlan:
    """Return the plan of a paper at a scale, with the choices of a user.

    `texts` replace the corpora of the scale. `datasets` maps evaluations to files with the
    paper's own dataset, which take the place of all alternatives. `trials` is the number of runs of
    each model that depends on a random seed. A paper without an analysis has neither predictor
    nor tasks.
    """
    size = scale_of(paper.scales, scale)
    every = _models(paper, size, settings)
    sources = tuple(texts) or size.texts
    about = paper.analysis if isinstance(paper, CorrelationPaper) else None
    dimension = paper.dimension if isinstance(paper, ScorePaper) else paper.analysis.dimension
    preprocessing = paper.preprocessing if isinstance(paper, ScorePaper) else {}
    return CorrelationPlan(
        f"{paper.name}-{scale}",
        paper.about,
        sources,
        tuple(sorted(set(dimensions or size.dimensions))),
        size.runs if trials is None else trials,
        seed,
        tuple(with_bases(every, models)),
        tuple(
            _evaluation(e)
            for e in with_datasets(paper.evaluations, datasets or {})
            if e.name not in size.leave_out
        ),
        about.predictor if about else "",
        about.tasks if about else (),
        about.downstream if about else (),
        dimension,
        fingerprint(sources, seed, every, preprocessing),
        preprocessing=preprocessing,
        without_vectors=bool(isinstance(paper, ScorePaper) and paper.baselines),
        resources=_resources(paper),
    )


def _resources(paper: CorrelationPaper | ScorePaper) -> tuple[str, ...]:
    """Return the catalogue names that inspections and studies need."""
    if not isinstance(paper, ScorePaper):
        return ()
    queries = (paper.inspection.queries,) if paper.inspection else ()
    return (*queries, WORDNET) if paper.study else queries


def departures(plan: CorrelationPlan, full: CorrelationPlan) -> list[str]:
    """Return where a plan departs from that of the paper's scale."""
    found = []
    if plan.texts != full.texts:
        found.append(f"trained on {', '.join(plan.texts)} instead of {', '.join(full.texts)}")
    if plan.table_dimension != full.dimension:
        found.append(f"{plan.table_dimension} instead of {full.dimension} dimensions")
    if plan.runs != full.runs:
        found.append(f"{plan.runs} instead of {full.runs} runs of each random model")
    chosen = [evaluation.name for evaluation in plan.evaluations]
    left_out = [each.name for each in full.evaluations if each.name not in chosen]
    return [*found, f"without {', '.join(left_out)}"] if left_out else found


def _models(
    paper: CorrelationPaper | ScorePaper, scale: CorrelationScale, settings: Sequence[Setting]
) -> list[Model]:
    models = experiment_models(paper.models, scale.models)
    check_settings(settings, models, reserved=_RESERVED)
    shared = {**paper.hyperparameters, **scale.hyperparameters}
    return [with_hyperparameters(each, shared, settings, models) for each in models]


def with_datasets(
    entries: Sequence[EvaluationEntry], datasets: Mapping[str, str]
) -> list[EvaluationEntry]:
    """Return the evaluations with these files in the place of their datasets."""
    known = [each.name for each in entries if each.first_of]
    for name in datasets:
        if name not in known:
            raise UnknownName("evaluation with substitutes", name, known)
    return [
        msgspec.structs.replace(each, first_of=((each.first_of[0][0], datasets[each.name]),))
        if each.name in datasets
        else each
        for each in entries
    ]


def _evaluation(entry: EvaluationEntry) -> Evaluation:
    parts = entry.first_of or entry.mean_of
    return Evaluation(
        entry.name, parts, bool(entry.first_of), entry.percent, entry.slice, entry.average_of
    )


def execute(
    paper: CorrelationPaper,
    plan: CorrelationPlan,
    inputs: Inputs | None,
    execution: Execution,
    folder: str | Path,
) -> CorrelationResults:
    """Run the experiment."""
    return run(plan, folder, inputs, execution)

"""Papers that print scores of models: claims about scores and about significant differences.

Such a paper can also inspect the vectors for word frequency (`frequency.py`) and judge them by
human studies (`judgments.py`; `proxies.py` has machine answers to the same items).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import combinations
from math import sqrt
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from lexiscope.core.execution import IN_MEMORY, Execution
from lexiscope.core.result import Comparison, display_name
from lexiscope.data.inputs import Inputs
from lexiscope.data.vectors.resolve import Reading, embeddings_from
from lexiscope.evaluation.analysis.agreement import MIN_MEMBERS, Agreement, rank_correlations
from lexiscope.evaluation.comparison import compare_pairs, without_counts
from lexiscope.evaluation.load import LoadedEvaluation, load_evaluations, load_results
from lexiscope.evaluation.plan import Plan
from lexiscope.evaluation.resolve import resolve_datasets, resolve_tasks, words_of
from lexiscope.evaluation.run import execute_in
from lexiscope.experiments.correlation.analysis import part_results
from lexiscope.experiments.correlation.plan import ALL, CorrelationPlan, Evaluation
from lexiscope.experiments.correlation.results import CorrelationResults, ModelScore
from lexiscope.experiments.correlation.run import run
from lexiscope.papers import frequency, judgments, proxies
from lexiscope.papers.agreement import ScoreErrors, compare_scores
from lexiscope.papers.claims import (
    Claim,
    ColumnCountClaim,
    FrequencyAccuracyClaim,
    FrequencyOrderClaim,
    JudgmentClaim,
    PowerLawClaim,
    ScoreClaim,
    SignificanceClaim,
)
from lexiscope.papers.column_counts import judge_count
from lexiscope.papers.frequency import Frequency
from lexiscope.papers.judgments import JudgedStudy
from lexiscope.papers.proxies import Proxies
from lexiscope.papers.schema import CorrelationPaper, EvaluationEntry, ScorePaper
from lexiscope.papers.verdicts import (
    ALPHA,
    Estimate,
    Verdict,
    compared,
    estimate,
    not_run,
    unknown,
)
from lexiscope.stats.intervals import NORMAL_QUANTILE
from lexiscope.store.store import Store

_WITHOUT = display_name("", "none")
_LEAST = 0.05  # of a standard error that would vanish at 0 or 1


@dataclass(frozen=True)
class ScoreResults(CorrelationResults):
    """Scores of all models, and paired comparisons of models where the paper prints a p-value.

    The names in a comparison are those of models and baselines; its dataset is the name of an
    evaluation. `baselines` are scores without vectors. `studies` have judgments of people,
    `proxies` machine answers.
    """

    comparisons: tuple[Comparison, ...] = ()
    baselines: tuple[ModelScore, ...] = ()
    frequency: Frequency = field(default_factory=Frequency)
    proxies: Proxies = field(default_factory=Proxies)
    studies: tuple[JudgedStudy, ...] = ()

    @property
    def agreement(self) -> Agreement | None:
        """How far the evaluations agree on the ranking of the models; None with too few of them.

        Averages of other evaluations are left out.
        """
        scored = self.scored(self.plan.table_dimension)
        averages = [each.name for each in self.plan.evaluations if each.members]
        kept = [k for k, name in enumerate(scored.evaluations) if name not in averages]
        means = scored.means[:, kept]
        if len(means) < MIN_MEMBERS or len(kept) < 2:
            return None
        names = [("", scored.evaluations[k]) for k in kept]
        return Agreement(names, rank_correlations(means.T), len(means))

    def score(self, model: str, evaluation: str, dimension: int) -> ModelScore | None:
        """Return the score of a model or a baseline, None if it has none."""
        baselines = (s for s in self.baselines if s[:3] == (model, evaluation, dimension))
        return super().score(model, evaluation, dimension) or next(baselines, None)

    def comparison(self, evaluation: str, row: str, below: str) -> Comparison | None:
        """Return the comparison of two models in an evaluation, None if there is none."""
        wanted = {row, below}
        found = (c for c in self.comparisons if c.dataset == evaluation)
        return next((c for c in found if {c.first, c.second} == wanted), None)

    def _agreement_document(self) -> list[dict[str, Any]]:
        found = self.agreement
        if found is None:
            return []
        names = [name for _, name in found.evaluations]
        return [
            {"first": names[i], "second": names[j], "spearman": _number(found.matrix[i, j])}
            for i, j in combinations(range(len(names)), 2)
        ]

    def to_dict(self) -> dict[str, Any]:
        """Return one JSON document with stable keys."""
        names = {*self.manifest, "scores", "not_run", "runs"}
        kept = {name: value for name, value in super().to_dict().items() if name in names}
        return {
            "format": "lexiscope scores 1",
            **kept,
            "comparisons": [asdict(each) for each in self.comparisons],
            "baselines": [each._asdict() for each in self.baselines],
            "rank_agreement": self._agreement_document(),
            "frequency": [each.to_dict() for each in self.frequency.runs],
            "proxies": self.proxies.to_dict(),
            "studies": [each.to_dict() for each in self.studies],
        }


def _number(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None


def execute(
    paper: ScorePaper,
    plan: CorrelationPlan,
    inputs: Inputs | None,
    execution: Execution,
    folder: str | Path,
    studies: Sequence[str | Path] = (),
) -> ScoreResults:
    """Train, evaluate, and compare the models in the evaluations with printed p-values."""
    inputs = inputs or Inputs()
    judged = judgments.load(studies, plan)  # errors of files come before hours of work
    with TemporaryDirectory() as temporary:  # the comparisons read stored predictions
        in_memory = str(execution.store) == IN_MEMORY
        store = Path(temporary) / "store.sqlite" if in_memory else execution.store
        execution = replace(execution, store=store)
        found = run(plan, folder, inputs, execution)
        vectors = Path(folder) / f"{plan.name}-{plan.fingerprint}"
        baselines = tuple(_baselines(paper, found, execution))
        claimed = {c.column for c in paper.claims if isinstance(c, SignificanceClaim)}
        evaluations = [each for each in found.plan.evaluations if each.name in claimed]
        names = {name: each.name for each in paper.baselines for name in each.evaluations}
        comparisons = tuple(
            _comparisons(found.plan, evaluations, names, vectors, inputs, execution)
        )
    execution.progress("Inspecting", 0, 2)
    inspected = Frequency()
    if paper.inspection is not None:
        inspected = frequency.measure(paper.inspection, found.plan, vectors, inputs)
    execution.progress("Inspecting", 1, 2)
    answered = Proxies()
    if paper.study is not None:
        answered = proxies.measure(paper.study, found.plan, vectors, inputs)
    execution.progress("Inspecting", 2, 2)
    not_run = (*found.not_run, *inspected.missing, *answered.missing)
    whole = {**vars(found), "not_run": not_run}
    return ScoreResults(**whole, comparisons=comparisons, baselines=baselines,
                        frequency=inspected, proxies=answered, studies=judged)  # fmt: skip


def _baselines(
    paper: ScorePaper, found: CorrelationResults, execution: Execution
) -> Iterator[ModelScore]:
    """Return the scores without vectors; they are the same at every dimensionality."""
    dimension = found.plan.table_dimension
    with Store(execution.store) as store:
        controls = load_results(store, found.runs[dimension]).controls
    for entry in paper.baselines:
        for each in found.plan.evaluations:
            if each.name not in entry.evaluations:
                continue
            for row in part_results(controls, each, *each.parts[0]):
                if row.value is not None:
                    yield ModelScore(
                        entry.name, each.name, dimension, row.value, row.value, row.value, 1,
                        row.low, row.high,
                    )  # fmt: skip


def _comparisons(
    plan: CorrelationPlan,
    evaluations: Sequence[Evaluation],
    baselines: Mapping[str, str],
    folder: Path,
    inputs: Inputs,
    execution: Execution,
) -> Iterator[Comparison]:
    """Compare the first runs of every two models, and each with the baseline of the evaluation.

    `baselines` maps evaluations to the name of their baseline.
    """
    if not evaluations:
        return
    parts = {e.parts[0]: e.name for e in evaluations}
    names = {(task, _result_name(dataset)): name for (task, dataset), name in parts.items()}
    models = {name: model for name, model in plan.embeddings(plan.table_dimension).items()
              if name.endswith("-1")}  # fmt: skip
    tasks = resolve_tasks(list(dict.fromkeys(task for task, _ in parts)))
    kinds, policy = [task.dataset for _, task in tasks], plan.policy
    datasets = resolve_datasets([dataset for _, dataset in parts], kinds, inputs.local_data)
    paths = [str(folder / f"{name}.safetensors") for name in models]
    embeddings = embeddings_from(
        paths, words_of(datasets, policy), Reading(local_data=inputs.local_data)
    )
    whole = Plan(
        embeddings, tasks, datasets, (policy,), plan.seed, comparing=False,
        without_vectors=plan.without_vectors,
    )  # fmt: skip
    with Store(execution.store) as store:
        results = execute_in(store, whole, execution)
        for each in load_evaluations(store, results.run, whole):
            name = names[each.predictions.task, each.predictions.dataset]
            known = {**models, _WITHOUT: baselines.get(name, _WITHOUT)}
            for found in map(without_counts, _compared_pairs(each, len(known) ** 2)):
                first, second = known[found.first], known[found.second]
                yield replace(found, first=first, second=second, dataset=name)


def _compared_pairs(each: LoadedEvaluation, number: int) -> list[Comparison]:
    """Compare every two embeddings, and each with the control without vectors."""
    controls = [found for cell, found in each.controls if cell["control"] == "none"]
    found = [*each.predictions.predictions, *controls]
    return list(compare_pairs(each.predictions._replace(predictions=found), number))


def _result_name(dataset: str) -> str:
    """Return the name of a dataset in results: that of a file has no folder and no suffix."""
    return Path(dataset).stem if Path(dataset).is_file() else dataset


def judge(claim: Claim, results: ScoreResults, paper: ScorePaper) -> Verdict:
    """Compare a claim with the results; `decide` judges all claims together."""
    if isinstance(claim, ScoreClaim | ColumnCountClaim | SignificanceClaim):
        return _judge_table(claim, results, paper)
    if isinstance(claim, FrequencyAccuracyClaim):
        return frequency.judge_accuracy(claim, results.frequency, paper.margins)
    if isinstance(claim, FrequencyOrderClaim):
        return frequency.judge_order(claim, results.frequency)
    if isinstance(claim, PowerLawClaim):
        return frequency.judge_power_law(claim, results.frequency, paper.margins)
    if isinstance(claim, JudgmentClaim):
        return judgments.judge(claim, results.studies, paper.margins)
    raise TypeError(f"an experiment on scores cannot judge {type(claim).__name__}")


def _judge_table(
    claim: ScoreClaim | ColumnCountClaim | SignificanceClaim,
    results: ScoreResults,
    paper: ScorePaper,
) -> Verdict:
    """Compare a claim about the scores of models."""
    if isinstance(claim, ScoreClaim):
        return judge_score(claim, results, paper)
    if isinstance(claim, SignificanceClaim):
        return _judge_significance(claim, results, paper)
    members = _entry(paper, claim.average).average_of
    own = [name for name in members if not substitutes(results, paper, (name,))]
    return judge_count(claim, results, paper, own)


def _judge_significance(
    claim: SignificanceClaim, results: ScoreResults, paper: ScorePaper
) -> Verdict:
    """Judge an order by our paired test; a printed p-value above 5 % claims no order."""
    found = results.comparison(claim.column, claim.row, claim.below)
    if found is None:
        return not_run(claim, missing(results, (claim.column,), (claim.row, claim.below)))
    sign = 1 if found.first == claim.row else -1
    low, high = (found.low, found.high)[::sign]
    value, low, high = (None if v is None else sign * v for v in (found.difference, low, high))
    ours = Estimate(value, low, high, found.items, found.state)
    dimension = results.plan.table_dimension
    verdict = Verdict(claim, "undecided", ours, dimension=dimension, p_value=found.p,
                      min_p=found.min_p)  # fmt: skip
    used = substitutes(results, paper, (claim.column,))
    if used or found.p is None:
        return unknown(verdict, used or found.state)
    if claim.range[0] >= ALPHA:
        return unknown(verdict, judgments.NO_ORDER)
    return verdict


def judge_score(
    claim: ScoreClaim, results: CorrelationResults, paper: CorrelationPaper | ScorePaper
) -> Verdict:
    """Compare a printed score with the mean score of our runs."""
    dimension = results.plan.table_dimension
    found = results.score(claim.row, claim.column, dimension)
    if found is None:
        return not_run(claim, missing(results, (claim.column,), (claim.row,)))
    evaluation = _evaluation_of(results, claim.column)
    unit = 100.0 if evaluation.percent else 1.0
    low, high = (None if end is None else unit * end for end in (found.low, found.high))
    ours = Estimate(unit * found.value, low, high, found.runs)
    covered = coverage(results, evaluation)
    verdict = Verdict(claim, "undecided", ours, dimension=dimension, covered=covered)
    used = substitutes(results, paper, (claim.column,))
    if used:
        return unknown(verdict, used)
    if dimension != claim.dimension:
        return unknown(verdict, f"The paper has {claim.dimension} dimensions.")
    if found.low is None or found.high is None:
        return unknown(verdict, "There is no confidence interval for this score.")
    entry = _entry(paper, claim.column)
    errors = _score_errors(claim, results, unit, entry, covered)
    agreement = compare_scores(unit * found.value, claim.range[0], errors)
    state = "rounding only" if errors.items is None else ""
    theirs = estimate(agreement.paper, entry.items or 0, state)
    margin = paper.margins.score if entry.margin is None else entry.margin
    return compared(replace(verdict, paper=theirs), agreement, margin)


def _score_errors(
    claim: ScoreClaim,
    results: CorrelationResults,
    unit: float,
    entry: EvaluationEntry,
    covered: tuple[int, int] | None,
) -> ScoreErrors:
    """Return the standard errors of a score, in the unit of the paper.

    The paper's error over items is ours, for its number of items and for its score.
    """
    scored = results.scored(results.plan.table_dimension)
    column = scored.values[:, scored.evaluations.index(claim.column)]
    runs = unit * column[np.array(scored.models, object) == claim.row]
    found = results.score(claim.row, claim.column, results.plan.table_dimension)
    if found is not None and not len(runs):  # a baseline, which is not trained
        runs = np.array([unit * found.value])
    width = 0.0 if found is None else unit * ((found.high or 0.0) - (found.low or 0.0))
    ours = max(0.0, width - float(np.ptp(runs))) / (
        2 * NORMAL_QUANTILE
    )  # the runs widen the interval
    theirs = None
    if entry.items is not None and covered is not None:
        level = [spread(value / unit, entry) for value in (claim.range[0], float(runs.mean()))]
        theirs = ours * sqrt(covered[0] / entry.items) * level[0] / level[1]
    between = float(runs.std(ddof=1)) if len(runs) > 1 else 0.0
    return ScoreErrors(ours, theirs, between, len(runs), 10**-claim.decimals / sqrt(12))


def spread(value: float, entry: EvaluationEntry) -> float:
    """Return what the standard error of a proportion or a correlation is proportional to."""
    if entry.statistic == "proportion":
        return max(_LEAST, sqrt(max(0.0, value * (1 - value))))
    return max(_LEAST, 1 - value**2) if entry.statistic == "correlation" else 1.0


def _evaluation_of(results: CorrelationResults, name: str) -> Evaluation:
    return next(each for each in results.plan.evaluations if each.name == name)


def _entry(paper: CorrelationPaper | ScorePaper, name: str) -> EvaluationEntry:
    return next(each for each in paper.evaluations if each.name == name)


def coverage(results: CorrelationResults, evaluation: Evaluation) -> tuple[int, int] | None:
    """Return how many items of the datasets of an evaluation are covered, and all; None if unknown.

    All models are trained on the same text, so they have the same vocabulary.
    """
    if evaluation.slice:
        used = results.manifest.get("slices", {}).get(evaluation.name)
        return None if used is None else (used[0], used[1])
    names = {_result_name(dataset) for _, dataset in evaluation.parts}
    found = [each for each in results.manifest["coverage"] if each["dataset"] in names]
    if not found:
        return None
    return sum(each["used"] for each in found), sum(each["total"] for each in found)


def substitutes(
    results: CorrelationResults, paper: CorrelationPaper | ScorePaper, names: Sequence[str]
) -> str:
    """Return which evaluations use another dataset than the paper; empty if none does."""
    wanted = {each.name: each.first_of for each in paper.evaluations}
    names = [*names, *(m for each in paper.evaluations if each.name in names
                       for m in each.average_of)]  # fmt: skip
    found = [
        f"{each.parts[0][1]} instead of {wanted[each.name][0][1]}"
        for each in results.plan.evaluations
        if each.name in names and set(each.parts) & set(wanted.get(each.name, ())[1:])
    ]
    return f"Evaluated on a substitute: {', '.join(found)}." if found else ""


def missing(
    results: CorrelationResults, evaluations: Sequence[str], models: Sequence[str] = ()
) -> str:
    """Return why a model or an evaluation has no scores."""
    reasons = dict(results.not_run)
    known = [evaluation.name for evaluation in results.plan.evaluations]
    for name in evaluations:
        if name not in known and name != ALL:
            return f"{name}: {reasons.get(name, 'the evaluation is not part of this scale.')}"
    for name in models:
        if name not in [model.name for model in results.plan.models]:
            return f"{name}: {reasons.get(name, 'the model was not selected.')}"
    return "Some models have no score in this evaluation."

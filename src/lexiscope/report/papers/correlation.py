"""Sections on the results of a correlation experiment."""

from typing import Any

from lexiscope.core.display import shown
from lexiscope.experiments.correlation.plan import Evaluation
from lexiscope.experiments.correlation.results import CorrelationResults, ModelScore
from lexiscope.papers.scores import coverage
from lexiscope.report.charts import Point, lines_over
from lexiscope.report.correlation_tables import correlation_figure
from lexiscope.report.layout import Figure, Section, Table
from lexiscope.report.numbers import (
    MISSING,
    correlation,
    count,
    fraction,
    interval,
    plain,
    with_interval,
)
from lexiscope.report.sentences import counted, listed

QUESTION = "Which evaluation predicts which?"
_MODELS = (
    "Correlations are over models; the runs of a model are one point, their mean. With few models "
    "the confidence intervals are wide. Models that share their vectors, such as a model and the "
    "same model after retrofitting, are not independent, but count as such here; the claims of a "
    "paper are judged with the number of models that share no vectors."
)
_INDEPENDENT = "; intervals as if all models were independent"
_CONSENSUS = (
    "The Kemeny consensus ranking of the models has the fewest pairwise disagreements with the "
    "rankings of the tasks. Several rankings can be optimal."
)


def lead(results: CorrelationResults) -> str:
    """Describe the size of the experiment."""
    plan, corpus = results.plan, results.manifest["corpus"]
    return (
        f"{counted(len(plan.models), 'model')} of {listed([str(d) for d in plan.dimensions])} "
        f"dimensions on {count(corpus['tokens'] or 0)} tokens of text "
        f"({', '.join(map(shown, plan.texts))}), {counted(plan.runs, 'run')} of models that depend "
        f"on a random seed, {counted(len(plan.evaluations), 'evaluation')}, seed {plan.seed}."
    )


def summary(results: CorrelationResults) -> list[Section]:
    """Return the sections of every report."""
    name = shown(results.plan.predictor)
    sections = []
    if results.differences:
        parts = (difference_table(results),)
        sections.append(Section(f"{name} compared with other predictors", (), parts))
    sections += _curves(results)
    sections.append(Section("Consensus ranking of the tasks", (_CONSENSUS,), (rankings(results),)))
    tables = tuple(score_table(results, d) for d in results.dimensions)
    sections.append(Section("Scores", (), tables))
    if results.not_run or results.failures:
        sections.append(Section("Not run", (), (not_run_table(results),)))
    return sections


def details(results: CorrelationResults) -> list[Section]:
    """Return the sections of the page and of Markdown only."""
    found = results.correlations
    figures = tuple(correlation_figure(found, scored) for scored in found.scored)
    return [Section("Correlations between evaluations", (_MODELS,), figures)]


def difference_table(results: CorrelationResults) -> Table:
    """Return the predictor's correlations minus those of other evaluations."""
    name = shown(results.plan.predictor)
    rows = tuple(
        (
            shown(each.target),
            shown(each.rival),
            str(each.dimension),
            correlation(each.gap.value if each.gap else None),
            interval(each.gap.low, each.gap.high, correlation) if each.gap else MISSING,
        )
        for each in results.differences
    )
    head = ("target", "compared with", "dimension", "difference", "95 % CI")
    caption = f"Pearson's r of {name} with a task minus that of another evaluation{_INDEPENDENT}"
    return Table(head, rows, caption, numeric=(2, 3))


def _curves(results: CorrelationResults) -> list[Section]:
    name = shown(results.plan.predictor)
    text = (
        f"Pearson's correlation of {name} with each task, over the models of a dimensionality, "
        "with bands for the 95 % CI.",
    )
    figure = curve_figure(results)
    parts = () if figure is None else (figure,)
    return [Section("Correlation by dimensionality", text, parts)] if parts else []


def curve_figure(results: CorrelationResults) -> Figure | None:
    """Return the predictor's correlations with each task over dimensionalities."""
    plan, found, labels = results.plan, [], {}
    for task in plan.tasks:
        mean = results.mean_correlation(task)
        if mean is None:
            continue
        labels[task] = f"{task} (mean {correlation(mean)})"
        for dimension in results.dimensions:
            pair = results.correlations.between(plan.predictor, task, dimension)
            if pair is not None and pair.pearson.value is not None:
                r = pair.pearson
                found.append(Point(labels[task], dimension, pair.pearson.value, r.low, r.high))
    if not found:
        return None
    names = list(labels.values())
    chart = lines_over(found, names, "Pearson's r", 1.0, "dimensions", -1.0, "task")
    return Figure(f"{shown(plan.predictor)} and the tasks", chart, curve_table(results))


def curve_table(results: CorrelationResults) -> Table:
    """Return the data of the figure: a row for each task, a column for each dimensionality."""
    plan, rows = results.plan, []
    for task in plan.tasks:
        pairs = [results.correlations.between(plan.predictor, task, d) for d in results.dimensions]
        cells = [
            MISSING if pair is None else with_interval(pair.pearson, correlation) for pair in pairs
        ]
        rows.append((shown(task), *cells, correlation(results.mean_correlation(task))))
    head = ("task", *(str(d) for d in results.dimensions), "mean")
    caption = f"Pearson's r with {shown(plan.predictor)} (95 % CI), by dimensionality{_INDEPENDENT}"
    return Table(head, tuple(rows), caption, numeric=(len(head) - 1,))


def score_table(results: CorrelationResults, dimension: int) -> Table:
    """Return the mean scores of the models, with the range of their runs."""
    scored = results.scored(dimension)
    evaluations = [e for e in results.plan.evaluations if e.name in scored.evaluations]
    rows = []
    for model in scored.model_names:
        found = [(each, results.score(model, each.name, dimension)) for each in evaluations]
        runs = next((str(score.runs) for _, score in found if score is not None), MISSING)
        rows.append((shown(model), runs, *(_score_cell(e, score) for e, score in found)))
    covered = [coverage(results, each) for each in evaluations]
    rows.append(("items covered", "", *(fraction(*c) if c else MISSING for c in covered)))
    head = ("model", "runs", *(shown(each.name) for each in evaluations))
    words = results.manifest["corpus"].get("words")
    vocabulary = f", vocabulary of {count(words)} words" if words else ""
    caption = f"{dimension} dimensions{vocabulary}: mean of the runs (lowest–highest)"
    return Table(head, tuple(rows), caption, numeric=tuple(range(1, len(head))))


def _score_cell(evaluation: Evaluation, score: ModelScore | None) -> str:
    if score is None:
        return MISSING
    unit = 100 if evaluation.percent else 1
    mean, low, high = (plain(unit * each) for each in (score.value, score.lowest, score.highest))
    return mean if score.runs < 2 else f"{mean} ({low}–{high})"


def rankings(results: CorrelationResults) -> Table:
    """Return the consensus ranking of the tasks at each dimensionality."""
    rows = tuple(
        (str(dimension), count(len(optimal)), ", ".join(map(shown, optimal[0])))
        for dimension, optimal in results.rankings.items()
    )
    head = ("dimension", "optimal rankings", "the first of them, best model first")
    return Table(head, rows, "Kemeny consensus ranking", numeric=(0, 1))


def not_run_table(results: CorrelationResults) -> Table:
    """Return what was left out, and why."""
    rows = tuple(
        (shown(each.what, 80), shown(each.why, 300))
        for each in (*results.not_run, *results.failures)
    )
    return Table(("not run", "reason"), rows, "Not run")


def provenance(results: CorrelationResults) -> Section:
    """Return the settings that determine the numbers."""
    about = results.manifest
    evaluations = tuple(
        (shown(e["name"]), "; ".join(f"{task} on {shown(name)}" for task, name in e["parts"]))
        for e in about["evaluations"]
    )
    covered = tuple(
        (shown(c["dataset"]), count(c["used"]), count(c["total"])) for c in about["coverage"]
    )
    rest = (
        ("texts", ", ".join(map(shown, about["texts"]))),
        *((name, str(value)) for name, value in about["corpus"].items()),
        ("runs per model", str(about["runs_per_model"])),
        ("seed", str(about["seed"])),
        ("confidence intervals", about["intervals"]),
    )
    models = tuple(
        (shown(each["name"]), each["trainer_name"], _hyperparameters(each))
        for each in about["models"]
    )
    return Section(
        "Settings",
        ("The same plan, seed and versions give the same numbers with any number of processes.",),
        (
            Table(("setting", "value"), rest, "Corpus and statistics"),
            Table(("model", "trainer", "hyperparameters that are not defaults"), models, "Models"),
            Table(("evaluation", "task and dataset"), evaluations, "Evaluations"),
            Table(("dataset", "covered items", "items"), covered, "Coverage", numeric=(1, 2)),
            Table(
                ("package", "version"), tuple(about["versions"].items()), "Versions", folded=True
            ),
        ),
    )


def _hyperparameters(model: dict[str, Any]) -> str:
    base = {"base": model["base"], "lexicon": model["lexicon"]} if model["base"] else {}
    found = {**model["settings"], **base}
    return ", ".join(f"{key}={shown(str(value))}" for key, value in found.items()) or "none"

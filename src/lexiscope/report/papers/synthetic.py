"""Sections on the results of a synthetic experiment."""

from collections.abc import Sequence
from inspect import getdoc

from lexiscope.core.display import shown
from lexiscope.experiments.synthetic.plan import Criterion, SyntheticPlan
from lexiscope.experiments.synthetic.results import ProbeScore, SyntheticResults
from lexiscope.report.charts import Point, lines_over
from lexiscope.report.layout import Figure, Section, Table
from lexiscope.report.numbers import (
    MISSING,
    count,
    interval_of,
    p_value,
    points,
    signed_points,
    significant,
    with_interval,
)
from lexiscope.report.sentences import counted

QUESTION = "Which information do embeddings encode, and in which part of the space?"
_FOLDED = 20  # rows; longer tables are folded


def lead(results: SyntheticResults) -> str:
    """Describe the size of the experiment."""
    plan = results.plan
    return (
        f"{counted(len(plan.models), 'model')}, {counted(len(plan.criteria), 'target')}, "
        f"{counted(plan.trials, 'trial')} of {counted(plan.sentences, 'sentence')} each, seed "
        f"{plan.seed}."
    )


def summary(results: SyntheticResults) -> list[Section]:
    """Return the sections of every report."""
    text = (
        f"{_descriptions(results.plan)} All numbers are accuracies.",
        "Confidence intervals are over trials, because the words of a trial share a corpus and a "
        "training. The chance level is 50 % where half of the held-out words are positive. Every "
        "held-out word is in the vocabulary of every model.",
    )
    return [Section("Accuracy by probe", text, (score_table(results),)), *_curves(results)]


def _descriptions(plan: SyntheticPlan) -> str:
    """Return the first line of the docstring of each probe."""
    docstrings = {each.name: getdoc(type(each.probe)) or "" for each in plan.probes}
    lines = {name: text.partition("\n")[0] for name, text in docstrings.items()}
    return " ".join(f"{name.capitalize()}: {line}" for name, line in lines.items())


def details(results: SyntheticResults) -> list[Section]:
    """Return the sections of the page and of Markdown only."""
    return [*_differences(results), *_facets(results), *_variants(results)]


def score_table(results: SyntheticResults) -> Table:
    """Return the accuracies of the main probes: a row for each model, a column for each probe."""
    names = list(dict.fromkeys(each.probe for each in results.scores if each.main))
    rows = []
    for criterion in results.plan.criteria:
        for model in results.plan.models:
            found = [_overall(results, criterion.name, model.name, probe) for probe in names]
            cells = [*(_cell(each) for each in found), *_size(criterion, found)]
            rows.append((shown(criterion.name), shown(model.name), *cells))
    head = ("criterion", "model", *names, "trials", "held-out words", "vocabulary")
    numeric = tuple(range(len(head) - 3, len(head)))
    return Table(head, tuple(rows), "Accuracy in % (95 % CI)", numeric=numeric)


def _size(criterion: Criterion, found: Sequence[ProbeScore | None]) -> tuple[str, str, str]:
    """Return the numbers of trials, of held-out words of each, and of words of the grammar."""
    trials = next((each.trials for each in found if each is not None), 0)
    held_out = criterion.grammar.targets[criterion.target].held_out
    return count(trials), count(len(held_out)), count(len(criterion.grammar.words))


def _overall(
    results: SyntheticResults, criterion: str, model: str, probe: str
) -> ProbeScore | None:
    """Return the score over all values of a sweep, which is the first."""
    found = results.rows(criterion, model=model, probe=probe, main=True)
    return found[0] if found else None


def _cell(found: ProbeScore | None) -> str:
    return MISSING if found is None else with_interval(found, points)


def _curves(results: SyntheticResults) -> list[Section]:
    swept = [c for c in results.plan.criteria if len(c.points) > 1 and c.grammar.sweep is not None]
    if not swept:
        return []
    name = results.plan.first_probe.name
    text = (f"Accuracy of the {name} probe, with bands for the 95 % CI over trials.",)
    figures = tuple(_figure(results, criterion) for criterion in swept)
    return [Section("Accuracy over the values of a parameter", text, figures)]


def _figure(results: SyntheticResults, criterion: Criterion) -> Figure:
    points_ = [
        Point(each.model, each.at, each.value, each.low, each.high)
        for each in results.rows(criterion.name, probe=results.plan.first_probe.name, main=True)
        if each.value is not None and each.at is not None
    ]
    names = [model.name for model in results.plan.models]
    parameter = criterion.grammar.sweep.parameter if criterion.grammar.sweep else "value"
    chart = lines_over(points_, names, "accuracy", 1.0, parameter)
    return Figure(shown(criterion.name), chart, curve_table(results, criterion))


def curve_table(results: SyntheticResults, criterion: Criterion) -> Table:
    """Return the data of a figure: a row for each value, a column for each model."""
    probe = results.plan.first_probe.name
    found = results.rows(criterion.name, probe=probe, main=True)
    names = [model.name for model in results.plan.models]
    values = sorted({each.at for each in found if each.at is not None})
    cells = {(each.at, each.model): _cell(each) for each in found}
    parameter = criterion.grammar.sweep.parameter if criterion.grammar.sweep else "value"
    rows = tuple(
        (significant(v), *(cells.get((v, name), MISSING) for name in names)) for v in values
    )
    caption = f"{shown(criterion.name)}, {probe}: accuracy in % (95 % CI)"
    return Table((shown(parameter), *map(shown, names)), rows, caption, numeric=(0,))


def _differences(results: SyntheticResults) -> list[Section]:
    text = (
        "The models of a trial are trained on the same sentences, so they are compared trial by "
        "trial, with a paired permutation test that flips the signs of whole trials. Holm's "
        "correction is over the pairs of models of a criterion.",
    )
    if not results.comparisons:
        return []
    return [Section("Differences between models", text, (difference_table(results),))]


def difference_table(results: SyntheticResults) -> Table:
    """Return the comparisons of all pairs of models."""
    rows = tuple(
        (
            shown(c.dataset),
            f"{shown(c.first)} minus {shown(c.second)}",
            "significant" if c.significant else "not significant",
            signed_points(c.difference),
            interval_of(c, points),
            p_value(c.p),
            p_value(c.p_holm),
        )
        for c in results.comparisons
    )
    head = ("criterion", "models", "verdict", "difference", "95 % CI", "p", "p (Holm)")
    number = sum(c.significant for c in results.comparisons)
    verb = "is" if number == 1 else "are"
    caption = f"{number} of {counted(len(rows), 'difference')} {verb} significant"
    return Table(head, rows, caption, folded=len(rows) > _FOLDED, numeric=(3, 5, 6))


def _facets(results: SyntheticResults) -> list[Section]:
    text = (
        "Accurate is the precision of a class: the proportion of correct predictions among the "
        "held-out words that are predicted to be in it. Consistent is its recall: the proportion "
        "among the held-out words that are in it.",
    )
    if not results.facets:
        return []
    return [Section("Accurate and consistent", text, (facet_table(results),))]


def facet_table(results: SyntheticResults) -> Table:
    """Return precision and recall of both classes."""
    rows = tuple(
        (
            shown(each.criterion),
            shown(each.model),
            each.label,
            with_interval(each.accurate, points),
            with_interval(each.consistent, points),
        )
        for each in results.facets
    )
    head = ("criterion", "model", "class", "accurate", "consistent")
    return Table(head, rows, "Precision and recall in % (95 % CI)", folded=True)


def _variants(results: SyntheticResults) -> list[Section]:
    if all(each.main for each in results.scores):
        return []
    text = (
        "The same vectors with other settings of the probes. The main settings were fixed in "
        "advance; none were selected by these numbers.",
    )
    tables = tuple(variant_table(results, c.name) for c in results.plan.criteria)
    return [Section("Sensitivity to the settings of the probes", text, tables)]


def variant_table(results: SyntheticResults, criterion: str) -> Table:
    """Return the accuracies of all variants of the probes, over all values of a sweep."""
    found = results.rows(criterion)
    names = [model.name for model in results.plan.models]
    first: dict[tuple[str, str], ProbeScore] = {}
    for each in found:
        first.setdefault((each.variant, each.model), each)
    rows = tuple(
        (shown(label, 80), *(_cell(first.get((label, name))) for name in names))
        for label in dict.fromkeys(each.variant for each in found)
    )
    caption = f"{shown(criterion)}: accuracy in % (95 % CI)"
    return Table(("probe", *map(shown, names)), rows, caption)


def provenance(results: SyntheticResults) -> Section:
    """Return the settings that determine the numbers."""
    about = results.manifest
    models = tuple(
        (
            shown(each["name"]),
            f"{each['trainer']}, version {each['version']}",
            shown(each["family"], 80),
            ", ".join(f"{key}={value}" for key, value in each["settings"].items()),
        )
        for each in about["models"]
    )
    criteria = tuple(
        (shown(each["name"]), shown(each["about"], 200), shown(each["target"], 200),
         shown(" ".join(each["held_out"]), 200), each["sha256"])
        for each in about["criteria"]
    )  # fmt: skip
    size = (
        ("sentences per trial", count(about["sentences"])),
        ("trials", count(about["trials"])),
        ("seed", str(about["seed"])),
        ("confidence interval", about["interval"]),
        ("test", about["tests"]),
    )
    head = ("name", "grammar", "target", "held-out words", "sha256 of the grammar")
    return Section(
        "Settings",
        ("The same plan, seed and versions give the same numbers with any number of processes.",),
        (
            Table(("setting", "value"), size, "Trials"),
            Table(("model", "trainer", "family", "hyperparameters"), models, "Models"),
            Table(head, criteria, "Synthetic languages"),
            Table(
                ("package", "version"), tuple(about["versions"].items()), "Versions", folded=True
            ),
        ),
    )

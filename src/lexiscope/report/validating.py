"""A plan of models and evaluations as a page, as tables for a terminal and as Markdown.

The tables have the numbers of those of Tsvetkov et al. 2015.
"""

from pathlib import Path

import numpy as np

from lexiscope.bench.predictionplan import ALL
from lexiscope.bench.validation import Validated, Verdict
from lexiscope.core.display import shown
from lexiscope.data.files import replacing
from lexiscope.report.charts import Point, lines_over
from lexiscope.report.layout import Figure, Section, Table
from lexiscope.report.page import Heading, rendered
from lexiscope.report.predicting import between, both, heat_of, valued
from lexiscope.report.tables import markdown, safe, view
from lexiscope.report.wording import counted, listed

SAYS = {
    "agrees": "what the paper prints lies in our 95 % interval",
    "open": "so it does, but our interval is wider than 0.6: so few models cannot tell",
    "possible": "it lies outside, but in our interval over models that share no vectors, or two "
    "numbers over so few models may lie as far apart by chance",
    "differs": "neither",
    "not run": "a model or a data set was not at hand",
}


def write(found: Validated, path: str | Path) -> Path:
    """Write the report."""
    place = Path(path)
    with replacing(place) as file:
        file.write(page(found).encode("utf-8"))
    return place


def page(found: Validated) -> str:
    """The report as HTML."""
    heading = Heading(
        f"Lexiscope: {shown(found.plan.name)}, what predicts what",
        "Which evaluation predicts which?",
        f"{shown(found.plan.name)}: {lead(found)}",
        found.manifest["versions"]["lexiscope"],
    )
    return rendered(heading, _sections(found))


def lead(found: Validated) -> str:
    """How large it is."""
    plan, corpus = found.plan, found.manifest["corpus"]
    widths = listed([str(d) for d in plan.dimensions])
    return (
        f"{counted(len(plan.models), 'model')} of {widths} dimensions on "
        f"{corpus['tokens'] or 0:,} words of text ({', '.join(map(shown, plan.texts))}), "
        f"{counted(plan.runs, 'run')} of those that hang on chance, "
        f"{counted(len(plan.evaluations), 'evaluation')}, seed {plan.seed}."
    )


def verdict_sentence(found: Validated) -> str:
    """How many numbers of the paper came out."""
    given = [each.verdict for each in found.verdicts]
    told = [f"{word} {given.count(word)}" for word in (*SAYS, "not known") if word in given]
    return f"Verdicts on {counted(len(given), 'number')} of the paper: {listed(told)}."


def _sections(found: Validated) -> list[Section]:
    text = [verdict_sentence(found)]
    text += [f"{word.capitalize()}: {meaning}." for word, meaning in SAYS.items()]
    parts = [table_of(found, number) for number in ("3", "4", "5", "text") if _has(found, number)]
    parts += [rival_table(found)] if found.rivals else []
    heats = tuple(heat_of(found.predictions, each) for each in found.predictions.scored)
    sections = [
        Section("What the paper says and what was found", tuple(text), (table_2(found), *parts)),
        *_figure_section(found),
        Section("What predicts what", (_INTERVALS,), heats),
        Section("Scores", (), tuple(score_table(found, d) for d in found.dimensions)),
        Section("The joint order of the tasks", (_JOINT,), (order_table(found),)),
    ]
    return [*sections, *_not_run_section(found), _settings(found)]


_INTERVALS = (
    "Correlations are over models; runs of one model are one point, their mean. With so few models "
    "intervals are wide, and models that share their vectors (GloVe and GloVe pulled towards a "
    "lexicon) are less independent than the intervals assume; over bases only, they are one."
)
_JOINT = (
    "Kemeny's order of the models disagrees least with the orders of the tasks, pair by pair. "
    "Several orders may do so equally well."
)


def _has(found: Validated, table: str) -> bool:
    return any(each.published.table == table for each in found.verdicts)


def table_2(found: Validated) -> Table:
    """Scores of the validated evaluation and of the last task beside those of the paper."""
    plan = found.plan
    names = (plan.validated, plan.tasks[-1])
    scored = found.scored(plan.shown_at)
    there = [name for name in names if name in scored.evaluations]
    rows = []
    for model, printed in plan.table.items():
        ours = ["–"] * 2
        if model in scored.members:
            place = scored.members.index(model)
            ours = [_score(n, scored.of(n)[place]) if n in there else "–" for n in names]
        rows.append((shown(model), f"{printed[0]:.1f}", ours[0], f"{printed[1]:.1f}", ours[1]))
    verdict = next((v for v in found.verdicts if v.published.table == "2"), None)
    if verdict is not None:
        said = f"{verdict.published.value:.2f}"
        rows.append(("Pearson's r", said, both(verdict.ours), "", verdict.verdict))
    head = ("model", f"{names[0]}, paper", "ours", f"{names[1]}, paper", "ours")
    caption = (
        f"Table 2: {plan.dimension} dimensions in the paper, {plan.shown_at} here. The paper's "
        "90.0 is a misprint"
    )
    return Table(head, tuple(rows), caption, numeric=(1, 2, 3, 4))


def _score(evaluation: str, value: float) -> str:
    """A score as the paper writes it: QVEC is a sum, all others are shares or correlations."""
    return f"{value:.1f}" if evaluation == "QVEC" else f"{100 * value:.1f}"


def table_of(found: Validated, number: str) -> Table:
    """The printed correlations of a table beside ours."""
    rows = tuple(_verdict_row(each) for each in found.verdicts if each.published.table == number)
    titles = {
        "3": "Table 3: Pearson's r with QVEC",
        "4": "Table 4: Pearson's r with the downstream tasks",
        "5": "Table 5: Spearman's rho with QVEC; All is the joint order of all tasks",
        "text": "Printed rankings",
    }
    head = (
        "predictor", "target", "D, paper", "D, ours", "paper", "ours", "95 % interval", "verdict",
        "models", "every run a point", "over bases only", "chance of so far apart",
    )  # fmt: skip
    return Table(head, rows, titles[number], numeric=(2, 3, 4, 5, 8, 9, 11))


def _verdict_row(each: Verdict) -> tuple[str, ...]:
    said = each.published
    return (
        shown(said.predictor),
        "all tasks together" if said.target == ALL else shown(said.target),
        str(said.dimension),
        str(each.dimension),
        f"{said.value:.2f}",
        valued(each.ours.value),
        between(each.ours),
        each.verdict,
        str(each.ours.number),
        f"{valued(each.found)} ({each.points})" if each.found is not None else "–",
        "–" if each.bases is None else f"{both(each.bases)}, {each.bases.number}",
        "–" if each.apart is None else f"{each.apart:.2f}",
    )


def rival_table(found: Validated) -> Table:
    """Is the validated evaluation the better predictor of the downstream tasks?"""
    rows = tuple(
        (
            shown(each.target),
            shown(each.rival),
            str(each.dimension),
            valued(each.printed),
            valued(each.gap.value if each.gap else None),
            f"{each.gap.low:+.2f} to {each.gap.high:+.2f}" if each.gap else "–",
            each.verdict,
        )
        for each in found.rivals
    )
    name = found.plan.validated
    head = ("target", "beside", "D, ours", "paper", "ours", "95 % interval", f"{name} is")
    caption = f"Table 4: Pearson's r of {name} with a task, less that of another evaluation"
    return Table(head, rows, caption, numeric=(2, 3, 4))


def _figure_section(found: Validated) -> list[Section]:
    figure = figure_2(found)
    if figure is None:
        return []
    text = (
        f"Pearson's correlation of {found.plan.validated} with each task, over the models of a "
        "dimensionality; bands are 95 % intervals. The paper prints the numbers at 300 only.",
    )
    return [Section("Over dimensionalities", text, (figure,))]


def figure_2(found: Validated) -> Figure | None:
    """The validated evaluation's correlation with each task over dimensionalities."""
    plan, points, names = found.plan, [], {}
    for task in plan.tasks:
        pairs = [
            (d, pair)
            for d in found.dimensions
            if (pair := found.predictions.between(plan.validated, task, d)) is not None
            and pair.pearson.value is not None
        ]
        if pairs:
            mean = float(np.mean([pair.pearson.value for _, pair in pairs]))
            names[task] = f"{task} (mean {mean:+.2f})"
            points += [
                Point(names[task], d, p.pearson.value or 0.0, p.pearson.low, p.pearson.high)
                for d, p in pairs
            ]
    if not points:
        return None
    chart = lines_over(points, list(names.values()), "Pearson's r", 1.0, "dimensions", -1.0, "task")
    return Figure(f"Figure 2: {plan.validated} and the tasks", chart, curve_table(found))


def curve_table(found: Validated) -> Table:
    """Figure 2 as a table: a row for each task, a column for each dimensionality, and the mean."""
    plan, rows = found.plan, []
    for task in plan.tasks:
        pairs = [found.predictions.between(plan.validated, task, d) for d in found.dimensions]
        values = [p.pearson.value for p in pairs if p and p.pearson.value is not None]
        cells = ["–" if pair is None else both(pair.pearson) for pair in pairs]
        rows.append((shown(task), *cells, valued(float(np.mean(values)) if values else None)))
    head = ("task", *(str(d) for d in found.dimensions), "mean")
    caption = f"Figure 2: Pearson's r with {plan.validated} (95 % interval), by dimensionality"
    return Table(head, tuple(rows), caption, numeric=(len(head) - 1,))


def score_table(found: Validated, dimension: int) -> Table:
    """The mean scores of the models, and how far their runs lie apart."""
    scored = found.scored(dimension)
    whose = np.array(scored.units, object)
    rows = []
    for place, model in enumerate(scored.members):
        runs = scored.values[whose == model]
        cells = [
            _score(name, scored.means[place, k]) + _spread(name, runs[:, k])
            for k, name in enumerate(scored.evaluations)
        ]
        rows.append((shown(model), str(len(runs)), *cells))
    head = ("model", "runs", *map(shown, scored.evaluations))
    caption = f"{dimension} dimensions: means of runs, with the least and the greatest"
    return Table(head, tuple(rows), caption, numeric=tuple(range(1, len(head))))


def _spread(evaluation: str, runs: np.ndarray) -> str:
    if len(runs) < 2:
        return ""
    return f" ({_score(evaluation, runs.min())}–{_score(evaluation, runs.max())})"


def order_table(found: Validated) -> Table:
    """The joint order of the tasks at each dimensionality."""
    rows = tuple(
        (str(dimension), f"{len(orders):,}", ", ".join(map(shown, orders[0])))
        for dimension, orders in found.orders.items()
    )
    return Table(
        ("D", "best orders", "the first of them, best model first"),
        rows,
        "Kemeny's order of the models",
        numeric=(0, 1),
    )


def not_run_table(found: Validated) -> Table:
    """What was left out, and what to do about it."""
    rows = tuple((shown(each.what, 80), shown(each.why, 300)) for each in found.not_run)
    return Table(("not run", "why"), rows, "Not run")


def _not_run_section(found: Validated) -> list[Section]:
    return [Section("Not run", (), (not_run_table(found),))] if found.not_run else []


def _settings(found: Validated) -> Section:
    about = found.manifest
    models = tuple(
        (
            shown(each["name"]),
            each["trainer"],
            ", ".join(
                f"{key}={value}"
                for key, value in {
                    **each["settings"],
                    **({"base": each["base"], "lexicon": each["lexicon"]} if each["base"] else {}),
                }.items()
            )
            or "the trainer's own",
        )
        for each in about["models"]
    )
    asked = tuple(
        (shown(e["name"]), "; ".join(f"{task} on {dataset}" for task, dataset in e["asks"]))
        for e in about["evaluations"]
    )
    covered = tuple(
        (shown(c["dataset"]), f"{c['used']:,}", f"{c['total']:,}") for c in about["coverage"]
    )
    corpus = tuple((name, str(value)) for name, value in about["corpus"].items())
    rest = (
        ("texts", ", ".join(about["texts"])),
        *corpus,
        ("runs of a model", str(about["runs_of_a_model"])),
        ("seed", str(about["seed"])),
        ("intervals", about["intervals"]),
    )
    return Section(
        "Settings",
        ("The same plan, seed and versions give the same numbers, on any number of processes.",),
        (
            Table(("what", "value"), rest, "Text and chance"),
            Table(
                ("model", "trainer", "settings that are not the trainer's own"), models, "Models"
            ),
            Table(("evaluation", "asked"), asked, "Evaluations"),
            Table(("dataset", "items asked", "items"), covered, "Coverage", numeric=(1, 2)),
            Table(("part", "version"), tuple(about["versions"].items()), "Versions", folded=True),
        ),
    )


def _tables(found: Validated) -> list[tuple[Table, int]]:
    """The tables of a terminal and of Markdown, with how many columns stand to the left."""
    tables = [(table_2(found), 1)]
    tables += [(table_of(found, n), 2) for n in ("3", "4", "5", "text") if _has(found, n)]
    tables += [(rival_table(found), 2)] if found.rivals else []
    tables += [(curve_table(found), 1), (order_table(found), 0)]
    tables += [(score_table(found, d), 1) for d in found.dimensions]
    return tables + ([(not_run_table(found), 2)] if found.not_run else [])


def show(found: Validated) -> None:
    """Print what was found."""
    import sys

    from rich.console import Console
    from rich.text import Text

    console = Console(width=None if sys.stdout.isatty() else 150)
    console.print(Text(lead(found)))
    for table, left in _tables(found):
        console.print(Text(f"{table.caption}:"))
        console.print(view(table, left))
    console.print(Text(verdict_sentence(found)))


def to_markdown(found: Validated) -> str:
    """The finished tables of a page about the paper."""
    parts = [safe(lead(found)), verdict_sentence(found)]
    for table, _ in _tables(found):
        parts += [f"### {table.caption}", markdown(table)]
    return "\n\n".join(parts) + "\n"

"""A study of made languages as a page, as tables for a terminal and as Markdown."""

from pathlib import Path
from typing import Any

from lexiscope.bench.studied import Found, Studied
from lexiscope.core.display import shown
from lexiscope.data.files import replacing
from lexiscope.report.charts import Point, lines_over
from lexiscope.report.layout import Figure, Section, Table
from lexiscope.report.page import Heading, rendered
from lexiscope.report.tables import markdown, safe, view
from lexiscope.report.wording import counted, listed

_SAYS = {
    "agrees": "our 95 % interval and what the paper says have a value in common",
    "open": "so they have, but our interval is wider than 30 points: more trials would tell",
    "possible": "they have none in common, but at least 1 in 20 of our trials came out as the "
    "paper's only one",
    "differs": "neither",
    "not told apart": "the difference may be chance",
}


def write(studied: Studied, path: str | Path) -> Path:
    """Write the report of a study."""
    place = Path(path)
    with replacing(place) as file:
        file.write(page(studied).encode("utf-8"))
    return place


def page(studied: Studied) -> str:
    """The report as HTML."""
    plan = studied.plan
    heading = Heading(
        f"Lexiscope study: {shown(plan.name)}",
        "Which information do models keep, and where in the space?",
        f"{shown(plan.name)}: {lead(studied)}",
        studied.manifest["versions"]["lexiscope"],
    )
    return rendered(heading, [each for each in _sections(studied) if each is not None])


def lead(studied: Studied) -> str:
    """How large the study is."""
    plan = studied.plan
    return (
        f"{counted(len(plan.models), 'model')}, {counted(len(plan.criteria), 'question')}, "
        f"{counted(plan.trials, 'trial')} of {counted(plan.sentences, 'sentence')} each, seed "
        f"{plan.seed}."
    )


def _sections(studied: Studied) -> list[Section | None]:
    return [
        _verdicts(studied),
        _scores(studied),
        _curves(studied),
        _differences(studied),
        _facets(studied),
        _variants(studied),
        _settings(studied),
    ]


def _verdicts(studied: Studied) -> Section | None:
    if not studied.verdicts:
        return None
    text = [verdict_sentence(studied)]
    text += [f"{word.capitalize()}: {meaning}." for word, meaning in _SAYS.items()]
    parts = [verdict_table(studied)]
    if studied.orders:
        parts.append(order_table(studied))
    return Section("What the paper says and what was found", tuple(text), tuple(parts))


def verdict_sentence(studied: Studied) -> str:
    """How many claims of the paper came out."""
    found = [each.verdict for each in studied.verdicts]
    kinds = [
        word for word in ("agrees", "open", "possible", "differs", "not known") if word in found
    ]
    told = [f"{word} {found.count(word)}" for word in kinds]
    return f"Verdicts on {counted(len(found), 'number')} of the paper: {listed(told)}."


def verdict_table(studied: Studied) -> Table:
    """Paper, ours with interval, verdict: a row for each number of the paper."""
    rows = []
    for each in studied.verdicts:
        said, ours = each.published, each.found
        at = "" if said.at is None else f" at {said.at:g}"
        trials = "" if said.trials is None else f" ({counted(said.trials, 'trial')})"
        rows.append(
            (
                f"{shown(said.criterion)}{at}",
                said.study,
                shown(said.model),
                f"{said.said}{trials}",
                percent(ours.value),
                between(ours),
                percent(each.alike),
                each.verdict,
            )
        )
    head = (
        "criterion", "asked by", "model", "paper", "ours, right", "95 % interval",
        "trials like the paper", "verdict",
    )  # fmt: skip
    return Table(head, tuple(rows), "The paper's numbers", numeric=(4, 6))


def order_table(studied: Studied) -> Table:
    """The order of robustness that a paper claims, neighbour by neighbour."""
    rows = tuple(
        (
            shown(each.criterion),
            f"{shown(each.worse)} < {shown(each.better)}",
            signed(each.comparison.difference),
            between(each.comparison),
            chance(each.comparison.p_holm),
            each.verdict,
        )
        for each in studied.orders
    )
    head = (
        "criterion",
        "paper's order",
        "better less worse",
        "95 % interval",
        "p (Holm)",
        "verdict",
    )
    return Table(head, rows, "The paper's order of robustness, over all values", numeric=(2, 4))


def _scores(studied: Studied) -> Section:
    text = (
        "Subspace: a linear SVM learns a facet from some words and is asked about others. "
        "Neighbour: is the nearest word in the whole space of the same kind? Triples: does one "
        "word less another plus a third lead to the right type? All numbers are shares of right "
        "answers.",
        "Intervals are over trials: the words of one trial share a corpus and a training. Half of "
        "the held-out words can be right by chance where both classes are asked.",
    )
    return Section("Subspace beside neighbours", text, (score_table(studied),))


def score_table(studied: Studied) -> Table:
    """The scores of the main probes: a row for each model, a column for each study."""
    names = list(dict.fromkeys(each.study for each in studied.found if each.main))
    rows = []
    for criterion in studied.plan.criteria:
        for model in studied.plan.models:
            cells = [_whole(studied, criterion.name, model.name, study) for study in names]
            texts = [with_interval(cell) for cell in cells]
            rows.append((shown(criterion.name), shown(model.name), *texts))
    return Table(("criterion", "model", *names), tuple(rows), "Right answers in % (95 % interval)")


def _whole(studied: Studied, criterion: str, model: str, study: str) -> Found | None:
    """The score over all values of a sweep."""
    found = studied.rows(criterion, model=model, study=study, main=True)
    return found[0] if found else None


def _curves(studied: Studied) -> Section | None:
    figures = []
    for criterion in studied.plan.criteria:
        if len(criterion.points) < 2 or criterion.grammar.sweep is None:
            continue
        rows = [
            f for f in studied.rows(criterion.name, study="subspace", main=True) if f.at is not None
        ]
        points = [
            Point(f.model, f.at, f.value, f.low, f.high)
            for f in rows
            if f.value is not None and f.at is not None
        ]
        names, parameter = [m.name for m in studied.plan.models], criterion.grammar.sweep.parameter
        chart = lines_over(points, names, "share of right answers", 1.0, parameter)
        figures.append(Figure(shown(criterion.name), chart, curve_table(studied, criterion.name)))
    if not figures:
        return None
    text = (
        "Points are shares of right answers of the SVM, bands their 95 % intervals over trials.",
    )
    return Section("Over the values of a parameter", text, tuple(figures))


def curve_table(studied: Studied, criterion: str) -> Table:
    """A figure as a table: a row for each value, a column for each model."""
    rows = [f for f in studied.rows(criterion, study="subspace", main=True) if f.at is not None]
    names = [model.name for model in studied.plan.models]
    points = sorted({f.at for f in rows if f.at is not None})
    cells = {(f.at, f.model): with_interval(f) for f in rows}
    found = next(c for c in studied.plan.criteria if c.name == criterion)
    name = found.grammar.sweep.parameter if found.grammar.sweep else "value"
    body = tuple((f"{p:g}", *(cells.get((p, each), "–") for each in names)) for p in points)
    return Table(
        (shown(name), *map(shown, names)),
        body,
        "The numbers of the figure, in % (95 % interval)",
        numeric=(0,),
    )


def _differences(studied: Studied) -> Section | None:
    if not studied.comparisons:
        return None
    rows = tuple(
        (
            shown(c.dataset),
            f"{shown(c.first)} minus {shown(c.second)}",
            "real" if c.real else "may be chance",
            signed(c.difference),
            between(c),
            chance(c.p),
            chance(c.p_holm),
        )
        for c in studied.comparisons
    )
    head = ("criterion", "models", "verdict", "difference", "95 % interval", "p", "p (Holm)")
    real = sum(c.real for c in studied.comparisons)
    caption = f"{real} of {counted(len(rows), 'difference')} {'is' if real == 1 else 'are'} real"
    text = (
        "Models of a trial learned from the same sentences, so they are compared trial by trial: "
        "signs of the differences of whole trials are flipped. Holm's correction is over the pairs "
        "of models of a criterion.",
    )
    table = Table(head, rows, caption, folded=len(rows) > 20, numeric=(3, 5, 6))
    return Section("Which differences are real", text, (table,))


def _facets(studied: Studied) -> Section | None:
    rows = tuple(
        (
            shown(each.criterion),
            shown(each.model),
            each.answer,
            with_interval(each.accurate),
            with_interval(each.consistent),
        )
        for each in studied.facets
    )
    text = (
        "Accurate: of the held-out words of which an answer was given, the share of which it is "
        "true. Consistent: of those of which it is true, the share of which it was given.",
    )
    head = ("criterion", "model", "answer", "accurate", "consistent")
    table = Table(head, rows, "Both views of every answer, in % (95 % interval)", folded=True)
    return Section("Accurate and consistent", text, (table,)) if rows else None


def _variants(studied: Studied) -> Section | None:
    if all(each.main for each in studied.found):
        return None
    text = (
        "The same trainings, asked in other ways that the paper leaves open. What was fixed before "
        "anything was asked stands first; nothing was chosen by these numbers.",
    )
    tables = tuple(variant_table(studied, c.name) for c in studied.plan.criteria)
    return Section("What hangs on how one asks", text, tables)


def variant_table(studied: Studied, criterion: str) -> Table:
    """Shares of right answers under every way of asking, over all values of a sweep."""
    found = studied.rows(criterion)
    names = [model.name for model in studied.plan.models]
    first: dict[tuple[str, str], Found] = {}
    for each in found:
        first.setdefault((each.variant, each.model), each)
    rows = tuple(
        (shown(label, 80), *(with_interval(first.get((label, name))) for name in names))
        for label in dict.fromkeys(each.variant for each in found)
    )
    caption = f"{shown(criterion)}: right answers in % (95 % interval)"
    return Table(("asked by", *map(shown, names)), rows, caption)


def _settings(studied: Studied) -> Section:
    about = studied.manifest
    models = tuple(
        (
            shown(each["name"]),
            f"{each['trainer']}, version {each['version']}",
            each["kind"],
            ", ".join(f"{key}={value}" for key, value in each["settings"].items()),
        )
        for each in about["models"]
    )
    criteria = tuple(
        (shown(each["name"]), shown(each["about"], 200), shown(each["question"], 200),
         shown(" ".join(each["held_out"]), 200), each["sha256"])
        for each in about["criteria"]
    )  # fmt: skip
    versions = tuple((name, value) for name, value in about["versions"].items())
    rest = (
        ("sentences of a trial", f"{about['sentences']:,}"),
        ("trials", f"{about['trials']:,}"),
        ("seed", str(about["seed"])),
        ("interval", about["interval"]),
        ("tests", about["tests"]),
    )
    head = ("name", "grammar", "question", "held out", "sha256 of the grammar")
    return Section(
        "Settings",
        ("The same plan, seed and versions give the same numbers, on any number of processes.",),
        (
            Table(("what", "value"), rest, "The sweep"),
            Table(("model", "trainer", "kind", "settings"), models, "Models"),
            Table(head, criteria, "Made languages"),
            Table(("part", "version"), versions, "Versions", folded=True),
        ),
    )


def show(studied: Studied) -> None:
    """Print what was found."""
    import sys

    from rich.console import Console
    from rich.text import Text

    console = Console(width=None if sys.stdout.isatty() else 140)
    console.print(Text(lead(studied)))
    console.print(view(score_table(studied), left=2))
    for criterion in studied.plan.criteria:
        if len(criterion.points) > 1:
            console.print(Text(f"{shown(criterion.name)}, subspace, right answers in %:"))
            console.print(view(curve_table(studied, criterion.name), left=0))
    if studied.verdicts:
        console.print(view(verdict_table(studied), left=4))
        console.print(Text(verdict_sentence(studied)))
    if studied.orders:
        console.print(view(order_table(studied), left=2))


def to_markdown(studied: Studied) -> str:
    """The finished tables of a page about a paper."""
    parts = [f"{lead(studied)}"]
    if studied.verdicts:
        parts += [verdict_sentence(studied), markdown(verdict_table(studied))]
    if studied.orders:
        parts += [markdown(order_table(studied))]
    parts += ["### Subspace beside neighbours", markdown(score_table(studied))]
    for criterion in studied.plan.criteria:
        if len(criterion.points) > 1:
            parts += [
                f"### {safe(criterion.name)}",
                markdown(curve_table(studied, criterion.name)),
            ]
    parts.append("### What hangs on how one asks")
    for criterion in studied.plan.criteria:
        parts += [
            f"#### {safe(criterion.name)}",
            markdown(variant_table(studied, criterion.name)),
        ]
    return "\n\n".join(parts) + "\n"


def percent(value: float | None) -> str:
    """A share as people read it."""
    return "–" if value is None else f"{100 * value:.1f} %"


def between(item: Any) -> str:
    """The interval of a share or of a difference of shares, or why there is none."""
    if item.low is None or item.high is None:
        return item.state or "–"
    return f"{100 * item.low:.1f} to {100 * item.high:.1f}"


def with_interval(found: Found | None) -> str:
    """A share in hundredths and its interval, in one cell."""
    if found is None or found.value is None:
        return "–"
    if found.low is None or found.high is None:
        return f"{100 * found.value:.1f}"
    return f"{100 * found.value:.1f} ({100 * found.low:.1f}–{100 * found.high:.1f})"


def signed(value: float | None) -> str:
    """A difference of shares in points."""
    return "–" if value is None else f"{100 * value:+.1f}"


def chance(p: float | None) -> str:
    """A p-value."""
    return "–" if p is None else f"{p:.2g}"

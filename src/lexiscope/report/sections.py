"""The sections of a report: each turns results into text, tables and charts. A new table or
figure is one function more in SECTIONS."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from lexiscope.bench.results import Results, number, span, variant_of
from lexiscope.core.display import shown
from lexiscope.core.result import WHOLE, Result
from lexiscope.report.charts import forest
from lexiscope.report.letters import letters

_WORDS_SHOWN = 40


@dataclass(frozen=True)
class Table:
    """Rows of text; the columns in `numeric` are set to the right."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    caption: str = ""
    folded: bool = False
    numeric: tuple[int, ...] = ()


@dataclass(frozen=True)
class Figure:
    """A chart and the table of its data."""

    title: str
    spec: dict[str, Any]
    table: Table


@dataclass(frozen=True)
class Section:
    """A part of the page."""

    title: str
    text: tuple[str, ...] = ()
    parts: tuple[Table | Figure, ...] = ()
    code: tuple[str, ...] = field(default=())


def verdict(results: Results) -> Section:
    """What a hurried reader should know."""
    if not any(c.p is not None for c in results.comparisons):
        return Section("Verdict", (_no_verdict(results),))
    columns = results.columns
    best: dict[str, int] = dict.fromkeys(results.embeddings, 0)
    alone: dict[str, int] = dict(best)
    for column in columns:
        leaders = results.leaders(*column)
        for member in leaders:
            best[member] += 1
        if len(leaders) == 1:
            alone[leaders[0]] += 1
    rows = tuple(
        (shown(name), f"{best[name]} of {len(columns)}", f"{alone[name]} of {len(columns)}",
         _share(results, name))
        for name in sorted(best, key=lambda n: (-best[n], -alone[n]))
    )  # fmt: skip
    head = ("embedding", "none is really better", "alone in that", "items it could be asked")
    return Section("Verdict", _verdict_text(results, best), (Table(head, rows, numeric=(1, 2, 3)),))


def _no_verdict(results: Results) -> str:
    if len(results.embeddings) < 2:
        return "One embedding was asked; give a second one to learn which differences are real."
    return "No two embeddings have been compared yet, so nothing can be said about which is better."


def _share(results: Results, embedding: str) -> str:
    own = [c for c in results.coverage if c.embedding == embedding]
    return f"{sum(c.used for c in own) / max(1, sum(c.total for c in own)):.1%}"


def _verdict_text(results: Results, best: dict[str, int]) -> tuple[str, ...]:
    real = sum(c.real for c in results.comparisons)
    tested = sum(c.p is not None for c in results.comparisons)
    if not real:
        return (
            f"None of the {tested} differences between embeddings is real: paired tests on the "
            "items that both answered, Holm's correction, 5 % level. On these data either will do.",
        )
    most = max(best.values())
    leaders = " and ".join(shown(name) for name, number in best.items() if number == most)
    return (
        f"{real} of {tested} differences between embeddings are real: a paired test on the items "
        "that both answered, corrected by Holm's method over all comparisons of this run, at the "
        "5 % level. The others may be chance.",
        f"On {most} of {len(results.columns)} questions (a task on a dataset) no embedding is "
        f"really better than {leaders}.",
        "Comparisons use shared items only: an embedding that knows few words is judged on few.",
    )


def scores(results: Results) -> Section:
    """Every task's scores with intervals."""
    figures = []
    for task in dict.fromkeys(variant_of(r) for r in results.main()):
        rows = [r for r in results.main() if variant_of(r) == task]
        figures.append(Figure(task, forest(rows, results.embeddings), _score_table(results, rows)))
    text = (
        "Points are scores, lines their 95 % intervals (percentile bootstrap over items; for "
        "analogies over the word pairs that questions are made of). "
        "In the table, embeddings with a letter in common cannot be told apart on that dataset.",
    )
    return Section("Scores", text, tuple(figures))


def _score_table(results: Results, rows: list[Result]) -> Table:
    marks = {
        dataset: letters(results.groups(variant_of(rows[0]), dataset))
        for dataset in dict.fromkeys(row.dataset for row in rows)
    }
    order = {row.dataset: place for place, row in reversed(list(enumerate(rows)))}
    arranged = sorted(rows, key=lambda row: order[row.dataset])
    body = tuple(
        (
            shown(row.dataset),
            shown(row.embedding),
            number(row.value),
            span(row),
            f"{row.used:,} / {row.total:,}",
            marks[row.dataset].get(row.embedding, ""),
        )
        for row in arranged
    )
    head = ("dataset", "embedding", rows[0].measure, "95 % interval", "items asked", "group")
    return Table(head, body, "The numbers of the figure", numeric=(2, 4))


def differences(results: Results) -> Section:
    """Which differences are real."""
    if not results.comparisons:
        return Section("Differences", ("There is nothing to compare with one embedding.",))
    body = tuple(
        (
            variant_of(c),
            shown(c.dataset),
            shown(c.first),
            shown(c.second),
            number(c.difference),
            span(c),
            _chance(c.p),
            _chance(c.p_holm),
            "real" if c.real else "",
            f"{c.items:,}",
            c.test,
        )
        for c in results.comparisons
    )
    head = ("task", "dataset", "first", "second", "difference", "95 % interval", "p", "p (Holm)",
            "verdict", "shared items", "test")  # fmt: skip
    text = (
        "First minus second, on the items that both could be asked. An interval is a paired "
        "bootstrap and is not corrected; the verdict is: it follows the corrected p-value.",
    )
    return Section("Which differences are real", text, (Table(head, body, numeric=(4, 6, 7, 9)),))


def _chance(p: float | None) -> str:
    if p is None:
        return "–"
    return "< 0.001" if p < 0.001 else f"{p:.3f}"


def slices(results: Results) -> Section | None:
    """Scores of parts of datasets, such as the sections of analogy questions."""
    figures = []
    parts = [r for r in results.results if r.main and r.slice != WHOLE]
    for task, dataset in dict.fromkeys((variant_of(r), r.dataset) for r in parts):
        rows = [r for r in parts if variant_of(r) == task and r.dataset == dataset]
        body = tuple(
            (shown(r.slice), shown(r.embedding), number(r.value),
             span(r), f"{r.used:,} / {r.total:,}")
            for r in sorted(rows, key=lambda r: [x.slice for x in rows].index(r.slice))
        )  # fmt: skip
        head = ("part", "embedding", rows[0].measure, "95 % interval", "items asked")
        table = Table(head, body, "The numbers of the figure", folded=True, numeric=(2, 4))
        figures.append(
            Figure(f"{task} on {shown(dataset)}", forest(rows, results.embeddings, "slice"), table)
        )
    return Section("Parts of datasets", (), tuple(figures)) if figures else None


def beside(results: Results) -> Section | None:
    """Measures that stand beside the score."""
    rows = [r for r in results.results if not r.main and r.slice == WHOLE]
    if not rows:
        return None
    body = tuple(
        (variant_of(r), shown(r.dataset), shown(r.embedding), r.measure, number(r.value),
         span(r))
        for r in rows
    )  # fmt: skip
    head = ("task", "dataset", "embedding", "measure", "value", "95 % interval")
    text = ("accuracy_of_all counts a question whose words are missing as wrong.",)
    return Section("Other measures", text, (Table(head, body, "All other measures", True, (4,)),))


def coverage(results: Results) -> Section:
    """What each embedding lacks."""
    body = tuple(
        (
            shown(c.dataset),
            shown(c.embedding),
            f"{c.used:,} / {c.total:,}",
            f"{c.used / c.total:.1%}",
            _some(c.missing),
            _some(c.zero),
        )
        for c in sorted(results.coverage, key=lambda c: c.used / c.total)
    )
    head = (
        "dataset",
        "embedding",
        "items asked",
        "share",
        "missing words",
        "words with a zero vector",
    )
    text = (
        f"Policy: {results.policy}. Items with a "
        "missing word are left out of the score and counted here; a zero vector has no direction "
        "and counts as missing.",
    )
    return Section("Coverage", text, (Table(head, body, "", numeric=(2, 3)),))


def _some(words: tuple[str, ...]) -> str:
    listed = ", ".join(shown(word) for word in words[:_WORDS_SHOWN])
    more = len(words) - _WORDS_SHOWN
    return f"{listed} … and {more:,} more" if more > 0 else listed


def problems(results: Results) -> Section | None:
    """What failed, what was repaired."""
    rows = [
        (shown(f.embedding), f"{f.task}, {shown(f.dataset)}", "failed", shown(f.reason, 300))
        for f in results.failures
    ]
    rows += [
        (shown(entry["name"]), "", "repaired", shown(sentence, 300))
        for entry in results.manifest["embeddings"]
        for sentence in entry["repairs"]
    ]
    if not rows:
        return None
    return Section(
        "Problems", (), (Table(("embedding", "task and dataset", "what", "why"), tuple(rows)),)
    )


def manifest(results: Results) -> Section:
    """What is needed to repeat this."""
    about = results.manifest
    embeddings = tuple(
        (
            shown(e["name"]),
            f"{e['words']:,} × {e['dimension']}",
            shown(e["origin"], 120),
            e["sha256"],
        )
        for e in about["embeddings"]
    )
    datasets = tuple(
        (shown(d["name"]), d["kind"], f"{d['items']:,}", d["sha256"]) for d in about["datasets"]
    )
    settings = tuple((t["name"], str(t["version"]), str(t["settings"])) for t in about["tasks"])
    other = tuple(
        (
            key,
            ", ".join(f"{k} {v}" for k, v in value.items())
            if isinstance(value, dict)
            else str(value),
        )
        for key, value in about.items()
        if key not in ("embeddings", "datasets", "tasks")
    )
    tables = (
        Table(("embedding", "size", "origin", "sha256 of the content"), embeddings),
        Table(("dataset", "kind", "items", "sha256 of the content"), datasets, numeric=(2,)),
        Table(("task", "version", "settings"), settings),
        Table(("what", "value"), other),
    )
    return Section("How it was made", (f"Run {results.run}.",), tables)


def sources(results: Results) -> Section | None:
    """Licences and citations of the catalogue's data that was used."""
    from lexiscope.data.catalogue import catalogue

    names = [d["name"] for d in results.manifest["datasets"]]
    names += [e["name"].partition("@")[0] for e in results.manifest["embeddings"]]
    used = [catalogue()[name] for name in dict.fromkeys(names) if name in catalogue()]
    if not used:
        return None
    rows = tuple((e.name, e.title, e.licence, " ".join(e.note.split())) for e in used)
    table = Table(("name", "title", "licence of the data", "known problems"), rows)
    code = tuple(dict.fromkeys(entry.citation.strip() for entry in used))
    return Section("Data: licences and citations", (), (table,), code)


SECTIONS: tuple[Callable[[Results], Section | None], ...] = (
    verdict, scores, differences, slices, beside, coverage, problems, manifest, sources,
)  # fmt: skip

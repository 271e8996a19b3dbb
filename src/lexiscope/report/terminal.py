"""Results as a table for a terminal. Words from data are text, never markup."""

from typing import TYPE_CHECKING

from lexiscope.bench.methods import methods
from lexiscope.bench.predicting import of_results
from lexiscope.bench.results import Results, number, span
from lexiscope.core.display import shown
from lexiscope.core.result import WHOLE, Result
from lexiscope.report.letters import letters
from lexiscope.report.predicting import sentences
from lexiscope.report.wording import (
    against_controls,
    counted,
    known_words,
    low_coverage,
    not_compared,
    question,
    real_differences,
    reversed_pairs,
    turned_in_short,
)
from lexiscope.stats.correlations import FEWEST

if TYPE_CHECKING:
    from rich.table import Table

_REVERSALS = 3  # sentences
_BESIDE = 6  # lines of references
_UNKNOWN = {
    "skip": "items with an unknown word are left out",
    "zero": "items with an unknown word count as answered with nothing",
    "mean": "an unknown word gets the mean of all vectors",
}


def table(results: Results) -> "Table":
    """A heading for each task and dataset, below it a row per embedding; groups as letters."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    view = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    view.add_column("task, dataset, measure: embedding", overflow="fold")
    for name in ("score", "95 % interval", "items asked", "group"):
        right = name in ("score", "items asked")
        view.add_column(name, justify="right" if right else "left", overflow="fold")
    for task, dataset in results.columns:
        marks = letters(results.groups(task, dataset))
        rows = [r for r in results.main() if (r.variant, r.dataset) == (task, dataset)]
        view.add_row(Text(f"{task}, {shown(dataset)}, {rows[0].measure}", style="bold"))
        for row in rows:
            view.add_row(
                Text(f"  {shown(row.embedding)}"),
                Text(number(row.value)),
                Text(span(row)),
                Text(f"{row.used:,}/{row.total:,}"),
                Text(marks.get(row.embedding, "")),
            )
        for row in _controls(results, task, dataset):
            view.add_row(
                Text(f"  {shown(row.embedding)}", style="dim"),
                Text(number(row.value), style="dim"),
                Text(span(row), style="dim"),
                Text(f"{row.used:,}/{row.total:,}", style="dim"),
                Text("control", style="dim"),
            )
    return view


def _controls(results: Results, task: str, dataset: str) -> list[Result]:
    here = [r for r in results.controls if (r.variant, r.dataset) == (task, dataset)]
    return [row for row in here if row.main and row.slice == WHOLE]


def summary(results: Results) -> list[str]:
    """What the table does not say: policy, real differences, warnings, failures."""
    lines = [f"Policy: {results.policy}; {_unknown(results)}."]
    lines += _differences(results)
    lines += _references(results)
    lines += [f"Not compared: {sentence}" for sentence in not_compared(results)]
    lines += turned_in_short(results)
    lines += _reversed(results)
    lines += _predicted(results)
    lines += against_controls(results)
    lines += known_words(results)
    lines += [f"Warning: {shown(sentence, 400)}" for sentence in results.warnings]
    lines += [f"Low coverage: {sentence}" for sentence in low_coverage(results)]
    lines += _read_as(results)
    lines += [
        f"Failed: {shown(f.embedding)}, {question(f.task, f.dataset)}: {shown(f.reason, 300)}"
        for f in results.failures
    ]
    return lines


def _differences(results: Results) -> list[str]:
    """How many differences are real, and what letters mean where there are any."""
    if all(c.p is None for c in results.comparisons):
        return []
    told = f"{real_differences(results)} (paired tests, Holm, 5 %)."
    lettered = any(results.groups(*column) for column in results.columns)
    meaning = " Embeddings with a letter in common cannot be told apart."
    return [told + meaning if lettered else told]


def _references(results: Results) -> list[str]:
    """What the score of a task that tells references itself is to be read by."""
    from lexiscope.bench.plan import told_by

    told = {task: told_by(task) for task in {r.task for r in results.results}}
    found: dict[tuple[str, str, str], list[str]] = {}
    for r in results.results:
        if r.slice == WHOLE and r.value is not None and r.measure in told[r.task]:
            line = found.setdefault((r.variant, r.dataset, r.embedding), [])
            line.append(f"{r.measure} {r.value:.3f}")
    lines = [
        f"Beside {question(task, dataset)} of {shown(name)}: {', '.join(each)}."
        for (task, dataset, name), each in found.items()
    ]
    more = len(lines) - _BESIDE
    return [*lines[:_BESIDE], *([f"{more:,} more such: see the report."] if more > 0 else [])]


def _reversed(results: Results) -> list[str]:
    """The clearest reversals between ways to ask one question."""
    told = reversed_pairs(methods(results))
    more = len(told) - _REVERSALS
    rest = [f"{counted(more, 'further reversal')} between methods: see the report."]
    return [*told[:_REVERSALS], *(rest if more > 0 else [])]


def _unknown(results: Results) -> str:
    """What becomes of unknown words."""
    running = [bool(coverage.running) for coverage in results.coverage]
    texts = "unknown words of texts count for nothing"
    told = _UNKNOWN[results.policy.unknown]
    if results.policy.unknown == "mean" or not any(running):
        return told
    return texts if all(running) else f"{told}, {texts}"


def _predicted(results: Results) -> list[str]:
    """How many evaluations predict each other, where there are enough embeddings to say."""
    found = of_results(results)
    enough = [s for s in found.scored if len(s.members) >= FEWEST and len(s.evaluations) > 1]
    return [f"{text} See lexiscope predict." for text in sentences(found)] if enough else []


def _read_as(results: Results) -> list[str]:
    """What a person's own files were taken for: almost anything can be read as categories."""
    from lexiscope.data.catalogue import catalogue

    own = [d for d in results.manifest["datasets"] if d["name"] not in catalogue()]
    told = [f"{shown(d['name'])} ({d['kind']}, {counted(d['items'], 'item')})" for d in own]
    return [f"Read: {', '.join(told)}."] if told else []


def show(results: Results) -> None:
    """Print the table and the summary."""
    import sys

    from rich.console import Console
    from rich.text import Text

    console = Console(width=None if sys.stdout.isatty() else 120)
    console.print(table(results), *[Text(line) for line in summary(results)], sep="\n")

"""Results as a table for a terminal. Words from data are text, never markup."""

from lexiscope.core.display import shown
from lexiscope.core.result import WHOLE, Result
from lexiscope.evaluation.analysis.comparable_scores import (
    ComparableScore,
    EvaluationScores,
    coverage_differs,
)
from lexiscope.evaluation.results import Results
from lexiscope.report.console import GroupedTable, Row, console, print_lines, print_verdict
from lexiscope.report.control_comparisons import control_summary
from lexiscope.report.correlation_tables import sentences
from lexiscope.report.coverage_sentences import computed_vectors, low_coverage, token_coverage
from lexiscope.report.model_comparisons import model_summary
from lexiscope.report.numbers import (
    MISSING,
    comparable_interval,
    count,
    fraction,
    interval_of,
    score,
)
from lexiscope.report.policy_changes import insignificant_changes, policy_change_summary
from lexiscope.report.recommendation import recommendation_sentences
from lexiscope.report.sentences import (
    comparison_counts,
    counted,
    disjoint_intervals,
    evaluation_name,
    min_coverage,
    not_tested,
    reversed_pairs,
)
from lexiscope.report.terminal_grid import TerminalGrid
from lexiscope.stats.correlations import MIN_MEMBERS

_HEAD = ("score", "95 % interval", "coverage", "group")
_SHARED_HEAD = ("shared", "95 % interval", "own", *_HEAD[2:])
_REVERSALS = 3  # sentences
_DISJOINT = 3  # sentences
_REFERENCES = 6  # sentences
_OOV = {
    "skip": "items with an OOV word are skipped",
    "zero": "items with an OOV word get an empty prediction",
    "mean": "an OOV word gets the mean of all vectors",
}


def table(results: Results) -> GroupedTable:
    """A heading for each evaluation, a row for each embedding; groups as letters, the best bold.

    If coverage differs in an evaluation, the scores on shared items are next to those on own items.
    """
    found = results.leaderboard.evaluations
    differs = any(each.differs for each in found)
    head = ("embedding", *(_SHARED_HEAD if differs else _HEAD))
    right = [k for k, name in enumerate(head) if name in ("score", "shared", "own", "coverage")]
    return GroupedTable(head, [(_heading(e), _rows(results, e, differs)) for e in found], right)


def _rows(results: Results, found: EvaluationScores, differs: bool) -> list[Row]:
    rows: list[Row] = [(_cells(r, differs), "bold" if r.best else "") for r in found.scores]
    controls = _controls(results, found.task, found.dataset)
    return [*rows, *((_control_cells(each, differs), "dim") for each in controls)]


def _heading(found: EvaluationScores) -> str:
    names = f"{shown(found.task)}, {shown(found.dataset)}, {shown(found.metric)}"
    return f"{names}, {counted(found.items, 'shared item')}" if found.differs else names


def _cells(row: ComparableScore, differs: bool) -> tuple[str, ...]:
    own = row.own
    name, covered = f"  {shown(row.embedding)}", fraction(own.used, own.total)
    own_score = (score(own.value),) if differs else ()
    return name, score(row.value), comparable_interval(row), *own_score, covered, row.letters


def _control_cells(row: Result, differs: bool) -> tuple[str, ...]:
    name, covered = f"  {shown(row.embedding)}", fraction(row.used, row.total)
    value = score(row.value)
    values = (MISSING, interval_of(row), value) if differs else (value, interval_of(row))
    return name, *values, covered, "control"


def _controls(results: Results, task: str, dataset: str) -> list[Result]:
    here = [r for r in results.controls if (r.variant, r.dataset) == (task, dataset)]
    return [row for row in here if row.main and row.slice == WHOLE]


def summary(results: Results) -> list[str]:
    """What the table does not show, with the recommendation as the last two sentences."""
    return [*notes(results), *recommendation_sentences(results)]


def notes(results: Results) -> list[str]:
    """What the table does not show."""
    lines = [f"Policy: {results.policy}; {_oov(results)}.", *_coverage(results)]
    lines += _differences(results)
    lines += _references(results)
    lines += [f"Not tested: {sentence}" for sentence in not_tested(results)]
    lines += model_summary(results)
    lines += policy_change_summary(results) + insignificant_changes(results)
    lines += _reversals(results) if results.has_variants else []
    lines += _correlations(results) if len(results.embeddings) >= MIN_MEMBERS else []
    lines += control_summary(results) if results.controls else []
    lines += token_coverage(results) + computed_vectors(results)
    lines += [f"Warning: {shown(sentence, 400)}" for sentence in results.warnings]
    lines += [f"Low coverage: {sentence}" for sentence in low_coverage(results)]
    lines += _file_kinds(results)
    lines += [
        f"Failed: {shown(f.embedding)}, {evaluation_name(f.task, f.dataset)}: "
        f"{shown(f.reason, 300)}"
        for f in results.failures
    ]
    return lines


def _coverage(results: Results) -> list[str]:
    """What the two scores of an embedding mean, if coverage differs."""
    if not any(coverage_differs(results.main_of(*each)) for each in results.evaluations):
        return []
    return [
        "Coverage differs, so compare the column shared: scores on the items that all embeddings "
        f"with a coverage of at least {min_coverage(results.rule)} cover. The column own has the "
        "scores on the items that each embedding covers."
    ]


def _differences(results: Results) -> list[str]:
    """How many comparisons have each outcome, and what the letters mean if there are any."""
    if not results.comparisons:
        return []
    found = comparison_counts(results)
    lettered = any(results.groups(*evaluation) for evaluation in results.evaluations)
    meaning = (
        " Embeddings that share a letter are not significantly different. Intervals are not "
        "corrected for multiple comparisons, letters are."
    )
    return [found + meaning if lettered else found, *disjoint_intervals(results)[:_DISJOINT]]


def _references(results: Results) -> list[str]:
    """Reference values that help to interpret the score of a task."""
    from lexiscope.evaluation.task_index import diagnostics_of

    diagnostics = {task: diagnostics_of(task) for task in {r.task for r in results.results}}
    found: dict[tuple[str, str, str], list[str]] = {}
    for r in results.results:
        if r.slice == WHOLE and r.value is not None and r.metric in diagnostics[r.task]:
            line = found.setdefault((r.variant, r.dataset, r.embedding), [])
            line.append(f"{r.metric} {score(r.value)}")
    lines = [
        f"Reference values of {evaluation_name(task, dataset)}, {shown(name)}: {', '.join(each)}."
        for (task, dataset, name), each in found.items()
    ]
    more = len(lines) - _REFERENCES
    rest = [f"{count(more)} more reference values: see the report."]
    return [*lines[:_REFERENCES], *(rest if more > 0 else [])]


def _reversals(results: Results) -> list[str]:
    """The clearest reversals between solvers of one task."""
    found = reversed_pairs(results.solver_agreement)
    more = len(found) - _REVERSALS
    rest = [f"{counted(more, 'more reversal')} between solvers: see the report."]
    return [*found[:_REVERSALS], *(rest if more > 0 else [])]


def _oov(results: Results) -> str:
    """How out-of-vocabulary words are handled."""
    texts = [bool(coverage.tokens) for coverage in results.coverage]
    of_texts = "OOV words of texts are ignored"
    of_items = _OOV[results.policy.oov]
    if results.policy.oov == "mean" or not any(texts):
        return of_items
    return of_texts if all(texts) else f"{of_items}, {of_texts}"


def _correlations(results: Results) -> list[str]:
    """How many evaluations are correlated, if there are enough embeddings."""
    found = results.correlations
    enough = any(len(s.model_names) >= MIN_MEMBERS and len(s.evaluations) > 1 for s in found.scored)
    return [f"{text} See lexiscope correlate." for text in sentences(found)] if enough else []


def _file_kinds(results: Results) -> list[str]:
    """How the user's own files were read: almost any table can be read as categories."""
    from lexiscope.data.catalogue import catalogue

    own = [d for d in results.manifest["datasets"] if d["name"] not in catalogue()]
    read = [f"{shown(d['name'])} ({d['kind']}, {counted(d['items'], 'item')})" for d in own]
    return [f"Datasets read from files: {', '.join(read)}."] if read else []


def grid_legend(results: Results) -> str:
    """What the letters, the bold scores and the brackets of the grid mean."""
    found = results.leaderboard
    rows = [row for each in found.evaluations for row in each.scores]
    parts = []
    if any(row.best for row in rows):
        parts.append("Bold: the best, and those not significantly different from it")
    if any(row.letters for row in rows):
        parts.append("a shared letter: not significantly different")
    if any(row.value is None and row.own.value is not None for row in rows):
        few = min_coverage(results.rule)
        parts.append(f"in brackets: covers under {few} of the items, so not comparable")
    return f"{'; '.join(parts)}." if parts else ""


def show(results: Results) -> None:
    """Print the table, the notes, and the verdict last."""
    out = console()
    out.print(table(results))
    print_lines(out, ["", *notes(results)])
    print_verdict(out, recommendation_sentences(results))


def show_brief(results: Results) -> None:
    """Print one grid and the verdict."""
    out = console()
    if results.evaluations:
        out.print(TerminalGrid(results.leaderboard))
    print_lines(out, ["", grid_legend(results)] if grid_legend(results) else [])
    print_verdict(out, recommendation_sentences(results))

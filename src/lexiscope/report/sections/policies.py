"""How far scores move with the vocabulary policy, and whether the winner changes."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from lexiscope.bench.policies import Range
from lexiscope.bench.policies import ranges as found_ranges
from lexiscope.bench.results import Results, number
from lexiscope.core.display import shown
from lexiscope.core.policy import Policy
from lexiscope.core.result import WHOLE, Result
from lexiscope.report.charts import Mark, Point, lines, ranges
from lexiscope.report.layout import Figure, Section, Table
from lexiscope.report.wording import changed, interval, question, turned

_OF_ALL = "accuracy_of_all"  # falls where a limit takes words away; accuracy may rise


def policies(results: Results) -> Section | None:
    """Ranges over policies, the turns of the winner, analogies over the vocabulary limit."""
    if len(results.policies) < 2:
        return None
    figures = (*_range_figures(results), *_limit_figures(results))
    return Section("Vocabulary policies", _text(results), figures, flags=tuple(turned(results)))


def _text(results: Results) -> tuple[str, ...]:
    others = len(results.policies) - 1
    tried = "1 other was tried" if others == 1 else f"{others} others were tried"
    moved = (
        f"The scores of this run were made under one policy: {results.policy}. {tried}; points are "
        "the run's own scores, lines go from the lowest to the highest score."
    )
    if turned(results):
        return (moved, "Where another policy makes another embedding score best is listed here.")
    return (moved, "No other policy makes another embedding score best.")


def _range_figures(results: Results) -> list[Figure]:
    found, figures = found_ranges(results), []
    for task in dict.fromkeys(item.task for item in found):
        here = [item for item in found if item.task == task]
        spec = ranges([_mark(item, results) for item in here], results.embeddings, _measure(here))
        figures.append(Figure(f"{shown(task)} over policies", spec, _range_table(results, here)))
    return figures


def _measure(found: Sequence[Range]) -> str:
    return found[0].lowest.measure


def _mark(found: Range, results: Results) -> Mark:
    return Mark(
        shown(found.dataset),
        shown(found.embedding),
        found.value,
        found.lowest.value,
        found.highest.value,
        f"lowest: {_under(found.lowest, results)}; highest: {_under(found.highest, results)}",
    )


def _under(result: Result, results: Results) -> str:
    return changed(Policy(**result.policy), results.policy)


def _range_table(results: Results, found: Sequence[Range]) -> Table:
    datasets = dict.fromkeys(item.dataset for item in found)
    body = tuple(
        (
            shown(item.dataset),
            shown(item.embedding),
            number(item.value),
            number(item.lowest.value),
            _under(item.lowest, results),
            number(item.highest.value),
            _under(item.highest, results),
        )
        for dataset in datasets
        for item in found
        if item.dataset == dataset
    )
    head = ("dataset", "embedding", _measure(found), "lowest", "under", "highest", "under")
    return Table(head, body, "The numbers of the figure", folded=True, numeric=(2, 3, 5))


def _limit_figures(results: Results) -> list[Figure]:
    rows = [r for r in (*results.results, *results.elsewhere) if r.slice == WHOLE]
    limited = [r for r in rows if _differs_in_limit(r, results.policy)]
    figures: list[Figure] = []
    for task, dataset in dict.fromkeys(
        (r.variant, r.dataset) for r in rows if r.measure == _OF_ALL
    ):
        here = [r for r in limited if (r.variant, r.dataset) == (task, dataset)]
        if len({Policy(**r.policy) for r in here}) > 1:
            figures += _over_limits(results, here)
    return figures


def _differs_in_limit(row: Result, usual: Policy) -> bool:
    return replace(Policy(**row.policy), limit=usual.limit) == usual


def _over_limits(results: Results, rows: Sequence[Result]) -> list[Figure]:
    """One figure for each measure, on one scale."""
    sizes = {about["name"]: about["words"] for about in results.manifest["embeddings"]}
    found = {(r.measure, r.embedding, _words(r, sizes)): r for r in rows if r.value is not None}
    highest = max((r.high or r.value or 0.0 for r in found.values()), default=1.0)
    title = question(rows[0].variant, rows[0].dataset)
    figures = []
    for measure in dict.fromkeys(r.measure for r in found.values()):
        points = [
            Point(name, words, r.value or 0.0, r.low, r.high)
            for (its, name, words), r in sorted(found.items(), key=lambda pair: pair[0][2])
            if its == measure
        ]
        spec = lines(points, results.embeddings, measure, highest)
        name = f"{title}: {measure} over the vocabulary limit"
        figures.append(Figure(name, spec, _limit_table(points, results.embeddings, measure)))
    return figures


def _words(row: Result, sizes: dict[str, int]) -> int:
    """How many words the embedding had under the row's limit."""
    size = sizes[row.embedding]
    return min(size, row.policy["limit"] or size)


def _limit_table(points: Sequence[Point], embeddings: Iterable[str], measure: str) -> Table:
    body = tuple(
        (shown(p.embedding), f"{p.words:,}", number(p.value), interval(p.low, p.high))
        for name in embeddings
        for p in points
        if p.embedding == name
    )
    head = ("embedding", "words", measure, "95 % interval")
    return Table(head, body, "The numbers of the figure", folded=True, numeric=(1, 2))

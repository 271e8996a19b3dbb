"""Policy sensitivity: how much scores change with the vocabulary policy."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from lexiscope.core.display import shown
from lexiscope.core.policy import Policy
from lexiscope.core.result import WHOLE, Result
from lexiscope.evaluation.analysis.policy_sensitivity import Range
from lexiscope.evaluation.results import Results
from lexiscope.report.charts import Mark, Point, lines, ranges
from lexiscope.report.layout import Figure, Section, Table
from lexiscope.report.numbers import count, interval, score
from lexiscope.report.policy_changes import (
    difference_of,
    policy_change_summary,
    policy_changes,
)
from lexiscope.report.sentences import evaluation_name

_OF_ALL = "accuracy_all_items"  # falls where a limit removes words; accuracy may rise


def policy_sensitivity(results: Results) -> Section | None:
    """Ranges over policies, changes of the best embedding, analogies over the vocabulary limit."""
    if len(results.policies) < 2:
        return None
    figures = (*_range_figures(results), *_limit_figures(results))
    changes, flags = policy_changes(results), tuple(policy_change_summary(results))
    text = _text(results, changes)
    return Section(
        "Vocabulary policies", text, figures, flags=flags, folded=True,
        abstract=_abstract(results, changes),
    )  # fmt: skip


def _abstract(results: Results, changes: Sequence[str]) -> str:
    """One line: whether the best embedding depends on the policy."""
    if not changes:
        return "the same embedding scores highest under every policy"
    if any(change.significant for change in results.best_changes):
        return "the best embedding depends on the policy"
    return "no significant change of the best embedding"


def _text(results: Results, changes: Sequence[str]) -> tuple[str, ...]:
    others = len(results.policies) - 1
    evaluated = "1 other policy was" if others == 1 else f"{others} other policies were"
    scores = (
        f"The scores of this run use one vocabulary policy: {results.policy}. {evaluated} "
        "evaluated. Points are the scores of this run; lines extend from the lowest to the highest "
        "score over all policies. Each score is on the items that the embedding covers under the "
        "policy."
    )
    if changes:
        return (scores, "The highest score changes with the policy:", *changes)
    return (scores, "The same embedding scores highest under every policy.")


def _range_figures(results: Results) -> list[Figure]:
    found, figures = results.policy_ranges, []
    for task in dict.fromkeys(item.task for item in found):
        here = [item for item in found if item.task == task]
        spec = ranges([_mark(item, results) for item in here], results.embeddings, _metric(here))
        figures.append(Figure(f"{shown(task)} over policies", spec, _range_table(results, here)))
    return figures


def _metric(found: Sequence[Range]) -> str:
    return found[0].lowest.metric


def _mark(found: Range, results: Results) -> Mark:
    return Mark(
        shown(found.dataset),
        shown(found.embedding),
        found.value,
        found.lowest.value,
        found.highest.value,
        f"lowest: {_policy(found.lowest, results)}; highest: {_policy(found.highest, results)}",
    )


def _policy(result: Result, results: Results) -> str:
    return difference_of(Policy(**result.policy), results.policy)


def _range_table(results: Results, found: Sequence[Range]) -> Table:
    datasets = dict.fromkeys(item.dataset for item in found)
    body = tuple(
        (
            shown(item.dataset),
            shown(item.embedding),
            score(item.value),
            score(item.lowest.value),
            _policy(item.lowest, results),
            score(item.highest.value),
            _policy(item.highest, results),
        )
        for dataset in datasets
        for item in found
        if item.dataset == dataset
    )
    head = ("dataset", "embedding", _metric(found), "lowest", "policy", "highest", "policy")
    return Table(head, body, "Data of the figure", folded=True, numeric=(2, 3, 5))


def _limit_figures(results: Results) -> list[Figure]:
    rows = [r for r in (*results.results, *results.other_policies) if r.slice == WHOLE]
    limited = [r for r in rows if _differs_in_limit(r, results.policy)]
    figures: list[Figure] = []
    for evaluation in dict.fromkeys((r.variant, r.dataset) for r in rows if r.metric == _OF_ALL):
        here = [r for r in limited if (r.variant, r.dataset) == evaluation]
        if len({Policy(**r.policy) for r in here}) > 1:
            figures += _over_limits(results, here)
    return figures


def _differs_in_limit(row: Result, policy: Policy) -> bool:
    return replace(Policy(**row.policy), limit=policy.limit) == policy


def _over_limits(results: Results, rows: Sequence[Result]) -> list[Figure]:
    """One figure for each metric, on the same scale."""
    sizes = {about["name"]: about["words"] for about in results.manifest["embeddings"]}
    found = {(r.metric, r.embedding, _words(r, sizes)): r for r in rows if r.value is not None}
    highest = max((r.high or r.value or 0.0 for r in found.values()), default=1.0)
    title = evaluation_name(rows[0].variant, rows[0].dataset)
    figures = []
    for metric in dict.fromkeys(r.metric for r in found.values()):
        points = [
            Point(name, words, r.value or 0.0, r.low, r.high)
            for (its, name, words), r in sorted(found.items(), key=lambda pair: pair[0][2])
            if its == metric
        ]
        spec = lines(points, results.embeddings, metric, highest)
        name = f"{title}: {metric} over the vocabulary limit"
        figures.append(Figure(name, spec, _limit_table(points, results.embeddings, metric)))
    return figures


def _words(row: Result, sizes: dict[str, int]) -> int:
    """The vocabulary size of the embedding under the row's limit."""
    size = sizes[row.embedding]
    return min(size, row.policy["limit"] or size)


def _limit_table(points: Sequence[Point], embeddings: Iterable[str], metric: str) -> Table:
    body = tuple(
        (shown(p.embedding), count(p.x), score(p.value), interval(p.low, p.high))
        for name in embeddings
        for p in points
        if p.embedding == name
    )
    head = ("embedding", "words", metric, "95 % interval")
    return Table(head, body, "Data of the figure", folded=True, numeric=(1, 2))

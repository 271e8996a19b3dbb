"""Compare models of which several training runs are given.

The variance between runs enters the tests, so a significant difference is one between the models,
and not only between these runs.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, product

from lexiscope.core.errors import Undefined
from lexiscope.core.result import Comparison
from lexiscope.evaluation.comparison import EvaluationPredictions, comparison_of, predictions_of
from lexiscope.evaluation.findings.common_items import CommonItems, StoredCell, common_items
from lexiscope.stats.paired import Difference, difference_of_models


def model_comparisons(common: CommonItems, models: Mapping[str, str]) -> Iterator[Comparison]:
    """Every two models with more than one run among them, in one evaluation; not corrected."""
    runs: dict[str, list[StoredCell]] = {}
    for each in common.cells:
        of_model = runs.setdefault(models[each.predictions.embedding], [])
        if all(each.cell["embedding"] != other.cell["embedding"] for other in of_model):
            of_model.append(each)  # equal content is no further run
    for first, second in combinations(runs, 2):
        if len(runs[first]) > 1 or len(runs[second]) > 1:
            yield _compare_models(common, (first, runs[first]), (second, runs[second]))


def _compare_models(
    common: CommonItems, first: tuple[str, list[StoredCell]], second: tuple[str, list[StoredCell]]
) -> Comparison:
    evaluation = common.evaluation.predictions
    cells = [*first[1], *second[1]]
    items = common_items([each.predictions for each in cells])

    def test() -> Difference:
        _check_comparable(evaluation, first[1], second[1])
        if not len(items):
            raise Undefined("no item is covered by all runs of both models")
        ours, theirs = (
            [predictions_of(evaluation, items, common.on(run, items).predicted) for run in runs]
            for runs in (first[1], second[1])
        )
        return difference_of_models(evaluation.metric, ours, theirs)

    return comparison_of(evaluation, first[0], second[0], len(items), test)


def _check_comparable(
    evaluation: EvaluationPredictions, first: Sequence[StoredCell], second: Sequence[StoredCell]
) -> None:
    """Raise the reason why two runs are not compared, if there is one."""
    for one, other in product(first, second):
        pair = frozenset((one.predictions.embedding, other.predictions.embedding))
        if reason := evaluation.incomparable.get(pair):
            raise Undefined(reason)

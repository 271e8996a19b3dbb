"""Power of a study by simulation: how many judges and query words detect a difference.

One embedding is better than all others, so that the expected difference of its score from theirs is
the given one. Judges get items by the assignment of real studies, answer as simulated judges do
(`human/simulation.py`), and their judgments are tested as those of people, with Holm's correction
over all pairs of embeddings.
"""

from collections.abc import Sequence

import numpy as np

from lexiscope.core.decision import DecisionRule
from lexiscope.core.errors import BadUsage, UnknownName
from lexiscope.core.progress import Progress, silent
from lexiscope.core.seeding import generator
from lexiscope.core.study import Study
from lexiscope.human.power.calibration import calibrated_quality
from lexiscope.human.power.designs import Design
from lexiscope.human.power.settings import PowerResults, PowerSettings
from lexiscope.human.scoring.comparisons import comparisons
from lexiscope.human.scoring.results import PairOutcome

_MAX_JUDGMENTS = 300_000  # of one simulated study
_PERMUTATIONS = 1999  # fewer than in results; p-values after Holm's correction are still exact


def power(study: Study, settings: PowerSettings, progress: Progress = silent) -> PowerResults:
    """Estimate the power of studies like this one.

    Parameters
    ----------
    study : Study
        The items, or those of one query word. A design with fewer query words has the first ones
        of a random order; one with more repeats them under other names.
    settings : PowerSettings
        The difference to detect, designs, and assumptions.
    progress : Progress
        Reports how many studies are simulated.
    """
    _check(study, settings)
    better = _better(study, settings.better)
    quality = calibrated_quality(study, settings, better)
    designs = [
        Design(study, queries, judges, settings)
        for queries in sorted(set(settings.queries))
        for judges in sorted(set(settings.judges_per_item))
    ]
    counts, names = [_Count() for _ in designs], list(study.embeddings)
    done, total = 0, settings.replicates * len(designs)
    for replicate in range(settings.replicates):  # one round takes as long as the next
        for design, count in zip(designs, counts, strict=True):
            rng = generator(settings.seed, "power", design.name, str(replicate))
            ratings = design.ratings(quality, better, rng)
            count.add(comparisons(ratings, DecisionRule(), rng, _PERMUTATIONS), names[better])
            done += 1
            progress("simulated studies", done, total)
    cells = tuple(
        design.cell(count.detected, count.differences, study, settings)
        for design, count in zip(designs, counts, strict=True)
    )
    enough = [cell for cell in cells if (cell.power.value or 0.0) >= settings.target]
    smallest = min(enough, key=lambda cell: (cell.judgments, cell.judges), default=None)
    return PowerResults(
        study.kind, len(study.embeddings), settings, quality, cells, smallest,
        study.settings.currency,
    )  # fmt: skip


def _check(study: Study, settings: PowerSettings) -> None:
    if not study.scored or len(study.embeddings) < 2:
        raise BadUsage("Power needs a study that compares two or more embeddings.")
    if settings.replicates < 1 or min(settings.judges_per_item) < 1:
        raise BadUsage("Power needs 1 or more replicates and judges per item.")
    if not 0 < settings.difference < 1:
        raise BadUsage(f"--difference must be between 0 and 1, found {settings.difference:g}.")
    if min(settings.queries) < 6:
        raise BadUsage("Fewer than 6 query words cannot give a p-value below 5 %.")
    per_query = len(study.scored) / len({item.query for item in study.scored})
    most = per_query * max(settings.queries) * max(settings.judges_per_item)
    if most > _MAX_JUDGMENTS:
        raise BadUsage(
            f"The largest design has {most:,.0f} judgments, more than {_MAX_JUDGMENTS:,}. Give "
            "fewer --queries or --judges-per-item."
        )


def _better(study: Study, name: str) -> int:
    names = list(study.embeddings)
    if name and name not in names:
        raise UnknownName("embedding", name, names)
    return names.index(name) if name else 0


class _Count:
    """What the tests found in each replicate."""

    def __init__(self) -> None:
        self.detected: list[float] = []  # proportion of the pairs with the better embedding
        self.differences: list[float] = []

    def add(self, found: Sequence[PairOutcome], better: str) -> None:
        """Count the pairs in which the better embedding is significantly better."""
        pairs = [each for each in found if better in (each.first, each.second)]
        signs = [1 if each.first == better else -1 for each in pairs]
        values = [
            sign * (each.difference.value or 0.0) for each, sign in zip(pairs, signs, strict=True)
        ]
        hits = [
            each.outcome == "different" and value > 0
            for each, value in zip(pairs, values, strict=True)
        ]
        self.detected.append(float(np.mean(hits)))
        self.differences.append(float(np.mean(values)))

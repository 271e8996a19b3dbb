"""A design: items, and their assignment to judges who answer again in each replicate."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
from numpy.random import Generator

from lexiscope.core.contracts.metric import Floats
from lexiscope.core.estimate import Estimate
from lexiscope.core.study import OPT_OUT, Judgment, Study
from lexiscope.human.assignment import choose_items
from lexiscope.human.power.arrays import Arrays
from lexiscope.human.power.settings import PowerCell, PowerSettings
from lexiscope.human.power.synthetic import resized
from lexiscope.human.scoring.ratings import Mask, Ratings, ratings_of
from lexiscope.stats.between_terms import proportion_interval


class Design:
    """Items and their assignment to judges, which is the same in all replicates."""

    def __init__(self, study: Study, queries: int, judges: int, settings: PowerSettings) -> None:
        self.queries, self.judges_per_item = queries, judges
        self.name = f"{queries} x {judges}"
        self.how = settings.behaviour
        changed = replace(study.settings, judges_per_item=judges, controls_per_judge=0)
        self.study = replace(resized(study, queries, settings.seed), settings=changed)
        self.arrays = Arrays(self.study.scored, list(study.embeddings))
        given = [Judgment(judge, item, OPT_OUT, ()) for judge, item in _assigned(self.study)]
        self.template: Ratings = ratings_of(self.study, given, "include")
        self.judges = int(self.template.judge.max()) + 1

    def ratings(self, quality: float, better: int, rng: Generator) -> Ratings:
        """Let simulated judges answer."""
        arrays, how, rows = self.arrays, self.how, self.template.item
        shape = len(self.study.scored), arrays.options
        effects = rng.normal(0, how.item_effect, shape)[rows]
        taste = rng.normal(0, how.judge_effect, (self.judges, arrays.offered.shape[2]))
        taste[:, better] += quality
        mine = taste[self.template.judge]
        lapse = rng.random(len(rows)) < how.lapse
        credit: Mask
        if arrays.kind == "comparison":
            credit = self._comparisons(arrays.utilities(rows, mine, effects), lapse, rng)
        else:
            found = rng.random(len(rows)) < 1 / (1 + np.exp(-arrays.logits(rows, mine, effects)))
            by_chance = rng.random(len(rows)) < 1 / arrays.sizes[rows]
            credit = np.tile(np.where(lapse, by_chance, found)[:, None], mine.shape[1])
        known = np.where(arrays.judged[rows], credit.astype(np.float64), np.nan)
        answered = lapse | (rng.random(len(rows)) >= how.opt_out)
        return replace(self.template, credit=known).take(answered)

    def _comparisons(self, utility: Floats, lapse: Mask, rng: Generator) -> Mask:
        """Choose options with a probability proportional to exp(utility) (Gumbel's maximum)."""
        equal = np.where(np.isfinite(utility), 0.0, -np.inf)
        noise = rng.gumbel(size=utility.shape)
        chosen = np.argmax(np.where(lapse[:, None], equal, utility) + noise, axis=1)
        return np.asarray(self.arrays.offered[self.template.item, chosen])

    def cell(
        self,
        detected: Sequence[float],
        differences: Sequence[float],
        study: Study,
        settings: PowerSettings,
    ) -> PowerCell:
        """The power of this design, and what it costs."""
        judgments = len(self.template)
        controls = self.judges * min(study.settings.controls_per_judge, len(study.controls))
        hours = (judgments + controls) * settings.seconds_per_item / 3600
        value = float(np.mean(detected))
        pay = study.settings.pay_per_judge * self.judges
        return PowerCell(
            self.queries, self.judges_per_item, len(self.study.scored), self.judges, judgments,
            hours, settings.wage * hours or pay or None,
            Estimate(value, *proportion_interval(value, len(detected))),
            float(np.mean(differences)),
        )  # fmt: skip


def _assigned(study: Study) -> Iterator[tuple[str, str]]:
    """The judge and the item of each judgment, by the assignment of real studies."""
    loads: dict[str, int] = {}
    judge = 0
    while chosen := choose_items(study, loads, f"simulated{judge}"):
        for key in chosen:
            loads[key] = loads.get(key, 0) + 1
            yield f"simulated{judge}", key
        judge += 1

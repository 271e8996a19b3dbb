"""The quality of an embedding that gives a stated difference of scores."""

import numpy as np

from lexiscope.core.contracts.metric import Floats
from lexiscope.core.errors import BadUsage
from lexiscope.core.seeding import generator
from lexiscope.core.study import Study
from lexiscope.human.power.arrays import Arrays
from lexiscope.human.power.settings import PowerSettings
from lexiscope.human.scoring.ratings import Codes
from lexiscope.human.simulation import Behaviour

_DRAWS = 20_000  # judgments that quality is calibrated on
_LARGEST_QUALITY = 30.0


def calibrated_quality(study: Study, settings: PowerSettings, better: int = 0) -> float:
    """Return the quality, on a logit scale, that gives the expected difference of scores.

    The expectation is over random items and judges; it is found by bisection on fixed draws.
    """
    arrays = Arrays(study.scored, list(study.embeddings))
    rng = generator(settings.seed, "power", "calibration")
    rows = rng.integers(len(study.scored), size=_DRAWS)
    normal = rng.normal(size=(_DRAWS, arrays.options + len(study.embeddings)))
    low, high = 0.0, _LARGEST_QUALITY
    reachable = _expected(arrays, rows, normal, high, better, settings.behaviour)
    if reachable <= settings.difference:
        raise BadUsage(
            f"No quality gives a difference of {settings.difference:g}: with these lapses and "
            f"shared neighbours it is {reachable:.2f} at most."
        )
    for _ in range(40):
        middle = (low + high) / 2
        found = _expected(arrays, rows, normal, middle, better, settings.behaviour)
        low, high = (middle, high) if found < settings.difference else (low, middle)
    return (low + high) / 2


def _expected(
    arrays: Arrays, rows: Codes, normal: Floats, quality: float, better: int, how: Behaviour
) -> float:
    """The expected difference of the better embedding's score from the mean of the others."""
    effects = how.item_effect * normal[:, : arrays.options]
    taste = how.judge_effect * normal[:, arrays.options :]
    taste[:, better] += quality
    chosen = (1 - how.lapse) * (1 - how.opt_out)
    lapsed = how.lapse / arrays.sizes[rows]
    if arrays.kind == "comparison":
        utility = arrays.utilities(rows, taste, effects)
        weight = np.exp(utility - utility.max(axis=1, keepdims=True))
        probability = chosen * weight / weight.sum(axis=1, keepdims=True)
        probability += np.isfinite(utility) * lapsed[:, None]
        credit = np.einsum("no,noe->ne", probability, arrays.offered[rows])
    else:
        found = chosen / (1 + np.exp(-arrays.logits(rows, taste, effects))) + lapsed
        credit = np.where(arrays.judged[rows], found[:, None], 0.0)
    means = credit.sum(axis=0) / arrays.judged[rows].sum(axis=0) / (chosen + how.lapse)
    return float(means[better] - np.delete(means, better).mean())

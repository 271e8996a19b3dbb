"""Simulated judges of known preferences, to rehearse a study and to test its analysis.

A judge chooses an option with a probability proportional to exp(utility): the quality of the best
embedding that offers it, plus an effect of the option that all judges share and one of their own.
An intruder is found with a probability that depends on the embedding, the item and the judge.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.random import Generator

from lexiscope.core.errors import BadUsage, UnknownName
from lexiscope.core.estimate import plain
from lexiscope.core.study import OPT_OUT, Item, Judge, Judgment, Study
from lexiscope.human.assignment import choose_items, option_order

_FIRST = 1.6e9  # a time in the past; simulated judges start a minute apart


@dataclass(frozen=True)
class Behaviour:
    """How simulated judges behave.

    Parameters
    ----------
    item_effect : float
        Standard deviation of the effect of an option (or of an intrusion item) on all judges.
    judge_effect : float
        Standard deviation of a judge's own preference for an embedding.
    lapse : float
        Probability to choose at random.
    opt_out : float
        Probability of "I don't know".
    """

    item_effect: float = 0.7
    judge_effect: float = 0.2
    lapse: float = 0.05
    opt_out: float = 0.03

    def to_dict(self) -> dict[str, Any]:
        """Return plain data."""
        return plain(self)


DEFAULT_BEHAVIOUR = Behaviour()


def simulate(
    study: Study,
    rng: Generator,
    judges: int | None = None,
    quality: Mapping[str, float] | None = None,
    behaviour: Behaviour = DEFAULT_BEHAVIOUR,
) -> tuple[tuple[Judge, ...], tuple[Judgment, ...]]:
    """Let simulated judges answer a study, with the assignment of real ones.

    Parameters
    ----------
    study : Study
        The study.
    rng : Generator
        Source of effects and choices.
    judges : int, optional
        The number of judges; by default as many as are needed.
    quality : mapping of str to float, optional
        The quality of each embedding on a logit scale; 0 where it is not given.
    behaviour : Behaviour
        Random effects, lapses and opt-outs.
    """
    given = dict(quality or {})
    for name in given:
        if name not in study.embeddings:
            raise UnknownName("embedding", name, study.embeddings)
    if judges is not None and judges < 1:
        raise BadUsage(f"The number of judges must be 1 or more, found {judges}.")
    world = _World(study, given, behaviour, rng)
    return world.run(judges)


class _World:
    """Effects of items and judges, and how often each item was answered."""

    def __init__(
        self, study: Study, quality: Mapping[str, float], behaviour: Behaviour, rng: Generator
    ) -> None:
        self.study, self.behaviour, self.rng = study, behaviour, rng
        self.names = list(study.embeddings)
        self.quality = np.array([quality.get(name, 0.0) for name in self.names])
        self.items = {item.id: item for item in study.items}
        self.effects = {
            item.id: rng.normal(0, behaviour.item_effect, len(item.options)) for item in study.items
        }
        self.loads: dict[str, int] = {}

    def run(self, number: int | None) -> tuple[tuple[Judge, ...], tuple[Judgment, ...]]:
        judges: list[Judge] = []
        answers: list[Judgment] = []
        while number is None or len(judges) < number:
            start = _FIRST + 60.0 * len(judges)
            name = f"simulated{len(judges) + 1:04d}"
            chosen = choose_items(self.study, self.loads, name)
            if not chosen:
                break
            given = self._answers(name, chosen, start)
            answers += given
            judges.append(Judge(name, "simulation", start, given[-1].answered))
        return tuple(judges), tuple(answers)

    def _answers(self, judge: str, chosen: Sequence[str], start: float) -> list[Judgment]:
        taste = self.quality + self.rng.normal(0, self.behaviour.judge_effect, len(self.names))
        found, now = [], start
        for key in chosen:
            item = self.items[key]
            self.loads[key] = self.loads.get(key, 0) + 1
            seconds = float(self.rng.lognormal(1.6, 0.5))
            now += seconds
            order = option_order(self.study, judge, item)
            choice = self._choice(item, taste)
            found.append(Judgment(judge, key, choice, order, seconds, now))
        return found

    def _choice(self, item: Item, taste: np.ndarray) -> int:
        options = len(item.options)
        if self.rng.random() < self.behaviour.lapse:
            return int(self.rng.integers(options))
        if item.control:
            return int(item.answer or 0)
        if self.rng.random() < self.behaviour.opt_out:
            return OPT_OUT
        if item.kind == "intrusion":
            return self._intruder(item, taste)
        best = [max(taste[self.names.index(name)] for name in names) for names in item.sources]
        utility = np.array(best) + self.effects[item.id]
        weights = np.exp(utility - utility.max())
        return int(self.rng.choice(options, p=weights / weights.sum()))

    def _intruder(self, item: Item, taste: np.ndarray) -> int:
        logit = taste[self.names.index(item.embeddings[0])] + self.effects[item.id][0]
        answer = int(item.answer or 0)
        if self.rng.random() < 1 / (1 + np.exp(-logit)):
            return answer
        others = [k for k in range(len(item.options)) if k != answer]
        return int(self.rng.choice(others))

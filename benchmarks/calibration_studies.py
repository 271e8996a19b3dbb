"""Calibration of human studies: simulated judges whose preferences are known.

Each study draws 100 query words and three ranks, at which pairs of similar embeddings often have
the same neighbour, and simulated judges with effects of items and of judges. Reported are, for
embeddings of equal quality, how often the tests reject (target: at most 5 %) and whether p-values
are uniform (Kolmogorov-Smirnov over one pair of each study), and how often 95 % intervals cover the
truth (target: 93 to 97 %). For embeddings of different quality: how often their order is found.
The truth is the mean over a large simulation, because shared neighbours and random choices change
win ratios.

    python benchmarks/calibration_studies.py --studies 200
"""

import argparse
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.random import Generator, default_rng
from scipy.stats import kstest

from lexiscope.core.decision import DecisionRule
from lexiscope.core.estimate import Estimate
from lexiscope.core.study import Item, Kind, Study, StudySettings
from lexiscope.human.scoring.comparisons import comparisons
from lexiscope.human.scoring.luce import abilities, ability_estimates
from lexiscope.human.scoring.ratings import Ratings, ratings_of
from lexiscope.human.scoring.scores import item_ratios, scores
from lexiscope.human.simulation import Behaviour, simulate

NAMES = tuple("ABCDEF")
# The probability that an embedding offers the word that it shares with a similar one. Every
# embedding has one similar one, so that equal quality means equal win ratios.
SHARED = {1: 0.5, 5: 0.25, 50: 0.05}
LEVEL = 0.05
PERMUTATIONS = 1999
STEP = 0.5  # between embeddings of different quality, on the logit scale
_LARGE = 2000  # query words of a study that gives the truth
_LARGE_STUDIES = 8  # of equal embeddings; more if they differ


@dataclass(frozen=True)
class Scenario:
    """A design: `in_all` judges rate all items; without it, each item has 7 judges of a crowd."""

    kind: Kind = "comparison"
    queries: int = 100
    in_all: int | None = None
    items_per_judge: int = 40
    judge_effect: float = 0.2
    quality: Mapping[str, float] = field(default_factory=dict)

    @property
    def behaviour(self) -> Behaviour:
        """The random effects of the simulated judges."""
        return Behaviour(judge_effect=self.judge_effect)


DIFFERENT = {name: STEP * k for k, name in enumerate(reversed(NAMES))}
SCENARIOS = {
    "300 items x 7 judges, 53 in all": Scenario(),
    "the same, judges differ more": Scenario(judge_effect=0.5),
    "3 judges in all": Scenario(in_all=3),
    "3 judges in all, judges differ more": Scenario(in_all=3, judge_effect=0.5),
    "7 judges in all": Scenario(in_all=7),
    "20 judges in all": Scenario(in_all=20),
    "20 query words x 7 judges, 21 in all": Scenario(queries=20, items_per_judge=20),
    "20 query words, 3 judges in all": Scenario(queries=20, in_all=3),
    "intrusion, 600 items x 7 judges, 105 in all": Scenario("intrusion"),
    "intrusion, 3 judges in all": Scenario("intrusion", in_all=3),
    "intrusion, 20 query words, 7 judges in all": Scenario("intrusion", 20, in_all=7),
    "different quality, 300 items x 7 judges": Scenario(quality=DIFFERENT),
}  # fmt: skip


def make_study(scenario: Scenario, rng: Generator, **settings: int) -> Study:
    """Make a study with new items."""
    make = _comparisons if scenario.kind == "comparison" else _intrusions
    items = tuple(make(scenario.queries, rng))
    chosen = {"judges_per_item": 7, "items_per_judge": scenario.items_per_judge}
    if scenario.in_all:
        chosen = {"judges_per_item": scenario.in_all, "items_per_judge": len(items)}
    given = StudySettings(
        seed=int(rng.integers(1 << 31)), controls_per_judge=0,
        repeat_queries=bool(scenario.in_all), **{**chosen, **settings},
    )  # fmt: skip
    return Study(scenario.kind, given, dict.fromkeys(NAMES, ""), items)


def _comparisons(queries: int, rng: Generator) -> Iterable[Item]:
    for query in range(queries):
        for rank, probability in SHARED.items():
            sources: dict[str, list[str]] = {}
            for k, name in enumerate(NAMES):
                shared = rng.random() < probability
                sources.setdefault(f"pair{k // 2}" if shared else f"own{k}", []).append(name)
            credited = tuple(map(tuple, sources.values()))
            yield Item(f"{query}-{rank}", "comparison", f"query{query}", tuple(sources), credited,
                       rank=rank)  # fmt: skip


def _intrusions(queries: int, rng: Generator) -> Iterable[Item]:
    for query in range(queries):
        for name in NAMES:
            yield Item(f"{query}-{name}", "intrusion", f"query{query}", ("q", "a", "b", "x"),
                       ((), (name,), (name,), (name,)), answer=3)  # fmt: skip


class Truth(NamedTuple):
    """Expected scores and abilities (embeddings,)."""

    scores: np.ndarray
    abilities: np.ndarray


def truth(scenario: Scenario, rng: Generator) -> Truth:
    """The means over large studies, in which every judge answers few items."""
    number = _LARGE_STUDIES * (3 if scenario.quality else 1)
    found = [_large(scenario, rng) for _ in range(number)]
    means = Truth(*(np.mean(each, axis=0) for each in zip(*found, strict=True)))
    if scenario.quality:
        return means
    return Truth(*(np.full(len(NAMES), each.mean()) for each in means))  # all are equal


def _large(scenario: Scenario, rng: Generator) -> Truth:
    queries = _LARGE // (1 if scenario.kind == "comparison" else 2)
    large = Scenario(scenario.kind, queries, None, 50, scenario.judge_effect, scenario.quality)
    ratings = simulated(large, rng, judges_per_item=1)
    means = np.nanmean(item_ratios(ratings), axis=0)
    able = abilities(ratings) if scenario.kind == "comparison" else np.zeros(len(NAMES))
    return Truth(means, able)


def simulated(scenario: Scenario, rng: Generator, **settings: int) -> Ratings:
    """The ratings of a new study."""
    study = make_study(scenario, rng, **settings)
    given = simulate(study, rng, scenario.in_all, scenario.quality, scenario.behaviour)[1]
    return ratings_of(study, given, "exclude")


class Found(NamedTuple):
    """One study: p-values (pairs,), and which intervals cover the truth."""

    p: np.ndarray
    holm: np.ndarray
    scores: np.ndarray
    pooled: np.ndarray
    differences: np.ndarray
    abilities: np.ndarray
    ordered: bool


def analysed(scenario: Scenario, expected: Truth, rng: Generator) -> Found:
    """Simulate and analyse one study."""
    ratings = simulated(scenario, rng)
    found = scores(ratings, shares=False)
    pairs = comparisons(ratings, DecisionRule(), rng, PERMUTATIONS)
    able = ability_estimates(ratings) if scenario.kind == "comparison" else ()
    true = dict(zip(NAMES, expected.scores.tolist(), strict=True))
    values = [each.score.value or 0.0 for each in found]
    return Found(
        np.array([each.p for each in pairs], float),
        np.array([each.p_holm for each in pairs], float),
        _covered([each.score for each in found], expected.scores),
        _covered([each.pooled for each in found], expected.scores),
        _covered(
            [each.difference for each in pairs], [true[e.first] - true[e.second] for e in pairs]
        ),
        _covered(able, expected.abilities[: len(able)]),
        values == sorted(values, reverse=True),
    )


def _covered(found: Iterable[Estimate], expected: Iterable[float]) -> np.ndarray:
    return np.array([
        each.low is not None and each.high is not None and each.low <= value <= each.high
        for each, value in zip(found, expected, strict=True)
    ])  # fmt: skip


def report(name: str, scenario: Scenario, studies: list[Found], rng: Generator) -> str:
    """A row of the table."""
    if scenario.quality:
        tests = ["–"] * 3
    else:
        p = np.array([each.p for each in studies])
        one = p[np.arange(len(p)), rng.integers(p.shape[1], size=len(p))]
        family = np.mean([each.holm.min() < LEVEL for each in studies])
        tests = [percent(np.mean(p < LEVEL)), f"{kstest(one, 'uniform').pvalue:.2f}",
                 percent(family)]  # fmt: skip
    columns: list[Callable[[Found], np.ndarray]] = [
        lambda each: each.scores, lambda each: each.pooled, lambda each: each.differences,
        lambda each: each.abilities,
    ]  # fmt: skip
    covered = [np.array([column(each) for each in studies]) for column in columns]
    cells = [percent(each.mean()) if each.size else "–" for each in covered]
    order = percent(np.mean([each.ordered for each in studies])) if scenario.quality else "–"
    return f"| {' | '.join([name, *tests, *cells, order])} |"


def percent(value: float) -> str:
    """A proportion in percent."""
    return f"{100 * value:.1f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--studies", type=int, default=200)
    parser.add_argument("--only", default="", help="scenarios whose name contains this")
    chosen = parser.parse_args()
    print("| scenario | rejected, % | p, KS test | any after Holm, % | score covered, % | "
          "pooled, % | difference, % | ability, % | order found, % |")  # fmt: skip
    print("|---|---:|---:|---:|---:|---:|---:|---:|---:|")
    known: dict[tuple[str, float, bool], Truth] = {}
    for number, (name, scenario) in enumerate(SCENARIOS.items()):
        if chosen.only not in name:
            continue
        key = scenario.kind, scenario.judge_effect, bool(scenario.quality)
        if key not in known:
            known[key] = truth(scenario, default_rng(1000 + number))
        rngs = [default_rng([number, seed]) for seed in range(chosen.studies)]
        studies = [analysed(scenario, known[key], rng) for rng in rngs]
        print(report(name, scenario, studies, default_rng(number)), flush=True)


if __name__ == "__main__":
    main()

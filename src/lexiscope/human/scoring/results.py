"""Results of a human study: scores with intervals, tests, agreement and quality of judges."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from lexiscope.core.decision import DecisionRule
from lexiscope.core.errors import BadData, Undefined
from lexiscope.core.estimate import Estimate, plain
from lexiscope.core.notebook import HasCard
from lexiscope.core.result import Outcome
from lexiscope.core.seeding import generator
from lexiscope.core.study import OPT_OUT, Item, Judge, Judgment, Kind, Study
from lexiscope.human.proxies import ProxyScore
from lexiscope.human.scoring.agreement import (
    krippendorff_alpha,
    mean_entropy,
    pairwise_agreement,
)
from lexiscope.human.scoring.quality import (
    JudgeQuality,
    PositionBias,
    judge_quality,
    position_bias,
)
from lexiscope.human.scoring.ratings import OptOuts, check_judgments, ratings_of

RANK_CAUTION = (
    "Scores at different ranks are relative to the other embeddings at the same rank: they allow "
    "no statement on how good neighbours at one rank are compared with those at another."
)
DEFAULT_RULE = DecisionRule()
_RESAMPLES = 500
_MIN_DEFINED = 0.95  # proportion of resamples that have an alpha


class _Plain:
    """A value that becomes plain data."""

    def to_dict(self) -> dict[str, Any]:
        """Return plain data."""
        return plain(self)


@dataclass(frozen=True)
class Score(_Plain):
    """The score of an embedding: a win ratio, or the precision of judges who look for intruders.

    `score` is the mean over items and `pooled` the proportion of all ratings, which is the
    micro-average of Schnabel et al., section 4. `normalised` is the share of a comparison's score
    in the sum over embeddings, for figures only.
    """

    embedding: str
    items: int
    ratings: int
    score: Estimate
    pooled: Estimate
    normalised: Estimate


@dataclass(frozen=True)
class Slice(_Plain):
    """The scores on items with one value of an attribute, or at one rank."""

    by: str
    name: str
    items: int
    queries: int
    scores: tuple[Score, ...]


@dataclass(frozen=True)
class PairOutcome(_Plain):
    """The difference of two embeddings; `state` says why there is no test.

    `p_permutation` is that of the permutation test over query words alone, as in Schnabel et al.:
    it holds for these judges only. `p` holds for others, too; it and `p_equivalence` lead to the
    outcome after Holm's correction.
    """

    first: str
    second: str
    queries: int
    difference: Estimate
    p_permutation: float | None = None
    p: float | None = None
    p_holm: float | None = None
    p_equivalence: float | None = None
    margin: float = 0.05
    outcome: Outcome = "undecided"
    state: str = ""


@dataclass(frozen=True)
class Agreement(_Plain):
    """Agreement over items with two or more judges; `chance` is one over the options."""

    items: int
    alpha: Estimate
    pairwise: float | None
    entropy: float | None
    chance: float | None


@dataclass(frozen=True)
class ItemScore(_Plain):
    """The score of an embedding on one item."""

    item: str
    query: str
    rank: int | None
    embedding: str
    ratings: int
    score: float


@dataclass(frozen=True)
class StudyResults(HasCard):
    """Everything that a study shows; `unflagged` is the same without flagged judges.

    `chance` is the precision of a judge who chooses at random; None for comparisons. `proxies` are
    machines that solved the same intrusion items, if any were given.
    """

    kind: Kind
    embeddings: tuple[str, ...]
    judges: int
    judgments: int
    opt_outs: int
    opt_out: OptOuts
    chance: float | None
    queries: int
    scores: tuple[Score, ...]
    slices: tuple[Slice, ...]
    comparisons: tuple[PairOutcome, ...]
    abilities: tuple[Estimate, ...]
    agreement: Agreement
    quality: tuple[JudgeQuality, ...]
    positions: tuple[PositionBias, ...]
    median_seconds: float | None
    items: tuple[ItemScore, ...] = ()
    cautions: tuple[str, ...] = ()
    manifest: Mapping[str, Any] = field(default_factory=dict)
    unflagged: "StudyResults | None" = None
    proxies: tuple[ProxyScore, ...] = ()

    @property
    def flagged(self) -> tuple[str, ...]:
        """The ids of flagged judges."""
        return tuple(each.judge for each in self.quality if each.flags)

    def to_dict(self) -> dict[str, Any]:
        """Return plain data."""
        found = plain(replace(self, unflagged=None))
        found["proxies"] = [each._asdict() for each in self.proxies]
        found["manifest"] = dict(self.manifest)
        found["flagged"] = list(self.flagged)
        found["unflagged"] = self.unflagged.to_dict() if self.unflagged else None
        return found


def score_study(
    study: Study,
    judgments: Sequence[Judgment],
    judges: Sequence[Judge] = (),
    *,
    opt_out: OptOuts = "exclude",
    seed: int = 0,
    rule: DecisionRule = DEFAULT_RULE,
) -> StudyResults:
    """Score the judgments of a study.

    Parameters
    ----------
    study : Study
        The study.
    judgments : sequence of Judgment
        All judgments, those of control items included. Their order does not matter.
    judges : sequence of Judge
        The judges, for the number of those who started.
    opt_out : {"exclude", "include"}
        Whether opt-outs count in the denominator of an item.
    seed : int
        Seed of permutations and resamples.
    rule : DecisionRule
        Level of the tests, and margin of equivalence.
    """
    check_judgments(study, judgments)
    given = sorted(judgments, key=lambda each: (each.item, each.judge))
    quality = judge_quality(study, given)
    flagged = {each.judge for each in quality if each.flags}
    found = _scored(study, given, opt_out, seed, rule, quality)
    kept = [each for each in given if each.judge not in flagged]
    unflagged = None
    if flagged and len(ratings_of(study, kept, opt_out)):
        rest = tuple(each for each in quality if not each.flags)
        unflagged = _scored(study, kept, opt_out, seed, rule, rest)
    started = max(len(judges), len(quality))
    manifest = {**found.manifest, "judges_started": started}
    return replace(found, unflagged=unflagged, manifest=manifest)


def _scored(
    study: Study,
    judgments: Sequence[Judgment],
    opt_out: OptOuts,
    seed: int,
    rule: DecisionRule,
    quality: tuple[JudgeQuality, ...],
) -> StudyResults:
    from lexiscope.human.scoring.comparisons import comparisons
    from lexiscope.human.scoring.luce import ability_estimates
    from lexiscope.human.scoring.scores import scores, slices

    ratings = ratings_of(study, judgments, opt_out)
    if not len(ratings):
        raise BadData("The study has no judgments that can be scored yet.")
    times = [each.seconds for each in judgments if each.seconds is not None]
    ranks = {item.rank for item in study.scored if item.rank is not None}
    compared = study.kind == "comparison"
    return StudyResults(
        study.kind,
        ratings.embeddings,
        len(quality),
        len(judgments),
        sum(each.choice == OPT_OUT for each in judgments),
        opt_out,
        None if compared else float(np.mean([1 / len(item.options) for item in study.scored])),
        len(np.unique(ratings.query)),
        scores(ratings, shares=compared),
        slices(ratings, shares=compared),
        comparisons(ratings, rule, generator(seed, "study", "permutations")),
        ability_estimates(ratings) if compared else (),
        _agreement(study, judgments, generator(seed, "study", "agreement")),
        quality,
        position_bias(study, judgments),
        float(np.median(times)) if times else None,
        _item_scores(ratings),
        (RANK_CAUTION,) if len(ranks) > 1 else (),
        {**study.manifest, "title": study.settings.title, "seed": seed},
    )


def _agreement(study: Study, judgments: Sequence[Judgment], rng: np.random.Generator) -> Agreement:
    items = {item.id: item for item in study.scored}
    units: dict[str, list[Hashable]] = {}
    for each in judgments:
        if each.item in items and each.choice != OPT_OUT:
            units.setdefault(each.item, []).append(answer_value(items[each.item], each.choice))
    several = {item: values for item, values in units.items() if len(values) > 1}
    if not several:
        return Agreement(0, Estimate(None, state="no item has two judges"), None, None, None)
    lists = list(several.values())
    return Agreement(
        len(lists),
        _alpha([items[item].query for item in several], lists, rng),
        pairwise_agreement(lists),
        mean_entropy(lists),
        float(np.mean([1 / len(items[item].options) for item in several])),
    )


def answer_value(item: Item, choice: int) -> Hashable:
    """Return an answer in a form that can be compared between items.

    Options are different words in every item, and their index says nothing. What recurs are the
    embeddings that offered a word; of an intrusion item, the intruder, the query and the others.
    """
    if item.kind == "comparison" and not item.control:
        return item.sources[choice]
    if choice == item.answer or item.options[choice] == item.query:
        return "correct" if choice == item.answer else "query"
    others = [k for k, word in enumerate(item.options) if k != item.answer and word != item.query]
    return others.index(choice)


def _alpha(
    queries: Sequence[str], units: Sequence[Sequence[Hashable]], rng: np.random.Generator
) -> Estimate:
    """Krippendorff's alpha with a percentile interval over query words."""
    try:
        value = krippendorff_alpha(units)
    except Undefined as reason:
        return Estimate(None, state=str(reason))
    by_query: dict[str, list[Sequence[Hashable]]] = {}
    for query, values in zip(queries, units, strict=True):
        by_query.setdefault(query, []).append(values)
    groups, found = list(by_query.values()), []
    for rows in rng.integers(len(groups), size=(_RESAMPLES, len(groups))).tolist():
        try:
            found.append(krippendorff_alpha([unit for k in rows for unit in groups[k]]))
        except Undefined:
            continue
    if len(found) < _RESAMPLES * _MIN_DEFINED:
        return Estimate(value, state="too few items for an interval")
    low, high = np.quantile(found, [0.025, 0.975])
    return Estimate(value, float(low), float(high))


def _item_scores(ratings: Any) -> tuple[ItemScore, ...]:
    from lexiscope.human.scoring.scores import item_ratios

    table = item_ratios(ratings)
    counts = np.bincount(ratings.item, minlength=len(ratings.items))
    return tuple(
        ItemScore(item.id, item.query, item.rank, name, int(counts[row]), float(table[row, column]))
        for row, item in enumerate(ratings.items)
        for column, name in enumerate(ratings.embeddings)
        if np.isfinite(table[row, column])
    )

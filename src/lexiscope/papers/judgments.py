"""Claims about what people decided in human studies, judged by study files with judgments.

Simulated judges are no people: a study with them decides no claim.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import hypot, sqrt
from pathlib import Path
from typing import Any

import numpy as np

from lexiscope.core.decision import DEFAULT_RULE
from lexiscope.core.errors import BadData, Undefined
from lexiscope.core.estimate import Estimate as Scored
from lexiscope.core.seeding import generator
from lexiscope.core.study import Judgment, Study
from lexiscope.experiments.correlation.plan import CorrelationPlan
from lexiscope.human.scoring.comparisons import comparisons
from lexiscope.human.scoring.ratings import OptOuts, ratings_of
from lexiscope.human.scoring.results import PairOutcome, Score, StudyResults, score_study
from lexiscope.papers.agreement import ScoreErrors, compare_scores
from lexiscope.papers.claims import (
    JudgmentClaim,
    JudgmentContrastClaim,
    JudgmentEqualityClaim,
    JudgmentOrderClaim,
)
from lexiscope.papers.verdicts import (
    Estimate,
    Margins,
    Verdict,
    compared,
    estimate,
    not_run,
    unknown,
)
from lexiscope.stats.intervals import NORMAL_QUANTILE
from lexiscope.store.study_file import StudyFile

NO_ORDER = "The paper reports no significant difference, so there is no order to judge."
_OPT_OUT: OptOuts = "exclude"


@dataclass(frozen=True)
class JudgedStudy:
    """A study file with judgments; `models` maps names of models to those of the study."""

    path: str
    study: Study
    judgments: tuple[Judgment, ...]
    results: StudyResults
    models: Mapping[str, str]
    simulated: bool = False

    def to_dict(self) -> dict[str, Any]:
        """Return plain data."""
        about = {"path": self.path, "simulated": self.simulated, "models": dict(self.models)}
        return {**about, **self.results.to_dict()}


def load(paths: Sequence[str | Path], plan: CorrelationPlan) -> tuple[JudgedStudy, ...]:
    """Read and score study files; their embeddings have names of models, or of their vectors."""
    return tuple(_loaded(path, plan) for path in paths)


def _loaded(path: str | Path, plan: CorrelationPlan) -> JudgedStudy:
    with StudyFile(path) as file:
        study, judges, judgments = file.study, file.judges(), file.judgments()
    models = _models(study, plan)
    if len(models) < (2 if study.kind == "comparison" else 1):
        raise BadData(
            f"{path}: has the embeddings {', '.join(study.embeddings)}. They must be named as the "
            f"models of the paper: {', '.join(model.name for model in plan.models)}."
        )
    try:
        found = score_study(study, judgments, judges, opt_out=_OPT_OUT, seed=plan.seed)
    except BadData as problem:
        raise BadData(f"{path}: {problem}") from None
    simulated = any(judge.platform == "simulation" for judge in judges)
    return JudgedStudy(str(path), study, judgments, found, models, simulated)


def _models(study: Study, plan: CorrelationPlan) -> dict[str, str]:
    """Map names of models to the embeddings of a study; those of vectors count, too."""
    vectors = {name: model for d in plan.dimensions for name, model in plan.embeddings(d).items()}
    names = {model.name.lower(): model.name for model in plan.models}
    names |= {name.lower(): model for name, model in vectors.items()}
    found: dict[str, str] = {}
    for name in study.embeddings:
        if name.lower() in names:
            found.setdefault(names[name.lower()], name)
    return found


def judge(claim: JudgmentClaim, studies: Sequence[JudgedStudy], margins: Margins) -> Verdict:
    """Judge a claim by the first study of its kind that people answered."""
    fitting = [each for each in studies if each.study.kind == claim.study]
    people = [each for each in fitting if not each.simulated]
    if not people:
        reason = "The judges of the study are simulated." if fitting else "No study is given."
        return not_run(claim, f"{reason} People have to judge: add a study file with --study.")
    found = people[0]
    names = [name for name in (claim.row, getattr(claim, "below", "")) if name]
    absent = [name for name in names if name not in found.models]
    if absent:
        return not_run(claim, f"{absent[0]} is not in the study.")
    if isinstance(claim, JudgmentOrderClaim):
        return _judge_order(claim, found)
    if isinstance(claim, JudgmentContrastClaim):
        return _judge_contrast(claim, found)
    if isinstance(claim, JudgmentEqualityClaim):
        return _judge_equality(claim, found, margins)
    raise TypeError(f"a study cannot judge {type(claim).__name__}")


def _judge_order(claim: JudgmentOrderClaim, found: JudgedStudy) -> Verdict:
    ours, p = _against_chance(claim, found) if not claim.below else _pair(claim, found)
    verdict = Verdict(claim, "undecided", ours, p_value=p)
    if p is None:
        return unknown(verdict, ours.state)
    return verdict if claim.significant else unknown(verdict, NO_ORDER)


def _against_chance(claim: JudgmentOrderClaim, found: JudgedStudy) -> tuple[Estimate, float | None]:
    """The pooled score minus the chance level."""
    score = _score(found.results.scores, found.models[claim.row])
    chance, pooled = found.results.chance, score.pooled
    if chance is None or pooled.value is None or pooled.low is None or pooled.high is None:
        return Estimate(state=pooled.state or "A comparison has no chance level."), None
    ends = pooled.low - chance, pooled.high - chance
    value = pooled.value - chance
    return Estimate(value, *ends, score.ratings), _normal_p(value, _error(pooled))


def _pair(claim: JudgmentOrderClaim, found: JudgedStudy) -> tuple[Estimate, float | None]:
    """The difference of two models, with the p-value that holds for other judges, too."""
    pair = found.models[claim.row], found.models[claim.below]
    outcome = next(
        (each for each in _outcomes(claim, found) if {each.first, each.second} == set(pair)), None
    )
    if outcome is None:
        return Estimate(state=f"The study has no items of rank {claim.rank}."), None
    sign = 1 if outcome.first == pair[0] else -1
    ends = (outcome.difference.low, outcome.difference.high)[::sign]
    value, low, high = (None if v is None else sign * v for v in (outcome.difference.value, *ends))
    return Estimate(value, low, high, outcome.queries, outcome.state), outcome.p


def _outcomes(claim: JudgmentOrderClaim, found: JudgedStudy) -> Sequence[PairOutcome]:
    if claim.rank is None:
        return found.results.comparisons
    ratings = ratings_of(found.study, found.judgments, _OPT_OUT)
    chosen = [k for k, item in enumerate(ratings.items) if item.rank == claim.rank]
    part = ratings.of_items(chosen)
    rng = generator(found.results.manifest["seed"], "claims", str(claim.rank))
    return comparisons(part, DEFAULT_RULE, rng) if len(part) else ()


def _judge_contrast(claim: JudgmentContrastClaim, found: JudgedStudy) -> Verdict:
    name = found.models[claim.row]
    try:
        parts = [_slice_score(found, claim.attribute, value, name) for value in claim.higher]
        low = _slice_score(found, claim.attribute, claim.lower, name)
    except Undefined as reason:
        return not_run(claim, str(reason))
    value = float(np.mean([each.value for each in parts])) - (low.value or 0.0)
    error = hypot(sqrt(sum(_error(each) ** 2 for each in parts)) / len(parts), _error(low))
    half = NORMAL_QUANTILE * error
    number = found.results.queries
    ours = Estimate(value, value - half, value + half, number)
    return Verdict(claim, "undecided", ours, p_value=_normal_p(value, error))


def _judge_equality(claim: JudgmentEqualityClaim, found: JudgedStudy, margins: Margins) -> Verdict:
    name = found.models[claim.row]
    try:
        one, two = (_slice_score(found, claim.attribute, v, name) for v in claim.values)
    except Undefined as reason:
        return not_run(claim, str(reason))
    value = (one.value or 0.0) - (two.value or 0.0)
    errors = ScoreErrors(hypot(_error(one), _error(two)), None, 0.0, 1, 0.0)
    agreement = compare_scores(value, 0.0, errors)
    ours = estimate(agreement.ours, found.results.queries)
    return compared(Verdict(claim, "undecided", ours), agreement, margins.proportion)


def _slice_score(found: JudgedStudy, attribute: str, value: str, name: str) -> Scored:
    """The normalised score of a comparison, or the precision of an intrusion study."""
    chosen = next(
        (each for each in found.results.slices if (each.by, each.name) == (attribute, value)), None
    )
    if chosen is None:
        raise Undefined(f"The study has no items with {attribute} {value}.")
    score = _score(chosen.scores, name)
    used = score.normalised if found.study.kind == "comparison" else score.pooled
    if used.value is None or used.low is None or used.high is None:
        raise Undefined(f"No interval for {name} with {attribute} {value}: {used.state}.")
    return used


def _score(scores: Sequence[Score], name: str) -> Score:
    return next(each for each in scores if each.embedding == name)


def _error(scored: Scored) -> float:
    """The standard error that belongs to a 95 % confidence interval."""
    return ((scored.high or 0.0) - (scored.low or 0.0)) / (2 * NORMAL_QUANTILE)


def _normal_p(value: float, error: float) -> float:
    from scipy.stats import norm

    return float(2 * norm.sf(abs(value) / error)) if error else float(not value)

"""Papers about the consistency of vectors from small texts: plans, execution and verdicts."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import hypot, sqrt
from pathlib import Path
from typing import Any, NamedTuple

from lexiscope.core.errors import NotDownloaded
from lexiscope.core.estimate import Estimate as Measured
from lexiscope.core.execution import Execution
from lexiscope.core.paths import exists
from lexiscope.data import term_samples
from lexiscope.data.catalogue import catalogue
from lexiscope.data.inputs import Inputs
from lexiscope.experiments.consistency.results import ALL, ConsistencyResults
from lexiscope.experiments.consistency.run import consistency
from lexiscope.experiments.consistency.samples import SamplingRule
from lexiscope.experiments.consistency.source import TermChoice
from lexiscope.experiments.correlation.plan import CorrelationPlan, NotRun, fingerprint
from lexiscope.experiments.correlation.run import train_models
from lexiscope.experiments.models import Setting, check_settings, with_hyperparameters
from lexiscope.papers.agreement import ScoreErrors, compare_scores
from lexiscope.papers.claims import (
    Claim,
    ConsistencyClaim,
    SizeOrderClaim,
    TermModelOrderClaim,
)
from lexiscope.papers.schema import (
    ConsistencyPaper,
    ConsistencyTextEntry,
    TermModelEntry,
    experiment_models,
    scale_of,
)
from lexiscope.papers.verdicts import Estimate, Verdict, compared, estimate, not_run, unknown
from lexiscope.stats.intervals import NORMAL_QUANTILE

_RESERVED = {"dimension": "The dimensionality is fixed by the scale."}
_BACKGROUND = "Another background, trained on a smaller text."
_RANKS = f"{_BACKGROUND} Ranks depend on the number of its words, which differs."
_ROUNDED = 0.001 / sqrt(12)  # standard error of a number with three decimals


@dataclass(frozen=True)
class ConsistencyPaperPlan:
    """The background to train, the texts, and the models of terms."""

    name: str
    about: str
    trained: CorrelationPlan
    texts: tuple[ConsistencyTextEntry, ...]
    term_models: tuple[TermModelEntry, ...]
    keywords: int
    seed: int

    @property
    def models(self) -> tuple[Any, ...]:
        """The background model."""
        return self.trained.models

    @property
    def downloads(self) -> list[str]:
        """Names of corpora and samples, which the catalogue may know."""
        return list(dict.fromkeys([*self.trained.texts, *(each.source for each in self.texts)]))


@dataclass(frozen=True)
class ConsistencyPaperResults:
    """The consistency of every text, and what was not run."""

    plan: ConsistencyPaperPlan
    texts: dict[str, ConsistencyResults]
    not_run: tuple[NotRun, ...]

    @property
    def manifest(self) -> dict[str, Any]:
        """What the numbers were computed with."""
        return next(iter(self.texts.values())).manifest

    @property
    def scores(self) -> list[Measured]:
        """The mean cosine of every model on every text."""
        return [each.raw.cosine for found in self.texts.values() for each in found.models]

    def to_dict(self) -> dict[str, Any]:
        """Return one JSON document with stable keys."""
        texts = {name: found.to_dict() for name, found in self.texts.items()}
        missing = [each._asdict() for each in self.not_run]
        return {"format": "lexiscope consistency of a paper 1", "texts": texts, "not_run": missing}


def plan(
    paper: ConsistencyPaper,
    scale: str = "small",
    *,
    models: Iterable[str] = (),
    settings: Sequence[Setting] = (),
    texts: Sequence[str] = (),
    seed: int = 0,
) -> ConsistencyPaperPlan:
    """Return the plan of a paper at a scale, with the choices of a user.

    `models` are names of models of terms, `settings` those of the background. `texts` replace what
    the background is trained on.
    """
    size = scale_of(paper.scales, scale)
    every = experiment_models(paper.models)
    check_settings(settings, every, reserved=_RESERVED)
    shared = {**paper.hyperparameters, **size.hyperparameters}
    every = [with_hyperparameters(each, shared, settings, every) for each in every]
    sources = tuple(texts) or size.texts
    trained = CorrelationPlan(
        f"{paper.name}-{scale}", paper.about, sources, (size.dimension,), 1, seed, tuple(every), (),
        "", (), (), size.dimension, fingerprint(sources, seed, every),
    )  # fmt: skip
    wanted = {name.lower() for name in models}
    known = [each.name for each in paper.term_models]
    for name in models:
        paper.check_name("model", name, known, 0)
    return ConsistencyPaperPlan(
        f"{paper.name}-{scale}",
        paper.about,
        trained,
        tuple(each for each in paper.texts if each.name not in size.leave_out),
        tuple(e for e in paper.term_models if not wanted or e.name.lower() in wanted),
        size.keywords,
        seed,
    )


def departures(plan: ConsistencyPaperPlan, full: ConsistencyPaperPlan) -> list[str]:
    """Return where a plan departs from that of the paper's scale."""
    found = []
    if plan.trained.texts != full.trained.texts:
        texts = ", ".join(plan.trained.texts), ", ".join(full.trained.texts)
        found.append(f"background trained on {texts[0]} instead of {texts[1]}")
    for noun, ours, theirs in (
        ("dimensions", plan.trained.dimension, full.trained.dimension),
        ("keywords per text", plan.keywords, full.keywords),
    ):
        if ours != theirs:
            found.append(f"{ours:,} instead of {theirs:,} {noun}")
    chosen = [each.name for each in plan.texts]
    left_out = [each.name for each in full.texts if each.name not in chosen]
    return [*found, f"without {', '.join(left_out)}"] if left_out else found


def execute(
    paper: ConsistencyPaper,
    plan: ConsistencyPaperPlan,
    inputs: Inputs | None,
    execution: Execution,
    folder: str | Path,
) -> ConsistencyPaperResults:
    """Train the background, and measure the consistency of every model on every text."""
    inputs = inputs or Inputs()
    vectors = train_models(plan.trained, folder, inputs, execution)
    (background,) = plan.trained.embeddings(plan.trained.dimension)
    path = str(vectors / f"{background}.safetensors")
    found: dict[str, ConsistencyResults] = {}
    missing = []
    for each in plan.texts:
        if not _is_available(each.source, inputs):
            missing.append(NotRun(each.name, f"{each.source} is not downloaded; see --data-dir."))
            continue
        found[each.name] = _measured(each, plan, path, inputs, execution)
    if not found:
        raise NotDownloaded(f"No text is available. {missing[0].what}: {missing[0].why}")
    return ConsistencyPaperResults(plan, found, tuple(missing))


def _is_available(name: str, inputs: Inputs) -> bool:
    if exists(name):
        return True
    return name in catalogue() and inputs.local_data.is_available(catalogue()[name])


def _measured(
    text: ConsistencyTextEntry,
    plan: ConsistencyPaperPlan,
    background: str,
    inputs: Inputs,
    execution: Execution,
) -> ConsistencyResults:
    """The results of all models of terms, under their names in the paper."""
    settings = {
        f"{each.name}.{field}": value
        for each in plan.term_models
        for field, value in each.settings.items()
    }
    found = consistency(
        text.source,
        background,
        choice=_terms(text, plan),
        models={each.name: each.model for each in plan.term_models},
        settings=settings,
        rule=SamplingRule(text.split),
        background_text=list(plan.trained.texts),
        seed=plan.seed,
        inputs=inputs,
        execution=execution,
    )
    return replace(found, manifest={**found.manifest, "source": text.source})


def _terms(text: ConsistencyTextEntry, plan: ConsistencyPaperPlan) -> TermChoice:
    """Keywords; published samples have terms of their own."""
    published = text.source in term_samples.names()
    return TermChoice() if published else TermChoice(keywords=plan.keywords)


def judge(claim: Claim, results: ConsistencyPaperResults, paper: ConsistencyPaper) -> Verdict:
    """Compare a claim with the results; `decide` judges all claims together."""
    if isinstance(claim, ConsistencyClaim):
        return _judge_value(claim, results, paper)
    if isinstance(claim, TermModelOrderClaim):
        return _judge_order(claim, results, paper)
    if isinstance(claim, SizeOrderClaim):
        return _judge_sizes(claim, results, paper)
    raise TypeError(f"an experiment on consistency cannot judge {type(claim).__name__}")


def _judge_value(
    claim: ConsistencyClaim, results: ConsistencyPaperResults, paper: ConsistencyPaper
) -> Verdict:
    """Judge a cosine on a text of the paper; a rank depends on the size of the background."""
    found = results.texts.get(claim.row)
    if found is None:
        return not_run(claim, _missing(results, claim.row))
    measured, n = _quantity(claim.column, claim.model, found)
    if measured is None or measured.value is None:
        return not_run(claim, "There is no value for this model.")
    verdict = Verdict(
        claim, "undecided", Estimate(measured.value, measured.low, measured.high, n), _BACKGROUND
    )
    substitute = _substitute(paper, claim.row)
    if substitute or claim.column.endswith("rank"):
        return unknown(verdict, substitute or _RANKS)
    return _compared_cosines(verdict, measured, paper.margins.cosine)


def _compared_cosines(verdict: Verdict, measured: Measured, margin: float) -> Verdict:
    """Compare mean cosines over the same number of terms.

    The paper prints no spread, so both have our standard error over terms.
    """
    printed, ours = verdict.claim.value, measured.value
    if printed is None or ours is None or measured.low is None or measured.high is None:
        return unknown(verdict, "There is no interval of our number.")
    error = (measured.high - measured.low) / (2 * NORMAL_QUANTILE)
    errors = ScoreErrors(error, error, 0.0, 1, _ROUNDED)
    found = compare_scores(ours, printed, errors)
    paper = estimate(found.paper, verdict.ours.n, "spread over terms as in ours")
    return compared(replace(verdict, paper=paper), found, margin)


def _quantity(column: str, model: str, found: ConsistencyResults) -> tuple[Measured | None, int]:
    summary = next((each for each in found.models if each.model == model), None)
    if summary is None:
        return None, 0
    if column.startswith("size "):
        size = column.removeprefix("size ")
        wanted = ALL if size == "all" else int(size)
        point = next(
            (p for p in found.size_effect if p.model == model and p.sentences == wanted), None
        )
        return (None, 0) if point is None else (point.cosine, point.terms)
    if column.startswith("domain "):
        return _of_group(column.removeprefix("domain "), model, found)
    quantities = {
        "cosine": summary.raw.cosine,
        "rank": summary.rank,
        "drift cosine": summary.drift_cosine,
        "drift rank": summary.drift_rank,
    }
    terms = summary.drift_terms if column.startswith("drift") else summary.terms
    return quantities[column], terms


def _of_group(name: str, model: str, found: ConsistencyResults) -> tuple[Measured | None, int]:
    group = next(
        (s for s in found.slices if (s.by, s.name, s.model) == ("domain", name, model)), None
    )
    return (None, 0) if group is None else (group.drift_cosine, group.terms)


def _judge_sizes(
    claim: SizeOrderClaim, results: ConsistencyPaperResults, paper: ConsistencyPaper
) -> Verdict:
    """Judge the smallest step between successive sizes, as if their terms were independent.

    They are the same terms, so the test is conservative. All steps must be significant, so the
    largest p-value counts and needs no correction.
    """
    found = results.texts.get(claim.column)
    if found is None:
        return not_run(claim, _missing(results, claim.column))
    points = [p.cosine for p in found.size_effect if p.model == claim.row]
    steps = [_step(one, two) for one, two in pairwise(points)]
    known = [step for step in steps if step is not None]
    if not known or len(known) < len(steps):
        return not_run(claim, "There are not enough sizes with an interval.")
    smallest = max(known, key=lambda step: step.p)
    ours = Estimate(smallest.value, smallest.low, smallest.high, len(known), "smallest step")
    verdict = Verdict(claim, "undecided", ours, p_value=smallest.p)
    used = _substitute(paper, claim.column)
    return unknown(verdict, used) if used else verdict


class _Step(NamedTuple):
    value: float
    low: float
    high: float
    p: float


def _step(smaller: Measured, larger: Measured) -> _Step | None:
    """The difference of two mean cosines with its interval and two-sided p-value."""
    ends = smaller.value, smaller.low, smaller.high, larger.value, larger.low, larger.high
    if any(each is None for each in ends):
        return None
    first, low, high, second, lower, higher = (float(each) for each in ends if each is not None)
    from scipy.stats import norm

    error = hypot(high - low, higher - lower) / (2 * NORMAL_QUANTILE)
    step = second - first
    return _Step(step, step - NORMAL_QUANTILE * error, step + NORMAL_QUANTILE * error,
                 float(2 * norm.sf(abs(step) / error)))  # fmt: skip


def _judge_order(
    claim: TermModelOrderClaim, results: ConsistencyPaperResults, paper: ConsistencyPaper
) -> Verdict:
    """Judge the difference of two models by their mean cosines over the same terms."""
    found = results.texts.get(claim.column)
    if found is None:
        return not_run(claim, _missing(results, claim.column))
    values = {
        name: {
            term.term: term.cosine
            for term in found.terms
            if term.model == name and term.cosine is not None
        }
        for name in (claim.row, claim.below)
    }
    terms = sorted(set(values[claim.row]) & set(values[claim.below]))
    if len(terms) < 2:
        return not_run(claim, f"{claim.row} or {claim.below} was not run.")
    from scipy.stats import ttest_1samp

    test = ttest_1samp([values[claim.row][t] - values[claim.below][t] for t in terms], 0.0)
    low, high = test.confidence_interval(0.95)
    mean = _mean(values, claim, terms)
    ours = Estimate(mean, float(low), float(high), len(terms))
    verdict = Verdict(claim, "undecided", ours, p_value=float(test.pvalue))
    used = _substitute(paper, claim.column)
    return unknown(verdict, used) if used else verdict


def _mean(
    values: dict[str, dict[str, float]], claim: TermModelOrderClaim, terms: Sequence[str]
) -> float:
    return sum(values[claim.row][t] - values[claim.below][t] for t in terms) / len(terms)


def _missing(results: ConsistencyPaperResults, text: str) -> str:
    reasons = {each.what: each.why for each in results.not_run}
    return reasons.get(text, f"{text}: not part of this scale.")


def _substitute(paper: ConsistencyPaper, text: str) -> str:
    entry = next(each for each in paper.texts if each.name == text)
    return f"Substitute: {entry.source} instead of {entry.replaces}." if entry.replaces else ""

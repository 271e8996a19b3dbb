"""Papers that probe models on synthetic languages: plans, and verdicts on their claims."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from lexiscope import probes
from lexiscope.core.contracts.registry import names
from lexiscope.core.execution import Execution
from lexiscope.core.result import Comparison
from lexiscope.data.inputs import Inputs
from lexiscope.experiments.models import (
    Model,
    Setting,
    check_settings,
    select,
    with_hyperparameters,
    with_trainers,
)
from lexiscope.experiments.synthetic.plan import (
    Criterion,
    SyntheticPlan,
    space_probes,
    sweep_points,
)
from lexiscope.experiments.synthetic.results import ProbeScore, SyntheticResults
from lexiscope.experiments.synthetic.run import run
from lexiscope.papers.agreement import compare_proportions
from lexiscope.papers.claims import Claim, OrderClaim, ProportionClaim
from lexiscope.papers.schema import CriterionEntry, SyntheticPaper, experiment_models, scale_of
from lexiscope.papers.verdicts import Estimate, Verdict, compared, estimate, not_run, unknown
from lexiscope.pcfg import reader as grammars
from lexiscope.pcfg.grammar import Grammar

_RESERVED = {
    "space": "Models are trained with input and output vectors. Choose which ones a probe uses "
    "with, for example, subspace.space=output."
}
_NEAR = 1e-9  # rounding error of an accuracy


def plan(
    paper: SyntheticPaper,
    scale: str = "small",
    *,
    criteria: Iterable[str] = (),
    models: Iterable[str] = (),
    settings: Sequence[Setting] = (),
    sentences: int | None = None,
    trials: int | None = None,
    seed: int = 0,
) -> SyntheticPlan:
    """Return the plan of a paper at a scale, with the choices of a user."""
    size, known = scale_of(paper.scales, scale), experiment_models(paper.models)
    return SyntheticPlan(
        paper.name,
        paper.about,
        _models(known, models, paper, settings),
        tuple(
            _criterion(each, size.points) for each in select("criterion", paper.criteria, criteria)
        ),
        space_probes([(each.name, each.settings) for each in paper.probes], settings),
        size.sentences if sentences is None else sentences,
        size.trials if trials is None else trials,
        seed,
    )


def grammar_plan(
    paper: SyntheticPaper,
    grammar: Grammar,
    *,
    targets: Iterable[str] = (),
    models: Iterable[str] = (),
    settings: Sequence[Setting] = (),
    sentences: int,
    trials: int,
    seed: int,
) -> SyntheticPlan:
    """Return a plan for a user's grammar with the models and probes of a paper."""
    grammar.require_target()
    every = [Criterion(name, grammar, name, sweep_points(grammar)) for name in grammar.targets]
    return SyntheticPlan(
        grammar.name,
        grammar.about,
        _models(experiment_models(paper.models), models, paper, settings),
        tuple(select("target", every, targets)),
        space_probes([(each.name, each.settings) for each in paper.probes], settings),
        sentences,
        trials,
        seed,
    )


def _models(
    known: list[Model], wanted: Iterable[str], paper: SyntheticPaper, settings: Sequence[Setting]
) -> tuple[Model, ...]:
    chosen = with_trainers(known, wanted)
    check_settings(settings, chosen, probes=names(probes), reserved=_RESERVED)
    models = [
        with_hyperparameters(each, paper.hyperparameters, settings, chosen) for each in chosen
    ]
    for model in models:
        _ = model.trainer  # report invalid hyperparameters before anything is trained
    return tuple(models)


def _criterion(entry: CriterionEntry, points: int | None) -> Criterion:
    grammar = grammars.read(entry.grammar)
    target = entry.target or next(iter(grammar.targets))
    return Criterion(entry.name, grammar, target, sweep_points(grammar, points))


def execute(
    paper: SyntheticPaper,
    plan: SyntheticPlan,
    inputs: Inputs | None,
    execution: Execution,
    folder: str | Path,
) -> SyntheticResults:
    """Run the experiment; it reads no inputs and writes no vectors."""
    return run(plan, execution)


def departures(plan: SyntheticPlan, full: SyntheticPlan) -> list[str]:
    """Return where a plan is smaller than that of the paper's scale."""
    found = [
        f"{ours:,} instead of {theirs:,} {noun}"
        for noun, ours, theirs in (
            ("sentences per corpus", plan.sentences, full.sentences),
            ("trials", plan.trials, full.trials),
        )
        if ours != theirs
    ]
    points = {criterion.name: len(criterion.points) for criterion in full.criteria}
    return found + [
        f"{len(each.points)} instead of {points[each.name]} values of the sweep of {each.name}"
        for each in plan.criteria
        if len(each.points) != points[each.name]
    ]


def judge(claim: Claim, results: SyntheticResults, paper: SyntheticPaper) -> Verdict:
    """Compare a claim with the results; `decide` judges all claims together."""
    if isinstance(claim, OrderClaim):
        return _judge_order(claim, results)
    if isinstance(claim, ProportionClaim):
        return _judge_proportion(claim, results, paper.margins.proportion)
    raise TypeError(f"a synthetic experiment cannot judge {type(claim).__name__}")


def _judge_proportion(claim: ProportionClaim, results: SyntheticResults, margin: float) -> Verdict:
    reason = _missing(claim, (claim.row,), results.plan) or _missing_point(claim, results.plan)
    if reason:
        return not_run(claim, reason)
    probe = results.plan.main_probe(claim.probe)
    (found,) = results.rows(claim.column, model=claim.row, variant=probe.label, at=claim.at)
    ours = Estimate(found.value, found.low, found.high, found.trials, found.state)
    verdict = Verdict(claim, "undecided", ours)
    if found.value is None:
        return unknown(verdict, found.state)
    trials, words = claim.trials or 1, found.items / found.trials
    agreement = compare_proportions(found.trial_accuracies, words, claim.range, trials)
    matching = _matching(found, claim) if claim.holds_for_each_trial else None
    theirs = estimate(agreement.paper, trials)
    return compared(replace(verdict, paper=theirs, matching_trials=matching), agreement, margin)


def _missing(claim: Claim, models: Sequence[str], plan: SyntheticPlan) -> str:
    """Return which part of a claim the plan does not contain; empty if it contains all."""
    if claim.column not in [criterion.name for criterion in plan.criteria]:
        return f"The criterion {claim.column} was not selected."
    for name in models:
        if name not in [model.name for model in plan.models]:
            return f"The model {name} was not selected."
    return ""


def _missing_point(claim: ProportionClaim, plan: SyntheticPlan) -> str:
    criterion = next(each for each in plan.criteria if each.name == claim.column)
    if claim.at is None or claim.at in criterion.points:
        return ""
    return f"This scale has no trials at {claim.at:g}."


def _matching(found: ProbeScore, claim: ProportionClaim) -> float:
    """Return the proportion of trials whose accuracy is the one in the paper."""
    low, high = claim.range
    same = [low - _NEAR <= each <= high + _NEAR for each in found.trial_accuracies]
    return sum(same) / len(same)


def _judge_order(claim: OrderClaim, results: SyntheticResults) -> Verdict:
    reason = _missing(claim, (claim.row, claim.below), results.plan)
    if reason:
        return not_run(claim, reason)
    found = _compared(claim, results.comparisons)
    if found is None:
        return Verdict(claim, "unknown", reason="A comparison needs at least two trials.")
    comparison, sign = found
    ours = _difference(comparison, sign, results.plan.trials)
    return Verdict(
        claim, "undecided", ours, comparison.state, p_value=comparison.p, min_p=comparison.min_p
    )


def _compared(
    claim: OrderClaim, comparisons: Sequence[Comparison]
) -> tuple[Comparison, int] | None:
    """Return the comparison of two models, and 1 if the claimed better model is the first."""
    for each in comparisons:
        if each.dataset == claim.column and {each.first, each.second} == {claim.row, claim.below}:
            return each, 1 if each.first == claim.row else -1
    return None


def _difference(comparison: Comparison, sign: int, trials: int) -> Estimate:
    """Return the difference of two models, with the interval on the same side."""
    low, high = (comparison.low, comparison.high)[::sign]
    value, low, high = (None if v is None else sign * v for v in (comparison.difference, low, high))
    return Estimate(value, low, high, trials, comparison.state)

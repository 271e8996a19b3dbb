"""Reproduce a paper: plan, experiment, verdicts on its claims."""

import inspect
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import msgspec

from lexiscope.core.errors import BadUsage
from lexiscope.core.execution import Execution
from lexiscope.core.notebook import HasCard
from lexiscope.core.notices import notice
from lexiscope.data.download import DownloadFailed, fetch
from lexiscope.data.inputs import Inputs
from lexiscope.data.named_entries import entries_to_download
from lexiscope.experiments.correlation.plan import CorrelationPlan
from lexiscope.experiments.correlation.results import CorrelationResults
from lexiscope.experiments.synthetic.plan import SyntheticPlan
from lexiscope.experiments.synthetic.results import SyntheticResults
from lexiscope.papers import (
    consistency,
    correlation,
    correlation_claims,
    curves,
    scores,
    synthetic,
)
from lexiscope.papers.claims import Claim
from lexiscope.papers.consistency import ConsistencyPaperPlan, ConsistencyPaperResults
from lexiscope.papers.curves import CurvePaperPlan, CurvePaperResults
from lexiscope.papers.schema import (
    AnyPaper,
    ConsistencyPaper,
    CorrelationPaper,
    CurvePaper,
    ScorePaper,
    SyntheticPaper,
    load,
)
from lexiscope.papers.verdicts import Verdict, decide, not_run, unknown

FOLDER = "vectors"  # where trained vectors are stored
FULL = "paper"  # the scale that is nearest to the paper


class OptionDoesNotApply(BadUsage):
    """An option of another paper."""

    def __init__(self, name: str, paper: str, known: list[str]) -> None:
        super().__init__(
            f"The option '{name}' does not apply to {paper}. "
            f"Its options: {', '.join(sorted(known))}."
        )
        self.name, self.paper, self.known = name, paper, known


class Kind(NamedTuple):
    """What a kind of experiment needs: a plan, its execution, and a judge of claims.

    `departures` says where a plan departs from that of the paper's scale. `inputs` names the
    options of `reproduce` that only some kinds have.
    """

    plan: Callable[..., Any]
    execute: Callable[..., Any]
    judge: Callable[..., Any]
    departures: Callable[..., list[str]]
    inputs: tuple[str, ...] = ()

    @property
    def options(self) -> list[str]:
        """The names of the options of the plan."""
        found = inspect.signature(self.plan).parameters.values()
        return [each.name for each in found if each.kind is each.KEYWORD_ONLY]


KINDS: dict[type, Kind] = {
    SyntheticPaper: Kind(synthetic.plan, synthetic.execute, synthetic.judge, synthetic.departures),
    CorrelationPaper: Kind(
        correlation.plan,
        correlation.execute,
        correlation_claims.judge,
        correlation.departures,
        ("folder", "inputs"),
    ),
    ScorePaper: Kind(
        correlation.plan,
        scores.execute,
        scores.judge,
        correlation.departures,
        ("folder", "inputs", "studies"),
    ),
    CurvePaper: Kind(
        curves.plan, curves.execute, curves.judge, curves.departures, ("folder", "inputs")
    ),
    ConsistencyPaper: Kind(
        consistency.plan,
        consistency.execute,
        consistency.judge,
        consistency.departures,
        ("folder", "inputs"),
    ),
}

AnyPlan: TypeAlias = SyntheticPlan | CorrelationPlan | CurvePaperPlan | ConsistencyPaperPlan
AnyResults: TypeAlias = (
    SyntheticResults | CorrelationResults | CurvePaperResults | ConsistencyPaperResults
)


@dataclass(frozen=True)
class Reproduction(HasCard):
    """The results of a paper's experiment, and a verdict on every claim of the paper."""

    paper: AnyPaper
    scale: str
    results: AnyResults
    verdicts: tuple[Verdict, ...]

    @property
    def smaller_scale(self) -> str:
        """A sentence on how the experiment departs from the paper's scale; empty if it does not."""
        kind = KINDS[type(self.paper)]
        if FULL not in self.paper.scales:
            return ""
        found = kind.departures(self.results.plan, kind.plan(self.paper, FULL))
        if not found:
            return ""
        return (
            f"Not at the scale of the paper: {', '.join(found)}. The verdicts hold for this scale "
            "only."
        )

    @property
    def manifest(self) -> dict[str, Any]:
        """What the numbers were computed with."""
        return {
            "paper": self.paper.name,
            "title": self.paper.title,
            "citation": self.paper.citation,
            "scale": self.scale,
            "smaller_scale": self.smaller_scale,
            "margins": msgspec.to_builtins(self.paper.margins),
            "departures": list(self.paper.departures),
        }

    def to_dict(self) -> dict[str, Any]:
        """Return one JSON document with stable keys."""
        return {
            "format": "lexiscope reproduction 1",
            **self.manifest,
            "verdicts": [each.to_dict() for each in self.verdicts],
            "experiment": self.results.to_dict(),
        }


def plan_for(paper: str | Path | AnyPaper, scale: str = "small", **options: Any) -> AnyPlan:
    """Return the plan of a paper's experiment; `reproduce` describes the options."""
    found = _loaded(paper)
    kind = KINDS[type(found)]
    _check_options(found, kind.options, options)
    plan: AnyPlan = kind.plan(found, scale, **options)
    return plan


def reproduce(
    paper: str | Path,
    scale: str = "small",
    *,
    execution: Execution | None = None,
    inputs: Inputs | None = None,
    **options: Any,
) -> Reproduction:
    """Reproduce the experiment of a paper, and judge the numbers that the paper prints.

    Parameters
    ----------
    paper : str or Path
        Name of a paper (`s0` to `s4`), or a TOML file of your own with the same keys.
    scale : {"small", "paper"}
        A sample that takes minutes, or the size of the paper as far as the data allows.
    execution : Execution, optional
        Where results are stored, and how many processes work.
    inputs : Inputs, optional
        Where corpora and datasets come from (all but s0).
    **options
        Options of the experiment, as on the command line. Every paper has:

        - `models`: names of models, by default all; in s0, other names are trainers
        - `settings`: pairs such as `("epochs", 5)` for all models, `("skip.epochs", 5)` for one
          model, or `("subspace.cost", 10)` for a probe
        - `trials`: number of corpora per grammar (s0), of runs per model (s1, s3), or of
          repeats (s4)
        - `seed`: random seed, by default 0

        s0 also has `criteria` and `sentences` (per corpus). s1, s3 and s4 also have `texts` (to
        train on) and `folder` (for trained vectors), s1 and s3 `dimensions` and `datasets`: a dict
        from evaluations with a substitute to files with the paper's dataset. s1 has `studies`:
        study files with the judgments of people.

    Returns
    -------
    Reproduction
        `results` of the experiment, `verdicts` on all claims, and `to_dict()`.

    Examples
    --------
    >>> import lexiscope
    >>> found = lexiscope.reproduce(
    ...     "s0", criteria=["sparseness"], models=["PPMI"], sentences=2000, trials=2
    ... )
    >>> [(v.claim.text, v.ours.value) for v in found.verdicts if v.verdict != "not run"]
    [('all 20 words negative: 50 % (1 trial)', 0.5)]
    """
    found = _loaded(paper)
    kind = KINDS[type(found)]
    given = options | ({} if inputs is None else {"inputs": inputs})
    _check_options(found, [*kind.options, *kind.inputs], given)
    folder = options.pop("folder", FOLDER)
    studies = {name: options.pop(name) for name in ("studies",) if name in options}
    plan = kind.plan(found, scale, **options)
    execution = execution or Execution()
    _download(getattr(plan, "downloads", []), inputs or Inputs(), execution)
    results = kind.execute(found, plan, inputs, execution, folder, **studies)
    return Reproduction(found, scale, results, judge(found, results))


def _download(names: Iterable[str], inputs: Inputs, execution: Execution) -> None:
    """Download what a paper needs: naming the paper is consent. It runs without the rest."""
    local_data = inputs.local_data
    for entry in entries_to_download(names, local_data):
        try:
            fetch(local_data, entry, execution.progress)
        except DownloadFailed as problem:
            notice(f"Left out: {problem}")


def judge(paper: AnyPaper, results: AnyResults) -> tuple[Verdict, ...]:
    """Judge every claim of a paper by the results of its experiment."""
    return decide([_compared(claim, results, paper) for claim in paper.claims])


def _compared(claim: Claim, results: AnyResults, paper: AnyPaper) -> Verdict:
    if claim.not_run:
        return not_run(claim, claim.not_run)
    found: Verdict = KINDS[type(paper)].judge(claim, results, paper)
    if claim.misprint and found.verdict != "not run":
        return unknown(found, claim.misprint)
    return found


def _loaded(paper: str | Path | AnyPaper) -> AnyPaper:
    return load(paper) if isinstance(paper, str | Path) else paper


def _check_options(paper: AnyPaper, known: list[str], options: dict[str, Any]) -> None:
    for name in options:
        if name not in known:
            raise OptionDoesNotApply(name, paper.name, known)

"""Papers as data: the schema of the TOML files in this folder, and the reader.

A file describes what a paper did (scales, models, hyperparameters, evaluations or probes) and every
number that it prints. The key `kind` names the kind of experiment.
"""

import re
import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct, field

from lexiscope.core.display import shown
from lexiscope.core.errors import BadData, UnknownName
from lexiscope.core.paths import is_file
from lexiscope.experiments.correlation.plan import ALL
from lexiscope.experiments.models import Model
from lexiscope.papers.claims import (
    ColumnCountClaim,
    ConsistencyClaim,
    CorrelationClaim,
    CurveScoreClaim,
    FrequencyAccuracyClaim,
    FrequencyOrderClaim,
    JudgmentContrastClaim,
    JudgmentEqualityClaim,
    JudgmentOrderClaim,
    ModelOrderClaim,
    NumberClaim,
    OrderClaim,
    PowerLawClaim,
    PredictorClaim,
    ProportionClaim,
    RankClaim,
    RankingClaim,
    ScoreClaim,
    SignificanceClaim,
    SizeOrderClaim,
    TermModelOrderClaim,
)
from lexiscope.papers.verdicts import Margins

Count = Annotated[int, Meta(ge=1)]
StudyKind = Literal["comparison", "intrusion"]
Settings = dict[str, Any]
Part = tuple[str, str]  # a task and a dataset


class Table(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A table of a paper file."""


class ModelEntry(Table, frozen=True, kw_only=True):
    """[[models]]: a trainer with hyperparameters under the paper's name."""

    name: str
    trainer: str
    family: str = ""
    base: str = ""
    lexicon: str = ""
    repeated: bool = False
    settings: Settings = field(default_factory=dict)


class SyntheticScale(Table, frozen=True, kw_only=True):
    """[scales.NAME] of a synthetic experiment; `points` limits the values of a sweep."""

    sentences: Count
    trials: Count
    points: Count | None = None


class CorrelationScale(Table, frozen=True, kw_only=True):
    """[scales.NAME] of trainings on texts; hyperparameters may differ from the paper's.

    Evaluations in `leave_out` take too long at this scale.
    """

    texts: tuple[str, ...]
    dimensions: tuple[Count, ...]
    runs: Count
    leave_out: tuple[str, ...] = ()
    hyperparameters: Settings = field(default_factory=dict)
    models: dict[str, Settings] = field(default_factory=dict)


class ProbeEntry(Table, frozen=True, kw_only=True):
    """[[probes]]: a probe with settings; the first with a name is its main variant."""

    name: str
    settings: Settings = field(default_factory=dict)


class CriterionEntry(Table, frozen=True, kw_only=True):
    """[[criteria]]: a target of a grammar, by default its first."""

    name: str
    grammar: str
    target: str = ""


class EvaluationEntry(Table, frozen=True, kw_only=True):
    """[[evaluations]]: the mean of all parts, or the first part that is available locally.

    A part after the first is a substitute. With `slice`, only these items of the dataset count.
    `average_of` makes the mean of other evaluations. `items` is the paper's number of test items,
    and `statistic` the kind of the score, which determines how its standard error depends on it.
    `margin` is the equivalence margin of scores, if not that of [margins].
    """

    name: str
    items: Count | None = None
    statistic: Literal["proportion", "correlation", "other"] = "other"
    margin: float | None = None
    mean_of: tuple[Part, ...] = ()
    first_of: tuple[Part, ...] = ()
    average_of: tuple[str, ...] = ()
    slice: str = ""
    percent: bool = True

    def __post_init__(self) -> None:
        if sum(map(bool, (self.mean_of, self.first_of, self.average_of))) != 1:
            raise ValueError("give either `mean_of`, `first_of` or `average_of`")
        if self.slice and len(self.mean_of) != 1:
            raise ValueError("`slice` needs `mean_of` with a single part")


class Analysis(Table, frozen=True, kw_only=True):
    """[analysis]: which evaluation predicts which tasks, at which dimensionality."""

    predictor: str
    tasks: tuple[str, ...]
    downstream: tuple[str, ...]
    dimension: Count


class Paper(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="kind"):
    """What the files of all papers have in common.

    `departures` describe where the reproduction differs from the paper. `hyperparameters` apply to
    every model whose trainer has them. `margins` are those of equivalence.
    """

    title: str
    citation: str
    about: str
    departures: tuple[str, ...] = ()
    hyperparameters: Settings = field(default_factory=dict)
    models: tuple[ModelEntry, ...]
    margins: Margins = field(default_factory=Margins)
    name: str = ""

    @property
    def independent_models(self) -> int:
        """The number of models that share no vectors."""
        return sum(not model.base for model in self.models)

    def check_name(self, noun: str, name: str, known: Any, index: int) -> None:
        """Raise an error for a claim about an unknown model, criterion or evaluation."""
        if name not in known:
            raise ValueError(f"claims[{index}]: {UnknownName(noun, name, known)}")


class SyntheticPaper(Paper, frozen=True, kw_only=True, tag="synthetic"):
    """A paper that probes models on synthetic languages."""

    scales: dict[str, SyntheticScale]
    probes: tuple[ProbeEntry, ...]
    criteria: tuple[CriterionEntry, ...]
    claims: tuple[ProportionClaim | OrderClaim | NumberClaim, ...]

    def __post_init__(self) -> None:
        models = [model.name for model in self.models]
        criteria = [criterion.name for criterion in self.criteria]
        for index, claim in enumerate(self.claims):
            if isinstance(claim, NumberClaim):
                continue
            self.check_name("model", claim.row, models, index)
            self.check_name("criterion", claim.column, criteria, index)
            if isinstance(claim, OrderClaim):
                self.check_name("model", claim.below, models, index)
            else:
                self.check_name("probe", claim.probe, [probe.name for probe in self.probes], index)


class CorrelationPaper(Paper, frozen=True, kw_only=True, tag="correlation"):
    """A paper that correlates evaluations over models."""

    scales: dict[str, CorrelationScale]
    evaluations: tuple[EvaluationEntry, ...]
    analysis: Analysis
    claims: tuple[ScoreClaim | CorrelationClaim | PredictorClaim | RankingClaim | NumberClaim, ...]

    def __post_init__(self) -> None:
        _check_claims(self)


class BaselineEntry(Table, frozen=True, kw_only=True):
    """[[baselines]]: supervised evaluations without vectors, under the paper's name."""

    name: str
    evaluations: tuple[str, ...]


class InspectionEntry(Table, frozen=True, kw_only=True):
    """[inspection]: the frequency probe, and the corpus ranks of the neighbours of query words.

    `queries` is a dataset whose words are the queries. `thresholds` are counts in our corpus.
    """

    queries: str
    thresholds: tuple[Count, ...]
    neighbours: Count = 1000


class StudyEntry(Table, frozen=True, kw_only=True):
    """[study]: human studies that the paper carried out, with the ranks that it compares."""

    kinds: tuple[StudyKind, ...]
    ranks: tuple[Count, ...] = (1, 5, 50)


class ScorePaper(Paper, frozen=True, kw_only=True, tag="scores"):
    """A paper that evaluates models; `dimension` is that of its tables.

    `preprocessing` is a preset of texts with changes. `inspection` and `study` are about the
    vectors of the evaluated models.
    """

    scales: dict[str, CorrelationScale]
    evaluations: tuple[EvaluationEntry, ...]
    dimension: Count
    preprocessing: Settings = field(default_factory=dict)
    baselines: tuple[BaselineEntry, ...] = ()
    inspection: InspectionEntry | None = None
    study: StudyEntry | None = None
    claims: tuple[
        ScoreClaim
        | ColumnCountClaim
        | SignificanceClaim
        | FrequencyAccuracyClaim
        | FrequencyOrderClaim
        | PowerLawClaim
        | JudgmentOrderClaim
        | JudgmentContrastClaim
        | JudgmentEqualityClaim
        | NumberClaim,
        ...,
    ]

    @property
    def row_names(self) -> list[str]:
        """The names of models and baselines."""
        return [*(model.name for model in self.models), *(each.name for each in self.baselines)]

    def __post_init__(self) -> None:
        names = [each.name for each in self.evaluations]
        for name in [name for each in self.baselines for name in each.evaluations]:
            if name not in names:
                raise ValueError(f"baselines: {UnknownName('evaluation', name, names)}")
        _check_claims(self)


class CurveScale(Table, frozen=True, kw_only=True):
    """[scales.NAME] of learning curves.

    Datasets in `leave_out` take too long at this scale.
    """

    texts: tuple[str, ...]
    dimension: Count
    repeats: Count
    max_items: Count
    sizes: tuple[str, ...] = ()
    leave_out: tuple[str, ...] = ()
    hyperparameters: Settings = field(default_factory=dict)


class CurveDatasetEntry(Table, frozen=True, kw_only=True):
    """[[datasets]]: the first of `first_of` that is available; those after the first replace it."""

    name: str
    first_of: tuple[str, ...]


class PretrainedEntry(Table, frozen=True, kw_only=True):
    """[[pretrained]]: published vectors of the catalogue under the paper's name."""

    name: str
    source: str


class CurvePaper(Paper, frozen=True, kw_only=True, tag="curves"):
    """A paper that measures learning curves of supervised models."""

    scales: dict[str, CurveScale]
    pretrained: tuple[PretrainedEntry, ...] = ()
    datasets: tuple[CurveDatasetEntry, ...]
    supervised: tuple[str, ...]
    claims: tuple[RankClaim | CurveScoreClaim | ModelOrderClaim | NumberClaim, ...]

    def __post_init__(self) -> None:
        datasets = [dataset.name for dataset in self.datasets]
        embeddings = [model.name for model in self.models]
        embeddings += [each.name for each in self.pretrained]
        for scale in self.scales.values():
            for name in scale.leave_out:
                if name not in datasets:
                    raise ValueError(f"scales: {UnknownName('dataset', name, datasets)}")
        for index, claim in enumerate(self.claims):
            if claim.not_run:
                continue
            if isinstance(claim, RankClaim):
                self.check_name("embedding", claim.row, embeddings, index)
            if isinstance(claim, CurveScoreClaim):
                self.check_name("dataset", claim.row, datasets, index)
                self.check_name("model", claim.column, self.supervised, index)
            if isinstance(claim, ModelOrderClaim):
                self.check_name("dataset", claim.column, datasets, index)
                for name in (claim.row, claim.below):
                    self.check_name("model", name, self.supervised, index)


class ConsistencyScale(Table, frozen=True, kw_only=True):
    """[scales.NAME] of a consistency experiment: what the background is trained on, and how many
    keywords of each text are terms. Texts in `leave_out` are not part of this scale.
    """

    texts: tuple[str, ...]
    dimension: Count
    keywords: Count
    leave_out: tuple[str, ...] = ()
    hyperparameters: Settings = field(default_factory=dict)


class ConsistencyTextEntry(Table, frozen=True, kw_only=True):
    """[[texts]]: a text or published samples under a name; `replaces` is the paper's text."""

    name: str
    source: str
    split: Literal["random", "halves"] = "random"
    replaces: str = ""


class TermModelEntry(Table, frozen=True, kw_only=True):
    """[[term_models]]: a model of terms with settings under the paper's name."""

    name: str
    model: str
    settings: Settings = field(default_factory=dict)


class ConsistencyPaper(Paper, frozen=True, kw_only=True, tag="consistency"):
    """A paper that measures the consistency of vectors from small texts.

    `models` has one model, the background.
    """

    scales: dict[str, ConsistencyScale]
    texts: tuple[ConsistencyTextEntry, ...]
    term_models: tuple[TermModelEntry, ...]
    claims: tuple[ConsistencyClaim | TermModelOrderClaim | SizeOrderClaim | NumberClaim, ...]

    def __post_init__(self) -> None:
        texts = [each.name for each in self.texts]
        models = [each.name for each in self.term_models]
        for index, claim in enumerate(self.claims):
            if claim.not_run:
                continue
            if isinstance(claim, ConsistencyClaim):
                self.check_name("text", claim.row, texts, index)
                self.check_name("model", claim.model, models, index)
            if isinstance(claim, SizeOrderClaim):
                self.check_name("text", claim.column, texts, index)
                self.check_name("model", claim.row, models, index)
            if isinstance(claim, TermModelOrderClaim):
                self.check_name("text", claim.column, texts, index)
                for name in (claim.row, claim.below):
                    self.check_name("model", name, models, index)


def _check_claims(paper: Any) -> None:
    """Raise an error for a claim about an unknown model or evaluation."""
    is_scores = isinstance(paper, ScorePaper)
    models = paper.row_names if is_scores else [model.name for model in paper.models]
    evaluations = [evaluation.name for evaluation in paper.evaluations]
    for each in paper.evaluations:
        for name in each.average_of:
            if name not in evaluations:
                raise ValueError(f"evaluations: {UnknownName('evaluation', name, evaluations)}")
    for index, claim in enumerate(paper.claims):
        for name in _claimed_models(claim):
            paper.check_name("model", name, models, index)
        for name in _claimed_evaluations(claim):
            paper.check_name("evaluation", name, [*evaluations, ALL], index)


def _claimed_models(claim: Any) -> tuple[str, ...]:
    one = ScoreClaim | ColumnCountClaim | FrequencyAccuracyClaim | PowerLawClaim
    if isinstance(claim, one | JudgmentContrastClaim | JudgmentEqualityClaim):
        return (claim.row,)
    if isinstance(claim, SignificanceClaim):
        return claim.row, claim.below
    if isinstance(claim, FrequencyOrderClaim | JudgmentOrderClaim):
        return tuple(filter(None, (claim.row, claim.below)))
    return claim.models if isinstance(claim, RankingClaim) else ()


def _claimed_evaluations(claim: Any) -> tuple[str, ...]:
    if isinstance(claim, CorrelationClaim):
        return claim.predictor, claim.target
    if isinstance(claim, PredictorClaim):
        return claim.row, claim.column, claim.below
    if isinstance(claim, ColumnCountClaim):
        return (claim.average,)
    named = ScoreClaim | RankingClaim | SignificanceClaim
    return (claim.column,) if isinstance(claim, named) else ()


AnyPaper = SyntheticPaper | CorrelationPaper | ScorePaper | CurvePaper | ConsistencyPaper


def names() -> list[str]:
    """Return the names of the papers in this package."""
    found = (Path(file.name) for file in files("lexiscope.papers").iterdir())
    return sorted(path.stem for path in found if path.suffix == ".toml")


def load(source: str | Path) -> AnyPaper:
    """Read a paper: the name of one in this package, or the path of a TOML file."""
    name = str(source).lower()
    if name in names():
        return _included(name)
    if not is_file(str(source)):
        raise UnknownName("paper", shown(str(source)), names())
    try:
        text = Path(source).read_bytes().decode("utf-8")
    except (OSError, ValueError) as problem:
        raise BadData(f"{source}: cannot be read as UTF-8 text ({problem}).") from None
    return parse(text, str(source))


@cache
def _included(name: str) -> AnyPaper:
    return parse((files("lexiscope.papers") / f"{name}.toml").read_text("utf-8"), f"{name}.toml")


def parse(text: str, path: str) -> AnyPaper:
    """Parse and check the text of a paper file; errors name the file and the key."""
    try:
        found = tomllib.loads(text)
    except (ValueError, RecursionError) as problem:
        raise BadData(f"{path}: is not valid TOML ({problem}).") from None
    try:
        paper: AnyPaper = msgspec.convert(found, AnyPaper)
    except msgspec.ValidationError as problem:
        raise BadData(f"{path}: {_located(str(problem))}") from None
    return msgspec.structs.replace(paper, name=Path(path).stem)


def _located(problem: str) -> str:
    """Put the key first: "Expected `int` - at `$.a.b`" becomes "a.b: Expected `int`."."""
    message, _, where = problem.partition(" - at `")
    key = re.sub(r"^\$\.?", "", where.removesuffix("`"))
    message = message.rstrip(".")
    return f"{key}: {message}." if key else f"{message}."


def experiment_models(
    entries: Iterable[ModelEntry], settings: Mapping[str, Mapping[str, Any]] | None = None
) -> list[Model]:
    """Convert the models of a paper file; `settings` of a scale replace those of a model."""
    scaled = settings or {}
    return [
        Model(
            each.name, each.trainer, {**each.settings, **scaled.get(each.name, {})}, each.family,
            each.base, each.lexicon, each.repeated,
        )
        for each in entries
    ]  # fmt: skip


def scale_of(
    scales: Mapping[str, SyntheticScale]
    | Mapping[str, CorrelationScale]
    | Mapping[str, CurveScale]
    | Mapping[str, ConsistencyScale],
    name: str,
) -> Any:
    """Return the scale with this name."""
    if name not in scales:
        raise UnknownName("scale", str(name), scales)
    return scales[name]

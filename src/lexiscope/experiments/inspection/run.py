"""Inspection of embeddings: load, look up frequencies, probe, measure, summarise."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Any

from lexiscope.core.embedding import Embedding
from lexiscope.core.errors import BadUsage, NotDownloaded
from lexiscope.core.execution import Execution
from lexiscope.core.seeding import generator
from lexiscope.core.versions import versions
from lexiscope.data.inputs import Inputs
from lexiscope.data.term_lists import read_terms
from lexiscope.data.vectors.resolve import Reading, embeddings_from
from lexiscope.data.word_sets import read_tests
from lexiscope.evaluation.resolve import resolve_datasets
from lexiscope.experiments.inspection.agreement import agreements
from lexiscope.experiments.inspection.bias import bias_results
from lexiscope.experiments.inspection.cautions import cautions
from lexiscope.experiments.inspection.frequencies import Frequencies, frequencies_of, read_table
from lexiscope.experiments.inspection.neighbour_ranks import NEIGHBOURS, neighbour_ranks
from lexiscope.experiments.inspection.probe import LARGEST, THRESHOLDS, frequency_probe
from lexiscope.experiments.inspection.results import (
    Inspected,
    InspectionResults,
    TransformProbe,
)
from lexiscope.experiments.inspection.shape import norms, shape
from lexiscope.experiments.inspection.transform_effects import (
    apply_all,
    effects,
    evaluated,
    failures,
)
from lexiscope.experiments.inspection.word_map import word_map

QUERIES = "ws353"
PROBE = "frequency probe"
_FREQUENT = 10_000  # words that queries are drawn from, without WordSim-353
_DRAWN = 400


@dataclass(frozen=True)
class InspectionPlan:
    """What is inspected.

    Parameters
    ----------
    queries : sequence of str or path, optional
        Words whose neighbours are examined and that are on the map. The default is WordSim-353,
        or random frequent words if it is not downloaded.
    thresholds : sequence of int
        Thresholds of the frequency probe.
    words_per_class : int
        The largest number of frequent, and of rare, words of the probe.
    neighbours : int
        The number of neighbours of a query.
    projection : {"pca", "tsne", "umap"}
        The projection of the map.
    transforms : sequence of str
        Transforms whose effect on scores is measured, such as "centred" or "abtt=2".
    datasets : sequence
        Datasets of these evaluations; the default is every intrinsic one that is downloaded.
    bias : path or str, optional
        Word sets for association tests: a file (see `data.word_sets`) or a catalogue name.

    Examples
    --------
    >>> import lexiscope
    >>> plan = lexiscope.InspectionPlan(queries=("cat", "dog"), thresholds=(500, 100))
    >>> plan.thresholds, plan.neighbours
    ((100, 500), 1000)
    """

    queries: Sequence[str] | str | Path | None = None
    thresholds: tuple[int, ...] = THRESHOLDS
    words_per_class: int = LARGEST
    neighbours: int = NEIGHBOURS
    projection: str = "pca"
    transforms: tuple[str, ...] = ()
    datasets: tuple[Any, ...] = ()
    bias: str | Path | None = None

    def __post_init__(self) -> None:
        if not self.thresholds or min(self.thresholds) < 1:
            raise BadUsage("Thresholds are whole numbers of 1 or more.")
        object.__setattr__(self, "thresholds", tuple(sorted(set(self.thresholds))))


def inspect(
    embeddings: Any,
    *,
    plan: InspectionPlan | None = None,
    frequencies: Mapping[str, int] | str | Path | None = None,
    seed: int = 0,
    inputs: Inputs | None = None,
    execution: Execution | None = None,
) -> InspectionResults:
    """Measure what embeddings encode besides meaning: word frequency and the shape of the space.

    Parameters
    ----------
    embeddings
        A path, a catalogue name, an object, a list of these, or a dict that names them, as for
        `run`.
    plan : InspectionPlan, optional
        Query words, thresholds and the projection of the map.
    frequencies : mapping, str or Path, optional
        Counts of words, or a table of words and counts. The default is the embedding's own
        counts; without them, the order of its words, which is reported.
    seed : int, default 0
        Seed of all random numbers.
    inputs : Inputs, optional
        Where data files are, and what to do about broken rows.
    execution : Execution, optional
        Progress.

    Returns
    -------
    InspectionResults
        The frequency probe, neighbour ranks, the shape of the space, norms, a map, the agreement
        of every two embeddings and, if the plan names them, effects of transforms and association
        tests.

    Examples
    --------
    >>> import numpy as np
    >>> import lexiscope
    >>> rng = np.random.default_rng(0)
    >>> words = [f"word{n}" for n in range(400)]
    >>> vectors = rng.normal(size=(400, 10))
    >>> vectors[:200, 0] += 3  # the first words are the frequent ones
    >>> found = lexiscope.inspect({"planted": (words, vectors)},
    ...                           plan=lexiscope.InspectionPlan(thresholds=(200,)))
    >>> found.embeddings[0].source.unit
    'rank'
    >>> found.embeddings[0].probe.points[0].accuracy.value > 0.8
    True
    """
    chosen, where, how = plan or InspectionPlan(), inputs or Inputs(), execution or Execution()
    how.progress("Loading vectors", 0, 1)
    table, name = _table(frequencies if frequencies is not None else where.frequencies)
    reading = Reading(None, where.on_error, where.local_data, table)
    loaded = embeddings_from(embeddings, reading=reading)
    tests = () if chosen.bias is None else read_tests(chosen.bias, where.local_data)
    sources = [frequencies_of(each, table, name) for each in loaded]
    variants = [
        apply_all(each, chosen.transforms, source)
        for each, source in zip(loaded, sources, strict=True)
    ]
    how.progress("Loading vectors", 1, 1)
    queries, notes = _queries(chosen, where)
    runs = [
        evaluated(each, changed, chosen.datasets, seed, where, how)
        for each, changed in zip(loaded, variants, strict=True)
        if changed
    ]
    found = tuple(
        replace(
            _inspected(each, chosen, source, queries, seed, how),
            bias=bias_results(each, tests, seed),
            cautions=tuple(cautions(each, source)),
        )
        for each, source in zip(loaded, sources, strict=True)
    )
    return InspectionResults(
        found,
        tuple(agreements(loaded, sources, seed)),
        effects(loaded, variants, runs) if runs else (),
        tuple(
            _probes_after(loaded, variants, chosen, lambda e: frequencies_of(e, table, name), seed)
        ),
        tuple(chain(*map(failures, runs))),
        tuple(notes),
        _manifest(loaded, variants, chosen, seed),
    )


def _probes_after(
    loaded: Sequence[Embedding],
    variants: Sequence[Mapping[str, Embedding]],
    plan: InspectionPlan,
    known: Callable[[Embedding], Frequencies],
    seed: int,
) -> Iterator[TransformProbe]:
    """Yield the frequency probe after each transform, with the words and folds of that before."""
    for embedding, changed in zip(loaded, variants, strict=True):
        for transform, each in changed.items():
            rng = generator(seed, "inspection", PROBE)
            found = frequency_probe(each, known(each), rng, plan.thresholds, plan.words_per_class)
            yield TransformProbe(embedding.name, transform, found)


def _manifest(
    loaded: Sequence[Embedding],
    variants: Sequence[Mapping[str, Embedding]],
    plan: InspectionPlan,
    seed: int,
) -> dict[str, Any]:
    return {
        "versions": versions(),
        "seed": seed,
        "thresholds": list(plan.thresholds),
        "neighbours": plan.neighbours,
        "embeddings": [_described(each) for each in loaded],
        "transforms": [_described(each) for changed in variants for each in changed.values()],
    }


def _described(embedding: Embedding) -> dict[str, Any]:
    return {
        "name": embedding.name,
        "origin": embedding.origin,
        "fingerprint": embedding.fingerprint,
        "repairs": list(embedding.repairs),
    }


def _table(given: Mapping[str, int] | str | Path | None) -> tuple[Mapping[str, int] | None, str]:
    if given is None or isinstance(given, Mapping):
        return given, "given frequencies"
    return read_table(given), Path(given).name


def _queries(plan: InspectionPlan, inputs: Inputs) -> tuple[tuple[str, ...] | None, list[str]]:
    """The query words; None if they are drawn from each embedding."""
    if isinstance(plan.queries, str | Path):
        return read_terms(plan.queries), []
    if plan.queries is not None:
        return tuple(plan.queries), []
    from lexiscope.core.datasets.word_pairs import WordPairs

    try:
        pairs = resolve_datasets([QUERIES], [WordPairs], inputs.local_data)[0]
    except NotDownloaded:
        note = (
            f"WordSim-353 is not downloaded, so queries are {_DRAWN} random words of the "
            f"{_FREQUENT:,} most frequent. Get it with: lexiscope data get {QUERIES}"
        )
        return None, [note]
    return tuple(sorted({word.lower() for word in pairs.all_words})), []


def _inspected(
    embedding: Embedding,
    plan: InspectionPlan,
    frequencies: Frequencies,
    queries: tuple[str, ...] | None,
    seed: int,
    execution: Execution,
) -> Inspected:
    steps: list[tuple[str, Callable[..., Any]]] = [
        (PROBE, lambda rng: frequency_probe(
            embedding, frequencies, rng, plan.thresholds, plan.words_per_class)),
        ("neighbours", lambda rng: neighbour_ranks(
            embedding, frequencies, wanted, rng, plan.neighbours)),
        ("shape of the space", lambda rng: tuple(shape(embedding, frequencies, rng))),
        ("norms", lambda rng: norms(embedding, frequencies)),
        ("map", lambda rng: word_map(embedding, frequencies, wanted, plan.projection, seed)),
    ]  # fmt: skip
    wanted = queries if queries is not None else _drawn(embedding, frequencies, seed)
    found = []
    for k, (name, step) in enumerate(steps):
        execution.progress(f"{embedding.name}: {name}", k, len(steps))
        found.append(step(generator(seed, "inspection", name)))
    execution.progress(f"{embedding.name}: done", len(steps), len(steps))
    source = frequencies.source()
    return Inspected(embedding.name, len(embedding), embedding.dimension, source, *found)


def _drawn(embedding: Embedding, frequencies: Frequencies, seed: int) -> tuple[str, ...]:
    """Random frequent words of letters."""
    words = embedding.words
    pool = [w for w in (words[k] for k in frequencies.by_frequency[:_FREQUENT]) if w.isalpha()]
    rng = generator(seed, "inspection", "queries")
    return tuple(pool[k] for k in sorted(rng.permutation(len(pool))[:_DRAWN].tolist()))

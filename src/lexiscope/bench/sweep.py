"""Many trials: sample a corpus, train every model on it, ask each, store what was said.

A batch is one corpus with all models that are still to be trained on it, so that models are
compared on the same sentences. Each finished batch is stored at once; the same plan goes on from
there.
"""

import hashlib
import json
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from lexiscope.bench import backends
from lexiscope.bench.cell import generator
from lexiscope.bench.manifest import versions
from lexiscope.bench.studyplan import Criterion, Model, Probe, StudyPlan
from lexiscope.core.corpus import Corpus
from lexiscope.core.embedding import Embedding
from lexiscope.core.errors import BadUsage
from lexiscope.core.grammar import Grammar
from lexiscope.core.progress import Progress, silent
from lexiscope.stats.grammars import sample
from lexiscope.store.store import ProbeRecord, Store, TrialRecord

_LETTERS = 32  # of a SHA-256 in an id


@dataclass(frozen=True)
class Place:
    """One trial: which sentences of which grammar."""

    grammar: Grammar
    sentences: int
    seed: int
    number: int

    @property
    def names(self) -> tuple[str, ...]:
        """What all chance of this trial depends on, beside the seed."""
        return self.grammar.fingerprint, str(self.sentences), str(self.number)


class Asked(NamedTuple):
    """A question put to a model in a trial, and the id of the answer."""

    id: str
    question: str
    probe: Probe


class Order(NamedTuple):
    """A model to train in a trial, and what to ask it."""

    trial: str
    model: Model
    asked: tuple[Asked, ...]


@dataclass(frozen=True)
class Batch:
    """One corpus and the models that are trained on it."""

    place: Place
    orders: tuple[Order, ...]


Done = list[tuple[TrialRecord, list[ProbeRecord]]]


def trial_id(place: Place, model: Model) -> str:
    """What a training depends on, as a hash."""
    own = [model.trainer_name, model.trainer.version, model.settings]
    return _hashed([*place.names, place.seed, *own])


def probe_id(place: Place, model: Model, question: str, probe: Probe) -> str:
    """What the replies of a training depend on, as a hash."""
    own = [probe.name, probe.study.version, probe.settings]
    return _hashed([trial_id(place, model), question, *own])


def places(plan: StudyPlan, criterion: Criterion, point: float | None) -> list[Place]:
    """The trials of a criterion at a value of its sweep."""
    grammar = criterion.grammars[point]
    return [Place(grammar, plan.sentences, plan.seed, number) for number in range(plan.trials)]


def batches(plan: StudyPlan) -> list[Batch]:
    """All work of a plan, trial by trial, so that what is finished is worth looking at."""
    found: dict[tuple[int, str], tuple[Place, dict[str, tuple[Model, list[Asked]]]]] = {}
    for criterion in plan.criteria:
        for point in criterion.points:
            for place in places(plan, criterion, point):
                key = place.number, place.grammar.fingerprint
                _, models = found.setdefault(key, (place, {}))
                for model in plan.models:
                    asked = models.setdefault(trial_id(place, model), (model, []))[1]
                    asked += _asked(plan, criterion, place, model)
    ordered = [found[key] for key in sorted(found, key=lambda key: key[0])]
    return [
        Batch(place, tuple(Order(id_, m, tuple(asked)) for id_, (m, asked) in models.items()))
        for place, models in ordered
    ]


def _asked(plan: StudyPlan, criterion: Criterion, place: Place, model: Model) -> Iterator[Asked]:
    for probe in plan.probes_of(criterion):
        id_ = probe_id(place, model, criterion.question, probe)
        yield Asked(id_, criterion.question, probe)


def carry_out(
    plan: StudyPlan,
    store: Store,
    backend: str = "serial",
    jobs: int = 1,
    tell: Progress = silent,
) -> None:
    """Do what a plan says, except what the store has already."""
    if jobs < 1:
        raise BadUsage(f"The number of jobs must be 1 or more, found {jobs}.")
    work = batches(plan)
    todo = [open_ for batch in work if (open_ := _open(batch, store)).orders]
    total = sum(len(batch.orders) for batch in work)
    done = total - sum(len(batch.orders) for batch in todo)
    tell("Trainings", done, total)
    if not todo:
        return
    with closing(backends.named(backend)(worked, todo, jobs)) as outcomes:
        for _, outcome in outcomes:
            for trial, probes in outcome:
                store.add_trial(trial, probes)
            done += len(outcome)
            tell("Trainings", done, total)


def _open(batch: Batch, store: Store) -> Batch:
    """What of a batch is not stored yet."""
    stored = store.probed(asked.id for order in batch.orders for asked in order.asked)
    left = (
        order._replace(asked=tuple(each for each in order.asked if each.id not in stored))
        for order in batch.orders
    )
    return replace(batch, orders=tuple(order for order in left if order.asked))


def worked(batch: Batch) -> Done:
    """Sample the corpus of a batch, train its models and ask them."""
    place = batch.place
    corpus = sample(place.grammar, place.sentences, _generator(place, "corpus"))
    return [_trained(place, corpus, order) for order in batch.orders]


def _trained(place: Place, corpus: Corpus, order: Order) -> tuple[TrialRecord, list[ProbeRecord]]:
    begun, model = time.perf_counter(), order.model
    embedding = model.taught.train(corpus, _generator(place, "training"))
    seconds = time.perf_counter() - begun
    spaces = _spaces(embedding, model.settings)
    record = TrialRecord(
        order.trial, place.grammar.fingerprint, dict(place.grammar.parameters), place.sentences,
        place.seed, place.number, corpus.fingerprint, model.trainer_name, model.trainer.version,
        model.settings, embedding.fingerprint, seconds, versions(),
    )  # fmt: skip
    return record, [_probed(place, order.trial, spaces, each) for each in order.asked]


def _probed(place: Place, trial: str, spaces: dict[str, Embedding], asked: Asked) -> ProbeRecord:
    study = asked.probe.study
    rng = _generator(place, "study", asked.probe.name)
    found = study.answer(spaces[asked.probe.space], place.grammar, asked.question, rng)
    replies = tuple(zip(found.items, found.given, found.gold, strict=True))
    return ProbeRecord(
        asked.id, trial, asked.question, asked.probe.space, asked.probe.name, study.version,
        study.settings, replies,
    )  # fmt: skip


def _spaces(embedding: Embedding, settings: dict[str, Any]) -> dict[str, Embedding]:
    """The vectors of each space; a model with one space has the same in both."""
    if settings.get("space") != "both":
        return {"input": embedding, "output": embedding}
    cut = settings["dimension"]
    return {
        "input": replace(embedding, vectors=embedding.vectors[:, :cut]),
        "output": replace(embedding, vectors=embedding.vectors[:, cut:]),
    }


def _generator(place: Place, *names: str) -> Any:
    """Chance that is the same for every model of a trial."""
    return generator(place.seed, *names, *place.names)


def _hashed(parts: Sequence[Any]) -> str:
    text = json.dumps(parts, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:_LETTERS]

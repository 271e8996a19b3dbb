"""Everything that the reference numbers ask of the product: names in the code stand only here.

Each function takes plain values and gives a flat dict of numbers and words. The keys are those of
`numbers.json` and stay as they are; where the product gives a thing another name, `FORMER` says
what it is called in the file, between two strokes of a key or as a value.
"""

import hashlib
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.random import default_rng

import lexiscope
from lexiscope.cli import demo_data
from lexiscope.core.corpus import corpus
from lexiscope.core.datasets import KINDS
from lexiscope.core.datasets.properties import Properties
from lexiscope.core.embedding import Embedding
from lexiscope.core.lexicon import Lexicon
from lexiscope.core.preprocessing import PRESETS
from lexiscope.core.result import WHOLE
from lexiscope.core.vocabulary import Vocabulary
from lexiscope.evaluation.analysis.correlation import correlate
from lexiscope.evaluation.analysis.dimension_labels import label_dimensions
from lexiscope.evaluation.task_index import task_class, task_names
from lexiscope.experiments.correlation import run as correlation_experiment
from lexiscope.experiments.correlation.plan import Evaluation
from lexiscope.papers.claims import CorrelationClaim, OrderClaim, PredictorClaim, ProportionClaim
from lexiscope.papers.reproduce import Reproduction, judge, plan_for
from lexiscope.papers.schema import load as load_paper
from lexiscope.pcfg import reader as grammars
from lexiscope.pcfg.sampling import sample
from lexiscope.regression import baseline
from lexiscope.regression.check import check
from lexiscope.regression.new_baseline import create_baseline, write_baseline
from lexiscope.training.spec import trainer_names
from tests import builders

# A name in the product: the name in numbers.json.
FORMER = {
    "accuracy_all_items": "accuracy_of_all",
    "item_f1_chance_level": "item_f1_by_chance",
    "item_f1_constant": "item_f1_of_one_answer",
    "macro_f1": "mean_f1",
    "purity_chance_level": "purity_by_chance",
    "purity_std": "purity_spread",
    "qvec_chance_level": "qvec_by_chance",
    "rotation_p_value": "rotation_p",
    "entity_typing": "typing",
    "oov mean": "unknown mean",
    "oov zero": "unknown zero",
    "synonym questions": "questions",
    "not significant": "may be chance",
    "words=held out": "asks=held out",
    "among=target": "among=asked",
}

# The words of verdicts on claims of papers, and those in numbers.json.
FORMER_VERDICTS = {"undecided": "open", "unknown": "not known"}

FORMER_OUTCOMES = {
    "significantly worse": "really worse",
    "significantly better": "really better",
    "equivalent": "equivalent",
    "undecided": "not told apart",
    "not evaluated": "not answered",
}

pairs = builders.word_pairs
analogies = builders.analogies
questions = builders.synonym_questions
categories = builders.categories
preferences = builders.preferences
entities = builders.entities
sentences = builders.sentences
texts = builders.texts
phrases = builders.phrases
properties = Properties.of


# Values and keys


class Numbers(dict):
    """A flat dict; what is undefined has no entry."""

    def put(self, *names, **values):
        """Note values, each under the names and its own."""
        for name, value in values.items():
            if value is not None:
                key = "/".join([_former(str(n)) for n in (*names, name)])
                assert key not in self, key
                self[key] = _plain(value)

    def span(self, *names, of):
        """Note a value and the ends of its interval."""
        self.put(*names, value=of.value, low=of.low, high=of.high)


def _former(name):
    return FORMER.get(name, name)


def _plain(value):
    if isinstance(value, str):
        return _former(value)
    if isinstance(value, bool | int | np.integer | np.bool_):
        return int(value)
    return "not a number" if np.isnan(value) else float(value)


def sha256(*parts):
    """The hash of arrays, texts and lists."""
    digest = hashlib.sha256()
    for part in parts:
        array = isinstance(part, np.ndarray)
        digest.update(part.tobytes() if array else json.dumps(part).encode())
    return digest.hexdigest()


def hash_of(found):
    """The hash of all that is in an embedding."""
    table = found.vectors
    kept = [table] if isinstance(table, np.ndarray) else [table.data, table.indices, table.indptr]
    arrays = [np.ascontiguousarray(each) for each in kept]
    kinds = [str(each.dtype) for each in arrays]
    return sha256(list(found.words), list(table.shape), kinds, *arrays, found.counts)


def _hash_of_corpus(found):
    return sha256(list(found.vocabulary), found.tokens, found.starts, found.documents)


# Embeddings and runs


def embedding(name, words, vectors, counts=None):
    return Embedding(name, Vocabulary(tuple(words)), np.asarray(vectors, np.float32), counts)


def run(embeddings, tasks, datasets, **options):
    """The results of a run in which nothing failed."""
    found = lexiscope.run(embeddings, tasks, datasets, **options)
    assert not found.failures, found.failures
    return found


def all_of(found):
    """Scores, comparisons, controls, and what items and dimensions tell."""
    numbers = Numbers()
    for row in found.results:
        _score(numbers, row)
    for row in found.controls:
        if row.main and row.slice == WHOLE:
            _score(numbers, row)
    for each in found.comparisons:
        _comparison(numbers, each, f"{each.first} - {each.second}")
    for each in found.control_comparisons:
        _comparison(numbers, each, f"{each.first} - {each.control} control")
    for each in found.coverage:
        numbers.put("running words", each.dataset, each.embedding, known=each.known_tokens)
    for task, dataset in found.evaluations:
        apart = [d for d in found.disagreements if (d.task, d.dataset) == (task, dataset)]
        for each in apart[:1]:
            where = *_way(task), dataset, "largest disagreement"
            numbers.put(*where, item=each.item, gap=each.gap)
    for each in found.dimensions:
        where = *_way(each.task), each.dataset, each.embedding, "dimension", each.number
        numbers.put(*where, property=each.property, correlation=each.correlation)
    return numbers


def _way(variant):
    """A task and the settings that are not usual, if any: analogy, solver=LRCos."""
    task, _, settings = variant.removesuffix(")").partition(" (")
    return (task, settings) if settings else (task,)


def _score(numbers, row, *before):
    part = () if row.slice == WHOLE else (row.slice,)
    where = *before, *_way(row.variant), row.dataset, row.embedding, row.metric, *part
    numbers.span(*where, of=row)
    if row.main and row.slice == WHOLE:
        numbers.put(*where, items=row.used)


def _comparison(numbers, each, pair, *before):
    numbers.put(
        *before, *_way(each.variant), each.dataset, pair,
        difference=each.difference, low=each.low, high=each.high, p=each.p, p_holm=each.p_holm,
        p_bh=each.p_bh, detectable=each.detectable_difference,
    )  # fmt: skip


def main_of(found):
    """The tasks' own scores, and the comparisons of them."""
    numbers = Numbers()
    for row in found.main():
        _score(numbers, row)
    for each in found.comparisons:
        where = *_way(each.variant), each.dataset, f"{each.first} - {each.second}"
        numbers.put(*where, difference=each.difference, p=each.p)
    return numbers


def other_policies(found):
    """Scores under the other vocabulary policies, their ranges, and who wins instead."""
    numbers = Numbers()
    for row in found.other_policies:
        if row.slice != WHOLE:
            continue
        changed = {k: v for k, v in row.policy.items() if v != getattr(found.policy, k)}
        ((part, choice),) = changed.items()
        _score(numbers, row, f"{part} {choice}")
    for each in found.policy_ranges:
        where = "range", *_way(each.task), each.dataset, each.embedding
        numbers.put(*where, lowest=each.lowest.value, highest=each.highest.value)
    numbers.put("winner changes", number=len(found.best_changes))
    return numbers


def parts(found):
    """Scores broken down by what words are."""
    numbers = Numbers()
    for row in found.breakdowns:
        _score(numbers, row)
    return numbers


def agreements(found):
    """How far questions agree on the order of embeddings."""
    numbers, table = Numbers(), found.agreement
    for row, first in enumerate(table.evaluations):
        for column, second in enumerate(table.evaluations[:row]):
            numbers.put(first[0], second[0], spearman=table.matrix[row, column])
    return numbers


def predicted(found, same=()):
    """Which evaluation predicts which."""
    return _correlations(correlate(found, same))


def _correlations(found):
    numbers = Numbers()
    for each in found.pairs:
        where = each.dimension, f"{each.first} and {each.second}"
        for name in ("pearson", "spearman"):
            one = getattr(each, name)
            numbers.span(*where, name, of=one)
            numbers.put(*where, name, p=one.p)
        numbers.put(
            *where, p_holm=each.p_holm, verdict=each.verdict, points=each.points,
            without=each.without, without_whom=each.influential, as_points=each.as_points,
        )  # fmt: skip
    for each in found.consensus:
        _consensus(numbers, each)
    return numbers


def _consensus(numbers, each, *before):
    where = *before, each.dimension, each.evaluation, "beside the joint order"
    numbers.span(*where, of=each.spearman)
    numbers.put(*where, least=each.least, most=each.most, orders=each.orders, method=each.method)


def ways(found):
    """Where two ways to ask one question disagree."""
    numbers = Numbers()
    for each in found.solver_agreement:
        where = f"{each.first} and {each.second}", each.slice
        numbers.put(*where, spearman=each.correlation, reversals=len(each.reversals))
        for turn in each.reversals:
            pair = f"{turn.winner} - {turn.loser}"
            numbers.put(*where, pair, gain=turn.gain, loss=turn.loss, real=turn.significant)
    return numbers


def demo(name, noise=0.4, seed=0, words=None):
    """Generated vectors."""
    found = demo_data.embedding(seed, noise).named(name)
    return found if words is None else found.first(words)


def demo_datasets(seed=0):
    """All kinds of generated datasets."""
    kinds = (
        demo_data.pairs,
        demo_data.analogies,
        demo_data.synonym_questions,
        demo_data.categories,
    )
    return [kind(seed) for kind in kinds]


def examples():
    """Every task with its own example, by name."""
    return {name: task_class(name).example() for name in task_names()}


def words_of(dataset):
    """All words of a dataset, sorted."""
    return sorted(dataset.all_words)


def fingerprints():
    """What the product itself calls equal: examples of every kind."""
    numbers = Numbers()
    for kind, one in KINDS.items():
        numbers.put("dataset", kind, sha256=one.example().fingerprint)
    numbers.put("embedding", sha256=demo("a").fingerprint)
    numbers.put("corpus", sha256=corpus("text", [["a", "b"], ["b", "c", "b"]]).fingerprint)
    numbers.put("lexicon", sha256=Lexicon("ties", {"a": ("b", "c")}).fingerprint)
    for name in grammars.names():
        numbers.put("grammar", name, sha256=grammars.read(name).fingerprint)
    return numbers


def columns(dataset):
    """The columns of a dataset as lists, in order."""
    return [getattr(dataset, column).tolist() for column in dataset.columns()]


def near(found, places, number):
    """The nearest words of the words at these places."""
    numbers, words = Numbers(), [found.words[place] for place in places]
    for word, row in lexiscope.neighbours(found, words, number).items():
        for rank, (other, cosine) in enumerate(row, 1):
            numbers.put(found.name, word, rank, word=other, cosine=cosine)
    return numbers


def dimensions(found, dataset, **options):
    """What the dimensions of an embedding stand for."""
    numbers, found_labels = Numbers(), label_dimensions(found, dataset, **options)
    numbers.put(
        "score", value=found_labels.score, words=found_labels.words, of=found_labels.total,
        rotated=found_labels.rotated,
        low=found_labels.low, high=found_labels.high, p=found_labels.p,
    )  # fmt: skip
    for number, each in enumerate(found_labels.labels):
        numbers.put(
            number, property=each.property, correlation=each.correlation, words=" ".join(each.words)
        )
    return numbers


# Texts and trainers


def text_from(lists, documents):
    """A corpus from lists of words; `documents` are where documents begin and end."""
    return replace(corpus("text", lists), documents=np.array(documents, np.int64))


def prepared(path):
    """The corpus of a file under every preset."""
    numbers = Numbers()
    for name in PRESETS:
        found = lexiscope.read_corpus(path, name, min_count=2)
        numbers.put(name, sha256=_hash_of_corpus(found), tokens=len(found))
    return numbers


def lexicon(ties):
    return Lexicon("ties", ties)


def trainers():
    """The names of all trainers."""
    return trainer_names()


# The reference was recorded with these defaults; those of the authors' programs came later.
FORMER_DEFAULTS = {
    "hpca": {"contexts": 10_000, "eigen": 1.0, "center": True},
    "retrofit": {"normalize": False},
    "tscca": {"sqrt_counts": False},
}
# The window that attention had in the experiment of the paper, and retrofitting as above.
FORMER_MODELS = {"attention": {"window": 5}, "retrofit": FORMER_DEFAULTS["retrofit"]}


def trained(trainer, text, settings, seed):
    """What a trainer makes, under its name."""
    settings = {**FORMER_DEFAULTS.get(trainer, {}), **settings}
    return lexiscope.train(trainer, text, seed=seed, name=trainer, **settings)


# Made languages


def sampled(number, seed):
    """The corpus of every grammar that comes with the product."""
    numbers = Numbers()
    for name in grammars.names():
        found = sample(grammars.read(name), number, default_rng(seed))
        numbers.put(name, sha256=_hash_of_corpus(found), tokens=len(found))
    return numbers


def reproduced(**options):
    """The reproduction of a paper on synthetic languages."""
    return _studied(lexiscope.reproduce("s0", **options))


def studied(grammar, **options):
    """A grammar of one's own through the same models."""
    return _studied(lexiscope.probe(grammar, **options))


def _studied(found):
    numbers = Numbers()
    results = found.results if isinstance(found, Reproduction) else found
    for each in results.scores:
        at = () if each.at is None else (f"at {each.at:g}",)
        where = each.criterion, *_way(each.variant), each.model, *at
        numbers.span(*where, of=each)
    for each in results.facets:
        for name in ("accurate", "consistent"):
            where = "facets", each.criterion, each.model, each.label, name
            numbers.span(*where, of=getattr(each, name))
    for each in results.comparisons:
        _comparison(numbers, each, f"{each.first} - {each.second}", "comparisons")
    if results is not found:
        _claims(numbers, [each for each in found.verdicts if each.verdict != "not run"])
    return numbers


def _claims(numbers, verdicts):
    proportions = [each for each in verdicts if isinstance(each.claim, ProportionClaim)]
    for number, each in enumerate(proportions):
        numbers.put(
            "verdicts", each.claim.column, each.claim.row, number,
            verdict=FORMER_VERDICTS.get(each.verdict, each.verdict), alike=each.matching_trials,
            ours=each.ours.value,
        )  # fmt: skip
    for each in verdicts:
        if isinstance(each.claim, OrderClaim):
            pair = f"{each.claim.row} - {each.claim.below}"
            verdict = FORMER_VERDICTS.get(each.verdict, each.verdict)
            where = "orders", each.claim.column, pair
            numbers.put(*where, verdict=verdict, difference=each.ours.value)


# Which evaluation predicts which, as a paper did it


def validated(folder, text, ties, evaluations, **options):
    """The paper's plan on a text of one's own, with similarity under the names of its tasks.

    `text` and `ties` are files, `evaluations` files by name.
    """
    plan = plan_for("s3", trials=options.pop("runs"), **options)
    models = [
        replace(
            model,
            lexicon=str(ties) if model.lexicon == "wordnet+" else model.lexicon,
            settings={**model.settings, **FORMER_MODELS.get(model.trainer_name, {})},
        )
        for model in plan.models
    ]
    parts = [Evaluation(name, (("similarity", str(file)),)) for name, file in evaluations.items()]
    plan = replace(
        plan, texts=(str(text),), models=tuple(models), evaluations=tuple(parts),
        preprocessing={"min_count": 1},
    )  # fmt: skip
    found = correlation_experiment.run(plan, Path(folder) / "vectors")
    numbers = Numbers()
    for scored in found.correlations.scored:
        for name, row in zip(scored.embeddings, scored.values, strict=True):
            values = dict(zip(scored.evaluations, row.tolist(), strict=True))
            numbers.put("scores", name, **values)
    numbers |= {f"pairs/{key}": value for key, value in _correlations(found.correlations).items()}
    for each in found.consensus:
        _consensus(numbers, each, "all tasks")
    for dimension, rankings in found.rankings.items():
        numbers.put("joint orders", dimension, orders="; ".join(" ".join(r) for r in rankings))
    for each in judge(load_paper("s3"), found):
        if isinstance(each.claim, CorrelationClaim):
            _correlation_claim(numbers, each, plan)
        elif isinstance(each.claim, PredictorClaim) and each.verdict != "not run":
            where = "rivals", f"{each.claim.below} for {each.claim.column}"
            verdict = FORMER_VERDICTS.get(each.verdict, each.verdict)
            numbers.put(*where, verdict=verdict, printed=each.claim.value)
            numbers.span(*where, of=each.ours)
    return numbers


def _correlation_claim(numbers, each, plan):
    claim = each.claim
    if claim.dimension_specific and claim.dimension not in plan.dimensions:
        return
    if (claim.table, claim.predictor) == ("Table 4", "QVEC"):
        return  # also in table 3
    pair = f"{claim.predictor} and {claim.target}"
    table = claim.table.replace("Table ", "")
    where = "verdicts", f"table {table}", pair, claim.metric, claim.dimension
    every = each.secondary.get("all runs")
    verdict = FORMER_VERDICTS.get(each.verdict, each.verdict)
    numbers.put(*where, verdict=verdict, apart=each.p_value, found=every and every.value)
    numbers.span(*where, of=each.ours)
    if "base models" in each.secondary:
        numbers.span(*where, "bases", of=each.secondary["base models"])


# A new embedding against the one in use


def checked(folder, old, new, files, rules):
    """New embeddings against a baseline with stored predictions, then against one with scores only.

    "answers" is what the keys of `numbers.json` call the stored predictions.
    """
    path, numbers = Path(folder) / "baseline.json", Numbers()
    results, predictions, sources = create_baseline(
        [old], (), list(map(str, files)), lexiscope.Inputs(), lexiscope.Execution()
    )
    for kind, kept in (("answers", predictions), ("scores only", [])):
        write_baseline(path, results.to_dict(), kept, sources)
        _checked(numbers, kind, path, new, rules)
    return numbers


def _checked(numbers, kind, path, new, rules):
    found = check(new, baseline.read(path), rules, lexiscope.Inputs(), lexiscope.Execution())
    for each in found.evaluations:
        where = kind, *_way(each.task), each.dataset, each.embedding
        fails = ", ".join(each.fails)
        verdict = FORMER_OUTCOMES.get(each.verdict, each.verdict)
        before, now = each.baseline_score, each.score
        numbers.put(*where, before=before, now=now, verdict=verdict, fails=fails)
        if each.comparison is not None:
            c = each.comparison
            numbers.put(
                *where, difference=c.difference, low=c.low, high=c.high, p=c.p, p_holm=c.p_holm,
                p_bh=c.p_bh, detectable=c.detectable_difference,
            )  # fmt: skip

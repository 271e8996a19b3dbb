"""Chunking of CoNLL-2000, with and without GloVe 50d: CRFsuite and ours, seconds of the processor.

Both have the same features, objective, steps and order of sentences. Each side runs once, because
CRFsuite takes minutes. The first call in a process, which compiles or loads kernels, is not timed.
"""

import ctypes
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pycrfsuite

import lexiscope
import material
from lexiscope.core.datasets.base import word_array
from lexiscope.core.datasets.texts import Sentences
from lexiscope.learners.crf.features import add_vectors, encode
from lexiscope.learners.crf.training import CrfSettings, Model, tag, train
from lexiscope.linalg.normalization import normalize_rows
from lexiscope.metrics.chunk_f1 import chunk_f1

_EPOCHS, _NEIGHBOURS, _C2, _SEED = 30, 2, 0.125, 0
_WORDS = ((-2,), (-1,), (0,), (1,), (2,), (-1, 0), (0, 1))
_POS = (*_WORDS[:5], (-2, -1), (-1, 0), (0, 1), (1, 2), (-2, -1, 0), (-1, 0, 1), (0, 1, 2))


def compare(rounds: int) -> Iterator[dict[str, Any]]:
    """Yield a result without vectors, and one with."""
    items = material.dataset("conll2000")
    words = sorted(items.all_words)
    known = lexiscope.load("glove-6b-50d")
    vectors = np.zeros((len(words), known.dimension))
    indices = known.vocabulary.find(words)
    vectors[indices >= 0] = normalize_rows(known.vectors[indices[indices >= 0]].astype(float))
    _ours(items.take(np.arange(2)), words, vectors, 1)
    for what, table in (("no vectors", None), ("GloVe 50d", vectors)):
        results = {
            name: _timed(run, items, words, table, _EPOCHS)
            for name, run in (("ours", _ours), ("crfsuite", _crfsuite))
        }
        yield {
            "what": f"chunking, CoNLL-2000, {what}, {_EPOCHS} epochs, processor time",
            **{f"{name}_{key}": v for name, found in results.items() for key, v in found.items()},
            "times_faster": round(
                results["crfsuite"]["seconds"] / results["ours"]["seconds"], 2
            ),
        }  # fmt: skip


def _timed(run: Any, items: Sentences, *arguments: Any) -> dict[str, float]:
    started, wall = time.process_time(), time.perf_counter()
    predicted, loss = run(items, *arguments)
    return {
        "seconds": round(time.process_time() - started, 2),
        "wall_seconds": round(time.perf_counter() - wall, 2),
        "loss": round(loss, 3),
        "f1": 100 * chunk_f1(word_array(predicted), items.tags),
    }


def _ours(items: Sentences, words: list[str], vectors: Any, epochs: int) -> tuple[list[str], float]:
    training = items.train
    assert training is not None
    sentences = encode(
        [*training.written, *items.written], [*training.pos, *items.pos], len(training)
    )
    if vectors is not None:
        lines = [*training.text, *items.text]
        rows = np.searchsorted(words, " ".join(lines).split())
        sentences = add_vectors(sentences, rows, vectors)
    settings = CrfSettings(_C2, epochs, _NEIGHBOURS, _SEED)
    orders = _orders(len(training), epochs)
    model: Model = train(sentences, training.tags.tolist(), orders, settings)
    tests = sentences._replace(starts=sentences.starts[len(training) :])
    return tag(tests, model), min(model.losses)


class _Trainer(pycrfsuite.Trainer):
    losses: list[float]

    def message(self, message: str) -> None:
        if message.startswith("Loss: "):
            self.losses.append(float(message.split()[1]))


def _crfsuite(
    items: Sentences, words: list[str], vectors: Any, epochs: int
) -> tuple[list[str], float]:
    index = {word: number for number, word in enumerate(words)}
    trainer = _Trainer(
        algorithm="l2sgd",
        params={
            "c2": _C2,
            "max_iterations": epochs,
            "calibration.eta": 0.1,
            "calibration.max_trials": 1,
            "feature.possible_states": True,
            "feature.possible_transitions": True,
            # Else components of vectors whose values have a negative sum get no weights.
            "feature.minfreq": -1e30,
        },
    )
    trainer.losses = []
    training = items.train
    assert training is not None
    for features, tags in zip(_features(training, index, vectors), training.tags, strict=True):
        trainer.append(features, tags.split())
    _library().srand(_SEED)
    with tempfile.TemporaryDirectory() as folder:
        trainer.train(str(Path(folder, "model")))
        tagger = pycrfsuite.Tagger()
        tagger.open(str(Path(folder, "model")))
        predicted = [" ".join(tagger.tag(rows)) for rows in _features(items, index, vectors)]
    return predicted, trainer.losses[-1]


def _features(items: Sentences, index: dict[str, int], vectors: Any) -> Iterator[list[Any]]:
    for written, pos, text in zip(items.written, items.pos, items.text, strict=True):
        columns = (("w", written.split(), _WORDS), ("p", pos.split(), _POS))
        length = len(columns[0][1])
        rows = [_named(columns, at, length) for at in range(length)]
        if vectors is not None:
            table = vectors[[index[word] for word in text.split()]].tolist()
            for at, row in enumerate(rows):
                for step in range(-_NEIGHBOURS, _NEIGHBOURS + 1):
                    if 0 <= at + step < length:
                        row |= {f"v[{step}]{k}": x for k, x in enumerate(table[at + step])}
        yield rows


def _named(columns: Any, at: int, length: int) -> dict[str, float]:
    names = {
        f"{kind}{template}={'|'.join([values[at + step] for step in template])}": 1.0
        for kind, values, templates in columns
        for template in templates
        if at + template[0] >= 0 and at + template[-1] < length
    }
    return names | ({"first": 1.0} if at == 0 else {}) | ({"last": 1.0} if at + 1 == length else {})


def _orders(sentences: int, epochs: int) -> list[Any]:
    """The orders in which CRFsuite visits the sentences, with the generator of the C library."""
    library, found = _library(), []
    library.srand(_SEED)
    order = np.arange(sentences)
    for _ in range(1 + epochs):  # the search for a learning rate shuffles once
        for i in range(sentences):
            j = library.rand() % sentences
            order[i], order[j] = order[j], order[i]
        found.append(order.copy())
    return found[1:]


def _library() -> ctypes.CDLL:
    return ctypes.CDLL(None)

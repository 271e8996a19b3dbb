"""Helpers for the tests of pitfalls: stored predictions, and embeddings with given cosines."""

import tempfile
from pathlib import Path

import numpy as np

import lexiscope
from lexiscope.core.embedding import embedding
from lexiscope.core.execution import Execution
from lexiscope.store.store import Store
from tests.builders import word_pairs


def predictions_of(source, task, items, **more):
    """The predictions of one embedding by item; items that are not covered are absent."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "store.sqlite"
        results = lexiscope.run(source, task, items, execution=Execution(path), **more)
        assert not results.failures
        with Store(path) as store:
            items, predicted = store.predictions(results.results[0].cell)
    return dict(zip(items.tolist(), predicted.tolist(), strict=True))


def scores(results):
    """Values on whole datasets by embedding and metric."""
    return {(r.embedding, r.metric): r.value for r in results if r.slice == "all"}


def with_cosines(name, cosines, lefts=None):
    """An embedding in which the k-th pair has the k-th cosine; see `pairs_for`."""
    lefts = list(dict.fromkeys(lefts or [f"l{k}" for k in range(len(cosines))]))
    rights = [[cosine, np.sqrt(1 - cosine**2)] for cosine in cosines]
    words = [*lefts, *(f"r{k}" for k in range(len(cosines)))]
    return embedding(name, words, [*([1, 0] for _ in lefts), *rights])


def pairs_for(ratings, lefts=None, name="pairs"):
    """The pairs of `with_cosines`: the k-th left word and r<k>, by default each word once."""
    lefts = lefts or [f"l{k}" for k in range(len(ratings))]
    rows = zip(lefts, (f"r{k}" for k in range(len(ratings))), ratings, strict=True)
    return word_pairs(*rows, name=name)

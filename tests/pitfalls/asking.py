"""What the tests of pitfalls share: stored answers, and embeddings that say given cosines."""

import tempfile
from pathlib import Path

import numpy as np

import lexiscope
from lexiscope.core.embedding import embedding
from lexiscope.store.store import Store
from tests.making import word_pairs


def answers(source, task, items, **more):
    """What one embedding answered, by the item's place; items that were not asked are absent."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "store.sqlite"
        results = lexiscope.run(source, task, items, store=path, **more)
        assert not results.failures
        with Store(path) as store:
            places, given = store.answers(results.results[0].cell)
    return dict(zip(places.tolist(), given.tolist(), strict=True))


def scores(results):
    """Values on whole datasets by embedding and measure."""
    return {(r.embedding, r.measure): r.value for r in results if r.slice == "all"}


def saying(name, cosines, lefts=None):
    """An embedding in which the k-th pair has the k-th cosine; see `pairs_for`."""
    lefts = list(dict.fromkeys(lefts or [f"l{k}" for k in range(len(cosines))]))
    rights = [[cosine, np.sqrt(1 - cosine**2)] for cosine in cosines]
    words = [*lefts, *(f"r{k}" for k in range(len(cosines)))]
    return embedding(name, words, [*([1, 0] for _ in lefts), *rights])


def pairs_for(ratings, lefts=None, name="pairs"):
    """The pairs of `saying`: the k-th left word and r<k>; every word stands once by default."""
    lefts = lefts or [f"l{k}" for k in range(len(ratings))]
    rows = zip(lefts, (f"r{k}" for k in range(len(ratings))), ratings, strict=True)
    return word_pairs(*rows, name=name)

"""50,000 reviews of IMDB in ten folds, three embeddings: scikit-learn by hand, and ours."""

from collections.abc import Iterator
from typing import Any

import numpy as np

import clock
import lexiscope
import material
from lexiscope.data.catalogue import catalogue
from lexiscope.data.fetching import fetch
from lexiscope.data.library import Library

_VECTORS = ("glove-6b-50d", "glove-6b-50d@centred", "glove-6b-100d")


def compare(rounds: int) -> Iterator[dict[str, Any]]:
    """One line; each side once, because it takes minutes. Both do controls too."""
    for name in ("imdb-sentiment", "glove-6b-50d", "glove-6b-100d"):  # reading is timed, not this
        fetch(Library(), catalogue()[name])
    found: dict[str, Any] = {}

    def ours() -> None:
        found["ours"] = lexiscope.run(list(_VECTORS), "sentiment", "imdb-sentiment")

    def on_two_cores() -> None:
        lexiscope.run(list(_VECTORS), "sentiment", "imdb-sentiment", backend="processes", jobs=2)

    def by_hand() -> None:
        found["by hand"] = list(_by_hand())

    seconds = clock.in_turns(1, ours=ours, on_two_cores=on_two_cores, by_hand=by_hand)
    results = found["ours"]
    scores = [r.value for r in results.main()]
    counts = next(
        r.value for r in results.controls
        if r.embedding == "without vectors" and r.measure == "accuracy"
    )  # fmt: skip
    yield {
        "what": "sentiment of 50,000 reviews, ten folds, three embeddings, reading and controls",
        "ours_seconds": clock.rounded(seconds["ours"]),
        "ours_on_two_cores_seconds": clock.rounded(seconds["on_two_cores"]),
        "scikit_learn_seconds": clock.rounded(seconds["by_hand"]),
        "times_faster_than_by_hand": clock.ratio(seconds["by_hand"], seconds["ours"]),
        "ours": [counts, *scores],
        "by_hand": found["by hand"],
    }


def _by_hand() -> Iterator[float]:
    """Accuracies of counts of words and of sums of vectors, and as many random ones, unpaired."""
    from sklearn.feature_extraction.text import CountVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import cross_val_score

    items = material.dataset("imdb-sentiment")
    counter = CountVectorizer(token_pattern=r"\S+")
    counts = counter.fit_transform(items.text)
    words = counter.get_feature_names_out()

    def accuracy(table: Any) -> float:
        classifier = LogisticRegression(solver="liblinear")
        return float(cross_val_score(classifier, table, items.label.astype(str), cv=10).mean())

    yield accuracy(counts)
    rng = np.random.default_rng(0)
    for name in _VECTORS:
        source, _, centred = name.partition("@")
        vectors = lexiscope.load(source)
        places = vectors.vocabulary.find(words)
        rows = vectors.vectors - (vectors.vectors.mean(axis=0) if centred else 0)
        table = np.where(places[:, None] >= 0, rows[places], 0).astype(np.float64)
        yield accuracy(counts @ table)
        accuracy(counts @ rng.normal(size=table.shape))

"""Sentiment of 50,000 IMDB reviews, ten folds, three embeddings: plain scikit-learn, and ours."""

from collections.abc import Iterator
from typing import Any

import numpy as np

import clock
import lexiscope
import material
from lexiscope.core.execution import Execution
from lexiscope.data.catalogue import catalogue
from lexiscope.data.download import fetch
from lexiscope.data.local_data import LocalData

_VECTORS = ("glove-6b-50d", "glove-6b-50d@centred", "glove-6b-100d")


def compare(rounds: int) -> Iterator[dict[str, Any]]:
    """Yield one result; each side runs once, because it takes minutes. Both include controls."""
    for name in ("imdb-sentiment", "glove-6b-50d", "glove-6b-100d"):  # downloads are not timed
        fetch(LocalData(), catalogue()[name])
    found: dict[str, Any] = {}

    def ours() -> None:
        found["ours"] = lexiscope.run(list(_VECTORS), "sentiment", "imdb-sentiment")

    def on_two_cores() -> None:
        lexiscope.run(
            list(_VECTORS),
            "sentiment",
            "imdb-sentiment",
            execution=Execution(backend="processes", n_jobs=2),
        )

    def scikit_learn() -> None:
        found["scikit-learn"] = list(_scikit_learn())

    seconds = clock.in_turns(1, ours=ours, on_two_cores=on_two_cores, scikit_learn=scikit_learn)
    results = found["ours"]
    scores = [r.value for r in results.main()]
    counts = next(
        r.value for r in results.controls
        if r.embedding == "without vectors" and r.metric == "accuracy"
    )  # fmt: skip
    yield {
        "what": "sentiment of 50,000 reviews, ten folds, three embeddings, reading and controls",
        "ours_seconds": clock.rounded(seconds["ours"]),
        "ours_on_two_cores_seconds": clock.rounded(seconds["on_two_cores"]),
        "scikit_learn_seconds": clock.rounded(seconds["scikit_learn"]),
        "times_faster_than_scikit_learn": clock.ratio(seconds["scikit_learn"], seconds["ours"]),
        "ours": [counts, *scores],
        "scikit_learn": found["scikit-learn"],
    }


def _scikit_learn() -> Iterator[float]:
    """Accuracies of bags of words and of sums of vectors; random controls are computed as well."""
    from sklearn.feature_extraction.text import CountVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import cross_val_score

    items = material.dataset("imdb-sentiment")
    counter = CountVectorizer(token_pattern=r"\S+")
    counts = counter.fit_transform(items.text)
    words = counter.get_feature_names_out()

    def accuracy(features: Any) -> float:
        classifier = LogisticRegression(solver="liblinear")
        return float(cross_val_score(classifier, features, items.label.astype(str), cv=10).mean())

    yield accuracy(counts)
    rng = np.random.default_rng(0)
    for name in _VECTORS:
        source, _, centred = name.partition("@")
        vectors = lexiscope.load(source)
        indices = vectors.vocabulary.find(words)
        rows = vectors.vectors - (vectors.vectors.mean(axis=0) if centred else 0)
        features = np.where(indices[:, None] >= 0, rows[indices], 0).astype(np.float64)
        yield accuracy(counts @ features)
        accuracy(counts @ rng.normal(size=features.shape))

"""Exact 10 nearest neighbours of 10,000 words: gensim in a loop, a flat faiss index, and ours."""

from collections.abc import Iterator
from typing import Any

import numpy as np

import clock
import material
from lexiscope.linalg.neighbours import nearest

_QUERIES, _NUMBER, _SAMPLE = 10_000, 10, 200


def compare(rounds: int) -> Iterator[dict[str, Any]]:
    """Yield one result."""
    import faiss
    from gensim.models import KeyedVectors

    embedding = material.glove100()
    queries = np.random.default_rng(0).choice(len(embedding), _QUERIES, replace=False)
    gensim = KeyedVectors(embedding.dimension)
    gensim.add_vectors(list(embedding.words), embedding.vectors)
    gensim.fill_norms()
    normalised = embedding.vectors / embedding.lengths[:, None]
    index = faiss.IndexFlatIP(embedding.dimension)
    index.add(normalised)
    found: dict[str, Any] = {}

    def ours() -> None:
        found["ours"] = nearest(embedding.vectors, queries, _NUMBER)

    def with_faiss() -> None:
        found["faiss"] = index.search(normalised[queries], _NUMBER + 1)

    def with_gensim() -> None:
        words = [embedding.words[q] for q in queries[:_SAMPLE].tolist()]
        found["gensim"] = [[w for w, _ in gensim.most_similar(w, topn=_NUMBER)] for w in words]

    ours()
    seconds = clock.in_turns(rounds, ours=ours, faiss=with_faiss, gensim=with_gensim)
    scaled = [s * _QUERIES / _SAMPLE for s in seconds["gensim"]]
    near = [[embedding.words[i] for i in row] for row in found["ours"].indices[:_SAMPLE].tolist()]
    same = np.mean([len({*a} & {*b}) / _NUMBER for a, b in zip(near, found["gensim"], strict=True)])
    yield {
        "what": f"{_NUMBER} nearest of {_QUERIES:,} words",
        "vectors": f"{len(embedding):,} x {embedding.dimension}",
        "ours_seconds": clock.rounded(seconds["ours"]),
        "faiss_seconds": clock.rounded(seconds["faiss"]),
        "gensim_seconds_scaled": clock.rounded(scaled),
        "times_faster_than_gensim": clock.ratio(scaled, seconds["ours"]),
        "times_faster_than_faiss": clock.ratio(seconds["faiss"], seconds["ours"]),
        "same_neighbours_as_gensim": float(same),
    }

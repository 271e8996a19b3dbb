"""All Google analogies: gensim's evaluate_word_analogies and ours, over the same candidates.

gensim is timed on a sample of the questions and scaled; its time for a single question (building
its dictionary) is counted once. Its predictions are compared question by question. gensim has no
evaluation with 3CosMul, so ours is compared with its time for 3CosAdd.
"""

import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
from gensim.models import KeyedVectors

import clock
import material
from lexiscope.core.policy import Policy
from lexiscope.data.datasets import read
from lexiscope.tasks.analogy import Analogy

_EVERY = 50


def compare(rounds: int) -> Iterator[dict[str, Any]]:
    """Yield a result per embedding and solver."""
    questions = read("analogies", material.questions(), "google").map_words(Policy().normalise)
    for embedding in material.both():
        covered = questions.take(questions.covered_by(embedding.vocabulary))
        gensim = KeyedVectors(embedding.dimension)
        gensim.add_vectors(list(embedding.words), embedding.vectors)
        gensim.fill_norms()
        sample = np.arange(0, len(covered), _EVERY)
        theirs, one = _runner(covered, sample, gensim), _runner(covered, sample[:1], gensim)
        for solver in ("3CosAdd", "3CosMul"):
            task = Analogy(solver=solver)  # type: ignore[arg-type]
            predicted = task.predict(
                embedding, covered, np.random.default_rng(0)
            ).predicted  # compiles, too
            seconds = clock.in_turns(
                rounds,
                ours=partial(task.predict, embedding, covered, np.random.default_rng(0)),
                gensim=theirs,
                once=one,
            )
            growth = (len(covered) - 1) / (len(sample) - 1)
            scaled = [
                once + (many - once) * growth
                for many, once in zip(seconds["gensim"], seconds["once"], strict=True)
            ]
            yield {
                "what": f"google analogies, {solver}",
                "vectors": f"{len(embedding):,} x {embedding.dimension}",
                "questions": len(covered),
                "ours_seconds": clock.rounded(seconds["ours"]),
                "gensim_seconds_scaled": clock.rounded(scaled),
                "times_faster": clock.ratio(scaled, seconds["ours"]),
                "same_predictions": _agreement(
                    predicted[sample], covered.take(_mask(sample, covered)), gensim
                )
                if solver == "3CosAdd"
                else None,
                "accuracy": float(np.mean(predicted == covered.answer)),
            }


def _mask(sample: Any, covered: Any) -> Any:
    mask = np.zeros(len(covered), bool)
    mask[sample] = True
    return mask


def _runner(covered: Any, sample: Any, gensim: KeyedVectors) -> Callable[[], None]:
    with tempfile.NamedTemporaryFile("w", suffix=".txt", delete=False) as file:
        file.write(": sample\n")
        for i in sample.tolist():
            file.write(f"{covered.a[i]} {covered.b[i]} {covered.c[i]} {covered.answer[i]}\n")

    def run() -> None:
        gensim.evaluate_word_analogies(file.name, restrict_vocab=len(gensim))

    return run


def _agreement(predicted: Any, covered: Any, gensim: KeyedVectors) -> float:
    """The proportion of questions with the same prediction as gensim's."""
    same = 0
    for a, b, c, prediction in zip(covered.a, covered.b, covered.c, predicted, strict=True):
        same += gensim.most_similar(positive=[b, c], negative=[a], topn=1)[0][0] == prediction
    return same / len(predicted)

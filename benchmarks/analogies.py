"""All Google questions: gensim's evaluate_word_analogies against ours, over the same candidates.

gensim is timed on a sample of the questions and scaled, its time for a single question (building
its dictionary) being counted once; its answers are compared question by question. gensim has no
3CosMul evaluation, so ours is set against gensim's 3CosAdd time.
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
    """A line per embedding and solver."""
    questions = read("analogies", material.questions(), "google").respelt(Policy().spelling)
    for embedding in material.both():
        asked = questions.take(questions.covered_by(embedding.vocabulary))
        gensim = KeyedVectors(embedding.dimension)
        gensim.add_vectors(list(embedding.words), embedding.vectors)
        gensim.fill_norms()
        sample = np.arange(0, len(asked), _EVERY)
        theirs, one = _runner(asked, sample, gensim), _runner(asked, sample[:1], gensim)
        for solver in ("3CosAdd", "3CosMul"):
            task = Analogy(solver=solver)  # type: ignore[arg-type]
            given = task.answer(embedding, asked, np.random.default_rng(0)).given  # compiles, too
            seconds = clock.in_turns(
                rounds,
                ours=partial(task.answer, embedding, asked, np.random.default_rng(0)),
                gensim=theirs,
                once=one,
            )
            growth = (len(asked) - 1) / (len(sample) - 1)
            scaled = [
                once + (many - once) * growth
                for many, once in zip(seconds["gensim"], seconds["once"], strict=True)
            ]
            yield {
                "what": f"google analogies, {solver}",
                "vectors": f"{len(embedding):,} x {embedding.dimension}",
                "questions": len(asked),
                "ours_seconds": clock.rounded(seconds["ours"]),
                "gensim_seconds_scaled": clock.rounded(scaled),
                "times_faster": clock.ratio(scaled, seconds["ours"]),
                "same_answers": _agreement(given[sample], asked.take(_mask(sample, asked)), gensim)
                if solver == "3CosAdd"
                else None,
                "accuracy": float(np.mean(given == asked.answer)),
            }


def _mask(sample: Any, asked: Any) -> Any:
    mask = np.zeros(len(asked), bool)
    mask[sample] = True
    return mask


def _runner(asked: Any, sample: Any, gensim: KeyedVectors) -> Callable[[], None]:
    with tempfile.NamedTemporaryFile("w", suffix=".txt", delete=False) as file:
        file.write(": sample\n")
        for i in sample.tolist():
            file.write(f"{asked.a[i]} {asked.b[i]} {asked.c[i]} {asked.answer[i]}\n")

    def run() -> None:
        gensim.evaluate_word_analogies(file.name, restrict_vocab=len(gensim))

    return run


def _agreement(given: Any, asked: Any, gensim: KeyedVectors) -> float:
    """The share of questions with the very answer that gensim's search gives."""
    same = 0
    for a, b, c, answer in zip(asked.a, asked.b, asked.c, given, strict=True):
        same += gensim.most_similar(positive=[b, c], negative=[a], topn=1)[0][0] == answer
    return same / len(given)

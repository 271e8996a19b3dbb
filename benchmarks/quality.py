"""How good the vectors are that train.py measures the speed of, over many seeds, beside gensim's.

`python benchmarks/quality.py --seeds 8 [--output FILE]` trains skip-gram and CBOW with gensim and
with ours, 5 epochs, dimension 100, window 5, 5 negatives, subsampling 1e-3, on the registry mix
and, where NOVELS names them, on novels. Scores go to FILE as they come; a run that was stopped goes
on.
Then means over seeds, with Welch's test of the difference, Holm's correction over all of a text.
"""

import argparse
import json
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from scipy.stats import ttest_ind

from lexiscope.bench.training import trainer_class
from lexiscope.core.corpus import Corpus
from lexiscope.core.policy import Policy
from lexiscope.data.catalogue import catalogue
from lexiscope.data.datasets import read
from lexiscope.data.fetching import fetch
from lexiscope.data.library import Library
from lexiscope.stats.many import holm
from lexiscope.stats.measures import spearman
from lexiscope.tasks.analogy import Analogy
from lexiscope.tasks.similarity import Similarity
from material import folder
from texts import as_lines, mix, novels

QUESTIONS = {
    "ws353": "pairs",
    "men": "pairs",
    "simlex999": "pairs",
    "google-analogies": "analogies",
}
EPOCHS = 5
MODELS: dict[str, tuple[str, dict[str, Any]]] = {
    "gensim skip-gram": ("gensim", {"sg": 1, "alpha": 0.025}),
    "skipgram": ("skipgram", {}),
    "skipgram, 1 shard": ("skipgram", {"shards": 1}),
    "skipgram, 4 shards": ("skipgram", {"shards": 4}),
    "skipgram, racing": ("skipgram", {"racing": True}),
    "gensim CBOW": ("gensim", {"sg": 0, "alpha": 0.05}),
    "cbow": ("cbow", {}),
    "cbow, 1 shard": ("cbow", {"shards": 1}),
    "cbow, 4 shards": ("cbow", {"shards": 4}),
    "cbow, racing": ("cbow", {"racing": True}),
}
PEERS = {name: "gensim skip-gram" if "skip" in name else "gensim CBOW" for name in MODELS}


def main() -> None:
    """Train what is not trained yet, and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=8)
    parser.add_argument("--only", help="models whose names hold this")
    parser.add_argument("--text", choices=["mix", "novels"], help="one text instead of both")
    parser.add_argument("--output", type=Path, default=folder() / "quality.jsonl")
    chosen = parser.parse_args()
    texts = {"mix": mix, "novels": novels}
    for text in filter(None, (texts[name]() for name in texts if chosen.text in (None, name))):
        for line in _missing(text, chosen.seeds, chosen.only or "", _known(chosen.output)):
            with chosen.output.open("a", encoding="utf-8") as file:
                file.write(json.dumps(line) + "\n")
            print(json.dumps(line), file=sys.stderr, flush=True)
        found = [line for line in _known(chosen.output) if line["text"] == _label(text)]
        print(table(text, found))


def _label(text: Corpus) -> str:
    return f"{len(text):,} tokens, {len(text.vocabulary):,} words"


def _known(path: Path) -> list[dict[str, Any]]:
    return (
        [json.loads(line) for line in path.read_text("utf-8").splitlines()] if path.exists() else []
    )


def _missing(
    text: Corpus, seeds: int, only: str, known: list[dict[str, Any]]
) -> Iterator[dict[str, Any]]:
    done = {(line["text"], line["model"], line["seed"]) for line in known}
    for seed in range(seeds):
        for model, (kind, settings) in MODELS.items():
            key = _label(text), model, seed
            if only in model and key not in done:
                begun = time.perf_counter()
                vectors = _trained(text, kind, settings, seed)
                seconds = round(time.perf_counter() - begun, 1)
                yield {
                    **dict(zip(("text", "model", "seed"), key, strict=True)),
                    "seconds": seconds,
                    **scores(text, vectors),
                }


def _trained(text: Corpus, kind: str, settings: dict[str, Any], seed: int) -> np.ndarray:
    if kind != "gensim":
        trainer = trainer_class(kind)(epochs=EPOCHS, **settings)
        return trainer.train(text, np.random.default_rng(seed)).vectors
    from gensim.models import Word2Vec

    model = Word2Vec(
        corpus_file=str(as_lines(text)),
        min_count=1,
        epochs=EPOCHS,
        workers=1,
        seed=seed + 1,
        **settings,
    )
    return model.wv[list(text.vocabulary.words)]


def scores(text: Corpus, vectors: np.ndarray) -> dict[str, float]:
    """Spearman's correlation with people's ratings, and the share of analogies that are right."""
    embedding = text.embedding("trained", np.ascontiguousarray(vectors, np.float32))
    found = {}
    for name, kind in QUESTIONS.items():
        items = read(kind, fetch(Library(), catalogue()[name])[0], name).respelt(Policy().spelling)
        items = items.take(items.covered_by(text.vocabulary))
        task = Similarity() if kind == "pairs" else Analogy()
        answers = task.answer(embedding, items, np.random.default_rng(0))
        right = np.asarray(answers.given) == np.asarray(answers.gold)
        score = spearman(answers.given, answers.gold) if kind == "pairs" else right.mean()
        found[name] = round(float(score), 5)
    return found


def table(text: Corpus, lines: list[dict[str, Any]]) -> str:
    """Means and standard deviations over seeds; differences to gensim's with Holm's p."""
    found = {
        (model, name): np.array([line[name] for line in lines if line["model"] == model])
        for model in MODELS
        for name in QUESTIONS
    }
    rows = [f"{text!r}", f"| model | seeds | {' | '.join(QUESTIONS)} |", "|---" * 6 + "|"]
    for model in MODELS:
        cells = [
            f"{found[model, n].mean():.4f} ({found[model, n].std(ddof=1):.4f})" for n in QUESTIONS
        ]
        rows.append(f"| {model} | {len(found[model, 'ws353'])} | {' | '.join(cells)} |")
    ours = [(model, name) for model in MODELS if PEERS[model] != model for name in QUESTIONS]
    tests = [ttest_ind(found[key], found[PEERS[key[0]], key[1]], equal_var=False) for key in ours]
    for key, p, test in zip(ours, holm([t.pvalue for t in tests]), tests, strict=True):
        low, high = test.confidence_interval()
        difference = found[key].mean() - found[PEERS[key[0]], key[1]].mean()
        rows.append(
            f"{key[0]} - gensim, {key[1]}: {difference:+.4f} ({low:+.4f} to {high:+.4f}), p {p:.3f}"
        )
    return "\n".join(rows)


if __name__ == "__main__":
    main()

"""Quality of the predictive trainers compared with gensim, over several seeds.

`python benchmarks/quality.py --seeds 8 [--output FILE]` trains skip-gram and CBOW with gensim and
with lexiscope, and the other predictive models, with dimension 100, window 5, 5 negative samples
and subsampling 1e-3. The corpora are the registry mix, WikiText-2 and, if NOVELS is set, the
novels in that folder. Scores are appended to FILE at once, so that an interrupted run continues.
It prints means over seeds, and Welch's t-tests of the differences, Holm-corrected per corpus.
"""

import argparse
import json
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scipy.stats import ttest_ind

from lexiscope.core.corpus import Corpus
from lexiscope.core.policy import Policy
from lexiscope.data.catalogue import catalogue
from lexiscope.data.datasets import read
from lexiscope.data.download import fetch
from lexiscope.data.local_data import LocalData
from lexiscope.metrics.correlation import spearman
from lexiscope.stats.multiple_comparisons import holm
from lexiscope.tasks.analogy import Analogy
from lexiscope.tasks.similarity import Similarity
from lexiscope.training.spec import trainer_class
from material import folder
from texts import as_lines, mix, novels, wikitext

DATASETS = {
    "ws353": "pairs",
    "men": "pairs",
    "simlex999": "pairs",
    "google-analogies": "analogies",
}
MODELS: dict[str, tuple[str, dict[str, Any]]] = {
    "gensim skip-gram": ("gensim", {"sg": 1, "alpha": 0.025}),
    "skipgram": ("skipgram", {}),
    "skipgram, 1 shard": ("skipgram", {"shards": 1}),
    "skipgram, 4 shards": ("skipgram", {"shards": 4}),
    "skipgram, hogwild": ("skipgram", {"hogwild": True}),
    "gensim CBOW": ("gensim", {"sg": 0, "alpha": 0.05}),
    "cbow": ("cbow", {}),
    "cbow, 1 shard": ("cbow", {"shards": 1}),
    "cbow, 4 shards": ("cbow", {"shards": 4}),
    "cbow, hogwild": ("cbow", {"hogwild": True}),
    "cbow, nothing shared": ("cbow", {"shared_centres": 1}),
    "structured": ("structured", {}),
    "structured, nothing shared": ("structured", {"shared_centres": 1}),
    "cwindow": ("cwindow", {}),
    "cwindow, nothing shared": ("cwindow", {"shared_centres": 1}),
    "lbl": ("lbl", {}),
    "attention": ("attention", {}),
    "senna": ("senna", {}),
    "pdc": ("pdc", {}),
    "hdc": ("hdc", {}),
}
# Models that gensim has too; the others are in the table without a test.
PEERS = {
    name: "gensim skip-gram" if "skip" in name else "gensim CBOW"
    for name in MODELS
    if "skip" in name or "CBOW" in name.upper()
}


def main() -> None:
    """Train what is missing, and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=8)
    parser.add_argument("--model", action="append", choices=MODELS, help="these instead of all")
    parser.add_argument("--epochs", type=int, default=5)
    parser.add_argument(
        "--text", choices=["mix", "wikitext-2", "novels"], help="one text instead of all"
    )
    parser.add_argument("--output", type=Path, default=folder() / "quality.jsonl")
    chosen = parser.parse_args()
    texts = {"mix": mix, "wikitext-2": wikitext, "novels": novels}
    for text in filter(None, (texts[name]() for name in texts if chosen.text in (None, name))):
        wanted = Wanted(chosen.seeds, chosen.model or list(MODELS), chosen.epochs)
        for line in _missing(text, wanted, _known(chosen.output)):
            with chosen.output.open("a", encoding="utf-8") as file:
                file.write(json.dumps(line) + "\n")
            print(json.dumps(line), file=sys.stderr, flush=True)
        label = _label(text, chosen.epochs)
        found = [line for line in _known(chosen.output) if line["text"] == label]
        print(table(label, found))


class Wanted(NamedTuple):
    """Seeds, models and epochs to train."""

    seeds: int
    models: list[str]
    epochs: int


def _label(text: Corpus, epochs: int) -> str:
    return f"{len(text):,} tokens, {len(text.vocabulary):,} words, {epochs} epochs"


def _known(path: Path) -> list[dict[str, Any]]:
    return (
        [json.loads(line) for line in path.read_text("utf-8").splitlines()] if path.exists() else []
    )


def _missing(text: Corpus, wanted: Wanted, known: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    done = {(line["text"], line["model"], line["seed"]) for line in known}
    for seed in range(wanted.seeds):
        for model in wanted.models:
            key = _label(text, wanted.epochs), model, seed
            if key not in done:
                start = time.perf_counter()
                vectors = _trained(text, model, wanted.epochs, seed)
                seconds = round(time.perf_counter() - start, 1)
                yield {
                    **dict(zip(("text", "model", "seed"), key, strict=True)),
                    "seconds": seconds,
                    **scores(text, vectors),
                }


def _trained(text: Corpus, model: str, epochs: int, seed: int) -> np.ndarray:
    kind, settings = MODELS[model]
    if kind != "gensim":
        trainer = trainer_class(kind)(epochs=epochs, **settings)
        return trainer.train(text, np.random.default_rng(seed)).vectors
    from gensim.models import Word2Vec

    peer = Word2Vec(
        corpus_file=str(as_lines(text)),
        min_count=1,
        epochs=epochs,
        workers=1,
        seed=seed + 1,
        **settings,
    )
    return peer.wv[list(text.vocabulary.words)]


def scores(text: Corpus, vectors: np.ndarray) -> dict[str, float]:
    """Spearman correlations with human ratings, and the accuracy of analogies."""
    embedding = text.embedding("trained", np.ascontiguousarray(vectors, np.float32))
    found = {}
    for name, kind in DATASETS.items():
        items = read(kind, fetch(LocalData(), catalogue()[name])[0], name).map_words(
            Policy().normalise
        )
        items = items.take(items.covered_by(text.vocabulary))
        task = Similarity() if kind == "pairs" else Analogy()
        result = task.predict(embedding, items, np.random.default_rng(0))
        correct = np.asarray(result.predicted) == np.asarray(result.gold)
        score = spearman(result.predicted, result.gold) if kind == "pairs" else correct.mean()
        found[name] = round(float(score), 5)
    return found


def table(label: str, lines: list[dict[str, Any]]) -> str:
    """Means and standard deviations over seeds; differences to gensim with Holm-corrected p."""
    models = [name for name in MODELS if any(line["model"] == name for line in lines)]
    found = {
        (model, name): np.array([line[name] for line in lines if line["model"] == model])
        for model in models
        for name in DATASETS
    }
    rows = [label, f"| model | seeds | {' | '.join(DATASETS)} |", "|---" * 6 + "|"]
    for model in models:
        cells = [
            f"{found[model, n].mean():.4f} ({found[model, n].std(ddof=1):.4f})" for n in DATASETS
        ]
        rows.append(f"| {model} | {len(found[model, 'ws353'])} | {' | '.join(cells)} |")
    return "\n".join([*rows, *_differences(models, found)])


def _differences(models: list[str], found: dict[tuple[str, str], np.ndarray]) -> Iterator[str]:
    ours = [
        (model, name)
        for model in models
        if PEERS.get(model, model) != model and PEERS[model] in models
        for name in DATASETS
    ]
    tests = [ttest_ind(found[key], found[PEERS[key[0]], key[1]], equal_var=False) for key in ours]
    for key, p, test in zip(ours, holm([t.pvalue for t in tests]), tests, strict=True):
        low, high = test.confidence_interval()
        difference = found[key].mean() - found[PEERS[key[0]], key[1]].mean()
        yield (
            f"{key[0]} - gensim, {key[1]}: {difference:+.4f} ({low:+.4f} to {high:+.4f}), p {p:.3f}"
        )


if __name__ == "__main__":
    main()

"""Every trainer on the same text, beside gensim's skip-gram: the table of docs/trainers/README.md.

`python benchmarks/trainers.py [--output FILE]` carries out benchmarks/trainers.toml, trains
gensim's skip-gram on the very same sentences, asks all of them the same, and prints the table with
intervals and the tests that the page speaks of. It is no race: seconds are those of one training.
"""

import argparse
import json
import sys
import time
from pathlib import Path

import lexiscope
from lexiscope.bench.planfile import read
from lexiscope.bench.planned import asking, train_all
from lexiscope.bench.recording import place_of
from lexiscope.bench.results import Results, span
from lexiscope.bench.run import run
from lexiscope.bench.training import preparation_from
from lexiscope.core.corpus import Corpus, sentences_of
from lexiscope.core.embedding import Embedding
from lexiscope.core.vocabulary import Vocabulary
from lexiscope.data import corpora
from lexiscope.data.catalogue import catalogue
from lexiscope.data.fetching import fetch
from lexiscope.data.library import Library

PLAN = Path(__file__).with_name("trainers.toml")
QUESTIONS = ("ws353", "men", "simlex999", "google-analogies")
EPOCHS = (5, 20)


def main() -> None:
    """Train, ask, and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--output", type=Path)
    chosen = parser.parse_args()
    plan, library = read(PLAN), Library()
    for name in (*plan.named, "wordnet-3.1"):
        if name in catalogue():
            fetch(library, catalogue()[name])
    for place in train_all(plan, library):
        print(place, file=sys.stderr, flush=True)
    peers = [_skip_gram(plan.folder, corpus_of(plan.text, library), epochs) for epochs in EPOCHS]
    order = asking(plan)
    order["embeddings"] = [*order["embeddings"], *map(str, peers)]
    results = run(**order, store=plan.folder / "results.sqlite")
    print(table(results, plan.folder))
    if chosen.output:
        chosen.output.write_text(results.to_json() + "\n", "utf-8")


def corpus_of(text: dict[str, object], library: Library) -> Corpus:
    """The text of the plan, as all trainers see it."""
    steps = {name: value for name, value in text.items() if name not in ("sources", "on_error")}
    return corpora.read(text["sources"], preparation_from(**steps), library=library)


def _skip_gram(folder: Path, corpus: Corpus, epochs: int) -> Path:
    """gensim's skip-gram with its defaults, on one thread so that it can be repeated."""
    from gensim.models import Word2Vec

    path = folder / f"gensim-skip-gram-{epochs}.safetensors"
    if path.exists():
        return path
    sentences = sentences_of(corpus)
    begun = time.perf_counter()
    model = Word2Vec(sentences, sg=1, min_count=1, epochs=epochs, workers=1, seed=0)
    seconds = time.perf_counter() - begun
    words = Vocabulary(tuple(model.wv.index_to_key))
    lexiscope.save(Embedding(path.stem, words, model.wv.vectors), path)
    place_of(path).write_text(json.dumps({"seconds": {"training": seconds}}), "utf-8")
    return path


def table(results: Results, folder: Path) -> str:
    """Scores with their intervals, a row for each embedding."""
    scores = {(r.embedding, r.dataset): r for r in results.main()}
    lines = [
        f"| vectors | seconds | {' | '.join(QUESTIONS)} |",
        "|---" * (len(QUESTIONS) + 2) + "|",
    ]
    for name in results.embeddings:
        record = json.loads(place_of(folder / f"{name}.safetensors").read_text("utf-8"))
        cells = [scores[name, question] for question in QUESTIONS]
        shown = [f"{cell.value:.3f} ({span(cell)})" for cell in cells]
        lines.append(f"| {name} | {record['seconds']['training']:.0f} | {' | '.join(shown)} |")
    return "\n".join([*lines, "", *_tests(results)])


def _tests(results: Results) -> list[str]:
    """The differences that the page speaks of, with Holm's p over the whole run."""
    wanted = [("svd", f"gensim-skip-gram-{epochs}") for epochs in EPOCHS]
    wanted += [("svd-wordnet", "svd"), ("glove-wordnet", "glove")]
    return [
        f"{c.dataset}: {c.first} - {c.second} = {c.difference:+.3f} ({span(c)}), p {c.p_holm:.2g}"
        for c in results.comparisons
        if (c.first, c.second) in wanted or (c.second, c.first) in wanted
    ]


if __name__ == "__main__":
    main()

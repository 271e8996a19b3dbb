"""All count-based trainers and gensim's skip-gram on the same corpus: the table of the docs.

`python benchmarks/trainers.py [--output FILE]` runs benchmarks/trainers.toml, trains gensim's
skip-gram on the same sentences, evaluates all embeddings, and prints the table of
docs/trainers/README.md with intervals and the tests that the page mentions. Times are those of
one training.
"""

import argparse
import json
import sys
import time
from pathlib import Path
from typing import Any

import lexiscope
from lexiscope.core.corpus import Corpus, sentences_of
from lexiscope.core.embedding import Embedding
from lexiscope.core.execution import Execution
from lexiscope.core.vocabulary import Vocabulary
from lexiscope.data import corpora
from lexiscope.data.catalogue import catalogue
from lexiscope.data.download import fetch
from lexiscope.data.local_data import LocalData
from lexiscope.evaluation.results import Results
from lexiscope.evaluation.run import run
from lexiscope.experiments.config import read
from lexiscope.experiments.runner import run_arguments, train_all
from lexiscope.training.record import record_path

EXPERIMENT = Path(__file__).with_name("trainers.toml")
DATASETS = ("ws353", "men", "simlex999", "google-analogies")
EPOCHS = (5, 20)


def main() -> None:
    """Train, evaluate and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--output", type=Path)
    chosen = parser.parse_args()
    experiment, local_data = read(EXPERIMENT), LocalData()
    for name in (*experiment.sources, "wordnet-3.1"):
        if name in catalogue():
            fetch(local_data, catalogue()[name])
    for path in train_all(experiment, local_data):
        print(path, file=sys.stderr, flush=True)
    text = experiment.training[0].text
    corpus = corpora.read(text.sources, text.preprocessing, local_data=local_data)
    peers = [_skip_gram(experiment.folder, corpus, epochs) for epochs in EPOCHS]
    arguments = run_arguments(experiment)
    arguments["embeddings"] = [*arguments["embeddings"], *map(str, peers)]
    results = run(**arguments, execution=Execution(experiment.folder / "results.sqlite"))
    print(table(results, experiment.folder))
    if chosen.output:
        chosen.output.write_text(results.to_json() + "\n", "utf-8")


def _skip_gram(folder: Path, corpus: Corpus, epochs: int) -> Path:
    """gensim's skip-gram with its defaults, on one thread so that it is reproducible."""
    from gensim.models import Word2Vec

    path = folder / f"gensim-skip-gram-{epochs}.safetensors"
    if path.exists():
        return path
    sentences = sentences_of(corpus)
    start = time.perf_counter()
    model = Word2Vec(sentences, sg=1, min_count=1, epochs=epochs, workers=1, seed=0)
    seconds = time.perf_counter() - start
    words = Vocabulary(tuple(model.wv.index_to_key))
    lexiscope.save(Embedding(path.stem, words, model.wv.vectors), path)
    record_path(path).write_text(json.dumps({"seconds": {"training": seconds}}), "utf-8")
    return path


def table(results: Results, folder: Path) -> str:
    """Scores with their intervals, one row per embedding."""
    scores = {(r.embedding, r.dataset): r for r in results.main()}
    lines = [
        f"| vectors | seconds | {' | '.join(DATASETS)} |",
        "|---" * (len(DATASETS) + 2) + "|",
    ]
    for name in results.embeddings:
        record = json.loads(record_path(folder / f"{name}.safetensors").read_text("utf-8"))
        cells = [scores[name, dataset] for dataset in DATASETS]
        shown = [f"{cell.value:.3f} ({_interval(cell)})" for cell in cells]
        lines.append(f"| {name} | {record['seconds']['training']:.0f} | {' | '.join(shown)} |")
    return "\n".join([*lines, "", *_tests(results)])


def _interval(found: Any) -> str:
    """The confidence interval of a score or a difference."""
    return f"{found.low:.3f} to {found.high:.3f}"


def _tests(results: Results) -> list[str]:
    """The differences that the page mentions, with Holm-corrected p-values."""
    wanted = [("svd", f"gensim-skip-gram-{epochs}") for epochs in EPOCHS]
    wanted += [("svd-wordnet", "svd"), ("glove-wordnet", "glove")]
    return [
        f"{c.dataset}: {c.first} - {c.second} = {c.difference:+.3f} ({_interval(c)}), "
        f"p {c.p_holm:.2g}"
        for c in results.comparisons
        if (c.first, c.second) in wanted or (c.second, c.first) in wanted
    ]


if __name__ == "__main__":
    main()

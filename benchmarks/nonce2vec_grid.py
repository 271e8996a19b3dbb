"""The hyperparameter grid of Nonce2Vec in Bloem et al. 2019, on development terms only.

`python benchmarks/nonce2vec_grid.py BACKGROUND TEXT [--keywords 100] [--data-dir DIR]` learns the
development terms (70 % of the keywords, by hash) of a text with every setting of the grid, prints
the best settings by the difference of cosines within and between terms without their common
direction, and compares the best one with the published settings on the test terms, which were
not used before. BACKGROUND needs counts and output vectors (`--space both`).
"""

import argparse
import json
from itertools import product
from typing import Any

import numpy as np

from lexiscope.core.seeding import generator
from lexiscope.data.inputs import Inputs
from lexiscope.experiments.consistency.background import LoadedBackground, background_from
from lexiscope.experiments.consistency.results import stacked
from lexiscope.experiments.consistency.samples import SampledTerms, samples_of
from lexiscope.experiments.consistency.terms import divide, keywords
from lexiscope.experiments.consistency.texts import read_texts
from lexiscope.learners.term_models.additive import Additive
from lexiscope.learners.term_models.nonce2vec import Nonce2vec
from lexiscope.metrics.consistency import (
    directions,
    identification,
    pair_cosines,
    without_common_direction,
)

GRID: dict[str, tuple[Any, ...]] = {
    "learning_rate": (0.1, 0.5, 1.0, 1.5),
    "negative": (1, 3, 5),
    "sample": (100.0, 3000.0, 5000.0, 10000.0, 20000.0),
    "learning_rate_decay": (30.0, 70.0, 100.0, 180.0),
    "sample_decay": (1.0, 1.3, 1.9, 2.5),
    "window_decay": (1, 3, 5),
}
PUBLISHED = {"learning_rate": 1.0, "negative": 3, "sample": 10000.0, "learning_rate_decay": 70.0,
             "sample_decay": 1.9, "window_decay": 5}  # fmt: skip
TUNED = {**PUBLISHED, "learning_rate": 0.1, "negative": 5, "learning_rate_decay": 30.0,
         "sample_decay": 2.5}  # fmt: skip


def main() -> None:
    """Search the grid on development terms, and evaluate on test terms."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("background")
    parser.add_argument("text")
    parser.add_argument("--keywords", type=int, default=100)
    parser.add_argument("--data-dir")
    parser.add_argument("--every", type=int, default=1, help="Only every N-th setting.")
    chosen = parser.parse_args()
    inputs = Inputs(chosen.data_dir)
    loaded = background_from(chosen.background, inputs)
    corpus = read_texts(chosen.text, local_data=inputs.local_data)
    space = loaded.background
    terms = divide(keywords(corpus, chosen.keywords, space.words, space.counts).terms)
    development, test = (
        samples_of(corpus, part, "random", space.words) for part in (terms.development, terms.test)
    )
    settings = [dict(zip(GRID, values, strict=True)) for values in product(*GRID.values())]
    found = [
        (score(Nonce2vec(**each), development, loaded), each) for each in settings[:: chosen.every]
    ]
    found.sort(key=lambda each: -each[0]["difference"])
    for result, each in found[:5]:
        print(json.dumps({"terms": "development", **result, **each}))
    compared = {"best": found[0][1], "published": PUBLISHED, "tuned in the paper": TUNED}
    for name, each in compared.items():
        print(
            json.dumps(
                {"terms": "test", "settings": name, **score(Nonce2vec(**each), test, loaded)}
            )
        )
    print(json.dumps({"terms": "test", "settings": "additive", **score(Additive(), test, loaded)}))


def score(model: Additive, sampled: SampledTerms, loaded: LoadedBackground) -> dict[str, float]:
    """Return the mean cosine, the difference from other terms, and the terms identified."""
    samples = [sample for term in sampled.terms for sample in term.samples]
    flat = model.vectors(samples, loaded.background, lambda k: generator(0, "grid", str(k)))
    ends = np.cumsum([len(term.samples) for term in sampled.terms])[:-1]
    units = directions(stacked(tuple(np.split(flat, ends))))
    centred = without_common_direction(units)
    own = float(np.nanmean(pair_cosines(centred)))
    means = centred.mean(axis=0)
    between = (means @ means.T)[~np.eye(len(means), dtype=bool)].mean()
    return {
        "cosine": round(float(np.nanmean(pair_cosines(units))), 4),
        "difference": round(own - float(between), 4),
        "identified": round(float(np.nanmean(identification(centred).first)), 4),
    }


if __name__ == "__main__":
    main()

"""Which setting keeps Nonce2Vec near the sum that it starts from?

`python benchmarks/nonce2vec_ablation.py BACKGROUND TEXT [--keywords 100] [--data-dir DIR]` learns
the samples of each term with the sum and with Nonce2Vec in the setting that Bloem et al. 2019
selected, changes one setting at a time, and then several together as in the released program. It
prints a table in Markdown: the mean cosine of the samples of a term, and that of each vector with
its initial sum, with 95 % confidence intervals over terms. BACKGROUND needs counts and output
vectors (`--space both`); TEXT may be a published dataset of samples such as wiki-rnd.
"""

import argparse
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.stats import t

from lexiscope.core.errors import BadUsage
from lexiscope.core.seeding import generator
from lexiscope.data import term_samples
from lexiscope.data.inputs import Inputs
from lexiscope.experiments.consistency.background import LoadedBackground, background_from
from lexiscope.experiments.consistency.results import stacked
from lexiscope.experiments.consistency.samples import SampledTerms, published_samples, samples_of
from lexiscope.experiments.consistency.terms import keywords
from lexiscope.experiments.consistency.texts import read_texts
from lexiscope.learners.term_models.additive import Additive
from lexiscope.learners.term_models.nonce2vec import TUNED, Nonce2vec
from lexiscope.metrics.consistency import directions, pair_cosines

Floats = NDArray[np.float64]

PUBLISHED: dict[str, Any] = {
    "learning_rate": 1.0,
    "negative": 3,
    "learning_rate_decay": 70.0,
    "sample_decay": 1.9,
}
PROGRAM: dict[str, Any] = {"contexts": "types", "update_output": True, "scale_sample": False}


class Variant(NamedTuple):
    """What differs from the selected setting."""

    name: str
    settings: dict[str, Any]


def variants() -> Iterator[Variant]:
    """Yield the selected setting, single changes, and the settings of the released program."""
    yield Variant("selected setting", {})
    yield Variant("output vectors trained", {"update_output": True})
    yield Variant("`sample` not scaled", {"scale_sample": False})
    for sample in (100.0, 20_000.0, 0.0):
        yield Variant(f"`sample` {sample:,.0f}", {"sample": sample})
    yield Variant("pairs counted per sentence", {"count_pairs": "sentence"})
    yield Variant("window decay 1", {"window_decay": 1})
    yield Variant("sum over types", {"contexts": "types"})
    yield Variant("sum without subsampling", {"subsample": 0.0})
    yield Variant("learning rate 1", {"learning_rate": 1.0})
    yield Variant("published defaults", PUBLISHED)
    yield Variant(
        "published defaults, output vectors trained", {**PUBLISHED, "update_output": True}
    )
    yield Variant("program, selected setting", PROGRAM)
    for rate in (0.3, 0.5, 0.7, 1.0):
        yield Variant(f"program, learning rate {rate:g}", {**PROGRAM, "learning_rate": rate})
    yield Variant("program, published defaults", {**PUBLISHED, **PROGRAM})
    yield Variant(
        "program, version 1, published defaults",
        {**PUBLISHED, **PROGRAM, "count_pairs": "sentence"},
    )


def main() -> None:
    """Print a row for each variant."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("background")
    parser.add_argument("text")
    parser.add_argument("--keywords", type=int, default=100)
    parser.add_argument("--data-dir")
    chosen = parser.parse_args()
    inputs = Inputs(chosen.data_dir)
    loaded = background_from(chosen.background, inputs)
    sampled = samples(chosen.text, chosen.keywords, loaded, inputs)
    print(f"{loaded.name}, {sampled.name}, {len(sampled.terms)} terms\n")
    print("| model | cosine of samples | difference from its sum | cosine with its sum |")
    print("|---|---|---|---|")
    for variant in variants():
        for row in rows(variant, sampled, loaded):
            print("| " + " | ".join(row) + " |", flush=True)


def samples(text: str, number: int, loaded: LoadedBackground, inputs: Inputs) -> SampledTerms:
    """Return published samples, or random samples of the keywords of a text."""
    space = loaded.background
    if text in term_samples.names():
        return published_samples(term_samples.load(text, inputs.local_data), space.words)
    corpus = read_texts(text, local_data=inputs.local_data)
    found = keywords(corpus, number, space.words, space.counts)
    return samples_of(corpus, found.terms, "random", space.words)


def rows(variant: Variant, sampled: SampledTerms, loaded: LoadedBackground) -> Iterator[list[str]]:
    """Yield the row of a variant, after that of its sum if no earlier variant has the same sum."""
    model = Nonce2vec(**{**TUNED, **variant.settings})
    start = Additive(model.window, model.contexts, model.subsample)
    sums = learned(start, sampled, loaded)
    own = pair_cosines(sums)
    if variant.name in ("selected setting", "sum over types", "sum without subsampling"):
        yield [f"**{sum_name(start)}**", interval(own), "", ""]
    try:
        trained = learned(model, sampled, loaded)
    except BadUsage as problem:
        yield [variant.name, str(problem).partition(":")[0], "", ""]
        return
    found = pair_cosines(trained)
    near = np.nanmean((trained * sums).sum(axis=2), axis=0)
    yield [variant.name, interval(found), interval(found - own, sign=True), interval(near)]


def sum_name(model: Additive) -> str:
    """Return how a sum differs from the default one."""
    if model.contexts == "types":
        return "sum over types"
    return "sum" if model.subsample else "sum without subsampling"


def learned(model: Additive, sampled: SampledTerms, loaded: LoadedBackground) -> Floats:
    """Return the directions of all vectors (samples, terms, dimension)."""
    flat = [sample for term in sampled.terms for sample in term.samples]
    vectors = model.vectors(flat, loaded.background, lambda k: generator(0, "ablation", str(k)))
    ends = np.cumsum([len(term.samples) for term in sampled.terms])[:-1]
    return directions(stacked(tuple(np.split(vectors, ends))))


def interval(values: Floats, sign: bool = False) -> str:
    """Return the mean over terms and its 95 % confidence interval."""
    known = values[np.isfinite(values)]
    mean = known.mean()
    half = t.ppf(0.975, len(known) - 1) * known.std(ddof=1) / np.sqrt(len(known))
    low, mean, high = (
        f"{each:{'+' if sign else ''}.3f}" for each in (mean - half, mean, mean + half)
    )
    return f"{mean} ({low} to {high})"


if __name__ == "__main__":
    main()

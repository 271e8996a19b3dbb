"""Pseudo-terms in a book: how often is a term without a meaning called learnable?

A pseudo-term is a new word that is inserted in sentences of Russell's *Analysis of Mind*: in random
sentences, so that nothing can be learned, or in a quarter of the sentences of one passage, which
have its topic in common. They are tested alone and together with keywords of the book.

    python benchmarks/pseudo_terms.py --studies 3 --data-dir DATA
    python benchmarks/pseudo_terms.py --studies 1 --passage --data-dir DATA
"""

import argparse
from collections.abc import Sequence

from numpy.random import Generator, default_rng

import lexiscope
from lexiscope.core.corpus import sentences_of
from lexiscope.data.local_data import LocalData
from lexiscope.experiments.consistency.texts import read_texts

TERMS = 60
OCCURRENCES = (20, 30, 50, 80)
SHORTEST = 8  # tokens of a sentence
PASSAGE = 4  # sentences of a passage for each occurrence
BACKGROUND = "glove-6b-50d"
MODELS = ("additive", "alacarte")


def with_pseudo_terms(book: list[list[str]], passage: bool, rng: Generator) -> list[list[str]]:
    """Insert all pseudo-terms in a copy of the sentences."""
    long = [number for number, sentence in enumerate(book) if len(sentence) >= SHORTEST]
    found = [list(sentence) for sentence in book]
    for term in pseudo_terms():
        number = int(rng.choice(OCCURRENCES))
        among = long
        if passage:
            first = rng.integers(0, len(long) - PASSAGE * number)
            among = long[first : first + PASSAGE * number]
        for sentence in rng.choice(among, number, replace=False):
            found[sentence].insert(int(rng.integers(len(found[sentence]) + 1)), term)
    return found


def pseudo_terms() -> list[str]:
    """Names of the pseudo-terms."""
    return [f"pseudo{number}" for number in range(TERMS)]


def learnable(text: list[list[str]], terms: Sequence[str], models: Sequence[str]) -> None:
    """Print the numbers of terms that are called learnable."""
    found = lexiscope.consistency(
        text, BACKGROUND, models=models, choice=lexiscope.TermChoice(terms)
    )
    for model in models:
        for name, is_pseudo in (("pseudo-terms", True), ("keywords", False)):
            verdicts = [
                each.verdict
                for each in found.terms
                if each.model == model and each.term.startswith("pseudo") == is_pseudo
            ]
            if verdicts:
                print(f"{model}, {len(terms)} terms: {verdicts.count('learnable')} of", end=" ")
                print(f"{len(verdicts)} {name}", flush=True)


def main() -> None:
    """Run all studies."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--studies", type=int, default=3)
    parser.add_argument("--passage", action="store_true")
    parser.add_argument("--data-dir", required=True)
    options = parser.parse_args()
    text = read_texts("russell-mind", local_data=LocalData(options.data_dir))
    book = [list(sentence) for sentence in sentences_of(text)]
    choice = lexiscope.TermChoice(keywords=TERMS)
    chosen = lexiscope.consistency(book, BACKGROUND, models="additive", choice=choice)
    keywords = sorted({each.term for each in chosen.terms})
    for seed in range(options.studies):
        mixed = with_pseudo_terms(book, options.passage, default_rng(seed))
        for terms in (pseudo_terms(), [*pseudo_terms(), *keywords]):
            learnable(mixed, terms, MODELS)


if __name__ == "__main__":
    main()

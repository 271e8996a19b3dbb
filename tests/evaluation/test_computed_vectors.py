"""Vectors that a model computes for words outside its vocabulary are counted separately."""

from dataclasses import replace

import lexiscope
from lexiscope.core.datasets import WordPairs
from lexiscope.report.coverage_sentences import computed_vectors
from lexiscope.report.sections.coverage import coverage


def test_computed_vectors_are_counted_for_each_dataset():
    pairs = WordPairs.example()
    words = sorted(pairs.all_words)
    plain = lexiscope.load({word: [1.0, k] for k, word in enumerate(words)}, name="plain")
    computing = replace(plain, name="computing", composed=frozenset([words[0].upper(), words[1]]))

    results = lexiscope.run([plain, computing], "similarity", pairs)
    known = {c["embedding"]: c["computed"] for c in results.to_dict()["coverage"]}

    assert known == {"plain": 0, "computing": 2}
    (sentence,) = computed_vectors(results)
    assert sentence.startswith(
        "computing computed vectors of words outside its vocabulary: 2 words"
    )
    assert sentence in coverage(results).text

"""Sentences that a text contains more than once.

Samples never share a sentence of the text, but a clause of a contract, a refrain or a file that was
read twice gives two samples the same words. They agree then, whatever the term.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from lexiscope.core.corpus import Corpus

_MANY = 0.05  # of the sampled sentences; the books of the tests have less than 1 %

Numbers = NDArray[np.int64]


def repetition_warning(corpus: Corpus, samples: Sequence[Sequence[Numbers]]) -> str:
    """Return a warning if many sentences are repeated in another sample; else nothing."""
    found = repetition(corpus, samples)
    if found < _MANY:
        return ""
    return (
        f"{corpus.name}: {found:.0%} of the sampled sentences are repeated word for word in "
        "another sample of their term, so samples agree whatever the term. Delete repeated "
        "passages from the text."
    )


def repetition(corpus: Corpus, samples: Sequence[Sequence[Numbers]]) -> float:
    """Compute the proportion of sentences that another sample of the term has, too.

    Parameters
    ----------
    corpus : Corpus
        The text.
    samples : sequence of sequences of ndarray
        For each term, the indices of the sentences of each sample.
    """
    repeated = total = 0
    for of_term in samples:
        texts = [[_text(corpus, number) for number in sample.tolist()] for sample in of_term]
        for index, own in enumerate(texts):
            others = {text for other, some in enumerate(texts) if other != index for text in some}
            repeated += sum(text in others for text in own)
            total += len(own)
    return repeated / total if total else 0.0


def _text(corpus: Corpus, sentence: int) -> bytes:
    first, last = corpus.starts[sentence : sentence + 2].tolist()
    return np.asarray(corpus.tokens[first:last]).tobytes()

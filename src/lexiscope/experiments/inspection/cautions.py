"""What limits an inspection: few words, words without frequency, repeated and zero vectors."""

from collections.abc import Iterator

import numpy as np

from lexiscope.core.display import shown
from lexiscope.core.embedding import Embedding
from lexiscope.experiments.inspection.frequencies import Frequencies
from lexiscope.linalg.repeated_rows import repeated_rows


def cautions(embedding: Embedding, frequencies: Frequencies) -> Iterator[str]:
    """Yield one sentence for each property of the vectors that limits what follows from them."""
    name, words = shown(embedding.name), len(embedding)
    if words == 1:
        yield f"{name} has one word, and everything here compares words."
        return
    known = len(frequencies.known)
    if known < words:
        yield (
            f"Only {known:,} of the {words:,} words of {name} have a frequency in "
            f"{shown(frequencies.name)}: the probe, corpus ranks, the shape of the space and norms "
            "are those of these words."
        )
    repeated = repeated_rows(embedding.vectors)
    if repeated == words - 1:
        yield f"All {words:,} words of {name} have the same vector, so nothing distinguishes them."
    elif repeated:
        yield (
            f"{repeated:,} of the {words:,} words of {name} have the vector of another word, so "
            "some neighbours are equally near."
        )
    zero = int(np.count_nonzero(embedding.lengths == 0))
    if zero and repeated < words - 1:
        yield f"{zero:,} of the {words:,} words of {name} have a zero vector and are left out."

"""A map of chosen words of one embedding, with their frequencies."""

from collections.abc import Sequence
from pathlib import Path

from lexiscope.core.embedding import Embedding
from lexiscope.core.errors import BadData
from lexiscope.experiments.inspection.frequencies import frequencies_of, read_table
from lexiscope.experiments.inspection.results import MappedWords
from lexiscope.experiments.inspection.word_map import word_map


def mapped_words(
    embedding: Embedding,
    words: Sequence[str],
    frequencies: str | Path | None = None,
    projection: str = "pca",
    seed: int = 0,
) -> MappedWords:
    """Project words to a plane; too few words are an error.

    Parameters
    ----------
    embedding : Embedding
        The embedding.
    words : sequence of str
        The words, in the spelling of the embedding.
    frequencies : str or Path, optional
        A table of words and counts. The default is the embedding's own counts; without them, the
        order of its words.
    projection : {"pca", "tsne", "umap"}, default "pca"
        How the vectors are projected.
    seed : int, default 0
        Seed of the projection, where it is random.
    """
    table = None if frequencies is None else read_table(frequencies)
    known = frequencies_of(embedding, table, "" if frequencies is None else Path(frequencies).name)
    found = word_map(embedding, known, words, projection, seed)
    if not found.points:
        raise BadData(f"{embedding.name}: {found.state}, found {len(words)} words.")
    return MappedWords(embedding.name, found, known.source())

"""Random generators derived from the run's seed and labels, never from the embedding."""

import hashlib

import numpy as np
from numpy.random import Generator, SeedSequence, default_rng

# Labels whose name in the code has changed. They keep the text they are hashed under, so that a
# rename does not change a random stream, and with it published numbers.
_HASHED_AS = {
    "accuracy_all_items": "accuracy_of_all",
    "entity_typing": "typing",
    "macro_f1": "mean_f1",
    "probe": "study",
}


def generator(seed: int, *labels: str) -> Generator:
    """Return a generator that depends only on the seed and the labels (task, dataset, ...)."""
    text = "\0".join(_HASHED_AS.get(label, label) for label in labels)
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()
    return default_rng(SeedSequence([seed, *np.frombuffer(digest, np.uint32).tolist()]))

"""The state of a finished training, and similarities of the words of an embedding."""

import numpy as np
from numpy.random import default_rng


def trained_state(model, words, seed=0):
    """The state after the last step of a training."""
    state = model.begin(words, default_rng(seed))
    for _ in model.steps(words, state):
        pass
    return state


def cosine(embedding, one, other):
    first, second = embedding.vectors[embedding.vocabulary.find([one, other])]
    return first @ second / np.linalg.norm(first) / np.linalg.norm(second)

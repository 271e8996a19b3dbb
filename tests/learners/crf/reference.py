"""The features of chunking by name, and CRFsuite trained on them in a known order of sentences."""

import ctypes
from typing import NamedTuple

import numpy as np
import pycrfsuite

WORDS = ((-2,), (-1,), (0,), (1,), (2,), (-1, 0), (0, 1))
POS = (
    (-2,), (-1,), (0,), (1,), (2,), (-2, -1), (-1, 0), (0, 1), (1, 2),
    (-2, -1, 0), (-1, 0, 1), (0, 1, 2),
)  # fmt: skip


def named_features(words, pos):
    """The names of the attributes of each token of a sentence."""
    rows = []
    for at in range(len(words)):
        names = {"first"} if at == 0 else set()
        names |= {"last"} if at == len(words) - 1 else set()
        for kind, values, templates in (("w", words, WORDS), ("p", pos, POS)):
            for template in templates:
                indices = [at + step for step in template]
                if indices[0] >= 0 and indices[-1] < len(words):
                    names.add(f"{kind}{list(template)}={'|'.join(values[k] for k in indices)}")
        rows.append(names)
    return rows


def features(words, pos, vectors=None, neighbours=0):
    """The features of each token with their values; vectors (tokens, dimension)."""
    rows = [dict.fromkeys(names, 1.0) for names in named_features(words, pos)]
    if vectors is not None:
        for at, row in enumerate(rows):
            for step in range(-neighbours, neighbours + 1):
                if 0 <= at + step < len(rows):
                    row |= {f"v[{step}]{k}": float(x) for k, x in enumerate(vectors[at + step])}
    return rows


class Trained(NamedTuple):
    """A model of CRFsuite: its weights, the loss of each epoch, and predictions."""

    states: dict
    transitions: dict
    losses: list
    predicted: list


class _Trainer(pycrfsuite.Trainer):
    def message(self, text):
        if text.startswith("Loss: "):
            self.losses.append(float(text.split()[1]))


def train(training, tags, test, folder, c2, epochs, seed):
    """Train CRFsuite on features and tags of sentences, and predict the test sentences."""
    trainer = _Trainer(
        algorithm="l2sgd",
        params={"calibration.eta": 0.1, "calibration.max_trials": 1,
                "c2": c2, "max_iterations": epochs, "feature.possible_transitions": True,
                "feature.possible_states": True,
                # Else it leaves out the weights of features whose values have a negative sum.
                "feature.minfreq": -1e30},
    )  # fmt: skip
    trainer.losses = []
    for rows, names in zip(training, tags, strict=True):
        trainer.append(rows, names)
    _library().srand(seed)
    trainer.train(str(folder / "model"))
    tagger = pycrfsuite.Tagger()
    tagger.open(str(folder / "model"))
    info = tagger.info()
    predicted = [" ".join(tagger.tag(rows)) for rows in test]
    # The first losses are those of the search for a learning rate; the last is repeated.
    return Trained(
        info.state_features, info.transitions, trainer.losses[-epochs - 1 : -1], predicted
    )


def orders(sentences, epochs, seed):
    """The orders in which CRFsuite visits the sentences, with the generator of the C library."""
    library, found = _library(), []
    library.srand(seed)
    order = np.arange(sentences)
    for _ in range(1 + epochs):  # the search for a learning rate shuffles once
        for i in range(sentences):
            j = library.rand() % sentences
            order[i], order[j] = order[j], order[i]
        found.append(order.copy())
    return found[1:]


def _library():
    return ctypes.CDLL(None)

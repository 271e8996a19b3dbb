"""Multi-label classifiers of entities by their vectors.

A network with one hidden layer can weight dimensions; the nearest neighbour weights them equally.
Both see L2-normalised vectors. Yaghoobzadeh and Schütze 2016, section 5.2.
"""

import warnings
from typing import Any

import numpy as np

from lexiscope.core.datasets.base import Words, word_array
from lexiscope.core.datasets.entities import join_types
from lexiscope.core.errors import Undefined
from lexiscope.core.vectors import Vectors
from lexiscope.linalg.normalization import normalize_rows
from lexiscope.metrics.multilabel import label_sets

_BATCH = 1 << 22  # cosines in memory: 32 MB
_DIGITS = 12  # cosines of equal vectors differ in their last bits
_PATIENCE = 20  # epochs without improvement; few validation entities give coarse scores
_MIN_ENTITIES = 4  # in the training set: some train, some decide when to stop


def nearest_neighbour_types(train: Vectors, types: Words, test: Vectors) -> Words:
    """Predict for each test row all types of the training row with the highest cosine.

    Of ties, the first. No row may be zero.
    """
    if not train.shape[0]:
        raise Undefined("the training set has no entity")
    ours, theirs = (normalize_rows(rows.astype(np.float64)) for rows in (train, test))
    transposed = ours.T
    step = max(1, _BATCH // ours.shape[0])
    indices = [
        np.argmax(np.round(_dense(theirs[start : start + step] @ transposed), _DIGITS), axis=1)
        for start in range(0, theirs.shape[0], step)
    ]
    found: Words = types[np.concatenate(indices)]
    return found


def mlp_types(
    train: Vectors,
    types: Words,
    test: Vectors,
    *,
    hidden: int,
    threshold: float,
    epochs: int,
    seed: int,
) -> Words:
    """Predict for each test row the types whose probability reaches the threshold.

    If none does, the most probable type. A random tenth of the training rows, at least two, is
    the validation set for early stopping. No row may be zero.
    """
    from threadpoolctl import threadpool_limits

    names, members = label_sets(types)
    if len(types) < _MIN_ENTITIES:
        raise Undefined(
            f"the training set has only {len(types)} entities, at least {_MIN_ENTITIES} are needed"
        )
    if len(names) < 2:
        raise Undefined(f"the training entities are of {len(names)} type, 2 are needed")
    # Sums over threads differ in their last bits, which can end in another network.
    with threadpool_limits(1):
        model = _fitted(_scaled(train), members, hidden, epochs, seed)
        probabilities = model.predict_proba(_scaled(test))
    highest = probabilities.max(axis=1, keepdims=True)
    chosen = probabilities >= np.minimum(threshold, highest)
    return word_array(join_types(names[index] for index in np.flatnonzero(row)) for row in chosen)


def _fitted(rows: Any, members: Any, hidden: int, epochs: int, seed: int) -> Any:
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.neural_network import MLPClassifier

    model = MLPClassifier(
        (hidden,), learning_rate_init=0.01, early_stopping=True, n_iter_no_change=_PATIENCE,
        max_iter=epochs, random_state=seed, validation_fraction=max(0.1, 2 / len(members)),
    )  # fmt: skip
    with warnings.catch_warnings():
        warnings.simplefilter("error", ConvergenceWarning)
        try:
            return model.fit(rows, members.astype(np.int64))
        except ConvergenceWarning:
            raise Undefined(
                f"the network did not converge in {epochs} epochs; set entity_typing.epochs higher"
            ) from None


def _scaled(rows: Vectors) -> Any:
    """L2-normalised rows, scaled to a mean square of 1 as the initial weights expect."""
    return normalize_rows(rows.astype(np.float64)) * np.sqrt(rows.shape[1])


def _dense(products: Any) -> Any:
    return products if isinstance(products, np.ndarray) else products.toarray()

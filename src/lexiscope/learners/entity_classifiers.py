"""Multi-label classifiers of entities by their vectors.

A network with one hidden layer can weight dimensions; nearest neighbours weight them equally.
Both see L2-normalised vectors. Yaghoobzadeh and Schütze 2016, section 5.2.
"""

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
_PATIENCE = 20  # epochs without improvement of the validation loss
_TOLERANCE = 1e-3  # smaller decreases of the validation loss are no improvement
_MIN_ENTITIES = 4  # in the training set: some train, some decide when to stop
_MIN_VALIDATION = 2  # entities


def nearest_neighbour_types(
    train: Vectors, types: Words, test: Vectors, neighbours: int = 1
) -> Words:
    """Predict for each test row the types that at least half of its nearest training rows have.

    The nearest have the highest cosines; of ties, the first. If no type has half of them, the types
    of the nearest row are predicted. No row may be zero.
    """
    if not train.shape[0]:
        raise Undefined("the training set has no entity")
    if train.shape[0] < neighbours:
        raise Undefined(
            f"the training set has only {train.shape[0]} entities, fewer than the {neighbours} "
            "neighbours"
        )
    nearest = _nearest_rows(train, test, neighbours)
    names, members = label_sets(types)
    chosen = 2 * members[nearest].sum(axis=1) >= neighbours
    chosen = np.where(chosen.any(axis=1, keepdims=True), chosen, members[nearest[:, 0]])
    return _joined(names, chosen)


def _nearest_rows(train: Vectors, test: Vectors, count: int) -> Any:
    """Indices (test rows, count) of the training rows with the highest cosines, descending."""
    ours, theirs = (normalize_rows(rows.astype(np.float64)) for rows in (train, test))
    transposed = ours.T
    step = max(1, _BATCH // ours.shape[0])
    found = np.empty((theirs.shape[0], count), np.int64)
    for start in range(0, theirs.shape[0], step):
        cosines = np.round(_dense(theirs[start : start + step] @ transposed), _DIGITS)
        each = np.arange(len(cosines))
        for rank in range(count):
            highest = np.argmax(cosines, axis=1)
            found[start : start + step, rank] = highest
            cosines[each, highest] = -np.inf
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
    the validation set: training stops when its cross-entropy no longer falls. No row may be zero.
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
    return _joined(names, chosen)


def _fitted(rows: Any, members: Any, hidden: int, epochs: int, seed: int) -> Any:
    """Train until the validation loss has not improved for some epochs; keep the best epoch."""
    from sklearn.model_selection import train_test_split
    from sklearn.neural_network import MLPClassifier

    members = members.astype(np.int64)
    held_out = max(_MIN_VALIDATION, len(members) // 10)
    train, validation, gold, validation_gold = train_test_split(
        rows, members, test_size=held_out, random_state=seed
    )
    # With a seed instead of a generator, every epoch would shuffle in the same way.
    model = MLPClassifier(
        (hidden,), learning_rate_init=0.01, random_state=np.random.RandomState(seed)
    )
    best: tuple[list[Any], list[Any]] = [], []
    lowest, stale = np.inf, 0
    for _ in range(epochs):
        model.partial_fit(train, gold, classes=np.arange(gold.shape[1]))
        loss = _cross_entropy(model.predict_proba(validation), validation_gold)
        stale = 0 if loss < lowest - _TOLERANCE else stale + 1
        if loss < lowest:
            lowest, best = loss, _parameters(model)
        if stale == _PATIENCE:
            model.coefs_, model.intercepts_ = best
            return model
    raise Undefined(
        f"the network did not converge in {epochs} epochs; set entity_typing.epochs higher"
    )


def _parameters(model: Any) -> tuple[list[Any], list[Any]]:
    """Copies of the weights and biases of a network."""
    return [each.copy() for each in model.coefs_], [each.copy() for each in model.intercepts_]


def _cross_entropy(probabilities: Any, gold: Any) -> float:
    """The binary cross-entropy, summed over types, mean over entities."""
    right = np.where(gold, probabilities, 1 - probabilities)
    return float(-np.log(np.maximum(right, np.finfo(float).tiny)).sum(axis=1).mean())


def _scaled(rows: Vectors) -> Any:
    """L2-normalised rows, scaled to a mean square of 1 as the initial weights expect."""
    return normalize_rows(rows.astype(np.float64)) * np.sqrt(rows.shape[1])


def _joined(names: list[str], chosen: Any) -> Words:
    """The chosen types (rows, types) of each row as one string."""
    return word_array(join_types(names[index] for index in np.flatnonzero(row)) for row in chosen)


def _dense(products: Any) -> Any:
    return products if isinstance(products, np.ndarray) else products.toarray()

"""Types learnt from the vectors of some entities and told of others.

Two ways that see the same directions: a network with one hidden layer, which may weigh dimensions
as it likes, and the nearest neighbour, which weighs all the same. Yaghoobzadeh and Schütze 2016,
section 5.2.
"""

import warnings
from typing import Any

import numpy as np

from lexiscope.core.dataset import Words, word_array
from lexiscope.core.entities import joined
from lexiscope.core.errors import Undefined
from lexiscope.core.vectors import Vectors
from lexiscope.stats.cosine import unit
from lexiscope.stats.type_sets import sets_of

_AT_ONCE = 1 << 22  # cosines held in one go: 32 MB
_DIGITS = 12  # cosines of equal vectors differ in their last bits: that is no order
_PATIENCE = 20  # passes without a better one; few entities judge a pass coarsely
_FEWEST = 4  # entities to learn from: some teach, some tell when to stop


def by_nearest(known: Vectors, types: Words, asked: Vectors) -> Words:
    """For each row asked, all types of the known row with the highest cosine; the first of equals.

    No row may be zero.
    """
    if not known.shape[0]:
        raise Undefined("there is no entity to learn from")
    ours, theirs = (unit(rows.astype(np.float64)) for rows in (known, asked))
    turned = ours.T
    step = max(1, _AT_ONCE // ours.shape[0])
    places = [
        np.argmax(np.round(_dense(theirs[start : start + step] @ turned), _DIGITS), axis=1)
        for start in range(0, theirs.shape[0], step)
    ]
    found: Words = types[np.concatenate(places)]
    return found


def by_network(
    known: Vectors,
    types: Words,
    asked: Vectors,
    *,
    hidden: int,
    threshold: float,
    epochs: int,
    seed: int,
) -> Words:
    """For each row asked, the types whose probability reaches the threshold, or the likeliest one.

    One tenth of the known rows, two at least, drawn by the seed, tells when to stop. No row may
    be zero.
    """
    from threadpoolctl import threadpool_limits

    names, members = sets_of(types)
    if len(types) < _FEWEST:
        raise Undefined(f"only {len(types)} entities to learn from, at least {_FEWEST} are needed")
    if len(names) < 2:
        raise Undefined(f"the entities to learn from are of {len(names)} type, 2 are needed")
    # Sums over threads differ in their last bits, which can end in another network.
    with threadpool_limits(1):
        model = _fitted(_scaled(known), members, hidden, epochs, seed)
        likely = model.predict_proba(_scaled(asked))
    chosen = likely >= np.minimum(threshold, likely.max(axis=1, keepdims=True))
    return word_array(joined(names[place] for place in np.flatnonzero(row)) for row in chosen)


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
                f"the network was still learning after {epochs} passes; set typing.epochs higher"
            ) from None


def _scaled(rows: Vectors) -> Any:
    """Directions, so long that a number in them is 1 on average: what first weights expect."""
    return unit(rows.astype(np.float64)) * np.sqrt(rows.shape[1])


def _dense(products: Any) -> Any:
    return products if isinstance(products, np.ndarray) else products.toarray()

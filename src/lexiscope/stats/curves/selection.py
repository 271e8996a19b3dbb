"""Selection of the best model at each training size, without test items."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from lexiscope.core.contracts.learner import COMPLEXITIES, Complexity
from lexiscope.core.contracts.metric import Floats


def best_models(
    validation: Floats, complexities: Sequence[Complexity], names: Sequence[str]
) -> NDArray[np.int64]:
    """Select the model with the highest validation score, for each repeat and training size.

    A model without validation score is worse than any other. Of equal scores, the simpler model is
    selected, then the first by name.

    Parameters
    ----------
    validation : ndarray of shape (models, repeats, sizes)
        Mean scores over inner folds; NaN where there are none.

    Returns
    -------
    ndarray of shape (repeats, sizes)
        Indices of models.

    Examples
    --------
    >>> validation = np.array([[[0.7, 0.8]], [[0.7, 0.9]]])
    >>> best_models(validation, ["non-linear", "linear"], ["svm", "logistic"]).tolist()
    [[1, 1]]
    """
    order = sorted(range(len(names)), key=lambda n: (COMPLEXITIES.index(complexities[n]), names[n]))
    known = np.where(np.isnan(validation), -np.inf, validation)[order]
    # argmax returns the first of equal scores.
    return np.asarray(np.array(order, np.int64)[known.argmax(axis=0)])

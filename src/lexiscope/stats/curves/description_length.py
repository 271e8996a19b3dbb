"""Online description length of labels (prequential code; Blier and Ollivier 2018)."""

import numpy as np

from lexiscope.core.contracts.metric import Floats


def description_length(bits: Floats, first: int, classes: int) -> Floats:
    """Compute the length in bits of the labels of the training items, for each repeat.

    The first block is encoded with the uniform code, each following block with the model that was
    trained on all blocks before it.

    Parameters
    ----------
    bits : ndarray of shape (repeats, sizes)
        The code length of the items that the next training size adds; the last column is not used.
    first : int
        The number of items of the first block.
    classes : int
        The number of classes.

    Examples
    --------
    >>> description_length(np.array([[6.0, 5.0, np.nan]]), 10, 4).tolist()
    [31.0]
    """
    return np.asarray(first * np.log2(classes) + bits[:, :-1].sum(axis=1))

"""Models that encode texts: sentence-transformers, model2vec, or your own object or function.

In a dataset a phrase is one word, written New York or New_York. Encoders read text, so an
underscore between letters or digits becomes a space; both spellings get the same vector.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lexiscope.core.display import shown
from lexiscope.core.errors import BadData, BadUsage
from lexiscope.data.vectors.formats.stream import finite_rows

_WORD_FIELD = "{word}"
_PHRASE_UNDERSCORE = re.compile(r"(?<=[^\W_])_(?=[^\W_])")


@dataclass(frozen=True, eq=False)
class Encoder:
    """A model that encodes texts, and how it encodes words.

    Parameters
    ----------
    model : object or callable
        Has a method `encode(list of texts)`, or is called with the list. It returns one vector
        for each text.
    template : str, default "{word}"
        The text to encode; {word} is replaced with the word.
    batch : int, default 256
        The number of texts per call.
    name : str, optional
        Name of the embedding. The default is the name of the function or class.
    key : str, optional
        Name of the model in the cache. Change it whenever the model changes. By default a model
        is identified by its vectors of a few texts and by its visible weights.
    cache : bool, default True
        Whether to cache the vectors on disk.

    Examples
    --------
    >>> import lexiscope
    >>> def lengths(texts):
    ...     return [[len(text), text.count(" ")] for text in texts]
    >>> encoder = lexiscope.Encoder(lengths, cache=False)
    >>> lexiscope.load(encoder, words=["cat", "New_York"])["New_York"].tolist()
    [8.0, 1.0]
    """

    model: Any = field(repr=False)
    template: str = _WORD_FIELD
    batch: int = 256
    name: str = ""
    key: str = ""
    cache: bool = True

    def __post_init__(self) -> None:
        if isinstance(self.model, str | bytes | type) or not callable(_function(self.model)):
            raise BadUsage(
                f"An encoder needs an object with encode(list of texts) or a function, found "
                f"{_found(self.model)}. A name or a class must be loaded first."
            )
        if _WORD_FIELD not in self.template:
            raise BadUsage(
                f"A template must contain {_WORD_FIELD}, as in 'a photo of a "
                f"{_WORD_FIELD}', found '{shown(self.template)}'."
            )
        if self.batch < 1:
            raise BadUsage(f"A batch must have 1 text or more, found {self.batch}.")

    @property
    def default_name(self) -> str:
        """The given name, or that of the function or class."""
        own = getattr(self.model, "__name__", type(self.model).__name__)
        return self.name or (own.lower() if own.isidentifier() else "encoder")

    def encode(self, words: Sequence[str]) -> NDArray[np.float32]:
        """Return the vectors of the words, shape (words, dimensions), from the model."""
        texts = [self.template.replace(_WORD_FIELD, spaced(word)) for word in words]
        batches = (texts[start : start + self.batch] for start in range(0, len(texts), self.batch))
        return stacked([self._encode_texts(batch) for batch in batches], self.default_name)

    def _encode_texts(self, texts: list[str]) -> NDArray[np.float32]:
        table = numbers(_function(self.model)(texts), self.default_name)
        if len(texts) == 1 and table.ndim == 1:
            table = table[None]  # many models return a vector for a single text, not a table
        if table.ndim != 2 or table.dtype.kind not in "fiu" or not table.size:
            raise BadData(
                f"{self.default_name}: expected a table of numbers (texts, dimensions), found "
                f"{table.shape} of {table.dtype}."
            )
        if len(table) != len(texts):
            raise BadData(f"{self.default_name}: {len(texts):,} texts got {len(table):,} vectors.")
        with np.errstate(over="ignore"):
            table = np.asarray(table, np.float32)
        finite = finite_rows(table)
        if not finite.all():
            text = shown(texts[int(np.argmin(finite))])
            raise BadData(f"{self.default_name}: the vector of '{text}' is not finite.")
        return table


def spaced(word: str) -> str:
    """Return the word as text: New_York becomes New York; ^_^ and __init__ are unchanged."""
    return _PHRASE_UNDERSCORE.sub(" ", word)


def numbers(values: Any, where: str) -> NDArray[Any]:
    """Return the array of lists, arrays or tensors on any device."""
    try:
        return np.asarray(_off_device(values))
    except ValueError:
        raise BadData(f"{where}: the vectors have different lengths.") from None


def stacked(parts: Sequence[NDArray[np.float32]], where: str) -> NDArray[np.float32]:
    """Return one table with the rows of several."""
    if len({part.shape[1] for part in parts}) > 1:
        raise BadData(f"{where}: the vectors have different lengths.")
    return np.concatenate(parts)


def _off_device(values: Any) -> Any:
    if isinstance(values, list | tuple):
        return [_off_device(value) for value in values]
    if not hasattr(values, "cpu"):
        return values
    for step in (
        "detach",
        "cpu",
        "float",
        "numpy",
    ):  # NumPy supports neither gradients nor bfloat16
        if hasattr(values, step):
            values = getattr(values, step)()
    return values


def _function(model: Any) -> Callable[[list[str]], Any]:
    found: Callable[[list[str]], Any] = getattr(model, "encode", model)
    return found


def _found(model: Any) -> str:
    if isinstance(model, type):
        return f"the class {model.__name__}"
    return f"the text '{shown(model)}'" if isinstance(model, str) else type(model).__name__

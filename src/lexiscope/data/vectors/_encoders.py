"""Anything that encodes text: sentence-transformers, model2vec, an object or function of one's own.

To a dataset a phrase is one word, written New York or New_York. An encoder reads text: an
underscore between letters or digits reaches it as a space, so both spellings get one vector.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lexiscope.core.display import shown
from lexiscope.core.errors import BadData, BadUsage
from lexiscope.data.vectors._reading import finite_rows

_PLACE = "{word}"
_INSIDE_A_PHRASE = re.compile(r"(?<=[^\W_])_(?=[^\W_])")


@dataclass(frozen=True, eq=False)
class Encoder:
    """A model that encodes texts, and how it is asked for words.

    `model` has encode(list of texts), or is called with the list; a row of numbers comes back for
    each. The word stands in `template` where {word} is; `batch` texts are asked for at once.
    Vectors are kept under what the model answers to a few texts and the weights that can be seen;
    `key` names them instead (change it with the model), `cache=False` keeps none.
    """

    model: Any = field(repr=False)
    template: str = _PLACE
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
        if _PLACE not in self.template:
            raise BadUsage(
                f"A template says with {_PLACE} where the word stands, as in 'a photo of a "
                f"{_PLACE}', found '{shown(self.template)}'."
            )
        if self.batch < 1:
            raise BadUsage(f"A batch holds 1 text or more, found {self.batch}.")

    @property
    def called(self) -> str:
        """The name given, or that of the function or class."""
        own = getattr(self.model, "__name__", type(self.model).__name__)
        return self.name or (own.lower() if own.isidentifier() else "encoder")

    def encode(self, words: Sequence[str]) -> NDArray[np.float32]:
        """The vector of each word (words, dimensions), fresh from the model and checked."""
        texts = [self.template.replace(_PLACE, spaced(word)) for word in words]
        batches = (texts[start : start + self.batch] for start in range(0, len(texts), self.batch))
        return stacked([self._asked(batch) for batch in batches], self.called)

    def _asked(self, texts: list[str]) -> NDArray[np.float32]:
        table = numbers(_function(self.model)(texts), self.called)
        if len(texts) == 1 and table.ndim == 1:
            table = table[None]  # many give one vector for one text, not a table with one row
        if table.ndim != 2 or table.dtype.kind not in "fiu" or not table.size:
            raise BadData(
                f"{self.called}: expected a table of numbers (texts, dimensions), found "
                f"{table.shape} of {table.dtype}."
            )
        if len(table) != len(texts):
            raise BadData(f"{self.called}: {len(texts):,} texts got {len(table):,} vectors.")
        with np.errstate(over="ignore"):
            table = np.asarray(table, np.float32)
        finite = finite_rows(table)
        if not finite.all():
            text = shown(texts[int(np.argmin(finite))])
            raise BadData(f"{self.called}: the vector of '{text}' is not finite.")
        return table


def spaced(word: str) -> str:
    """The word as an encoder reads it: New_York as New York; ^_^ and __init__ as they are."""
    return _INSIDE_A_PHRASE.sub(" ", word)


def numbers(values: Any, where: str) -> NDArray[Any]:
    """The array behind lists, arrays, and tensors on any device."""
    try:
        return np.asarray(_off_device(values))
    except ValueError:
        raise BadData(f"{where}: the vectors have different lengths.") from None


def stacked(parts: Sequence[NDArray[np.float32]], where: str) -> NDArray[np.float32]:
    """One table of several."""
    if len({part.shape[1] for part in parts}) > 1:
        raise BadData(f"{where}: the vectors have different lengths.")
    return np.concatenate(parts)


def _off_device(values: Any) -> Any:
    if isinstance(values, list | tuple):
        return [_off_device(value) for value in values]
    if not hasattr(values, "cpu"):
        return values
    for step in ("detach", "cpu", "float", "numpy"):  # NumPy knows neither gradients nor bfloat16
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

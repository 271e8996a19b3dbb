"""What a pickle of gensim may contain: a short allow-list of names, and the values they make.

Nothing is imported and nothing is called: a name is text, and an object is a record of its
attributes. A name that is not listed is refused.
"""

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lexiscope.core.errors import BadData

# Object arrays and fields are left out: their data are pickled objects.
_PLAIN_TYPE = re.compile(r"[<>=|]?[fiubS][0-9]{1,3}")
_MOST_AXES = 4


@dataclass(frozen=True)
class Name:
    """A class or function that the pickle names; it is neither imported nor called."""

    module: str
    name: str


@dataclass(eq=False)
class Record:
    """An object: its class, and its attributes."""

    kind: str
    attributes: dict[str, Any] = field(default_factory=dict)

    def get(self, *names: str) -> Any:
        """Return the first of these attributes that is present and not None."""
        found = (self.attributes.get(name) for name in names)
        return next((value for value in found if value is not None), None)


@dataclass(eq=False)
class ArrayType:
    """A data type of NumPy: its code, and its byte order."""

    code: str
    order: str = "<"

    def dtype(self) -> np.dtype[Any] | None:
        """Return the type; None for objects and records."""
        code = self.code if self.code[:1] in "<>=|" else f"{self.order}{self.code}"
        return np.dtype(code) if _PLAIN_TYPE.fullmatch(code) else None


@dataclass(eq=False)
class ArrayRecord:
    """An array of NumPy; `values` is None until its data have been read, and for objects."""

    values: NDArray[Any] | None = None


class Inert:
    """An object that vectors do not need, such as the state of a random number generator."""


Make = Callable[[tuple[Any, ...]], Any]


def called(name: Name, arguments: tuple[Any, ...]) -> Any:
    """Return the value that a listed function would return; raises for any other name."""
    make = FUNCTIONS.get((name.module, name.name))
    if make is None:
        raise BadData(f"calls {name.module}.{name.name}")
    return make(arguments)


def built(value: Any, state: Any) -> None:
    """Set the state of a value, as the opcode BUILD does."""
    if isinstance(value, Record):
        parts = state if isinstance(state, tuple) else (state,)
        for part in parts:
            if isinstance(part, dict):
                value.attributes.update((k, v) for k, v in part.items() if isinstance(k, str))
    elif isinstance(value, ArrayRecord):
        value.values = _array_of(state)
    elif isinstance(value, ArrayType):
        order = state[1] if isinstance(state, tuple) and len(state) > 1 else "<"
        value.order = order if order in ("<", ">", "|", "=") else "<"
    elif not isinstance(value, Inert):
        raise BadData("sets the state of a plain value")


def _array_of(state: Any) -> NDArray[Any] | None:
    """The array of a state (version, shape, type, is in column order, data)."""
    if not isinstance(state, tuple) or len(state) != 5:
        raise BadData("has an array with a state of unknown form")
    _, shape, kind, by_column, data = state
    return array_from(data, kind, shape, "F" if by_column is True else "C")


def array_from(data: Any, kind: Any, shape: Any, order: Any) -> NDArray[Any] | None:
    """Return the array; None if it contains objects. The data must have exactly its size."""
    dtype = kind.dtype() if isinstance(kind, ArrayType) else None
    if dtype is None:
        return None
    data = data.encode("latin-1") if isinstance(data, str) else data
    valid = (
        isinstance(shape, tuple)
        and len(shape) <= _MOST_AXES
        and all(isinstance(n, int) and 0 <= n < 1 << 48 for n in shape)
    )
    if not valid or not isinstance(data, bytes) or dtype.itemsize < 1:
        raise BadData("has an array of unknown form")
    if math.prod(shape) * dtype.itemsize != len(data):
        raise BadData(
            f"has an array of {' x '.join(map(str, shape))} {dtype} with {len(data):,} bytes"
        )
    return np.ndarray(shape, dtype, data, order="F" if order == "F" else "C")


def _array_type(arguments: tuple[Any, ...]) -> ArrayType:
    if not arguments or not isinstance(arguments[0], str):
        return ArrayType("O")
    return ArrayType(arguments[0])


def _from_buffer(arguments: tuple[Any, ...]) -> ArrayRecord:
    if len(arguments) != 4:
        raise BadData("has an array of unknown form")
    data, kind, shape, order = arguments
    return ArrayRecord(array_from(data, kind, shape, order))


def _scalar(arguments: tuple[Any, ...]) -> Any:
    found = array_from(arguments[1], arguments[0], (), "C") if len(arguments) == 2 else None
    return Inert() if found is None else found.item()


def _bytes_of(arguments: tuple[Any, ...]) -> bytes:
    """Bytes that Python 2 can read too: text that is encoded."""
    if len(arguments) != 2 or not isinstance(arguments[0], str):
        raise BadData("has bytes of unknown form")
    if arguments[1] not in ("latin1", "latin-1"):
        raise BadData("has bytes in an unknown encoding")
    return arguments[0].encode("latin-1")


def _inert(_: tuple[Any, ...]) -> Inert:
    return Inert()


def _empty_dict(arguments: tuple[Any, ...]) -> dict[Any, Any]:
    return {}


def _no_bytes(arguments: tuple[Any, ...]) -> bytes:
    if arguments:
        raise BadData("has bytes of unknown form")
    return b""


_NUMPY = ("numpy.core", "numpy._core")
_ARRAYS: dict[tuple[str, str], Make] = {
    **{(f"{core}.multiarray", "_reconstruct"): lambda _: ArrayRecord() for core in _NUMPY},
    **{(f"{core}.multiarray", "scalar"): _scalar for core in _NUMPY},
    **{(f"{core}.numeric", "_frombuffer"): _from_buffer for core in _NUMPY},
    ("numpy", "dtype"): _array_type,
    ("_codecs", "encode"): _bytes_of,
    ("__builtin__", "bytes"): _no_bytes,
    ("builtins", "bytes"): _no_bytes,
}
_BUILTINS = ("__builtin__", "builtins")
_DICTS = ("defaultdict", "OrderedDict", "Counter")
_RANDOM = {
    "numpy.random": ("__RandomState_ctor", "__generator_ctor", "__bit_generator_ctor"),
    "numpy.random._pickle": ("__randomstate_ctor", "__generator_ctor", "__bit_generator_ctor"),
}
FUNCTIONS: Mapping[tuple[str, str], Make] = MappingProxyType(
    {
        **_ARRAYS,
        **{("collections", name): _empty_dict for name in _DICTS},
        **{(module, name): _inert for module, names in _RANDOM.items() for name in names},
        **{(module, name): _inert for module in _BUILTINS for name in ("set", "frozenset")},
    }
)

_KEYED = (
    "KeyedVectors",
    "Word2VecKeyedVectors",
    "EuclideanKeyedVectors",
    "FastTextKeyedVectors",
    "Doc2VecKeyedVectors",
)
_ITEMS = ("Vocab", "CompatVocab", "SimpleVocab", "Doctag")
_CLASSES: dict[str, tuple[str, ...]] = {
    "gensim.models.keyedvectors": (*_KEYED, *_ITEMS),
    "gensim.models.word2vec": ("Word2Vec", "Word2VecVocab", "Word2VecTrainables", "Vocab"),
    "gensim.models.fasttext": (
        "FastText", "FastTextVocab", "FastTextTrainables", "FastTextKeyedVectors",
    ),
    "gensim.models.doc2vec": (
        "Doc2Vec", "Doc2VecVocab", "Doc2VecTrainables", "DocvecsArray", "Doctag",
    ),
    "gensim.models.wrappers.fasttext": ("FastText", "FastTextKeyedVectors"),
    "gensim.models.deprecated.word2vec": ("Word2Vec", "Vocab"),
    "gensim.models.deprecated.keyedvectors": (*_KEYED, *_ITEMS),
    "gensim.models.deprecated.fasttext": ("FastText", "FastTextKeyedVectors"),
    "gensim.models.deprecated.fasttext_wrapper": ("FastText", "FastTextKeyedVectors"),
}  # fmt: skip
CLASSES = frozenset((module, name) for module, names in _CLASSES.items() for name in names)
# Named as values only, never called: hash functions, types and methods of attributes.
_VALUES = frozenset(
    {
        ("gensim.utils", "call_on_class_only"),
        ("numpy", "ndarray"),
        ("numpy", "float32"),
        ("numpy", "float64"),
        ("numpy.random._mt19937", "MT19937"),
        ("numpy.random._pcg64", "PCG64"),
        *(
            (module, name)
            for module in _BUILTINS
            for name in ("hash", "int", "long", "float", "str", "list", "dict", "object")
        ),
    }
)


def is_listed(name: Name) -> bool:
    """Whether a pickle may contain this name."""
    key = name.module, name.name
    return key in CLASSES or key in FUNCTIONS or key in _VALUES

"""An interpreter of pickle opcodes that imports nothing and calls nothing.

`pickletools.genops` of the standard library decodes the opcodes without executing them. Objects
become records (`values.py`); a name that is not on the allow-list, and an opcode that gensim does
not write, are refused.
"""

import pickletools
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, BinaryIO, NoReturn

from lexiscope.core.display import shown
from lexiscope.core.errors import BadData, UnsafeFormat
from lexiscope.data.vectors.formats.gensim.values import (
    CLASSES,
    Inert,
    Name,
    Record,
    built,
    called,
    is_listed,
)

_ADVICE = (
    "Save the vectors in the program that wrote it, for gensim: "
    "wv.save_word2vec_format('vectors.bin', binary=True)."
)
_MARK = object()
_BROKEN = (ValueError, OverflowError, KeyError, IndexError, TypeError, AttributeError)
# Pickles of gensim are written in groups of 1,000 values, and every value takes some bytes. So the
# memory for values is limited by the size of the file.
_MOST_STACKED = 100_000
_ALWAYS_ALLOWED = 10_000
_BYTES_OF_CONTAINER, _BYTES_OF_MEMO = 8, 6
_CONTAINERS = frozenset(
    {
        "EMPTY_LIST", "EMPTY_DICT", "EMPTY_SET", "FROZENSET", "NEWOBJ", "NEWOBJ_EX", "REDUCE",
        "TUPLE", "TUPLE1", "TUPLE2", "TUPLE3",
    }
)  # fmt: skip


def interpret(path: str, stream: BinaryIO, size: int) -> Any:
    """Return the value of a pickle, made of records; raise an error for anything unexpected.

    `size` is the number of bytes of the pickle.
    """
    machine = _Machine(size)
    position = 0
    try:
        for position, name, argument in _opcodes(stream):  # noqa: B007 - used in messages
            machine.run(name, argument)
        return machine.value
    except UnsafeFormat as problem:
        raise UnsafeFormat(f"{path}: byte {position}: {problem} {_ADVICE}") from None
    except BadData as problem:
        raise BadData(f"{path}: byte {position}: the pickle {problem}. {_ADVICE}") from None
    except RecursionError:
        raise BadData(f"{path}: byte {position}: the pickle is nested too deeply.") from None
    except _BROKEN as problem:
        raise BadData(
            f"{path}: byte {position}: the pickle is broken or truncated "
            f"({shown(str(problem), 80)}). Download or save it again."
        ) from None


def _opcodes(stream: BinaryIO) -> Iterator[tuple[int, str, Any]]:
    for opcode, argument, position in pickletools.genops(stream):
        yield position or 0, opcode.name, argument


class _Machine:
    """The stack and the memo of a pickle."""

    def __init__(self, size: int) -> None:
        self.containers_left = _ALWAYS_ALLOWED + size // _BYTES_OF_CONTAINER
        self.most_memorised = _ALWAYS_ALLOWED + size // _BYTES_OF_MEMO
        self.stack: list[Any] = []
        self.memo: dict[int, Any] = {}
        self.value: Any = None

    def run(self, name: str, argument: Any) -> None:
        """Run one opcode."""
        if name in _CONSTANTS:
            self.stack.append(_CONSTANTS[name])
        elif name in _LITERALS:
            self.stack.append(argument)
        elif name in _EMPTY:
            self.stack.append(_EMPTY[name]())
        else:
            _OPERATIONS.get(name, _refused(name))(self, argument)
        self.containers_left -= name in _CONTAINERS
        if (
            self.containers_left < 0
            or len(self.stack) > _MOST_STACKED
            or len(self.memo) > self.most_memorised
        ):
            raise BadData("has more values than vectors need")

    def pop(self) -> Any:
        """Remove the last value of the stack; it must not be a mark."""
        value = self.stack.pop()
        if value is _MARK:
            raise ValueError("a mark where a value is expected")
        return value

    def to_mark(self) -> list[Any]:
        """Remove the values after the last mark, and the mark."""
        position = len(self.stack) - 1
        while self.stack[position] is not _MARK:
            position -= 1
            if position < 0:
                raise ValueError("no mark")
        values = self.stack[position + 1 :]
        del self.stack[position:]
        return values

    def last(self, kind: type) -> Any:
        """Return the last value of the stack, which must be of this type."""
        value = self.stack[-1]
        if type(value) is not kind:
            raise ValueError(f"expected a {kind.__name__}")
        return value


def _refused(name: str) -> Callable[[_Machine, Any], NoReturn]:
    def refuse(machine: _Machine, argument: Any) -> NoReturn:
        raise UnsafeFormat(f"the pickle has the opcode {name}, which gensim does not write.")

    return refuse


def _named(machine: _Machine, module: Any, name: Any) -> None:
    if not isinstance(module, str) or not isinstance(name, str):
        raise ValueError("a name that is not text")
    found = Name(module, name)
    if not is_listed(found):
        raise UnsafeFormat(
            f"is a pickle that names {shown(f'{module}.{name}', 80)}, which could run code when it "
            "is opened; only vectors of gensim are read from pickles."
        )
    machine.stack.append(found)


def _global(machine: _Machine, argument: Any) -> None:
    module, _, name = argument.partition(" ")
    _named(machine, module, name)


def _stack_global(machine: _Machine, _: Any) -> None:
    name = machine.pop()
    _named(machine, machine.pop(), name)


def _reduce(machine: _Machine, _: Any) -> None:
    arguments, name = machine.pop(), machine.pop()
    if not isinstance(name, Name) or not isinstance(arguments, tuple):
        raise ValueError("a call of a value that is no function")
    if (name.module, name.name) in CLASSES:
        raise BadData(f"calls {name.module}.{name.name}")
    machine.stack.append(called(name, arguments))


def _new_object(machine: _Machine, _: Any) -> None:
    arguments, name = machine.pop(), machine.pop()
    if not isinstance(name, Name) or not isinstance(arguments, tuple):
        raise ValueError("an object without a class")
    if (name.module, name.name) in CLASSES:
        machine.stack.append(Record(name.name))
    else:
        machine.stack.append(called(name, arguments))


def _new_object_with_keywords(machine: _Machine, _: Any) -> None:
    if machine.pop():
        raise BadData("makes an object with named arguments")
    _new_object(machine, None)


def _build(machine: _Machine, _: Any) -> None:
    state = machine.pop()
    built(machine.stack[-1], state)


def _append(machine: _Machine, _: Any) -> None:
    value = machine.pop()
    machine.last(list).append(value)


def _appends(machine: _Machine, _: Any) -> None:
    values = machine.to_mark()
    machine.last(list).extend(values)


def _set_item(machine: _Machine, _: Any) -> None:
    value, key = machine.pop(), machine.pop()
    _put(machine.stack[-1], key, value)


def _set_items(machine: _Machine, _: Any) -> None:
    values = machine.to_mark()
    target = machine.stack[-1]
    for key, value in zip(values[::2], values[1::2], strict=True):
        _put(target, key, value)


def _put(target: Any, key: Any, value: Any) -> None:
    if isinstance(target, Inert):
        return
    if type(target) is not dict:
        raise ValueError("expected a dict")
    # Hashes of nested tuples recurse, and those of long numbers take time.
    if not isinstance(key, str | int | float | None):
        raise BadData("has a dict whose keys are not text")
    target[key] = value


def _tuple(size: int) -> Callable[[_Machine, Any], None]:
    def make(machine: _Machine, _: Any) -> None:
        values = [machine.pop() for _ in range(size)][::-1]
        machine.stack.append(tuple(values))

    return make


def _tuple_to_mark(machine: _Machine, _: Any) -> None:
    machine.stack.append(tuple(machine.to_mark()))


def _frozen_set(machine: _Machine, _: Any) -> None:
    machine.to_mark()
    machine.stack.append(Inert())


def _add_items(machine: _Machine, _: Any) -> None:
    machine.to_mark()
    machine.last(Inert)


def _memoise(machine: _Machine, _: Any) -> None:
    machine.memo[len(machine.memo)] = machine.stack[-1]


def _store(machine: _Machine, argument: Any) -> None:
    machine.memo[argument] = machine.stack[-1]


def _fetch(machine: _Machine, argument: Any) -> None:
    machine.stack.append(machine.memo[argument])


def _stop(machine: _Machine, _: Any) -> None:
    machine.value = machine.pop()


def _nothing(machine: _Machine, _: Any) -> None:
    pass


def _bytes(machine: _Machine, argument: Any) -> None:
    machine.stack.append(bytes(argument))


_CONSTANTS: Mapping[str, Any] = MappingProxyType(
    {"NONE": None, "NEWTRUE": True, "NEWFALSE": False, "EMPTY_TUPLE": (), "MARK": _MARK}
)
_LITERALS = frozenset(
    {
        "INT", "BININT", "BININT1", "BININT2", "LONG", "LONG1", "LONG4", "FLOAT", "BINFLOAT",
        "STRING", "BINSTRING", "SHORT_BINSTRING", "UNICODE", "BINUNICODE", "SHORT_BINUNICODE",
        "BINUNICODE8", "BINBYTES", "SHORT_BINBYTES", "BINBYTES8",
    }
)  # fmt: skip
_EMPTY: Mapping[str, Callable[[], Any]] = MappingProxyType(
    {"EMPTY_LIST": list, "EMPTY_DICT": dict, "EMPTY_SET": Inert}
)
_OPERATIONS: Mapping[str, Callable[[_Machine, Any], None]] = MappingProxyType(
    {
        "PROTO": _nothing, "FRAME": _nothing, "READONLY_BUFFER": _nothing, "STOP": _stop,
        "GLOBAL": _global, "STACK_GLOBAL": _stack_global, "REDUCE": _reduce, "BUILD": _build,
        "NEWOBJ": _new_object, "NEWOBJ_EX": _new_object_with_keywords, "APPEND": _append,
        "APPENDS": _appends, "SETITEM": _set_item, "SETITEMS": _set_items, "TUPLE1": _tuple(1),
        "TUPLE2": _tuple(2), "TUPLE3": _tuple(3), "TUPLE": _tuple_to_mark, "MEMOIZE": _memoise,
        "PUT": _store, "BINPUT": _store, "LONG_BINPUT": _store, "GET": _fetch, "BINGET": _fetch,
        "LONG_BINGET": _fetch, "BYTEARRAY8": _bytes,
        "FROZENSET": _frozen_set, "ADDITEMS": _add_items,
    }
)  # fmt: skip

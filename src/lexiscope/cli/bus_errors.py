"""Bus errors: what is left of a mapped file that another program truncates is a signal.

The signal comes from the middle of a computation, in any thread, so Python cannot handle it: the
handler is compiled, writes one sentence, and ends the process.
"""

import ctypes
import signal
import sys
from contextlib import suppress
from typing import Any

_SENTENCE = (
    "lexiscope: A file was truncated or could not be read while it was used, or the disk is full. "
    "Restore the file and run the same command again; what was stored before is safe.\n"
)
_SHOW_CURSOR = "\x1b[?25h"  # a progress bar may have hidden it
_CODE = 3
# The address of the text is a number: the types of pointers differ between versions of LLVM.
_HANDLER = """
declare i64 @write(i32, i64, i64)
declare void @_exit(i32)
define void @handler(i32 %signal) {{
  %written = call i64 @write(i32 2, i64 {address}, i64 {length})
  call void @_exit(i32 {code})
  unreachable
}}
"""


def explain_bus_errors() -> None:
    """Have bus errors of this process explained, from the first file that it maps."""
    if not hasattr(signal, "SIGBUS") or signal.getsignal(signal.SIGBUS) != signal.SIG_DFL:
        return
    installed: list[Any] = []

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        if event == "mmap.__new__" and arguments[0] != -1 and not installed:
            installed.append(None)
            with suppress(Exception):  # without a handler, the shell says "Bus error"
                installed.append(_install())

    sys.addaudithook(hook)


def _install() -> tuple[Any, ...]:
    """Compile and install the handler; returns what must live as long as it."""
    import faulthandler

    if faulthandler.is_enabled():  # it shows where, as somebody wants to know
        return ()
    sentence = (_SHOW_CURSOR * sys.stderr.isatty() + _SENTENCE).encode()
    text = ctypes.create_string_buffer(sentence)
    engine = _compiled(
        _HANDLER.format(address=ctypes.addressof(text), length=len(sentence), code=_CODE)
    )
    install = ctypes.CDLL(None).signal
    install.argtypes, install.restype = [ctypes.c_int, ctypes.c_void_p], ctypes.c_void_p
    install(signal.SIGBUS, engine.get_function_address("handler"))
    return text, engine


def _compiled(code: str) -> Any:
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    machine = llvm.Target.from_default_triple().create_target_machine()
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(code), machine)
    engine.finalize_object()
    return engine

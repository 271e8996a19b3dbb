"""Grouped commits: writes that arrive during a commit share the next one.

A write is acknowledged only after its commit. One thread does all writing, so that what an
operation reads cannot change before it writes.
"""

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple, TypeVar, cast

from lexiscope.store.study_file import StudyFile

_LARGEST_GROUP = 256
_T = TypeVar("_T")


class _Waiting(NamedTuple):
    operation: Callable[[StudyFile], Any]
    outcome: "asyncio.Future[Any]"


class Writer:
    """Runs operations on a study file in one thread, several in one transaction."""

    def __init__(self, file: StudyFile) -> None:
        self._file = file
        self._waiting: list[_Waiting] = []
        self._draining: asyncio.Task[None] | None = None
        self._thread = ThreadPoolExecutor(1, "study-writer")

    async def run(self, operation: Callable[[StudyFile], _T]) -> _T:
        """Run an operation in the next transaction; returns after the commit.

        An operation may run twice, the first time without effect, if another one of its group
        fails.
        """
        outcome = asyncio.get_running_loop().create_future()
        self._waiting.append(_Waiting(operation, outcome))
        if self._draining is None or self._draining.done():
            self._draining = asyncio.create_task(self._drain())
        return cast("_T", await outcome)

    async def run_alone(self, operation: Callable[[StudyFile], _T]) -> _T:
        """Run an operation that cannot be part of a transaction, such as a purge."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._thread, operation, self._file)

    async def close(self) -> None:
        """Finish what is waiting, and close the file."""
        if self._draining is not None:
            await self._draining
        await self.run_alone(StudyFile.close)
        self._thread.shutdown()

    async def _drain(self) -> None:
        loop = asyncio.get_running_loop()
        while self._waiting:
            group, self._waiting = (
                self._waiting[:_LARGEST_GROUP],
                self._waiting[_LARGEST_GROUP:],
            )
            operations = [each.operation for each in group]
            results = await loop.run_in_executor(self._thread, _run_group, self._file, operations)
            for each, result in zip(group, results, strict=True):
                _set(each.outcome, result)


def _set(outcome: "asyncio.Future[Any]", result: Any) -> None:
    if outcome.done():  # the visitor has gone
        return
    if isinstance(result, Exception):
        outcome.set_exception(result)
    else:
        outcome.set_result(result)


def _run_group(file: StudyFile, operations: Sequence[Callable[[StudyFile], Any]]) -> list[Any]:
    try:
        with file.transaction():
            return [operation(file) for operation in operations]
    except Exception:
        return [_run_one(file, operation) for operation in operations]


def _run_one(file: StudyFile, operation: Callable[[StudyFile], Any]) -> Any:
    try:
        with file.transaction():
            return operation(file)
    except Exception as problem:
        return problem

"""Handing cells to a backend: embeddings stay here, or are mapped from files by other processes."""

import hashlib
import json
import os
import platform
import shutil
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from lexiscope.bench.align import Aligned, align, restricted, shared_words
from lexiscope.bench.cell import Cell, Known, Outcome, ask, failed
from lexiscope.core.embedding import Embedding
from lexiscope.core.errors import LexiscopeError
from lexiscope.core.policy import Policy
from lexiscope.core.vectors import equal_rows
from lexiscope.data.vectors import load, save


@dataclass(frozen=True)
class Handed:
    """A cell as other processes get it: where its embedding and the shared words lie."""

    cell: Cell
    known: Known | None
    path: str = ""
    shared: str = ""
    reason: str = ""  # why it cannot be asked at all


class HandedOver(NamedTuple):
    """What a backend maps, and over what."""

    function: Callable[[Handed], Outcome]
    cells: list[Handed]


class Prepared:
    """Embeddings under policies; the latest are kept, because cells come in that order."""

    def __init__(self, embeddings: Sequence[Embedding]) -> None:
        self._embeddings = embeddings
        self.shared = lru_cache(maxsize=None)(self._shared)
        self._own = lru_cache(maxsize=2 * len(embeddings))(self._aligned_alone)
        self._kept = lru_cache(maxsize=2 * len(embeddings))(self._aligned)

    def aligned(self, embedding: int, policy: Policy) -> Aligned:
        """An embedding under a policy; the same object where the policy changes nothing."""
        return self._kept(embedding, self._effective(embedding, policy))

    def same(self, cell: Cell, policy: Policy) -> bool:
        """Whether a cell must come out as it does under another policy.

        A local task needs equal vectors for the dataset's words only, any other the very same
        embedding.
        """
        here, there = (self.aligned(cell.embedding, each) for each in (cell.policy, policy))
        ours, theirs = (cell.dataset.spelt(each) for each in (cell.policy, policy))
        if ours is not theirs and ours.fingerprint != theirs.fingerprint:
            return False
        whole = all(word in here.embedding for word in ours.all_words)
        if not whole and cell.policy.unknown != policy.unknown:
            return False
        if here.embedding is there.embedding:
            return True
        if not whole and policy.unknown == "mean":  # the mean is that of all words
            return False
        return cell.task.local and _equal_rows(here.embedding, there.embedding, ours.all_words)

    def _effective(self, embedding: int, policy: Policy) -> Policy:
        """The policy without what makes no difference to the vectors."""
        whole = policy.limit is not None and policy.limit >= len(self._embeddings[embedding])
        return replace(policy, unknown="skip", limit=None if whole else policy.limit)

    def _shared(self, policy: Policy) -> frozenset[str] | None:
        return shared_words(self._embeddings, policy)

    def _aligned(self, embedding: int, policy: Policy) -> Aligned:
        own = self._own(embedding, replace(policy, vocabulary="own"))
        return restricted(own, self.shared(policy))

    def _aligned_alone(self, embedding: int, policy: Policy) -> Aligned:
        return align(self._embeddings[embedding], policy)


def _equal_rows(ours: Embedding, theirs: Embedding, words: set[str]) -> bool:
    wanted = sorted(words)
    here, there = (embedding.vocabulary.find(wanted) for embedding in (ours, theirs))
    if not np.array_equal(here < 0, there < 0):
        return False
    known = here >= 0
    return equal_rows(ours.vectors[here[known]], theirs.vectors[there[known]])


@contextmanager
def handed_over(
    prepared: Prepared, embeddings: Sequence[Embedding], todo: list[Handed], backend: str
) -> Iterator[HandedOver]:
    """The cells as the backend needs them."""
    if backend == "serial":
        yield HandedOver(lambda handed: _ask_here(prepared, handed), todo)
        return
    _sweep()
    with tempfile.TemporaryDirectory(prefix=f"{_spool_name()}{os.getpid()}-") as spool:
        yield HandedOver(_ask_from_files, _written(Path(spool), prepared, embeddings, todo))


def _written(
    spool: Path, prepared: Prepared, embeddings: Sequence[Embedding], todo: list[Handed]
) -> list[Handed]:
    """Embeddings and shared words as files of the spool: nothing large is sent to a process."""
    for place in {handed.cell.embedding for handed in todo}:
        save(embeddings[place], spool / f"{place}.safetensors")
    shared, reasons = _shared_written(spool, prepared, [handed.cell.policy for handed in todo])
    return [
        Handed(
            handed.cell,
            handed.known,
            str(spool / f"{handed.cell.embedding}.safetensors"),
            shared.get(handed.cell.policy, ""),
            reasons.get(handed.cell.policy, ""),
        )
        for handed in todo
    ]


def _shared_written(
    spool: Path, prepared: Prepared, policies: Iterable[Policy]
) -> tuple[dict[Policy, str], dict[Policy, str]]:
    """The files with the words that embeddings share, and why some policies have none."""
    files: dict[Policy, str] = {}
    reasons: dict[Policy, str] = {}
    for policy in dict.fromkeys(policies):
        try:
            words = prepared.shared(policy)
        except LexiscopeError as problem:
            reasons[policy] = str(problem)
            continue
        if words is not None:
            files[policy] = str(spool / f"shared-{len(files)}.json")
            Path(files[policy]).write_text(json.dumps(sorted(words)))
    return files, reasons


def _ask_here(prepared: Prepared, handed: Handed) -> Outcome:
    return _ask(handed, lambda: prepared.aligned(handed.cell.embedding, handed.cell.policy))


def _ask_from_files(handed: Handed) -> Outcome:
    if handed.reason:
        return failed(handed.reason, time.perf_counter())
    return _ask(handed, lambda: _mapped(handed.path, handed.cell.policy, handed.shared))


def _ask(handed: Handed, aligned: Callable[[], Aligned]) -> Outcome:
    begun = time.perf_counter()
    try:
        found = aligned()
    except LexiscopeError as problem:
        return failed(str(problem), begun)
    return ask(handed.cell, found, handed.known)


@lru_cache(maxsize=3)
def _mapped(path: str, policy: Policy, shared: str) -> Aligned:
    """A worker keeps what it has mapped; file names of a run's spool are never used again."""
    words = frozenset(json.loads(Path(shared).read_text())) if shared else None
    return restricted(align(load(path), policy), words)


def _sweep() -> None:
    """Remove the spools of runs that were killed: their process is no more."""
    for spool in Path(tempfile.gettempdir()).glob(f"{_spool_name()}*"):
        owner = spool.name.removeprefix(_spool_name()).partition("-")[0]
        if owner.isascii() and owner.isdigit() and not _alive(int(owner)):
            shutil.rmtree(spool, ignore_errors=True)


def _alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:  # it is there, but it is not ours
        return True
    return True


def _spool_name() -> str:
    """How spools of this machine begin: a folder may be shared with others."""
    return f"lexiscope-{hashlib.sha256(platform.node().encode()).hexdigest()[:8]}-"

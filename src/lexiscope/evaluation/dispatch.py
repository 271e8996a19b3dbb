"""Dispatch cells to a backend: other processes map the embeddings from files.

The files of vectors in our own format are used as they are, other vectors are written to temporary
files. Workers of a cluster that do not see a file receive it.
"""

import hashlib
import json
import os
import platform
import shutil
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import Any

from lexiscope.cluster.files import SharedFile, path_of, shared_file
from lexiscope.core.embedding import Embedding
from lexiscope.core.errors import LexiscopeError
from lexiscope.core.execution import Execution
from lexiscope.core.policy import Policy
from lexiscope.data.vectors import load
from lexiscope.data.vectors.mapped_file import file_with
from lexiscope.evaluation.backends import distribute
from lexiscope.evaluation.cell import Cell, KnownPredictions, Outcome, evaluate, failed
from lexiscope.evaluation.vocabulary import Aligned, AlignedEmbeddings, align, restrict


@dataclass(frozen=True)
class Job:
    """A cell to evaluate.

    For other processes: the file that begins with the embedding, its number of words and its name
    in this run, and the file with the shared words, or the reason why the cell cannot be evaluated.
    """

    cell: Cell
    known: KnownPredictions | None = None
    embedding_file: SharedFile | None = None
    embedding_words: int = 0
    embedding_name: str = ""
    shared_words_file: SharedFile | None = None
    failure: str = ""


def dispatch(
    jobs: Sequence[Job], aligned: AlignedEmbeddings, execution: Execution
) -> Iterator[tuple[int, Outcome]]:
    """Evaluate cells; yields the position of each job with its outcome, as they finish."""
    if not jobs:
        return
    if execution.backend == "serial":
        for number in _by_dataset(jobs):
            yield number, _evaluate_here(jobs[number], aligned)
        return
    _remove_abandoned_files()
    with tempfile.TemporaryDirectory(prefix=f"{_prefix()}{os.getpid()}-") as folder:
        prepared = _with_files(jobs, aligned, Path(folder))
        with closing(distribute(_evaluate_from_files, prepared, execution)) as outcomes:
            yield from outcomes


def _by_dataset(jobs: Sequence[Job]) -> list[int]:
    """The positions of jobs, those of one task, dataset and policy next to each other.

    So what the intervals of all embeddings have in common is computed once, and cached briefly.
    """
    groups: dict[Any, list[int]] = {}
    for number, job in enumerate(jobs):
        cell = job.cell
        key = cell.policy, cell.control, cell.variant, id(cell.dataset)
        groups.setdefault(key, []).append(number)
    return list(chain.from_iterable(groups.values()))


def _with_files(jobs: Sequence[Job], aligned: AlignedEmbeddings, folder: Path) -> list[Job]:
    """Write embeddings and shared words, so that nothing large is sent with a job."""
    indices = {job.cell.embedding for job in jobs}
    embeddings = {
        index: file_with(aligned.embeddings[index], folder / f"{index}.safetensors")
        for index in indices
    }
    files, failures = _write_shared_words([job.cell.policy for job in jobs], aligned, folder)
    return [
        replace(
            job,
            embedding_file=embeddings[job.cell.embedding],
            embedding_words=len(aligned.embeddings[job.cell.embedding]),
            embedding_name=aligned.embeddings[job.cell.embedding].name,
            shared_words_file=files.get(job.cell.policy),
            failure=failures.get(job.cell.policy, ""),
        )
        for job in jobs
    ]


def _write_shared_words(
    policies: Iterable[Policy], aligned: AlignedEmbeddings, folder: Path
) -> tuple[dict[Policy, SharedFile], dict[Policy, str]]:
    """The files with the words that embeddings share, and why some policies have none."""
    files: dict[Policy, SharedFile] = {}
    failures: dict[Policy, str] = {}
    for policy in dict.fromkeys(policies):
        try:
            words = aligned.shared_words(policy)
        except LexiscopeError as problem:
            failures[policy] = str(problem)
            continue
        if words is not None:
            path = folder / f"shared-{len(files)}.json"
            path.write_text(json.dumps(sorted(words)))
            files[policy] = shared_file(path)
    return files, failures


def _evaluate_here(job: Job, aligned: AlignedEmbeddings) -> Outcome:
    return _evaluate(job, lambda: aligned.get(job.cell.embedding, job.cell.policy))


def _evaluate_from_files(job: Job) -> Outcome:
    if job.failure or job.embedding_file is None:
        return failed(job.failure, time.perf_counter())
    described = job.embedding_file, job.embedding_words, job.embedding_name
    return _evaluate(job, lambda: _aligned_file(*described, job.cell.policy, job.shared_words_file))


def _evaluate(job: Job, aligned: Callable[[], Aligned]) -> Outcome:
    started = time.perf_counter()
    try:
        found = aligned()
    except LexiscopeError as problem:
        return failed(str(problem), started)
    return evaluate(job.cell, found, job.known)


@lru_cache(maxsize=3)
def _aligned_file(
    file: SharedFile, words: int, name: str, policy: Policy, shared_words: SharedFile | None
) -> Aligned:
    """An embedding that a worker has mapped."""
    shared = None
    if shared_words is not None:
        shared = frozenset(json.loads(Path(path_of(shared_words)).read_text()))
    embedding: Embedding = load(path_of(file), limit=words)
    return restrict(align(embedding.named(name), policy), shared)


def _remove_abandoned_files() -> None:
    """Remove the temporary folders of runs that were killed: their process has ended."""
    for folder in Path(tempfile.gettempdir()).glob(f"{_prefix()}*"):
        owner = folder.name.removeprefix(_prefix()).partition("-")[0]
        if owner.isascii() and owner.isdigit() and not _is_running(int(owner)):
            shutil.rmtree(folder, ignore_errors=True)


def _is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:  # it runs, but belongs to someone else
        return True
    return True


def _prefix() -> str:
    """The prefix of temporary folders of this machine: the folder may be shared with others."""
    return f"lexiscope-{hashlib.sha256(platform.node().encode()).hexdigest()[:8]}-"

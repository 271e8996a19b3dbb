"""Workers that share no folder give the results of this process, whatever happens to them."""

import os
import signal
import time
from functools import partial
from pathlib import Path

import pytest

from lexiscope.cluster import files, shipping
from lexiscope.cluster.connection import NoScheduler, connection, patience
from lexiscope.cluster.files import path_of, shared_file
from lexiscope.cluster.shipping import content_of
from lexiscope.cluster.work import call, distributed_map
from lexiscope.core.errors import BadUsage, LexiscopeError

pytestmark = pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::DeprecationWarning")


def results(cluster, function, work, content=content_of):
    with connection(cluster.address, 1) as client:
        return dict(distributed_map(client, function, work, content))


def describe(file, number):
    """Where a worker finds a file, and what it contains."""
    time.sleep(0.2)  # so that every worker gets some of the work
    path = path_of(file)
    return path, Path(path).read_bytes(), number


def a_file(folder, size):
    path = folder / "some.bin"
    path.write_bytes(os.urandom(size))
    return path


def test_a_file_reaches_each_workers_own_folder_and_leaves_it_again(cluster, monkeypatch):
    monkeypatch.setattr(shipping, "_PART", 1000)
    path = a_file(cluster.folder, 10_500)
    file, sent = shared_file(path), []

    def content(wanted):
        sent.append(wanted)
        return content_of(wanted)

    found = results(cluster, partial(describe, file), range(8), content)

    assert [found[number][1:] for number in range(8)] == [(path.read_bytes(), n) for n in range(8)]
    folders = {Path(where).relative_to(cluster.folder).parts[0] for where, *_ in found.values()}
    assert folders == {"worker-0", "worker-1"}
    assert sent == [file] * 11  # once from here; the second worker has it from the first
    assert cluster.received() == []


def test_an_empty_file_arrives(cluster):
    path = a_file(cluster.folder, 0)

    found = results(cluster, partial(describe, shared_file(path)), range(2))

    assert [content for _, content, _ in found.values()] == [b"", b""]


def test_workers_of_one_machine_share_the_file_on_disk(tmp_path):
    """Two workers with one --local-directory have two names for one copy."""
    own = tmp_path / "a" / "lexiscope" / "key"
    other = tmp_path / "b" / "lexiscope" / "key"
    for path in (own, other):
        path.parent.mkdir(parents=True)
    own.write_bytes(b"content")

    assert files._link_from_neighbour(other)
    assert other.stat().st_ino == own.stat().st_ino


def test_a_worker_that_sees_the_file_maps_it_there(tmp_path):
    path = a_file(tmp_path, 10)

    assert path_of(shared_file(path)) == str(path)


def test_a_file_that_changes_while_it_is_used_is_an_error(tmp_path):
    path = a_file(tmp_path, 10)
    file = shared_file(path)
    path.write_bytes(b"other")

    with pytest.raises(LexiscopeError, match="has changed while it was used"):
        content_of(file)
    with pytest.raises(LexiscopeError, match="has changed while it was used"):
        path_of(file)


def test_a_full_disk_of_a_worker_is_one_sentence(cluster, monkeypatch):
    path = a_file(cluster.folder, 10)
    huge = files.SharedFile("huge", 1 << 60, str(path), (1 << 60, 0, 0))

    with pytest.raises(LexiscopeError, match=r"cannot store .* --local-directory"):
        results(cluster, partial(describe, huge), [1])


def pause(number):
    time.sleep(0.3)
    return number


def test_the_work_of_a_killed_worker_is_done_by_another_one(fragile_cluster):
    first = fragile_cluster.workers[0]

    def kill_during():
        for number in range(12):
            if number == 8:
                first.kill()
            yield number

    assert results(fragile_cluster, pause, kill_during()) == {n: n for n in range(12)}
    assert first.wait() == -signal.SIGKILL


def test_a_worker_killed_while_it_receives_a_file_loses_nothing(fragile_cluster, monkeypatch):
    monkeypatch.setattr(shipping, "_PART", 100)
    path, victims = a_file(fragile_cluster.folder, 5_000), list(fragile_cluster.workers[:1])
    file, parts = shared_file(path), []

    def content(wanted):
        parts.append(wanted)
        if len(parts) == 20:
            victims.pop().kill()
        return content_of(wanted)

    found = results(fragile_cluster, partial(describe, file), range(4), content)

    assert {n: bytes_ for n, (_, bytes_, _) in found.items()} == dict.fromkeys(
        range(4), path.read_bytes()
    )


def test_a_stopped_worker_delays_the_work_only(fragile_cluster):
    slow = fragile_cluster.workers[0]

    def stop_and_continue():
        for number in range(10):
            if number == 8:
                slow.send_signal(signal.SIGSTOP)
            yield number

    with connection(fragile_cluster.address, 1) as client:
        found = {}
        for number, result in distributed_map(client, pause, stop_and_continue()):
            found[number] = result
            if len(found) == 6:
                slow.send_signal(signal.SIGCONT)

    assert found == {n: n for n in range(10)}


def test_without_workers_the_work_ends_with_a_sentence(fragile_cluster, monkeypatch):
    monkeypatch.setenv("LEXISCOPE_DASK_TIMEOUT", "3")

    def kill_all():
        for number in range(12):
            if number == 8:
                for worker in fragile_cluster.workers:
                    worker.kill()
            yield number

    # On a busy machine, the client may miss the scheduler for 3 seconds too.
    ended = r"(has had no worker for 3 seconds|connection .* was lost).* continues from"
    with pytest.raises(NoScheduler, match=ended):
        results(fragile_cluster, pause, kill_all())


def test_a_new_worker_takes_over(fragile_cluster, monkeypatch):
    monkeypatch.setenv("LEXISCOPE_DASK_TIMEOUT", "30")

    def replace_all():
        for number in range(12):
            if number == 8:
                for worker in fragile_cluster.workers[:2]:
                    worker.kill()
                fragile_cluster.add_worker()
            yield number

    assert results(fragile_cluster, pause, replace_all()) == {n: n for n in range(12)}


def test_a_killed_scheduler_ends_the_work_with_a_sentence(fragile_cluster, monkeypatch):
    monkeypatch.setenv("LEXISCOPE_DASK_TIMEOUT", "3")

    def kill_scheduler():
        for number in range(12):
            if number == 8:
                fragile_cluster.scheduler.kill()
            yield number

    with pytest.raises(NoScheduler, match=r"connection to the dask scheduler .* was lost"):
        results(fragile_cluster, pause, kill_scheduler())


def test_a_stopped_scheduler_ends_the_work_with_a_sentence(fragile_cluster, monkeypatch):
    monkeypatch.setenv("LEXISCOPE_DASK_TIMEOUT", "3")

    def stop_scheduler():
        for number in range(12):
            if number == 8:
                fragile_cluster.scheduler.send_signal(signal.SIGSTOP)
            yield number

    with pytest.raises(NoScheduler, match=r"connection to the dask scheduler .* was lost"):
        results(fragile_cluster, pause, stop_scheduler())


def test_no_scheduler_is_one_sentence(monkeypatch):
    monkeypatch.setenv("LEXISCOPE_DASK_TIMEOUT", "1")

    with (
        pytest.raises(NoScheduler, match=r"tcp://127.0.0.1:9: no dask scheduler responds"),
        connection("tcp://127.0.0.1:9", 1),
    ):
        pass


@pytest.mark.parametrize("value", ["soon", "-1", "inf", "nan"])
def test_a_timeout_is_a_number_of_seconds(monkeypatch, value):
    monkeypatch.setenv("LEXISCOPE_DASK_TIMEOUT", value)

    with pytest.raises(BadUsage, match="LEXISCOPE_DASK_TIMEOUT is a number of seconds above 0"):
        patience()


def test_a_worker_with_another_version_refuses_the_work(monkeypatch):
    monkeypatch.setattr("lexiscope.cluster.work.address", lambda: "tcp://other:1")

    with pytest.raises(LexiscopeError, match=r"tcp://other:1 has lexiscope .* this is 0\.0\.1"):
        call("0.0.1", pause, 1)

"""Grouped commits: what is acknowledged is stored, and one failure harms no other write."""

import asyncio
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import pytest

from lexiscope.store.study_file import StudyFile
from lexiscope.web.writer import Writer
from tests.web.studies import comparison, write


def completed(work):
    """The result of a coroutine, in a thread: a browser test may run a loop in this one."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, work).result()


@pytest.fixture
def path(tmp_path):
    return write(tmp_path / "study.db", comparison())


class _Counting(StudyFile):
    """A study file that counts its transactions."""

    transactions = 0

    def transaction(self):
        self.transactions += 1
        return super().transaction()


def _adding(name):
    return lambda file: file.add_judge("link", 0.0, judge_id=name).id


def _judges(path):
    with closing(sqlite3.connect(path)) as database:
        return {row[0] for row in database.execute("SELECT id FROM judge")}


def test_writes_that_wait_share_a_commit(path):
    async def run():
        file = _Counting(path)
        writer = Writer(file)
        names = [f"j{k}" for k in range(100)]
        found = await asyncio.gather(*(writer.run(_adding(name)) for name in names))
        await writer.close()
        return found == names, file.transactions

    assert completed(run()) == (True, 1)
    assert len(_judges(path)) == 100


def test_a_write_is_stored_when_it_is_acknowledged(path):
    async def run():
        writer = Writer(StudyFile(path))
        await writer.run(_adding("j1"))
        seen = _judges(path)  # from a connection of its own
        await writer.close()
        return seen

    assert completed(run()) == {"j1"}


def test_an_operation_that_fails_does_not_lose_the_others(path):
    def failing(file):
        _adding("half done")(file)
        raise KeyError("broken")

    async def run():
        writer = Writer(StudyFile(path))
        operations = [_adding("j1"), failing, _adding("j2"), _adding("j1"), _adding("j3")]
        found = await asyncio.gather(*map(writer.run, operations), return_exceptions=True)
        await writer.close()
        return found

    found = completed(run())
    assert [found[0], found[2], found[4]] == ["j1", "j2", "j3"]
    assert isinstance(found[1], KeyError)
    assert "UNIQUE" in str(found[3])
    assert _judges(path) == {"j1", "j2", "j3"}


def test_a_visitor_who_leaves_does_not_stop_the_writer(path):
    async def run():
        writer = Writer(StudyFile(path))
        tasks = [asyncio.create_task(writer.run(_adding(f"j{k}"))) for k in range(5)]
        await asyncio.sleep(0)
        tasks[1].cancel()
        tasks[3].cancel()
        found = await asyncio.gather(*tasks, return_exceptions=True)
        later = await writer.run(_adding("later"))
        await writer.close()
        return [found[k] for k in (0, 2, 4)], later

    assert completed(run()) == (["j0", "j2", "j4"], "later")
    assert {"j0", "j2", "j4", "later"} <= _judges(path)


def test_closing_finishes_what_waits(path):
    async def run():
        writer = Writer(StudyFile(path))
        tasks = [asyncio.create_task(writer.run(_adding(f"j{k}"))) for k in range(600)]
        await asyncio.sleep(0)
        await writer.close()
        return await asyncio.gather(*tasks)

    assert len(completed(run())) == 600
    assert len(_judges(path)) == 600
    assert not path.with_name(path.name + "-wal").exists()


def test_an_operation_outside_transactions_waits_for_its_turn(path):
    async def run():
        writer = Writer(StudyFile(path))
        await writer.run(_adding("j1"))
        found = await asyncio.gather(
            writer.run(_adding("j2")), writer.run_alone(lambda file: file.forget("j1"))
        )
        await writer.close()
        return found

    assert completed(run()) == ["j2", 0]
    assert _judges(path) == {"j2"}

import sys
from types import ModuleType

import pytest

from lexiscope import tasks
from lexiscope.core.discovery import load, names
from lexiscope.core.errors import UnknownName
from lexiscope.core.task import Task
from lexiscope.tasks.similarity import Similarity


@pytest.fixture
def room(tmp_path, monkeypatch):
    """An empty package whose files a test writes."""
    package = ModuleType("room_of_tests")
    package.__path__ = [str(tmp_path)]
    monkeypatch.setitem(sys.modules, "room_of_tests", package)
    yield package
    for name in [name for name in sys.modules if name.startswith("room_of_tests.")]:
        del sys.modules[name]


def test_a_file_is_found_by_its_name(room, tmp_path):
    (tmp_path / "seven.py").write_text("class Seven(int):\n    pass\n")

    assert load(room, "seven", int)() == 0
    assert names(room) == ["seven"]


def test_files_that_serve_their_neighbours_are_not_listed(room, tmp_path):
    (tmp_path / "_hidden.py").write_text("")
    (tmp_path / "b.py").write_text("raise RuntimeError('listing imports nothing')")
    (tmp_path / "a.py").write_text("")

    assert names(room) == ["a", "b"]


def test_what_a_file_imports_is_not_what_it_defines(room, tmp_path):
    (tmp_path / "two.py").write_text("from decimal import Decimal\nclass Own(Decimal):\n    pass\n")

    assert load(room, "two", object).__name__ == "Own"


@pytest.mark.parametrize("text", ["", "class A(int):\n    pass\nclass B(int):\n    pass\n"])
def test_a_file_defines_exactly_one_class(room, tmp_path, text):
    (tmp_path / "many.py").write_text(text)

    with pytest.raises(TypeError, match="must define one int"):
        load(room, "many", int)


def test_the_tasks_are_found():
    assert {"analogy", "similarity"} <= set(names(tasks))
    assert load(tasks, "similarity", Task) is Similarity


def test_a_slip_of_the_pen_is_answered_with_what_was_meant():
    with pytest.raises(
        UnknownName, match=r"No task named 'similarty'\. Did you mean 'similarity'\?"
    ):
        load(tasks, "similarty", Task)

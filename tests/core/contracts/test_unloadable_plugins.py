import sys

import pytest

from lexiscope import tasks
from lexiscope.core.contracts.registry import TASKS, BrokenPlugin, loadable_names, names
from lexiscope.core.contracts.task import Task


@pytest.fixture
def installed(tmp_path, monkeypatch):
    """A package with three entry points: a task, a class that is none, and one that is absent."""
    about = tmp_path / "mine-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: mine\n")
    (about / "entry_points.txt").write_text(
        f"[{TASKS}]\ngood = plugin_three:Good\nodd = plugin_three:Odd\nabsent = plugin_three:No\n"
    )
    (tmp_path / "plugin_three.py").write_text(
        "from lexiscope.tasks.similarity import Similarity\n"
        "class Good(Similarity): pass\nclass Odd: pass\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    yield
    sys.modules.pop("plugin_three", None)


def test_entry_points_that_cannot_be_loaded_are_left_out_with_a_warning(installed):
    assert {"good", "odd", "absent"} < set(names(tasks, TASKS))

    with pytest.warns(BrokenPlugin) as warned:
        found = loadable_names(tasks, Task, TASKS)

    assert set(found) == {*names(tasks), "good"}
    absent, odd = (str(each.message) for each in warned)
    assert "absent = plugin_three:No of the package 'mine' cannot be loaded (Attri" in absent
    assert odd.endswith("of the package 'mine' is not a subclass of Task. It is left out.")


def test_built_in_files_are_not_imported(monkeypatch):
    monkeypatch.delitem(sys.modules, "lexiscope.tasks.chunking", raising=False)

    assert loadable_names(tasks, Task, TASKS) == names(tasks)
    assert "lexiscope.tasks.chunking" not in sys.modules

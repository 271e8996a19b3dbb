import pickle
import subprocess
import sys
from types import ModuleType

import pytest

from lexiscope import tasks, trainers
from lexiscope.core.contracts.registry import TASKS, TRAINERS, load, load_file, names, summary
from lexiscope.core.contracts.task import Task
from lexiscope.core.contracts.trainer import Trainer
from lexiscope.core.errors import BadData, BadUsage, UnknownName
from lexiscope.tasks.similarity import Similarity

TASK = """
from dataclasses import dataclass
from lexiscope.core.contracts.settings import setting
from lexiscope.tasks.similarity import Similarity

@dataclass(frozen=True)
class Mine(Similarity):
    '''Similarity with a setting of its own.'''
    weight: float = setting(1.0, "A weight.", minimum=0)
"""


@pytest.fixture
def package(tmp_path, monkeypatch):
    """An empty package whose files a test writes."""
    package = ModuleType("package_of_tests")
    package.__path__ = [str(tmp_path)]
    monkeypatch.setitem(sys.modules, "package_of_tests", package)
    yield package
    for name in [name for name in sys.modules if name.startswith("package_of_tests.")]:
        del sys.modules[name]


@pytest.fixture
def install(tmp_path, monkeypatch):
    """Put a fake distribution with one entry point on sys.path."""
    monkeypatch.syspath_prepend(str(tmp_path))

    def installed(distribution, group, name, value, code=TASK):
        folder = tmp_path / f"{distribution}-1.0.dist-info"
        folder.mkdir()
        (folder / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {distribution}\n")
        (folder / "entry_points.txt").write_text(f"[{group}]\n{name} = {value}\n")
        (tmp_path / f"{value.partition(':')[0]}.py").write_text(code)

    yield installed
    for module in ("plugin_one", "plugin_two"):
        sys.modules.pop(module, None)


def test_a_class_is_found_by_its_file_name(package, tmp_path):
    (tmp_path / "seven.py").write_text("class Seven(int):\n    pass\n")

    assert load(package, "seven", int)() == 0
    assert names(package) == ["seven"]


def test_private_files_are_not_listed(package, tmp_path):
    (tmp_path / "_hidden.py").write_text("")
    (tmp_path / "b.py").write_text("raise RuntimeError('listing imports nothing')")
    (tmp_path / "a.py").write_text("")

    assert names(package) == ["a", "b"]


def test_imported_classes_do_not_count_as_defined(package, tmp_path):
    (tmp_path / "two.py").write_text("from decimal import Decimal\nclass Own(Decimal):\n    pass\n")

    assert load(package, "two", object).__name__ == "Own"


@pytest.mark.parametrize("text", ["", "class A(int):\n    pass\nclass B(int):\n    pass\n"])
def test_a_built_in_file_defines_exactly_one_class(package, tmp_path, text):
    (tmp_path / "many.py").write_text(text)

    with pytest.raises(TypeError, match="must define one int"):
        load(package, "many", int)


def test_the_tasks_are_found():
    assert {"analogy", "similarity"} <= set(names(tasks))
    assert load(tasks, "similarity", Task) is Similarity


def test_a_misspelt_name_is_reported_with_the_nearest_one():
    with pytest.raises(
        UnknownName, match=r"No task named 'similarty'\. Did you mean 'similarity'\?"
    ):
        load(tasks, "similarty", Task)


def test_an_installed_task_is_listed_and_loaded(install):
    install("mine", TASKS, "weighted", "plugin_one:Mine")

    assert "weighted" in names(tasks, TASKS)
    assert "plugin_one" not in sys.modules, "listing imports nothing"
    assert load(tasks, "weighted", Task, TASKS)(weight=2.0).settings["weight"] == 2.0
    assert summary(tasks, "weighted", TASKS) == "Similarity with a setting of its own."


def test_entry_points_of_one_group_are_not_in_another(install):
    install("mine", TASKS, "weighted", "plugin_one:Mine")

    assert "weighted" not in names(tasks)
    assert "weighted" not in names(trainers, TRAINERS)
    with pytest.raises(UnknownName, match="No trainer named 'weighted'"):
        load(trainers, "weighted", Trainer, TRAINERS)


def test_an_installed_task_may_not_have_a_built_in_name(install):
    install("mine", TASKS, "similarity", "plugin_one:Mine")

    expected = (
        r"The installed package 'mine' provides 'similarity' in the entry-point group "
        r"lexiscope\.tasks, which is the name of a built-in task\. Rename the entry point"
    )
    for call in (lambda: names(tasks, TASKS), lambda: load(tasks, "similarity", Task, TASKS)):
        with pytest.raises(BadUsage, match=expected):
            call()


def test_two_packages_may_not_provide_the_same_name(install):
    install("one", TASKS, "weighted", "plugin_one:Mine")
    install("two", TASKS, "weighted", "plugin_two:Mine")

    with pytest.raises(BadUsage, match=r"which is also provided by '(one|two)'\. Rename"):
        names(tasks, TASKS)


@pytest.mark.parametrize(
    ("value", "code", "expected"),
    [
        ("plugin_one:Other", TASK, r"plugin_one:Other .* cannot be loaded \(AttributeError: "),
        ("plugin_one:Mine", "import nothing_like_it", "No module named 'nothing_like_it'"),
        ("plugin_one:Mine", "class Mine: pass", "is not a subclass of Task"),
        ("plugin_one:Mine", "Mine = 3", "is not a subclass of Task"),
    ],
)
def test_a_broken_entry_point_is_reported_with_its_package(install, value, code, expected):
    install("mine", TASKS, "weighted", value, code)

    with pytest.raises(BadUsage, match=expected) as caught:
        load(tasks, "weighted", Task, TASKS)
    assert "of the package 'mine'" in str(caught.value)


def test_a_task_is_loaded_from_a_file(tmp_path):
    (tmp_path / "mine.py").write_text(TASK)

    found = load_file(tmp_path / "mine.py", Task)

    assert found(weight=0.5).settings["weight"] == 0.5
    assert load_file(tmp_path / "mine.py", Task) is found
    with pytest.raises(BadUsage, match=r"mine\.weight must be 0 or more, found -1"):
        found(weight=-1)


def test_a_changed_file_is_loaded_again(tmp_path):
    (tmp_path / "mine.py").write_text(TASK)
    first = load_file(tmp_path / "mine.py", Task)
    (tmp_path / "mine.py").write_text(TASK.replace("1.0", "3.0"))

    assert first().weight == 1.0
    assert load_file(tmp_path / "mine.py", Task)().weight == 3.0


def test_private_and_abstract_classes_of_a_file_do_not_count(tmp_path):
    more = "\nclass _Base(Similarity): pass\nfrom lexiscope.core.contracts.task import Task\n"
    (tmp_path / "mine.py").write_text(TASK + more + "class Abstract(Task): pass\n")

    assert load_file(tmp_path / "mine.py", Task).__name__ == "Mine"


def test_objects_of_a_class_from_a_file_reach_other_processes(tmp_path):
    (tmp_path / "mine.py").write_text(TASK)
    task = load_file(tmp_path / "mine.py", Task)(weight=0.25)

    pickled = pickle.dumps(task)

    assert pickle.loads(pickled) == task
    code = "import pickle, sys; print(pickle.loads(sys.stdin.buffer.read()).weight)"
    found = subprocess.run([sys.executable, "-c", code], input=pickled, capture_output=True)
    assert found.stdout.strip() == b"0.25", found.stderr


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (None, r"mine\.py: cannot be read \(No such file or directory\)"),
        ("class Mine(\n", r"mine\.py:1: is not valid Python \("),
        ("import nothing_like_it", r"cannot be imported \(ModuleNotFoundError: No module named"),
        ("1 / 0", r"cannot be imported \(ZeroDivisionError: division by zero\)"),
        ("x = 3", r"mine\.py: must define one subclass of Task, found 0\."),
        (
            TASK + "class Other(Similarity): pass\n",
            r"must define one subclass of Task, found 2 \(Mine, Other\)\.",
        ),
    ],
)
def test_a_file_that_cannot_be_used_is_reported(tmp_path, text, expected):
    if text is not None:
        (tmp_path / "mine.py").write_text(text)

    with pytest.raises(BadData, match=expected):
        load_file(tmp_path / "mine.py", Task)


def test_a_file_that_is_not_python_is_refused(tmp_path):
    (tmp_path / "mine.txt").write_text(TASK)

    with pytest.raises(BadData, match=r"its name must end in \.py"):
        load_file(tmp_path / "mine.txt", Task)

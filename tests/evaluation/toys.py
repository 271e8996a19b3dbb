"""Tasks that only tests need, written into a folder that the tasks' package then reaches."""

import sys

import pytest

from lexiscope import tasks

HEAD = '''"""A toy."""
import os, time
from dataclasses import dataclass
import numpy as np
from lexiscope.core.datasets import WordPairs
from lexiscope.core.contracts.task import Predictions, Task
from lexiscope.core.contracts.metric import Metric
from lexiscope.linalg.cosine import cosine
from lexiscope.metrics.correlation import pearson, spearman

'''
TOYS = {
    # Slow, with random predictions: a repeated evaluation must give the same ones.
    "slow": '''@dataclass(frozen=True)
class Slow(Task):
    """Takes its time."""
    dataset = WordPairs
    metric = spearman
    def predict(self, embedding, items, rng):
        time.sleep(float(os.environ.get("TOY_PAUSE", "0")))
        given = cosine(embedding[items.left], embedding[items.right])
        return Predictions(given + rng.normal(size=len(given)), items.rating)
''',
    "broken": '''@dataclass(frozen=True)
class Broken(Task):
    """Raises."""
    strict: bool = False
    dataset = WordPairs
    metric = spearman
    def predict(self, embedding, items, rng):
        raise RuntimeError("the toy broke")
''',
    "unmeasured": '''def fails(given, gold):
    raise ZeroDivisionError("no metric")

@dataclass(frozen=True)
class Unmeasured(Task):
    """Predictions, but its metric raises."""
    dataset = WordPairs
    metric = Metric(fails)
    def predict(self, embedding, items, rng):
        return Predictions(np.zeros(len(items)), items.rating)
''',
    "nothing": '''@dataclass(frozen=True)
class Nothing(Task):
    """Predictions with no number."""
    dataset = WordPairs
    metric = spearman
    def predict(self, embedding, items, rng):
        return Predictions(np.full(len(items), np.nan), items.rating)
''',
    "short": '''@dataclass(frozen=True)
class Short(Task):
    """Predictions one item less."""
    dataset = WordPairs
    metric = spearman
    def predict(self, embedding, items, rng):
        return Predictions(np.zeros(len(items) - 1), items.rating[1:])
''',
    "dying": '''@dataclass(frozen=True)
class Dying(Task):
    """Ends its process, as a machine without memory would."""
    dataset = WordPairs
    metric = spearman
    def predict(self, embedding, items, rng):
        os._exit(9)
''',
}


def write(folder, *names):
    """Write toys as task files."""
    for name in names:
        (folder / f"{name}.py").write_text(HEAD + TOYS[name])
    return folder


@pytest.fixture
def toys(tmp_path, monkeypatch):
    """A function that makes toys known as tasks while a test runs."""
    folder = tmp_path / "toys"
    folder.mkdir()
    monkeypatch.setattr(tasks, "__path__", [*tasks.__path__, str(folder)])
    yield lambda *names: write(folder, *names)
    for name in TOYS:
        sys.modules.pop(f"lexiscope.tasks.{name}", None)
        if hasattr(tasks, name):
            delattr(tasks, name)

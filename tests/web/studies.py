"""Small studies for the pages."""

from dataclasses import replace

from lexiscope.core.study import Item, Study, StudySettings
from lexiscope.store.study_file import StudyFile

SETTINGS = StudySettings(
    title="Words and meanings",
    items_per_judge=5,
    controls_per_judge=1,
    judges_per_item=3,
    contact="study@example.org",
    institution="the Example Institute",
    ethics="EI-2026-17",
    retention="Ten years, in the archive of the institute.",
    pay_per_judge=2.5,
    completion_code="C0DE42",
)
_WORDS = ("river", "stream", "bank", "copper", "violin", "basket", "winter", "glance")


def comparison(number=6, settings=SETTINGS, words=_WORDS):
    """A study with items of three options, and one control item."""
    items = [
        Item(f"item{k:04d}x", "comparison", f"query{k}" if words is _WORDS else words[k],
             tuple(words[(k + j) % len(words)] for j in (1, 2, 3)), (("A",), ("B",), ("A", "B")))
        for k in range(number)
    ]  # fmt: skip
    control = Item("itemzzzzx", "comparison", "glad", ("happy", "brick", "oblong"), ((), (), ()),
                   answer=0, control=True)  # fmt: skip
    return Study("comparison", settings, {"A": "f1", "B": "f2"}, (*items, control))


def intrusion(number=6, settings=SETTINGS):
    """A study with items of four words, of which the last is the intruder."""
    items = [
        Item(f"intr{k:04d}x", "intrusion", f"fruit{k}", (f"fruit{k}", "pear", "plum", f"engine{k}"),
             ((), ("A",), ("A",), ("A",)), answer=3)
        for k in range(number)
    ]  # fmt: skip
    return Study("intrusion", replace(settings, controls_per_judge=0), {"A": "f1"}, tuple(items))


def write(path, study):
    """Write a study file."""
    StudyFile.create(path, study).close()
    return path

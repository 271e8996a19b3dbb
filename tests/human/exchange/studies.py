"""Study files with known answers, and with hostile words."""

from lexiscope.core.study import OPT_OUT, Item, Judgment, Study, StudySettings
from lexiscope.human.assignment import choose_items, option_order
from lexiscope.store.study_file import StudyFile
from tests.human.study_builders import EMBEDDINGS, control, study
from tests.report.hostile_words import HOSTILE

PEOPLE = ("A1WORKERSECRET", "5f0PROLIFICSECRET", "anna@example.org")
FORMULA = tuple("=+-@\t\r\n＝＋－＠")


def small(path, **settings):
    """An empty study of 10 items and 2 control items."""
    return StudyFile.create(path, study(**settings))


def hostile(path, **settings):
    """A study whose words, title and attributes try to inject something."""
    sources = tuple((name,) for name in EMBEDDINGS)
    items = [
        Item(
            f"item{k}", "comparison", word, (word, "plain", f"-{k}"), sources, rank=1,
            attributes={"category": word},
        )
        for k, word in enumerate(HOSTILE)
    ]  # fmt: skip
    chosen = {
        "title": HOSTILE[0], "contact": HOSTILE[1], "completion_code": "=C", "items_per_judge": 20,
        "controls_per_judge": 1, "judges_per_item": 3, **settings,
    }  # fmt: skip
    made = (*items, control(0))
    names = dict.fromkeys(EMBEDDINGS, "")
    return StudyFile.create(path, Study("comparison", StudySettings(**chosen), names, made))


def answer(file, people=PEOPLE, platform="prolific"):
    """People answer all of their items: each time another option, once they opt out."""
    for number, person in enumerate(people):
        judge = file.add_judge(platform, 1000.0 + number, person=person, session=f"S-{person}")
        loads = dict(file.loads(0.0))
        for k, key in enumerate(choose_items(file.study, loads, judge.id)):
            item = file.items[key]
            choice = OPT_OUT if k == 1 else (k + number) % len(item.options)
            order = option_order(file.study, judge.id, item)
            file.record(Judgment(judge.id, key, choice, order, 2.5 + k, 1010.0 + number + k))
        first = file.judgments()[0]
        changed = (first.choice + 1) % 2
        file.record(Judgment(first.judge, first.item, changed, first.order, 3.0, 1500.0 + number))
        if number:
            file.finish(judge.id, 1100.0 + number)
    return file


def copy_of(file, path):
    """An empty study with the same items."""
    return StudyFile.create(path, file.study)

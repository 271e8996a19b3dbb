"""Potato, the annotation server: its configuration and data, and its annotations.

Written for Potato 2.8 to 2.12 (YAML configuration, JSON lines of items, a folder for each annotator
with user_state.json). Its exports as JSON lines, CSV and TSV are read too, and the
annotated_instances files of Potato 1.2.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any

import msgspec

from lexiscope.core.display import shown
from lexiscope.core.errors import BadData, BadUsage
from lexiscope.core.study import OPT_OUT, Item, Study
from lexiscope.human.answers import Answer, Contents, check_fingerprint, fingerprint, item_of
from lexiscope.human.assignment import option_order
from lexiscope.human.consent import consent
from lexiscope.human.export_files import ExportOptions, ImportOptions
from lexiscope.human.instructions import instructions, instructions_html
from lexiscope.human.study_tables import (
    checked_text,
    json_lines,
    json_object,
    read_csv,
    read_json_lines,
)
from lexiscope.human.workload import items_of_judge
from lexiscope.store.study_file import StudyFile

SCHEME = "choice"
UNKNOWN = "I don't know"
_ORDER = "potato"  # all annotators see options in the same order
_TIME = re.compile(r"(\d+)d (\d+)h (\d+)m (\d+)s")


def write(file: StudyFile, options: ExportOptions) -> Mapping[str, bytes]:
    """Return a project folder of Potato: config.yaml and its items."""
    if options.suffix not in ("", ".zip"):
        raise BadUsage("A project of Potato is written to a folder or a .zip file.")
    study = file.study
    rows = [_row(study, item) for item in study.items]
    return {
        "config.yaml": _config(study).encode("utf-8", "replace"),
        "data/items.jsonl": json_lines(rows),
        "data/consent.json": msgspec.json.encode([_consent(study)]),
    }


def _row(study: Study, item: Item) -> dict[str, str]:
    """An item as HTML, which Potato displays; words are escaped."""
    words = "".join(f"<li>{_word(item.options[k])}</li>" for k in _order(study, item))
    question = escape(instructions(item.kind).question)
    if item.kind == "comparison":
        question += f" <b>{_word(item.query)}</b>"
    # All items share the labels of the scheme, so an item says which of them it has.
    ending = f"<p>Answer 1 to {len(item.options)}, or {UNKNOWN}.</p>"
    text = f"<p>{question}</p><ol>{words}</ol>{ending}"
    return {"id": f"{fingerprint(study)}.{item.id}", "text": text}


def _consent(study: Study) -> dict[str, Any]:
    """The page of consent as a question with one answer, which Potato requires."""
    agreed = consent(study, "potato")
    statements = [agreed.title + ".", *(f"{s.heading}: {s.text}" for s in agreed.statements)]
    return {
        "annotation_type": "multiselect",
        "name": "consent",
        "description": _plain(" ".join(statements)),
        "labels": [agreed.agreement],
        "label_requirement": {"required": True},
    }


def _order(study: Study, item: Item) -> tuple[int, ...]:
    return option_order(study, _ORDER, item)


def _word(text: str) -> str:
    return _literal(escape(shown(text, 200)))


def _plain(text: str) -> str:
    """Text that is the same whether Potato takes it for HTML or not; versions differ."""
    return _literal(shown(text, 8000).replace("<", "‹").replace(">", "›"))


def _literal(html: str) -> str:
    """HTML in which Potato finds no template."""
    return html.replace("{", "&#123;")


def _config(study: Study) -> str:
    """The configuration as YAML. Each value is JSON, which is valid YAML."""
    settings = study.settings
    most = max(len(item.options) for item in study.items)
    scheme = {
        "annotation_type": "radio",
        "name": SCHEME,
        "description": "Choose the number of the word, or the last answer if you do not know the "
        "meaning of one (or several) of the words.",
        "labels": [*(str(k) for k in range(1, most + 1)), UNKNOWN],
        "sequential_key_binding": True,
        "label_requirement": {"required": True},
    }
    values = {
        "annotation_task_name": shown(settings.title, 200),
        "task_dir": ".",
        "data_files": ["data/items.jsonl"],
        "item_properties": {"id_key": "id", "text_key": "text"},
        "output_annotation_dir": "annotation_output/",
        "export_annotation_format": ["jsonl"],
        "user_config": {"allow_all_users": True, "users": []},
        "annotation_instructions": _literal(instructions_html(study.kind)),
        "phases": {
            "order": ["consent", "annotation"],
            "consent": {"type": "consent", "file": "data/consent.json"},
        },
        # No limit per item: it would end control items, which every judge needs.
        "assignment_strategy": "least_annotated",
        "max_annotations_per_user": items_of_judge(study),
        "annotation_schemes": [scheme],
    }
    return "".join(f"{key}: {json.dumps(value, ensure_ascii=False)}\n"
                   for key, value in values.items())  # fmt: skip


def read(path: Path, study: Study, options: ImportOptions) -> Contents:
    """Read Potato's output folder, or one of its files with annotations.

    Potato shows all labels with every item, so that a judge can choose one that the item does not
    have. Such an answer says nothing, and is left out.
    """
    items = {item.id: item for item in study.items}
    answers: list[Answer] = []
    skipped: list[str] = []
    for record in _records(path):
        where, user, instance, labels, behaviour = record
        item = _item(instance, study, items, where)
        label = _chosen(labels, where)
        if label is None:
            continue
        if not user:
            raise BadData(f"{where}: the annotation has no user.")
        if not _exists(label, item):
            skipped.append(f"{where}: item '{item.id}' has no option '{label[:40]}'")
            continue
        order = _order(study, item)
        choice = OPT_OUT if label == UNKNOWN else order[int(label) - 1]
        answers.append(Answer(where, user, item.id, choice, order, *_times(behaviour)))
    if not answers and not skipped:
        raise BadData(f"{path}: has no annotations of the scheme '{SCHEME}'.")
    return Contents(tuple(answers), skipped=tuple(skipped), notes=_repetitions(study, answers))


def _item(instance: str, study: Study, items: Mapping[str, Item], where: str) -> Item:
    mark, _, key = instance.partition(".")
    check_fingerprint(study, mark, where)
    return item_of(items, key, where)


def _exists(label: str, item: Item) -> bool:
    number = int(label) if label.isascii() and label.isdigit() else 0
    return label == UNKNOWN or 1 <= number <= len(item.options)


def _repetitions(study: Study, answers: Sequence[Answer]) -> tuple[str, ...]:
    """A note if judges had a query several times: Potato assigns items without regard to it."""
    queries = {item.id: item.query for item in study.scored}
    given = Counter((each.judge, queries[each.item]) for each in answers if each.item in queries)
    judges = {judge for (judge, _), number in given.items() if number > 1}
    if study.settings.repeat_queries or not judges:
        return ()
    number = len({each.judge for each in answers})
    return (f"{len(judges)} of {number} judges had a query word several times.",)


_Record = tuple[str, str, str, Any, Mapping[str, Any]]  # where, user, instance, labels, behaviour


def _records(path: Path) -> Iterator[_Record]:
    if path.is_dir():
        yield from _folder(path)
    elif path.suffix.casefold() in (".csv", ".tsv"):
        yield from _table(path)
    elif path.name == "user_state.json":
        yield from _user_state(path)
    else:
        yield from _lines(path, "")


def _folder(path: Path) -> Iterator[_Record]:
    """The folder of each annotator; Potato 1 wrote annotated_instances.jsonl there."""
    states = sorted(path.glob("*/user_state.json"))
    for each in states:
        yield from _user_state(each)
    older = [] if states else sorted(path.glob("*/annotated_instances.jsonl"))
    for each in older:
        yield from _lines(each, each.parent.name)
    if not states and not older:
        raise BadData(f"{path}: has no folders of annotators with user_state.json.")


def _user_state(path: Path) -> Iterator[_Record]:
    state = json_object(checked_text(path), str(path))
    labels = state.get("instance_id_to_label_to_value")
    behaviour = state.get("instance_id_to_behavioral_data") or {}
    if not isinstance(labels, dict) or not isinstance(behaviour, dict):
        raise BadData(f"{path}: has no annotations by instance.")
    user = str(state.get("user_id") or path.parent.name)
    for instance, values in labels.items():
        about = behaviour.get(instance)
        yield str(path), user, instance, values, about if isinstance(about, dict) else {}


def _lines(path: Path, user: str) -> Iterator[_Record]:
    for where, row in read_json_lines(path):
        instance = str(row.get("instance_id") or row.get("id") or "")
        labels = row.get("labels", row.get("label_annotations"))
        about = row.get("behavioral_data")
        found = str(row.get("user_id") or user)
        yield where, found, instance, labels, about if isinstance(about, dict) else {}


def _table(path: Path) -> Iterator[_Record]:
    for where, row in read_csv(path, ("instance_id",)):
        labels = {
            re.sub(r"^:*\.?", "", column.removeprefix(SCHEME)): value
            for column, value in row.items()
            if column.startswith((f"{SCHEME}.", f"{SCHEME}:::"))
        }
        user = row.get("user_id") or row.get("user") or ""
        yield where, user, row["instance_id"], {SCHEME: labels}, {}


def _chosen(labels: Any, where: str) -> str | None:
    """The label of the scheme; None if there is none."""
    if isinstance(labels, list):
        pairs = [pair for pair in labels if isinstance(pair, list) and len(pair) == 2]
        given = {
            str(label.get("name")): value
            for label, value in pairs
            if isinstance(label, dict) and label.get("schema") == SCHEME
        }
    else:
        found = labels.get(SCHEME) if isinstance(labels, dict) else None
        given = found if isinstance(found, dict) else {}
    chosen = [name for name, value in given.items()
              if str(value).casefold() not in ("", "false", "none", "nan")]  # fmt: skip
    if len(chosen) > 1:
        raise BadData(
            f"{where}: an item has the labels {' and '.join(chosen[:2])[:80]}. Repair the "
            "annotations with Potato first."
        )
    return chosen[0] if chosen else None


def _times(behaviour: Mapping[str, Any]) -> tuple[float | None, float | None]:
    """The seconds that an answer took, and when it was given."""
    spent, end = behaviour.get("total_time_ms"), behaviour.get("session_end")
    older = _TIME.search(str(behaviour.get("time_string", "")))
    seconds: float | None = None
    if isinstance(spent, int | float) and spent > 0:
        seconds = spent / 1000
    elif older:
        days, hours, minutes, rest = map(int, older.groups())
        seconds = float(rest + 60 * (minutes + 60 * (hours + 24 * days)))
    return seconds, float(end) if isinstance(end, int | float) and end > 0 else None

"""Mechanical Turk: an ExternalQuestion, or a batch of HITs with a template that needs no server.

A HIT has the items of one judge, and every item is in one HIT. A worker does a HIT at most once,
so that nobody answers an item twice; the number of assignments per HIT is the number of judges.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from html import escape
from pathlib import Path
from typing import Any

import msgspec

from lexiscope.core.display import shown
from lexiscope.core.errors import BadData, BadUsage
from lexiscope.core.study import Item, Study
from lexiscope.human.answers import Answer, Contents, check_fingerprint, fingerprint, item_of
from lexiscope.human.assignment import choose_items, option_order
from lexiscope.human.consent import consent
from lexiscope.human.exchange.prolific import checked_https
from lexiscope.human.export_files import ExportOptions, ImportOptions
from lexiscope.human.instructions import (
    UNKNOWN,
    instructions,
    instructions_html,
    statements_html,
)
from lexiscope.human.study_tables import csv_bytes, read_csv
from lexiscope.human.workload import judges_needed
from lexiscope.store.study_file import StudyFile

_SCHEMA = (
    "http://mechanicalturk.amazonaws.com/AWSMechanicalTurkDataSchemas/2006-07-14/"
    "ExternalQuestion.xsd"
)
_COLUMNS = ("study", "hit", "items", "questions")
_ITEM = "i"  # in front of an id, so that no spreadsheet takes it for a number
MOST_ASSIGNMENTS = 9  # of a HIT; from 10 on, MTurk takes a higher commission
_MAX_HTML = 60_000  # MTurk accepts 65,535 bytes
_TEMPLATE = """<!DOCTYPE html>
<html lang="{language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<script src="https://assets.crowd.aws/crowd-html-elements.js"></script>
<style>
body {{ font: 1rem/1.5 sans-serif; max-width: 40rem; margin: 0 auto; padding: 1rem; }}
fieldset {{ margin: 1rem 0; }}
label {{ display: block; padding: .3rem; }}
</style>
</head>
<body>
<crowd-form>
<h1>{title}</h1>
<h2>What you agree to</h2>
{statements}
<label><input type=checkbox name=agree value=yes required> {agreement}</label>
<h2>How it works</h2>
{instructions}
<h2>{question}</h2>
${{questions}}
</crowd-form>
<script>
// Shows the options of each question in a random order, and records it.
document.querySelectorAll("fieldset").forEach(function (question) {{
  var labels = Array.from(question.querySelectorAll("label")), last = labels.pop();
  for (var k = labels.length - 1; k > 0; k--) {{
    var other = Math.floor(Math.random() * (k + 1)), kept = labels[k];
    labels[k] = labels[other]; labels[other] = kept;
  }}
  labels.forEach(function (label) {{ question.insertBefore(label, last); }});
  question.querySelector("input[type=hidden]").value = labels.map(function (label) {{
    return label.querySelector("input").value;
  }}).join(" ");
}});
</script>
</body>
</html>
"""


def write(file: StudyFile, options: ExportOptions) -> Mapping[str, bytes]:
    """Return an ExternalQuestion for the address of a server, or a template and its HITs."""
    if options.url:
        files = {"question.xml": external_question(options.url, options.frame_height).encode()}
        if options.suffix != ".xml":
            files["mturk.txt"] = _notes(_server_notes(file.study))
        return files
    if options.suffix not in ("", ".zip"):
        raise BadUsage("A batch of HITs is written to a folder or a .zip file.")
    study = file.study
    template = _template(study)
    rows = [
        _hit(study, name, [file.items[key] for key in keys]) for name, keys in hits(study).items()
    ]
    size = max(len(row["questions"].encode("utf-8", "replace")) for row in rows) + len(template)
    if size > _MAX_HTML:
        raise BadUsage(
            f"A HIT has {size:,} bytes, and MTurk accepts {_MAX_HTML:,}. Make a study with fewer "
            "--items-per-judge."
        )
    notes = _notes(_batch_notes(study, len(rows)))
    return {"template.html": template, "hits.csv": csv_bytes(_COLUMNS, rows), "mturk.txt": notes}


def _server_notes(study: Study) -> Sequence[str]:
    """What to enter for a study on a server, where each assignment is a new judge."""
    judges = judges_needed(study)
    hits = -(-judges // MOST_ASSIGNMENTS)
    return (
        f"Assignments in all: {judges}, one for each judge.",
        f"HITs: {hits} of at most {MOST_ASSIGNMENTS} assignments each. MTurk takes a higher "
        f"commission for a HIT with more than {MOST_ASSIGNMENTS}.",
        "A worker takes part once: who accepts a second HIT of this study is requested to return "
        "it.",
    )


def _batch_notes(study: Study, hits: int) -> Sequence[str]:
    """What to enter for a batch, where each HIT has items of its own."""
    judges = study.settings.judges_per_item
    lines = [
        f"HITs: {hits}, the rows of hits.csv. Workers may do several, and each of them once.",
        f"Assignments per HIT: {judges}, the number of judgments per item.",
    ]
    if judges > MOST_ASSIGNMENTS:
        lines.append(
            f"MTurk takes a higher commission for more than {MOST_ASSIGNMENTS} assignments per "
            f"HIT. Several batches of at most {MOST_ASSIGNMENTS} avoid it, if a qualification "
            "keeps the workers of one batch out of the others: two answers of one worker to one "
            "item are an error at the import."
        )
    return lines


def _notes(lines: Sequence[str]) -> bytes:
    return ("\n\n".join(lines) + "\n").encode()


def external_question(url: str, frame_height: int = 0) -> str:
    """Return the XML that MTurk's CreateHIT takes for a study on a server.

    >>> print(external_question("https://example.org/s").splitlines()[2])
      <ExternalURL>https://example.org/s</ExternalURL>
    """
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<ExternalQuestion xmlns="{_SCHEMA}">\n'
        f"  <ExternalURL>{escape(checked_https(url))}</ExternalURL>\n"
        f"  <FrameHeight>{frame_height}</FrameHeight>\n"
        "</ExternalQuestion>\n"
    )


def hits(study: Study) -> dict[str, Sequence[str]]:
    """Return the items of each HIT, every item in one of them, with control items."""
    once = replace(study, settings=replace(study.settings, judges_per_item=1))
    loads: dict[str, int] = {}
    found: dict[str, Sequence[str]] = {}
    while chosen := choose_items(once, loads, name := f"hit{len(found) + 1}"):
        found[name] = chosen
        loads |= dict.fromkeys(chosen, 1)
    return found


def _hit(study: Study, name: str, items: Sequence[Item]) -> dict[str, str]:
    questions = [
        _question(item, option_order(study, name, item), n) for n, item in enumerate(items, 1)
    ]
    return {
        "study": fingerprint(study),
        "hit": name,
        "items": " ".join(_ITEM + item.id for item in items),
        "questions": "".join(questions),
    }


def _question(item: Item, order: Sequence[int], number: int) -> str:
    query = "" if item.kind == "intrusion" else f" <b>{_word(item.query)}</b>"
    options = "".join(
        f"<label><input type=radio name=a{number} value={k + 1} required>"
        f" {_word(item.options[k])}</label>"
        for k in order
    )
    shown_order = " ".join(str(k + 1) for k in order)
    return (
        f"<fieldset><legend>{number}.{query}</legend>"
        f'<input type=hidden name=o{number} value="{shown_order}">{options}'
        f"<label><input type=radio name=a{number} value=0> {UNKNOWN}</label></fieldset>"
    )


def _word(text: str) -> str:
    return f"<bdi>{_escaped(shown(text, 200))}</bdi>"


def _escaped(text: str) -> str:
    return _literal(escape(text))


def _literal(html: str) -> str:
    """HTML for the template, in which ${name} is a placeholder of MTurk."""
    return html.replace("$", "&#36;").replace("{", "&#123;")


def _template(study: Study) -> bytes:
    agreed = consent(study, "mturk_batch")
    text = _TEMPLATE.format(
        language=_escaped(study.settings.language),
        title=_escaped(shown(agreed.title, 200)),
        statements=_literal(statements_html(agreed)),
        agreement=_literal(escape(agreed.agreement)),
        instructions=_literal(instructions_html(study.kind)),
        question=_literal(escape(instructions(study.kind).question)),
    )
    return text.encode("utf-8", "replace")


def read(path: Path, study: Study, options: ImportOptions) -> Contents:
    """Read a table of results that was downloaded from MTurk.

    Control items come back in several HITs; the first answer of a worker counts. The time of an
    answer is the mean of its assignment.
    """
    items = {item.id: item for item in study.items}
    answers: list[Answer] = []
    skipped: list[str] = []
    needed = ("Input.study", "Input.items", "WorkerId", "AssignmentId", "AssignmentStatus")
    assignments: dict[str, str] = {}
    controls: set[tuple[str, str]] = set()
    for where, row in read_csv(path, needed):
        check_fingerprint(study, row["Input.study"], where)
        first = assignments.setdefault(row["AssignmentId"], where)
        if not row["WorkerId"] or first != where:
            raise BadData(f"{where}: the assignment has no worker, or occurs already in {first}.")
        if options.skip_rejected and row["AssignmentStatus"].casefold() == "rejected":
            skipped.append(f"{where}: rejected assignment")
            continue
        for answer in _answers(row, items, where):
            key = (answer.judge, answer.item)
            if items[answer.item].control and key in controls:
                continue
            controls.add(key)
            answers.append(answer)
    return Contents(tuple(answers), skipped=tuple(skipped))


def _answers(row: Mapping[str, str], items: Mapping[str, Item], where: str) -> Iterator[Answer]:
    keys = row["Input.items"].split()
    given = _given(row, where)
    seconds = _seconds(row.get("WorkTimeInSeconds", ""), len(keys))
    for number, key in enumerate(keys, 1):
        item = item_of(items, key.removeprefix(_ITEM), where)
        choice = given.get(f"a{number}", "")
        if not choice:
            continue
        if not choice.isdecimal():
            raise BadData(f"{where}: expected a number as answer {number}, found '{choice[:40]}'.")
        order = [k for k in given.get(f"o{number}", "").split() if k.isdecimal()]
        yield Answer(
            where, row["WorkerId"], item.id, int(choice) - 1,
            tuple(int(k) - 1 for k in order), seconds, None, "mturk",
        )  # fmt: skip


def _given(row: Mapping[str, str], where: str) -> dict[str, str]:
    """The fields of the form, in any of the three ways that MTurk writes them."""
    found: dict[str, str] = {}
    for column, value in row.items():
        if not column.startswith("Answer.") or not value:
            continue
        name, _, option = column.removeprefix("Answer.").partition(".")
        if name == "taskAnswers":
            found |= _task_answers(value, where)
        elif not option:
            found[name] = value
        elif value.casefold() == "true":
            found[name] = option
    return found


def _task_answers(text: str, where: str) -> dict[str, str]:
    try:
        entries = msgspec.json.decode(text, type=list[dict[str, Any]])
    except msgspec.MsgspecError as problem:
        raise BadData(f"{where}: Answer.taskAnswers is not JSON ({problem}).") from None
    found: dict[str, str] = {}
    for name, value in ((n, v) for entry in entries for n, v in entry.items()):
        if isinstance(value, dict):
            found[name] = next((k for k, chosen in value.items() if chosen is True), "")
        else:
            found[name] = str(value)
    return found


def _seconds(text: str, items: int) -> float | None:
    return float(text) / items if text.isdecimal() and items else None

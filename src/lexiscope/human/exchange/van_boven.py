"""Experts' judgments on terms of Quine (van Boven and Bloem 2021): a folder with their files.

The folder holds two studies: the synonym detection task, a comparison of six models at ranks 2 and
10, and the coherence task, in which an outlier is found among the neighbours of three models. The
words that were shown are those of Model_Results. "None is related" and "no coherent group" are
opt-outs. The order of display is not recorded, so that positions mean nothing.
"""

from collections.abc import Mapping, Sequence
from itertools import permutations
from pathlib import Path
from typing import NamedTuple

from lexiscope.core.errors import BadData
from lexiscope.core.study import OPT_OUT, Item, Judgment, Kind, Study, StudySettings
from lexiscope.human.answers import Answer, Contents, check_fingerprint, fingerprint
from lexiscope.human.exchange.van_boven_files import (
    MODELS,
    OUTLIER_MODELS,
    Answers,
    Row,
    neighbours,
    synonym_answers,
    table,
    term,
)
from lexiscope.human.export_files import ImportOptions

_RESULTS, _OUTLIERS = "Test_results", "outlier_participant_res.csv"
_OUTCOMES = {"4": "1", "5": "-1"}  # outlier found, no coherent group; others are wrong: 0
_EXPERTS = ("participant 1", "participant 2")


class Replayed(NamedTuple):
    """A study with its judgments; `notes` says what the files disagree on."""

    study: Study
    judgments: tuple[Judgment, ...]
    notes: tuple[str, ...]


def is_replication(path: Path) -> bool:
    """Return whether a path is a folder of these files."""
    return (path / _RESULTS / _OUTLIERS).is_file()


def read_study(path: Path, options: ImportOptions) -> Study:
    """Read the items of one task."""
    return replayed(path, options.kind).study


def read(path: Path, study: Study, options: ImportOptions) -> Contents:
    """Read the judgments of the task of this study."""
    found = replayed(path, study.kind)
    check_fingerprint(study, fingerprint(found.study), str(path))
    answers = tuple(
        Answer(str(path), each.judge, each.item, each.choice, each.order, each.seconds)
        for each in found.judgments
    )
    return Contents(answers, notes=found.notes)


def replayed(path: Path, kind: Kind) -> Replayed:
    """Read one task: its study and judgments."""
    try:
        return comparison(path) if kind == "comparison" else intrusion(path)
    except (KeyError, IndexError, ValueError) as problem:
        raise BadData(
            f"{path}: is not laid out as the files of van Boven and Bloem 2021 ({problem})."
        ) from None


def comparison(folder: Path) -> Replayed:
    """Read the synonym detection task: which word is most related to the target term."""
    words, answers = neighbours(folder), synonym_answers(folder)
    terms = table(folder / _RESULTS / "syn_det_results-word-freqs.csv", ";")
    times, notes = _Times(folder / _RESULTS / "syn_det_time_freq_rank.csv"), list[str]()
    for name, rows in answers.items():
        if len(rows) != len(terms):
            raise BadData(f"{folder}: {name} has {len(rows)} answers to {len(terms)} questions.")
    items, judgments = [], []
    for number, row in enumerate(terms):
        ranks = {rows[number].rank for rows in answers.values()}
        if len(ranks) > 1:
            raise BadData(f"{folder}: question {number + 1} has the ranks {sorted(ranks)}.")
        offers = {name: words[name][term(row[4])][str(min(ranks))] for name in MODELS}
        items.append(_comparison_item(number, row, min(ranks), offers))
        for expert, (name, rows) in enumerate(answers.items()):
            choice = _chosen(items[-1], rows[number], offers, notes)
            seconds = times.of(number, expert, choice, notes)
            judgments.append(_judgment(name, items[-1], choice, seconds))
        _check_codes(number, row, [rows[number] for rows in answers.values()], notes)
    return _study("comparison", MODELS, items, judgments, notes)


def _comparison_item(number: int, row: Row, rank: int, offers: Mapping[str, str]) -> Item:
    options = tuple(sorted(set(offers.values())))
    return Item(
        f"comparison{number + 1:02d}", "comparison", term(row[4]), options,
        tuple(tuple(sorted(m for m, word in offers.items() if word == o)) for o in options),
        rank=rank, attributes={"frequency": row[3]},
    )  # fmt: skip


def _chosen(item: Item, given: Answers, offers: Mapping[str, str], notes: list[str]) -> int:
    """The option that was chosen; a choice counts for all models that offered the word."""
    if given.none:
        return OPT_OUT
    words = {offers[name] for name in given.models}
    if len(words) > 1:
        raise BadData(f"{given.where}: the models {given.models} offered different words.")
    choice = item.options.index(words.pop())
    missing = set(item.sources[choice]) - set(given.models)
    if missing:
        notes.append(
            f"{item.id}, {item.query}: {', '.join(sorted(missing))} offered the chosen word "
            f"{item.options[choice]} too and is credited, but not in {Path(given.where).name}."
        )
    return choice


def _check_codes(number: int, row: Row, given: Sequence[Answers], notes: list[str]) -> None:
    """Compare with the answers of the first two participants in the table of terms."""
    names = list(MODELS)
    for column, each in zip(row[1:3], given, strict=False):
        code = "".join(str(names.index(name) + 1) for name in each.models) or "0"
        if code != column:
            notes.append(f"Question {number + 1}: answers {code} and {column} in two files.")


class _Times:
    """Seconds by question and participant; only the first two have them."""

    def __init__(self, path: Path, question: int = 1, participant: int = 2) -> None:
        self.name = path.name
        self.rows = {(int(row[question]), int(row[participant])): row for row in table(path, ",")}
        self.columns = participant + 1, participant + 2

    def of(self, number: int, expert: int, choice: int, notes: list[str]) -> float | None:
        row = self.rows.get((number, expert))
        if row is None:
            return None
        answered, seconds = (row[column] for column in self.columns)
        if (answered == "1") != (choice != OPT_OUT):
            notes.append(
                f"Question {row[self.columns[0] - 2]} of {self.name}: participant {expert + 1} has "
                f"{'an answer' if answered == '1' else 'no answer'}, other than in the answers."
            )
        return float(seconds)


def intrusion(folder: Path) -> Replayed:
    """Read the coherence task: which word does not belong."""
    words, results = neighbours(folder), folder / _RESULTS
    outcomes = [table(results / f"Results_OutDet_participant{k}.csv", ";") for k in (1, 2)]
    questions = table(results / _OUTLIERS, ";")
    times, notes = _Times(results / "coherence_time_freqs.csv", 1, 3), list[str]()
    items, judgments = [], []
    for rows in zip(*outcomes, strict=True):
        name = term(rows[0][5])
        own = [row for row in questions if term(row[3]) == name]
        expected = [tuple(row[1 + k] for row in rows) for k in range(len(OUTLIER_MODELS))]
        for model, row in zip(OUTLIER_MODELS, _assigned(name, own, expected, notes), strict=True):
            item, roles = _intrusion_item(model, row, words[model][name])
            items.append(item)
            for expert, (judge, code) in enumerate(zip(_EXPERTS, row[1:3], strict=True)):
                choice = OPT_OUT if code == "5" else item.options.index(roles[int(code) - 1])
                seconds = times.of(int(row[0]), expert, choice, notes)
                judgments.append(_judgment(judge, item, choice, seconds))
    return _study("intrusion", OUTLIER_MODELS, items, judgments, notes)


def _assigned(
    name: str, own: Sequence[Row], expected: Sequence[tuple[str, ...]], notes: list[str]
) -> Sequence[Row]:
    """The question of each model: the files name it only by the outcomes of both participants."""
    if len(own) != len(expected):
        raise BadData(f"{name}: {len(own)} questions for {len(expected)} models.")

    def differ(rows: Sequence[Row]) -> int:
        found = [_OUTCOMES.get(code, "0") for row in rows for code in row[1:3]]
        return sum(
            a != b for a, b in zip(found, [e for each in expected for e in each], strict=True)
        )

    orders = sorted(permutations(own), key=differ)
    best = [rows for rows in orders if differ(rows) == differ(orders[0])]
    if differ(best[0]):
        notes.append(
            f"{name}: {differ(best[0])} outcome differs between {_OUTLIERS}, which is used, and "
            "Results_OutDet."
        )
    if len({tuple(tuple(row[1:3]) for row in rows) for rows in best}) > 1:
        notes.append(f"{name}: the wrong words chosen may belong to another of its questions.")
    return best[0]


def _intrusion_item(model: str, row: Row, near: Mapping[str, str]) -> tuple[Item, Sequence[str]]:
    """An item, and its words in the order of the codes: term, two neighbours, outlier."""
    name = term(row[3])
    roles = (name, near["2"], near["3"], near["outlier"])
    options = tuple(sorted(roles))
    sources = tuple(() if option == name else (model,) for option in options)
    item = Item(
        f"intrusion{int(row[0]):02d}", "intrusion", name, options, sources,
        answer=options.index(roles[3]), attributes={"frequency": row[4]},
    )  # fmt: skip
    return item, roles


def _judgment(judge: str, item: Item, choice: int, seconds: float | None) -> Judgment:
    return Judgment(judge, item.id, choice, tuple(range(len(item.options))), seconds)


def _study(
    kind: Kind,
    models: Sequence[str] | Mapping[str, str],
    items: Sequence[Item],
    judgments: Sequence[Judgment],
    notes: Sequence[str],
) -> Replayed:
    names = sorted({each.judge for each in judgments})
    settings = StudySettings(
        title="Terms of Quine, van Boven and Bloem 2021", judges_per_item=len(names),
        items_per_judge=len(items), controls_per_judge=0, repeat_queries=True,
    )  # fmt: skip
    manifest = {"source": "van Boven and Bloem 2021", "notes": list(notes), "order_recorded": False}
    study = Study(kind, settings, dict.fromkeys(models, ""), tuple(items), manifest)
    return Replayed(study, tuple(judgments), tuple(notes))

"""The files of van Boven and Bloem (2021), as rows: neighbours of six models, and answers.

The folder is that of the authors' repository. Line ends are LF, CRLF or CR, separators commas or
semicolons, and columns are found by position where their names differ from file to file.
"""

import csv
import io
import re
from pathlib import Path
from typing import NamedTuple

from lexiscope.core.errors import BadData
from lexiscope.data.datasets.formats.tables import text_of

# The columns of the answers, and the file with the neighbours that were shown for each. The two
# Nonce2Vec files are named the other way round: the words that were chosen, and those that count
# for two models at once, occur in the files only with this assignment.
MODELS = {
    "N2V additive": "Additive_Refined.csv",
    "N2V standard": "N2V_consistency_refined.csv",
    "N2V consistency": "N2V_standard_refined.csv",
    "Word2Vec": "w2v_all_results_refined.csv",
    "SVD Quine + wiki": "Hyperword_results_Quine_wiki_processed_Refined.csv",
    "SVD Quine": "Hyperword_results_quine_processed_Refined.csv",
}
OUTLIER_MODELS = ("Word2Vec", "N2V consistency", "SVD Quine")
_COLUMNS = ("1", "2", "3", "5", "10", "50", "outlier")
_QUOTED = re.compile(r"""['"](.+)['"]""")
_SIMILARITY = re.compile(r"\([\d.eE+-]+\)$")
_MARK = "__xx"  # of target terms in the corpora of the SVD models

Row = list[str]


class Answers(NamedTuple):
    """The answers of one participant to the synonym detection task: columns of 0 and 1, rank."""

    where: str
    models: tuple[str, ...]
    none: bool
    rank: int


def table(path: Path, separator: str) -> list[Row]:
    """Return the rows of a file after the header that are not empty."""
    text = text_of(path).replace("\r\n", "\n").replace("\r", "\n")
    rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=separator))
    return [[field.strip() for field in row] for row in rows[1:] if any(map(str.strip, row))]


def neighbours(folder: Path) -> dict[str, dict[str, dict[str, str]]]:
    """Return for each model and term the neighbours by rank, and the outlier."""
    found = {}
    for model, name in MODELS.items():
        rows = table(folder / "Model_Results" / name, ",")
        found[model] = {
            term(row[1]): dict(zip(_COLUMNS, map(word, row[2:]), strict=True)) for row in rows
        }
    return found


def word(cell: str) -> str:
    """Return the word of a cell with a word and its similarity.

    >>> word("[('ideas', 0.97)]"), word("posit__xx(0.49)"), word("(0.38, 'paradox__xx')")
    ('ideas', 'posit', 'paradox')
    """
    quoted = _QUOTED.search(cell)
    return (quoted[1] if quoted else _SIMILARITY.sub("", cell)).removesuffix(_MARK)


def term(text: str) -> str:
    """Return a target term as in the lists of neighbours.

    >>> term("Truth Vehicles"), term("objects__xx")
    ('truth_vehicles', 'objects')
    """
    return text.strip().lower().replace(" ", "_").removesuffix(_MARK)


def synonym_answers(folder: Path) -> dict[str, list[Answers]]:
    """Return the answers of each participant, of both parts of the test."""
    found: dict[str, list[Answers]] = {}
    for path in sorted((folder / "Test_results").glob("Results_SynDet_part*_participant*.csv")):
        name = f"participant {path.stem.removeprefix('Results_SynDet_part')[-1]}"
        found.setdefault(name, [])
        for number, row in enumerate(table(path, ";"), 2):
            found[name].append(_answers(row, f"{path}:{number}"))
    if not found:
        raise BadData(f"{folder}: no Test_results/Results_SynDet_part*_participant*.csv.")
    return found


def _answers(row: Row, where: str) -> Answers:
    marks = row[1 : len(MODELS) + 2]
    if len(marks) <= len(MODELS) or not set(marks) <= {"0", "1"} or not row[8].isdigit():
        raise BadData(f"{where}: expected a number, seven columns of 0 and 1, and a rank.")
    chosen = tuple(name for name, mark in zip(MODELS, marks, strict=False) if mark == "1")
    none = marks[-1] == "1"
    if none == bool(chosen):
        raise BadData(f"{where}: expected a model or 'None is related', found both or neither.")
    return Answers(where, chosen, none, int(row[8]))

"""Pairs: a matrix of significant differences between every two embeddings."""

from lexiscope.core.display import shown
from lexiscope.evaluation.analysis.leaderboard import WinLoss
from lexiscope.evaluation.results import Results
from lexiscope.report.layout import Matrix, MatrixCell, Section, Tone
from lexiscope.report.numbers import MISSING
from lexiscope.report.sentences import counted

_DIAGONAL = MatrixCell("")
_UNKNOWN = MatrixCell(MISSING, about="not comparable")


def pairs(results: Results) -> Section | None:
    """On how many datasets each embedding is significantly better and worse than each other."""
    found = results.leaderboard
    if not found.pairs:
        return None
    names = [name for name in found.embeddings if any(name in pair for pair in found.pairs)]
    rows = tuple(
        tuple(_cell(found.pairs.get((one, other)), one == other) for other in names)
        for one in names
    )
    datasets = max(record.tested for record in found.pairs.values())
    text = (
        f"Datasets, of up to {datasets}, on which the row is significantly better than the column "
        "– and worse; blue: better on more datasets.",
    )
    matrix = Matrix("Significant differences", tuple(map(shown, names)), rows)
    return Section("Wins and losses", text, (matrix,))


def _cell(record: WinLoss | None, is_diagonal: bool) -> MatrixCell:
    if is_diagonal:
        return _DIAGONAL
    if record is None or not record.tested:
        return _UNKNOWN
    tone: Tone = "win" if record.won > record.lost else "loss" if record.lost > record.won else ""
    if record.won == record.lost and record.won:
        tone = "even"
    share = abs(record.won - record.lost) / record.tested
    about = f"better on {record.won}, worse on {record.lost} of {counted(record.tested, 'dataset')}"
    return MatrixCell(f"{record.won}–{record.lost}", tone, share, about)

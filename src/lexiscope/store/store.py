"""The store: one SQLite file with runs, cells, datasets, trials, curves and term vectors."""

from lexiscope.store.cells import CellCopy, CellRecord, StoredPredictions
from lexiscope.store.curves import CurveTables, PointRecord
from lexiscope.store.datasets import DatasetTables
from lexiscope.store.runs import RunCell, RunTables
from lexiscope.store.term_vectors import TermVectorRecord, TermVectorTables
from lexiscope.store.trials import ProbeRecord, TrialRecord, TrialTables

__all__ = [
    "CellCopy", "CellRecord", "PointRecord", "ProbeRecord", "RunCell", "Store", "StoredPredictions",
    "TermVectorRecord", "TrialRecord",
]  # fmt: skip


class Store(RunTables, DatasetTables, TrialTables, CurveTables, TermVectorTables):
    """The database of a project; `:memory:` keeps nothing."""

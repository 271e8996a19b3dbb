"""The store: one SQLite file with runs, cells, datasets and trials."""

from lexiscope.store.cells import CellRecord, StoredPredictions
from lexiscope.store.datasets import DatasetTables
from lexiscope.store.runs import RunCell, RunTables
from lexiscope.store.trials import ProbeRecord, TrialRecord, TrialTables

__all__ = ["CellRecord", "ProbeRecord", "RunCell", "Store", "StoredPredictions", "TrialRecord"]


class Store(RunTables, DatasetTables, TrialTables):
    """The database of a project; `:memory:` keeps nothing."""

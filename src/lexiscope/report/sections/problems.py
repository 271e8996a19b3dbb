"""Problems: evaluations that failed, and rows of vector files that were repaired."""

from lexiscope.core.display import shown
from lexiscope.evaluation.results import Results
from lexiscope.report.layout import Section, Table
from lexiscope.report.sentences import counted, evaluation_name, listed


def problems(results: Results) -> Section | None:
    """Failures and repairs; None if there are none."""
    rows = [
        (shown(f.embedding), evaluation_name(f.task, f.dataset), "failed", shown(f.reason, 300))
        for f in results.failures
    ]
    rows += [
        (shown(entry["name"]), "", "repaired", shown(sentence, 300))
        for entry in results.manifest["embeddings"]
        for sentence in entry["repairs"]
    ]
    if not rows:
        return None
    head = ("embedding", "evaluation", "problem", "reason")
    parts = [(len(results.failures), "failure"), (len(rows) - len(results.failures), "repair")]
    abstract = listed([counted(number, noun) for number, noun in parts if number])
    return Section("Problems", (), (Table(head, tuple(rows)),), folded=True, abstract=abstract)

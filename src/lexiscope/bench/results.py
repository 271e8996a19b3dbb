"""Results: everything a run found, read back from the store."""

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from lexiscope.bench.compare import beaten, groups
from lexiscope.bench.plan import task_class
from lexiscope.core.display import shown
from lexiscope.core.policy import Policy
from lexiscope.core.result import WHOLE, Comparison, Coverage, Failure, Result, variant
from lexiscope.stats.bootstrap import LEVEL
from lexiscope.store.store import Store

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Results:
    """The results of a run, the comparisons between embeddings, and how they came about."""

    run: str
    results: tuple[Result, ...]
    comparisons: tuple[Comparison, ...]
    coverage: tuple[Coverage, ...]
    failures: tuple[Failure, ...]
    manifest: dict[str, Any]
    policy: Policy
    finished: str | None

    def __repr__(self) -> str:
        found = f"{len(self.results)} scores of {len(self.embeddings)} embeddings"
        return f"Results({found}, {len(self.comparisons)} comparisons)"

    def __iter__(self) -> Iterator[Result]:
        return iter(self.results)

    def __len__(self) -> int:
        return len(self.results)

    @property
    def embeddings(self) -> list[str]:
        """The embeddings, in the order they were given."""
        return [entry["name"] for entry in self.manifest["embeddings"]]

    @property
    def columns(self) -> list[tuple[str, str]]:
        """Every (task with its settings, dataset), in order."""
        return list(dict.fromkeys((variant_of(r), r.dataset) for r in self.results))

    def main(self) -> list[Result]:
        """The tasks' own measures on whole datasets: what a summary shows."""
        return [r for r in self.results if r.main and r.slice == WHOLE]

    def groups(self, task: str, dataset: str) -> list[tuple[str, ...]]:
        """Embeddings that cannot be told apart on one task and dataset, best group first."""
        rows = [r for r in self.main() if variant_of(r) == task and r.dataset == dataset]
        scores = {r.embedding: r.value for r in rows if r.value is not None}
        here = [c for c in self.comparisons if variant_of(c) == task and c.dataset == dataset]
        return groups(list(scores), here, scores)

    def leaders(self, task: str, dataset: str) -> list[str]:
        """Embeddings that none is really better than, on the items that both answered."""
        rows = [r for r in self.main() if variant_of(r) == task and r.dataset == dataset]
        here = [c for c in self.comparisons if variant_of(c) == task and c.dataset == dataset]
        losers = {beaten(c) for c in here}
        return [r.embedding for r in rows if r.value is not None and r.embedding not in losers]

    def to_dict(self) -> dict[str, Any]:
        """One document with stable keys."""
        return {
            "run": self.run,
            "results": [asdict(r) for r in self.results],
            "comparisons": [asdict(c) for c in self.comparisons],
            "coverage": [asdict(c) for c in self.coverage],
            "failures": [asdict(f) for f in self.failures],
            "manifest": self.manifest,
        }

    def to_json(self) -> str:
        """The document as text."""
        text = json.dumps(self.to_dict(), ensure_ascii=False, indent=2)
        return text.encode("utf-8", "replace").decode()  # a file's path may hold bytes, not text

    def to_frame(self) -> "pd.DataFrame":
        """One row per score."""
        import pandas as pd

        return pd.DataFrame([asdict(r) for r in self.results])

    def _repr_html_(self) -> str:
        from html import escape

        def cells(tag: str, values: list[str]) -> str:
            return "".join(f"<{tag}>{escape(value)}</{tag}>" for value in values)

        rows = [
            [shown(r.embedding), variant_of(r), shown(r.dataset), r.measure, number(r.value),
             span(r), f"{r.used}/{r.total}"]
            for r in self.main()
        ]  # fmt: skip
        head = cells("th", ["embedding", "task", "dataset", "measure", "value", "95 %", "items"])
        body = "".join(f"<tr>{cells('td', row)}</tr>" for row in rows)
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def read(store: Store, run: str) -> Results:
    """Everything the store knows about a run."""
    about = store.run(run)
    results: list[Result] = []
    coverage: dict[tuple[str, str], Coverage] = {}
    for cell in store.cells(run):
        kind = task_class(cell["task"])
        scores = store.scores(cell["id"])
        results.extend(_result(cell, score, kind.measure.name) for score in scores)
        here = cell["embedding_name"], cell["dataset_name"]
        coverage[here] = Coverage(
            *here, cell["used"], cell["total"], tuple(cell["missing"]), tuple(cell["zero"])
        )
    return Results(
        run,
        tuple(results),
        tuple(store.comparisons(run)),
        tuple(coverage.values()),
        tuple(Failure(**failure) for failure in store.failures(run)),
        about["manifest"],
        Policy(**about["policy"]),
        about["finished"],
    )


def _result(cell: dict[str, Any], score: Any, main: str) -> Result:
    return Result(
        embedding=cell["embedding_name"],
        task=cell["task"],
        dataset=cell["dataset_name"],
        measure=score.measure,
        slice=score.slice,
        value=score.value,
        low=score.low,
        high=score.high,
        used=score.used,
        total=score.total,
        state=score.state,
        settings=cell["settings"],
        policy=cell["policy"],
        seed=cell["seed"],
        level=LEVEL,
        main=score.measure == main,
        cell=cell["id"],
        task_version=cell["task_version"],
        embedding_fingerprint=cell["embedding"],
        dataset_fingerprint=cell["dataset"],
    )


def variant_of(item: Result | Comparison) -> str:
    """The task's name with the settings that differ from its defaults."""
    return variant(item.task, item.settings, task_class(item.task)().settings)


def number(value: float | None) -> str:
    """A score for a table; a dash for one that is undefined."""
    return "–" if value is None else f"{value:.3f}"


def span(item: Result | Comparison) -> str:
    """An interval for a table, or the reason why there is none."""
    if item.low is None or item.high is None:
        return item.state or "–"
    return f"{item.low:.3f} to {item.high:.3f}"

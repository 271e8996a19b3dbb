"""Results: everything a run found, read back from the store."""

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from lexiscope.bench.compare import beaten, groups, ranks
from lexiscope.bench.disagreements import disagreements
from lexiscope.bench.stored import columns_of, result_of
from lexiscope.core.display import escaped, shown
from lexiscope.core.policy import Policy
from lexiscope.core.result import (
    WHOLE,
    Comparison,
    Coverage,
    Dimension,
    Disagreement,
    Failure,
    Result,
)
from lexiscope.stats.many import Ranks
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
    elsewhere: tuple[Result, ...] = ()  # under the other policies of the run
    parts: tuple[Result, ...] = ()  # broken down by frequency, part of speech, concreteness
    disagreements: tuple[Disagreement, ...] = ()
    dimensions: tuple[Dimension, ...] = ()  # what they stand for, where a task tells
    controls: tuple[Result, ...] = ()  # random vectors, or none, where a task learns
    against_controls: tuple[Comparison, ...] = ()

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
        return list(dict.fromkeys((r.variant, r.dataset) for r in self.results))

    @property
    def policies(self) -> list[Policy]:
        """The run's own policy, then the others it was asked under."""
        others = [Policy(**r.policy) for r in self.elsewhere]
        return list(dict.fromkeys([self.policy, *others]))

    @property
    def warnings(self) -> list[str]:
        """What a reader should know before believing a score."""
        return list(self.manifest.get("warnings", []))

    def main(self) -> list[Result]:
        """The tasks' own measures on whole datasets: what a summary shows."""
        return [r for r in self.results if r.main and r.slice == WHOLE]

    def scores(self, task: str, dataset: str) -> dict[str, float]:
        """The embeddings' scores on one question, where they exist."""
        rows = [r for r in self.main() if (r.variant, r.dataset) == (task, dataset)]
        return {r.embedding: r.value for r in rows if r.value is not None}

    def compared(self, task: str, dataset: str) -> list[Comparison]:
        """The comparisons on one question."""
        return [c for c in self.comparisons if (c.variant, c.dataset) == (task, dataset)]

    def refused(self, task: str, dataset: str) -> str:
        """Why some embeddings cannot be put in an order on one question; empty: all can."""
        return next((c.state for c in self.compared(task, dataset) if c.p is None), "")

    def unsettled(self, task: str, dataset: str) -> bool:
        """Whether there are scores on one question that could not be compared with each other."""
        scores = self.scores(task, dataset)
        return any(
            c.p is None and c.first in scores and c.second in scores
            for c in self.compared(task, dataset)
        )

    def groups(self, task: str, dataset: str) -> list[tuple[str, ...]]:
        """Embeddings that cannot be told apart on one task and dataset, best group first.

        None where some could not be compared: other letters would look like a real difference.
        """
        scores = self.scores(task, dataset)
        if self.unsettled(task, dataset):
            return []
        return groups(list(scores), self.compared(task, dataset), scores)

    def leaders(self, task: str, dataset: str) -> list[str]:
        """Embeddings that none is really better than, on the items that both answered."""
        losers = {beaten(c) for c in self.compared(task, dataset)}
        return [name for name in self.scores(task, dataset) if name not in losers]

    def ranks(self, task: str, dataset: str) -> dict[str, Ranks]:
        """Between which ranks each embedding lies on one task and dataset."""
        return ranks(list(self.scores(task, dataset)), self.compared(task, dataset))

    def to_dict(self) -> dict[str, Any]:
        """One document with stable keys."""
        return {
            "run": self.run,
            "results": [asdict(r) for r in self.results],
            "comparisons": [asdict(c) for c in self.comparisons],
            "coverage": [asdict(c) for c in self.coverage],
            "failures": [asdict(f) for f in self.failures],
            "ranks": [
                {"task": task, "dataset": dataset, "embedding": name, **found._asdict()}
                for task, dataset in self.columns
                for name, found in self.ranks(task, dataset).items()
            ],
            "parts": [asdict(r) for r in self.parts],
            "other_policies": [asdict(r) for r in self.elsewhere],
            "disagreements": [asdict(d) for d in self.disagreements],
            "methods": self._methods(),
            "predictions": self._predictions(),
            "dimensions": [asdict(d) for d in self.dimensions],
            "controls": [asdict(r) for r in self.controls],
            "against_controls": [asdict(c) for c in self.against_controls],
            "manifest": self.manifest,
        }

    def _methods(self) -> list[dict[str, Any]]:
        """How far ways to ask one question agree, and the pairs that they reverse."""
        from lexiscope.bench.methods import methods

        return [
            {**each._asdict(), "turned": [turn._asdict() for turn in each.turned]}
            for each in methods(self)
        ]

    def _predictions(self) -> dict[str, Any]:
        """How far each evaluation predicts the others."""
        from lexiscope.bench.predicting import of_results

        return of_results(self).to_dict()

    def to_json(self) -> str:
        """The document as text."""
        text = json.dumps(self.to_dict(), ensure_ascii=False, indent=2)
        # A file's path may hold bytes that are no text; a word may steer a terminal.
        return escaped(text.encode("utf-8", "replace").decode())

    def to_frame(self) -> "pd.DataFrame":
        """One row per score."""
        import pandas as pd

        return pd.DataFrame([asdict(r) for r in self.results])

    def _repr_html_(self) -> str:
        from html import escape

        def cells(tag: str, values: list[str]) -> str:
            return "".join(f"<{tag}>{escape(value)}</{tag}>" for value in values)

        rows = [
            [shown(r.embedding), r.variant, shown(r.dataset), r.measure, number(r.value),
             span(r), f"{r.used}/{r.total}"]
            for r in self.main()
        ]  # fmt: skip
        head = cells("th", ["embedding", "task", "dataset", "measure", "value", "95 %", "items"])
        body = "".join(f"<tr>{cells('td', row)}</tr>" for row in rows)
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def read(store: Store, run: str) -> Results:
    """Everything the store knows about a run."""
    about = store.run(run)
    policy = Policy(**about["policy"])
    own: list[Result] = []
    elsewhere: list[Result] = []
    coverage: dict[tuple[str, str], Coverage] = {}
    dimensions: list[Dimension] = []
    cells = store.cells(run)
    for cell in cells:
        results = [result_of(cell, score) for score in store.scores(cell["id"])]
        if Policy(**cell["policy"]) != policy:
            elsewhere += results
            continue
        own += results
        dimensions += _dimensions(store, cell)
        here = cell["embedding_name"], cell["dataset_name"]
        coverage[here] = Coverage(
            *here, cell["used"], cell["total"], tuple(cell["missing"]), tuple(cell["zero"]),
            cell["known"], cell["running"],
        )  # fmt: skip
    comparisons = store.comparisons(run)
    return Results(
        run,
        tuple(own),
        tuple(c for c in comparisons if not c.control),
        tuple(coverage.values()),
        tuple(Failure(**failure) for failure in store.failures(run)),
        about["manifest"],
        policy,
        about["finished"],
        tuple(elsewhere),
        tuple(store.parts(run)),
        tuple(disagreements(columns_of(store, cells, policy))),
        tuple(dimensions),
        tuple(result_of(c, score) for c in store.controls(run) for score in store.scores(c["id"])),
        tuple(c for c in comparisons if c.control),
    )


def _dimensions(store: Store, cell: dict[str, Any]) -> list[Dimension]:
    embedding, task, dataset = cell["embedding_name"], cell["variant"], cell["dataset_name"]
    return [
        Dimension(embedding, task, dataset, number, name, correlation, words)
        for number, name, correlation, words in store.labels(cell["id"])
    ]


def number(value: float | None) -> str:
    """A score for a table; a dash for one that is undefined."""
    return "–" if value is None else f"{value:.3f}"


def span(item: Result | Comparison) -> str:
    """An interval for a table, or the reason why there is none."""
    if item.low is None or item.high is None:
        return item.state or "–"
    return f"{item.low:.3f} to {item.high:.3f}"

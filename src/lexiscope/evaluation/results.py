"""Results: the data of a run, what follows from it, and its forms for people and programs."""

import json
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from lexiscope.core.display import escaped
from lexiscope.core.notebook import HasCard
from lexiscope.evaluation.analysis import policy_sensitivity as policies
from lexiscope.evaluation.analysis.agreement import Agreement, agreement
from lexiscope.evaluation.analysis.correlation import Correlations, correlate
from lexiscope.evaluation.analysis.leaderboard import Leaderboard, leaderboard
from lexiscope.evaluation.analysis.recommendation import Recommendation, recommendation
from lexiscope.evaluation.analysis.solver_agreement import SolverAgreement, solver_agreement
from lexiscope.evaluation.run_data import RunData

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, repr=False)
class Results(HasCard, RunData):
    """The results of `lexiscope.run`.

    Attributes
    ----------
    results
        One score for each embedding, task, dataset, metric and slice, with its 95 % confidence
        interval. `shared_value` is the score on the items that all embeddings cover.
    comparisons
        Every two embeddings in each evaluation: difference, confidence interval, p-values, and the
        outcome: different, equivalent or undecided.
    coverage
        How much of each dataset is in the vocabulary of each embedding.
    failures
        Cells that failed, with the reason.
    other_policies
        Scores under the other vocabulary policies, with `run(all_policies=True)`.
    breakdowns
        Scores by frequency, part of speech or concreteness, with `run(by=...)`.
    disagreements
        The items for which the predictions of the embeddings differ most.
    dimensions
        Labels of dimensions, from tasks that give them.
    controls, control_comparisons
        Scores of supervised tasks with random vectors and without vectors, and the comparisons of
        the embeddings with them.
    model_comparisons
        Every two models in each evaluation, if several training runs of a model are given. The
        variance between runs enters these tests.
    policy_comparisons
        Tests, under the other policies, of the significant differences that they reverse.
    manifest
        Versions, machine, seed, policy and checksums: everything needed to repeat the run.

    Examples
    --------
    >>> import numpy as np
    >>> import lexiscope
    >>> pairs = lexiscope.WordPairs.example()
    >>> words, rng = sorted(pairs.all_words), np.random.default_rng(0)
    >>> vectors = rng.normal(size=(len(words), 5))
    >>> results = lexiscope.run({"mine": (words, vectors)}, "similarity", pairs)
    >>> results
    Results(2 scores of 1 embedding, 0 comparisons)
    >>> results.evaluations
    [('similarity', 'example-pairs')]
    >>> results.to_frame()[["embedding", "metric", "used", "total"]].values.tolist()
    [['mine', 'spearman', 15, 15], ['mine', 'pearson', 15, 15]]
    """

    def __repr__(self) -> str:
        number = len(self.embeddings)
        scores = f"{len(self.results)} scores of {number} embedding{'s' * (number != 1)}"
        return f"Results({scores}, {len(self.comparisons)} comparisons)"

    @cached_property
    def recommendation(self) -> Recommendation:
        """Which embedding to use, by the decision rule of the run."""
        return recommendation(self)

    @cached_property
    def leaderboard(self) -> Leaderboard:
        """The embeddings in order, with the significant differences of every pair."""
        return leaderboard(self, self.recommendation)

    @cached_property
    def solver_agreement(self) -> list[SolverAgreement]:
        """How far the solvers of one task agree on the embeddings."""
        return solver_agreement(self)

    @cached_property
    def correlations(self) -> Correlations:
        """How far each evaluation predicts the others, over embeddings."""
        return correlate(self)

    @cached_property
    def agreement(self) -> Agreement | None:
        """How far the evaluations agree on the ranking of the embeddings."""
        return agreement(self)

    @cached_property
    def policy_ranges(self) -> list[policies.Range]:
        """The lowest and the highest score of each embedding over all policies."""
        return policies.ranges(self)

    @cached_property
    def best_changes(self) -> list[policies.BestChange]:
        """The policies under which another embedding scores highest."""
        return policies.best_changes(self)

    def to_dict(self) -> dict[str, Any]:
        """One document with stable keys."""
        return {
            "run": self.run,
            "recommendation": asdict(self.recommendation),
            "results": [asdict(r) for r in self.results],
            "comparisons": [asdict(c) for c in self.comparisons],
            "coverage": [asdict(c) for c in self.coverage],
            "failures": [asdict(f) for f in self.failures],
            "ranks": [
                {"task": task, "dataset": dataset, "embedding": name, **found._asdict()}
                for task, dataset in self.evaluations
                for name, found in self.ranks(task, dataset).items()
            ],
            "breakdowns": [asdict(r) for r in self.breakdowns],
            "other_policies": [asdict(r) for r in self.other_policies],
            "disagreements": [asdict(d) for d in self.disagreements],
            "solver_agreement": [each.to_dict() for each in self.solver_agreement],
            "correlations": self.correlations.to_dict(),
            "dimensions": [asdict(d) for d in self.dimensions],
            "controls": [asdict(r) for r in self.controls],
            "control_comparisons": [asdict(c) for c in self.control_comparisons],
            "model_comparisons": [asdict(c) for c in self.model_comparisons],
            "policy_comparisons": [asdict(c) for c in self.policy_comparisons],
            "manifest": self.manifest,
        }

    def to_json(self) -> str:
        """The document of `to_dict` as text."""
        text = json.dumps(self.to_dict(), ensure_ascii=False, indent=2)
        # A file name may hold bytes that are not text; a word may hold control characters.
        return escaped(text.encode("utf-8", "replace").decode())

    def to_frame(self) -> "pd.DataFrame":
        """A pandas DataFrame with one row per score."""
        import pandas as pd

        return pd.DataFrame([asdict(r) for r in self.results])

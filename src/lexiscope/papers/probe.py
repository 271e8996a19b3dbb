"""Probe models that are trained on a user's own synthetic language."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from lexiscope.core.errors import BadUsage
from lexiscope.core.execution import Execution
from lexiscope.experiments.models import Setting
from lexiscope.experiments.synthetic.results import SyntheticResults
from lexiscope.experiments.synthetic.run import run
from lexiscope.papers.schema import SyntheticPaper, load
from lexiscope.papers.synthetic import grammar_plan
from lexiscope.pcfg import reader as grammars

SENTENCES = 10_000
TRIALS = 10


def probe(
    grammar: str | Path,
    *,
    targets: Iterable[str] = (),
    models: Iterable[str] = (),
    settings: Sequence[Setting] = (),
    sentences: int = SENTENCES,
    trials: int = TRIALS,
    seed: int = 0,
    execution: Execution | None = None,
    paper: str | Path = "s0",
) -> SyntheticResults:
    """Train models on corpora that are sampled from a grammar, and probe them.

    Parameters
    ----------
    grammar : str or Path
        A grammar file, or the name of an included grammar.
    targets : iterable of str, optional
        Targets of the grammar to include, by default all.
    models : iterable of str, optional
        Models of the paper, or trainers; by default all models of the paper.
    settings : sequence of (name, value), optional
        Hyperparameters, as for `reproduce`.
    sentences : int, default 10000
        Sentences per corpus.
    trials : int, default 10
        Number of corpora, for each value of the grammar's sweep.
    seed : int, default 0
        Random seed.
    execution : Execution, optional
        Where results are stored, and how many processes work.
    paper : str or Path, default "s0"
        The paper whose models and probes are used.

    Returns
    -------
    SyntheticResults
        Accuracies with confidence intervals, comparisons of models, and `to_dict()`.

    Examples
    --------
    >>> import lexiscope
    >>> found = lexiscope.probe("sparseness", models=["PPMI"], sentences=2000, trials=2)
    >>> found.rows("sparseness", probe="subspace", main=True)[0].value
    0.5
    """
    source = load(paper)
    if not isinstance(source, SyntheticPaper):
        raise BadUsage(f"{source.name} has no probes. Use a paper on synthetic languages: s0.")
    plan = grammar_plan(
        source,
        grammars.read(grammar),
        targets=targets,
        models=models,
        settings=settings,
        sentences=sentences,
        trials=trials,
        seed=seed,
    )
    return run(plan, execution)

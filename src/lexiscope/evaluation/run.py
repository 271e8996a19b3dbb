"""Evaluate embeddings: load, align, predict, score, store, compare."""

from collections.abc import Iterable, Mapping
from typing import Any

from lexiscope.core.decision import DEFAULT_RULE, DecisionRule
from lexiscope.core.errors import BadUsage
from lexiscope.core.execution import Execution
from lexiscope.core.policy import Policy
from lexiscope.data.inputs import Inputs
from lexiscope.data.vectors.resolve import Reading, embeddings_from
from lexiscope.evaluation.analysis.attributes import attributes_from
from lexiscope.evaluation.analysis.policy_sensitivity import variations
from lexiscope.evaluation.analysis.score_table import models_from
from lexiscope.evaluation.findings.find import find
from lexiscope.evaluation.load import load_results
from lexiscope.evaluation.manifest import manifest
from lexiscope.evaluation.plan import Plan, check
from lexiscope.evaluation.resolve import parse_settings, resolve, with_dataset_names, words_of
from lexiscope.evaluation.results import Results
from lexiscope.evaluation.schedule import Schedule, evaluate_cells
from lexiscope.evaluation.vocabulary import AlignedEmbeddings
from lexiscope.store.store import Store


def run(
    embeddings: Any,
    tasks: Any = None,
    datasets: Any = None,
    *,
    settings: Mapping[str, Any] | None = None,
    policy: Policy | None = None,
    all_policies: bool = False,
    by: Iterable[str] | str = (),
    decision: DecisionRule | None = None,
    same_model: Iterable[str] | str = (),
    seed: int = 0,
    inputs: Inputs | None = None,
    execution: Execution | None = None,
) -> Results:
    """Evaluate embeddings on tasks and datasets, and compare them.

    Parameters
    ----------
    embeddings
        A path, a catalogue name, an object (`Embedding`, gensim vectors, an encoder, a pair of
        words and matrix, a pandas DataFrame with words as index), a list of these, or a dict that
        names them.
    tasks
        Names, paths of Python files, `Task` classes or objects: one, or a list. The default is
        every task that can evaluate the datasets.
    datasets
        Catalogue names, paths, pandas DataFrames or dataset objects: one, a list, or a dict that
        names them. The default is every dataset in English that is available locally; with a
        language in the policy, every dataset of that language in the catalogue.
    settings : dict, optional
        Settings of tasks, such as ``{"analogy.solver": "3CosMul"}``. With a list of values, the
        task runs once for each.
    policy : Policy, optional
        How words of the datasets are looked up in the embeddings.
    all_policies : bool, default False
        Also score under every other policy that differs from `policy` in one choice.
    by : str or list of str, optional
        Break scores down by "frequency", "occurrences", "pos" or "concreteness".
    decision : DecisionRule, optional
        How comparisons become a recommendation: the equivalence margin, the minimum coverage and
        the datasets that decide.
    same_model : str or list of str, optional
        Patterns such as "cbow-*": embeddings whose names match one are training runs of one model.
        Trainings that differ only in the seed are recognised without a pattern.
    seed : int, default 0
        Seed of all random numbers: equal seeds give equal results.
    inputs : Inputs, optional
        Where data files are, and what to do about broken rows.
    execution : Execution, optional
        Where results are stored, and how the work is distributed.

    Returns
    -------
    Results
        Scores with confidence intervals, comparisons with p-values, coverage, and a
        recommendation.

    Examples
    --------
    >>> import numpy as np
    >>> import lexiscope
    >>> pairs = lexiscope.WordPairs.example()
    >>> words, rng = sorted(pairs.all_words), np.random.default_rng(0)
    >>> vectors = {name: (words, rng.normal(size=(len(words), 5))) for name in ("a", "b")}
    >>> results = lexiscope.run(vectors, tasks="similarity", datasets=pairs)
    >>> [(result.embedding, result.used) for result in results.main()]
    [('a', 15), ('b', 15)]
    >>> results.comparisons[0].outcome
    'undecided'
    """
    _check_arguments(policy, decision, seed, datasets)
    policy, inputs = policy or Policy(), inputs or Inputs()
    given = parse_settings(settings or {})
    chosen, items = resolve(
        tasks, datasets, given, inputs.local_data, inputs.fillers, policy.language
    )
    reading = Reading(policy.limit, inputs.on_error, inputs.local_data)
    execution = execution or Execution()
    execution.progress("Reading vectors", 0, 1)
    vectors = embeddings_from(embeddings, words_of(items, policy, all_policies), reading)
    attributes = attributes_from(by, vectors[0], policy, inputs) if by else ()
    policies = variations(policy, vectors) if all_policies else (policy,)
    patterns = (same_model,) if isinstance(same_model, str) else tuple(same_model)
    rule = with_dataset_names(decision or DEFAULT_RULE, items)
    plan = Plan(
        vectors, chosen, items, policies, seed, attributes, decision=rule, same_model=patterns
    )
    execution.progress("Reading vectors", 1, 1)
    return execute(plan if tasks else plan.applicable(), execution)


def execute(plan: Plan, execution: Execution) -> Results:
    """Carry out a plan, except for what the store has already."""
    with Store(execution.store) as store:
        return execute_in(store, plan, execution)


def execute_in(store: Store, plan: Plan, execution: Execution) -> Results:
    """Carry out a plan in an open store: align, predict, score, store, compare."""
    check(plan)
    aligned = _align(plan, execution)
    schedule = Schedule(plan)
    run_id = schedule.run_id(store)
    about = manifest(plan, execution)
    store.begin(run_id, plan.seed, plan.policy.as_dict(), about, schedule.run_cells())
    failures = evaluate_cells(schedule, aligned, store, execution)
    models = models_from(about["embeddings"], plan.same_model)
    findings = find(store, run_id, plan, aligned, models, execution.progress)
    store.finish(run_id, findings._asdict(), failures)
    return load_results(store, run_id)


def _align(plan: Plan, execution: Execution) -> AlignedEmbeddings:
    """Align every embedding at once, so that a broken one is reported before any work."""
    execution.progress("Aligning vocabularies", 0, 1)
    aligned = AlignedEmbeddings(plan.embeddings)
    for index in range(len(plan.embeddings)):
        aligned.get(index, plan.policy)
    execution.progress("Aligning vocabularies", 1, 1)
    return aligned


def _check_arguments(policy: Any, decision: Any, seed: Any, datasets: Any) -> None:
    """Raise an error for arguments of a wrong type, which would fail later without a reason."""
    if policy is not None and not isinstance(policy, Policy):
        raise BadUsage(f"policy is a lexiscope.Policy, found {type(policy).__name__}.")
    if decision is not None and not isinstance(decision, DecisionRule):
        raise BadUsage(f"decision is a lexiscope.DecisionRule, found {type(decision).__name__}.")
    if not isinstance(seed, int) or isinstance(seed, bool):
        raise BadUsage(f"seed is an integer, found {type(seed).__name__}.")
    if isinstance(datasets, list | tuple) and not datasets:
        raise BadUsage("datasets is an empty list. Leave it out to use all available datasets.")

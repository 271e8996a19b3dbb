"""Run a synthetic experiment: trials, then scores."""

from lexiscope.core.execution import Execution
from lexiscope.experiments.synthetic.plan import SyntheticPlan
from lexiscope.experiments.synthetic.results import SyntheticResults
from lexiscope.experiments.synthetic.scores import score
from lexiscope.experiments.synthetic.sweep import run_trials
from lexiscope.store.store import Store


def run(plan: SyntheticPlan, execution: Execution | None = None) -> SyntheticResults:
    """Run the trials of a plan that are not stored yet, and score all of them."""
    execution = execution or Execution()
    with Store(execution.store) as store:
        run_trials(plan, store, execution)
        return score(plan, store, execution.progress)

"""Trials: the same on every backend, stored at once, continued after a kill."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from lexiscope.core.errors import BadUsage, UnknownName
from lexiscope.core.execution import Execution
from lexiscope.experiments.synthetic import sweep
from lexiscope.experiments.synthetic.run import run
from lexiscope.papers.reproduce import plan_for, reproduce
from lexiscope.papers.schema import load
from lexiscope.papers.synthetic import grammar_plan
from lexiscope.pcfg.reader import read
from lexiscope.store.store import Store

ROOT = Path(__file__).parents[2]
SMALL = {
    "criteria": ["sparseness"],
    "models": ["PPMI", "SKIP"],
    "sentences": 400,
    "trials": 2,
    "settings": [("epochs", 2), ("dimension", 8)],
}


def small_plan(**changed):
    return plan_for("s0", **{**SMALL, **changed})


def grammar_plan_for(grammar, **options):
    defaults = {"sentences": 3000, "trials": 1, "seed": 0}
    return grammar_plan(load("s0"), read(grammar), **{**defaults, **options})


def stored(path, **more):
    return Execution(store=path, **more)


@pytest.fixture(scope="module")
def serial():
    return reproduce("s0", **SMALL).to_dict()


@pytest.mark.parametrize("backend", ["processes", "dask"])
def test_every_backend_gives_the_same_results(backend, serial):
    execution = Execution(backend=backend, n_jobs=2)
    assert reproduce("s0", **SMALL, execution=execution).to_dict() == serial


def test_another_seed_samples_other_sentences(tmp_path):
    found = []
    for seed in (0, 1):
        run(small_plan(seed=seed, trials=1), stored(tmp_path / f"{seed}.sqlite"))
        with closing(sqlite3.connect(tmp_path / f"{seed}.sqlite")) as database:
            found.append(database.execute("SELECT DISTINCT corpus FROM trial").fetchall())

    assert len(found[0]) == len(found[1]) == 1  # all models of a trial are trained on one corpus
    assert found[0] != found[1]


def test_finished_trials_are_not_repeated_and_more_can_be_added(tmp_path, monkeypatch):
    store = tmp_path / "s.sqlite"
    run(small_plan(), stored(store))
    done = []
    run_batch = sweep.run_batch
    monkeypatch.setattr(sweep, "run_batch", lambda batch: done.append(batch) or run_batch(batch))

    run(small_plan(), stored(store))
    assert not done
    run(small_plan(trials=3), stored(store))
    assert [batch.trial.number for batch in done] == [2]
    run(small_plan(models=["PPMI", "SKIP", "CBOW"], trials=3), stored(store))
    assert {job.model.name for batch in done[1:] for job in batch.jobs} == {"CBOW"}
    count = len(done)
    run(small_plan(), stored(store, force=True))
    assert len(done) == count + 2


def test_another_variant_of_a_probe_trains_again_and_stores_the_training_once(tmp_path):
    store = tmp_path / "s.sqlite"
    run(small_plan(trials=1), stored(store))
    settings = [*SMALL["settings"], ("subspace.cost", 7)]
    run(small_plan(trials=1, settings=settings), stored(store))

    with closing(sqlite3.connect(store)) as database:
        assert database.execute("SELECT count(*) FROM trial").fetchone() == (2,)
        costs = database.execute("SELECT settings FROM probe WHERE probe = 'subspace'").fetchall()
    assert 7.0 in {json.loads(text)["cost"] for (text,) in costs}


def test_the_targets_of_a_grammar_share_their_trainings(tmp_path):
    plan = grammar_plan_for("unified", models=["PPMI"])
    one = [batch for batch in sweep.batches(plan) if batch.trial.grammar.parameters["alpha"] == 1]

    assert len(plan.criteria) == 4
    assert len(one) == 1
    assert {job.target for job in one[0].jobs[0].probes} == {c.name for c in plan.criteria}


def test_one_target_of_a_grammar_can_be_selected():
    plan = grammar_plan_for("unified", targets=["ambiguity"])

    assert [criterion.name for criterion in plan.criteria] == ["ambiguity"]
    with pytest.raises(UnknownName, match="No target named 'gender'"):
        grammar_plan_for("unified", targets=["gender"])


def test_every_prediction_of_every_held_out_word_is_stored():
    plan = small_plan(trials=1)
    with Store() as store:
        sweep.run_trials(plan, store, Execution())
        (trial,) = sweep.trials_at(plan, plan.criteria[0], None)
        id_ = sweep.probe_id(trial, plan.models[0], "sparseness", plan.probes[0])
        predictions, record = store.probe_predictions(id_), store.trial(id_)

    assert [item for item, _, _ in predictions] == [f"{x}{i}" for x in "ux" for i in range(10)]
    assert [gold for _, _, gold in predictions] == ["no"] * 10 + ["yes"] * 10
    assert record["settings"]["positional"] is True
    assert record["grammar"] == plan.criteria[0].grammar.fingerprint
    assert record["sentences"] == 400


SCRIPT = """
import sys
from lexiscope.experiments.synthetic.run import run
from tests.experiments.synthetic.test_sweep import small_plan, stored
if __name__ == "__main__":
    run(small_plan(trials=8, sentences=20_000), stored(sys.argv[1]))
"""


def trials_in(store):
    if not store.exists():
        return []
    with closing(sqlite3.connect(store)) as database:
        if not database.execute("SELECT 1 FROM sqlite_master WHERE name = 'trial'").fetchone():
            return []
        query = "SELECT number, trainer, vectors, seconds FROM trial ORDER BY number, trainer"
        return database.execute(query).fetchall()


def test_a_kill_loses_at_most_the_current_batch(tmp_path):
    store = tmp_path / "killed.sqlite"
    (tmp_path / "script.py").write_text(SCRIPT)
    around = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])}
    process = subprocess.Popen([sys.executable, "script.py", store], cwd=tmp_path, env=around)
    deadline = time.monotonic() + 120
    while process.poll() is None and len(trials_in(store)) < 4:
        assert time.monotonic() < deadline
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.wait()
    kept = trials_in(store)
    assert 4 <= len(kept) < 16

    plan, reports = small_plan(trials=8, sentences=20_000), []
    again = run(plan, stored(store, progress=lambda *how: reports.append(how))).to_dict()

    assert reports[0] == ("Trainings", len(kept), 16)  # nothing stored is repeated
    assert set(kept) <= set(trials_in(store))
    whole = tmp_path / "whole.sqlite"
    assert run(plan, stored(whole)).to_dict() == again
    assert [t[:3] for t in trials_in(whole)] == [t[:3] for t in trials_in(store)]


def test_an_interrupt_keeps_finished_batches(monkeypatch):
    run_batch = sweep.run_batch

    def interrupted(batch):
        if batch.trial.number == 1:
            raise KeyboardInterrupt
        return run_batch(batch)

    monkeypatch.setattr(sweep, "run_batch", interrupted)
    plan = small_plan()
    with Store() as store:
        with pytest.raises(KeyboardInterrupt):
            sweep.run_trials(plan, store, Execution())
        trials = sweep.trials_at(plan, plan.criteria[0], None)
        ids = [sweep.probe_id(t, plan.models[0], "sparseness", plan.probes[0]) for t in trials]
        assert store.probed(ids) == {ids[0]}


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"criteria": ["sparse"]}, "No criterion named 'sparse'. Did you mean 'sparseness'"),
        ({"models": ["skipp"]}, "No model or trainer named 'skipp'"),
        ({"scale": "huge"}, "No scale named 'huge'"),
        ({"trials": 0}, "The number of trials must be 1 or more, found 0"),
        ({"sentences": 0}, "The number of sentences must be 1 or more, found 0"),
        ({"settings": [("speed", 1)]}, "No setting of a model named 'speed'"),
        ({"settings": [("glove.learning_rate", 1)]}, "No model or probe named 'glove'"),
        ({"settings": [("subspace.cost", 0)]}, "cost must be more than 0, found 0"),
        ({"settings": [("subspace.space", "third")]}, "No value of subspace.space named 'third'"),
        ({"settings": [("skip.space", "output")]}, "with, for example, subspace.space=output"),
    ],
)
def test_invalid_options_are_refused_in_one_sentence(changed, sentence):
    with pytest.raises(BadUsage, match=sentence):
        small_plan(**changed)


def test_an_unknown_paper_is_refused():
    with pytest.raises(UnknownName, match=r"No paper named 's9'. Available: s0"):
        plan_for("s9")


def test_jobs_below_one_are_refused():
    with pytest.raises(BadUsage, match="jobs must be 1 or more, found 0"):
        run(small_plan(), Execution(n_jobs=0))


def test_settings_reach_the_models_they_name():
    plan = small_plan(
        settings=[("dimension", "12"), ("skip.learning_rate", "0.01"), ("ppmi.cds", "1")]
    )
    ppmi, skip = plan.models

    assert skip.trainer.settings["dimension"] == 12
    assert skip.trainer.settings["learning_rate"] == 0.01
    assert ppmi.trainer.settings["cds"] == 1.0
    assert skip.trainer.settings["subsample"] == 0


def test_the_small_scale_has_few_values_of_a_sweep():
    small, large = (plan_for("s0", scale) for scale in ("small", "paper"))
    swept = [next(c for c in plan.criteria if c.name == "ambiguity") for plan in (small, large)]

    assert swept[0].points == (1.0, 1.5, 2.0)
    assert swept[1].points == tuple(round(1 + i / 10, 1) for i in range(11))

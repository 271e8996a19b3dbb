"""Sweeps: the same on every backend, kept at once, gone on with after a kill."""

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

from lexiscope.bench import studyfile, sweep
from lexiscope.bench.study import carried_out, reproduce
from lexiscope.core.errors import BadUsage, UnknownName
from lexiscope.store.store import Store

ROOT = Path(__file__).parents[2]
SMALL = {
    "criteria": ["sparseness"],
    "models": ["PPMI", "SKIP"],
    "sentences": 400,
    "trials": 2,
    "settings": [("epochs", 2), ("dimension", 8)],
}


def of_the_paper(**changed):
    return studyfile.of_paper("s0", **{**SMALL, **changed})


@pytest.fixture(scope="module")
def serial():
    return reproduce("s0", **SMALL).to_dict()


@pytest.mark.parametrize("backend", ["processes", "dask"])
def test_every_backend_finds_the_same(backend, serial):
    assert reproduce("s0", **SMALL, backend=backend, jobs=2).to_dict() == serial


def test_another_seed_samples_other_sentences(tmp_path):
    found = []
    for seed in (0, 1):
        carried_out(of_the_paper(seed=seed, trials=1), tmp_path / f"{seed}.sqlite")
        with closing(sqlite3.connect(tmp_path / f"{seed}.sqlite")) as database:
            found.append(database.execute("SELECT DISTINCT corpus FROM trial").fetchall())

    assert len(found[0]) == len(found[1]) == 1  # all models of a trial learn from one corpus
    assert found[0] != found[1]


def test_finished_trials_are_not_done_again_and_more_can_follow(tmp_path, monkeypatch):
    store = tmp_path / "s.sqlite"
    carried_out(of_the_paper(), store)
    done = []
    worked = sweep.worked
    monkeypatch.setattr(sweep, "worked", lambda batch: done.append(batch) or worked(batch))

    carried_out(of_the_paper(), store)
    assert not done
    carried_out(of_the_paper(trials=3), store)
    assert [batch.place.number for batch in done] == [2]
    carried_out(of_the_paper(models=["PPMI", "SKIP", "CBOW"], trials=3), store)
    assert {order.model.name for batch in done[1:] for order in batch.orders} == {"CBOW"}


def test_another_way_of_asking_trains_again_and_keeps_the_training_once(tmp_path):
    store = tmp_path / "s.sqlite"
    carried_out(of_the_paper(trials=1), store)
    carried_out(of_the_paper(trials=1, settings=[*SMALL["settings"], ("subspace.cost", 7)]), store)

    with closing(sqlite3.connect(store)) as database:
        assert database.execute("SELECT count(*) FROM trial").fetchone() == (2,)
        costs = database.execute("SELECT settings FROM probe WHERE study = 'subspace'").fetchall()
    assert 7.0 in {json.loads(text)["cost"] for (text,) in costs}


def test_questions_about_one_grammar_share_their_trainings(tmp_path):
    plan = studyfile.of_grammar("unified", models=["PPMI"], sentences=3000, trials=1)
    one = [batch for batch in sweep.batches(plan) if batch.place.grammar.parameters["alpha"] == 1]

    assert len(plan.criteria) == 4
    assert len(one) == 1
    assert {asked.question for asked in one[0].orders[0].asked} == {c.name for c in plan.criteria}


def test_one_question_of_a_grammar_can_be_chosen():
    plan = studyfile.of_grammar("unified", questions=["ambiguity"])

    assert [criterion.name for criterion in plan.criteria] == ["ambiguity"]
    with pytest.raises(UnknownName, match="No question named 'gender'"):
        studyfile.of_grammar("unified", questions=["gender"])


def test_every_reply_of_every_held_out_word_is_kept():
    plan = of_the_paper(trials=1)
    with Store() as store:
        sweep.carry_out(plan, store)
        (place,) = sweep.places(plan, plan.criteria[0], None)
        id_ = sweep.probe_id(place, plan.models[0], "sparseness", plan.probes[0])
        replies, trial = store.replies(id_), store.trial(id_)

    assert [asked for asked, _, _ in replies] == [f"{x}{i}" for x in "ux" for i in range(10)]
    assert [gold for _, _, gold in replies] == ["no"] * 10 + ["yes"] * 10
    assert trial["settings"]["positional"] is True
    assert trial["grammar"] == plan.criteria[0].grammar.fingerprint
    assert trial["sentences"] == 400


SCRIPT = """
import sys
from lexiscope.bench.study import carried_out
from tests.bench.test_sweep import of_the_paper
if __name__ == "__main__":
    carried_out(of_the_paper(trials=8, sentences=20_000), sys.argv[1])
"""


def trials_in(store):
    if not store.exists():
        return []
    with closing(sqlite3.connect(store)) as database:
        if not database.execute("SELECT 1 FROM sqlite_master WHERE name = 'trial'").fetchone():
            return []
        ask = "SELECT number, trainer, vectors, seconds FROM trial ORDER BY number, trainer"
        return database.execute(ask).fetchall()


def test_a_kill_loses_at_most_the_batch_under_way(tmp_path):
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

    plan, told = of_the_paper(trials=8, sentences=20_000), []
    again = carried_out(plan, store, progress=lambda *how: told.append(how)).to_dict()

    assert told[0] == ("Trainings", len(kept), 16)  # nothing that was kept is done again
    assert set(kept) <= set(trials_in(store))
    whole = tmp_path / "whole.sqlite"
    assert carried_out(plan, whole).to_dict() == again
    assert [t[:3] for t in trials_in(whole)] == [t[:3] for t in trials_in(store)]


def test_an_interrupt_keeps_what_was_finished(monkeypatch):
    worked = sweep.worked

    def interrupted(batch):
        if batch.place.number == 1:
            raise KeyboardInterrupt
        return worked(batch)

    monkeypatch.setattr(sweep, "worked", interrupted)
    plan = of_the_paper()
    with Store() as store:
        with pytest.raises(KeyboardInterrupt):
            sweep.carry_out(plan, store)
        places = sweep.places(plan, plan.criteria[0], None)
        ids = [sweep.probe_id(p, plan.models[0], "sparseness", plan.probes[0]) for p in places]
        assert store.probed(ids) == {ids[0]}


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"criteria": ["sparse"]}, "No criterion named 'sparse'. Did you mean 'sparseness'"),
        ({"models": ["skipp"]}, "No trainer named 'skipp'"),
        ({"scale": "huge"}, "No scale named 'huge'"),
        ({"trials": 0}, "The number of trials must be 1 or more, found 0"),
        ({"sentences": 0}, "The number of sentences must be 1 or more, found 0"),
        ({"settings": [("speed", 1)]}, "No setting of a model named 'speed'"),
        ({"settings": [("glove.rate", 1)]}, "No model or study named 'glove'"),
        ({"settings": [("subspace.cost", 0)]}, "cost must be more than 0, found 0"),
        ({"settings": [("subspace.space", "third")]}, "No value of subspace.space named 'third'"),
        ({"settings": [("skip.space", "output")]}, "say which is asked: subspace.space=output"),
    ],
)
def test_what_makes_no_sense_is_told_in_a_sentence(changed, sentence):
    with pytest.raises(BadUsage, match=sentence):
        of_the_paper(**changed)


def test_an_unknown_paper_is_told():
    with pytest.raises(UnknownName, match=r"No paper named 's9'. Known: s0"):
        studyfile.of_paper("s9")


def test_jobs_below_one_are_refused():
    with Store() as store, pytest.raises(BadUsage, match="jobs must be 1 or more, found 0"):
        sweep.carry_out(of_the_paper(), store, jobs=0)


def test_settings_reach_the_models_they_name():
    plan = of_the_paper(settings=[("dimension", "12"), ("skip.rate", "0.01"), ("ppmi.cds", "1")])
    ppmi, skip = plan.models

    assert skip.trainer.settings["dimension"] == 12
    assert skip.trainer.settings["rate"] == 0.01
    assert ppmi.trainer.settings["cds"] == 1.0
    assert skip.trainer.settings["subsample"] == 0


def test_the_small_scale_takes_few_values_of_a_sweep():
    small, large = (studyfile.of_paper("s0", scale) for scale in ("small", "paper"))
    swept = [next(c for c in plan.criteria if c.name == "ambiguity") for plan in (small, large)]

    assert swept[0].points == (1.0, 1.5, 2.0)
    assert swept[1].points == tuple(round(1 + i / 10, 1) for i in range(11))

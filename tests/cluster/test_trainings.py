"""Trainings on workers without a common folder give the files of this process."""

import json
from dataclasses import replace

import numpy as np
import pytest

import lexiscope
from lexiscope.core.errors import BadUsage
from lexiscope.core.execution import Execution
from lexiscope.experiments.correlation.plan import Evaluation
from lexiscope.experiments.correlation.run import run
from lexiscope.papers.reproduce import plan_for
from tests.builders import synthetic_pairs

pytestmark = pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::DeprecationWarning")


@pytest.fixture
def here(cluster, monkeypatch):
    """A folder that no worker sees, also for temporary files, with a text and a lexicon."""
    folder = cluster.folder / "trainings"
    folder.mkdir(exist_ok=True)
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    monkeypatch.setenv("LEXISCOPE_CACHE_DIR", str(folder / "cache"))
    rng = np.random.default_rng(0)
    words = (rng.integers(0, 60, 10).tolist() for _ in range(150))
    lines = (" ".join(f"w{k}" for k in sentence) for sentence in words)
    (folder / "text.txt").write_text("\n".join(lines), "utf-8")
    (folder / "edges.txt").write_text("w0 w1\nw2 w3\nw4 w5\n", "utf-8")
    return folder


def plan(folder, **changes):
    """S3 with three models, of which one changes the vectors of another."""
    settings = [("epochs", 1)]
    chosen = plan_for("s3", models=["CBOW", "LSA", "LSA+WN"], dimensions=[3, 4], trials=2,
                      settings=settings)  # fmt: skip
    pairs, path = synthetic_pairs(40, 30), folder / "pairs.tsv"
    rows = zip(pairs.left, pairs.right, pairs.rating, strict=True)
    path.write_text("".join(f"{a}\t{b}\t{r}\n" for a, b, r in rows), "utf-8")
    evaluations = tuple(Evaluation(name, (("similarity", str(path)),)) for name in ("QVEC", "MEN"))
    lexicon = str(folder / "edges.txt")
    models = tuple(replace(m, lexicon=lexicon) if m.lexicon else m for m in chosen.models)
    about = {"evaluations": evaluations, "models": models, "preprocessing": {"min_count": 1}}
    return replace(chosen, texts=(str(folder / "text.txt"),), **about, **changes)


def files(folder):
    return {path.name: path.read_bytes() for path in folder.rglob("*.safetensors")}


def records(folder):
    """The records, without what depends on time, place and machine."""
    found = {}
    for path in folder.rglob("*.safetensors.json"):
        about = json.loads(path.read_text())
        for name in ("seconds", "tokens_per_second", "threads", "command"):
            about.pop(name, None)
        found[path.name] = about
    return found


def test_s3_trains_on_the_workers_and_reads_the_vectors_here(cluster, here):
    folder = here / "vectors"  # the name of a base is part of the origin of vectors
    one = run(plan(here), folder)
    folder.rename(here / "alone")
    execution = Execution(here / "s.sqlite", scheduler=cluster.address)
    two = run(plan(here), folder, execution=execution)

    assert len(files(here / "alone")) == 2 * (2 + 2)
    assert files(folder) == files(here / "alone")
    assert records(folder) == records(here / "alone")
    first, second = one.to_dict(), two.to_dict()
    first.pop("runs"), second.pop("runs")
    assert first == second
    assert cluster.received() == []


def test_finished_trainings_are_not_repeated(cluster, here):
    folder = here / "again"
    run(plan(here, runs=1), folder)
    before = {path: path.stat().st_mtime_ns for path in folder.rglob("*.safetensors")}

    run(plan(here, runs=1), folder, execution=Execution(scheduler=cluster.address))

    assert {path: path.stat().st_mtime_ns for path in folder.rglob("*.safetensors")} == before


def test_an_error_of_a_training_names_the_step(cluster, here):
    models = [replace(m, settings={**m.settings, "negative": 70})
              for m in plan(here).models if m.name == "CBOW"]  # fmt: skip
    broken = plan(here, runs=1)
    broken = replace(broken, models=tuple(models))

    with pytest.raises(BadUsage, match=r"CBOW-3-1: negative must be less than the vocabulary"):
        run(broken, here / "broken", execution=Execution(scheduler=cluster.address))


def test_a_training_of_a_killed_worker_is_repeated_by_another(fragile_cluster, tmp_path):
    folder = fragile_cluster.folder / "killed"
    folder.mkdir()
    rng = np.random.default_rng(0)
    text = "\n".join(" ".join(f"w{k}" for k in rng.integers(0, 60, 10)) for _ in range(150))
    (folder / "text.txt").write_text(text)
    (folder / "edges.txt").write_text("w0 w1\nw2 w3\n")

    def kill_after_the_first(what, done, total):
        if what == "Trainings" and done == 1:
            fragile_cluster.workers[0].kill()

    run(plan(folder), folder / "spread")
    (folder / "spread").rename(folder / "alone")
    spread = Execution(progress=kill_after_the_first, scheduler=fragile_cluster.address)
    run(plan(folder), folder / "spread", execution=spread)

    assert fragile_cluster.workers[0].wait() < 0
    assert files(folder / "spread") == files(folder / "alone")
    assert lexiscope.load(next((folder / "spread").rglob("LSA-4-1.safetensors"))).dimension == 4

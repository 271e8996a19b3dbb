"""Commands on workers without a common folder give the results of this process."""

import json
import os
import sqlite3
import subprocess
import sys
from contextlib import closing

import numpy as np
import pytest

import lexiscope
from lexiscope.core.execution import Execution
from lexiscope.core.policy import Policy
from tests.builders import seeded, synthetic_pairs, synthetic_words
from tests.cluster.separate_workers import PYTHONPATH

pytestmark = pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::DeprecationWarning")

WORDS = synthetic_words(80)


@pytest.fixture
def here(cluster, monkeypatch):
    """A folder that no worker sees, also for temporary files, with vectors and datasets."""
    folder = cluster.folder / "here"
    folder.mkdir(exist_ok=True)
    lexiscope.save(seeded("a", WORDS, 1), folder / "a.safetensors")
    lexiscope.save(seeded("b", WORDS[:70], 2), folder / "b.vec")
    pairs = synthetic_pairs(60, 85)
    rows = zip(pairs.left, pairs.right, pairs.rating, strict=True)
    (folder / "pairs.tsv").write_text("".join(f"{a}\t{b}\t{r}\n" for a, b, r in rows))
    kinds = "".join(f"w{number}\tkind{number % 2}\n" for number in range(60))
    (folder / "kinds.tsv").write_text(f"word\tcategory\n{kinds}")
    monkeypatch.setenv("TMPDIR", str(folder))
    monkeypatch.setenv("LEXISCOPE_CACHE_DIR", str(folder / "cache"))
    monkeypatch.setenv("LEXISCOPE_OFFLINE", "1")
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    return folder


def printed(folder, *arguments):
    """The JSON document that a command prints, without what depends on time and place."""
    ended = subprocess.run(
        [sys.executable, "-m", "lexiscope", *arguments, "--json"],
        capture_output=True, cwd=folder, timeout=240, check=False,
        env={**os.environ, "PYTHONPATH": PYTHONPATH},
    )  # fmt: skip
    assert ended.returncode == 0, ended.stderr.decode()
    whole = json.loads(ended.stdout)
    return {key: value for key, value in whole.items() if key not in ("manifest", "run")}


COMMANDS = {
    "run": ("run", "a.safetensors", "b.vec", "--dataset", "pairs.tsv", "--vocabulary", "shared"),
    "curves": ("curves", "a.safetensors", "b.vec", "--dataset", "kinds.tsv", "--repeats", "3",
               "--sizes", "10,20", "--model", "logistic_regression"),
    "probe": ("probe", "ambiguity", "--model", "svd", "--trials", "2",
              "--sentences", "1000"),
}  # fmt: skip


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_prints_what_it_prints_without_a_cluster(command, cluster, here):
    arguments = COMMANDS[command]

    alone = printed(here, *arguments, "--store", f"{command}-alone.sqlite")
    scheduler = ("--scheduler", cluster.address)
    spread = printed(here, *arguments, "--store", f"{command}-spread.sqlite", *scheduler)

    assert spread == alone
    assert cluster.received() == []


def parts(results):
    whole = results.to_dict()
    return {key: whole[key] for key in ("results", "comparisons", "coverage", "failures")}


def test_a_run_whose_worker_is_killed_is_finished_and_stores_each_cell_once(
    fragile_cluster, tmp_path
):
    embeddings = [seeded("a", WORDS, 1), seeded("b", WORDS[:70], 2)]
    datasets = [synthetic_pairs(60, 85, seed, f"d{seed}") for seed in range(12)]
    plan = {"tasks": "similarity", "datasets": datasets, "policy": Policy("shared")}

    def kill_after_some_cells(what, done, total):
        if what == "Evaluating" and done == 3:
            fragile_cluster.workers[0].kill()

    store = tmp_path / "s.sqlite"
    spread = Execution(store, progress=kill_after_some_cells, scheduler=fragile_cluster.address)
    results = lexiscope.run(embeddings, **plan, execution=spread)

    assert fragile_cluster.workers[0].wait() < 0
    assert parts(results) == parts(lexiscope.run(embeddings, **plan))
    with closing(sqlite3.connect(store)) as database:
        keys = [key for (key,) in database.execute("SELECT id FROM cell")]
        (predictions,) = database.execute("SELECT count(*) FROM prediction").fetchone()
    assert len(keys) == len(set(keys)) == 24
    assert predictions == sum(result.used for result in results.main())


def test_vectors_of_other_formats_and_sparse_ones_reach_the_workers(cluster, here):
    from scipy.sparse import csr_array

    from lexiscope.core.embedding import embedding
    from tests.sparse import sparse_table

    sparse = embedding("sparse", WORDS, csr_array(sparse_table(80, empty=[3])))
    pairs = synthetic_pairs(60, 85)

    found = [
        parts(lexiscope.run([sparse, seeded("b", WORDS, 2)], datasets=pairs, execution=execution))
        for execution in (Execution(), Execution(scheduler=cluster.address))
    ]

    assert not found[0]["failures"]
    assert found[0] == found[1]
    assert np.isfinite([each["value"] for each in found[0]["results"]]).all()

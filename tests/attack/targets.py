"""What is attacked: valid files of each kind, and the commands and functions that read them.

`attack(target, seed, folder)` mutates a file with this seed and reads it. The outcome is one of
"accepted", "refused" (an error of ours, one sentence) and the traceback of anything else.
"""

import gzip
import io
import json
import sqlite3
import tarfile
import traceback
from collections.abc import Callable
from contextlib import closing, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

import click
import numpy as np

import lexiscope
from lexiscope.cli.main import lexiscope as command_line
from lexiscope.core.datasets import KINDS
from lexiscope.core.display import shown
from lexiscope.core.errors import LexiscopeError
from lexiscope.core.preprocessing import Preprocessing
from lexiscope.core.study import Judgment
from lexiscope.data import corpora, datasets
from lexiscope.data.vectors import load
from lexiscope.experiments import config
from lexiscope.experiments.curves.run import measure
from lexiscope.experiments.curves.scores import scores
from lexiscope.regression import baseline
from lexiscope.store.store import Store
from lexiscope.store.study_file import StudyFile
from tests.attack.mutators import mutated, with_changed_rows
from tests.builders import seeded, synthetic_analogies, synthetic_pairs, synthetic_words
from tests.data.vectors.test_mutations import PACKED, PLAIN, WORDS
from tests.data.vectors.test_pickles import DISGUISES, Canary
from tests.data.vectors.vector_files import zipped
from tests.experiments.curves.test_curves import plan
from tests.human.study_builders import study

MARKER = "executed"  # a pickle that is opened makes this file
POLICIES = ("stop", "skip", "replace")
TEXT = "The cat drinks tea. The dog drinks milk!\nÉté, 日本 and new york.\n" * 4


@dataclass(frozen=True)
class Target:
    """A kind of input: its valid files by name, and how a file is read."""

    contents: Callable[[], dict[str, bytes]]
    read: Callable[[Path, int], object]
    databases: bool = False


def attack(target: str, seed: int, folder: Path) -> str:
    """The outcome of one input."""
    path = write(target, seed, folder)
    try:
        output = io.TextIOWrapper(io.BytesIO())
        with redirect_stdout(output), redirect_stderr(output):
            TARGETS[target].read(path, seed)
    except (LexiscopeError, click.ClickException) as problem:
        sentence = str(problem)
        return "refused" if shown(sentence, 10_000) == sentence else f"raw: {sentence!r}"
    except Exception:
        return traceback.format_exc()
    return "accepted"


def write(target: str, seed: int, folder: Path) -> Path:
    """Write the input with a seed."""
    rng = np.random.default_rng([seed, *target.encode()])
    valid = TARGETS[target].contents()
    name = sorted(valid)[rng.integers(len(valid))]
    content = valid[name]
    if target == "vectors" and rng.random() < 0.1:
        name, content = _disguised(rng, folder)
    path = folder / name.replace("/", "-")
    if TARGETS[target].databases and rng.random() < 0.8:
        path.write_bytes(content)
        with closing(sqlite3.connect(path, isolation_level=None)) as database:
            with_changed_rows(database, rng)
    else:
        path.write_bytes(mutated(content, rng))
    return path


def _disguised(rng, folder):
    """A pickle under another name, whose opening would make the marker."""
    name, disguise, _ = list(DISGUISES.values())[rng.integers(len(DISGUISES))]
    return name, disguise(Canary(str(folder / MARKER)))


def command(*arguments):
    """Run a command in this process."""
    command_line.main(list(map(str, arguments)), prog_name="lexiscope", standalone_mode=False)


def read_vectors(path, seed):
    for words in ("v.words", "columns.words"):
        (path.parent / words).write_text("\n".join(WORDS))
    found = load(path, on_error=POLICIES[seed % 3], words=("cat", "Tür"))
    _ = found.lengths, found.fingerprint
    assert len(found.words) == len(found) > 0


def read_corpus(path, seed):
    found = corpora.read(path, Preprocessing(), on_error=("stop", "replace")[seed % 2])
    assert len(found) > 0
    _ = found.fingerprint


def read_dataset(path, seed):
    kinds = tuple(KINDS.values())
    for part in ("train", "test"):  # of a dataset in two files
        if path.name == f"sentences-{part}.txt":
            other = {"train": "test", "test": "train"}[part]
            (path.parent / f"sentences-{other}.txt").write_bytes(dataset_files()[path.name])
            path = path.parent / "sentences-test.txt"
    if seed % 2:
        found = datasets.read_any(kinds, path, "d")
    else:
        kind = path.name.partition("-")[0]
        found = datasets.read(kind if kind in KINDS else "pairs", path, "d")
    _ = found.fingerprint, found.labels, found.gold
    assert len(found) > 0


def read_grammar(path, seed):
    command("grammar", "sample", path, "-n", 3) if seed % 2 else command("grammar", "check", path)


def read_plan(path, seed):
    (path.parent / "text.txt").write_text(TEXT)
    config.read(path)


def read_baseline(path, seed):
    baseline.read(path, "a")


def read_store(path, seed):
    out = path.parent / "out"
    if path.name == "c.sqlite":
        with Store(path, read_only=seed % 2 == 0) as store:
            scores(plan(), store)
        return
    chosen = (
        ("report", "--store", path, "-o", out.with_suffix(".html")),
        ("export", "--store", path, "--format", "csv", "-o", out.with_suffix(".csv")),
        ("export", "--store", path, "--format", "json", "-o", out.with_suffix(".json")),
        ("correlate", "--store", path),
        ("report", "--store", path, "--list"),
    )[seed % 5]
    command(*chosen)


def read_study(path, seed):
    chosen = (
        ("status",), ("results",), ("results", "--json"), ("preview",),
        ("export", "--format", "judgments", "-o", path.with_suffix(".csv")),
    )[seed % 5]  # fmt: skip
    command("study", chosen[0], path, *chosen[1:])


@cache
def corpus_files():
    raw, stream = TEXT.encode(), io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w:gz") as archive:
        about = tarfile.TarInfo("a.txt")
        about.size = len(raw)
        archive.addfile(about, io.BytesIO(raw))
    return {
        "c.txt": raw, "c.txt.gz": gzip.compress(raw), "c.zip": zipped(a__txt=raw, b__txt=raw),
        "c.tgz": stream.getvalue(), "u.txt": TEXT.encode("utf-16"),
    }  # fmt: skip


@cache
def dataset_files():
    words = ("cat", "dog", "tea", "été", "日本", "new york")
    pairs = "".join(f"{a}\t{b}\t{k}.5\n" for k, (a, b) in enumerate(pairwise(words)))
    tokens = "".join(f"{w.replace(' ', '')} NN B-NP\n" for w in words)
    return {name: text.encode() for name, text in {
        "pairs-a.tsv": pairs, "pairs-b.csv": "word1,word2,score\ncat,dog,3\n\"a,b\",tea,4\n",
        "analogies-a.txt": ": capital\nathens greece oslo norway\nrome italy paris france\n",
        "categories-a.tsv": "word\tcategory\ncat\tanimal\ndog\tanimal\ntea\tdrink\n",
        "relations-a.tsv": "source\ttarget\trelation\ncat\tkitten\tyoung\ndog\tpuppy\tyoung\n",
        "synonym questions-a.tsv":
            "question\tanswer\tdistractor1\tdistractor2\tdistractor3\nbig\tlarge\tred\ttea\tcat\n",
        "properties-a.tsv": "word\tanimal\tfood\ncat\t1\t0\ntea\t0\t0.5\n",
        "properties-b.txt": 'cat\t{"noun.animal": 1}\ntea\t{"noun.food": 2}\n',
        "sentences-train.txt": f"{tokens}\n{tokens}", "sentences-test.txt": f"{tokens}\n{tokens}",
        "phrases-a.csv": "adjective,noun,label\nbig,cat,l\nred,tea,m\n",
        "texts-a.csv": "text,label,split\n\"a cat, big\",pos,train\na dog,neg,train\nb,pos,test\n",
        "entities-a.tsv": "entity\ttypes\nOslo\tcity,capital\ncat\tanimal\n",
        "preferences-a.tsv": "verb\tslot\tnoun\trating\neat\tobj\tcake\t6\neat\tsubj\tcake\t1\n",
    }.items()}  # fmt: skip


@cache
def grammar_files():
    folder = files("lexiscope.pcfg") / "grammars"
    return {
        entry.name: entry.read_bytes() for entry in folder.iterdir() if entry.name[-5:] == ".toml"
    }


@cache
def plan_files():
    text = (
        "seed = 3\nfolder = 'vectors'\n[text]\nsources = 'text.txt'\nmin_count = 1\n"
        "[[train]]\ntrainer = 'svd'\ndimension = 3\n[[train]]\ntrainer = 'glove'\nepochs = 2\n"
        "[evaluate]\ntasks = ['similarity']\ndatasets = ['ws353']\n"
    )
    return {"plan.toml": text.encode()}


@cache
def baseline_files():
    found = _run(lexiscope.Execution())
    return {"b.json": json.dumps(found.to_dict()).encode()}


def _run(execution):
    words = synthetic_words(30)
    return lexiscope.run(
        [seeded("a", words, 1), seeded("b", words[:25], 2)], ["similarity", "analogy"],
        [synthetic_pairs(20, 30), synthetic_analogies(12, 30)], execution=execution,
    )  # fmt: skip


@cache
def store_files():
    with TemporaryDirectory() as folder:
        path = Path(folder, "s.sqlite")
        _run(lexiscope.Execution(path))
        run = path.read_bytes()
        measure(plan(), lexiscope.Execution(path.with_name("c.sqlite")))
        return {
            "s.sqlite": run,
            "s2.sqlite": run,
            "c.sqlite": path.with_name("c.sqlite").read_bytes(),
        }


@cache
def study_files():
    with TemporaryDirectory() as folder:
        path = Path(folder, "w.study")
        with StudyFile.create(path, study()) as opened:
            for number in range(3):
                judge = opened.add_judge("link", 1.0 + number)
                opened.assign(judge.id, [f"item{k}" for k in range(5)], 2.0)
                opened.record_all(
                    [Judgment(judge.id, f"item{k}", k % 3, (2, 1, 0), 1.5, 5.0) for k in range(5)]
                )
        return {"w.study": path.read_bytes()}


TARGETS = {
    "vectors": Target(lambda: PLAIN | PACKED, read_vectors),
    "corpora": Target(corpus_files, read_corpus),
    "datasets": Target(dataset_files, read_dataset),
    "grammars": Target(grammar_files, read_grammar),
    "plans": Target(plan_files, read_plan),
    "baselines": Target(baseline_files, read_baseline),
    "stores": Target(store_files, read_store, databases=True),
    "studies": Target(study_files, read_study, databases=True),
}

"""Reference numbers: scores, intervals, p-values and trained bytes, as they came out once.

`python -m tests.reference.record` rewrites `numbers.json`, which is right only where numbers
are meant to change; `test_reference.py` compares every later state with the file. Last bits and
trained bytes depend on the processor and on the versions of libraries. `environment.json` names
those that the numbers were recorded with; elsewhere the test is skipped. To compare two commits on
another machine, record the numbers of the first and run the test on the second.

All data are generated from fixed seeds: no file, no network.
"""

import json
import os
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from numpy.random import default_rng

from tests.reference import calls

FILE = Path(__file__).with_name("numbers.json")
ENVIRONMENT = Path(__file__).with_name("environment.json")
LIBRARIES = ("numpy", "scipy", "scikit-learn", "numba")

# The world that all datasets are about: stems of topics in three forms

TOPICS, STEMS, DIMENSION = 8, 12, 10
FORMS = ("", "s", "ess")


def _world():
    rng = default_rng(1)
    topics, forms = rng.normal(size=(TOPICS, DIMENSION)), rng.normal(size=(3, DIMENSION))
    words, topic, rows = [], [], []
    for stem in range(STEMS):
        for t in range(TOPICS):
            own = topics[t] + 0.7 * rng.normal(size=DIMENSION)
            for form, shift in zip(FORMS, forms, strict=True):
                words.append(f"t{'abcdefgh'[t]}{'abcdefghijkl'[stem]}{form}")
                topic.append(t)
                rows.append(own + shift)
    return words, np.array(topic), np.array(rows)


WORDS, TOPIC, TRUE = _world()
COUNTS = np.sort(2 + (3_000 / np.arange(1, len(WORDS) + 1)).astype(np.int64))[::-1]


CASED = [word.capitalize() if k % 10 == 9 else word for k, word in enumerate(WORDS)]


def _blurred(noise, seed):
    return TRUE + noise * default_rng(seed).normal(size=TRUE.shape)


def noisy(name, noise, seed, words=None):
    """The true vectors with noise, of the first words only; every tenth is written large."""
    rows = _blurred(noise, seed)
    return calls.embedding(name, CASED[:words], rows[:words], COUNTS[:words])


def three():
    """Two embeddings with different noise, and one with fewer words."""
    return [noisy("emb-a", 0.6, 2), noisy("emb-b", 1.6, 3), noisy("emb-c", 1.0, 4, 240)]


def _cosine(one, other):
    return float(one @ other / np.linalg.norm(one) / np.linalg.norm(other))


def _near(k, m):
    return _cosine(TRUE[k], TRUE[m])


# Datasets


def pairs(number=120, seed=10, name="pairs", heads=15):
    rng = default_rng(seed)
    rows = []
    for k in range(number):
        left, right = k % heads * 7, int(rng.integers(len(WORDS)))
        rating = round(10 + 10 * _near(left, right) + 3 * rng.normal()) / 2
        rows.append((WORDS[left], WORDS[right], rating))
    return calls.pairs(*rows, name=name)


def analogies(number=80, seed=11):
    rng = default_rng(seed)
    rows = []
    for k in range(number):
        one, other = 3 * rng.choice(len(WORDS) // 3, 2, replace=False)
        form, section = (1, "gram-plural") if k % 2 else (2, "family")
        rows.append((WORDS[one], WORDS[one + form], WORDS[other], WORDS[other + form], section))
    return calls.analogies(*rows)


def questions(number=80, seed=12):
    rng = default_rng(seed)
    rows = []
    for k in range(number):
        options = rng.choice([m for m in range(len(WORDS)) if m != k], 4, replace=False)
        best = max(options, key=lambda m: _near(k, m))
        rows.append((WORDS[k], *(WORDS[m] for m in options), WORDS[best]))
    return calls.questions(*rows)


def categories(number=10, seed=13):
    rng = default_rng(seed)
    chosen = {
        f"topic{t}": " ".join(
            WORDS[k] for k in rng.permutation(np.flatnonzero(t == TOPIC))[:number]
        )
        for t in range(TOPICS)
    }
    return calls.categories(**chosen)


def preferences(number=96, seed=14):
    rng = default_rng(seed)
    rows = []
    for k in range(number):
        verb, slot, word = k % 6, ("object", "subject")[k // 6 % 2], int(rng.integers(len(WORDS)))
        fillers = np.flatnonzero((verb == TOPIC) & (np.arange(len(WORDS)) % 2 == k // 6 % 2))[:12]
        rating = 4 + 4 * np.mean([_near(word, m) for m in fillers]) + rng.normal()
        listed = " ".join(WORDS[m] for m in fillers)
        rows.append((f"verb{verb}", slot, WORDS[word], round(rating, 1), listed))
    return calls.preferences(*rows)


def entities(number=90, seed=15):
    rng = default_rng(seed)
    rows = []
    for k in rng.permutation(len(WORDS))[:number]:
        types = [f"topic{TOPIC[k] % 4}"] + ["many"] * bool(k % 3) + ["high"] * bool(TRUE[k, 0] > 0)
        rows.append((WORDS[k], "|".join(types), float((400, 40, 3)[k % 3])))
    training = calls.entities(*rows[60:])
    split = calls.entities(*rows[:60], name="entities with lessons", train=training)
    return [calls.entities(*rows), split]


def properties(number=140, seed=16):
    rng = default_rng(seed)
    rows = {}
    for k in rng.permutation(len(WORDS))[:number]:
        own = {f"topic{TOPIC[k]}": 0.5 + 0.5 * rng.random()}
        other = {f"topic{rng.integers(TOPICS)}": 0.25} if rng.random() < 0.4 else {}
        rows[WORDS[k]] = {**other, **own}
    return calls.properties("properties", rows)


def _texts(number, seed):
    rng = default_rng(seed)
    rows = []
    for k in range(number):
        good = k % 2 == 0
        chance = np.exp((1.0 if good else -1.0) * TRUE[:, 0])
        drawn = rng.choice(len(WORDS), 6, p=chance / chance.sum())
        other = rng.integers(len(WORDS), size=6)
        text = " ".join(WORDS[m] for m in (*drawn, *other))
        rows.append((f"{text} unknown{rng.integers(30)}", "good" if good else "bad"))
    return rows


def reviews():
    return calls.texts(*_texts(100, 17), name="reviews")


def news():
    train, dev = (calls.texts(*_texts(n, seed)) for n, seed in ((90, 18), (30, 19)))
    items = _texts(60, 20)
    return [
        calls.texts(*items, train=train, dev=dev, name="news"),
        calls.texts(*items, train=train, name="news without a development part"),
    ]


def sentences():
    rng = default_rng(21)
    lines = []
    for _ in range(110):
        tokens = []
        for _ in range(rng.integers(2, 5)):
            noun, verb = WORDS[3 * rng.integers(96)], WORDS[3 * rng.integers(96) + 1]
            if rng.random() < 0.6:
                tokens.append(f"the/{rng.choice(['DT', 'XX'])}/B-NP")
                tokens.append(f"{noun}/{rng.choice(['NN', 'XX'])}/I-NP")
            else:
                tokens.append(f"{noun}/{rng.choice(['NN', 'XX'])}/B-NP")
            tokens.append(f"{verb}/{rng.choice(['VB', 'XX'])}/{rng.choice(['B-VP', 'O'])}")
        lines.append(" ".join(tokens))
    return calls.sentences(lines[:50], lines[50:])


def phrases(number=90, seed=22):
    rng = default_rng(seed)
    rows = []
    for _ in range(number):
        adjective, noun = 3 * rng.integers(12), 3 * rng.integers(12, 96)
        fits = _near(adjective, noun) + 0.3 * rng.normal() > 0
        rows.append((WORDS[adjective], WORDS[noun], "literal" if fits else "metaphor"))
    return calls.phrases(*dict.fromkeys(rows))


# Tasks


def _task(task, *datasets, **settings):
    """A group that evaluates three embeddings on a task."""
    named = {f"{task}.{field}": value for field, value in settings.items()}
    return calls.all_of(calls.run(three(), task, list(datasets), settings=named))


def analogy(folder):
    solvers = ["3CosAdd", "3CosMul", "3CosAvg", "LRCos"]
    return _task("analogy", analogies(), solver=solvers)


def categorization(folder):
    return _task("categorization", categories())


def chunking(folder):
    return _task("chunking", sentences(), epochs=10)


def classification(folder):
    return _task("classification", *news())


def metaphor(folder):
    return _task("metaphor", phrases(), trees=15)


def preference(folder):
    return _task("preference", preferences(), fillers=8)


def qvec(folder):
    return _task("qvec", properties(), method=["alignment", "cca", "cca-held-out"], rotations=50)


def qvec_script(folder):
    return _task("qvec", properties(), rule="script")


def ranking(folder):
    return _task("ranking", pairs())


def sentiment(folder):
    return _task("sentiment", reviews())


def similarity(folder):
    return _task("similarity", pairs(), pairs(60, 23, "other pairs", 40))


def synonymy(folder):
    return _task("synonymy", questions())


def typing(folder):
    items, split = entities()
    settings = {
        "entity_typing.classifier": ["mlp", "nearest"],
        "entity_typing.hidden": 12,
        "entity_typing.epochs": 1000,
    }
    return {
        **calls.all_of(calls.run(three(), "entity_typing", [items], settings=settings)),
        **calls.main_of(calls.run(three(), "entity_typing", [split], settings=settings)),
    }


def examples(folder):
    """Every task on the example that it comes with."""
    found = {}
    for task, dataset in calls.examples().items():
        words = calls.words_of(dataset)
        some = [
            calls.embedding(name, words, default_rng(seed).normal(size=(len(words), 6)))
            for seed, name in ((30, "emb-a"), (31, "emb-b"))
        ]
        found |= calls.main_of(calls.run(some, task, [dataset]))
    return found


def generated(folder):
    """The evaluations of the demo."""
    some = [calls.demo("emb-a"), calls.demo("emb-b", 2.0), calls.demo("emb-c", 1.0, 0, 1_200)]
    tasks = ["similarity", "analogy", "synonymy", "categorization"]
    return calls.all_of(calls.run(some, tasks, calls.demo_datasets()))


# Vocabulary policies and parts


def _long(name, noise, seed, words):
    """An embedding with so many other words among those of the world that it can be cut."""
    number = words - len(WORDS)
    others = 1.5 * default_rng(seed + 100).normal(size=(number, DIMENSION))
    vectors = np.concatenate([_blurred(noise, seed), others])
    named = [*CASED, *(f"other{k}" for k in range(number))]
    order = default_rng(40).permutation(words)
    counts = np.maximum(200_000 // np.arange(50, words + 50) - 17, 1)
    return calls.embedding(name, [named[k] for k in order], vectors[order], counts)


def policies(folder):
    some = [_long("emb-a", 0.6, 2, 10_400), _long("emb-b", 1.6, 3, 10_400)]
    some.append(noisy("emb-c", 1.0, 4, 240))
    datasets = [pairs(), analogies(40), questions(), categories()]
    tasks = ["similarity", "analogy", "synonymy", "categorization"]
    by = ["frequency", "occurrences"]
    found = calls.run(some, tasks, datasets, all_policies=True, by=by)
    return {
        **_under("other policies", calls.other_policies(found)),
        **_under("parts", calls.parts(found)),
    }


def _under(name, numbers):
    return {f"{name}/{key}": value for key, value in numbers.items()}


# Between evaluations, and between ways to ask


def agreement(folder):
    """Which evaluation predicts which, over six embeddings, two of which are runs of one."""
    noises = (0.5, 0.6, 1.0, 1.4, 1.8, 2.6)
    names = ("twin-1", "twin-2", "emb-c", "emb-d", "emb-e", "emb-f")
    some = [noisy(name, n, 50 + k) for k, (name, n) in enumerate(zip(names, noises, strict=True))]
    tasks = ["similarity", "synonymy", "ranking", "categorization"]
    found = calls.run(some, tasks, [pairs(), questions(), categories()])
    return {
        **_under("agreement", calls.agreements(found)),
        **_under("apart", calls.predicted(found)),
        **_under("twins as one", calls.predicted(found, ["twin-*"])),
    }


def ways(folder):
    """Reversals between solvers, and between classifiers."""
    some = [noisy(f"emb-{name}", 1.2, 60 + k) for k, name in enumerate("abcd")]
    settings = {"analogy.solver": ["3CosAdd", "3CosMul", "3CosAvg", "LRCos"]}
    items = calls.run(some, "analogy", [analogies()], settings=settings)
    typed = {
        "entity_typing.classifier": ["mlp", "nearest"],
        "entity_typing.hidden": 12,
        "entity_typing.epochs": 1000,
    }
    typings = calls.run(some[:2], "entity_typing", entities()[:1], settings=typed)
    return {
        **_under("analogy", calls.ways(items)),
        **_under("typing", calls.ways(typings)),
    }


def dimensions(folder):
    found = noisy("emb-a", 0.6, 2)
    return {
        **_under("formula", calls.dimensions(found, properties(), number=3, rotations=100)),
        **_under("script", calls.dimensions(found, properties(), number=3, rule="script", seed=5)),
    }


def neighbours(folder):
    found = {}
    for each in (noisy("emb-a", 0.6, 2), calls.demo("generated")):
        found |= calls.near(each, (0, 9, 123), 4)
    return found


def check(folder):
    """Two new embeddings against the one in use, on four files."""
    rng = default_rng(70)
    alone = rng.permutation(200).reshape(100, 2)  # no word recurs
    items = zip(*calls.columns(questions()), strict=True)
    rows = {
        "pairs": zip(*calls.columns(pairs()), strict=True),
        "alone": [(WORDS[a], WORDS[b], round(5 + 5 * _near(a, b), 3)) for a, b in alone],
        "questions": [
            (query, answer, *(o for o in options if o != answer))
            for query, *options, answer in items
        ],
        "groups": zip(*reversed(calls.columns(categories())), strict=True),
    }
    files = [_written(folder / f"{name}.tsv", table) for name, table in rows.items()]
    new = [noisy("worse", 1.6, 3), noisy("fewer", 0.6, 71, 240), noisy("better", 0.2, 72)]
    rules = ["significant-drop", "coverage-drop", "drop=0.01"]
    return calls.checked(folder, noisy("old", 0.6, 2), new, files, rules)


def _written(path, rows):
    path.write_text("".join("\t".join(map(str, row)) + "\n" for row in rows), "utf-8")
    return path


# Texts and trainers


def _lists(number=300, words=60, seed=80):
    """Sentences of words of four kinds, each of which keeps to its own, some words frequent."""
    rng = default_rng(seed)
    shares = 1 / np.arange(1, words + 1)
    lists = []
    for k in range(number):
        liked = shares * np.where(np.arange(words) % 4 == k % 4, 6.0, 1.0)
        drawn = rng.choice(words, rng.integers(4, 14), p=liked / liked.sum())
        lists.append([f"w{word}" for word in drawn])
    return lists


_COUNTED = {"window": 3, "weights": "harmonic", "neg": 2.0, "cds": 1.0}
_DRAWN = {"dynamic_window": True, "subsample": 0.01, "dirty_subsampling": True}
_WALKED = {"dimension": 12, "window": 2, "negative": 3, "subsample": 0.0, "epochs": 2}
_SHARDED = {**_WALKED, "shards": 2, "space": "both"}
_TIES = {"w1": ("w5", "w9"), "w2": ("w6",), "w6": ("w2", "absent"), "w30": ("w34", "w1")}

# The settings of each trainer; those without a dimension have their defaults.
SETTINGS = {
    "additive": [],  # models of terms need a background; their own tests compare them
    "alacarte": [],
    "attention": [{}, _SHARDED],
    "autoencoder": [
        {"dimension": 6, "epochs": 3},
        {"dimension": 6, "epochs": 3, "activation": "tanh", "batch_size": 20, "contexts": 30},
    ],
    "cbow": [{}, {**_SHARDED, "combine": "sum", "dynamic_window": False}],
    "cwindow": [{}, _SHARDED],
    "glove": [{"dimension": 8, "epochs": 5}, {"dimension": 8, "window": 3, "x_max": 10.0}],
    "hdc": [{}, _SHARDED],
    "hpca": [{"dimension": 8}, {"dimension": 8, "window": 2, "contexts": 20}],
    "lbl": [{}, {**_SHARDED, "loss": "negative"}],
    "lsa": [{"dimension": 8}, {"dimension": 8, "window": 2}],
    "nonce2vec": [],
    "pdc": [{}, _SHARDED],
    "ppmi": [{}, _COUNTED, _DRAWN, {"positional": True, "window": 2}],
    "projection": [{"dimension": 8}, {"dimension": 8, "window": 2}],
    "retrofit": [],
    "senna": [{}, {**_WALKED, "hidden": 20}],
    "skipgram": [{}, {**_SHARDED, "ns_exponent": 0.5}],
    "structured": [{}, _SHARDED],
    "svd": [
        {"dimension": 8},
        {"dimension": 8, "eigen": 0.0, "add_context": True, **_COUNTED},
        {"dimension": 8, **_DRAWN},
    ],
    "tscca": [{"dimension": 8}, {"dimension": 8, "window": 1}],
}


def trainers(folder):
    """What every trainer makes of one text, byte by byte."""
    text = calls.text_from(_lists(), [0, 40, 100, 101, 220, 300])
    assert sorted(SETTINGS) == sorted(calls.trainers())
    found = {
        f"{name}/{number}": calls.trained(name, text, settings, 3 + number)
        for name, several in SETTINGS.items()
        for number, settings in enumerate(several)
    }
    ties, base = calls.lexicon(_TIES), calls.trained("skipgram", text, _WALKED, 5)
    ours, given = {"base": "svd:dimension=8"}, {"base": base, "iterations": 3}
    found["retrofit/of a trainer"] = calls.trained("retrofit", text, {**ours, "lexicon": ties}, 3)
    found["retrofit/of vectors"] = calls.trained("retrofit", None, {**given, "lexicon": ties}, 3)
    return {f"{name}/sha256": calls.hash_of(each) for name, each in found.items()}


def sparse(folder):
    """Sparse vectors and dense ones of the same text."""
    text, rng = calls.text_from(_lists(), [0, 300]), default_rng(83)
    some = [calls.trained("ppmi", text, {}, 3), calls.trained("svd", text, {"dimension": 8}, 3)]
    drawn = [rng.choice(60, 4, replace=False) for _ in range(90)]
    rated = calls.pairs(*((f"w{a}", f"w{b}", _rated(a, b, rng)) for a, b, *_ in drawn))
    items = calls.analogies(*([f"w{k}" for k in row] for row in drawn))
    solvers = {"analogy.solver": ["3CosAdd", "3CosMul"]}
    found = calls.run(some, ["similarity", "ranking", "analogy"], [rated, items], settings=solvers)
    return {**calls.all_of(found), **_under("neighbours", calls.near(some[0], (1, 7, 40), 4))}


def texts(folder):
    """A text under every way to prepare it, and texts of the grammars."""
    marks, lines = (". ", "! ", ", ", "\n", "\n\n"), []
    for k, words in enumerate(_lists(120, seed=81)):
        words[0], words[1] = words[0].capitalize(), str(k % 13)
        lines.append(" ".join(words) + marks[k % len(marks)])
    path = folder / "text.txt"
    path.write_text("".join(lines), "utf-8")
    return {
        **_under("prepared", calls.prepared(path)),
        **_under("grammar", calls.sampled(400, 82)),
    }


def fingerprints(folder):
    return calls.fingerprints()


# Made languages, and what predicts what


def made_languages(folder):
    models = ["PPMI", "LBL", "CBOW"]
    settings = [("epochs", 3), ("dimension", 10)]
    return calls.reproduced(models=models, settings=settings, sentences=1_500, trials=3)


def own_grammar(folder):
    settings = [("epochs", 3), ("dimension", 10), ("neighbour.among", "target")]
    options = {"models": ["PPMI", "SKIP"], "settings": settings, "sentences": 1_500, "trials": 3}
    return calls.studied("multifacetedness", seed=7, **options)


def what_predicts(folder):
    lists = _lists(200, seed=90)
    text, ties = folder / "text.txt", folder / "ties.txt"
    text.write_text("\n".join(map(" ".join, lists)), "utf-8")
    ties.write_text("w0 w1\nw2 w6\nw4 w5\n", "utf-8")
    files = {}
    for seed, name in enumerate(("QVEC", "MEN", "SimLex", "Senti")):
        rng = default_rng([91, seed])
        drawn = [rng.choice(50, 2, replace=False) for _ in range(60)]
        rows = [(f"w{a}", f"w{b}", _rated(a, b, rng)) for a, b in drawn]
        files[name] = _written(folder / f"{name}.tsv", rows)
    options = {"dimensions": [4, 50], "runs": 2, "settings": [("epochs", 1)]}
    return calls.validated(folder, text, ties, files, **options)


def _rated(a, b, rng):
    return round(3.0 * (a % 4 == b % 4) + 2 * rng.random(), 1)


GROUPS = {
    each.__name__.replace("_", " "): each
    for each in (
        agreement, analogy, categorization, check, chunking, classification, dimensions, examples,
        fingerprints, generated, made_languages, metaphor, neighbours, own_grammar, policies,
        preference, qvec, qvec_script, ranking, sentiment, similarity, sparse, synonymy, texts,
        trainers, typing, ways, what_predicts,
    )
}  # fmt: skip


def computed(group, folder):
    """The numbers of a group, as they come out now; a task's begin with its name anyway."""
    found = GROUPS[group](Path(folder))
    return {k if k.startswith(f"{group}/") else f"{group}/{k}": v for k, v in found.items()}


def recorded(group):
    """The numbers of a group, as they came out once."""
    found = json.loads(FILE.read_text("utf-8"))
    return {key: value for key, value in found.items() if key.startswith(f"{group}/")}


def environment():
    """The processor and the versions that the last bits depend on."""
    from importlib.metadata import version

    from llvmlite.binding import get_host_cpu_name

    return {"processor": get_host_cpu_name(), **{name: version(name) for name in LIBRARIES}}


def main():
    """Record all numbers again."""
    found = {}
    for name in [name for name in os.environ if name.startswith("LEXISCOPE_")]:
        del os.environ[name]
    os.environ["LEXISCOPE_OFFLINE"] = "1"
    for group in GROUPS:
        with TemporaryDirectory() as folder:
            os.environ["LEXISCOPE_CACHE_DIR"] = f"{folder}/cache"
            found |= computed(group, folder)
    FILE.write_text(json.dumps(found, indent=0, sort_keys=True) + "\n", "utf-8")
    ENVIRONMENT.write_text(json.dumps(environment(), indent=2) + "\n", "utf-8")


if __name__ == "__main__":
    main()

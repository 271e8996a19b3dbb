import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import norm

import lexiscope
from lexiscope.bench import baseline
from lexiscope.bench.baseline import Row, answers_of
from lexiscope.bench.checking import Errand, check
from lexiscope.bench.plan import Plan, datasets_from, tasks_from
from lexiscope.bench.rules import rule
from lexiscope.bench.run import carry_out
from lexiscope.bench.saving import make
from lexiscope.bench.unpaired import unpaired
from lexiscope.core.embedding import embedding
from lexiscope.core.errors import BadData, BadUsage, LexiscopeError, UnknownName
from lexiscope.core.policy import Policy
from lexiscope.core.result import Result
from lexiscope.data.library import Library
from lexiscope.stats.many import holm
from lexiscope.store.store import Store
from lexiscope.tasks.similarity import Similarity

WORDS = [f"w{k}" for k in range(80)]
TRUE = np.random.default_rng(0).normal(size=(80, 6))
DROP = ["significant-drop"]


def noisy(name, noise, words=80, seed=1):
    """The true vectors of the first words, with noise of that size."""
    blurred = TRUE + noise * np.random.default_rng(seed).normal(size=TRUE.shape)
    return embedding(name, WORDS[:words], blurred[:words])


def cosine(one, other):
    return float(one @ other / np.linalg.norm(one) / np.linalg.norm(other))


OLD = noisy("old", 0.5)


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """Datasets of four kinds about the true vectors: what an embedding near them answers well."""
    rng = np.random.default_rng(7)
    pairs = [rng.choice(80, 2, replace=False) for _ in range(200)]
    alone = rng.permutation(80).reshape(40, 2)  # no word recurs
    for name, rows in (("pairs", pairs), ("alone", alone)):
        _write(
            f"{tmp_path}/{name}.tsv",
            [(WORDS[a], WORDS[b], f"{5 + 5 * cosine(TRUE[a], TRUE[b]):.3f}") for a, b in rows],
        )
    groups = np.argmax(TRUE[:, :4], axis=1)
    _write(f"{tmp_path}/groups.tsv", [(f"g{g}", w) for g, w in zip(groups, WORDS, strict=True)])
    _write(f"{tmp_path}/synonyms.tsv", [_question(rng, k) for k in range(80)])
    monkeypatch.chdir(tmp_path)
    return tmp_path


def _question(rng, query):
    options = rng.choice([k for k in range(80) if k != query], 4, replace=False)
    best = sorted(options, key=lambda k: -cosine(TRUE[query], TRUE[k]))
    return [WORDS[query], *(WORDS[k] for k in best)]


def _write(path, rows):
    Path(path).write_text("".join("\t".join(row) + "\n" for row in rows), "utf-8")


FILES = ("pairs.tsv", "alone.tsv", "groups.tsv", "synonyms.tsv")


def saved(*embeddings, files=("pairs.tsv",), tasks=()):
    """A baseline file."""
    made = make(embeddings, tasks, files, Errand(Library()))
    baseline.write(Path("b.json"), made.results.to_dict(), made.answers, made.sources)
    return json.loads(Path("b.json").read_text("utf-8"))


def checked(*embeddings, rules=DROP, name=None, **options):
    return check(
        embeddings, baseline.read(Path("b.json"), name), rules, Errand(Library()), **options
    )


def rewritten(document):
    Path("b.json").write_text(json.dumps(document), "utf-8")


def test_the_same_embedding_passes_with_no_difference_at_all():
    saved(OLD, files=FILES)

    found = checked(OLD)

    assert not found.failed
    assert len(found.questions) == 5
    assert {q.comparison.difference for q in found.questions} == {0.0}
    assert {q.comparison.p for q in found.questions} == {1.0}
    assert {q.verdict for q in found.questions} == {"not told apart"}


def test_a_truly_worse_embedding_fails():
    saved(OLD)

    found = checked(noisy("new", 2.0))

    (failed,) = [q for q in found.failed if q.task == "similarity"]
    assert failed.verdict == "really worse"
    assert failed.fails == ("significant-drop",)
    assert failed.comparison.difference < 0
    assert failed.comparison.p_holm < 0.05


def test_texts_that_no_store_keeps_are_checked_from_their_file(folder):
    rows = [f"{word} {WORDS[k - 1]},{'good' if TRUE[k, 0] > 0 else 'bad'}" for k, word in
            enumerate(WORDS)]  # fmt: skip
    (folder / "texts.csv").write_text("\n".join(["text,label", *rows]), "utf-8")
    saved(OLD, files=("texts.csv",))

    (same,), (other,) = (checked(each).questions for each in (OLD, noisy("new", 9.0)))

    assert (same.task, same.comparison.difference) == ("sentiment", 0.0)
    assert other.comparison.difference < 0
    assert other.comparison.p is not None


def test_a_better_one_passes():
    saved(OLD)

    found = checked(noisy("new", 0.1), rules=["significant-drop", "any-drop"])

    assert not found.failed
    assert found.questions[-1].verdict == "really better"


def test_noise_that_changes_nothing_much_is_not_told_apart_and_says_what_it_could_have_shown():
    saved(OLD, tasks=["similarity"])

    (found,) = checked(noisy("new", 0.5, seed=2)).questions

    assert found.verdict == "not told apart"
    assert found.comparison.detectable > abs(found.comparison.difference)


@pytest.mark.parametrize("words", [80, 60])
def test_differences_and_p_values_are_those_of_a_run_that_compares_both(words):
    saved(OLD, files=FILES)
    new = noisy("new", 0.9, words)

    found = checked(new)

    both = lexiscope.run([new, OLD], datasets=list(FILES))
    told = [q.comparison for q in found.questions if q.comparison.p is not None]
    # Clusters of other words are other clusters: a run asks both again, a baseline cannot.
    compared = [c for c in both.comparisons if words == 80 or c.task != "categorization"]
    assert len({c.test.split()[0] for c in told}) >= 2
    assert [replace(c, p_holm=None, p_bh=None, real=False) for c in told] == [
        replace(c, p_holm=None, p_bh=None, real=False) for c in compared
    ]
    assert [c.p_holm for c in told] == holm([c.p for c in told]).tolist()


def test_two_new_embeddings_are_corrected_together():
    saved(OLD, tasks=["similarity"])

    found = checked(noisy("one", 2.0), noisy("two", 0.5, seed=3))

    ps = [q.comparison.p for q in found.questions]
    assert [q.embedding for q in found.questions] == ["one", "two"]
    assert [q.comparison.p_holm for q in found.questions] == holm(ps).tolist()


@pytest.mark.parametrize(
    ("seed", "words", "rules", "fails"),
    [
        (2, 80, ["significant-drop"], ()),  # falls by 0.046, which may be chance
        (2, 80, ["any-drop"], ("any-drop",)),
        (2, 80, ["drop=0.05"], ()),
        (2, 80, ["drop=0.04", "any-drop"], ("drop=0.04", "any-drop")),
        (1, 60, ["significant-drop"], ()),
        (1, 60, ["significant-drop", "coverage-drop"], ("coverage-drop",)),
        (1, 79, ["coverage-drop"], ()),
    ],
)
def test_rules_decide_what_fails(seed, words, rules, fails):
    saved(OLD, tasks=["similarity"])

    (found,) = checked(noisy("new", 0.5, words, seed), rules=rules).questions

    assert found.fails == fails
    assert found.used <= found.used_before == 200


@pytest.mark.parametrize("text", ["drop", "drop=", "drop=x", "drop=nan", "drop=-1", "no", "drop=0"])
def test_a_rule_that_is_none_is_refused(text):
    with pytest.raises(BadUsage, match="--fail-on"):
        rule(text)


def test_an_embedding_that_can_no_longer_answer_fails():
    saved(OLD)

    found = checked(embedding("new", ["elsewhere", "other"], np.eye(2)))

    assert {q.verdict for q in found.questions} == {"not answered"}
    assert len(found.failed) == 2


def test_a_task_that_has_changed_is_not_compared(monkeypatch):
    saved(OLD)
    monkeypatch.setattr(Similarity, "version", 2)

    found = checked(noisy("new", 2.0))

    changed = found.questions[-1]
    assert (changed.verdict, changed.fails) == ("not comparable", ())
    assert "Make the baseline anew" in changed.reason
    assert found.questions[0].verdict != "not comparable"


def test_what_the_baseline_has_no_score_for_is_not_compared():
    document = saved(OLD)
    document["results"][0] |= {"value": None, "low": None, "high": None, "state": "no order"}
    rewritten(document)

    first = checked(OLD).questions[0]

    assert (first.verdict, first.fails) == ("not comparable", ())
    assert "no order" in first.reason


def test_what_the_task_no_longer_asks_is_not_compared(monkeypatch):
    saved(OLD)
    monkeypatch.setattr(Similarity, "suits", lambda *_: False)

    assert checked(OLD).questions[-1].verdict == "not comparable"


def test_a_task_that_breaks_on_the_new_embedding_fails(monkeypatch):
    saved(OLD)
    monkeypatch.setattr(Similarity, "answer", lambda *_: 1 / 0)

    broken = checked(noisy("new", 0.1)).questions[-1]

    assert (broken.verdict, broken.fails) == ("not answered", ("not answered",))
    assert "ZeroDivisionError" in broken.reason


def test_a_check_that_could_compare_nothing_fails(monkeypatch):
    saved(OLD, tasks=["similarity"])
    monkeypatch.setattr(Similarity, "version", 2)

    assert checked(OLD).questions[0].fails == ("nothing compared",)


def test_a_dataset_that_has_changed_is_refused_with_both_checksums(folder):
    document = saved(OLD)
    with (folder / "pairs.tsv").open("a") as file:
        file.write("w1\tw2\t3\n")

    with pytest.raises(BadData, match=document["results"][0]["dataset_fingerprint"]) as told:
        checked(OLD)

    (now,) = datasets_from(["pairs.tsv"], tasks_from(["similarity"], []), Library())
    assert now.fingerprint in str(told.value)


def test_a_file_whose_place_is_not_known_can_be_given(folder):
    document = saved(OLD)
    rewritten(document | {"sources": {}})
    (folder / "elsewhere").mkdir()
    (folder / "pairs.tsv").rename(folder / "elsewhere" / "pairs.tsv")

    assert not checked(OLD, datasets=["elsewhere/pairs.tsv"]).failed
    with pytest.raises(BadData, match="--dataset FILE"):
        checked(OLD)
    with pytest.raises(UnknownName, match="dataset in the baseline"):
        checked(OLD, datasets=["elsewhere/pairs.tsv", "more.tsv"])


def test_one_of_several_embeddings_is_chosen_by_name():
    saved(OLD, noisy("older", 1.5))

    assert not checked(OLD, name="old").failed
    assert checked(OLD, name="older").questions[-1].verdict == "really better"
    with pytest.raises(BadUsage, match="--embedding"):
        checked(OLD)
    with pytest.raises(UnknownName, match="'old'"):
        checked(OLD, name="odl")


def test_settings_seed_and_policy_are_the_baselines(folder):
    results = lexiscope.run(OLD, "categorization", "groups.tsv", seed=5, policy=Policy(limit=70),
                            settings={"categorization.repeats": [2, 3]})  # fmt: skip
    rewritten(results.to_dict() | {"sources": {"groups": "groups.tsv"}})

    found = checked(OLD)

    assert [q.task for q in found.questions] == [
        "categorization (repeats=2)", "categorization (repeats=3)"
    ]  # fmt: skip
    assert [q.now for q in found.questions] == [q.before for q in found.questions]
    assert [q.used for q in found.questions] == [70, 70]


def test_items_are_kept_as_ranges():
    with Store() as store:
        chosen = tasks_from(["similarity"], [])
        items = datasets_from(["alone.tsv"], chosen, Library())
        lacking = embedding("lacking", [w for w in WORDS if w != items[0].left[3]], TRUE[1:])
        plan = Plan((OLD, lacking), chosen, items, (Policy(), Policy(case="exact")), 0)
        whole, part = answers_of(store, carry_out(plan, store).run)

    assert whole["items"] == "all"
    assert part["items"] == [[0, 2], [4, 39]]
    assert (len(whole["given"]), len(part["given"])) == (40, 39)
    assert list(part) == ["embedding", "task", "variant", "settings", "dataset",
                          "dataset_fingerprint", "items", "given"]  # fmt: skip


def test_a_store_keeps_the_answers_of_a_check(folder):
    saved(OLD)
    errand = Errand(Library(), "s.sqlite")

    first, second = (check([OLD], baseline.read(Path("b.json")), DROP, errand) for _ in range(2))

    assert first == second
    with Store("s.sqlite") as store:
        assert len(store.runs()) == 1


def score(kind, value, low, high, **more):
    blanks = dict.fromkeys(kind.__dataclass_fields__, "x") | {"level": 0.95, "used": 9, "total": 9}
    return kind(**(blanks | {"value": value, "low": low, "high": high} | more))


def test_without_answers_the_difference_comes_from_the_two_intervals():
    half = 0.05 * norm.ppf(0.975)  # a standard error of 0.05

    found = unpaired(
        score(Result, 0.5, 0.5 - half, 0.5 + half), score(Row, 0.7, 0.7 - half, 0.7 + half)
    )

    error = 0.05 * np.sqrt(2)
    assert found.difference == pytest.approx(-0.2)
    assert found.p == pytest.approx(2 * norm.sf(0.2 / error))
    assert found.low == pytest.approx(-0.2 - error * norm.ppf(0.975))
    assert found.high == pytest.approx(-0.2 + error * norm.ppf(0.975))
    assert found.detectable == pytest.approx((norm.ppf(0.975) + norm.ppf(0.8)) * error)


def test_a_lopsided_interval_counts_with_the_side_that_faces_the_other_score():
    found = unpaired(score(Result, 0.9, 0.8, 0.93), score(Row, 1.0, 0.96, 1.0))

    assert found.high == pytest.approx(-0.1 + np.hypot(0.03, 0.04))
    assert found.low == pytest.approx(-0.1 - 0.1)
    assert found.p == pytest.approx(2 * norm.sf(0.1 / (0.05 / norm.ppf(0.975))))


@pytest.mark.parametrize(
    ("now", "told"), [((0.5, None, None), "no interval"), ((0.5, 0.5, 0.5), "width")]
)
def test_scores_without_intervals_are_not_compared(now, told):
    found = unpaired(score(Result, *now), score(Row, 0.7, 0.7, 0.7))

    assert found.p is None
    assert told in found.state


def test_a_document_without_answers_is_tested_unpaired_and_less_sharply():
    document = saved(OLD, tasks=["similarity"])
    new = noisy("new", 1.0)
    (paired,) = checked(new).questions
    rewritten({key: value for key, value in document.items() if key != "answers"})

    (loose,) = checked(new).questions
    (same,) = checked(OLD).questions

    assert loose.comparison.difference == pytest.approx(paired.comparison.difference)
    assert loose.comparison.p > paired.comparison.p
    assert "unpaired" in loose.comparison.test
    assert (same.comparison.difference, same.comparison.p) == (0.0, 1.0)


def changed(document, path, value):
    """The document with one value in it changed."""
    here = document
    for key in path[:-1]:
        here = here[key]
    here[path[-1]] = value
    return document


ROW, ANSWERS = ("results", 0), ("answers", 0)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("results",), 3),
        (("results",), []),
        (("manifest",), None),
        (("manifest", "seed"), -1),
        (("manifest", "seed"), 10**400),
        (("manifest", "policy", "case"), "upper"),
        (("manifest", "policy", "limit"), 0),
        (("manifest", "policy", "vocabulary"), "shared"),
        (("manifest", "embeddings"), []),
        ((*ROW, "value"), 1e300),
        ((*ROW, "value"), "0.5"),
        ((*ROW, "value"), 0.123),
        ((*ROW, "low"), 5.0),
        ((*ROW, "low"), None),
        ((*ROW, "used"), -1),
        ((*ROW, "used"), 10**12),
        ((*ROW, "total"), 10**11),
        ((*ROW, "level"), 7),
        ((*ROW, "settings"), {"a": {"b": 1}}),
        ((*ROW, "dataset"), "x" * 10_000),
        ((*ROW, "dataset"), "\0"),
        ((*ROW, "dataset"), "google-analogies"),
        ((*ROW, "dataset"), "glove-6b-50d"),
        (("sources", "pairs"), "/dev/zero"),
        (("sources", "pairs"), "\0"),
        ((*ANSWERS, "items"), [[0, 10**11]]),
        ((*ANSWERS, "items"), [[0, 99], [50, 149]]),
        ((*ANSWERS, "items"), [[100, 199], [0, 99]]),
        ((*ANSWERS, "items"), [[1, 200]]),
        ((*ANSWERS, "items"), [[199, 0]]),
        ((*ANSWERS, "items"), "some"),
        ((*ANSWERS, "given"), []),
        ((*ANSWERS, "given"), [0.5] * 200),
        ((*ANSWERS, "given"), ["x" * 10_000] * 200),
        ((*ANSWERS, "given", 3), "word"),
        ((*ANSWERS, "given", 3), None),
        ((*ANSWERS, "given", 3), 1e200),
        ((*ANSWERS, "given", 3), 10**400),
        ((*ANSWERS, "given", 3), [1]),
    ],
)
def test_a_spoilt_baseline_gets_a_sentence(path, value):
    rewritten(changed(saved(OLD, tasks=["similarity"]), path, value))

    with pytest.raises(LexiscopeError) as told:
        checked(OLD)

    assert told.value.exit_code == 3
    assert len(str(told.value)) < 11_000


@pytest.mark.parametrize(
    "answer", ["a b", "-1 2", "999999999", "1 2 3", "99999999999999999999", "٣"]
)
def test_spoilt_clusters_get_a_sentence(answer):
    document = saved(OLD, files=["groups.tsv"])
    rewritten(changed(document, (*ANSWERS, "given", 0), answer))

    with pytest.raises(BadData, match="do not give the score"):
        checked(OLD)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "null",
        "{}",
        "[" * 100_000,
        '{"results": NaN}',
        "1" * 5000,
        "{",
        "\ufeff{}",
        "\xff",
    ],
)
def test_what_is_not_a_baseline_gets_a_sentence(text):
    Path("b.json").write_text(text, "latin-1" if text == "\xff" else "utf-8")

    with pytest.raises(BadData, match="--save FILE"):
        checked(OLD)


def test_a_key_that_an_older_document_lacks_is_named():
    document = saved(OLD)
    del document["results"][0]["variant"]
    rewritten(document)

    with pytest.raises(BadData, match="missing required field `variant`"):
        checked(OLD)


@pytest.mark.parametrize("key", ["results", "answers"])
def test_a_question_that_stands_twice_is_refused(key):
    document = saved(OLD)
    rewritten(document | {key: document[key] * 2})

    with pytest.raises(BadData, match="twice"):
        checked(OLD)


def test_a_setting_or_task_that_is_no_more_is_not_compared():
    document = saved(OLD)
    document["results"][0]["settings"] = {"gone": 1}
    document["results"][1]["task"] = "gone"
    rewritten(document)

    assert {q.verdict for q in checked(OLD).questions} == {"not comparable"}

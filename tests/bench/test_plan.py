from pathlib import Path

import numpy as np
import pytest

import lexiscope
from lexiscope.bench.plan import Plan, check, datasets_from, task_names, tasks_from, words_of
from lexiscope.bench.sources import Reading, embeddings_from
from lexiscope.core.datasets import Analogies, WordPairs
from lexiscope.core.embedding import embedding
from lexiscope.core.errors import BadData, BadUsage, LexiscopeError, NotAtHand, UnknownName
from lexiscope.core.policy import Policy
from lexiscope.core.texts import Texts
from lexiscope.data.library import Library
from lexiscope.tasks.analogy import Analogy
from lexiscope.tasks.similarity import Similarity
from tests.making import seeded, word_pairs

PETS = embedding("pets", ("cat", "dog"), [[1.0, 0.0], [0.0, 1.0]])
PAIRS = word_pairs(("cat", "dog", 1), ("Tea", "cup", 2))


def written(path, name="pets.vec"):
    (path / name).parent.mkdir(exist_ok=True)
    (path / name).write_text("cat 1 0\ndog 0 1\ncow 1 1\n")
    return str(path / name)


def test_all_tasks_are_chosen_when_none_is_named():
    assert [name for name, _ in tasks_from(None, [])] == task_names()


def test_settings_in_text_become_what_the_field_holds():
    settings = [("analogy", "epsilon", "0.001"), ("analogy", "solver", "3CosMul")]

    assert tasks_from(["analogy"], settings) == (("analogy", Analogy("3CosMul", 0.001)),)


def test_several_values_make_several_tasks_in_every_combination():
    settings = [
        ("analogy", "solver", "3CosAdd"),
        ("analogy", "solver", "3CosMul"),
        ("analogy", "epsilon", 0.1),
        ("analogy", "epsilon", 0.2),
    ]

    made = [task for _, task in tasks_from(["similarity", "analogy"], settings)]

    assert made == [
        Similarity(),
        Analogy("3CosAdd", 0.1),
        Analogy("3CosAdd", 0.2),
        Analogy("3CosMul", 0.1),
        Analogy("3CosMul", 0.2),
    ]


def test_the_same_value_twice_makes_one_task():
    assert len(tasks_from(["analogy", "analogy"], [("analogy", "epsilon", "0.1")] * 2)) == 1


@pytest.mark.parametrize(
    ("wanted", "settings", "sentence"),
    [
        (["similarty"], [], "No task named 'similarty'. Did you mean 'similarity'?"),
        (["analogy"], [("analgy", "solver", "x")], "Did you mean 'analogy'?"),
        (["analogy"], [("similarity", "x", "1")], "No task in this run named 'similarity'"),
        (
            ["analogy"],
            [("analogy", "solvr", "x")],
            "No setting of analogy named 'solvr'. Did you mean",
        ),
    ],
)
def test_unknown_names_are_answered_with_what_was_meant(wanted, settings, sentence):
    with pytest.raises(UnknownName) as caught:
        tasks_from(wanted, settings)
    assert sentence in str(caught.value)


@pytest.mark.parametrize(
    ("field", "value"), [("epsilon", "much"), ("solver", "3CosSub"), ("epsilon", "-1")]
)
def test_a_value_that_does_not_fit_is_refused_by_name(field, value):
    with pytest.raises(BadUsage, match=rf"analogy\.{field}"):
        tasks_from(["analogy"], [("analogy", field, value)])


def datasets(*wanted, tasks=("similarity", "analogy")):
    return datasets_from(list(wanted), tasks_from(tasks, []), Library())


def test_datasets_may_be_objects_or_files_whose_content_tells_their_kind(tmp_path):
    (tmp_path / "mine.tsv").write_text("cat\tdog\t9\nsun\tmoon\t7\ncup\ttea\t1\n")
    (tmp_path / "asked.txt").write_text(": family\nman woman king queen\nking queen man woman\n")

    found = datasets(PAIRS, tmp_path / "mine.tsv", str(tmp_path / "asked.txt"))

    assert [(type(d), d.name) for d in found] == [
        (WordPairs, "pairs"), (WordPairs, "mine"), (Analogies, "asked"),
    ]  # fmt: skip


def test_the_same_dataset_twice_is_asked_once():
    assert datasets(PAIRS, PAIRS) == (PAIRS,)


def test_different_datasets_of_one_name_get_names_of_their_own():
    others = [word_pairs(("cat", "dog", rating)) for rating in (1, 2)]

    assert [d.name for d in datasets(PAIRS, *others)] == ["pairs", "pairs-2", "pairs-3"]


def test_an_unknown_dataset_suggests_a_known_one():
    with pytest.raises(UnknownName, match="Did you mean 'simlex999'"):
        datasets("simlex99")


def test_a_known_dataset_that_was_not_fetched_says_how_to_get_it():
    with pytest.raises(NotAtHand, match="lexiscope data get men"):
        datasets("men")
    with pytest.raises(NotAtHand, match="No dataset for these tasks is at hand"):
        datasets()


def test_a_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(BadData, match=r"nothing\.tsv"):
        datasets(tmp_path / "nothing.tsv")


def names(sources, **options):
    return [e.name for e in embeddings_from(sources, (), **options)]


def test_one_source_needs_no_list(tmp_path):
    path = written(tmp_path)

    assert names(path) == names(Path(path)) == names([path]) == names((path,)) == ["pets"]
    assert names(PETS) == ["pets"]


def test_a_dict_names_its_sources(tmp_path):
    found = embeddings_from({"a": written(tmp_path), "b": PETS, "c": PETS.centred()}, ())

    assert [e.name for e in found] == ["a", "b", "c"]
    assert [len(e) for e in found] == [3, 2, 2]


def test_a_dict_of_vectors_is_one_embedding():
    found = embeddings_from({"cat": np.array([1.0, 0]), "dog": [0.0, 1.0]}, ())

    assert [list(e.words) for e in found] == [["cat", "dog"]]


def test_a_pair_of_words_and_matrix_is_one_embedding():
    pair = (["cat", "dog"], np.eye(2))

    assert [list(e.words) for e in embeddings_from(pair, ())] == [["cat", "dog"]]
    assert [len(e) for e in embeddings_from([pair, PETS], ())] == [2, 2]
    assert names({"mine": pair}) == ["mine"]


def test_a_tuple_of_two_sources_is_two_embeddings(tmp_path):
    assert names((written(tmp_path), PETS)) == ["pets", "pets-2"]
    assert names((PETS, PETS.centred())) == ["pets", "pets-2"]


def test_files_of_one_name_are_told_apart_by_their_folders(tmp_path):
    paths = [written(tmp_path, f"{folder}/pets.vec") for folder in ("one", "two", "three")]

    assert names(paths) == ["pets", "two/pets", "three/pets"]
    assert names([Path(path) for path in paths]) == ["pets", "two/pets", "three/pets"]


def test_files_without_a_folder_are_told_apart_by_a_number(tmp_path, monkeypatch):
    written(tmp_path)
    monkeypatch.chdir(tmp_path)

    assert names(["pets.vec", "pets.vec"]) == ["pets", "pets-2"]


def test_first_and_centred_stand_after_an_at(tmp_path):
    path = written(tmp_path)

    short, centred = embeddings_from([f"{path}@first=2", f"{path}@centred"], ())

    assert (short.name, len(short)) == ("pets@first=2", 2)
    assert centred.name == "pets@centred"
    assert centred.vectors.mean(axis=0) == pytest.approx(0, abs=1e-7)
    assert names({"mine": f"{path}@first=1"}) == ["mine"]


@pytest.mark.parametrize("change", ["frist=2", "first=two", "first", "centred=1", "first=²"])
def test_an_unknown_change_is_refused(tmp_path, change):
    with pytest.raises(LexiscopeError, match="After @ stands centred or first=NUMBER"):
        names(f"{written(tmp_path)}@{change}")


def test_a_file_with_an_at_in_its_name_is_a_file(tmp_path):
    assert names(written(tmp_path, "me@home.vec")) == ["me@home"]


def test_a_limit_reads_the_first_words_only(tmp_path):
    assert [len(e) for e in embeddings_from([written(tmp_path), PETS], (), Reading(1))] == [1, 1]


class Lengths:
    """An encoder: the vector of a word is its length and one."""

    def encode(self, words):
        self.asked = list(words)
        return np.array([[len(word), 1.0] for word in words])


def test_an_encoder_is_asked_for_the_words_of_the_datasets():
    encoder = Lengths()

    (found,) = embeddings_from(encoder, words_of((PAIRS,), Policy()))

    assert encoder.asked == ["cat", "cup", "dog", "tea"]
    assert found["tea"].tolist() == [3, 1]
    assert found.name == "lengths"
    assert "few candidates" in found.repairs[0]


def test_no_embedding_is_refused():
    with pytest.raises(BadUsage, match="At least one embedding is needed"):
        names([])


def plan(tasks, seed=0):
    return Plan((PETS,), tasks_from(tasks, []), (PAIRS,), (Policy(),), seed)


def test_a_plan_pairs_each_task_with_what_it_reads():
    assert [(name, d.name) for name, _, d in plan(None).pairs()] == [("similarity", "pairs")]


def test_a_plan_in_which_nothing_can_be_asked_is_refused():
    with pytest.raises(
        LexiscopeError, match=r"None of the chosen tasks has anything to ask.*analogy / pairs"
    ):
        check(plan(["analogy"]))


@pytest.mark.parametrize("seed", [-1, 1 << 63])
def test_a_seed_that_cannot_be_kept_is_refused(seed):
    with pytest.raises(BadUsage, match="A seed is a number from 0"):
        check(plan(["similarity"], seed))


OWN_FILES = {
    "toefl.qst": ("1.\tbig\na.\tlarge\nb.\tgreen\nc.\tearly\nd.\twet\n", "questions"),
    "pairs.csv": ("cat,dog,9\ncat,cow,5\ndog,tea,1\n", "pairs"),
    "sections.csv": ("section,a,b,c,d\nfamily,man,woman,king,queen\n", "analogies"),
    "questions.txt": (": family\nman woman king queen\n", "analogies"),
    "synonyms.csv": ("big,large,green,early,wet\nglad,happy,flat,cold,loud\n", "questions"),
    "groups.csv": ("word,category\ncat,animal\ntea,drink\n", "categories"),
    "types.csv": ("word,types\ncat,animal|pet\ntea,drink\n", "entities"),
    "dobj.tsv": ("eat\tapple\t9\neat\tsong\t1\n", "preferences"),
}


@pytest.mark.parametrize("name", OWN_FILES)
def test_a_file_of_ones_own_is_taken_for_what_it_is(tmp_path, name):
    content, kind = OWN_FILES[name]
    (tmp_path / name).write_text(content)
    (tmp_path / "toefl.ans").write_text("1 a\n")

    (dataset,) = datasets_from([tmp_path / name], tasks_from(None, []), Library())

    assert dataset.kind == kind


def test_a_column_may_hold_the_sections_of_analogies(tmp_path):
    path = tmp_path / "mine.csv"
    path.write_text("a,b,c,d,relation\nman,woman,king,queen,family\ncat,cats,dog,dogs,plural\n")

    (questions,) = datasets_from([path], tasks_from(["analogy"], []), Library())

    assert questions.section.tolist() == ["family", "plural"]
    assert questions.answer.tolist() == ["queen", "dogs"]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"policy": "shared"}, "policy is a lexiscope.Policy, found str"),
        ({"seed": "x"}, "seed is a whole number, found str"),
        ({"datasets": []}, "datasets is an empty list"),
    ],
)
def test_arguments_of_the_wrong_kind_are_named(arguments, sentence):
    with pytest.raises(BadUsage, match=sentence):
        lexiscope.run(PETS, "similarity", **{"datasets": PAIRS, **arguments})


def test_texts_without_lessons_are_for_another_task_which_is_named():
    with pytest.raises(BadUsage, match=r"classification / example-texts\. sentiment can ask exam"):
        lexiscope.run(seeded("e", ["cat"]), "classification", [Texts.example()])

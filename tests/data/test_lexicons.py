import gzip
import tracemalloc
from itertools import combinations

import pytest

from lexiscope.core.errors import BadData, NotDownloaded, TooLarge, UnknownName
from lexiscope.data import lexicons
from lexiscope.data.lexicons import read
from lexiscope.data.local_data import LocalData
from tests.data.local_files import fetched, shared
from tests.data.tiny_wordnet import ANIMALS, wordnet


def _read(path, content):
    path.write_bytes(content)
    return read(path, LocalData())


def test_a_line_has_a_word_and_its_neighbours(tmp_path):
    lexicon = _read(tmp_path / "mine.txt", b"woods forest  timber\n\nforest\twoods\r\nalone\n")

    assert lexicon.name == "mine"
    assert dict(lexicon.edges) == {
        "forest": ("woods",),
        "timber": ("woods",),
        "woods": ("forest", "timber"),
    }


def test_lines_of_the_same_word_are_merged_without_self_loops(tmp_path):
    lexicon = _read(tmp_path / "mine", b"spray splash\nspray Drip spray\n")

    assert lexicon.edges["spray"] == ("drip", "splash")


def test_pairs_are_undirected_edges_without_language_prefixes(tmp_path):
    lexicon = _read(tmp_path / "pairs.txt", b"en_mediaeval en_medieval\nen_muslim en_muslims\n")

    assert lexicon.edges["medieval"] == ("mediaeval",)
    assert lexicon.edges["muslim"] == ("muslims",)


def test_language_prefixes_of_several_languages_are_kept(tmp_path):
    lexicon = _read(tmp_path / "pairs.txt", b"en_wood de_holz\n")

    assert dict(lexicon.edges) == {"de_holz": ("en_wood",), "en_wood": ("de_holz",)}


def test_other_kinds_of_space_are_part_of_a_word(tmp_path):
    lexicon = _read(tmp_path / "mine", "ten\xa0thousand many\n".encode())

    assert lexicon.edges["many"] == ("ten\xa0thousand",)


def test_gzip_does_not_change_the_corpus(tmp_path):
    plain = _read(tmp_path / "plain", b"a b c\n")

    assert _read(tmp_path / "packed.gz", gzip.compress(b"a b c\n")).edges == plain.edges


def test_the_order_in_the_file_does_not_matter(tmp_path):
    first = _read(tmp_path / "first", b"b a\nc a\n")
    second = _read(tmp_path / "second", b"a c b\n")

    assert list(first.edges.items()) == list(second.edges.items())
    assert first.fingerprint == second.fingerprint


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"a b\nc d\n\xff\xfe e\n", r"bad:3: is not UTF-8"),
        (b"alone\n", r"bad: has no edges"),
        (b"", r"bad: has no edges"),
        (gzip.compress(b"a b\n", mtime=0)[:-6], r"bad: the compressed data is broken or truncated"),
    ],
)
def test_a_corrupt_file_is_reported(tmp_path, content, said):
    with pytest.raises(BadData, match=said):
        _read(tmp_path / "bad", content)


def test_a_byte_order_mark_is_not_part_of_the_first_word(tmp_path):
    lexicon = _read(tmp_path / "mine", "\ufeffwoods forest\n".encode())

    assert dict(lexicon.edges) == {"forest": ("woods",), "woods": ("forest",)}


def test_words_with_self_loops_only_have_no_edges(tmp_path):
    with pytest.raises(BadData, match="has no edges"):
        _read(tmp_path / "mine", b"a a\nb b\n")


def test_repeated_edges_are_counted_once(tmp_path):
    packed = gzip.compress(b"a b\n" * 50_000)

    tracemalloc.start()
    lexicon = _read(tmp_path / "bomb.gz", packed)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()

    assert dict(lexicon.edges) == {"a": ("b",), "b": ("a",)}
    assert peak < 2_000_000


def test_a_decompression_bomb_is_refused(tmp_path):
    lines = (b"a b" + b" " * 1020 + b"\n") * (1 << 14)

    with pytest.raises(TooLarge, match="compressed bytes"):
        _read(tmp_path / "bomb.gz", gzip.compress(lines + b"a b\n"))


def test_too_many_edges_are_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(lexicons, "_MOST_EDGES", 3)

    assert len(_read(tmp_path / "three", b"a b c d\nb a\n")) == 4
    with pytest.raises(TooLarge, match=r"four: more than 3 edges\. Keep those"):
        _read(tmp_path / "four", b"a b c d\nb c\n")


def test_an_endless_line_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(lexicons, "_LONGEST_LINE", 10)

    with pytest.raises(TooLarge, match="a line of more than 10 bytes"):
        _read(tmp_path / "long", b"a b\nwoods forest\n")


def test_an_impossible_file_name_is_reported():
    with pytest.raises(UnknownName, match="No lexicon or file named 'xxx"):
        read("x" * 300, LocalData())


def test_a_file_with_too_much_content_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(lexicons, "_LARGEST", 1000)

    with pytest.raises(TooLarge, match="more than 1,000 bytes"):
        _read(tmp_path / "bomb.gz", gzip.compress(b"a b\n" * 1000))


@pytest.mark.parametrize("name", ["wordnt", "missing.txt"])
def test_an_unknown_name_lists_the_known_ones(name):
    with pytest.raises(
        UnknownName, match=r"Available: framenet-lexicon, ppdb-xl, wordnet, wordnet\+"
    ):
        read(name, LocalData())


@pytest.mark.parametrize("name", ["wordnet-3.0", "ppdb-xl"])
def test_the_error_for_a_missing_download_says_how_to_get_it(name):
    with pytest.raises(NotDownloaded, match=f"lexiscope data get {name}"):
        read(name, LocalData())


@pytest.fixture
def animals(tmp_path, monkeypatch):
    """Replaces the available WordNet with the tiny one."""
    found = wordnet(tmp_path / "animals", ANIMALS)
    monkeypatch.setattr(lexicons, "find", lambda local_data: found)


@pytest.mark.usefixtures("animals")
def test_synonyms_of_wordnet_have_edges():
    lexicon = read("wordnet", LocalData())

    assert lexicon.name == "wordnet"
    assert dict(lexicon.edges) == {
        "animal": ("beast",),
        "beast": ("animal",),
        "big": ("large",),
        "dog": ("follow",),
        "follow": ("dog",),
        "large": ("big",),
    }


@pytest.mark.usefixtures("animals")
def test_a_plus_adds_direct_hypernyms_and_hyponyms():
    lexicon = read("wordnet+", LocalData())

    assert lexicon.name == "wordnet+"
    assert lexicon.edges["animal"] == ("beast", "cat", "dog", "entity")
    assert lexicon.edges["dog"] == ("animal", "beast", "follow")
    assert "rex" not in lexicon.edges  # an instance is not a hyponym


@pytest.fixture(scope="module")
def older():
    return fetched("wordnet-3.0")


def _synonyms(places):
    """Pairs of single words that share a line of WordNet's data files."""
    pairs = set()
    for place in places:
        lines = place.read_text("utf-8").splitlines() if place.name.startswith("data.") else []
        for fields in (line.split() for line in lines if line[:2] != "  "):
            words = fields[4 : 4 + 2 * int(fields[3], 16) : 2]
            single = {word.split("(")[0].lower() for word in words if "_" not in word}
            pairs |= {frozenset(pair) for pair in combinations(single, 2)}
    return pairs


def test_synonyms_of_the_real_wordnet_are_those_of_its_files(older):
    lexicon = read("wordnet-3.0", older)

    assert lexicon.name == "wordnet-3.0"
    assert len(lexicon) == 49_065
    assert {frozenset((word, tied)) for word, found in lexicon.edges.items() for tied in found} == (
        _synonyms(older.paths("wordnet-3.0"))
    )


def test_a_plus_gives_the_real_wordnet_three_times_the_edges(real_wordnet, monkeypatch):
    monkeypatch.setattr(lexicons, "find", lambda local_data: real_wordnet)

    plain, plus = read("wordnet", LocalData()), read("wordnet+", LocalData())

    assert (plain.name, plus.name) == ("wordnet-3.1", "wordnet-3.1+")
    assert [len(plain), len(plus)] == [49_196, 65_683]
    assert [sum(map(len, lexicon.edges.values())) for lexicon in (plain, plus)] == [
        153_394,
        462_192,
    ]


# Table 1 of Faruqui et al. 2015 has 102,902 words and 374,555 edges, 10,822 and 417,456: it counts
# lines, and edges from both ends. Here the lines of a word are merged, and edges are undirected.
@pytest.mark.parametrize(
    ("name", "words", "ties"),
    [("ppdb-xl", 102_902, 374_556), ("framenet-lexicon", 7_838, 416_782)],
)
def test_the_shared_lexicons_are_found_and_read(name, words, ties):
    lexicon = read(name, LocalData(shared()))

    assert (lexicon.name, len(lexicon)) == (name, words)
    assert sum(map(len, lexicon.edges.values())) == ties

"""Files made by the library: kept, checked, and made again when they are damaged."""

import gzip
import hashlib
from types import MappingProxyType

import pytest

from lexiscope.core.errors import BadData, NotAtHand
from lexiscope.data import catalogue as module
from lexiscope.data import fetching, library, making
from lexiscope.data.catalogue import Entry, File, Fillers, Origin, catalogue
from lexiscope.data.datasets import read
from lexiscope.data.fetching import fetch
from lexiscope.data.library import Library, sha256_of
from lexiscope.data.wordnet import _finding, load
from tests.data.at_hand import CACHE, fetched, shared
from tests.data.tiny_wordnet import S, write

SYNSETS = (
    S("car", "noun.artifact", "n", "car=4 auto=5"),
    *(S(word, "noun.food", "n", f"{word}=6") for word in ("bread", "honey", "sugar")),
    S("eat", "verb.consumption", "v", "eat=9"),
)


def _file(name, content, **more):
    return File(name, hashlib.sha256(content).hexdigest(), len(content), **more)


def _entry(name, kind, *origins, **more):
    return Entry(name, kind, name, 1, "en", "CC0", "@misc{toy}", origins, **more)


@pytest.fixture
def shelf(tmp_path, monkeypatch):
    """A library whose user's folder holds a WordNet, a corpus and ratings, and its catalogue."""
    mine = write(tmp_path / "mine", SYNSETS)
    content = making.dataset("synonyms", load(mine))
    corpus = gzip.compress(b"They eat bread .\n" * 3 + b"honey\n" * 3, mtime=0)
    ratings = b"eat\tbread\t9\neat\thoney\t8\nsing\thoney\t1\n"
    (mine / "corpus.gz").write_bytes(corpus)
    (mine / "ratings-dobj.tsv").write_bytes(ratings)
    names = [f"{what}.{part}" for what in ("data", "index") for part in ("noun", "verb", "adj",
             "adv")] + ["index.sense"]  # fmt: skip
    words = tuple(_file(name, (mine / name).read_bytes(), url="https://x") for name in names)
    table = making.fillers_of(mine / "ratings-dobj.tsv", "r", [mine / "corpus.gz"], load(mine))
    entries = [
        _entry("words", "wordnet", Origin("url", words)),
        _entry("corpus", "corpus", Origin("url", (_file("c.gz", corpus, url="https://x"),))),
        _entry(
            "made",
            "questions",
            Origin("made", (_file("m.tsv", content),), made_from="words", maker="synonyms"),
        ),
        _entry(
            "rated-dobj",
            "preferences",
            Origin("url", (_file("r.tsv", ratings, url="https://x"),)),
            fillers=Fillers("corpus", "words", hashlib.sha256(table).hexdigest()),
        ),
    ]
    known = MappingProxyType({entry.name: entry for entry in entries})
    for place in (module, fetching, library, _finding):
        monkeypatch.setattr(place, "catalogue", lambda: known)
    monkeypatch.setenv("LEXISCOPE_CACHE_DIR", str(tmp_path / "cache"))
    return Library(mine), known


def test_a_made_set_is_made_when_it_is_asked_for(shelf):
    books, known = shelf
    place = books.cache / "made" / "m.tsv"
    assert books.has(known["made"])
    assert not place.exists()

    assert books.files("made") == [place]

    assert sha256_of(place) == known["made"].sources[0].files[0].sha256
    assert [state.good for state in books.verify(known["made"])] == [True]
    assert len(read("questions", place, "made")) == 1


def test_a_made_set_is_not_made_twice(shelf):
    books, _ = shelf
    (place,) = books.files("made")
    before = place.stat().st_mtime_ns

    books.files("made")

    assert place.stat().st_mtime_ns == before


def test_a_damaged_made_file_is_made_again(shelf):
    books, known = shelf
    (place,) = books.files("made")
    place.write_bytes(b"x" * place.stat().st_size)
    assert [state.good for state in books.verify(known["made"])] == [False]

    assert fetch(books, known["made"]) == [place]
    assert [state.good for state in books.verify(known["made"])] == [True]


def test_what_is_made_differently_is_refused_and_not_kept(shelf, monkeypatch):
    books, _ = shelf
    monkeypatch.setattr(making, "dataset", lambda maker, wordnet: b"drifted")

    with pytest.raises(BadData, match="not what the catalogue describes"):
        books.files("made")

    assert not (books.cache / "made").exists()


@pytest.mark.usefixtures("shelf")
def test_without_its_source_a_made_set_is_not_at_hand(tmp_path):
    (tmp_path / "empty").mkdir()
    books = Library(tmp_path / "empty")

    assert not books.has(library.catalogue()["made"])
    with pytest.raises(NotAtHand, match="lexiscope data get made"):
        books.files("made")


def test_fillers_are_made_from_the_corpus_and_kept(shelf):
    books, known = shelf

    place = books.fillers("rated-dobj")

    assert place == books.cache / "rated-dobj" / "fillers.tsv"
    assert place.read_text().splitlines()[0] == "head\tslot\tfiller\tweight"
    items = read("preferences", books.files("rated-dobj")[0], "rated-dobj", fillers=place)
    assert items.fillers.tolist() == [("bread",), ("bread",), ()]
    assert [state.good for state in books.verify(known["rated-dobj"])] == [True]


def test_a_preference_set_is_at_hand_only_with_what_its_fillers_need(shelf):
    books, known = shelf
    assert books.has(known["rated-dobj"])

    assert books.folder is not None
    (books.folder / "corpus.gz").unlink()

    assert not Library(books.folder).has(known["rated-dobj"])


def test_getting_a_preference_set_makes_its_fillers(shelf):
    books, known = shelf

    fetch(books, known["rated-dobj"])

    assert (books.cache / "rated-dobj" / "fillers.tsv").is_file()


def test_a_set_without_slots_has_no_fillers(shelf):
    books, _ = shelf

    with pytest.raises(BadData, match="has no slots"):
        books.fillers("made")


@pytest.fixture
def _the_users_own_cache(monkeypatch):
    monkeypatch.delenv("LEXISCOPE_OFFLINE", raising=False)
    monkeypatch.delenv("LEXISCOPE_CACHE_DIR", raising=False)
    if CACHE:
        monkeypatch.setenv("LEXISCOPE_CACHE_DIR", CACHE)


@pytest.mark.usefixtures("_the_users_own_cache")
@pytest.mark.parametrize("name", ["wordnet-synonyms", "wordnet-categories", "wordnet-types"])
def test_the_real_sets_are_made_as_the_catalogue_says(name):
    entry = catalogue()[name]
    (place,) = fetched(name).files(name)

    assert len(read(entry.kind, place, name)) == entry.rows


@pytest.mark.parametrize("name", ["wordnet-synonyms", "wordnet-categories", "wordnet-types"])
def test_the_makers_give_the_bytes_of_the_catalogue(name, real_wordnet):
    (origin,) = catalogue()[name].sources

    content = making.dataset(origin.maker, real_wordnet)

    assert hashlib.sha256(content).hexdigest() == origin.files[0].sha256


@pytest.mark.parametrize(
    "name",
    [
        "ap",
        "battig",
        "bless",
        "esslli2008-nouns",
        "esslli2008-verbs",
        "keller-amod",
        "keller-dobj",
        "sp10k-amod",
        "sp10k-dobj",
        "sp10k-nsubj",
    ],
)
def test_the_shared_copies_are_found_and_have_their_rows(name):
    entry = catalogue()[name]
    (place,) = Library(shared()).files(name)

    assert len(read(entry.kind, place, name)) == entry.rows


@pytest.mark.usefixtures("_the_users_own_cache")
def test_fillers_of_a_real_set_are_those_of_the_catalogue(real_wordnet):
    corpus = fetched("wikitext-2").files("wikitext-2")
    (place,) = Library(shared()).files("keller-dobj")
    wanted = catalogue()["keller-dobj"].fillers

    content = making.fillers_of(place, "keller-dobj", corpus, real_wordnet)

    assert wanted is not None
    assert hashlib.sha256(content).hexdigest() == wanted.sha256

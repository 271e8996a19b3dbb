"""Derived files: cached, verified, and derived again when they are damaged."""

import gzip
import hashlib
from types import MappingProxyType

import pytest

from lexiscope.core.errors import BadData, NotDownloaded
from lexiscope.data import catalogue as module
from lexiscope.data import derived, download, local_data, thesaurus
from lexiscope.data.catalogue import Entry, File, Fillers, Origin, catalogue
from lexiscope.data.datasets import read
from lexiscope.data.download import fetch
from lexiscope.data.local_data import LocalData, sha256_of
from lexiscope.data.wordnet import _sources, load
from tests.data.local_files import CACHE, fetched, shared
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
    """Local data whose folder contains a WordNet, a corpus and ratings, and its catalogue."""
    mine = write(tmp_path / "mine", SYNSETS)
    content = derived.dataset("synonyms", load(mine))
    corpus = gzip.compress(b"They eat bread .\n" * 3 + b"honey\n" * 3, mtime=0)
    ratings = b"eat\tbread\t9\neat\thoney\t8\nsing\thoney\t1\n"
    (mine / "corpus.gz").write_bytes(corpus)
    (mine / "ratings-dobj.tsv").write_bytes(ratings)
    names = [f"{what}.{part}" for what in ("data", "index") for part in ("noun", "verb", "adj",
             "adv")] + ["index.sense"]  # fmt: skip
    words = tuple(_file(name, (mine / name).read_bytes(), url="https://x") for name in names)
    table = derived.fillers_table(mine / "ratings-dobj.tsv", "r", [mine / "corpus.gz"], load(mine))
    entries = [
        _entry("words", "wordnet", Origin("url", words)),
        _entry("corpus", "corpus", Origin("url", (_file("c.gz", corpus, url="https://x"),))),
        _entry(
            "made",
            "synonym questions",
            Origin("derived", (_file("m.tsv", content),), derived_from="words", recipe="synonyms"),
        ),
        _entry(
            "rated-dobj",
            "preferences",
            Origin("url", (_file("r.tsv", ratings, url="https://x"),)),
            fillers=Fillers("corpus", "words", hashlib.sha256(table).hexdigest()),
        ),
    ]
    known = MappingProxyType({entry.name: entry for entry in entries})
    for place in (module, download, local_data, _sources):
        monkeypatch.setattr(place, "catalogue", lambda: known)
    monkeypatch.setenv("LEXISCOPE_CACHE_DIR", str(tmp_path / "cache"))
    return LocalData(mine), known


def test_a_derived_dataset_is_derived_on_first_use(shelf):
    books, known = shelf
    place = books.cache / "made" / "m.tsv"
    assert books.is_available(known["made"])
    assert not place.exists()

    assert books.paths("made") == [place]

    assert sha256_of(place) == known["made"].sources[0].files[0].sha256
    assert [state.valid for state in books.verify(known["made"])] == [True]
    assert len(read("synonym questions", place, "made")) == 1


def test_a_derived_dataset_is_derived_once(shelf):
    books, _ = shelf
    (place,) = books.paths("made")
    before = place.stat().st_mtime_ns

    books.paths("made")

    assert place.stat().st_mtime_ns == before


def test_a_damaged_derived_file_is_derived_again(shelf):
    books, known = shelf
    (place,) = books.paths("made")
    place.write_bytes(b"x" * place.stat().st_size)
    assert [state.valid for state in books.verify(known["made"])] == [False]

    assert fetch(books, known["made"]) == [place]
    assert [state.valid for state in books.verify(known["made"])] == [True]


def test_a_derived_file_with_a_wrong_checksum_is_refused_and_not_cached(shelf, monkeypatch):
    books, _ = shelf
    monkeypatch.setattr(derived, "dataset", lambda recipe, wordnet: b"drifted")

    with pytest.raises(BadData, match="not the one that the catalogue describes"):
        books.paths("made")

    assert not (books.cache / "made").exists()


@pytest.mark.usefixtures("shelf")
def test_without_its_source_a_derived_dataset_is_not_available(tmp_path):
    (tmp_path / "empty").mkdir()
    books = LocalData(tmp_path / "empty")

    assert not books.is_available(local_data.catalogue()["made"])
    with pytest.raises(NotDownloaded, match="lexiscope data get made"):
        books.paths("made")


def test_fillers_are_derived_from_the_corpus_and_cached(shelf):
    books, known = shelf

    place = books.fillers_path("rated-dobj")

    assert place == books.cache / "rated-dobj" / "fillers.tsv"
    assert place.read_text().splitlines()[0] == "head\tslot\tfiller\tweight"
    items = read("preferences", books.paths("rated-dobj")[0], "rated-dobj", fillers=place)
    assert items.fillers.tolist() == [("bread",), ("bread",), ()]
    assert [state.valid for state in books.verify(known["rated-dobj"])] == [True]


def test_a_preference_dataset_is_available_only_with_the_sources_of_its_fillers(shelf):
    books, known = shelf
    assert books.is_available(known["rated-dobj"])

    assert books.folder is not None
    (books.folder / "corpus.gz").unlink()

    assert not LocalData(books.folder).is_available(known["rated-dobj"])


def test_downloading_a_preference_dataset_derives_its_fillers(shelf):
    books, known = shelf

    fetch(books, known["rated-dobj"])

    assert (books.cache / "rated-dobj" / "fillers.tsv").is_file()


def test_a_dataset_without_slots_has_no_fillers(shelf):
    books, _ = shelf

    with pytest.raises(BadData, match="has no slots"):
        books.fillers_path("made")


@pytest.fixture
def _the_users_own_cache(monkeypatch):
    monkeypatch.delenv("LEXISCOPE_OFFLINE", raising=False)
    monkeypatch.delenv("LEXISCOPE_CACHE_DIR", raising=False)
    if CACHE:
        monkeypatch.setenv("LEXISCOPE_CACHE_DIR", CACHE)


DERIVED = [
    entry.name
    for entry in catalogue().values()
    if entry.sources[0].derived_from and not entry.sources[0].derived_from.endswith("-thesaurus")
]


def test_the_derived_datasets_are_those_of_wordnet():
    assert len(DERIVED) == 14
    assert all(name.startswith("wordnet-") for name in DERIVED)


@pytest.mark.usefixtures("_the_users_own_cache")
@pytest.mark.parametrize("name", ["gl", "is", "ne", "sv"])  # the smallest
def test_questions_from_a_thesaurus_have_the_checksums_of_the_catalogue(name):
    entry, source = catalogue()[f"{name}-synonyms"], catalogue()[f"{name}-thesaurus"]
    found = thesaurus.read(fetched(source.name).paths(source.name)[0])

    content = derived.dataset(entry.sources[0].recipe, found)

    assert len(found) == source.rows
    assert content.count(b"\n") == entry.rows + 1
    assert hashlib.sha256(content).hexdigest() == entry.sources[0].files[0].sha256


@pytest.mark.usefixtures("_the_users_own_cache")
@pytest.mark.parametrize("name", ["wordnet-synonyms", "wordnet-categories", "wordnet-types",
                                  "wordnet-noun", "wordnet-antonym"])  # fmt: skip
def test_the_real_datasets_have_the_checksums_of_the_catalogue(name):
    entry = catalogue()[name]
    (place,) = fetched(name).paths(name)

    assert len(read(entry.kind, place, name)) == entry.rows


@pytest.mark.parametrize("name", DERIVED)
def test_the_recipes_give_the_bytes_of_the_catalogue(name, real_wordnet):
    (origin,) = catalogue()[name].sources

    content = derived.dataset(origin.recipe, real_wordnet)

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
    (place,) = LocalData(shared()).paths(name)

    assert len(read(entry.kind, place, name)) == entry.rows


@pytest.mark.usefixtures("_the_users_own_cache")
def test_fillers_of_a_real_set_are_those_of_the_catalogue(real_wordnet):
    corpus = fetched("wikitext-2").paths("wikitext-2")
    (place,) = LocalData(shared()).paths("keller-dobj")
    wanted = catalogue()["keller-dobj"].fillers

    content = derived.fillers_table(place, "keller-dobj", corpus, real_wordnet)

    assert wanted is not None
    assert hashlib.sha256(content).hexdigest() == wanted.sha256

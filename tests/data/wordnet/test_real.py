"""Counts of the real WordNet. Downloaded once into the cache; skipped without a network."""

import shutil

import pytest

from lexiscope.data import wordnet
from tests.data.local_files import fetched, shared


@pytest.fixture(scope="module")
def older_files():
    return fetched("wordnet-3.0").paths("wordnet-3.0")


@pytest.fixture(scope="module")
def older(older_files):
    return wordnet.load_entry("wordnet-3.0", older_files)


def test_wordnet_3_1_has_its_numbers(real_wordnet):
    assert len(real_wordnet.synsets) == 117_791
    assert len(real_wordnet.senses) == 155_467  # lemmas with a part of speech
    assert len(real_wordnet.lemmas) == 147_478
    assert sum(map(len, real_wordnet.senses.values())) == 207_235
    assert len(real_wordnet.counts) == 35_390
    assert sum(real_wordnet.counts.values()) == 248_795


def test_wordnet_3_0_has_its_numbers(older):
    assert len(older.synsets) == 117_659
    assert len(older.senses) == 155_287
    assert len(older.lemmas) == 147_306
    assert sum(map(len, older.senses.values())) == 206_941
    assert len(older.counts) == 35_478
    assert sum(older.counts.values()) == 249_492


def test_every_lexicographer_file_and_pointer_is_used(real_wordnet):
    assert {synset.file for synset in real_wordnet.synsets.values()} == set(wordnet.FILES)
    used = {relation.symbol for s in real_wordnet.synsets.values() for relation in s.relations}
    assert used == set(wordnet.POINTERS)


def test_the_list_of_counts_gives_what_the_index_of_senses_gives(older, older_files, tmp_path):
    counts = shared() / "wordnet" / "cntlist.rev"
    for path in (*older_files, counts):
        if path.name != "index.sense":
            shutil.copy(path, tmp_path)

    # 37,387 rows and 258,691 tags; the rest are senses that have left WordNet.
    assert dict(wordnet.load(tmp_path).counts) == dict(older.counts)


def test_well_known_words_are_in_their_classes(real_wordnet):
    dog = real_wordnet.of("dog", "n")[0]

    assert "animal" in {lemma for s in real_wordnet.hypernyms(dog).values() for lemma in s.lemmas}
    assert real_wordnet.part_of_speech("dog") == "n"
    assert real_wordnet.part_of_speech("run") == "v"
    assert ("hot", "cold") in set(real_wordnet.pairs("!"))
    assert real_wordnet.named("feeling", "noun.Tops").id in real_wordnet.hypernyms(
        real_wordnet.of("joy", "n")[0]
    )

from collections import Counter

import numpy as np
import pytest

from lexiscope.core.errors import BadData, BadUsage
from lexiscope.data.wordnet import Synset, WordNet
from lexiscope.human.controls import control_items
from lexiscope.human.inventory import (
    CATEGORIES,
    Query,
    Quotas,
    listed_queries,
    read_inventory,
    wordnet_queries,
)


def small_wordnet(words_per_category=12):
    """A WordNet in which each category has words such as 'animalab'."""
    synsets, senses, counts = {}, {}, {}
    for file in CATEGORIES:
        part = {"noun": "n", "verb": "v", "adj": "a", "adv": "r"}[file.partition(".")[0]]
        stem = file.replace(".", "")
        for k in range(words_per_category):
            word, key = f"{stem}{chr(97 + k)}", f"{stem}{k}"
            synsets[key] = Synset(key, part, False, file, (word,), ("0",), (), "")
            senses[word, part] = (key,)
            counts[word, key] = 1
    return WordNet("small", synsets, senses, counts, {})


def frequencies(wordnet):
    """The words a to e of a category occur 100 times, all others 5,000 times."""
    return {lemma: 100 if lemma[-1] in "abcde" else 5000 for lemma in wordnet.lemmas}


def test_quotas_of_the_paper_are_met():
    wordnet = small_wordnet()
    queries = wordnet_queries(wordnet, frequencies(wordnet), np.random.default_rng(0))

    assert len(queries) == len({query.word for query in queries}) == 100
    by = {name: Counter(q.attributes[name] for q in queries) for name in queries[0].attributes}
    assert by["frequency"] == {"rare": 30, "frequent": 70}
    assert by["part_of_speech"] == {"adjective": 10, "adverb": 10, "noun": 40, "verb": 40}
    assert by["concreteness"] == {"abstract": 50, "concrete": 50}
    assert set(by["category"].values()) == {10}
    rare = Counter(q.attributes["category"] for q in queries if q.attributes["frequency"] == "rare")
    assert set(rare.values()) == {3}


def test_the_same_seed_gives_the_same_words():
    wordnet = small_wordnet()
    one, two, other = (
        wordnet_queries(wordnet, frequencies(wordnet), np.random.default_rng(seed))
        for seed in (0, 0, 1)
    )

    assert one == two != other


def test_words_that_an_embedding_lacks_are_not_used():
    wordnet = small_wordnet(13)
    known = {lemma for lemma in wordnet.lemmas if not lemma.endswith("m")}
    queries = wordnet_queries(
        wordnet, frequencies(wordnet), np.random.default_rng(0), vocabulary=known
    )

    assert all(query.word in known for query in queries)


def test_too_few_words_give_one_sentence():
    wordnet = small_wordnet(9)

    with pytest.raises(BadData, match=r"adj\.all: 7 words that occur at least 2,500 times"):
        wordnet_queries(wordnet, frequencies(wordnet), np.random.default_rng(0))


def test_impossible_quotas_are_refused():
    with pytest.raises(BadUsage, match="11 rare words of 10"):
        Quotas(rare=11)
    with pytest.raises(BadUsage, match=r"no category 'noun\.music'"):
        Quotas({"noun.music": "abstract"})


def test_a_list_of_words_gets_known_attributes():
    queries = listed_queries(["cat", "run", "cat"], {"cat": 10}, 100)

    assert queries == (Query("cat", {"frequency": "rare"}), Query("run", {}))


def test_a_list_of_words_gets_its_concreteness_from_norms():
    bands = {"cat": "concrete", "idea": "abstract"}
    queries = listed_queries(["cat", "idea", "zyx"], concreteness=lambda word: bands.get(word, ""))

    assert [query.attributes for query in queries] == [
        {"concreteness": "concrete"}, {"concreteness": "abstract"}, {},
    ]  # fmt: skip


def test_an_inventory_is_a_table_or_a_word_per_line(tmp_path):
    (tmp_path / "table.csv").write_text("category,word,frequency\nanimal,cat,rare\n,dog,\n")
    (tmp_path / "list.txt").write_text("cat\ndog\n")

    assert read_inventory(tmp_path / "table.csv") == (
        Query("cat", {"frequency": "rare", "category": "animal"}), Query("dog", {}),
    )  # fmt: skip
    assert [query.word for query in read_inventory(tmp_path / "list.txt")] == ["cat", "dog"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is empty"),
        ("# only a comment\n", "no words"),
        ("name,frequency\ncat,rare\n", "no column is called word"),
        ("word,frequency\ncat,rare\ncat,rare\n", "row 3 repeats the word 'cat'"),
        ("word,frequency\n,rare\n", "row 2 has no word"),
        ("word\n", "no words"),
    ],
)
def test_a_bad_inventory_gives_one_sentence(tmp_path, text, message):
    (tmp_path / "words.csv").write_text(text)

    with pytest.raises(BadData, match=message):
        read_inventory(tmp_path / "words.csv")


@pytest.mark.parametrize("kind", ["comparison", "intrusion"])
def test_control_items_have_an_obvious_answer_in_any_position(kind):
    items = control_items(kind, np.random.default_rng(0))

    assert all(item.control and item.embeddings == () for item in items)
    assert len({item.answer for item in items}) > 2
    assert {item.options[item.answer] for item in items} >= (
        {"automobile", "couch"} if kind == "comparison" else {"senate", "hammer"}
    )


def test_control_items_of_a_file(tmp_path):
    (tmp_path / "controls.txt").write_text("Auto Wagen Banane Februar Kies\n", "utf-8")
    item = control_items("comparison", np.random.default_rng(0), tmp_path / "controls.txt")[0]

    assert item.query == "Auto"
    assert item.options[item.answer] == "Wagen"
    (tmp_path / "controls.txt").write_text("Auto Wagen\n", "utf-8")
    with pytest.raises(BadData, match=r"controls\.txt:1: expected four or more"):
        control_items("comparison", np.random.default_rng(0), tmp_path / "controls.txt")

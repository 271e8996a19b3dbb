"""Categories derived from WordNet."""

import pytest

from lexiscope.core.errors import BadData
from lexiscope.data.derived import categories
from lexiscope.data.derived.categories import CLASSES, Class, derive
from tests.data.tiny_wordnet import S
from tests.data.tiny_wordnet import wordnet as tiny

BIRD = S("bird", "noun.animal", "n", "bird=9", "~:owl ~:hen ~:crane ~:ducks ~:duck")
GAME = S("game", "noun.act", "n", "game=9", "~:chess")
WORDS = (
    S("owl", "noun.animal", "n", "owl=2 hooter=1", "@:bird"),
    S("hen", "noun.animal", "n", "hen=5", "@:bird"),
    S("machine", "noun.artifact", "n", "crane=9"),
    S("crane", "noun.animal", "n", "crane=1", "@:bird"),
    S("duck", "noun.animal", "n", "duck", "@:bird"),
    S("ducks", "noun.animal", "n", "ducks=3", "@:bird"),
    S("chess", "noun.act", "n", "chess=3", "@:game", "not a duck"),
)


@pytest.fixture
def two_classes(monkeypatch):
    chosen = (Class("bird", "bird", "noun.animal"), Class("game", "game", "noun.act"))
    monkeypatch.setattr(categories, "CLASSES", chosen)


@pytest.mark.usefixtures("two_classes")
def test_the_best_known_words_of_each_class_come_first(tmp_path):
    rows = derive(tiny(tmp_path, (BIRD, GAME, *WORDS)))

    # One word per synset; no plurals; crane is mainly a machine; duck is in one gloss.
    assert rows == [("bird", "hen"), ("bird", "owl"), ("bird", "duck"), ("game", "chess")]


@pytest.mark.usefixtures("two_classes")
def test_a_word_of_two_classes_is_in_neither(tmp_path):
    both = S("owlgame", "noun.act", "n", "owl=1", "@:game")
    game = GAME._replace(pointers="~:chess ~:owlgame ~:owl")

    words = [word for _, word in derive(tiny(tmp_path, (BIRD, game, *WORDS, both)))]

    assert "owl" not in words


@pytest.mark.usefixtures("two_classes")
def test_a_wordnet_without_a_class_is_refused(tmp_path):
    with pytest.raises(BadData, match=r"has no game in noun\.act"):
        derive(tiny(tmp_path, (BIRD, *WORDS[:-1])))


@pytest.fixture(scope="session")
def rows(real_wordnet):
    return derive(real_wordnet)


def test_the_real_classes_have_twenty_words_each(rows):
    names = [name for name, _ in rows]

    assert {name: names.count(name) for name in names} == {each.name: 20 for each in CLASSES}


def test_every_real_word_occurs_once_and_is_a_hyponym_by_its_first_sense(real_wordnet, rows):
    roots = {each.name: real_wordnet.named(each.lemma, each.file).id for each in CLASSES}

    assert len({word for _, word in rows}) == len(rows)
    for name, word in rows:
        assert roots[name] in real_wordnet.hypernyms(real_wordnet.of(word, "n")[0]), word


def test_the_same_wordnet_gives_the_same_words(real_wordnet, rows):
    assert derive(real_wordnet) == rows

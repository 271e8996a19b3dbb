"""Synonym questions derived from WordNet: a small example, and all real questions."""

import pytest

from lexiscope.data.derived._spelling import is_plain, look_alike
from lexiscope.data.derived.synonyms import derive
from tests.data.tiny_wordnet import S
from tests.data.tiny_wordnet import wordnet as tiny

PAIR = S("car", "noun.artifact", "n", "car=4 auto=5", "@:thing")
THING = S("thing", "noun.Tops", "n", "thing=4", "~:car ~:train")
SISTER = S("train", "noun.artifact", "n", "train=5", "@:thing")
OTHERS = tuple(
    S(word, "noun.food", "n", f"{word}=6") for word in ("bread", "honey", "pepper", "sugar")
)


def test_a_question_is_a_word_a_synonym_and_three_distractors(tmp_path):
    rows = derive(tiny(tmp_path, (PAIR, THING, SISTER, *OTHERS)))

    ((query, *options, answer, pos),) = rows
    assert {query, answer} == {"car", "auto"}
    assert answer in options
    assert set(options) - {answer} < {"bread", "honey", "pepper", "sugar"}
    assert (len(set(options)), pos) == (4, "noun")


REFUSED = {
    "too few others": (PAIR, *OTHERS[:2]),
    "others of another frequency": (PAIR, *(o._replace(words=o.key + "=60") for o in OTHERS)),
    "others of another part of speech": (
        PAIR,
        *(o._replace(file="verb.change", kind="v") for o in OTHERS),
    ),
    "others that are related": (
        PAIR._replace(pointers="~:bread ~:honey ~:pepper ~:sugar"),
        *OTHERS,
    ),
    "a mate that is a spelling variant": (PAIR._replace(words="colour=4 color=5"), *OTHERS),
    "a mate that is derived": (PAIR._replace(words="happy=4 happily=5"), *OTHERS),
    "a mate that holds the word": (PAIR._replace(words="car=4 motorcar=5"), *OTHERS),
    "a mate nobody tagged": (PAIR._replace(words="car=4 auto"), *OTHERS),
    "a mate of two words": (PAIR._replace(words="car=4 motor_car=5"), *OTHERS),
    "a mate that is a name": (PAIR._replace(words="car=4 Auto=5"), *OTHERS),
    "a mate that mostly means something else": (
        S("opera", "noun.act", "n", "auto=50"),
        PAIR,
        *OTHERS,
    ),
}


@pytest.mark.parametrize("synsets", REFUSED.values(), ids=REFUSED)
def test_no_question_is_derived_from(tmp_path, synsets):
    names = {synset.key for synset in synsets}
    kept = [s if "@:thing" not in s.pointers else s._replace(pointers="") for s in synsets]
    assert "car" in names

    assert derive(tiny(tmp_path, kept)) == []


@pytest.mark.parametrize(
    ("one", "other"),
    [("colour", "color"), ("gray", "grey"), ("whisky", "whiskey"), ("judgment", "judgement")],
)
def test_spelling_variants_look_alike(one, other):
    assert look_alike(one, other)


@pytest.mark.parametrize(("one", "other"), [("big", "large"), ("quick", "fast"), ("shut", "close")])
def test_other_words_do_not_look_alike(one, other):
    assert not look_alike(one, other)


@pytest.fixture(scope="session")
def questions(real_wordnet):
    return derive(real_wordnet)


def test_the_real_questions_are_many_and_of_all_parts_of_speech(questions):
    parts = [row[-1] for row in questions]

    assert {part: parts.count(part) for part in dict.fromkeys(parts)} == {
        "noun": 200,
        "verb": 163,
        "adjective": 125,
        "adverb": 79,
    }


def test_the_real_answers_are_synonyms_in_the_first_sense_of_both(real_wordnet, questions):
    for query, *_, answer, part in questions:
        pos = {"adverb": "r"}.get(part, part[0])
        assert real_wordnet.of(query, pos)[0] is real_wordnet.of(answer, pos)[0]
        assert not look_alike(query, answer)


def test_the_real_distractors_are_unrelated(real_wordnet, questions):
    for query, *options, answer, _ in questions:
        near = {s.id for word in (query, answer) for s in real_wordnet.of(word)}
        near |= {
            s.id
            for word in (query, answer)
            for t in real_wordnet.of(word)
            for s in real_wordnet.related(t)
        }
        for other in set(options) - {answer}:
            assert near.isdisjoint(s.id for s in real_wordnet.of(other)), (query, other)


def test_the_real_words_are_plain_and_no_query_or_answer_is_repeated(questions):
    used = [word for row in questions for word in (row[0], row[5])]

    assert len(set(used)) == len(used)
    assert all(is_plain(word) for row in questions for word in row[:6])
    assert all(len({*row[:5]}) == 5 for row in questions)


def test_the_answer_has_no_preferred_position(questions):
    places = [row[1:5].index(row[5]) for row in questions]

    assert all(0.2 < places.count(place) / len(places) < 0.3 for place in range(4))


def test_the_same_wordnet_gives_the_same_questions(real_wordnet, questions):
    assert derive(real_wordnet) == questions

from types import MappingProxyType

from lexiscope.data.derived import dataset
from lexiscope.data.derived.thesaurus_questions import HEADER, derive
from lexiscope.data.thesaurus import Sense


def thesaurus(*groups, label="(n)"):
    """Words with one sense; all words of a group name each other."""
    return MappingProxyType(
        {
            word: (Sense(label, tuple(other for other in group if other != word)),)
            for group in groups
            for word in group
        }
    )


GROUPS = (("gouffre", "abysse"), ("joie", "bonheur"), ("moto", "bécane"), ("vélo", "cycle"),
          ("chien", "toutou"))  # fmt: skip


def test_a_question_has_a_mutual_synonym_and_three_unrelated_words():
    questions = derive(thesaurus(*GROUPS), "fr")

    assert len(questions) == len(GROUPS)
    partner = {a: b for group in GROUPS for a, b in (group, group[::-1])}
    for query, *options, answer in questions:
        assert answer == partner[query]
        assert answer in options
        assert len(set(options) - {query}) == 4


def test_words_with_two_senses_opposites_names_and_phrases_are_in_no_question():
    odd = {
        "banque": (Sense("(n)", ("moto",)), Sense("(n)", ("rive",))),
        "grand": (Sense("≠ petit", ("haut",)),),
        "haut": (Sense("≠ petit", ("grand",)),),
        "Paris": (Sense("(n)", ("capitale",)),),
        "capitale": (Sense("(n)", ("Paris",)),),
        "eau de vie": (Sense("(n)", ("alcool",)),),
        "alcool": (Sense("(n)", ("eau de vie",)),),
        "fin": (Sense("(n)", ("terme (rare)",)),),
        "terme": (Sense("(n)", ("fin (rare)",)),),
    }
    questions = derive({**thesaurus(*GROUPS), **odd}, "fr")

    asked = {word for query, *_, answer in questions for word in (query, answer)}
    assert asked
    assert asked.isdisjoint(odd)


def test_distractors_are_not_named_by_query_or_answer_in_any_sense():
    groups = (*GROUPS, ("ravin", "fossé"))
    linked = {**thesaurus(*groups), "creux": (Sense("(n)", ("gouffre", "ravin", "fossé")),)}

    for query, *options, _ in derive(linked, "fr"):
        if query in ("gouffre", "abysse"):
            assert {"ravin", "fossé"}.isdisjoint(options)


def test_german_nouns_keep_their_capital_and_romanian_letters_are_unified():
    german = derive(thesaurus(*(tuple(map(str.title, group)) for group in GROUPS)), "de")
    romanian = derive(thesaurus(*GROUPS, ("ştiinţă", "cunoaştere")), "ro")

    assert all(query.istitle() for query, *_ in german)
    assert german
    words = {word for row in romanian for word in row}
    assert {"știință", "cunoaștere"} <= words


def test_the_file_is_the_same_for_the_same_thesaurus_in_any_order():
    one = dict(thesaurus(*GROUPS))
    other = dict(reversed(one.items()))

    content = dataset("thesaurus_questions:fr", one)
    assert content == dataset("thesaurus_questions:fr", other)
    assert content.decode().splitlines()[0] == "\t".join(HEADER)

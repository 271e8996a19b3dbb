import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lexiscope.core.display import shown


@pytest.mark.parametrize(
    "character",
    ["\x00", "\x07", "\x1b", "\n", "\t", "\x7f", "\x9b", "\u202e", "\u2066", "\u200f", "\ufeff",
     "\u2028", "\ud800"],
    ids=ascii,
)  # fmt: skip
def test_control_characters_are_replaced(character):
    assert shown(f"a{character}b") == "a\ufffdb"


@pytest.mark.parametrize("word", ["naïve", "日本", "🐈", "[bold]cat[/bold]", "<b>", "a b", "�"])
def test_broken_text_is_not_read_as_binary(word):
    assert shown(word) == word


def test_a_long_word_is_truncated():
    assert shown("x" * 60) == "x" * 60
    assert shown("x" * 61) == "x" * 59 + "…"
    assert shown("abcdef", longest=3) == "ab…"


@given(st.text(st.characters(exclude_categories=())))
def test_nothing_shown_is_a_control_character_or_too_long(word):
    seen = shown(word)

    assert len(seen) <= 60
    kinds = {unicodedata.category(c) for c in seen if c not in "\u200c\u200d"}
    assert not kinds & {"Cc", "Cf", "Cs", "Zl", "Zp"}
    seen.encode()  # no surrogate half is left


def test_joiners_of_persian_and_indic_words_are_kept():
    assert shown("می\u200cخواهم") == "می\u200cخواهم"


def test_json_escapes_control_characters():
    import json

    from lexiscope.core.display import escaped

    word = "a\x9b31m\u202eb\u200c"
    text = escaped(json.dumps({"w": word}, ensure_ascii=False, indent=1))

    assert json.loads(text) == {"w": word}
    assert "\x9b" not in text
    assert "\u202e" not in text
    assert "\u200c" in text

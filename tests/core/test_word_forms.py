import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from lexiscope.core.word_forms import normal_form

LANGUAGES = ("", "en", "tr", "az", "de", "de-CH", "lt", "nl", "ro", "ca", "fa", "ar", "he", "ja",
             "ko", "zh", "el")  # fmt: skip
# Characters whose case or composition differs between languages, and combining marks.
DIFFICULT = (
    "iIıİjJßẞſΣσςΐΰᾳǰŉŀşţĳīķķ゛がｶﾞﾊﾟＡａ１كيىַ\u0307\u0301\u0308\u0345\u0323\u3099\u0640\u064e"
)
texts = st.text(max_size=8) | st.text(DIFFICULT, max_size=8)


@pytest.mark.parametrize(
    ("word", "language", "form"),
    [
        ("ISPARTA", "tr", "ısparta"),
        ("İSTANBUL", "tr", "istanbul"),
        ("I\u0307STANBUL", "tr", "istanbul"),  # decomposed dotted capital I
        ("i\u0307stanbul", "tr", "istanbul"),  # what lower() makes of it
        ("millî", "tr", "millî"),
        ("BAKI", "az", "bakı"),
        ("ISPARTA", "", "isparta"),
        ("İSTANBUL", "", "istanbul"),
        ("Maße", "de", "maße"),
        ("MAẞE", "de", "maße"),
        ("Masse", "de", "masse"),
        ("Maße", "de-CH", "masse"),
        ("Maße", "", "masse"),
        ("ΟΔΟΣ", "el", "οδοσ"),
        ("οδος", "el", "οδοσ"),
        ("Ι\u0301ΟΣ", "el", "ίοσ"),
        ("e\u0301te\u0301", "fr", "été"),
        ("ÉTÉ", "fr", "été"),
        ("I\u0307\u0300", "lt", "ì"),
        ("į\u0307\u0301", "lt", "į\u0301"),
        ("ĲS", "nl", "ijs"),
        ("Bucureşti", "ro", "bucurești"),
        ("Bucureşti", "tr", "bucureşti"),
        ("PARAL·LEL", "ca", "paral·lel"),
        ("paraŀlel", "ca", "paral·lel"),
        ("كتابي", "fa", "کتابی"),
        ("كتابي", "ar", "كتابي"),
        ("مَرَض", "ar", "مرض"),
        ("שָׁלוֹם", "he", "שלום"),
        ("ＡＢＣ１２", "ja", "abc12"),
        ("ｶﾞﾗｽ", "ja", "ガラス"),
        ("か\u3099", "", "が"),
        ("ＡＢＣ", "", "ａｂｃ"),  # full-width letters stay what they are elsewhere
    ],
)
def test_a_word_has_the_form_of_its_language(word, language, form):
    assert normal_form(word, language) == form


def test_without_folding_only_encodings_and_variants_of_letters_change():
    assert normal_form("E\u0301TE\u0301", fold=False) == "ÉTÉ"
    assert normal_form("Bucureşti", "ro", fold=False) == "București"
    assert normal_form("ISPARTA", "tr", fold=False) == "ISPARTA"
    assert normal_form("Straße", fold=False) == "Straße"


@given(texts, st.sampled_from(LANGUAGES), st.booleans())
@example("İ\u0307", "", True)
@example("i\u0323\u0307", "lt", True)
def test_the_form_of_a_form_is_itself(text, language, fold):
    form = normal_form(text, language, fold)

    assert normal_form(form, language, fold) == form


@given(texts, st.sampled_from(LANGUAGES), st.booleans())
def test_forms_are_composed_and_equal_for_equivalent_texts(text, language, fold):
    form = normal_form(text, language, fold)

    assert unicodedata.is_normalized("NFC", form)
    assert normal_form(unicodedata.normalize("NFD", text), language, fold) == form


@given(st.text("abcdefghjklmnopqrstuvwxyzäöüéèñçабвгд", max_size=10), st.sampled_from(LANGUAGES))
def test_capitals_fold_to_the_small_letters_that_they_are_of(word, language):
    assert normal_form(word.upper(), language) == normal_form(word, language) == word


@given(texts)
def test_an_unknown_language_folds_as_the_standard_does(text):
    """Canonical caseless matching, Unicode Standard D145, without the dot that every i has."""

    def decomposed(word):
        return unicodedata.normalize("NFD", word)

    expected = decomposed(decomposed(text).casefold())
    if "\u0307" not in expected:
        assert decomposed(normal_form(text)) == expected

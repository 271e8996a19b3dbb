"""The kernel against a slow reference implementation: scripts, settings, block sizes."""

import tempfile
from dataclasses import replace
from functools import partial
from pathlib import Path
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as some

from lexiscope.core.corpus import sentences_of
from lexiscope.core.errors import BadData
from lexiscope.core.preprocessing import PRESETS, Preprocessing
from lexiscope.data import corpora
from lexiscope.data.corpora import _counter, _files, _spool
from lexiscope.data.corpora import _vocabulary as _finishing
from lexiscope.data.corpora import _word_counts as _words
from tests.data.corpora import twin

NORMALISED = (
    "a b I The end Mr mr MR. Dr. No. no. fig. e.g. i.e. U.S. J. R. etc. don't o’clock rock 'n' "
    "3.14 1,000 5. 12 ? ! ... … . .” .) \" ' ( ) [ « » — - , ; : \n \n\n \r\n \r\n\r\n \r \t "
    "\x0c \u2028 \u2029 \xa0 ΟΔΟΣ Σ ΣΑΣ. ΣΊΣΥΦΟΣ İstanbul İ ı ẞ ß é e\u0301 É. ж Ж. слово. "
    "Слово 你好。再见 ！ ？ ｡ हिन्दी। می\u200cخواهم ٣ ٣٫٥ ² ½ Ⅷ ª soft\u00adhyphen \ufeff \ufe0f "
    "❤\ufe0f _ a_b @-@ \x01 \x1c \x7f \u0301 \ufffd 𝒳 𐐀 😀 Ǆ ǅ ŉ ʰΣ Σʰ a.Σ A.b x.y. vs. Vol. 3. "
    "Al. cf. St. ．"
)
PIECES = (*NORMALISED.split(" "), " ")
TEXTS = some.one_of(
    some.lists(some.sampled_from([*PIECES, *" .\n"]), max_size=60).map("".join),
    some.lists(some.sampled_from(PIECES), max_size=40).map(" ".join),
    some.text(some.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=60),
)
STEPS = some.builds(
    Preprocessing,
    tokens=some.sampled_from(["words", "spaces"]),
    sentences=some.sampled_from(["split", "lines", "documents"]),
    lower=some.booleans(),
    digits=some.sampled_from(["keep", "zero", "seven"]),
    min_length=some.integers(1, 3),
    min_count=some.integers(1, 2),
    limit=some.none() | some.integers(1, 5),
)


def assert_as_the_twin(documents, steps, size=None):
    """Read the documents in blocks of `size` bytes and compare with the reference."""
    texts, words, left_out = twin.read(documents, steps)
    with tempfile.TemporaryDirectory() as folder:
        for number, text in enumerate(documents):
            Path(folder, f"{number:03}").write_bytes(text.encode())
        reads = partial(in_blocks, folder, steps, size or 1 << 20)
        if not words:
            with pytest.raises(BadData):
                reads()
            return
        found = reads()
    assert list(found.vocabulary) == words
    assert sentences_of(found) == [sentence for text in texts for sentence in text]
    assert found.documents.tolist() == np.cumsum([0, *map(len, texts)]).tolist()
    assert found.left_out == left_out


def in_blocks(folder, steps, size):
    """Read with blocks of a size; with small ones, tables and memory are small as well."""
    if size > 100:
        return corpora.read(folder, steps)
    small = (
        (_files, "CHUNK", size),
        (_counter, "BATCH", size),
        (_spool, "IN_MEMORY", 8),
        (_words, "_FIRST_WORDS", 2),
        (_words, "_FIRST_POINTS", 1),
        (_words, "_WORDS_AT_ONCE", 2),
        (_finishing, "_BLOCK", 3),
    )
    patches = [patch.object(*each) for each in small]
    for each in patches:
        each.start()
    try:
        return corpora.read(folder, steps)
    finally:
        for each in patches:
            each.stop()


@settings(max_examples=300)
@given(some.lists(TEXTS, min_size=1, max_size=3), STEPS)
@example(["ΟΔΟΣ ΟΔΟΣ. ΣΑΣ'Σ"], Preprocessing(min_count=1))
@example(["\x01. ( Next"], Preprocessing("spaces", min_count=1))
@example(["a\r\n\r\nb\r\rc\r \nd"], Preprocessing(min_count=1))
@example(['left . ( and so ) . " Then . -- No'], Preprocessing("spaces", min_count=1))
def test_every_text_is_read_like_the_reference_implementation(documents, steps):
    assert_as_the_twin(documents, steps)


@settings(max_examples=150)
@given(some.lists(TEXTS, min_size=1, max_size=2), STEPS, some.integers(1, 9))
def test_blocks_may_end_anywhere(documents, steps, size):
    assert_as_the_twin(documents, steps, size)


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("size", [1, 3, 64])
def test_every_preset_with_every_block_size(preset, size):
    text = " ".join(PIECES) + "\n\nMr. Smith didn't go. He said: “No!” Then 3.14. ΟΔΟΣ\n" * 3

    assert_as_the_twin([text, "", text], replace(PRESETS[preset], min_count=1), size)


@pytest.mark.parametrize("tokens", ["words", "spaces"])
def test_characters_of_every_kind_alone_and_between_letters(tokens):
    places = [*range(1, 0x600), *range(0x600, 0x20000, 61)]
    characters = [chr(n) for n in places if not 0xD800 <= n < 0xE000]
    text = " ".join(f"{c} a{c}b 1{c}2 x. {c}Y" for c in characters)

    assert_as_the_twin([text], Preprocessing(tokens, min_count=1))


def test_lower_case_by_letter_and_then_by_word_is_lower_case_of_the_word():
    later = "İΣ"
    for character in map(chr, range(0x110000)):
        lower = character.lower()
        if lower == character or character in later:
            continue
        assert len(lower) == 1
        for word in (f"a{lower}Σ", f"aΣ{lower}", f"{lower}Σ", f"İ{lower}"):
            assert word.lower() == word.replace(lower, character).lower()

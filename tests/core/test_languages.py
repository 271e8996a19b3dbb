import re

import pytest

from lexiscope.core.errors import BadUsage
from lexiscope.core.languages import language_name, language_tag, speaks


@pytest.mark.parametrize(
    ("text", "tag"),
    [("fr", "fr"), ("FR", "fr"), ("de_ch", "de-CH"), ("ZH-hant", "zh-Hant"), ("es-419", "es-419"),
     ("crh", "crh")],
)  # fmt: skip
def test_a_tag_gets_its_usual_letter_case(text, tag):
    assert language_tag(text) == tag


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("french", " Did you mean 'fr' (French)?"),
        ("Germann", " Did you mean 'de' (German)?"),
        ("fra", " Did you mean 'fr' (French)?"),
        ("xx", ""),
        ("", ""),
        ("fr fr", ""),
        ("../etc", ""),
    ],
)
def test_a_text_that_is_no_tag_raises_an_error_with_a_suggestion(text, hint):
    sentence = f"'{text}' is not a language tag such as fr, de-CH or pt-BR.{hint}"

    with pytest.raises(BadUsage, match=f"^{re.escape(sentence)}$"):
        language_tag(text)


def test_a_language_has_a_name_with_its_region():
    assert language_name("pt-BR") == "Portuguese (BR)"
    assert language_name("mul") == "mul"


def test_a_language_includes_its_regions_and_a_region_its_language():
    tags = ["pt", "pt-BR", "pt-PT", "pl"]

    assert [tag for tag in tags if speaks(tag, "pt")] == ["pt", "pt-BR", "pt-PT"]
    assert [tag for tag in tags if speaks(tag, "pt-BR")] == ["pt", "pt-BR"]

import re

from lexiscope.core.languages import language_name
from lexiscope.data.catalogue import catalogue
from lexiscope.data.languages import ENGLISH
from tests.docs.test_pages import DOCS

PAGE = (DOCS / "languages.md").read_text("utf-8")


def test_the_table_of_datasets_is_that_of_the_catalogue():
    listed = set(re.findall(r"`([\w-]+)` (\d+(?:,\d{3})*)(?=,| )", PAGE))

    assert listed == {
        (entry.name, f"{entry.rows:,}")
        for entry in catalogue().values()
        if entry.language != ENGLISH and entry.kind != "thesaurus"
    }


def test_every_language_has_a_row():
    tags = {entry.language for entry in catalogue().values()} - {ENGLISH}

    assert all(f"| {language_name(tag)} `{tag}` |" in PAGE for tag in tags)

"""The query words of a study can be used in another study."""

from dataclasses import replace

import pytest

from lexiscope.core.errors import BadUsage
from lexiscope.human.exchange.inventory import inventory_csv
from lexiscope.human.export_files import ExportOptions, format_named
from lexiscope.human.inventory import Query, read_inventory
from tests.human.exchange.studies import small
from tests.human.study_builders import comparison, study

QUERIES = (
    Query("joy", {"frequency": "frequent", "part_of_speech": "noun", "concreteness": "abstract",
                  "category": "noun.feeling"}),
    Query("-ing", {"frequency": "rare"}),
    Query("=1+1"),
    Query("a, b", {"frequency": "rare", "category": "verb.motion"}),
)  # fmt: skip


def test_an_exported_inventory_is_read_back_with_its_attributes(tmp_path):
    given = [{"word": each.word, **each.attributes} for each in QUERIES]
    path = tmp_path / "words.csv"
    path.write_bytes(inventory_csv(replace(study(), manifest={"queries": given})))

    assert read_inventory(path) == QUERIES
    assert "\n'=1+1," in path.read_text()  # no formula in a spreadsheet


def test_words_without_attributes_are_a_table_of_one_column(tmp_path):
    path = tmp_path / "words.csv"
    path.write_bytes(inventory_csv(study(items=2)))

    assert read_inventory(path) == (Query("query0"), Query("query1"))


@pytest.mark.parametrize("manifest", [{}, {"queries": 7}, {"queries": [{"word": 7}]}])
def test_a_study_that_lists_no_words_has_those_of_its_items(manifest):
    items = [comparison(0, query="sea"), replace(comparison(1, query="sea"), rank=5)]
    some = replace(study(), items=tuple(items), manifest=manifest)

    assert inventory_csv(some).split() == [b"word", b"sea"]


def test_a_publication_has_the_inventory(tmp_path):
    with small(tmp_path / "a.study") as file:
        files = format_named("publish", "write").write(file, ExportOptions(""))
        alone = format_named("inventory", "write").write(file, ExportOptions(".csv"))

        assert files["inventory.csv"] == alone["inventory.csv"]
        with pytest.raises(BadUsage, match=r"a \.csv file"):
            format_named("inventory", "write").write(file, ExportOptions(".jsonl"))

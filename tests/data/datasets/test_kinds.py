"""A file of unknown kind is read as the strictest kind that accepts it."""

import pandas as pd
import pytest

from lexiscope.core.datasets import KINDS
from lexiscope.core.errors import BadData
from lexiscope.data.datasets import read_any
from tests.data.datasets.test_frames import FRAMES


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("adjective,noun,label\nwarm,water,0\nwarm,welcome,1\n", "phrases"),  # not word pairs
        ("word1,word2,score\ncat,dog,7\ncar,tree,1\n", "pairs"),
        ("Review,Sentiment\ngood film,1\nbad film,0\n", "texts"),
        ("entity,labels\nparis,city|place\nrome,city\n", "entities"),
        ("cat animal\noak plant\n", "categories"),
    ],
)
def test_a_file_is_read_as_the_strictest_kind(tmp_path, text, kind):
    path = tmp_path / "mine.csv"
    path.write_text(text, "utf-8")

    assert read_any(KINDS.values(), path, "mine").kind == kind


@pytest.mark.parametrize("kind", FRAMES)
def test_a_file_of_any_kind_is_recognised_among_all_kinds(tmp_path, kind):
    path = tmp_path / "mine.csv"
    pd.DataFrame(FRAMES[kind]).to_csv(path, index=False)

    assert read_any(KINDS.values(), path, "mine").kind == kind


def test_a_file_of_no_kind_has_the_reason_of_each(tmp_path):
    path = tmp_path / "mine.csv"
    path.write_text("one two three four five six seven\n", "utf-8")

    with pytest.raises(BadData, match=r"As phrases: .*the header does not name adjective"):
        read_any([KINDS["phrases"], KINDS["pairs"]], path, "mine")

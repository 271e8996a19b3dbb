import pytest

from lexiscope.core.embedding import embedding
from lexiscope.core.errors import BadData
from lexiscope.data.atomic_write import replacing
from lexiscope.data.datasets import read
from lexiscope.data.local_data import LocalData
from lexiscope.data.vectors import check_target, load, save
from lexiscope.data.wordnet import find

LONGEST = 255  # bytes of a name, on every common system


def test_the_longest_name_is_written(tmp_path):
    path = tmp_path / ("x" * LONGEST)

    with replacing(path) as file:
        file.write(b"content")

    assert path.read_bytes() == b"content"


def test_a_name_that_is_too_long_is_reported(tmp_path):
    with (
        pytest.raises(BadData, match=r"the name is too long for a file\. Choose a shorter one"),
        replacing(tmp_path / ("x" * (LONGEST + 1))),
    ):
        pass


# The suffix of a checkpoint has eleven letters.
@pytest.mark.parametrize("length", [LONGEST - 10, LONGEST, LONGEST + 1, 5000])
def test_a_target_name_must_leave_room_for_suffixes(length, tmp_path):
    name = "x" * (length - 4)

    check_target(tmp_path / f"{name[: LONGEST - 15]}.vec")
    with pytest.raises(BadData, match="the name is too long"):
        check_target(tmp_path / f"{name}.vec")


def test_a_target_below_a_file_is_refused(tmp_path):
    (tmp_path / "file").touch()

    with pytest.raises(BadData, match=r"v\.vec: cannot be written \(Not a directory\)"):
        check_target(tmp_path / "file" / "v.vec")


def test_impossible_file_names_are_reported(tmp_path):
    long = tmp_path / ("x" * 300)

    with pytest.raises(BadData, match="the data folder does not exist"):
        LocalData(long)
    with pytest.raises(BadData, match="is neither a folder"):
        find(LocalData(), long)
    with pytest.raises(BadData, match="cannot be opened"):
        read("preferences", long.with_suffix(".rda"), "given")


def test_a_table_has_no_word_list_if_the_name_would_be_too_long(tmp_path):
    path = save(embedding("e", ["a"], [[1, 2]]), tmp_path / ("x" * 245 + ".npy"))
    path.with_suffix(".words").unlink()

    with pytest.raises(BadData, match="contains vectors but no words"):
        load(path)

import numpy as np
import pytest
from numpy.testing import assert_array_equal

import lexiscope
from lexiscope.core.embedding import embedding
from lexiscope.core.errors import BadData
from lexiscope.data.vectors import checkpoints

VECTORS = embedding("early", ["cat", "dög"], np.array([[1, 2, 3], [4, 5, 6]]))


def state(**changes):
    arrays = {
        "inputs": np.arange(6, dtype=np.float32).reshape(2, 3),
        "slopes": np.array([0.1, np.inf]),
        "done": np.array([7], np.int64),
        "seeds": np.array([2**64 - 1], np.uint64),
        "none": np.zeros((0, 4), np.float32),
    }
    return {**arrays, **changes}


def empty():
    return {name: np.zeros_like(array) for name, array in state().items()}


def test_arrays_and_their_description_round_trip(tmp_path):
    checkpoints.write(tmp_path / "c", VECTORS, state(), {"seed": 3, "name": "caf\udce9"})

    found = empty()
    checkpoints.fill(found, tmp_path / "c")

    for name, array in state().items():
        assert_array_equal(found[name], array)
        assert found[name].dtype == array.dtype
    assert checkpoints.about(tmp_path / "c") == {"seed": 3, "name": "caf\udce9"}


def test_it_is_a_vector_file(tmp_path):
    checkpoints.write(tmp_path / "c", VECTORS, state(), {})

    found = lexiscope.load(tmp_path / "c")

    assert found.name == "early"
    assert list(found.words) == ["cat", "dög"]
    assert_array_equal(found["dög"], [4, 5, 6])


@pytest.mark.parametrize(
    ("other", "why"),
    [
        ({"inputs": np.zeros((3, 2), np.float32)}, r"inputs has the shape \(2, 3\), not \(3, 2\)"),
        ({"done": np.zeros(1, np.int32)}, "done has the shape"),
        ({"more": np.zeros(1)}, "it contains state.done, state.inputs"),
    ],
)
def test_arrays_of_another_shape_are_refused(tmp_path, other, why):
    checkpoints.write(tmp_path / "c", VECTORS, state(), {})

    with pytest.raises(BadData, match=rf"c: the checkpoint is damaged \({why}"):
        checkpoints.fill(state(**other), tmp_path / "c")


def test_a_failed_write_keeps_the_previous_checkpoint(tmp_path, monkeypatch):
    checkpoints.write(tmp_path / "c", VECTORS, state(), {"number": 1})

    def interrupt(*arguments):
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(checkpoints.native, "write", interrupt)
        with pytest.raises(KeyboardInterrupt):
            checkpoints.write(tmp_path / "c", VECTORS, state(), {"number": 2})

    assert checkpoints.about(tmp_path / "c") == {"number": 1}
    assert [path.name for path in tmp_path.iterdir()] == ["c"]


def test_a_folder_is_not_a_checkpoint(tmp_path):
    with pytest.raises(BadData, match="the checkpoint is damaged"):
        checkpoints.about(tmp_path)

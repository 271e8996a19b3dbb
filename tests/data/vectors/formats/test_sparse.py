"""Sparse vectors from objects and in our own format; other formats would store every zero."""

from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from scipy import sparse

from lexiscope.core.embedding import Embedding, embedding
from lexiscope.core.errors import BadData, BadUsage
from lexiscope.core.vocabulary import Vocabulary
from lexiscope.data.vectors import load, save
from lexiscope.data.vectors.resolve import embeddings_from
from lexiscope.linalg.neighbours import neighbours
from tests.data.vectors.vector_files import native, sparse_native
from tests.sparse import sparse_table

WORDS = ["cat", "été", "日本", *(f"w{n}" for n in range(17))]
TABLE = sparse_table(20, empty=[2, 19], equal=[(0, 5)])
TABLE[:, -3:] = 0  # the last dimensions are zero for every word
COUNTS = np.arange(20, 0, -1)


def ppmi(rows=TABLE):
    return Embedding("ppmi", Vocabulary(tuple(WORDS)), sparse.csr_array(rows), COUNTS, "a text")


def test_sparse_vectors_round_trip_with_the_same_bits(tmp_path):
    found = load(save(ppmi(), tmp_path / "v.safetensors"))

    assert found.is_sparse
    assert list(found.words) == WORDS
    assert_array_equal(found.vectors.toarray(), TABLE)
    assert found.counts.tolist() == COUNTS.tolist()
    assert (found.name, found.origin) == ("ppmi", "a text")
    assert found.fingerprint == ppmi().fingerprint


def test_sparse_vectors_are_mapped_and_not_read_into_memory(tmp_path):
    found = load(save(ppmi(), tmp_path / "v.safetensors"))

    for part in (found.vectors.data, found.vectors.indices):
        owner = part
        while isinstance(owner, np.ndarray) and not isinstance(owner, np.memmap):
            owner = owner.base.obj if isinstance(owner.base, memoryview) else owner.base
        assert isinstance(owner, np.memmap)
        assert not part.flags.writeable


def test_the_same_embedding_is_written_with_the_same_bytes(tmp_path):
    first, second = (save(ppmi(), tmp_path / name) for name in ("a.safetensors", "b.safetensors"))

    assert first.read_bytes() == second.read_bytes()
    assert save(load(first), tmp_path / "c.safetensors").read_bytes() == first.read_bytes()


def test_a_limit_keeps_the_first_words(tmp_path):
    found = load(save(ppmi(), tmp_path / "v.safetensors"), limit=3)

    assert list(found.words) == WORDS[:3]
    assert_array_equal(found.vectors.toarray(), TABLE[:3])


def test_vectors_without_non_zero_numbers_round_trip(tmp_path):
    nothing = embedding("e", "ab", sparse.csr_array((2, 3)))

    found = load(save(nothing, tmp_path / "v.safetensors"))

    assert found.vectors.shape == (2, 3)
    assert found.vectors.nnz == 0


def test_the_file_from_which_hostile_files_are_derived_is_valid(write_file):
    found = load(write_file("v.safetensors", sparse_native()))

    assert list(found.words) == ["cat", "dog"]
    assert found.vectors.toarray().tolist() == [[1, 0, 2, 0], [0, 3, 0, 0]]


@pytest.mark.parametrize("shift", [1, 2, 3])
def test_unaligned_numbers_are_read(shift, write_file):
    content = sparse_native()
    length = int.from_bytes(content[:8], "little")
    moved = (length + shift).to_bytes(8, "little") + content[8 : 8 + length] + b" " * shift

    found = load(write_file("v.safetensors", moved + content[8 + length :]))

    assert found.vectors.toarray().tolist() == [[1, 0, 2, 0], [0, 3, 0, 0]]


def test_a_file_with_dense_vectors_is_read_as_before(write_file):
    found = load(write_file("v.safetensors", native()))

    assert not found.is_sparse
    assert found.vectors.tolist() == [[1, 2], [3, 4]]


@pytest.mark.parametrize("number", [np.nan, np.inf, -np.inf])
def test_numbers_that_are_not_finite_are_found_when_the_file_is_first_used(number, write_file):
    found = load(write_file("v.safetensors", sparse_native(values=(1, 2, number))))

    with pytest.raises(BadData, match=r"'dog'.*not finite"):
        neighbours(found, "cat")


def test_numbers_that_are_not_finite_are_refused_when_written(tmp_path):
    broken = embedding("e", "ab", sparse.csr_array([[1.0, 0], [0, np.nan]]))

    with pytest.raises(BadData, match="'b' is not finite"):
        save(broken, tmp_path / "v.safetensors")


@pytest.mark.parametrize(
    "name", ["v.vec", "v.txt.gz", "v.glove", "v.bin", "v.bin.xz", "v.npz", "v.npy"]
)
def test_other_formats_refuse_sparse_vectors_and_say_what_to_do(name, tmp_path):
    with pytest.raises(BadUsage, match=r"ppmi are sparse.*Write \.safetensors, or train svd"):
        save(ppmi(), tmp_path / name)

    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("form", ["csr", "csc", "coo", "lil"])
@pytest.mark.parametrize("make", [sparse.coo_array, sparse.coo_matrix])
def test_a_pair_of_words_and_sparse_matrix(form, make):
    matrix = make(TABLE).asformat(form)

    found = load((WORDS, matrix), name="mine")

    assert (found.name, found.is_sparse) == ("mine", True)
    assert_array_equal(found.vectors.toarray(), TABLE)
    (same,) = embeddings_from((WORDS, matrix))
    assert same.fingerprint == found.fingerprint


def test_an_object_with_sparse_vectors_and_an_index():
    class Keyed:
        key_to_index = {"dog": 3, "cat": 1}  # noqa: RUF012
        vectors = sparse.csc_array(np.eye(4))

    found = load(Keyed())

    assert list(found.words) == ["cat", "dog"]
    assert found.vectors.toarray().tolist() == [[0, 1, 0, 0], [0, 0, 0, 1]]


def test_of_a_repeated_word_the_first_row_is_kept():
    found = load((["cat", "dog", "cat"], sparse.csr_array([[1.0], [2.0], [3.0]])))

    assert found.vectors.toarray().tolist() == [[1], [2]]
    assert found.repairs == ("a pair: row 3: 'cat' occurs a second time. Left out.",)


@pytest.mark.parametrize(
    ("words", "rows", "sentence"),
    [
        ("ab", [[1.0, 0], [0, np.nan]], "row 2: the vector of 'b' is not finite"),
        ("ab", [[np.inf, 0], [0, 1]], "row 1: the vector of 'a' is not finite"),
        ("ab", [[0, 1e300], [0, 1]], "row 1: the vector of 'a' is not finite"),
        ("abc", [[1.0, 0], [0, 1]], "3 words for 2 vectors"),
        ("ab", [[1j, 0], [0, 1]], "expected a table of numbers"),
        ("ab", [[True, False], [False, True]], "expected a table of numbers"),
        ("", np.ones((0, 3)), "contains no vectors"),
    ],
)
def test_an_invalid_pair_is_refused(words, rows, sentence):
    with pytest.raises(BadData, match=sentence):
        load((list(words), sparse.csr_array(rows)))


def test_the_example_of_the_page_runs(capsys):
    page = (Path(__file__).parents[4] / "docs" / "vectors.md").read_text()
    section = page.partition("## Sparse vectors")[2]

    exec(section.partition("```python\n")[2].partition("```")[0], {})

    assert capsys.readouterr().out == "Embedding('counts', 3 words x 4, sparse)\n[3. 0. 0. 1.]\n3\n"

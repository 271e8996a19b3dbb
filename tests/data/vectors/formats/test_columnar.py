"""Parquet and Arrow files, which need an optional dependency."""

import sys
import zlib

import numpy as np
import pytest

from lexiscope.core.display import shown
from lexiscope.core.errors import BadData, MissingExtra, TooLarge
from lexiscope.data.vectors import load
from tests.data.vectors.test_mutations import assert_an_embedding_or_one_sentence, mutated

WORDS = ["cat", "été", "日本", "new york"]
TABLE = np.random.default_rng(2).standard_normal((4, 3)).astype(np.float32)


@pytest.mark.parametrize(
    "content", [b"PAR1\x15\x04\x15" + bytes(99) + b"PAR1", b"ARROW1\0\0", b"\xff\xff\xff\xff\x10"]
)
def test_the_error_without_the_dependency_says_how_to_install_it(content, write_file, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    monkeypatch.setitem(sys.modules, "pyarrow.lib", None)

    with pytest.raises(MissingExtra, match=r'pip install "lexiscope\[arrow\]"') as caught:
        load(write_file("v.parquet", content))

    assert caught.value.exit_code == 4


def test_a_word_that_begins_like_parquet_is_a_word(write_file):
    assert list(load(write_file("v.txt", b"PAR1 1 2\nARROW1 3 4\n")).words) == ["PAR1", "ARROW1"]


@pytest.fixture
def arrow():
    return pytest.importorskip("pyarrow")


def tables(arrow):
    numbers = {f"d{n}": TABLE[:, n] for n in range(3)}
    lists = arrow.array(TABLE.tolist(), arrow.list_(arrow.float32()))
    fixed = arrow.FixedSizeListArray.from_arrays(arrow.array(TABLE.ravel()), 3)
    return {
        "lists": arrow.table({"word": WORDS, "vector": lists}),
        "fixed": arrow.table({"vector": fixed, "word": WORDS}),
        "columns": arrow.table({"word": WORDS, **numbers}),
        "coded": arrow.table({"token": arrow.array(WORDS).dictionary_encode(), **numbers}),
        "other": arrow.table({"language": ["en"] * 4, "word": WORDS, "vector": lists}),
    }


def write(arrow, table, path, kind):
    if kind == "parquet":
        from pyarrow import parquet

        parquet.write_table(table, path)
    elif kind == "feather":
        from pyarrow import feather

        feather.write_feather(table, str(path))
    else:
        with arrow.ipc.new_stream(str(path), table.schema) as stream:
            stream.write_table(table)
    return path


@pytest.mark.parametrize("kind", ["parquet", "feather", "arrow"])
@pytest.mark.parametrize("form", ["lists", "fixed", "columns", "coded", "other"])
def test_words_and_vectors(form, kind, arrow, tmp_path):
    path = write(arrow, tables(arrow)[form], tmp_path / f"v.{kind}", kind)

    found = load(path)

    assert (found.name, list(found.words)) == ("v", WORDS)
    assert found.vectors.tobytes() == TABLE.tobytes()
    assert list(load(path, limit=2).words) == WORDS[:2]


def test_a_data_frame_in_parquet(arrow, tmp_path):
    frame = pytest.importorskip("pandas").DataFrame(TABLE, index=WORDS, columns=list("abc"))
    frame.to_parquet(tmp_path / "v.parquet")

    assert load(tmp_path / "v.parquet").vectors.tobytes() == TABLE.tobytes()


def invalid(arrow):
    lists, text = arrow.list_(arrow.float32()), arrow.array(["a", "b"])
    return {
        "no words": ({"vector": arrow.array([[1.0], [2.0]], lists)}, "expected a column of words"),
        "no vectors": ({"word": text}, "expected a column of words"),
        "two vectors": ({"word": text, "x": arrow.array([[1.0], [2.0]], lists),
                         "y": arrow.array([[1.0], [2.0]], lists)}, "expected a column of words"),
        "vectors of text": ({"word": text, "x": arrow.array([["a"], ["b"]])}, "expected a column"),
        "nested vectors": ({"word": text, "x": arrow.array([[[1.0]], [[2.0]]])}, "a column of"),
        "no rows": ({"word": arrow.array([], arrow.string()), "x": arrow.array([], lists)},
                    "has 0 rows"),
        "other lengths": ({"word": text, "x": arrow.array([[1.0], [2.0, 3.0]], lists)},
                          "have different lengths"),
        "no lengths": ({"word": text, "x": arrow.array([[], []], lists)}, "contains no vectors"),
        "a missing vector": ({"word": text, "x": arrow.array([[1.0], None], lists)},
                             "have different lengths"),
        "a missing number": ({"word": text, "x": arrow.array([[1.0], [None]], lists)},
                             "a number is missing"),
        "a missing value": ({"word": text, "x": arrow.array([1.0, None])}, "a number is missing"),
        "a missing word": ({"word": arrow.array(["a", None]), "x": arrow.array([1.0, 2.0])},
                           "must be text, found NoneType"),
        "NaN": ({"word": text, "x": arrow.array([1.0, np.nan])}, "is not finite"),
        "overflow": ({"word": text, "x": arrow.array([1.0, 1e300])}, "is not finite"),
        "dates": ({"word": text, "x": arrow.array([1, 2], arrow.date32())}, "a column of words"),
        "NUL": ({"word": arrow.array(["a\0", "b"]), "x": arrow.array([1.0, 2.0])}, "control"),
        "an empty word": ({"word": arrow.array(["", "b"]), "x": arrow.array([1.0, 2.0])}, "empty"),
        "a long word": ({"word": arrow.array(["a" * 2000, "b"]), "x": arrow.array([1.0, 2.0])},
                        "more than 1,024 bytes"),
        "words as bytes": ({"word": arrow.array([b"a", b"b"]), "x": arrow.array([1.0, 2.0])},
                           "expected a column of words"),
    }  # fmt: skip


@pytest.mark.parametrize("kind", ["parquet", "feather", "arrow"])
def test_an_invalid_table_gives_one_sentence(kind, arrow, tmp_path):
    for name, (columns, fragment) in invalid(arrow).items():
        path = write(arrow, arrow.table(columns), tmp_path / f"v.{kind}", kind)

        with pytest.raises(BadData) as caught:
            load(path)

        message = str(caught.value)
        assert fragment in message, name
        assert message.startswith(f"{path}: ")
        assert message.endswith(".")
        assert shown(message, 700) == message


@pytest.mark.parametrize("kind", ["parquet", "feather", "arrow"])
def test_a_damaged_file_gives_an_embedding_or_one_error(kind, arrow, tmp_path):
    rng = np.random.default_rng(zlib.crc32(kind.encode()))
    path = write(arrow, tables(arrow)["lists"], tmp_path / f"v.{kind}", kind)
    content = path.read_bytes()
    for length in range(1, len(content), max(1, len(content) // 40)):
        path.write_bytes(content[:length])
        assert_an_embedding_or_one_sentence(path, "stop")
    for _ in range(100):
        path.write_bytes(mutated(content, rng))
        assert_an_embedding_or_one_sentence(path, "skip")


def test_a_small_file_of_many_values_is_refused(arrow, tmp_path):
    zeros = arrow.array(np.zeros(3_000_000, np.float32))
    words = arrow.DictionaryArray.from_arrays(arrow.array(np.zeros(3_000_000, np.int32)), ["a"])
    table = arrow.table({"word": words, "x": zeros})
    path = write(arrow, table, tmp_path / "v.parquet", "parquet")

    with pytest.raises(TooLarge, match="a ratio that no file of vectors has"):
        load(path)

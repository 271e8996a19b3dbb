"""Files of gensim: pickles whose opcodes are interpreted, compared with gensim itself."""

import copyreg
import gzip
import io
import pickle
import pickletools
import struct
import subprocess
import tracemalloc
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose

from lexiscope.core.display import shown
from lexiscope.core.errors import BadData, UnsafeFormat
from lexiscope.data.vectors import load
from lexiscope.data.vectors.formats.gensim.opcodes import interpret

WORDS = ["cat", "été", "日本", "new york"]
TABLE = np.random.default_rng(0).standard_normal((4, 3)).astype(np.float32)
TEXT = [["cat", "dog", "été", "sun"], ["cat", "sun", "日本", "straße"], ["cat", "dog"]] * 20


@pytest.fixture(scope="module")
def models():
    return pytest.importorskip("gensim.models")


@pytest.fixture
def keyed(models):
    vectors = models.KeyedVectors(3)
    vectors.add_vectors(WORDS, TABLE)
    return vectors


@pytest.fixture(scope="module")
def word2vec(models):
    return models.Word2Vec(TEXT, vector_size=5, min_count=1, seed=1, workers=1, epochs=1)


@pytest.fixture(scope="module")
def fasttext(models):
    return models.FastText(
        TEXT, vector_size=5, min_count=1, seed=1, workers=1, epochs=1, bucket=50, min_n=2, max_n=4
    )


@pytest.mark.parametrize("protocol", [2, 3, 4, 5])
@pytest.mark.parametrize("limit", [1, 10**7])
def test_keyed_vectors(keyed, protocol, limit, tmp_path):
    path = tmp_path / "v.kv"
    keyed.save(str(path), pickle_protocol=protocol, sep_limit=limit)

    found = load(path)

    assert (tmp_path / "v.kv.vectors.npy").exists() == (limit == 1)
    assert list(found.words) == WORDS
    assert found.vectors.tobytes() == TABLE.tobytes()
    assert found.counts is None
    assert (found.name, found.repairs) == ("v", ())


@pytest.mark.parametrize("limit", [1, 10**7])
def test_word2vec_models_have_counts(word2vec, limit, tmp_path):
    path = tmp_path / "v.model"
    word2vec.save(str(path), sep_limit=limit)

    found = load(path)

    assert list(found.words) == word2vec.wv.index_to_key
    assert_allclose(found.vectors, word2vec.wv.vectors, atol=1e-6)
    counts = [word2vec.wv.get_vecattr(word, "count") for word in found.words]
    assert found.counts.tolist() == counts


@pytest.mark.parametrize("limit", [1, 10**7])
@pytest.mark.parametrize("part", ["model", "vectors"])
def test_fasttext_models_have_subwords(fasttext, part, limit, tmp_path):
    path = tmp_path / "v.model"
    (fasttext if part == "model" else fasttext.wv).save(str(path), sep_limit=limit)

    found = load(path, words=["cats"])

    words = fasttext.wv.index_to_key
    assert list(found.words) == [*words, "cats"]
    assert_allclose(found.vectors[:-1], fasttext.wv.vectors, atol=1e-6)
    for word in ("cats", "étés", "日本語", "straßen", "x y"):
        assert_allclose(found.vector_of(word), fasttext.wv[word], atol=1e-6)


def test_a_compressed_file_and_its_arrays(keyed, tmp_path):
    pytest.importorskip("smart_open")
    path = tmp_path / "v.kv.gz"
    keyed.save(str(path), sep_limit=1)

    assert (tmp_path / "v.kv.gz.vectors.npz").exists()
    assert load(path).vectors.tobytes() == TABLE.tobytes()


def test_a_limit(keyed, tmp_path):
    keyed.save(str(tmp_path / "v.kv"))

    assert list(load(tmp_path / "v.kv", limit=2).words) == WORDS[:2]


OLD = [
    "compatible-hash-true.model", "model-from-gensim-3.8.0.w2v", "old_keyedvectors_320.dat",
    "word2vec_3.3", "word2vec_old", "word2vec_old_sep", "old_w2v_models/w2v_0.13.4.mdl",
    "old_w2v_models/w2v_1.0.0.mdl", "old_w2v_models/w2v_2.3.0.mdl", "old_w2v_models/w2v_3.4.0.mdl",
]  # fmt: skip


@pytest.mark.parametrize("name", OLD)
@pytest.mark.filterwarnings("ignore")
def test_files_of_old_versions_have_the_vectors_that_gensim_finds(name, models):
    from gensim.test.utils import datapath

    path = datapath(name)
    kind = {"c": models.FastText, "o": models.KeyedVectors}.get(name[0], models.Word2Vec)
    theirs = (models.Word2Vec if "/" in name else kind).load(path)
    theirs = getattr(theirs, "wv", theirs)

    found = load(path)

    assert list(found.words) == theirs.index_to_key
    assert_allclose(found.vectors, theirs.vectors, atol=1e-6)


@pytest.mark.parametrize("name", ["word2vec_pre_kv_sep_py2", "word2vec_pre_kv_sep_py3"])
def test_files_that_gensim_4_cannot_read_are_read(name, models):
    from gensim.test.utils import datapath

    found = load(datapath(name))

    assert len(found) == 9
    assert_allclose(found.vectors, np.load(datapath(f"{name}.syn0.npy")))


def test_a_missing_array_is_named(keyed, tmp_path):
    path = tmp_path / "v.kv"
    keyed.save(str(path), sep_limit=1)
    (tmp_path / "v.kv.vectors.npy").unlink()

    with pytest.raises(BadData, match=r"v\.kv\.vectors\.npy: there is no such file"):
        load(path)


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "header is broken"),
        (b"\x93NUMPY\x01\x00", "header is broken"),
        (b"cat 1 2 3\n", "header is broken"),
        ("short", "the header announces"),
        ("objects", "contains pickled objects"),
        ("wide", "is no table of numbers"),
        ("text", "is no table of numbers"),
        ("rows", "4 words for 3 vectors"),
        ("nan", "is not finite"),
    ],
)
def test_a_hostile_array_file_gives_one_sentence(content, sentence, keyed, tmp_path):
    path = tmp_path / "v.kv"
    keyed.save(str(path), sep_limit=1)
    arrays = {
        "objects": np.array([[object()]], object), "wide": TABLE[None], "rows": TABLE[:3],
        "text": np.array([["a"]]), "nan": np.full((4, 3), np.nan, np.float32),
    }  # fmt: skip
    side = tmp_path / "v.kv.vectors.npy"
    if content == "short":
        side.write_bytes(side.read_bytes()[:-1])
    elif isinstance(content, bytes):
        side.write_bytes(content)
    else:
        np.save(side, arrays[content], allow_pickle=True)

    assert_one_sentence(path, sentence)


def assert_one_sentence(path, fragment, error=BadData):
    with pytest.raises(error) as caught:
        load(path)
    message = str(caught.value)
    assert fragment in message
    assert message.endswith(".")
    assert shown(message, 700) == message
    return message


def text(value):
    raw = value.encode()
    return b"\x8c" + bytes([len(raw)]) + raw


def named(module, name):
    return text(module) + text(name) + b"\x93"


def pickled(*parts, protocol=4):
    return b"\x80" + bytes([protocol]) + b"".join(parts) + b"."


MARKER = "MARKER"
TOUCH = named("os", "system") + text(f"touch {MARKER}") + b"\x85R"  # a call, by REDUCE
KEYED = named("gensim.models.keyedvectors", "KeyedVectors")


class Reduced:
    """An object whose unpickling calls a function."""

    def __init__(self, function, *arguments):
        self.call = function, arguments

    def __reduce__(self):
        return self.call


def state(**attributes):
    return b"}(" + b"".join(text(k) + v for k, v in attributes.items()) + b"u"


def in_vectors(payload):
    """Bare vectors, one of whose attributes is the payload."""
    return pickled(KEYED, b")\x81", state(vectors=payload), b"b")


CANARIES = {
    "os.system": pickled(TOUCH),
    "by GLOBAL": b"\x80\x02cos\nsystem\nX\x0c\x00\x00\x00touch MARKER\x85R.",
    "posix": pickled(named("posix", "system"), text("touch MARKER"), b"\x85R"),
    "subprocess": pickle.dumps(Reduced(subprocess.check_call, ["touch", MARKER])),
    "exec": pickle.dumps(Reduced(exec, f"open('{MARKER}','w').close()")),
    "eval": pickle.dumps(Reduced(eval, f"open('{MARKER}','w').close()")),
    "open": pickle.dumps(Reduced(open, MARKER, "w")),
    "getattr": pickled(named("builtins", "getattr"), text("a"), text("b"), b"\x86R"),
    "import": pickled(named("builtins", "__import__"), text("os"), b"\x85R"),
    "importlib": pickled(named("importlib", "import_module"), text("os"), b"\x85R"),
    "compile": pickled(named("builtins", "compile"), text("1"), text("x"), text("eval"), b"\x87R"),
    "runpy": pickled(named("runpy", "_run_code"), text("1"), b"\x85R"),
    "copyreg": pickled(named("copyreg", "_reconstructor"), b")R"),
    "operator": pickled(named("operator", "attrgetter"), text("system"), b"\x85R"),
    "functools": pickled(named("functools", "partial"), b")R"),
    "timeit": pickled(named("timeit", "timeit"), text(f"open('{MARKER}','w').close()"), b"\x85R"),
    "numpy.testing": pickled(named("numpy.testing._private.utils", "runstring"), b")R"),
    "numpy.load": pickled(named("numpy", "load"), text("x.npy"), b"\x85R"),
    "numpy.memmap": pickled(named("numpy", "memmap"), text(MARKER), b"\x85R"),
    "gensim.unpickle": pickled(named("gensim.utils", "unpickle"), text("x"), b"\x85R"),
    "gensim.load": pickled(named("gensim.models.keyedvectors", "KeyedVectors.load"), b")R"),
    "a dotted name": pickled(named("builtins", "dict.__class__"), b")R"),
    "NEWOBJ": pickled(named("subprocess", "Popen"), text("touch MARKER"), b"\x85\x81"),
    "NEWOBJ_EX": pickled(named("subprocess", "Popen"), text("touch MARKER"), b"\x85}\x92"),
    "OBJ": b"\x80\x02(cos\nsystem\nX\x0c\x00\x00\x00touch MARKERo.",
    "INST": b"\x80\x02(X\x0c\x00\x00\x00touch MARKERios\nsystem\n.",
    "PERSID": b"\x80\x02Ptouch MARKER\n.",
    "BINPERSID": pickled(text("touch MARKER"), b"Q"),
    "EXT1": pickled(b"\x82\x01"),
    "EXT4": pickled(b"\x84\x01\x00\x00\x00"),
    "NEXT_BUFFER": pickled(b"\x97", protocol=5),
    "in vectors": in_vectors(TOUCH),
    "in a dict": pickled(b"}(", text("a"), TOUCH, b"u"),
    "in a list": pickled(b"]", TOUCH, b"a"),
    "in a tuple": pickled(TOUCH, b"\x85"),
    "as a class": pickled(TOUCH, b")\x81"),
    "as state": pickled(KEYED, b")\x81", TOUCH, b"b"),
    "after a frame": pickled(b"\x95\x05" + bytes(7), TOUCH),
    "popped": pickled(TOUCH, b"0", KEYED, b")\x81"),
    "with a memo": pickled(named("os", "system"), b"\x94", text("touch MARKER"), b"\x85h\x00R"),
}


@pytest.mark.parametrize("name", CANARIES)
def test_no_canary_fires(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "v.kv"
    path.write_bytes(CANARIES[name])

    message = assert_one_sentence(path, "v.kv", UnsafeFormat)

    assert not Path(MARKER).exists()
    assert "code when it is opened" in message or "gensim does not write" in message


def test_the_canaries_would_fire(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("os.system", "by GLOBAL", "exec", "OBJ", "INST", "popped"):
        pickle.loads(CANARIES[name])
        assert Path(MARKER).exists(), name
        Path(MARKER).unlink()


def test_calls_of_listed_classes_are_refused(tmp_path):
    # A constructor with arguments would be a call; gensim writes NEWOBJ and BUILD.
    path = tmp_path / "v.kv"
    path.write_bytes(pickled(KEYED, b"K\x03\x85R"))

    assert_one_sentence(path, "calls gensim.models.keyedvectors.KeyedVectors")


def array(shape=b"K\x02K\x03\x86", kind="f4", data=None):
    """The opcodes of an array as NumPy pickles it."""
    data = TABLE[:2].tobytes() if data is None else data
    dtype = named("numpy", "dtype") + text(kind) + b"\x89\x88\x87R"
    dtype += b"(K\x03" + text("<") + b"NNNJ\xff\xff\xff\xffJ\xff\xff\xff\xffK\x00tb"
    new = named("numpy._core.multiarray", "_reconstruct")
    new += named("numpy", "ndarray") + b"K\x00\x85C\x01b\x87R"
    body = b"B" + struct.pack("<I", len(data)) + data
    return new + b"(K\x01" + shape + dtype + b"\x89" + body + b"tb"


def words(*found):
    return b"](" + b"".join(text(word) for word in found) + b"e"


def vectors(index=None, table=None, **others):
    parts = {"index_to_key": index or words("cat", "dog"), "vectors": table or array(), **others}
    return pickled(KEYED, b")\x81", state(**parts), b"b")


def test_the_hand_written_pickle_is_valid(write_file):
    found = load(write_file("v.kv", vectors()))

    assert list(found.words) == ["cat", "dog"]
    assert found.vectors.tobytes() == TABLE[:2].tobytes()


def integer(value):
    raw = value.to_bytes((value.bit_length() + 8) // 8, "little", signed=True)
    return b"\x8b" + struct.pack("<I", len(raw)) + raw


FT = named("gensim.models.fasttext", "FastTextKeyedVectors")


def subwords(**others):
    given = {"min_n": b"K\x02", "max_n": b"K\x04", "compatible_hash": b"\x88", "bucket": b"K\x02"}
    parts = {"index_to_key": words("cat", "dog"), "vectors_vocab": array(),
             "vectors_ngrams": array(), **given, **others}  # fmt: skip
    return pickled(FT, b")\x81", state(**parts), b"b")


HOSTILE = {
    "only a protocol": (b"\x80\x04", "broken or truncated"),
    "cut in an opcode": (vectors()[:-40], "broken or truncated"),
    "cut in a word": (vectors()[:60], "broken or truncated"),
    "no STOP": (vectors()[:-1], "broken or truncated"),
    "an unknown opcode": (pickled(b"\xff"), "broken or truncated"),
    "an empty stack": (pickled(b"a"), "broken or truncated"),
    "a mark on top": (pickled(b"("), "broken or truncated"),
    "no mark": (pickled(b"]e"), "broken or truncated"),
    "an unknown memo": (pickled(b"h\x07"), "broken or truncated"),
    "a value": (pickled(b"K\x01"), "is a pickle without vectors of gensim"),
    "a list": (pickled(b"]"), "is a pickle without vectors of gensim"),
    "a bare class": (pickled(KEYED), "is a pickle without vectors of gensim"),
    "an empty object": (pickled(KEYED, b")\x81"), "without words"),
    "no vectors": (pickled(KEYED, b")\x81", state(index_to_key=words("a")), b"b"),
                   "without vectors"),
    "vectors of text": (vectors(table=text("abc")), "without vectors"),
    "words of text": (vectors(index=text("abc")), "without words"),
    "fewer words": (vectors(index=words("cat")), "1 words for 2 vectors"),
    "more words": (vectors(index=words("a", "b", "c")), "3 words for 2 vectors"),
    "numbers as words": (vectors(index=b"](K\x01K\x02e"), "a word must be text, found int"),
    "lists as words": (vectors(index=b"](]]e"), "a word must be text, found list"),
    "NUL in a word": (vectors(index=words("a\0", "b")), "control characters"),
    "surrogates": (vectors(index=b"](\x8c\x03\xed\xa0\x80" + text("b") + b"e"), "not UTF-8"),
    "not UTF-8": (vectors(index=b"](\x8c\x02\xff\xfe" + text("b") + b"e"), "broken or truncated"),
    "a long word": (vectors(index=b"](X\xd0\x07\0\0" + b"x" * 2000 + text("b") + b"e"),
                    "more than 1,024 bytes"),
    "NaN": (vectors(table=array(data=np.full((2, 3), np.nan, "<f4").tobytes())), "not finite"),
    "a shape of other size": (vectors(table=array(b"K\x03K\x03\x86")), "array of 3 x 3 float32"),
    "a huge shape": (vectors(table=array(b"J\xff\xff\xff\x7fJ\xff\xff\xff\x7f\x86")), "array of"),
    "an endless shape": (vectors(table=array(integer(1 << 99) + b"K\x00\x86")), "unknown form"),
    "a negative shape": (vectors(table=array(b"J\xff\xff\xff\xffK\x03\x86")), "unknown form"),
    "a shape of text": (vectors(table=array(text("ab"))), "unknown form"),
    "many axes": (vectors(table=array(b"(" + b"K\x01" * 70 + b"t")), "unknown form"),
    "one axis": (vectors(table=array(b"K\x06\x85")), "is no table of numbers"),
    "integers": (vectors(table=array(kind="i4")), "is no table of numbers"),
    "an unknown type": (vectors(table=array(kind="f3")), "broken or truncated"),
    "objects": (vectors(table=array(kind="O8")), "without vectors"),
    "records": (vectors(table=array(kind="f4,f4")), "without vectors"),
    "a type that is a path": (vectors(table=array(kind="os.system")), "without vectors"),
    "side file elsewhere": (vectors(table=b"N", __numpys=b"](" + text("vectors") + b"e"),
                            "there is no such file"),
    "bytes in an encoding": (vectors(table=named("_codecs", "encode") + text("a") + text("rot13")
                                     + b"\x86R"), "unknown encoding"),
    "bytes of a number": (vectors(table=named("builtins", "bytes") + b"K\xff\x85R"),
                          "bytes of unknown form"),
    "a dict with a tuple as key": (pickled(b"}(", b")\x85", text("a"), b"u"), "keys are not text"),
    "the state of a list": (pickled(b"]}b"), "sets the state of a plain value"),
    "an odd dict": (pickled(b"}(", text("a"), b"u"), "broken or truncated"),
    "named arguments": (pickled(KEYED, b")}", text("a"), b"K\x01s\x92"), "named arguments"),
    "endless n-grams": (subwords(max_n=b"J\xff\xff\xff\x7f"), "n-grams of 2 to"),
    "negative n-grams": (subwords(min_n=b"J\xff\xff\xff\xff"), "n-grams of -1 to"),
    "a huge number": (subwords(bucket=integer(1 << 20000)), "v.kv"),
    "other buckets": (subwords(bucket=b"K\x09"), "2 n-gram vectors for 9 buckets"),
    "other own vectors": (subwords(index_to_key=words("cat")), "1 words for 2 vectors"),
}  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_pickle_gives_one_sentence(name, write_file):
    content, fragment = HOSTILE[name]
    path = write_file("v.kv", content)
    if name == "a huge number":  # a model without a usable number of buckets has no n-grams
        assert load(path).subwords is None
        return

    assert_one_sentence(path, fragment)


BOMBS = {
    "dicts": b"}" * 3_000_000,
    "lists in lists": b"](" + b"]" * 3_000_000 + b"e",
    "a memo": b"K\x01" + b"\x94" * 3_000_000,
    "many numbers": b"(" + b"K\x01" * 1_500_000 + b"t",
    "nested tuples": b")" + b"\x85" * 3_000_000,
    "doubled text": b"]" + b"\x94" + b"h\x00a" * 700_000,
    "an announced text": b"\x8d" + struct.pack("<Q", 1 << 40) + b"x" * 100,
    "announced bytes": b"\x8e" + struct.pack("<Q", 1 << 62) + b"x" * 100,
    "an announced frame": b"\x95" + struct.pack("<Q", 1 << 62) + b"x" * 100,
    "a long number": b"L" + b"9" * 3_000_000 + b"L\n",
    "a long binary number": b"\x8b" + struct.pack("<I", 1 << 30) + bytes(100),
}


@pytest.mark.parametrize("name", BOMBS)
def test_a_bomb_takes_little_memory(name, write_file):
    path = write_file("v.kv", pickled(BOMBS[name]))
    tracemalloc.start()

    assert_one_sentence(path, "v.kv")

    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 64 << 20


def test_only_listed_opcodes_and_names_are_interpreted():
    # Every opcode of Python is run on its own: none imports, and none raises another error.
    for opcode in pickletools.opcodes:
        content = b"\x80\x04" + opcode.code.encode("latin-1") + b"\x01\0\0\0\0\0\0\0\n\n."
        try:
            interpret("v.kv", io.BytesIO(content), len(content))
        except BadData as problem:
            assert str(problem).startswith("v.kv: ")  # noqa: PT017 - many succeed


def test_a_pickle_in_gz(keyed, tmp_path):
    keyed.save(str(tmp_path / "v.kv"))
    packed = tmp_path / "w.kv.gz"
    packed.write_bytes(gzip.compress((tmp_path / "v.kv").read_bytes()))

    assert load(packed).vectors.tobytes() == TABLE.tobytes()


def test_registered_extensions_are_not_used(write_file):
    copyreg.add_extension("os", "system", 200)
    try:
        assert_one_sentence(write_file("v.kv", pickled(b"\x82\xc8")), "EXT1", UnsafeFormat)
    finally:
        copyreg.remove_extension("os", "system", 200)

"""Encoders: how they are called, what they may return, and what is cached."""

import subprocess
import sys
from dataclasses import FrozenInstanceError
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest

import lexiscope
from lexiscope.core.errors import BadData, BadUsage
from lexiscope.data.vectors import Encoder, load
from lexiscope.data.vectors.encoders import encoded_words as _encoded

MANY = [f"w{n}" for n in range(600)]


@pytest.fixture(autouse=True)
def encoded(monkeypatch, tmp_path):
    """The cache folder of this test."""
    monkeypatch.setenv("LEXISCOPE_CACHE_DIR", str(tmp_path))
    return tmp_path / "encoded"


def numbers(text):
    """Four numbers that are unique to this text."""
    return list(sha256(text.encode()).digest()[:4])


class Model:
    """Gives every text a unique vector, and records its calls."""

    def __init__(self):
        self.calls = []

    def encode(self, texts):
        self.calls.append(list(texts))
        return [numbers(text) for text in texts]

    @property
    def seen(self):
        return {text for texts in self.calls for text in texts}


class Other(Model):
    """Another class with the same vectors."""


class Shifted(Model):
    """The same vectors except for one number."""

    def encode(self, texts):
        return np.array(super().encode(texts)) + 1


def read(model, words=("cat", "horse"), **settings):
    return load(Encoder(model, **settings), words=list(words))


def test_a_word_gets_the_vector_that_the_model_gives():
    found = load(Model(), words=["cat", "horse", "cat"])

    assert list(found.words) == ["cat", "horse"]
    assert found.vectors.tolist() == [numbers("cat"), numbers("horse")]
    assert found.vectors.dtype == np.float32
    assert found.name == "model"


def test_the_encoder_is_a_public_value():
    encoder = lexiscope.Encoder(Model(), name="mine")

    assert lexiscope.load(encoder, words=["cat"]).name == "mine"
    assert lexiscope.load(encoder, words=["cat"], name="given").name == "given"
    with pytest.raises(FrozenInstanceError):
        encoder.batch = 1


def test_a_function_is_an_encoder_too():
    def my_vectors(texts):
        return np.array([numbers(text) for text in texts])

    assert read(my_vectors)["cat"].tolist() == numbers("cat")
    assert read(my_vectors).name == "my_vectors"
    assert read(lambda texts: my_vectors(texts)).name == "encoder"
    assert read(Model().encode).vectors.tolist() == read(my_vectors).vectors.tolist()


def test_texts_are_encoded_in_batches():
    model = Model()

    found = read(model, MANY, batch=250, cache=False)

    assert [len(texts) for texts in model.calls] == [16, 16, 250, 250, 100]
    assert [text for texts in model.calls[2:] for text in texts] == MANY
    assert found["w599"].tolist() == numbers("w599")


def test_progress_is_reported():
    reports = []

    load(Encoder(Model(), batch=400), words=MANY, progress=lambda *event: reports.append(event))

    assert reports == [("model", 400, 600), ("model", 600, 600)]


def test_the_word_is_inserted_into_the_template():
    found = read(Model(), template="a photo of a {word}, {word}!")

    assert list(found.words) == ["cat", "horse"]
    assert found["cat"].tolist() == numbers("a photo of a cat, cat!")


@pytest.mark.parametrize(
    "word", ["{word}", "{0}", "{", "}}", "%s", "\\1", "été", "日本", "\u202ex"]
)
def test_no_word_is_interpreted_by_the_template(word):
    assert read(Model(), [word], template="{x} a {word}")[word].tolist() == numbers(
        f"{{x}} a {word}"
    )


@pytest.mark.parametrize("template", ["", "a photo", "a photo of a {}", "{Word}", "{ word }"])
def test_a_template_without_the_word_field_is_refused(template):
    with pytest.raises(BadUsage, match=r"A template must contain \{word\}"):
        Encoder(Model(), template)


@pytest.mark.parametrize("batch", [0, -1])
def test_an_empty_batch_is_refused(batch):
    with pytest.raises(BadUsage, match="A batch must have 1 text or more"):
        Encoder(Model(), batch=batch)


@pytest.mark.parametrize(
    ("model", "found"),
    [
        (None, "NoneType"),
        (7, "int"),
        ("all-MiniLM-L6-v2", "the text 'all-MiniLM-L6-v2'"),
        (Model, "the class Model"),
    ],
)
def test_an_object_that_cannot_encode_is_refused(model, found):
    with pytest.raises(BadUsage, match=rf"or a function, found {found}\."):
        Encoder(model)


def test_underscores_of_phrases_reach_the_model_as_spaces():
    model = Model()

    found = read(model, ["New_York", "rock_n_roll", "New York", "^_^", "__init__", "_", "a__b"])

    assert found["New_York"].tolist() == found["New York"].tolist() == numbers("New York")
    assert found["rock_n_roll"].tolist() == numbers("rock n roll")
    for word in ("^_^", "__init__", "_", "a__b"):
        assert found[word].tolist() == numbers(word)
    assert model.calls[-1].count("New York") == 1
    assert "New_York as 'New York'" in found.origin


def test_the_origin_names_model_and_template():
    found = read(Model(), template="a\n{word}", cache=False)

    assert found.origin == "Model of 'a�{word}', New_York as 'New York', not cached"


@pytest.mark.parametrize("words", [None, [], "cat"])
def test_an_encoder_needs_words(words):
    with pytest.raises(BadUsage, match="word"):
        load(Model(), words=words)


@pytest.mark.parametrize(
    ("word", "sentence"),
    [
        ("", "the word is empty"),
        ("a\nb", "control characters"),
        ("\x1b[31m", "control characters"),
        ("\ud800", "not UTF-8"),
        ("x" * 1025, "more than 1,024 bytes"),
        (7, "a word must be text, found int"),
    ],
)
def test_hostile_words_are_refused_before_encoding(word, sentence):
    model = Model()

    with pytest.raises(BadData, match=f"words: word 2: .*{sentence}"):
        load(model, words=["cat", word])
    assert not model.calls


class Tensor:
    """The interface of PyTorch tensors; NumPy cannot convert it directly."""

    def __init__(self, values):
        self.values = values

    def cpu(self):
        return self

    def numpy(self):
        return np.array(self.values, np.float32)

    def __array__(self, *_):
        raise TypeError("can't convert cuda:0 device type tensor to numpy")


@pytest.mark.parametrize(
    "shape",
    [
        lambda rows: rows,
        tuple,
        np.array,
        lambda rows: np.array(rows, np.float16),
        Tensor,
        lambda rows: [Tensor(row) for row in rows],
        lambda rows: [np.array(row) for row in rows],
    ],
)
def test_vectors_may_come_as_lists_arrays_and_tensors(shape):
    found = read(lambda texts: shape([numbers(text) for text in texts]))

    assert found.vectors.tolist() == [numbers("cat"), numbers("horse")]


def test_a_single_text_may_get_a_vector_instead_of_a_table():
    def squeezed(texts):
        return np.squeeze([numbers(text) for text in texts])

    assert read(squeezed, ["cat"]).vectors.tolist() == [numbers("cat")]
    assert read(squeezed, batch=1).vectors.tolist() == [numbers("cat"), numbers("horse")]


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        (lambda texts: np.ones((len(texts) - 1, 2)), r"2 texts got 1 vectors"),
        (lambda texts: np.ones((len(texts) + 1, 2)), r"2 texts got 3 vectors"),
        (lambda texts: np.ones(len(texts)), r"found \(2,\) of float64"),
        (lambda texts: np.ones((len(texts), 3, 2)), r"found \(2, 3, 2\) of float64"),
        (lambda texts: np.ones((len(texts), 0)), r"found \(2, 0\) of float64"),
        (lambda texts: [["a"] for _ in texts], r"found \(2, 1\) of <U1"),
        (lambda texts: np.ones((len(texts), 1), complex), r"of complex128"),
        (lambda texts: None, r"found \(\) of object"),
        (lambda texts: [[1] * len(text) for text in texts], "vectors have different lengths"),
        (lambda texts: [[len(text), np.nan] for text in texts], "of 'cat' is not finite"),
        (lambda texts: [[1e300 * (text == "horse")] for text in texts], "'horse' is not finite"),
    ],
)
def test_encoder_output_that_is_not_a_table_is_refused(answer, sentence, encoded):
    with pytest.raises(BadData, match=sentence):
        read(answer)
    assert not encoded.exists()


def test_batches_of_different_lengths_are_refused():
    with pytest.raises(BadData, match="the vectors have different lengths"):
        read(lambda texts: np.ones((len(texts), 2 + ("w400" in texts))), MANY)


def test_a_random_encoder_is_refused(encoded):
    rng = np.random.default_rng(0)

    with pytest.raises(BadData, match=r"a different vector in a second call.*call model\.eval\(\)"):
        read(lambda texts: rng.standard_normal((len(texts), 4)))
    assert not encoded.exists()


def test_an_encoder_with_rounding_errors_is_accepted_but_not_cached(encoded):
    rng = np.random.default_rng(0)

    def nearly(texts):
        exact = np.array([numbers(text) for text in texts], float)
        return exact * (1 + 1e-5 * rng.standard_normal(exact.shape))

    assert read(nearly).vectors == pytest.approx(np.array([numbers("cat"), numbers("horse")]), 1e-3)
    assert read(nearly).origin.endswith("not cached")
    assert not encoded.exists()


def test_encoded_words_are_not_encoded_again():
    read(Model(), MANY)
    model = Model()

    found = read(model, [*MANY, "new"])

    assert sum("w" in text and text[1:].isdigit() for text in model.seen) == 16  # a sample
    assert model.calls[-1] == ["new"]
    assert found.vectors.tolist() == [numbers(word) for word in [*MANY, "new"]]


def test_words_are_returned_in_the_given_order():
    read(Model(), ["b", "d"])

    found = read(Model(), ["a", "b", "c", "d", "e"])

    assert list(found.words) == ["a", "b", "c", "d", "e"]
    assert found.vectors.tolist() == [numbers(word) for word in "abcde"]


def test_with_a_key_the_model_is_not_called():
    read(Model(), key="model 1")
    model = Model()

    found = read(model, key="model 1")

    assert not model.calls
    assert found.vectors.tolist() == [numbers("cat"), numbers("horse")]
    assert found.origin.startswith("Model of '{word}', New_York as 'New York', cached as ")


def test_a_reused_key_of_a_changed_model_is_detected_by_dimension():
    read(Model(), ["cat"], key="k")
    changed = Model()
    changed.encode = lambda texts: np.ones((len(texts), 7))

    with pytest.raises(BadData, match="model, cached and new: the vectors have different lengths"):
        read(changed, ["cat", "horse"], key="k")


@pytest.mark.parametrize(
    ("model", "settings"),
    [
        (Shifted, {}),
        (Other, {}),
        (Model, {"template": "a {word}"}),
        (Model, {"key": "mine"}),
        (Model, {"cache": False}),
    ],
)
def test_encoders_and_templates_have_separate_caches(model, settings):
    before = read(Model(), MANY)
    other = model()

    found = read(other, MANY, **settings)

    template = settings.get("template", "{word}")
    assert {template.replace("{word}", word) for word in MANY} <= other.seen
    assert found.origin != before.origin


def test_cache_false_writes_no_file(encoded):
    read(Model(), cache=False)

    assert not encoded.exists()


class Table(Model):
    """A look-up table with one vector for all unknown words."""

    def __init__(self, **vectors):
        super().__init__()
        self.vectors_of = vectors

    def encode(self, texts):
        super().encode(texts)
        return [self.vectors_of.get(text, [0, 0]) for text in texts]


class Strict(Table):
    """A look-up table that fails for unknown words."""

    def encode(self, texts):
        return [self.vectors_of[text] for text in texts]


@pytest.mark.parametrize("kind", [Table, Strict])
def test_a_look_up_table_without_the_probe_texts_is_not_cached(kind, encoded):
    assert load(kind(sun=[1, 2]), words=["sun"]).vectors.tolist() == [[1, 2]]
    assert load(kind(sun=[3, 4]), words=["sun"]).vectors.tolist() == [[3, 4]]
    assert not encoded.exists()


class Weighted(Model):
    """A model whose weights affect one word only."""

    def __init__(self, weight):
        super().__init__()
        self.weights = np.array([weight])

    def encode(self, texts):
        super().encode(texts)
        return [[self.weights[0] * (text == "w77"), *numbers(text)] for text in texts]


def test_weights_that_changed_for_one_word_are_noticed():
    read(Weighted(1.0), MANY)

    assert read(Weighted(2.0), MANY)["w77"].tolist() == [2, *numbers("w77")]
    assert read(Weighted(1.0), MANY)["w77"].tolist() == [1, *numbers("w77")]


def test_cached_vectors_that_the_encoder_no_longer_gives_are_dropped(monkeypatch):
    monkeypatch.setattr(_encoded, "_identity", lambda encoder: "same")
    read(Model(), MANY)

    found = read(Shifted(), MANY)

    assert found["w5"].tolist() == [number + 1 for number in numbers("w5")]
    assert read(Shifted(), ["w5"])["w5"].tolist() == found["w5"].tolist()


def only(encoded):
    (file,) = encoded.iterdir()
    return file


def flipped(content):
    return content[:-3] + bytes([content[-3] ^ 1]) + content[-2:]


@pytest.mark.parametrize(
    "damage",
    [
        lambda content: b"",
        lambda content: b"cat 1 2 3 4\n",
        lambda content: b"\x80\x04.",
        lambda content: content[:-7],
        lambda content: content[:20],
        lambda content: content + b"\0",
        flipped,
        lambda content: content.replace(b"horse", b"house"),
    ],
)
def test_a_damaged_file_is_ignored_and_rewritten(damage, encoded):
    read(Model(), key="k")
    file = only(encoded)
    whole, content = load(file).fingerprint, file.read_bytes()
    file.unlink()
    file.write_bytes(damage(content))
    model = Model()

    assert read(model, key="k").vectors.tolist() == [numbers("cat"), numbers("horse")]
    assert model.calls
    assert load(only(encoded)).fingerprint == whole


def test_a_file_under_the_name_of_another_encoder_is_ignored(encoded):
    read(Shifted(), key="k")
    stranger = only(encoded).read_bytes()
    only(encoded).unlink()
    read(Model(), key="k")
    only(encoded).write_bytes(stranger)

    assert read(Model(), key="k")["cat"].tolist() == numbers("cat")


class Interrupted(Model):
    """A model that is interrupted with Ctrl-C at a word."""

    at = "w300"

    def encode(self, texts):
        if self.at in texts:
            raise KeyboardInterrupt
        return super().encode(texts)


def test_words_encoded_before_an_interruption_are_cached():
    with pytest.raises(KeyboardInterrupt):
        read(Interrupted(), MANY, batch=100)
    model = Interrupted()
    model.at = ""

    found = read(model, MANY, batch=300)

    assert model.calls[-1] == MANY[300:]
    assert found.vectors.tolist() == [numbers(word) for word in MANY]


def test_finished_words_are_cached_while_the_encoder_works(monkeypatch, encoded):
    monkeypatch.setattr(_encoded, "_SECONDS", 0.0)
    monkeypatch.setattr(_encoded, "_WRITE_INTERVAL", 0)
    lengths = []

    def watch(name, done, of):
        lengths.append(len(load(only(encoded))) if encoded.exists() else 0)

    found = load(Encoder(Model(), batch=200), words=MANY, progress=watch)

    assert lengths == [0, 200, 400]
    assert len(load(only(encoded))) == 600
    assert found.vectors.tolist() == [numbers(word) for word in MANY]


def test_an_unwritable_cache_does_not_change_vectors(encoded):
    encoded.write_text("a file where the folder should be")

    found = read(Model())

    assert found.vectors.tolist() == [numbers("cat"), numbers("horse")]
    assert "could not be cached" in found.repairs[0]


WRITER = """
import sys
from tests.data.vectors.encoders.test_encoder import Model, read
start = int(sys.argv[1])
for n in range(start, start + 40, 4):
    found = read(Model(), [f"w{m}" for m in range(start, n + 4)], key="shared")
    assert len(found) == n + 4 - start
"""


def test_two_processes_that_write_at_once_leave_a_complete_file(encoded):
    root = Path(__file__).parents[4]
    writers = [
        subprocess.Popen([sys.executable, "-c", WRITER, str(start)], cwd=root) for start in (0, 20)
    ]
    assert [writer.wait(120) for writer in writers] == [0, 0]

    kept = load(only(encoded))
    assert kept.vectors.tolist() == [numbers(word) for word in kept.words]
    found = read(Model(), MANY[:60], key="shared")
    assert found.vectors.tolist() == [numbers(word) for word in MANY[:60]]


def test_the_example_of_the_page_runs(capsys):
    page = Path(__file__).parents[4] / "docs" / "vectors.md"
    example = page.read_text("utf-8").partition("## Encoders")[2]
    example = example.partition("```python\n")[2].partition("```")[0]

    exec(example, {})

    printed = capsys.readouterr().out
    assert "Embedding('letters', 2 words x 26)" in printed
    assert "letters of 'a photo of a {word}', New_York as 'New York', cached as " in printed

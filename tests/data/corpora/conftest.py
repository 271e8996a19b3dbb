import pytest

from lexiscope.data import corpora


@pytest.fixture
def place(tmp_path):
    """Writes a file and returns its path."""

    def write(name, content):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return write


@pytest.fixture
def corpus_of(place):
    """Returns the corpus of a text, read from a file."""

    def read(text, steps, **more):
        return corpora.read(place("text.txt", text), steps, **more)

    return read

import pytest

from lexiscope.data import corpora


@pytest.fixture
def write_file(tmp_path):
    """Writes a file and returns its path."""

    def write(name, content):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return write


@pytest.fixture
def corpus_of(write_file):
    """Returns the corpus of a text, read from a file."""

    def read(text, steps, **more):
        return corpora.read(write_file("text.txt", text), steps, **more)

    return read

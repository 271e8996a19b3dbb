import pytest


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("vectors")


@pytest.fixture
def write_file(tmp_path):
    """Writes bytes to a file and returns its path."""

    def write(name, content):
        path = tmp_path / name
        path.write_bytes(content)
        return path

    return write

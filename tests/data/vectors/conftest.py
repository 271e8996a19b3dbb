import pytest


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("vectors")


@pytest.fixture
def place(tmp_path):
    """Writes bytes under a name and says where they stand."""

    def write(name, content):
        path = tmp_path / name
        path.write_bytes(content)
        return path

    return write

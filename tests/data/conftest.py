import pytest

from lexiscope.data.wordnet import WordNet, load_entry
from tests.data.local_files import fetched


@pytest.fixture(scope="session")
def real_wordnet() -> WordNet:
    """WordNet 3.1, read once for all tests."""
    return load_entry("wordnet-3.1", fetched("wordnet-3.1").paths("wordnet-3.1"))

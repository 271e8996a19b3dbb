import pytest

from lexiscope.data.wordnet import WordNet, catalogued
from tests.data.at_hand import fetched


@pytest.fixture(scope="session")
def real_wordnet() -> WordNet:
    """WordNet 3.1, read once for all tests."""
    return catalogued("wordnet-3.1", fetched("wordnet-3.1").files("wordnet-3.1"))

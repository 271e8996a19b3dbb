"""A cluster that tests share, as long as they do not end parts of it."""

import pytest

from tests.cluster.separate_workers import Cluster


@pytest.fixture(scope="session")
def cluster(tmp_path_factory):
    """A scheduler and two workers without a common folder."""
    pytest.importorskip("distributed")
    found = Cluster(tmp_path_factory.mktemp("cluster"))
    yield found
    found.end()


@pytest.fixture
def fragile_cluster(tmp_path):
    """A cluster of which parts may be ended."""
    pytest.importorskip("distributed")
    found = Cluster(tmp_path)
    yield found
    found.end()

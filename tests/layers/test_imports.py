import subprocess
import sys

import pytest

import lexiscope

HEAVY = ("numpy", "scipy", "sklearn", "pandas", "altair", "numba", "click", "rich", "dask")


def test_importing_lexiscope_loads_nothing_heavy():
    code = f"import sys, lexiscope; print([name for name in {HEAVY} if name in sys.modules])"

    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert found.stdout.strip() == "[]"


@pytest.mark.parametrize("name", lexiscope.__all__)
def test_every_public_name_is_there(name):
    assert getattr(lexiscope, name) is not None
    assert name in dir(lexiscope)


def test_a_name_that_is_not_there_is_an_attribute_error():
    with pytest.raises(AttributeError, match="lexiscope attribute nothing"):
        _ = lexiscope.nothing

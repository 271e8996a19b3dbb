"""Scores, intervals, p-values and trained bytes are what they were: see `record.py`."""

import json
from math import isclose

import pytest

from tests.reference.record import ENVIRONMENT, GROUPS, computed, environment, recorded

_SHOWN = 20


@pytest.fixture(autouse=True)
def _same_environment():
    was, now = json.loads(ENVIRONMENT.read_text("utf-8")), environment()
    if was != now:
        pytest.skip(f"the numbers were recorded with {was}, this is {now}")


@pytest.mark.parametrize("group", GROUPS)
def test_numbers_are_what_they_were(group, tmp_path):
    was, now = recorded(group), computed(group, tmp_path)

    changed = [
        f"{key}: {was.get(key, 'nothing')}, now {now.get(key, 'nothing')}"
        for key in sorted({*was, *now})
        if not same(was.get(key), now.get(key))
    ]

    assert was
    report = "\n".join(changed[:_SHOWN])
    assert not changed, f"{len(changed)} of {len(was)} numbers changed:\n{report}"


def same(was, now):
    """Whether words and hashes are equal, and numbers to twelve digits."""
    if isinstance(was, int | float) and isinstance(now, int | float):
        return isclose(was, now, rel_tol=1e-12, abs_tol=1e-12)
    return was == now

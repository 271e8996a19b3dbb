"""Seeded mutations of every kind of input; `benchmarks/attack.py` does the same at length."""

import os
import time

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import seed as seeded_by
from hypothesis import strategies as st

from lexiscope.core.errors import LexiscopeError
from lexiscope.data.vectors import load
from tests.attack.mutators import mutated
from tests.attack.targets import MARKER, TARGETS, attack

FEW = {"stores": 12, "studies": 40}  # slow ones; the other kinds get more
SECONDS = float(os.environ.get("LEXISCOPE_FUZZ_SECONDS", "3"))


@pytest.fixture(autouse=True)
def _here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("target", TARGETS)
def test_every_input_is_accepted_or_refused_with_one_sentence(target, tmp_path):
    for seed in range(FEW.get(target, 60)):
        folder = tmp_path / str(seed)
        folder.mkdir()
        assert attack(target, seed, folder) in ("accepted", "refused"), (target, seed)
        assert not (folder / MARKER).exists()


@pytest.mark.parametrize("target", TARGETS)
def test_every_valid_input_is_accepted(target, tmp_path):
    for name, content in TARGETS[target].contents().items():
        folder = tmp_path / name.replace(".", "-")
        folder.mkdir()
        (folder / name).write_bytes(content)
        TARGETS[target].read(folder / name, 0)


def test_mutations_are_repeatable():
    content = bytes(range(200))

    first, again, other = (mutated(content, np.random.default_rng(seed)) for seed in (1, 1, 2))

    assert first == again
    assert first not in (other, content)


FORMATS = st.sampled_from(
    [b"", b"2 2\n", b"\x93NUMPY\1\0", b"PK\3\4", b"\x80\4", b"PAR1", b'{"', b"\x1f\x8b", b"BZh9",
     b"\xfd7zXZ\0", bytes([8, 0, 0, 0, 0, 0, 0, 0]) + b"{", b"\xba\x16\x4f\x2f", b"floret"]
)  # fmt: skip
WORDS = st.text(max_size=12).map(lambda text: text.encode("utf-8", "surrogatepass"))
NUMBERS = st.one_of(
    st.floats().map(lambda number: repr(number).encode()), st.integers().map(lambda n: b"%d" % n)
)
ROWS = st.lists(st.builds(lambda word, *more: b" ".join((word, *more)), WORDS, NUMBERS, NUMBERS))
CONTENTS = st.one_of(
    st.builds(bytes.__add__, FORMATS, st.binary(max_size=300)),
    st.builds(lambda head, rows: head + b"\n".join(rows), FORMATS, ROWS),
)


def test_generated_vector_files_are_accepted_or_refused_within_a_time_bound(tmp_path):
    """LEXISCOPE_FUZZ_SECONDS sets the time."""
    end, path = time.monotonic() + SECONDS, tmp_path / "v.vec"

    def fuzz(content, on_error):
        path.write_bytes(content)
        try:
            found = load(path, on_error=on_error)
        except LexiscopeError:
            return
        assert len(found) == len(found.words) > 0
        assert np.isfinite(np.asarray(found.vectors)).all()

    rounds = 0
    while rounds == 0 or time.monotonic() < end:
        policies = st.sampled_from(["stop", "skip", "replace"])
        small = settings(max_examples=100, database=None, suppress_health_check=list(HealthCheck))
        seeded_by(rounds)(small(given(CONTENTS, policies)(fuzz)))()
        rounds += 1

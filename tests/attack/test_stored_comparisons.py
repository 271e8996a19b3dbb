"""Comparisons of many embeddings take long: a killed run repeats only those of one evaluation."""

import pytest

import lexiscope
from lexiscope.evaluation.findings import find
from lexiscope.store.store import Store
from tests.builders import seeded, synthetic_pairs, synthetic_words

WORDS = synthetic_words(30)
KINDS = ("results", "comparisons", "coverage", "model_comparisons", "disagreements")


def plan():
    return {
        "embeddings": [seeded(name, WORDS, seed) for seed, name in enumerate("abc")],
        "tasks": ["similarity", "analogy"],
        "datasets": [
            *(synthetic_pairs(20, 30, k, f"d{k}") for k in range(3)),
            lexiscope.Analogies.example(),
        ],
        "seed": 3,
    }


class Killed(BaseException):
    """The end of a process."""


@pytest.fixture
def compared(monkeypatch):
    """The datasets whose comparisons were computed; the third one kills the run once."""
    usual, datasets = find.compare_pairs, []

    def compare_pairs(evaluation, *rest):
        if len(set(datasets)) == 2 and evaluation.dataset not in datasets and not killed:
            killed.append(1)
            raise Killed
        datasets.append(evaluation.dataset)
        return usual(evaluation, *rest)

    killed = []
    monkeypatch.setattr(find, "compare_pairs", compare_pairs)
    return datasets


def test_a_killed_run_keeps_its_comparisons(tmp_path, compared):
    path = tmp_path / "s.sqlite"
    with pytest.raises(Killed):
        lexiscope.run(**plan(), execution=lexiscope.Execution(path))
    first = set(compared)
    assert len(first) == 2
    compared.clear()

    found = lexiscope.run(**plan(), execution=lexiscope.Execution(path))

    assert compared
    assert not first & set(compared)
    undisturbed = lexiscope.run(**plan())
    assert [getattr(found, kind) for kind in KINDS[1:]] == [
        getattr(undisturbed, kind) for kind in KINDS[1:]
    ]
    assert [r.value for r in found.results] == [r.value for r in undisturbed.results]
    with Store(path, read_only=True) as store:
        assert store.parts(found.run) == {}
        assert "part" not in store.findings(found.run)


def test_a_damaged_part_is_computed_again(tmp_path, compared):
    path = tmp_path / "s.sqlite"
    with pytest.raises(Killed):
        lexiscope.run(**plan(), execution=lexiscope.Execution(path))
    first = set(compared)
    with Store(path) as store:
        store._database.execute(
            """UPDATE finding SET content = replace(content, '"items": 20', '"items": "x"')"""
        )
        (run,) = store.runs()
        assert all("'x'" in str(part) for part in store.parts(run["id"]).values())
    compared.clear()

    found = lexiscope.run(**plan(), execution=lexiscope.Execution(path))

    assert first <= set(compared)
    assert found.comparisons == lexiscope.run(**plan()).comparisons

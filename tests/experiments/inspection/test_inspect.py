import json

import numpy as np
import pytest

import lexiscope
from lexiscope.core.errors import BadUsage
from tests.builders import seeded, synthetic_pairs, synthetic_words

WORDS = synthetic_words(300)


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    folder = tmp_path_factory.mktemp("sets")
    sets = {"x": ["w1", "w2", "W3", "nowhere"], "y": ["w4", "w5"], "a": ["w6"], "b": ["w7", "w8"]}
    tests = [
        {"name": "T", "targets": ["x", "y"], "attributes": ["a", "b"]},
        {"name": "U", "targets": ["x", "a"], "attributes": ["y", "b"]},
    ]
    (folder / "sets.json").write_text(json.dumps({"sets": sets, "tests": tests}))
    plan = lexiscope.InspectionPlan(
        queries=WORDS[:20],
        thresholds=(100, 150),
        neighbours=50,
        transforms=("centred", "first=200@abtt=2"),
        datasets=(synthetic_pairs(60, 40),),
        bias=folder / "sets.json",
    )
    vectors = {name: seeded(name, WORDS, seed) for seed, name in enumerate(("one", "two"))}
    return lexiscope.inspect(vectors, plan=plan)


def test_an_inspection_has_all_parts_and_becomes_json(found):
    assert [each.embedding for each in found.embeddings] == ["one", "two"]
    assert [(each.first, each.second) for each in found.agreement] == [("one", "two")]
    document = json.loads(json.dumps(found.to_dict()))
    assert document["manifest"]["transforms"][1]["name"] == "one@first=200@abtt=2"
    assert len({each["fingerprint"] for each in document["manifest"]["transforms"]}) == 4
    assert list(found.to_frame()["threshold"]) == [100, 150] * 2


def test_the_effect_of_a_transform_is_that_of_a_run(found):
    one = seeded("one", WORDS, 0)
    vectors = {"one": one, "centred": one.centred()}
    run = lexiscope.run(vectors, datasets=synthetic_pairs(60, 40), tasks="similarity")

    effect = next(
        each
        for each in found.transforms
        if (each.embedding, each.transform, each.task) == ("one", "centred", "similarity")
    )
    assert (effect.before, effect.after) == tuple(each.value for each in run.main())
    assert effect.difference.value == pytest.approx(-run.comparisons[0].difference)
    assert effect.difference.low == pytest.approx(-run.comparisons[0].high)
    assert effect.p_holm >= run.comparisons[0].p
    assert effect.outcome in ("different", "equivalent", "undecided")


def test_the_probe_is_repeated_after_each_transform_on_the_same_words(found):
    assert [(each.embedding, each.transform) for each in found.transform_probes] == [
        (name, transform)
        for name in ("one", "two")
        for transform in ("centred", "first=200@abtt=2")
    ]
    centred = lexiscope.inspect(
        seeded("one", WORDS, 0).centred(),
        plan=lexiscope.InspectionPlan(queries=WORDS[:20], thresholds=(100, 150), neighbours=50),
    ).embeddings[0]
    assert found.transform_probes[0].probe == centred.probe


@pytest.mark.parametrize("written", ["source", "option"])
def test_the_frequency_direction_is_that_of_the_given_frequencies(written, tmp_path):
    # Counts are unrelated to the order of the words; the last word has none.
    rng = np.random.default_rng(0)
    counts = {
        word: int(n) for word, n in zip(WORDS[:-1], 10 ** rng.uniform(0, 4, 299), strict=True)
    }
    vectors = rng.normal(size=(300, 8))
    logs = np.log(list(counts.values()))
    vectors[:-1, 0] += 2 * (logs - logs.mean())
    lexiscope.save(lexiscope.load((WORDS, vectors), name="v"), tmp_path / "v.txt")
    source = str(tmp_path / "v.txt")
    plan = lexiscope.InspectionPlan(
        queries=WORDS[:20], thresholds=(100,), neighbours=50, datasets=(synthetic_pairs(60, 40),),
        transforms=("frequency",) if written == "option" else (),
    )  # fmt: skip

    found = lexiscope.inspect(
        source + ("@frequency" if written == "source" else ""), plan=plan, frequencies=counts
    )

    after = found.transform_probes[0].probe if written == "option" else found.embeddings[0].probe
    assert after.points[0].accuracy.value < 0.65
    if written == "option":
        assert found.embeddings[0].probe.points[0].accuracy.value > 0.8
        assert "log given counts" in found.manifest["transforms"][0]["origin"]


def test_missing_words_and_words_left_out_are_listed(found):
    usable, too_few = found.embeddings[0].bias

    assert usable.words == (2, 2, 1, 2)
    assert usable.absent == ("nowhere",)
    assert len(usable.left_out) == 1  # W3 is found in lower case, and one of three is left out
    assert set(usable.left_out) <= {"w1", "w2", "W3"}
    assert usable.effect_size.low <= usable.effect_size.value <= usable.effect_size.high
    assert usable.partitions == 6
    assert too_few.effect_size.value is None
    assert "a test needs 2 of each target set" in too_few.effect_size.state


def test_transforms_that_change_nothing_are_refused():
    plan = lexiscope.InspectionPlan(transforms=("centred", "centred@centred"))
    vectors = {"one": seeded("one", WORDS).centred()}

    with pytest.raises(BadUsage, match="give the same vectors, or one changes nothing"):
        lexiscope.inspect(vectors, plan=lexiscope.InspectionPlan(transforms=("first=300",)))
    with pytest.raises(BadUsage, match="After @ write centred"):
        lexiscope.inspect(vectors, plan=lexiscope.InspectionPlan(transforms=("pca",)))
    assert plan.transforms == ("centred", "centred@centred")


def matrix(words, dimension=20):
    return [f"w{k}" for k in range(words)], np.random.default_rng(0).normal(size=(words, dimension))


def sparse(words, dimension=20):
    from scipy.sparse import csr_array

    return matrix(words)[0], csr_array(np.maximum(matrix(words, dimension)[1], 0))


@pytest.mark.parametrize(
    "vectors",
    [
        matrix(1), matrix(2), matrix(3), matrix(200, 1), sparse(300),
        (matrix(300)[0], np.ones((300, 20))), (matrix(300)[0], np.zeros((300, 20))),
        (["<b>", "=1+1", "a\u202eb", "", *matrix(100)[0]][:3] + matrix(100)[0], matrix(103)[1]),
    ],
    ids=["one", "two", "three", "one dimension", "sparse", "repeated", "zero", "hostile"],
)  # fmt: skip
def test_unusual_vectors_are_inspected_and_what_is_undefined_has_a_reason(vectors):
    plan = lexiscope.InspectionPlan(queries=["w1", "w2"], thresholds=(100,))
    found = lexiscope.inspect({"odd": vectors}, plan=plan).embeddings[0]

    assert found.probe.points or found.probe.state
    assert found.neighbours.points or found.neighbours.state
    for point in found.shape:
        assert point.value.value is not None or point.value.state
    assert found.map.points or found.map.state

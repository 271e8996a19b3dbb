import numpy as np
import pytest

from lexiscope.core.datasets import Categories
from lexiscope.core.datasets.base import word_array
from lexiscope.core.errors import BadData, BadUsage, UnknownName
from lexiscope.core.execution import Execution
from lexiscope.experiments.curves.protocol import Protocol
from lexiscope.experiments.curves.run import curve_plan, curves, measure
from lexiscope.experiments.curves.sweep import run_curves
from lexiscope.experiments.curves.vectors import RANDOM
from lexiscope.store.store import Store
from tests.experiments.curves.builders import categories, embedding, pairs, relations, texts

FEW = Protocol(repeats=2, sizes=("20", "100%"))
LINEAR = ("logistic_regression", "cosine")


def plan(vectors=None, datasets=None, models=LINEAR, protocol=FEW, seed=0, settings=None):
    vectors = vectors or {"good": embedding(), "bad": embedding(signal=0.0, seed=1)}
    return curve_plan(vectors, datasets or categories(), models, settings, protocol, seed)


def entry(found, embedding, model):
    return next(e for e in found.entries if (e.embedding, e.model) == (embedding, model))


def test_an_embedding_with_the_classes_learns_them_and_one_without_stays_at_chance():
    (found,) = measure(plan(), Execution())

    assert found.sizes == (20, 62)
    assert entry(found, "good", "logistic_regression").scores[:, -1].min() > 0.85
    assert abs(entry(found, "bad", "logistic_regression").scores.mean() - 0.5) < 0.2
    assert entry(found, RANDOM, "logistic_regression").control


def test_all_models_of_all_families_give_a_prediction_for_every_test_item():
    vectors = embedding()
    datasets = [categories(), pairs(vectors), relations(), texts()]
    whole = plan({"good": vectors}, datasets, ())

    found = measure(whole, Execution())

    assert [each.family for each in found] == ["words", "pairs", "analogies", "texts"]
    for each in found:
        assert {e.complexity for e in each.entries} >= {"constant", "linear", "non-linear"}
        for e in each.entries:
            for predicted, test in zip(e.predicted, each.tests, strict=True):
                assert predicted.shape == (len(each.sizes), len(test))


def test_on_permuted_labels_every_curve_stays_at_chance():
    rng = np.random.default_rng(0)
    words, vectors = embedding(number=160, signal=3.0)
    labels = word_array(rng.permutation(["yes", "no"] * 80))
    permuted = Categories("permuted", word_array(words), labels)
    rated = pairs((words, vectors), 200)
    shuffled = type(rated)("shuffled", rated.left, rated.right, rng.permutation(rated.rating))

    protocol = Protocol(repeats=6, sizes=("30%", "100%"))
    for found in measure(
        plan({"v": (words, vectors)}, [permuted, shuffled], (), protocol), Execution()
    ):
        for each in found.entries:
            chance = found.chance
            # Six test sets of about 48 words or 20 pairs.
            assert abs(each.scores[:, -1].mean() - chance) < (0.12 if chance else 0.25), each.model


def test_all_embeddings_have_the_same_splits_and_folds():
    whole = plan()
    assert len({whole.split_id(0, repeat) for repeat in range(2)}) == 2
    (found,) = measure(whole, Execution())
    same = plan({"good": embedding(), "other": embedding(seed=3)})
    (again,) = measure(same, Execution())

    one, other = (entry(each, "good", "logistic_regression") for each in (found, again))
    assert all((a == b).all() for a, b in zip(one.predicted, other.predicted, strict=True))


def test_a_plan_continues_where_it_stopped(tmp_path):
    store, calls = tmp_path / "s.sqlite", []
    whole = plan()

    def stop(what, done, total):
        calls.append((done, total))
        if done == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), Store(store) as opened:
        run_curves(whole, opened, Execution(store, progress=stop))
    continued = []
    with Store(store) as opened:
        run_curves(whole, opened, Execution(store, progress=lambda *a: continued.append(a[1:])))
    assert calls == [(0, 6), (1, 6), (2, 6)]
    assert continued[0] == (2, 6)

    (resumed,) = measure(whole, Execution(store))
    (fresh,) = measure(whole, Execution())
    for one, other in zip(resumed.entries, fresh.entries, strict=True):
        assert (one.scores == other.scores).all()


def test_another_model_is_added_without_training_the_first_again(tmp_path):
    store = tmp_path / "s.sqlite"
    measure(plan(models=("majority",)), Execution(store))
    with Store(store) as opened:
        whole = plan(models=("majority", "logistic_regression"))
        run_curves(whole, opened, Execution(store))
        rows = opened._rows("SELECT model, count(*) FROM curve_point GROUP BY model")
    assert dict(rows) == {"majority": 12, "logistic_regression": 12}


@pytest.mark.parametrize("backend", ["processes", "dask"])
def test_other_backends_give_the_same_numbers(backend):
    whole = plan(models=("logistic_regression", "random_forest"))
    execution = Execution(backend=backend, n_jobs=2)
    (serial,), (parallel,) = measure(whole, Execution()), measure(whole, execution)

    for one, other in zip(serial.entries, parallel.entries, strict=True):
        assert (one.scores == other.scores).all()
        assert np.array_equal(one.validation, other.validation, equal_nan=True)


def test_a_model_takes_settings_and_an_unknown_one_is_refused():
    assert plan(models=("svm",), settings={"svm.c": "1,2"}).models["svm"].c == (1.0, 2.0)
    with pytest.raises(UnknownName, match="No model named 'svn'"):
        plan(models=("svn",))
    with pytest.raises(BadUsage, match="No chosen model learns words"):
        plan(models=("cosine",))


@pytest.mark.parametrize("size", ["0", "-3", "120%", "nan%", "inf%", "many", "30 percent"])
def test_a_training_size_is_a_count_or_a_percentage(size):
    with pytest.raises(BadUsage, match=r"count \(50\) or a percentage \(30%\)"):
        Protocol(sizes=(size,))


def test_default_sizes_are_counts_below_thirty_per_cent_and_then_eight_fractions():
    assert Protocol().training_sizes("d", 1000) == (
        10, 20, 50, 100, 200, 300, 400, 500, 600, 700, 800, 900, 1000,
    )  # fmt: skip
    with pytest.raises(BadData, match="too few for two training sizes"):
        Protocol().training_sizes("d", 4)


def test_sizes_may_be_one_text_or_number_as_on_the_command_line():
    assert Protocol(sizes="10,100%").sizes == ("10", "100%")
    assert Protocol(sizes=10).sizes == ("10",)
    assert Protocol(sizes=None).sizes == ()
    for repeats in ("3", 2.5):
        with pytest.raises(BadUsage, match="repeats must be 2 or more"):
            Protocol(repeats=repeats)


def test_sizes_above_the_training_items_are_reported_or_refused():
    with pytest.raises(BadData, match=r"d: at least two of the training sizes \(20, 5000\) must "
                       "be different and from 4 to 62, the number of training items"):  # fmt: skip
        Protocol(sizes=("20", "5000")).training_sizes("d", 62)
    protocol = Protocol(repeats=2, sizes=("2", "20", "100%", "5000"))
    found = curves({"v": embedding()}, categories(), models="majority", protocol=protocol)
    assert found.warnings[0] == (
        "classes: training sizes that are left out: 2, 5000; there are 62 training items."
    )


def test_start_and_end_are_the_first_and_last_size_without_30_per_cent():
    protocol = Protocol(repeats=2, sizes=("10", "20", "40"))
    found = curves({"v": embedding()}, categories(), models="majority", protocol=protocol)

    curve = found.curve("classes", "v")
    assert (curve.start, curve.end) == (curve.points[0], curve.points[-1])
    assert curve.paper_area.value is None
    assert curve.paper_area.state == "no training sizes of 30 and 100 %"


def test_an_embedding_may_have_the_name_of_the_control():
    vectors = {RANDOM: embedding(), "other": embedding(seed=1)}
    found = curves(vectors, categories(), models="logistic_regression", protocol=FEW)

    assert found.embeddings == (RANDOM, "other")
    assert found.controls == (f"{RANDOM}-2",)
    assert len(found.of_model("classes")) == 3


def test_embeddings_without_a_common_word_are_refused():
    words, vectors = embedding()
    other = ([f"other{word}" for word in words], vectors)
    with pytest.raises(BadData, match="no word in common, so no item can be used"):
        plan({"v": (words, vectors), "other": other})


@pytest.mark.parametrize("target", [float("nan"), float("inf"), 90, -2, "0.8"])
def test_a_target_is_a_score(target):
    with pytest.raises(BadUsage, match="The target is a score"):
        curves({"v": embedding()}, categories(), models="majority", protocol=FEW, target=target)


@pytest.mark.parametrize(
    "weights", [{"models": {"svn": 1}}, {"datasets": {"x": 1}}, {"sizes": {"50%": 1}},
                {"models": {"majority": -1}}, {"models": 3}]
)  # fmt: skip
def test_wrong_weights_are_refused_before_training(weights):
    def progress(*_):
        raise AssertionError

    with pytest.raises(BadUsage):
        curves({"v": embedding()}, categories(), models="majority", protocol=FEW, weights=weights,
               execution=Execution(progress=progress))  # fmt: skip


@pytest.mark.parametrize(
    "setting",
    ["logistic_regression.c", "svm.c", "svm.gamma", "nearest_neighbours.k"],
)
@pytest.mark.parametrize("value", ["0", "1,-1", []])
def test_a_search_refuses_values_that_cannot_be_trained(setting, value):
    with pytest.raises(BadUsage, match=f"{setting} "):
        plan(models=(setting.partition(".")[0],), settings={setting: value})


def test_pairs_that_all_share_a_word_cannot_be_split():
    vectors = embedding()
    star = pairs(vectors, 60)
    star = type(star)("star", word_array(["word0"] * 60), star.right, star.rating)
    with pytest.raises(BadData, match="allow shared words"):
        curve_plan({"v": vectors}, star, LINEAR, None, FEW).splits  # noqa: B018


def test_results_have_curves_areas_and_needed_labels():
    vectors = {"good": embedding(), "fair": embedding(signal=1.0)}
    found = curves(vectors, categories(), models="logistic_regression",
                   protocol=Protocol(repeats=3, sizes=("10", "30%", "100%")))  # fmt: skip

    assert found.embeddings == ("good", "fair")
    curve = found.curve("classes", "good")
    assert curve.end.value > found.curve("classes", "fair").end.value
    assert found.manifest["protocol"]["repeats"] == 3
    assert found.ratio("classes", "good", "fair").value < 1


def test_what_was_left_out_and_shared_words_are_warnings():
    vectors = embedding()
    rated = pairs(vectors, 60)
    unknown = type(rated)("rated", word_array(["unheard", *rated.left[1:]]), rated.right,
                          rated.rating)  # fmt: skip
    found = curves({"v": vectors}, unknown, models="cosine",
                   protocol=Protocol(2, sizes=("10", "100%"), shared_words=True))  # fmt: skip

    assert found.warnings[0] == (
        "rated: Left out: 1 pair with a word that some embedding does not have: unheard."
    )
    assert "rated: 2 pairs are repetitions of another pair, in either order; all are used." in (
        found.warnings
    )
    assert any("test words occur in training items, as requested" in w for w in found.warnings)

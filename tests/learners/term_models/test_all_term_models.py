"""What holds for every model of terms; new ones are found by themselves."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from lexiscope.core.contracts.registry import load, names
from lexiscope.core.contracts.settings import name_of
from lexiscope.core.contracts.term_model import TERM, UNKNOWN, TermModel
from lexiscope.core.errors import BadData
from lexiscope.learners import term_models
from lexiscope.learners.induction_map import InductionMap
from tests.learners.term_models.material import background, generator, samples

GIVEN = {"alacarte": {"map": InductionMap("map", np.arange(49.0).reshape(7, 7))}}


@pytest.fixture(params=names(term_models))
def model(request):
    return load(term_models, request.param, TermModel)(**GIVEN.get(request.param, {}))


def test_a_model_has_the_name_of_its_file(model):
    assert name_of(type(model)) in names(term_models)


def test_the_same_generators_give_the_same_bytes(model):
    found = [model.vectors(samples(), background(), generator).tobytes() for _ in range(2)]

    assert found[0] == found[1]


def test_a_vector_does_not_depend_on_the_other_samples(model):
    given = samples()

    together = model.vectors(given, background(), generator)

    for number, sample in enumerate(given):
        alone = model.vectors([sample], background(), lambda _, n=number: generator(n))
        assert_array_equal(alone[0], together[number])


def test_the_background_stays_as_it_is(model):
    space = background()
    for part in (space.vectors, space.output, space.counts):
        part.flags.writeable = False

    model.vectors(samples(), space, generator)  # writing would raise an error, or change bytes

    assert space.vectors.tobytes() == background().vectors.tobytes()
    assert space.output.tobytes() == background().output.tobytes()


@pytest.mark.parametrize(
    "sample",
    [
        (),
        (np.array([], np.int64),),
        (np.array([TERM]),),
        (np.array([TERM, TERM, UNKNOWN]),),
        (np.array([1, 2, 3]),),
        (np.array([UNKNOWN]), np.array([1, 2])),
    ],
    ids=["no sentence", "empty", "term alone", "unknown words", "no term", "separate"],
)
def test_a_sample_without_context_words_gives_nan_and_no_other_sample_changes(model, sample):
    other = samples(2)

    found = model.vectors([other[0], sample, other[1]], background(), generator)
    apart = model.vectors([other[0], (), other[1]], background(), generator)

    assert np.isnan(found[1]).all()
    assert np.isfinite(found[[0, 2]]).all()
    assert_array_equal(found, apart)


def test_no_samples_give_no_vectors(model):
    assert model.vectors([], background(), generator).shape == (0, 7)


def test_a_long_sentence_and_a_window_beyond_it(model):
    line = np.tile(np.arange(60), 500)
    line[::1000] = TERM

    found = replace(model, window=2**62).vectors([(line,)], background(), generator)

    assert np.isfinite(found).all()


@pytest.mark.parametrize("codes", [[60, TERM], [-3, TERM], [0.5, -2.0], [2**40, TERM]])
def test_invalid_codes_are_refused(model, codes):
    with pytest.raises(BadData, match="codes of sentences must be integers from -2 to 59"):
        model.vectors([(np.array(codes),)], background(), generator)


def test_vectors_that_are_not_stored_row_by_row_are_accepted(model):
    space = background()
    strided = replace(
        space, vectors=np.asfortranarray(space.vectors), output=np.asfortranarray(space.output)
    )

    assert_array_equal(
        model.vectors(samples(), strided, generator), model.vectors(samples(), space, generator)
    )


@pytest.mark.parametrize("part", ["vectors", "counts", "output"])
def test_a_background_with_too_few_rows_is_refused(model, part):
    short = replace(background(), **{part: getattr(background(), part)[:-1]})

    with pytest.raises(BadData, match=r"60 words|shapes must be equal"):
        model.vectors(samples(), short, generator)

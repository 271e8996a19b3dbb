import pytest

from lexiscope.core.errors import (
    BadData,
    BadUsage,
    LexiscopeError,
    MissingExtra,
    NotDownloaded,
    TooLarge,
    Undefined,
    UnknownName,
    UnsafeFormat,
)


def test_an_unknown_name_suggests_the_nearest_and_lists_the_known():
    problem = UnknownName("task", "analgy", ["similarity", "analogy"])

    assert str(problem) == (
        "No task named 'analgy'. Did you mean 'analogy'? Available: analogy, similarity."
    )


def test_an_unknown_name_without_a_similar_one_gets_no_suggestion():
    assert str(UnknownName("task", "x", ["analogy"])) == "No task named 'x'. Available: analogy."
    assert str(UnknownName("run", "x", [])) == "No run named 'x'. Available: none."


def test_a_missing_extra_says_how_to_get_it():
    assert 'pip install "lexiscope[dask]"' in str(MissingExtra("The dask backend", "dask"))


@pytest.mark.parametrize(
    ("problem", "code"),
    [(LexiscopeError, 1), (Undefined, 1), (BadUsage, 2), (UnknownName, 2), (BadData, 3),
     (UnsafeFormat, 3), (TooLarge, 3), (NotDownloaded, 3), (MissingExtra, 4)],
)  # fmt: skip
def test_every_problem_has_its_exit_code(problem, code):
    assert problem.exit_code == code
    assert issubclass(problem, LexiscopeError)

import numpy as np

from lexiscope.learners.crf import named_features, vector_features


def test_the_features_of_a_word_by_hand():
    rows = named_features(["The", "cat", "sat"], ["DT", "NN", "VB"])

    assert set(rows[0]) == {
        "w[0]=The", "w[1]=cat", "w[2]=sat", "w[0,1]=The|cat", "p[0]=DT", "p[1]=NN", "p[2]=VB",
        "p[0,1]=DT|NN", "p[1,2]=NN|VB", "p[0,1,2]=DT|NN|VB", "first",
    }  # fmt: skip
    assert set(rows[2]) == {
        "w[0]=sat", "w[-1]=cat", "w[-2]=The", "w[-1,0]=cat|sat", "p[0]=VB", "p[-1]=NN", "p[-2]=DT",
        "p[-1,0]=NN|VB", "p[-2,-1]=DT|NN", "p[-2,-1,0]=DT|NN|VB", "last",
    }  # fmt: skip


def test_a_sentence_of_one_word_has_features():
    assert named_features(["Yes"], ["UH"]) == [["w[0]=Yes", "p[0]=UH", "first", "last"]]


def test_vectors_of_neighbours_are_features_and_zero_beyond_the_sentence():
    rows = vector_features([["a"], ["b"]], np.array([[1.0, 2.0], [3.0, 4.0]]), 1)

    assert rows[0] == {
        "a": 1.0, "v[-1]0": 0.0, "v[-1]1": 0.0, "v[0]0": 1.0, "v[0]1": 2.0, "v[1]0": 3.0,
        "v[1]1": 4.0,
    }  # fmt: skip
    assert rows[1]["v[-1]1"] == 2.0
    assert rows[1]["v[1]0"] == 0.0

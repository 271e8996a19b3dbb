"""Places for labels: no two of them meet, at the width they are made for and at greater ones."""

from itertools import combinations

import numpy as np
import pytest

from lexiscope.report.charts.labels import placed

SIZE = (640.0, 460.0)


def box(point, label, text):
    width, left = len(text) * 6.6, point[0] + label.dx
    left -= {"left": 0, "center": width / 2, "right": width}[label.align]
    return left, point[1] + label.dy - 6.5, left + width, point[1] + label.dy + 6.5


def meet(one, other):
    return (
        min(one[2], other[2]) - max(one[0], other[0]) > 1e-9
        and min(one[3], other[3]) - max(one[1], other[1]) > 1e-9
    )


def boxes(points, labels, texts):
    return [box(*each) for each in zip(points, labels, texts, strict=True)]


def test_a_label_with_space_is_to_the_right_of_its_point():
    [label] = placed(np.array([[100.0, 100.0]]), ["cat"], SIZE)

    assert (label.dx, label.dy, label.align, label.is_far) == (5, 0, "left", False)


def test_a_label_at_the_border_is_on_the_other_side():
    [label] = placed(np.array([[630.0, 100.0]]), ["cat"], SIZE)

    assert label.align == "right"


@pytest.mark.parametrize("stretch", [1.0, 1.8])
@pytest.mark.parametrize("seed", range(5))
def test_crowded_labels_do_not_meet(seed, stretch):
    rng = np.random.default_rng(seed)
    points = np.clip(rng.normal((320, 230), (90, 70), (42, 2)), 12, (628, 448))
    texts = ["word" * int(length) for length in rng.integers(1, 3, 42)]

    labels = placed(points, texts, SIZE)

    assert all(labels)
    found = boxes(points * (stretch, 1), labels, texts)
    beside = [each for each, label in zip(found, labels, strict=True) if not label.is_far]
    for pair in combinations(found if stretch == 1 else beside, 2):
        assert not meet(*pair)


def test_no_label_covers_another_point():
    points = np.array([[100.0, 100.0], [115.0, 100.0], [100.0, 112.0]])
    texts = ["cat", "dog", "sun"]

    found = boxes(points, placed(points, texts, SIZE), texts)

    for number, each in enumerate(found):
        for other in np.delete(points, number, axis=0):
            assert not (each[0] < other[0] < each[2] and each[1] < other[1] < each[3])


def test_labels_without_space_are_left_out():
    points = np.full((300, 2), 100.0) + np.arange(300)[:, None] / 50

    labels = placed(points, ["word"] * 300, SIZE)

    assert 0 < sum(label is not None for label in labels) < 300
    assert not any(label.is_far for label in labels if label)

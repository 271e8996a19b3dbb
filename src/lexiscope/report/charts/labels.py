"""Places for the labels of points: beside a point, else near it, never on other labels or points.

All lengths are in pixels, with the origin at the top left. Points can be moved apart horizontally
afterwards, as a wider page does: labels do not meet then.
"""

from collections.abc import Iterator, Sequence
from math import cos, pi, sin
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Align = Literal["left", "center", "right"]

FONT_SIZE = 11
_CHARACTER = 0.6  # of the font size, the width of a column of text; most letters are narrower
_LINE = 13.0
_POINT = 4.0  # radius, with its margin
_GAP = 5.0
_RADII = (18.0, 28.0, 40.0, 54.0, 70.0, 88.0, 108.0)
_DIRECTIONS = 16
_FAR = 200  # labels; with more points there are no lines, which would cover everything


class Label(NamedTuple):
    """The offset of a label from its point; `is_far` if a line connects them."""

    dx: float
    dy: float
    align: Align
    is_far: bool


class _Box(NamedTuple):
    left: float
    top: float
    right: float
    bottom: float


def placed(points: Floats, texts: Sequence[str], size: tuple[float, float]) -> list[Label | None]:
    """A place for the label of each point on a canvas; None where no place is free.

    Labels beside their point are placed first, the others with a line as near as possible.
    """
    canvas, boxes = _Canvas(points, size), [_size(text) for text in texts]
    found: list[Label | None] = [
        canvas.first_free(number, box, _beside()) for number, box in enumerate(boxes)
    ]
    if len(points) <= _FAR:
        for number, label in enumerate(found):
            found[number] = label or canvas.first_free(number, boxes[number], _around())
    return found


def _size(text: str) -> tuple[float, float]:
    from rich.cells import cell_len  # wide characters have two columns

    return cell_len(text) * FONT_SIZE * _CHARACTER, _LINE


def _beside() -> Iterator[Label]:
    up = _LINE / 2 + _POINT
    places: list[tuple[float, float, Align]] = [
        (_GAP, 0, "left"), (-_GAP, 0, "right"), (0, -up, "center"), (0, up, "center"),
        (_GAP, -up / 2, "left"), (_GAP, up / 2, "left"),
        (-_GAP, -up / 2, "right"), (-_GAP, up / 2, "right"),
    ]  # fmt: skip
    return (Label(*place, is_far=False) for place in places)


def _around() -> Iterator[Label]:
    for radius in _RADII:
        for step in range(_DIRECTIONS):
            across, down = (turn(2 * pi * (step + 0.5) / _DIRECTIONS) for turn in (cos, sin))
            align: Align = "left" if across > 0 else "right"  # the line ends beside the text
            yield Label(round(radius * across, 1), round(radius * down, 1), align, is_far=True)


class _Canvas:
    """The points and the labels placed so far."""

    def __init__(self, points: Floats, size: tuple[float, float]) -> None:
        self.points, self.size = points, size
        self.taken = np.empty((0, 4))

    def first_free(
        self, number: int, size: tuple[float, float], places: Iterator[Label]
    ) -> Label | None:
        """The first place of a label that is free, which is then taken."""
        x, y = self.points[number].tolist()
        for label in places:
            box = _box(x + label.dx, y + label.dy, size, label.align)
            if self._is_free(number, box):
                self.taken = np.vstack([self.taken, box])
                return label
        return None

    def _is_free(self, number: int, box: _Box) -> bool:
        if box.left < 0 or box.top < 0 or box.right > self.size[0] or box.bottom > self.size[1]:
            return False
        left, top, right, bottom = self.taken.T
        if (
            (left < box.right) & (right > box.left) & (top < box.bottom) & (bottom > box.top)
        ).any():
            return False
        x, y = self.points.T
        covered = (x > box.left - _POINT) & (x < box.right + _POINT)
        covered &= (y > box.top - _POINT / 2) & (y < box.bottom + _POINT / 2)
        covered[number] = False  # beside its own point by construction
        return not covered.any()


def _box(x: float, y: float, size: tuple[float, float], align: Align) -> _Box:
    width, height = size
    left = x - {"left": 0.0, "center": width / 2, "right": width}[align]
    return _Box(left, y - height / 2, left + width, y + height / 2)

"""Small studies for tests."""

import numpy as np

from lexiscope.core.study import Item, Study, StudySettings

EMBEDDINGS = ("A", "B", "C")


def comparison(number, query=None, options=("a", "b", "c"), sources=None, **more):
    given = sources or tuple((name,) for name in EMBEDDINGS[: len(options)])
    return Item(f"item{number}", "comparison", query or f"query{number}", options, given,
                rank=1, **more)  # fmt: skip


def control(number, kind="comparison"):
    return Item(f"control{number}", kind, f"easy{number}", ("x", "y", "z"), ((), (), ()),
                answer=0, control=True)  # fmt: skip


def study(items=10, controls=2, kind="comparison", **settings):
    chosen = {"items_per_judge": 5, "controls_per_judge": 1, "judges_per_item": 3, **settings}
    made = [*(comparison(k) for k in range(items)), *(control(k) for k in range(controls))]
    return Study(kind, StudySettings(**chosen), dict.fromkeys(EMBEDDINGS, ""), tuple(made))


def random_vectors(words, dimension, seed):
    return np.random.default_rng(seed).normal(size=(len(words), dimension)).astype(np.float32)

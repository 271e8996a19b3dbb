"""Learning curves of two generated embeddings: which needs fewer labels?"""

import figures
import numpy as np

import lexiscope
from lexiscope.report.curves.sections import sections

rng = np.random.default_rng(0)
words, classes = [f"word{n}" for n in range(240)], np.arange(240) % 4
centres = np.eye(4).repeat(3, axis=1)[classes]
vectors = {
    name: (words, centres + noise * rng.normal(size=centres.shape))
    for name, noise in (("less noise", 0.8), ("more noise", 1.3))
}
labels = np.array(["bird", "fish", "fruit", "tool"], object)[classes]
found = lexiscope.curves(
    vectors,
    lexiscope.Categories("four-classes", np.array(words, object), labels),
    models=["logistic_regression", "nearest_neighbours"],
)
figures.write(
    {
        "learning-curves": "Best model of each embedding",
        "labels-needed": "Labels needed",
    },
    sections(found),
)

"""A generated text: which of its terms can be learned?"""

import figures
import numpy as np

import lexiscope
from lexiscope.report.consistency.sections import sections

rng = np.random.default_rng(1)
words = [f"w{n}" for n in range(400)]
topics = [words[20 * k : 20 * k + 20] for k in range(20)]
terms = [f"term{k:02}" for k in range(40)]
text = []
for k, term in enumerate(terms):
    context = topics[k % 20] if k < 20 else words  # the last 20 terms have no context of their own
    text += [
        [*rng.choice(context, 4), *rng.choice(words, 3), term, *rng.choice(context, 4)]
        for _ in range(30)
    ]
background = (words, rng.normal(size=(400, 30)))
found = lexiscope.consistency(
    text, background, models="additive", choice=lexiscope.TermChoice(terms)
)
figures.write(
    {
        "cosine-and-rank": "Cosine against rank, random samples (pale: not shown to be learnable)",
        "null": "Null and observed cosines, additive (random samples)",
    },
    sections(found),
)

"""A map of words: position by meaning, colour by frequency."""

import subprocess
import sys

import figures
import numpy as np

import lexiscope

rng = np.random.default_rng(0)
topics = (
    "cat dog horse cow sheep wolf lion mouse",
    "bread cheese butter milk wine soup rice honey",
    "car train ship plane bus truck boat bicycle",
    "song piano violin drum melody choir singer opera",
)
words = [word for line in topics for word in line.split()]
centres = rng.normal(size=(len(topics), 20)).repeat(8, axis=0)
path = figures.FIGURES / "words.safetensors"
vectors = lexiscope.load(
    (words, centres + 0.9 * rng.normal(size=centres.shape)), name="four topics"
)
lexiscope.save(vectors, path)
command = ["map", str(path), *words, "-o", str(figures.FIGURES / "word-map.svg")]
subprocess.run([sys.executable, "-m", "lexiscope", *command], check=True)
path.unlink()

"""Speed compared with other libraries, in turns: `make bench`, or run.py analogies.

Ratios matter; seconds depend on the machine. The vectors are GloVe 100d from the catalogue, and
400,000 x 300 vectors derived from it by a random rotation and noise.
"""

import argparse
import json
import sys
from importlib import import_module
from pathlib import Path

PARTS = (
    "loading",
    "corpora",
    "analogies",
    "neighbours",
    "inspection",
    "glove",
    "counting",
    "factors",
    "train",
    "scaling",
    "window_ranking",
    "parts",
    "qvec",
    "downstream",
    "chunking",
    "curves",
    "consistency",
    "many_embeddings",
    "start",
    "growth",
    "ambiguity_sweep",
)


def main() -> None:
    """Run the selected parts, print a line per comparison, and write all of them as JSON."""
    sys.path.insert(0, str(Path(__file__).parent))
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*", choices=[*PARTS, []], default=[])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--output", type=Path)
    chosen = parser.parse_args()
    lines = []
    for part in chosen.parts or PARTS:
        for line in import_module(part).compare(chosen.rounds):
            print(json.dumps(line), flush=True)
            lines.append(line)
    if chosen.output:
        chosen.output.write_text(json.dumps(lines, indent=2) + "\n", "utf-8")


if __name__ == "__main__":
    main()

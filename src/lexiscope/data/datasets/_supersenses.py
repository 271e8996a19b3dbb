"""Supersenses from WordNet's list of sense counts (cntlist.rev): what SemCor's tags come to.

A sense key tells the lexicographer file, which is the supersense (senseidx(5WN), lexnames(5WN)).
Tsvetkov et al. 2015, section 2.
"""

import re
from collections import Counter
from pathlib import Path

from lexiscope.core.display import shown
from lexiscope.core.errors import BadData
from lexiscope.data.wordnet import FILES

_FEWEST = 5  # tags as a noun or verb
_KEY = re.compile(r"(\S+)%([1-5]):(\d\d):\d\d:\S*:\S* \d+ (\d{1,9})")
_NOUN_OR_VERB = "12"


def is_list(line: str) -> bool:
    """Whether a line is one of a list of sense counts."""
    return _KEY.fullmatch(line.rstrip()) is not None


def shares(path: Path, lines: list[str]) -> dict[str, dict[str, float]]:
    """How often each noun or verb was tagged with each supersense, as shares that add up to 1.

    Single words with at least five tags, as nouns and verbs together.
    """
    counts: dict[str, Counter[str]] = {}
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        found = _KEY.fullmatch(line.rstrip())
        if found is None or int(found[3]) >= len(FILES):
            raise BadData(
                f"{path}:{number}: expected a sense key, a sense number and a count, found "
                f"'{shown(line, 40)}'."
            )
        if found[2] in _NOUN_OR_VERB and "_" not in found[1]:
            counts.setdefault(found[1], Counter())[FILES[int(found[3])]] += int(found[4])
    often = {word: each for word, each in counts.items() if each.total() >= _FEWEST}
    return {
        word: {name: count / each.total() for name, count in each.items()}
        for word, each in often.items()
    }

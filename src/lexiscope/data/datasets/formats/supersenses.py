"""Supersense distributions of words, from WordNet's sense counts (cntlist.rev) in SemCor.

A sense key contains the lexicographer file, which is the supersense (senseidx(5WN),
lexnames(5WN)).
Tsvetkov et al. 2015, section 2.
"""

import re
from collections import Counter
from pathlib import Path

from lexiscope.core.display import shown
from lexiscope.core.errors import BadData
from lexiscope.data.wordnet import FILES

_MIN_COUNT = 5  # tags as a noun or verb
_KEY = re.compile(r"(\S+)%([1-5]):(\d\d):\d\d:\S*:\S* \d+ (\d{1,9})")
_NOUN_OR_VERB = "12"


def is_list(line: str) -> bool:
    """Whether a line belongs to a list of sense counts."""
    return _KEY.fullmatch(line.rstrip()) is not None


def proportions(path: Path, lines: list[str]) -> dict[str, dict[str, float]]:
    """Return the proportion of each supersense among the tags of each noun or verb.

    Only single words with at least five tags as noun or verb are included.
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
    frequent = {word: each for word, each in counts.items() if each.total() >= _MIN_COUNT}
    return {
        word: {name: count / each.total() for name, count in each.items()}
        for word, each in frequent.items()
    }

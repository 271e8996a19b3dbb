"""Words in the glosses of WordNet."""

import re
from collections import Counter
from collections.abc import Iterable

from lexiscope.data.wordnet import WordNet


def gloss_uses(wordnet: WordNet) -> Counter[str]:
    """Return the number of glosses with each word; tags alone do not rank owl above auk."""
    glosses: Iterable[str] = (synset.gloss.lower() for synset in wordnet.synsets.values())
    return Counter(word for gloss in glosses for word in set(re.findall("[a-z]+", gloss)))

"""Pairs of words in a relation of WordNet, after the relations of WordRep (Gao et al. 2014).

The relations are those of WordRep; the pairs are chosen by other rules, so their numbers differ.
docs/data.md explains the rules.
"""

from collections import Counter
from collections.abc import Iterator
from typing import Literal, NamedTuple

from lexiscope.data.derived._glosses import gloss_uses
from lexiscope.data.derived._hash_order import hash_order
from lexiscope.data.wordnet import Synset, WordNet

HEADER = ("source", "target", "relation")
_MOST = 3000  # pairs
_MOST_PER_TARGET = 50

Pair = tuple[str, str]


class Rule(NamedTuple):
    """A relation: its pointer in WordNet, and which direction of mutual pointers is used."""

    name: str
    symbol: str
    direction: Literal["forward", "from satellite", "from longer", "hashed"] = "forward"


RULES = {
    "similar-to": Rule("SimilarTo", "&", "from satellite"),
    "instance-of": Rule("InstanceOf", "@i"),
    "antonym": Rule("Antonym", "!", "hashed"),
    "derived-from": Rule("DerivedFrom", "+", "from longer"),
    "has-context": Rule("HasContext", ";c"),
    "part-of": Rule("PartOf", "#p"),
}


def derive(wordnet: WordNet, variant: str) -> list[tuple[str, ...]]:
    """Return the pairs of the best-known words, sorted; `variant` is a key of RULES."""
    rule = RULES[variant]
    fame = _fame(wordnet)
    pairs = {"\0".join(pair): pair for pair in _pairs(wordnet, rule, fame)}
    shuffled = [pairs[key] for key in hash_order(pairs, variant)]
    ordered = sorted(shuffled, key=lambda pair: -min(fame[word.lower()] for word in pair))
    return sorted((*pair, rule.name) for pair in _chosen(ordered))


def _chosen(pairs: list[Pair]) -> list[Pair]:
    """The first pairs: no word is a source twice, no target occurs too often, no pair reversed."""
    chosen: list[Pair] = []
    target_of: dict[str, str] = {}
    uses: Counter[str] = Counter()
    for pair in pairs:
        source, target = map(str.lower, pair)
        is_new = source not in target_of and target_of.get(target) != source
        if is_new and uses[target] < _MOST_PER_TARGET and len(chosen) < _MOST:
            chosen.append(pair)
            target_of[source] = target
            uses[target] += 1
    return chosen


def _pairs(wordnet: WordNet, rule: Rule, fame: Counter[str]) -> Iterator[Pair]:
    """One pair of words for each pointer, in the direction of the rule."""

    def word(synset: Synset, number: int) -> str:
        lemmas = synset.lemmas[number - 1 : number] if number else synset.lemmas
        fitting = (lemma for lemma in lemmas if _is_clear(wordnet, lemma, synset))
        return max(fitting, key=lambda lemma: fame[lemma.lower()], default="")

    for synset in wordnet.synsets.values():
        for relation in synset.relations:
            other = wordnet.synsets[relation.target]
            if relation.symbol == rule.symbol and _is_used(rule, synset, other):
                source = word(synset, relation.source_word)
                target = word(other, relation.target_word)
                if source and target and source.lower() != target.lower():
                    yield _directed(rule, source, target)


def _is_clear(wordnet: WordNet, lemma: str, synset: Synset) -> bool:
    """Whether a lemma is a single word and this is its first sense; no abbreviations."""
    single = len(lemma) > 2 and lemma.isascii() and lemma.isalpha() and lemma[1:].islower()
    return single and wordnet.senses[lemma.lower(), synset.pos][0] == synset.id


def _is_used(rule: Rule, source: Synset, target: Synset) -> bool:
    return rule.direction != "from satellite" or (source.satellite and not target.satellite)


def _directed(rule: Rule, source: str, target: str) -> Pair:
    """The pair; of two mutual pointers, one direction is chosen."""
    if rule.direction == "from longer":
        shorter, longer = sorted((source, target), key=lambda word: (len(word), word))
        return longer, shorter
    if rule.direction == "hashed":
        first, second = hash_order((source, target), "direction of mutual pointers")
        return first, second
    return source, target


def _fame(wordnet: WordNet) -> Counter[str]:
    """The number of tags of each word over all senses, plus that of the glosses with it."""
    fame = gloss_uses(wordnet)
    for (lemma, _), number in wordnet.counts.items():
        fame[lemma] += number
    return fame

"""Lexicons of Faruqui and Dyer (2015): a word and its features on each line.

Each set of the catalogue has the words of two classes, defined by the features. A word with
features of both classes is left out, and the larger class is reduced to the size of the smaller.
"""

from collections.abc import Callable
from pathlib import Path

from lexiscope.core.display import shown
from lexiscope.core.errors import BadData
from lexiscope.data.datasets.formats.tables import text_lines
from lexiscope.data.derived._hash_order import hash_order
from lexiscope.data.derived._spelling import is_plain

_MOST = 2500  # words of each class
_PARTS = frozenset("nvars")

Features = set[str]
Rule = Callable[[Features], str | None]


def labelled_words(path: Path, name: str) -> list[tuple[str, str]]:
    """Return the words of a set with their labels, in alphabetical order."""
    classes: dict[str, list[str]] = {}
    for word, found in features(path).items():
        label = RULES[name](found)
        if label and is_plain(word):
            classes.setdefault(label, []).append(word)
    if len(classes) != 2:
        raise BadData(f"{path}: does not have words of both classes of {name}.")
    size = min(_MOST, *map(len, classes.values()))
    return sorted(
        (word, label)
        for label, words in classes.items()
        for word in hash_order(words, f"{name} {label}")[:size]
    )


def features(path: Path) -> dict[str, Features]:
    """Return the features of each word; lines of one word are merged.

    In a file in which every word ends with its part of speech (`run.v`), the ending is removed, so
    that one word has one entry.
    """
    lines = [(n, line.split()) for n, line in enumerate(text_lines(path), 1) if line.strip()]
    keyed = all(_is_keyed(fields[0]) for _, fields in lines)
    found: dict[str, Features] = {}
    for number, (key, *names) in lines:
        if not names:
            raise BadData(f"{path}:{number}: '{shown(key, 40)}' has no features.")
        word = key.rpartition(".")[0] if keyed else key
        found.setdefault(word, set()).update(names)
    return found


def _is_keyed(key: str) -> bool:
    word, _, part = key.rpartition(".")
    return bool(word) and part in _PARTS


def _part_of_speech(tag: str, label: str) -> Rule:
    """Words that only have this tag, and words that never have it."""

    def rule(found: Features) -> str | None:
        if tag not in found:
            return "other"
        return label if found == {tag} else None

    return rule


def _sentiment(found: Features) -> str | None:
    classes = [each for each in ("positive", "negative") if f"emotion_{each}" in found]
    return classes[0] if len(classes) == 1 else None


def _connotation(found: Features) -> str | None:
    """The connotation, if it is the same for all parts of speech."""
    classes = {name.rpartition(",")[2] for name in found}
    return classes.pop() if classes in ({"positive"}, {"negative"}) else None


def _colour(found: Features) -> str | None:
    if "Color:None" not in found:
        return "colour"
    return "none" if len(found) == 1 else None


def _below(synset: str, label: str) -> Rule:
    """Verbs with a sense below this synset, and other verbs."""

    def rule(found: Features) -> str | None:
        if f"WN_root_hyper:{synset}" in found:
            return label
        is_verb = any(name.startswith("WN_syn:") and ".v." in name for name in found)
        return "other" if is_verb else None

    return rule


RULES: dict[str, Rule] = {
    "lexicon-noun": _part_of_speech("ptb.n", "noun"),
    "lexicon-verb": _part_of_speech("ptb.v", "verb"),
    "lexicon-adjective": _part_of_speech("ptb.j", "adjective"),
    "lexicon-sentiment": _sentiment,
    "lexicon-connotation": _connotation,
    "lexicon-colour": _colour,
    "lexicon-act": _below("act.v.01", "act"),
    "lexicon-change": _below("change.v.01", "change"),
}

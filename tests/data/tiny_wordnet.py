"""A tiny WordNet that can be checked by hand, in the format of the real one."""

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from lexiscope.data.wordnet import FILES, WordNet, load

NAMES = {"n": "noun", "v": "verb", "a": "adj", "s": "adj", "r": "adv"}
_TYPES = {"n": 1, "v": 2, "a": 3, "r": 4, "s": 5}


class S(NamedTuple):
    """A synset: its name in the test, its file and kind, lemma=tags, and pointers by name."""

    key: str
    file: str
    kind: str
    words: str
    pointers: str = ""
    gloss: str = "a gloss"


ANIMALS = (
    S("entity", "noun.Tops", "n", "entity", "~:animal"),
    S("animal", "noun.animal", "n", "animal=9 beast=1", "@:entity ~:dog ~:cat"),
    S("dog", "noun.animal", "n", "dog=7 domestic_dog", "@:animal ~i:rex", "it barks; | is a mark"),
    S("cat", "noun.animal", "n", "cat=5", "@:animal"),
    S("rex", "noun.animal", "n", "Rex", "@i:dog"),
    S("follow", "verb.motion", "v", "follow=4 dog=2"),
    S("big", "adj.all", "a", "big=8 large=6", "!:small:0101 &:huge"),
    S("small", "adj.all", "a", "small=8", "!:big:0101"),
    S("huge", "adj.all", "s", "huge(a)=2", "&:big"),
    S("hugely", "adv.all", "r", "hugely=1", "\\:huge:0101"),
)


def write(
    folder: Path, synsets: Iterable[S] = ANIMALS, counts: str = "index.sense", ends: str = "\n"
) -> Path:
    """Write the files of a WordNet with these synsets into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    synsets = list(synsets)
    offsets = {synset.key: f"{place:08}" for place, synset in enumerate(synsets, 100)}
    kinds = {synset.key: synset.kind for synset in synsets}
    texts = {f"{what}.{name}": "  1 This file is ours.  \n" for what in ("data", "index")
             for name in NAMES.values()}  # fmt: skip
    senses: dict[tuple[str, str], list[str]] = {}
    keys: list[str] = []
    for synset in synsets:
        pos = synset.kind.replace("s", "a")
        words = [word.partition("=") for word in synset.words.split()]
        pointers = [f"{pointer}:0000".split(":")[:3] for pointer in synset.pointers.split()]
        texts[f"data.{NAMES[pos]}"] += " ".join(
            [
                offsets[synset.key],
                f"{FILES.index(synset.file):02}",
                synset.kind,
                f"{len(words):02x}",
                *(f"{word} 0" for word, _, _ in words),
                f"{len(pointers):03}",
                *(f"{symbol} {offsets[to]} {kinds[to].replace('s', 'a')} {numbers}"
                  for symbol, to, numbers in pointers),
                *(["01 + 02 00"] if pos == "v" else []),
                f"| {synset.gloss}  \n",
            ]
        )  # fmt: skip
        for word, _, count in words:
            lemma = word.partition("(")[0].lower()
            senses.setdefault((lemma, pos), []).append(offsets[synset.key])
            number = len(senses[lemma, pos])
            head = "big:00" if synset.kind == "s" else ":"
            key = f"{lemma}%{_TYPES[synset.kind]}:{FILES.index(synset.file):02}:00:{head}"
            if counts == "index.sense":
                keys.append(f"{key} {offsets[synset.key]} {number} {count or 0}")
            elif count:
                keys.append(f"{key.replace('big:', 'big(a):')} {number} {count}")
    for (lemma, pos), found in sorted(senses.items()):
        number = len(found)
        texts[f"index.{NAMES[pos]}"] += (
            f"{lemma} {pos} {number} 1 @ {number} 1 {' '.join(found)}  \n"
        )
    if counts:
        texts[counts] = "".join(f"{key}\n" for key in sorted(keys))
    for name, text in texts.items():
        (folder / name).write_bytes(text.replace("\n", ends).encode())
    return folder


def wordnet(folder: Path, synsets: Iterable[S]) -> WordNet:
    """A WordNet of these synsets."""
    return load(write(folder, synsets))

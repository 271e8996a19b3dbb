"""Names of lexicographer files and pointers (lexnames(5WN), wninput(5WN))."""

from collections.abc import Mapping
from types import MappingProxyType

# The 45 names of the file lexnames, in order; most packages lack the file.
FILES = (
    "adj.all",
    "adj.pert",
    "adv.all",
    "noun.Tops",
    "noun.act",
    "noun.animal",
    "noun.artifact",
    "noun.attribute",
    "noun.body",
    "noun.cognition",
    "noun.communication",
    "noun.event",
    "noun.feeling",
    "noun.food",
    "noun.group",
    "noun.location",
    "noun.motive",
    "noun.object",
    "noun.person",
    "noun.phenomenon",
    "noun.plant",
    "noun.possession",
    "noun.process",
    "noun.quantity",
    "noun.relation",
    "noun.shape",
    "noun.state",
    "noun.substance",
    "noun.time",
    "verb.body",
    "verb.change",
    "verb.cognition",
    "verb.communication",
    "verb.competition",
    "verb.consumption",
    "verb.contact",
    "verb.creation",
    "verb.emotion",
    "verb.motion",
    "verb.perception",
    "verb.possession",
    "verb.social",
    "verb.stative",
    "verb.weather",
    "adj.ppl",
)

# The meaning of a symbol can depend on the part of speech: \\ is the pertainym of an adjective, and
# the adjective from which an adverb is derived.
POINTERS: Mapping[str, str] = MappingProxyType(
    {
        "!": "antonym",
        "@": "hypernym",
        "@i": "instance hypernym",
        "~": "hyponym",
        "~i": "instance hyponym",
        "#m": "member holonym",
        "#s": "substance holonym",
        "#p": "part holonym",
        "%m": "member meronym",
        "%s": "substance meronym",
        "%p": "part meronym",
        "=": "attribute",
        "+": "derivation",
        "&": "similar to",
        "*": "entailment",
        ">": "cause",
        "^": "also see",
        "$": "verb group",
        "<": "participle",
        "\\": "pertainym",
        ";c": "topic",
        "-c": "member of topic",
        ";r": "region",
        "-r": "member of region",
        ";u": "usage",
        "-u": "member of usage",
    }
)

PARTS: Mapping[str, str] = MappingProxyType({"n": "noun", "v": "verb", "a": "adj", "r": "adv"})

"""Names that WordNet's files refer to by number or symbol (lexnames(5WN), wninput(5WN))."""

from collections.abc import Mapping
from types import MappingProxyType

# Most packages leave the file lexnames out, so its 45 names stand here, in order.
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

# A symbol can differ in meaning by part of speech: \\ is a pertainym of an adjective, and the
# adjective that an adverb is derived from.
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

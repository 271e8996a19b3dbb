"""A synthetic language of eight words and vectors for it, to be checked by hand."""

from lexiscope.core.embedding import embedding
from lexiscope.pcfg import notation as _notation
from lexiscope.pcfg.grammar import Grammar, Target

WORDS = ("xnf", "xnm", "xaf", "xam", "n", "a", "f", "m")
TYPES = {
    "noun-feminine": ("xnf",),
    "noun-masculine": ("xnm",),
    "adjective-feminine": ("xaf",),
    "adjective-masculine": ("xam",),
}


def grammar(target, types=TYPES):
    rules = "S -> n X f | n Y m | a Z f | a Q m\nX -> xnf\nY -> xnm\nZ -> xaf\nQ -> xam"
    return Grammar("small", "", _notation.rules(rules), targets={"it": target}, types=types)


GENDER = Target(("xnf", "xaf"), ("xnm", "xam"), ("xaf", "xam"))


def vectors(rows, words=WORDS):
    return embedding("by hand", words, rows)

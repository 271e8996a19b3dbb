"""A made language of eight words and vectors for it, to be checked by hand."""

from lexiscope.core.embedding import embedding
from lexiscope.core.grammar import Grammar, Question
from lexiscope.data.grammars import _notation

WORDS = ("xnf", "xnm", "xaf", "xam", "n", "a", "f", "m")
TYPES = {
    "noun-feminine": ("xnf",),
    "noun-masculine": ("xnm",),
    "adjective-feminine": ("xaf",),
    "adjective-masculine": ("xam",),
}


def grammar(question, types=TYPES):
    rules = "S -> n X f | n Y m | a Z f | a Q m\nX -> xnf\nY -> xnm\nZ -> xaf\nQ -> xam"
    return Grammar("made", "", _notation.rules(rules), questions={"it": question}, types=types)


GENDER = Question(("xnf", "xaf"), ("xnm", "xam"), ("xaf", "xam"))


def vectors(rows, words=WORDS):
    return embedding("by hand", words, rows)

"""The worked example of the instructions."""

from dataclasses import dataclass

from lexiscope.core.study import Kind


@dataclass(frozen=True)
class Example:
    """A worked example: words, the index of the right one, and why it is right."""

    question: str
    query: str
    options: tuple[str, ...]
    answer: int
    reason: str


_EXAMPLES: dict[Kind, Example] = {
    "comparison": Example(
        "Which word is closest in meaning to this one?",
        "coffee",
        ("ladder", "tea", "thunder", "polite"),
        1,
        "Coffee and tea are both hot drinks. The other words have little to do with coffee.",
    ),
    "intrusion": Example(
        "Which word does not belong with the others?",
        "",
        ("apple", "pear", "engine", "plum"),
        2,
        "Apple, pear and plum are fruits. An engine is not.",
    ),
}


def example(kind: Kind) -> Example:
    """Return the worked example of a kind of item."""
    return _EXAMPLES[kind]


def question(kind: Kind) -> str:
    """Return the question of every item of this kind."""
    return _EXAMPLES[kind].question

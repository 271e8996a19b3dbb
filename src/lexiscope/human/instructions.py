"""The instructions of judges: the same words on the page, in files and on platforms.

Emphasis is written between asterisks. Similar in purpose to the instructions of WordSim-353.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape

from lexiscope.core.display import shown
from lexiscope.core.study import Kind, Study
from lexiscope.human.consent import Consent, Medium, consent

UNKNOWN = "I don’t know the meaning of one (or several) of the words"
_EMPHASIS = re.compile(r"\*([^*]+)\*")
_MEANING = "Think of what the words mean, not of how they look or sound."
_CLOSE = "mean nearly the same, name the same kind of thing, or belong to the same topic."
_ENDING = (
    "Some questions are easy, and for some no answer is perfect. Choose what seems best to you; "
    "your first impression is fine.",
    "Please do not look words up. If you do not know the meaning of one or several of the words, "
    "choose that answer.",
)


@dataclass(frozen=True)
class Example:
    """A worked example: words, the index of the right one, and why it is right."""

    query: str
    options: tuple[str, ...]
    answer: int
    reason: str


@dataclass(frozen=True)
class Instructions:
    """What judges read: the question of every item, the task, rules and a worked example."""

    question: str
    lead: str
    rules: tuple[str, ...]
    example: Example


_INSTRUCTIONS: dict[Kind, Instructions] = {
    "comparison": Instructions(
        "Which word is closest in meaning to this one?",
        "You see one word, and several other words to choose from. Choose the one that is "
        "*closest to it in meaning*.",
        (
            _MEANING,
            f"Words count as close if they {_CLOSE} The closer, the better.",
            "Opposites are close, too: *hot* and *cold* both describe temperature.",
            "If a word has several meanings, choose the meaning that fits best.",
            *_ENDING,
        ),
        Example(
            "coffee",
            ("ladder", "tea", "thunder", "polite"),
            1,
            "Coffee and tea are both hot drinks. The other words have little to do with coffee.",
        ),
    ),
    "intrusion": Instructions(
        "Which word does not belong with the others?",
        "You see a few words. All but one belong together in meaning. Choose *the word that does "
        "not belong*.",
        (
            _MEANING,
            f"Words belong together if they {_CLOSE} Opposites belong together, too.",
            "If a word has several meanings, use the meaning that fits the others best.",
            *_ENDING,
        ),
        Example(
            "",
            ("apple", "pear", "engine", "plum"),
            2,
            "Apple, pear and plum are fruits. An engine is not.",
        ),
    ),
}


def instructions(kind: Kind) -> Instructions:
    """Return the instructions for a kind of item."""
    return _INSTRUCTIONS[kind]


def with_emphasis(text: str) -> str:
    """Return a text as HTML.

    >>> with_emphasis("A *b* <c>")
    'A <em>b</em> &lt;c&gt;'
    """
    return _EMPHASIS.sub(r"<em>\1</em>", escape(text))


def instructions_text(study: Study, medium: Medium, answering: str) -> str:
    """Return title, consent, instructions and example as plain text; `answering` says how."""
    return "\n".join(_lines(study, consent(study, medium), answering)) + "\n"


def _lines(study: Study, agreed: Consent, answering: str) -> Iterator[str]:
    found = instructions(study.kind)
    example = found.example
    yield from (shown(agreed.title, 200).upper(), "", "WHAT YOU AGREE TO", "")
    yield from (f"{each.heading}: {shown(each.text, 4000)}" for each in agreed.statements)
    yield from ("", agreed.agreement, "", "HOW IT WORKS", "", _plain(found.lead), "")
    yield from (f"- {_plain(rule)}" for rule in found.rules)
    yield from ("", answering, "", "EXAMPLE", "", f"{found.question} {example.query}".rstrip())
    for number, word in enumerate(example.options, 1):
        yield f"  {number} {word}"
    yield f"The right answer is {example.answer + 1}. {example.reason}"


def _plain(text: str) -> str:
    return _EMPHASIS.sub(r"\1", text)


def instructions_html(kind: Kind) -> str:
    """Return rules and the worked example as HTML, without title and consent."""
    found = instructions(kind)
    example = found.example
    rules = "".join(f"<li>{with_emphasis(rule)}</li>" for rule in found.rules)
    words = "".join(
        f"<li><b>{escape(word)}</b> (right answer)</li>"
        if number == example.answer
        else f"<li>{escape(word)}</li>"
        for number, word in enumerate(example.options)
    )
    query = f" <b>{escape(example.query)}</b>" if example.query else ""
    return (
        f"<p>{with_emphasis(found.lead)}</p><ul>{rules}</ul>"
        f"<p>Example: {escape(found.question)}{query}</p><ol>{words}</ol>"
        f"<p>{escape(example.reason)}</p>"
    )


def statements_html(agreed: Consent) -> str:
    """Return the statements that a judge agrees to as HTML."""
    return "".join(
        f"<p><b>{escape(each.heading)}</b>: {escape(shown(each.text, 4000))}</p>"
        for each in agreed.statements
    )

"""A human study: items, judges and judgments.

Schnabel et al. 2015, sections 3.3 (comparison) and 4 (intrusion). A judge sees the options of an
item in an order of their own, and never which embedding offered which option.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

from lexiscope.core.errors import BadData

Kind = Literal["comparison", "intrusion"]
KINDS: tuple[Kind, ...] = ("comparison", "intrusion")
Platform = Literal["link", "class", "prolific", "mturk", "import", "simulation"]

# How many answers a judge gave with other help; empty if they do not say.
OtherHelp = Literal["", "no", "some", "most"]
LANGUAGE_LENGTH = 40  # characters of the name of a first language

OPT_OUT = -1  # "I don't know the meaning of one (or several) of the words."


@dataclass(frozen=True)
class Item:
    """One question of a study.

    Parameters
    ----------
    id : str
        A random id, which reveals nothing about the item.
    kind : {"comparison", "intrusion"}
        Choose the word most similar to the query, or find the word that does not belong.
    query : str
        The query word.
    options : tuple of str
        The words to choose from, without repetition. An intrusion item has the query among them.
    sources : tuple of tuples of str
        The embeddings that offered each option. The query of an intrusion item and all options of
        a control item have none.
    rank : int, optional
        The rank of the neighbours of a comparison item.
    answer : int, optional
        The index of the correct option: the intruder, or the obvious choice of a control item.
    control : bool
        Whether the item only checks that a judge pays attention.
    width : float, optional
        The largest difference in frequency that the intruder was searched with.
    attributes : mapping of str to str
        What results are broken down by, such as frequency, part_of_speech and concreteness.
    """

    id: str
    kind: Kind
    query: str
    options: tuple[str, ...]
    sources: tuple[tuple[str, ...], ...]
    rank: int | None = None
    answer: int | None = None
    control: bool = False
    width: float | None = None
    attributes: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if len(self.options) != len(self.sources) or len(set(self.options)) < len(self.options):
            raise BadData(
                f"Item {self.id}: options must differ, and each needs its list of embeddings."
            )
        if len(self.options) < 2:
            raise BadData(f"Item {self.id}: an item needs two or more options.")
        if self.answer is not None and not 0 <= self.answer < len(self.options):
            raise BadData(f"Item {self.id}: the correct option {self.answer} does not exist.")
        if self.answer is None and (self.control or self.kind == "intrusion"):
            raise BadData(f"Item {self.id}: it needs a correct option.")

    @property
    def embeddings(self) -> tuple[str, ...]:
        """The embeddings that the item judges, sorted."""
        return tuple(sorted({name for names in self.sources for name in names}))


@dataclass(frozen=True)
class StudySettings:
    """How a study is carried out.

    Parameters
    ----------
    title : str
        What judges see as the title; it should not name the embeddings.
    seed : int
        Seed of items, assignment and order.
    judges_per_item : int
        The number of judgments that each item should get.
    items_per_judge : int
        The number of items that a judge gets, without control items.
    controls_per_judge : int
        The number of control items that a judge gets.
    repeat_queries : bool
        Whether a judge may get several items with the same query.
    reservation_minutes : float
        After this time, items of a judge who does not answer are assigned to others.
    pay_per_judge : float
        Payment of a judge, for the statement on the consent page; 0 if unpaid.
    currency, contact, institution, ethics, retention : str
        Further statements of the consent page; empty statements are left out.
    language : str
        The language tag of the words.
    completion_code : str
        The code that Prolific expects; shown after the last answer.
    full_code : str
        A second code of Prolific, for people who arrive when all items have enough judgments.
    ask_first_language : bool
        Whether judges may name their first language after the last item.
    ask_other_help : bool
        Whether judges may say after the last item that they used other help, such as a dictionary.
    """

    title: str = "Word study"
    seed: int = 0
    judges_per_item: int = 7
    items_per_judge: int = 40
    controls_per_judge: int = 3
    repeat_queries: bool = False
    reservation_minutes: float = 60.0
    pay_per_judge: float = 0.0
    currency: str = "USD"
    contact: str = ""
    institution: str = ""
    ethics: str = ""
    retention: str = ""
    language: str = "en"
    completion_code: str = ""
    full_code: str = ""
    ask_first_language: bool = False
    ask_other_help: bool = False

    @property
    def has_closing_questions(self) -> bool:
        """Whether judges see questions about themselves after the last item."""
        return self.ask_first_language or self.ask_other_help


@dataclass(frozen=True)
class Study:
    """A study: settings, items, and the embeddings that are compared.

    `embeddings` maps the name of each embedding to the fingerprint of its vectors; `manifest` has
    versions and options of the command that created the study.
    """

    kind: Kind
    settings: StudySettings
    embeddings: Mapping[str, str]
    items: tuple[Item, ...]
    manifest: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        ids = [item.id for item in self.items]
        if len(set(ids)) < len(ids):
            raise BadData("Two items of the study have the same id.")
        for item in self.items:
            unknown = set(item.embeddings) - set(self.embeddings)
            if unknown:
                raise BadData(f"Item {item.id}: the study has no embedding '{min(unknown)}'.")
            if item.kind != self.kind:
                raise BadData(f"Item {item.id}: {item.kind} item in a study of {self.kind}.")

    @property
    def controls(self) -> tuple[Item, ...]:
        """The control items."""
        return tuple(item for item in self.items if item.control)

    @property
    def scored(self) -> tuple[Item, ...]:
        """The items that judge embeddings."""
        return tuple(item for item in self.items if not item.control)


@dataclass(frozen=True)
class ClosingAnswers:
    """What a judge says about themselves after the last item; empty where they do not answer."""

    first_language: str = ""
    other_help: OtherHelp = ""

    def __post_init__(self) -> None:
        if len(self.first_language) > LANGUAGE_LENGTH:
            raise BadData(f"A first language has more than {LANGUAGE_LENGTH} characters.")
        if self.other_help not in get_args(OtherHelp):
            raise BadData(f"Other help: expected no, some or most, found '{self.other_help[:40]}'.")


@dataclass(frozen=True)
class Judge:
    """A person, or a simulated rater, who answers items.

    `consent` is the fingerprint of the text that the judge agreed to, empty if none was shown.
    `closing` is what they said after the last item, None if they sent nothing.
    Times are in seconds since 1970.
    """

    id: str
    platform: Platform
    started: float
    finished: float | None = None
    consent: str = ""
    closing: ClosingAnswers | None = None


@dataclass(frozen=True)
class Judgment:
    """The answer of a judge to an item.

    Parameters
    ----------
    judge, item : str
        Their ids.
    choice : int
        The index of the chosen option in `Item.options`, or `OPT_OUT`.
    order : tuple of int
        The options as they were shown: `order[0]` is the index of the first one.
    seconds : float, optional
        The time from the first display of the item to the answer, by the clock of the server.
    answered : float
        When the answer was stored, in seconds since 1970.
    """

    judge: str
    item: str
    choice: int
    order: tuple[int, ...]
    seconds: float | None = None
    answered: float = 0.0

    @property
    def position(self) -> int | None:
        """The position in which the chosen option was shown, from 0; None for an opt-out."""
        return None if self.choice == OPT_OUT else self.order.index(self.choice)

"""Synonym questions with four options."""

from dataclasses import dataclass
from functools import cached_property
from typing import Self

from lexiscope.core.datasets.base import Dataset, Units, Words, sampling_units, word_array


@dataclass(frozen=True, eq=False)
class SynonymQuestions(Dataset):
    """Multiple-choice synonym questions, such as the TOEFL questions.

    Parameters
    ----------
    name : str
        Name of the dataset.
    query : ndarray of str
        The word whose synonym is to be found.
    first, second, third, fourth : ndarray of str
        The four options.
    answer : ndarray of str
        The correct option.

    Examples
    --------
    >>> from lexiscope.core.datasets import SynonymQuestions
    >>> SynonymQuestions.example().labels[0]
    'big: large, green, early, wet'
    """

    query: Words
    first: Words
    second: Words
    third: Words
    fourth: Words
    answer: Words

    kind = "synonym questions"
    hashed_as = "questions"
    word_columns = ("query", "first", "second", "third", "fourth", "answer")
    gold_column = "answer"
    read_priority = 70

    @property
    def options(self) -> tuple[Words, ...]:
        """The four columns of options."""
        return self.first, self.second, self.third, self.fourth

    @property
    def labels(self) -> list[str]:
        rows = zip(self.query, *self.options, strict=True)
        return [f"{query}: {', '.join(options)}" for query, *options in rows]

    @cached_property
    def units(self) -> Units | None:
        """The query and the options, if one of them occurs in several questions."""
        return sampling_units(self.query, *self.options)

    @classmethod
    def example(cls) -> Self:
        """Return four questions."""
        questions = [
            ("big", "large", "green", "early", "wet", "large"),
            ("quick", "sour", "fast", "round", "late", "fast"),
            ("glad", "flat", "cold", "happy", "loud", "happy"),
            ("shut", "sing", "melt", "grow", "close", "close"),
        ]
        return cls("example-questions", *map(word_array, zip(*questions, strict=True)))

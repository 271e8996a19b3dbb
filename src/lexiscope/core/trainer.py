"""A trainer: settings plus one verb, from a corpus to an embedding."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from math import isfinite
from typing import Any, ClassVar, Literal, get_args, get_origin, get_type_hints

from numpy.random import Generator
from numpy.typing import NDArray

from lexiscope.core.corpus import Corpus
from lexiscope.core.embedding import Embedding
from lexiscope.core.errors import BadUsage, UnknownName
from lexiscope.core.progress import Progress, silent

State = dict[str, NDArray[Any]]  # what a training that goes in steps has come to, by name

RECORD_FORMAT = "lexiscope training 1"  # how the record beside trained vectors begins


def setting(
    default: Any,
    about: str,
    *,
    least: float | None = None,
    above: float | None = None,
    most: float | None = None,
) -> Any:
    """A field of a trainer or study: its default, what it does, and which numbers make sense."""
    return field(
        default=default, metadata={"about": about, "least": least, "above": above, "most": most}
    )


@dataclass(frozen=True)
class Trainer(ABC):
    """Settings plus one verb. A trainer changes neither itself nor the corpus, and reads no file.

    `paper` says where the model was published. A change of the vectors raises `version`, so that
    a record of an earlier training does not pass for a later one. `sparse` says that the vectors
    are, so that a format that cannot hold them is refused before the work.
    """

    paper: ClassVar[str]
    version: ClassVar[int] = 1
    sparse: ClassVar[bool] = False

    def __post_init__(self) -> None:
        for each in fields(self):
            check_setting(type(self), each.name, getattr(self, each.name))

    @abstractmethod
    def train(self, corpus: Corpus, rng: Generator, tell: Progress = silent) -> Embedding:
        """An embedding of the words of the corpus, in their order, with their counts."""

    @property
    def needs_text(self) -> bool:
        """Whether a corpus is read at all; a trainer may also change vectors that are there."""
        return True

    @property
    def repeatable(self) -> bool:
        """Whether the same seed gives the same bytes; with racing threads it does not."""
        held = (value for value in self.settings.values() if isinstance(value, Trainer))
        return all(trainer.repeatable for trainer in held)

    @property
    def settings(self) -> dict[str, Any]:
        """The settings by name."""
        return {each.name: getattr(self, each.name) for each in fields(self)}


@dataclass(frozen=True)
class Stepwise(Trainer):
    """A trainer that goes in steps, between which it can stop, and go on in another process.

    A training that stopped and went on ends with the same vectors as one that did not stop.
    """

    @abstractmethod
    def begin(self, corpus: Corpus, rng: Generator) -> State:
        """What the first step starts from; all randomness of later steps follows from it.

        To go on, the arrays of an earlier process are copied into these: shapes never change.
        """

    @abstractmethod
    def steps(self, corpus: Corpus, state: State, tell: Progress = silent) -> Iterator[None]:
        """Change the state in place, step by step; whenever it yields or ends, it is whole.

        An interrupt (KeyboardInterrupt) comes out after the step it fell into.
        """

    @abstractmethod
    def finish(self, corpus: Corpus, state: State) -> Embedding:
        """The embedding after the last step, or, coarser, after any."""

    def train(self, corpus: Corpus, rng: Generator, tell: Progress = silent) -> Embedding:
        state = self.begin(corpus, rng)
        for _ in self.steps(corpus, state, tell):
            pass
        return self.finish(corpus, state)


def check_setting(kind: type[Any], name: str, value: Any) -> None:
    """Refuse a value that makes no sense for a setting."""
    hint, limits = get_type_hints(kind)[name], kind.__dataclass_fields__[name].metadata
    if get_origin(hint) is Literal and value not in get_args(hint):
        raise UnknownName(f"value of {name}", str(value), get_args(hint))
    if isinstance(value, int | float):
        _check_number(name, value, limits)


def _check_number(name: str, value: float, limits: Mapping[str, Any]) -> None:
    least, above, most = (limits.get(limit) for limit in ("least", "above", "most"))
    if not isfinite(value):
        raise BadUsage(f"{name} must be a finite number, found {value}.")
    if least is not None and value < least:
        raise BadUsage(f"{name} must be {least:g} or more, found {value}.")
    if above is not None and value <= above:
        raise BadUsage(f"{name} must be more than {above:g}, found {value}.")
    if most is not None and value > most:
        raise BadUsage(f"{name} must be {most:g} or less, found {value}.")

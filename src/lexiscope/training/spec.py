"""The specification of a training: trainer, texts, preprocessing and seed."""

import hashlib
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from lexiscope.core.contracts.settings import name_of
from lexiscope.core.contracts.trainer import Trainer
from lexiscope.core.corpus import EMPTY_CORPUS, Corpus
from lexiscope.core.embedding import Embedding
from lexiscope.core.errors import BadUsage
from lexiscope.core.lexicon import Lexicon
from lexiscope.core.preprocessing import PRESETS, Preprocessing
from lexiscope.core.progress import Progress, silent
from lexiscope.data import corpora
from lexiscope.data.local_data import LocalData, sha256_of


@dataclass(frozen=True)
class Training:
    """A trainer with its settings, the texts, their preprocessing, and a seed.

    Attributes
    ----------
    trainer_name
        The name or file by which the trainer was chosen; by default its own name.
    setting_names
        The texts by which embeddings, trainers and lexicons among the settings were chosen.
    name
        The name of the embedding.
    """

    trainer: Trainer
    texts: tuple[str, ...]
    preprocessing: Preprocessing = PRESETS["default"]
    seed: int = 0
    on_error: corpora.OnError = "stop"
    trainer_name: str = ""
    setting_names: Mapping[str, str] = field(default_factory=dict)
    name: str = ""

    def check(self, local_data: LocalData) -> None:
        """Raise an error if a text is missing, or given to a trainer that needs none."""
        if self.texts and not self.trainer.needs_text:
            raise BadUsage("With existing vectors as its base this trainer takes no text.")
        if self.trainer.needs_text and not self.texts:
            raise BadUsage("A text is needed: a file, a folder, - or a name from the catalogue.")
        if self.texts:
            corpora.check(self.texts, local_data)

    def read_corpus(self, local_data: LocalData, progress: Progress = silent) -> Corpus:
        """Read and preprocess the texts; empty if the trainer needs none."""
        self.check(local_data)
        if not self.texts:
            return EMPTY_CORPUS
        return corpora.read(
            self.texts, self.preprocessing, None, progress, local_data, on_error=self.on_error
        )

    def identity(self, local_data: LocalData) -> dict[str, Any]:
        """Everything that determines the vectors, as plain data.

        Trainings with equal identities give equal vectors, unless hogwild threads are used.
        """
        self.check(local_data)
        return {
            "name": self.name,
            "trainer": plain_data(self.trainer),
            "seed": self.seed,
            "texts": [_text_identity(text, local_data) for text in self.texts],
            "reader_version": corpora.VERSION,
            "preprocessing": self.preprocessing.as_dict() if self.texts else None,
            "on_error": self.on_error,
        }


def plain_data(value: Any) -> Any:
    """A setting as plain data; trainers by name and settings, vectors and lexicons by content."""
    if isinstance(value, Trainer):
        settings = {name: plain_data(v) for name, v in value.settings.items()}
        return {"name": name_of(type(value)), "version": value.version, "settings": settings}
    if isinstance(value, Embedding | Lexicon):
        kind = type(value).__name__.lower()
        return {kind: value.name, "sha256": value.fingerprint}
    return value


def _text_identity(text: str, local_data: LocalData) -> dict[str, Any]:
    """A text by name and checksum; the content of standard input is known only after reading."""
    if text == "-":
        return {"source": text}
    digest = hashlib.sha256()
    for path in corpora.files_of(text, local_data):
        digest.update(os.fsencode(path.name) + b"\0" + sha256_of(path).encode() + b"\n")
    return {"source": text, "sha256": digest.hexdigest()}

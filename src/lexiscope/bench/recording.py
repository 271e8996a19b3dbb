"""The record of a training: what was trained on what, and the command that does it again."""

import hashlib
import json
import os
import platform
import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from lexiscope.bench.manifest import versions
from lexiscope.core.corpus import Corpus
from lexiscope.core.embedding import Embedding
from lexiscope.core.errors import BadData, BadUsage
from lexiscope.core.lexicon import Lexicon
from lexiscope.core.machine import threads
from lexiscope.core.preparation import PRESETS, Preparation
from lexiscope.core.trainer import Trainer
from lexiscope.data import corpora
from lexiscope.data.files import replacing
from lexiscope.data.library import Library, sha256_of

FORMAT = "lexiscope training 1"


@dataclass(frozen=True)
class Training:
    """What to train on what: a trainer with its settings, texts, their preparation, a seed.

    `named` says by which text those settings were given that are no plain values.
    """

    trainer: Trainer
    texts: tuple[str, ...]
    preparation: Preparation = PRESETS["default"]
    seed: int = 0
    on_error: corpora.OnError = "stop"
    named: Mapping[str, str] = field(default_factory=dict)

    def identity(self, library: Library) -> dict[str, Any]:
        """All that decides the vectors: equal identities make equal vectors."""
        return {
            "trainer": described(self.trainer),
            "seed": self.seed,
            "texts": [_text(text, library) for text in self.texts],
            "preparation": self.preparation.as_dict() if self.texts else None,
            "on_error": self.on_error,
        }


def described(value: Any) -> Any:
    """A setting as plain data: trainers within trainers, vectors and lexicons by their content."""
    if isinstance(value, Trainer):
        settings = {name: described(v) for name, v in value.settings.items()}
        name = type(value).__module__.rpartition(".")[2]
        return {"name": name, "version": value.version, "settings": settings}
    if isinstance(value, Embedding | Lexicon):
        kind = type(value).__name__.lower()
        return {kind: value.name, "sha256": value.fingerprint}
    return value


def record(
    training: Training,
    library: Library,
    corpus: Corpus,
    embedding: Embedding,
    seconds: dict[str, float],
) -> dict[str, Any]:
    """Everything needed to make the vectors again, and what came out."""
    return {
        "format": FORMAT,
        **training.identity(library),
        "paper": training.trainer.paper,
        "corpus": {
            "tokens": len(corpus),
            "sentences": corpus.sentences,
            "words": len(corpus.vocabulary),
            "left_out": corpus.left_out,
            "sha256": corpus.fingerprint,
            "repairs": list(corpus.repairs),
        },
        "embedding": {
            "words": len(embedding),
            "dimension": embedding.dimension,
            "sha256": embedding.fingerprint,
        },
        "versions": versions(),
        "platform": platform.platform(),
        "threads": threads(),
        "cpus": os.cpu_count(),
        "seconds": {what: round(value, 3) for what, value in seconds.items()},
    }


def already(training: Training, library: Library, vectors: Path) -> bool:
    """Whether this very training made the file; a file that it did not make is left alone."""
    if not vectors.exists():
        return False
    found = read(vectors)
    if found is None:
        raise BadUsage(f"{vectors}: is there already. Choose another name, or --force.")
    identity = json.loads(json.dumps(training.identity(library)))
    other = [name for name, value in identity.items() if found.get(name) != value]
    if other or "-" in training.texts:
        named = ", ".join(other) or "the text of standard input is not known"
        raise BadUsage(
            f"{vectors}: is there already, trained otherwise ({named}). Choose another name, or "
            "--force."
        )
    return True


def command(training: Training, vectors: Path) -> str:
    """The command that makes the vectors again, every setting written out."""
    plain = {n: v for n, v in training.trainer.settings.items() if n not in training.named}
    steps = training.preparation.as_dict() if training.texts else {}
    options = {**plain, **training.named, **steps, "seed": training.seed}
    if training.on_error != "stop":
        options["on_error"] = training.on_error
    parts = [part for name, value in options.items() for part in _option(name, value)]
    trainer = described(training.trainer)["name"]
    return shlex.join(["lexiscope", "train", trainer, *training.texts, "-o", str(vectors), *parts])


def _option(name: str, value: Any) -> list[str]:
    dashed = name.replace("_", "-")
    if value is None:
        return []
    if isinstance(value, bool):
        return [f"--{dashed}" if value else f"--no-{dashed}"]
    return [f"--{dashed}", str(value)]


def _text(text: str, library: Library) -> dict[str, Any]:
    """A text by name and content; what comes by standard input is known by the corpus only."""
    if text == "-":
        return {"source": text}
    digest = hashlib.sha256()
    for path in corpora.files_of(text, library):
        digest.update(f"{path.name}\0{sha256_of(path)}\n".encode("utf-8", "surrogateescape"))
    return {"source": text, "sha256": digest.hexdigest()}


def place_of(vectors: Path) -> Path:
    """Where the record of a vector file lies: beside it."""
    return vectors.with_name(f"{vectors.name}.json")


def write(record: dict[str, Any], vectors: Path) -> Path:
    """Write a record beside its vectors."""
    with replacing(place_of(vectors)) as file:
        file.write(json.dumps(record, indent=2, ensure_ascii=False).encode() + b"\n")
    return place_of(vectors)


def read(vectors: Path) -> dict[str, Any] | None:
    """The record beside a vector file, or None where there is none."""
    place = place_of(vectors)
    if not place.is_file():
        return None
    try:
        found = json.loads(place.read_bytes())
    except ValueError as problem:
        raise BadData(f"{place}: is no record of a training ({problem}).") from None
    return found if isinstance(found, dict) and found.get("format") == FORMAT else None

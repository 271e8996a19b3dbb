"""The record of a training: what was trained on what, and the command that does it again."""

import hashlib
import json
import os
import platform
import shlex
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, NamedTuple

from lexiscope.bench.manifest import versions
from lexiscope.core.corpus import Corpus
from lexiscope.core.display import shown
from lexiscope.core.embedding import Embedding
from lexiscope.core.errors import BadData, BadUsage
from lexiscope.core.lexicon import Lexicon
from lexiscope.core.machine import threads
from lexiscope.core.preparation import PRESETS, Preparation
from lexiscope.core.trainer import RECORD_FORMAT, Stepwise, Trainer
from lexiscope.data import corpora
from lexiscope.data.files import replacing
from lexiscope.data.library import Library, sha256_of
from lexiscope.data.vectors import save


@dataclass(frozen=True)
class Training:
    """What to train on what: a trainer with its settings, texts, their preparation, a seed.

    `named` says by which text those settings were given that are no plain values; `name` is what
    the embedding is called.
    """

    trainer: Trainer
    texts: tuple[str, ...]
    preparation: Preparation = PRESETS["default"]
    seed: int = 0
    on_error: corpora.OnError = "stop"
    named: Mapping[str, str] = field(default_factory=dict)
    name: str = ""

    def check(self, library: Library) -> None:
        """Refuse a text that is missing, or one too many."""
        if self.texts and not self.trainer.needs_text:
            raise BadUsage("With vectors as its base this trainer takes no text.")
        if self.trainer.needs_text and not self.texts:
            raise BadUsage("A text is needed: a file, a folder, - or a name from the catalogue.")
        if self.texts:
            corpora.check(self.texts, library)

    def identity(self, library: Library) -> dict[str, Any]:
        """All that decides the vectors: equal ones make equal vectors, unless threads race."""
        self.check(library)
        return {
            "name": self.name,
            "trainer": described(self.trainer),
            "seed": self.seed,
            "texts": [_text(text, library) for text in self.texts],
            "reading": corpora.VERSION,
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


def origin(training: Training, corpus: Corpus) -> str:
    """Where the vectors come from, in a line: the trainer, its unusual settings, the text.

    What cannot be repeated is said first, where no table cuts it off.
    """
    usual = {f.name: f.default for f in fields(training.trainer)}
    given = {**training.trainer.settings, **training.named}
    other = [f"{name}={value}" for name, value in given.items() if usual[name] != value]
    settings = f" ({', '.join(other)})" if other else ""
    base = getattr(training.trainer, "base", None)
    source = corpus.origin or (base.origin if isinstance(base, Embedding) else "")
    text = f" of {source}" if source else ""
    racing = "" if training.trainer.repeatable else ", with racing threads, never the same twice"
    return shown(f"{described(training.trainer)['name']}{racing}{settings}{text}", 400)


class Spent(NamedTuple):
    """Seconds of reading and of training, and into how many parts interruptions cut them."""

    reading: float = 0.0
    training: float = 0.0
    parts: int = 1


def outcome(
    training: Training, corpus: Corpus, embedding: Embedding, spent: Spent
) -> dict[str, Any]:
    """What came out of a training, and where."""
    return {
        "paper": training.trainer.paper,
        "repeatable": training.trainer.repeatable,
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
        "seconds": {"reading": round(spent.reading, 3), "training": round(spent.training, 3)},
        "parts": spent.parts,
        **_speed(training, corpus, spent.training),
    }


def _speed(training: Training, corpus: Corpus, seconds: float) -> dict[str, int]:
    """How many words of the text were learned from in a second, each epoch counted."""
    epochs = training.trainer.settings.get("epochs")
    if not isinstance(training.trainer, Stepwise) or epochs is None:
        return {}
    return {"words_per_second": round(len(corpus) * epochs / max(seconds, 1e-9))}


def keep(embedding: Embedding, record: dict[str, Any], vectors: Path) -> None:
    """Put vectors and record into place, so that no moment mixes two trainings.

    The vectors are written apart first. The record names their bytes, and goes into place before
    them: whatever is interrupted, a record without its vectors is a training to do again.
    """
    if embedding.is_sparse and vectors.suffix != ".safetensors":
        raise BadUsage(f"{vectors}: the vectors are sparse, which only .safetensors can hold.")
    try:
        vectors.parent.mkdir(parents=True, exist_ok=True)
        apart = tempfile.TemporaryDirectory(prefix=".training-", dir=vectors.parent)
    except OSError as problem:
        raise BadData(f"{vectors}: cannot be written ({problem.strerror}).") from None
    with apart as folder:
        save(embedding, Path(folder, vectors.name))
        made = sorted(Path(folder).iterdir())
        files = {path.name: sha256_of(path) for path in made}
        content = json.dumps({"format": RECORD_FORMAT, **record, "files": files}, indent=2)
        with replacing(place_of(vectors)) as file:
            file.write(content.encode() + b"\n")
        for path in made:
            path.replace(vectors.with_name(path.name))


def already(training: Training, library: Library, vectors: Path) -> bool:
    """Whether this very training made the file; a file that it did not make is left alone."""
    there = [path for path in (vectors, place_of(vectors), _words_of(vectors)) if path.exists()]
    if not there:
        return False
    found = read(vectors)
    if found is None:
        raise BadUsage(
            f"{there[0]}: is there already, and no training is recorded that made it. Choose "
            "another name, or --force."
        )
    other = differences(found, training.identity(library))
    if "-" in training.texts:
        raise BadUsage(
            f"{vectors}: is there already, and whether standard input holds the same text is not "
            "known. Choose another name, or --force."
        )
    if other:
        raise BadUsage(
            f"{vectors}: is there already, trained otherwise ({', '.join(other)}). Choose another "
            "name, or --force."
        )
    return _is_whole(vectors, found)


def differences(found: Mapping[str, Any], wanted: Mapping[str, Any]) -> list[str]:
    """What differs between a record and an identity, by name; texts count by their content."""
    known, asked = _flat(found), _flat(json.loads(json.dumps(wanted)))
    names = [name for name in asked if known.get(name) != asked[name]]
    return [name.removeprefix("settings ") for name in names]


def _flat(identity: Mapping[str, Any]) -> dict[str, Any]:
    trainer, steps = identity.get("trainer") or {}, identity.get("preparation") or {}
    texts = [text.get("sha256") for text in identity.get("texts") or ()]
    plain = {n: identity.get(n) for n in ("name", "seed", "reading", "on_error")}
    settings = {f"settings {name}": v for name, v in (trainer.get("settings") or {}).items()}
    which = {"trainer": trainer.get("name"), "version": trainer.get("version")}
    return {**plain, **which, **settings, "texts": texts, **steps}


def _is_whole(vectors: Path, found: Mapping[str, Any]) -> bool:
    """Whether all that the record names is there; what is there must be what it names."""
    files = {vectors.with_name(name): sha256 for name, sha256 in found["files"].items()}
    for path, sha256 in files.items():
        if path.exists() and sha256_of(path) != sha256:
            raise BadUsage(
                f"{path}: was changed after the training that is recorded beside it, or that was "
                "interrupted while it wrote. Choose another name, or --force."
            )
    return all(path.exists() for path in files)


def command(training: Training, library: Library, vectors: Path) -> str:
    """The command that makes the vectors again, every setting written out."""
    plain = {n: v for n, v in training.trainer.settings.items() if n not in training.named}
    steps = training.preparation.as_dict() if training.texts else {}
    options = {**plain, **training.named, **steps, "seed": training.seed, "name": training.name}
    if training.on_error != "stop":
        options["on_error"] = training.on_error
    if library.folder:
        options["data_dir"] = library.folder
    parts = [part for name, value in options.items() for part in _option(name, value)]
    trainer = described(training.trainer)["name"]
    texts = ["--", *training.texts] if training.texts else []
    return shlex.join(["lexiscope", "train", trainer, "-o", str(vectors), *parts, *texts])


def place_of(vectors: Path) -> Path:
    """Where the record of a vector file lies: beside it."""
    return vectors.with_name(f"{vectors.name}.json")


def read(vectors: Path) -> dict[str, Any] | None:
    """The record beside a vector file, or None where there is none."""
    place = place_of(vectors)
    if not place.is_file():
        return None
    try:
        found = json.loads(place.read_bytes())
    except (ValueError, RecursionError):
        return None
    whole = isinstance(found, dict) and found.get("format") == RECORD_FORMAT
    return found if whole and isinstance(found.get("files"), dict) else None


def _words_of(vectors: Path) -> Path:
    """The word list that stands beside a table without words; the vectors themselves else."""
    stem = vectors.with_suffix("") if vectors.suffix in (".gz", ".bz2", ".xz") else vectors
    return stem.with_suffix(".words") if stem.suffix == ".npy" else vectors


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
        digest.update(os.fsencode(path.name) + b"\0" + sha256_of(path).encode() + b"\n")
    return {"source": text, "sha256": digest.hexdigest()}
